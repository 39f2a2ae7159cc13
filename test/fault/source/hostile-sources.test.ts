import { describe, expect, it } from 'vitest';
import type { Notice, NoticeCode } from '../../../data/report/notice.ts';
import { formatNotice } from '../../../build/report/describe-notice.ts';
import { escapeControls } from '../../../build/source/quote.ts';
import { EXIT } from '../../../cli/console/command.ts';
import { TIER } from '../tier.ts';
import { buildHostile, sourceNameOf, type HostileSource, type MeasuredBuild } from './hostile-source.ts';
import { DISK_CASES, PACKED_CASES, PICTURE_CASES } from './made-cases.ts';
import { TEXT_CASES } from './text-cases.ts';

const MAX_PEAK_BYTES = 512_000_000;

const TIMEOUT_MS = 180_000;

const TABLES = [PACKED_CASES, TEXT_CASES, DISK_CASES, PICTURE_CASES];

/** The notices that hang on which other sources are built beside it. */
const OF_COMPANY: readonly NoticeCode[] = ['duplicate-deal', 'picture-stand-in'];

/** Sources that are built together: in the first tier one of each kind. */
const GROUPS: readonly (readonly HostileSource[])[] =
  TIER === 'first'
    ? [TABLES.flat().filter(({ isFirst }) => isFirst)]
    : [
        ...TABLES.map((table) => table.filter(({ isAlone }) => !isAlone)),
        ...TABLES.flat().flatMap((source) => (source.isAlone ? [[source]] : [])),
      ];

describe.each(GROUPS.map((group) => [group] as const))(
  'a hostile source is contained, and the others publish',
  (group) => {
    let build: Promise<MeasuredBuild> | undefined;
    it.each(group.map((source, position) => [source.name, source, position] as const))(
      '%s',
      async (_name, source, position) => {
        build ??= buildHostile(group);
        expectContained(await build);
        expectFate(await build, source, sourceNameOf(position));
      },
      TIMEOUT_MS,
    );
  },
);

/** Within its bounds, with the sound sources published and nothing that looks like a bug. */
function expectContained({ exitCode, signal, stderr, result, peakBytes }: MeasuredBuild): void {
  const expected = result?.report.sources.every(({ state }) => state === 'fresh') === true ? EXIT.ok : EXIT.attention;
  expect({ exitCode, signal, stderr: stderr.slice(-2_000) }).toMatchObject({ exitCode: expected, signal: null });
  expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
  expect(result).toMatchObject({ outcome: 'published', warnings: [] });
  const sound = result?.report.sources.filter(({ name }) => !name.startsWith('hostile-'));
  expect(sound?.map(({ name, state, kept }) => [name, state, kept])).toEqual([
    ['site', 'fresh', 10],
    ['house', 'fresh', 4],
    ['night', 'fresh', 4],
  ]);
  expect(peakBytes).toBeLessThan(MAX_PEAK_BYTES);
}

/** What the report says of the source: as much as is expected, and nothing else. */
function expectFate({ result }: MeasuredBuild, { fate, kind }: HostileSource, sourceName: string): void {
  const account = result?.report.sources.find(({ name }) => name === sourceName);
  const summaries = (result?.report.notices ?? []).filter(
    ({ source, code }) => source === sourceName && !OF_COMPANY.includes(code),
  );
  const samples = summaries.flatMap((summary) => summary.samples);
  const said = samples.slice(0, 5).map((notice) => formatNotice(notice));
  expect({
    said,
    kind: account?.kind,
    state: account?.state,
    kept: (account?.kept ?? 0) + (account?.duplicate ?? 0),
    codes: Object.fromEntries(summaries.map(({ code, count }) => [code, fate.codes[code] === 'some' ? 'some' : count])),
  }).toEqual({ said, kind, state: fate.state, kept: fate.kept, codes: fate.codes });
  const [code] = Object.keys(fate.codes);
  const first = samples.find((sample) => sample.code === code);
  if (first !== undefined) expectHelpful(first, sourceName, fate.says);
}

/** Says which file, and which line where there are lines, and what to do; and does nothing to the terminal. */
function expectHelpful(notice: Notice, sourceName: string, says: RegExp | undefined): void {
  const sentence = formatNotice(notice);
  if (says !== undefined) expect(sentence).toMatch(says);
  expect(sentence).toContain(escapeControls(notice.file ?? sourceName));
  expect(sentence.length).toBeLessThan(1_500);
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  expect(sentence).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
}
