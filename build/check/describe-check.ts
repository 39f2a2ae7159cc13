import { NOTICES } from '../../data/report/notice.ts';
import { createWritePlace, type WritePlace } from '../../data/report/place.ts';
import type { NoticeSummary } from '../../data/report/report.ts';
import { createDescribeNotice } from '../report/describe-build.ts';
import type { SourceCheck } from './check-source.ts';

/** How many notices of a code are shown. */
const SHOWN_SAMPLES = 3;

/** What an adapter makes of a source in lines for a person: counts, findings, the first records as JSON. */
export function describeCheck({ source, lists, notices, records }: SourceCheck): readonly string[] {
  const { name, adapter, state, files, read, kept, outOfScope, quarantined } = source;
  const writePlace = createWritePlace([source]);
  return [
    `${name} (${adapter}): ${STATES[state]}`,
    ...files.map(({ path, bytes }) => `  ${path}: ${bytes} bytes`),
    `  ${read} read: ${kept} given to the build${describeLists(lists)}, ${outOfScope} out of scope, ${quarantined} quarantined`,
    ...notices.flatMap((summary) => describeSummary(summary, writePlace)),
    ...(records.length === 0 ? [] : [`the first ${records.length} of ${kept}:`]),
    ...records.map(
      ({ file, line, record }) => `${writePlace({ source: name, file, line })} ${JSON.stringify(record, undefined, 2)}`,
    ),
  ];
}

const STATES = {
  fresh: 'read to its end',
  'carried-forward': 'could not be read',
  failed: 'could not be read to its end; a build would take nothing of it',
  absent: 'no file',
} as const satisfies Record<SourceCheck['source']['state'], string>;

function describeLists(lists: Readonly<Record<string, number>>): string {
  const counts = Object.entries(lists).map(([list, count]) => `${count} ${list}`);
  return counts.length === 0 ? '' : ` (${counts.join(', ')})`;
}

function describeSummary({ code, outcome, count, samples }: NoticeSummary, writePlace: WritePlace): string[] {
  const describe = createDescribeNotice(writePlace);
  const shown = samples.slice(0, SHOWN_SAMPLES).map((notice) => `    ${describe(notice)}`);
  return [
    `  ${outcome}: ${count} ${code} (${NOTICES[code].meaning})`,
    ...shown,
    ...(count > shown.length ? [`    and ${count - shown.length} more: the first ${samples.length} by --json`] : []),
  ];
}
