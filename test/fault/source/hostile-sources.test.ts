import { describe, expect, it } from 'vitest';
import type { Notice, NoticeCode } from '../../../data/report/notice.ts';
import type { NoticeSummary } from '../../../data/report/report.ts';
import { formatNotice } from '../../../build/report/describe-notice.ts';
import { escapeControls } from '../../../build/source/quote.ts';
import { EXIT } from '../../../cli/console/command.ts';
import { HEADER } from '../../unit/build/run/write-sources.ts';
import { TIER } from '../tier.ts';
import { DISK_CASES } from './disk-cases.ts';
import { CSV_CASES, JSON_CASES, XML_CASES } from './generated-cases.ts';
import { HEAVY_CASES } from './heavy-cases.ts';
import { HostileSite, sourceNameOf } from './hostile-site.ts';
import { fresh, hostileFeed, type HostileSource } from './hostile-source.ts';
import type { MeasuredBuild } from './measured-build.ts';
import { PACKED_CASES } from './packed-cases.ts';
import { LARGE_PICTURES, PICTURE_CASES } from './picture-cases.ts';

const MAX_PEAK_BYTES = 512_000_000;

const TIMEOUT_MS = 180_000;

const TABLES: readonly (readonly [string, readonly HostileSource[]])[] = [
  ['archives and bombs', PACKED_CASES],
  ['tables', CSV_CASES],
  ['JSON', JSON_CASES],
  ['XML', XML_CASES],
  ['what lies on the disk', DISK_CASES],
  ['pictures', [...PICTURE_CASES, ...LARGE_PICTURES]],
];

/** The notices that hang on which other sources are built beside it. */
const OF_COMPANY: readonly NoticeCode[] = ['duplicate-deal', 'picture-stand-in'];

/** A build of the sound sources with hostile ones beside them, made when the first of its tests asks for it. */
class HostileBuild {
  readonly sources: readonly HostileSource[];
  readonly #gates: object | undefined;
  #run: Promise<MeasuredBuild> | undefined;

  constructor(sources: readonly HostileSource[], gates?: object) {
    this.sources = sources;
    this.#gates = gates;
  }

  run(): Promise<MeasuredBuild> {
    this.#run ??= this.#build();
    return this.#run;
  }

  async #build(): Promise<MeasuredBuild> {
    const site = new HostileSite();
    try {
      await site.write(this.sources, this.#gates);
      return await site.build();
    } finally {
      site.remove();
    }
  }
}

/** One of each kind, in one build. */
const FIRST_TIER: ReadonlySet<string> = new Set([
  'a gzip bomb of NULs',
  'a zip whose file is called ../../../escaped.csv',
  'a CMS archive with a name of 1 GB',
  '__proto__, constructor and toString as columns',
  'another unknown phone on each of 25,000 rows',
  'a million stray quotes',
  'the link "java\\tscript:alert(1)"',
  'a line a million deep that never closes',
  'a catalogue a million deep',
  'slugs constructor, toString, valueof and hasownproperty',
  'a billion laughs',
  'a folder that leads to itself',
  'a FIFO for a feed',
  'a PNG that says it is 100,000 by 100,000',
]);

describe('one hostile source of each kind is contained, and the others publish', () => {
  const build = new HostileBuild(TABLES.flatMap(([, table]) => table.filter(({ name }) => FIRST_TIER.has(name))));
  it.each(build.sources.map((source, position) => [source.name, source, position] as const))(
    '%s',
    async (_name, source, position) => {
      const run = await build.run();
      expectContained(run);
      expectFate(run, source, sourceNameOf(position));
    },
    TIMEOUT_MS,
  );

  it(
    'a feed of which every row is faulty is held where the gate says so, and the others publish',
    async () => {
      const rows = 'x\n'.repeat(100);
      const source = hostileFeed('rows that are nothing', { 'feed.csv': `${HEADER}\n${rows}` }, fresh(0));
      const run = await new HostileBuild([source], { minRows: 4 }).run();
      expect(run).toMatchObject({ exitCode: EXIT.attention, result: { outcome: 'published' } });
      expect(run.result?.attention).toEqual([
        expect.stringMatching(/^Quarantined: 100 records of hostile-0, the first at .+: expected 14 cells/),
      ]);
    },
    TIMEOUT_MS,
  );
});

describe.skipIf(TIER === 'first')('a hostile source is contained, and the others publish', () => {
  describe.each(TABLES)('%s', (_, table) => {
    for (const build of groupBuilds(table)) {
      it.each(build.sources.map((source, position) => [source.name, source, position] as const))(
        '%s',
        async (_name, source, position) => {
          const run = await build.run();
          expectContained(run);
          expectFate(run, source, sourceNameOf(position));
        },
        TIMEOUT_MS,
      );
    }
  });
});

function groupBuilds(table: readonly HostileSource[]): readonly HostileBuild[] {
  const isAlone = (source: HostileSource) => HEAVY_CASES.has(source.name);
  const together = table.filter((source) => !isAlone(source));
  return [
    ...(together.length === 0 ? [] : [new HostileBuild(together)]),
    ...table.filter(isAlone).map((source) => new HostileBuild([source])),
  ];
}

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
  const countOf = ({ code, count }: NoticeSummary) => (fate.codes[code] === 'some' ? 'some' : count);
  const said = samples.slice(0, 5).map(formatNotice);
  expect({
    said,
    kind: account?.kind,
    state: account?.state,
    kept: (account?.kept ?? 0) + (account?.duplicate ?? 0),
    codes: Object.fromEntries(summaries.map((summary) => [summary.code, countOf(summary)])),
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
