import { describe, expect, it } from 'vitest';
import type { PreviousSources } from '../../../../build/read-source.ts';
import { readCases } from '../../../support/cases.ts';
import { readWith, type FeedReading } from './reading.ts';

interface Format {
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly head: string;
  /** The deals A and B. */
  readonly records: readonly string[];
  readonly foot?: string;
}

const { formats: FORMATS, others } = readCases(import.meta.dirname, 'damaged-file.json') as {
  readonly formats: readonly Format[];
  /** Texts that are no feed, with what the refusal says of them. */
  readonly others: readonly (readonly [what: string, text: string, found: string])[];
};

/** Places of a record in which a file breaks off. */
const CUTS = 12;

const textOf = ({ head, records, foot = '' }: Format): string => head + records.join('') + foot;

/** The feed as a snapshot remembers it that has two deals of it, from files that end as `lineEnds` says. */
function remembered(...lineEnds: readonly (boolean | undefined)[]): PreviousSources {
  const files = lineEnds.map((endsWithLineEnd, i) => ({ path: `feed-${i}`, bytes: 1, sha256: 'x', endsWithLineEnd }));
  const counts = { read: 2, kept: 2, duplicate: 0, outOfScope: 0, quarantined: 0 };
  return [{ name: 'feed', kind: 'feed', adapter: 'deals', state: 'fresh', files, ...counts }];
}

const read = ({ settings }: Format, content: string | Buffer, earlier?: PreviousSources): Promise<FeedReading> =>
  readWith(settings, content, earlier);

async function faultOf(reading: Promise<FeedReading>): Promise<FeedReading['fault']> {
  return (await reading).fault;
}

describe.each(FORMATS)('a feed of $name', (format) => {
  const text = textOf(format);
  const lastStart = text.lastIndexOf(format.records.at(-1) ?? '');
  const lastEnd = lastStart + (format.records.at(-1) ?? '').length;
  const cuts = Array.from(
    { length: CUTS },
    (_, i) => lastStart + 1 + Math.floor((i * (lastEnd - lastStart - 1)) / CUTS),
  );

  it('is read whole', async () => {
    const { deals } = await read(format, text, remembered(true));
    expect(deals.map(({ key, monthlyPence }) => [key, monthlyPence])).toEqual([
      ['A', 1850],
      ['B', 1850],
    ]);
  });

  it('is not read when it breaks off anywhere in its last record, and the files of before ended with a line end', async () => {
    for (const cut of [...cuts, lastEnd - 1]) {
      const fault = await faultOf(read(format, text.slice(0, cut), remembered(true)));
      expect([text.slice(lastStart, cut), fault?.code]).toEqual([text.slice(lastStart, cut), 'source-malformed']);
    }
  });

  it('is not read when it breaks off before the last cell or brace of its last record, regardless of what was before', async () => {
    for (const cut of cuts.filter((each) => each < lastEnd - 'monthly 18.50 GBP'.length)) {
      const fault = await faultOf(read(format, text.slice(0, cut)));
      expect([text.slice(lastStart, cut), fault?.code]).toEqual([text.slice(lastStart, cut), 'source-malformed']);
    }
  });

  it('may have no line end at its end where nothing is known of before, or one of several files had none', async () => {
    for (const earlier of [[], remembered(), remembered(false), remembered(true, false), remembered(undefined)]) {
      expect((await read(format, text.trimEnd(), earlier)).deals).toHaveLength(2);
    }
  });

  it.each(others)('is not read when there is %s in its place, and what there is is said', async (_, content, found) => {
    const fault = await faultOf(read(format, content));
    expect(fault?.found).toContain(format.name === 'Google as RSS' ? 'feed.csv:' : found);
  });

  it.each([
    '{"error":"connection reset"}\n',
    '<br />\n<b>Fatal error</b>: Allowed memory size exhausted in <b>export.php</b><br />\n',
    'ERROR 2006 (HY000) at line 1: MySQL server has gone away\n',
  ])('is not read when its last records are missing, and an error message stands there: %j', async (message) => {
    const fault = await faultOf(read(format, text.slice(0, lastStart) + message, remembered(true)));
    expect(fault?.code).toBe('source-malformed');
  });

  it.each(
    FORMATS.filter(({ settings }) => settings['adapter'] !== format.settings['adapter']).map((each) => [
      each.name,
      each,
    ]),
  )('is not read when there is the feed of another shop in its place: %s', async (_, other) => {
    expect(await faultOf(read(format, textOf(other)))).toBeDefined();
  });

  it('is not read when it has no record, and the snapshot being served has deals of it', async () => {
    const empty = format.head === '' ? '\n' : `${format.head}${format.foot ?? ''}`;
    const fault = await faultOf(read(format, empty, remembered(true)));
    expect(fault?.code).toBe('source-malformed');
    if (format.head === '') return;
    expect(fault?.found).toContain('since the snapshot being served has 2 deals of feed, got none');
    expect((await read(format, empty)).deals).toEqual([]);
  });
});

describe('the last line of a table', () => {
  const [format] = FORMATS as [Format];

  it.each(['TOTAL,2\n', '# end of file\n', '# one\n# two\n'])(
    'that is short, no error message, and has a line end is one record that is left out: %j',
    async (line) => {
      const { deals, notices } = await read(format, textOf(format) + line, remembered(true));
      expect(deals).toHaveLength(2);
      expect(new Set(notices.map(({ code }) => code))).toEqual(new Set(['column-count']));
    },
  );

  it.each(['   ', ',,,,', '\0\0'])('that is blank has no text that could break off: %j', async (tail) => {
    expect((await read(format, textOf(format) + tail)).deals).toHaveLength(2);
  });

  it('of another file of the feed is looked at too', async () => {
    const files = { 'feed-1.csv': textOf(format), 'feed-2.csv': textOf(format).trimEnd() };
    expect(await faultOf(readWith(format.settings, files, remembered(true)))).toMatchObject({
      code: 'source-malformed',
      file: 'feed-2.csv',
      found: expect.stringContaining('feed-2.csv: expected a line end after the last line') as string,
    });
  });
});

describe('the texts of a feed', () => {
  const [csv, , json, sheet] = FORMATS as readonly [Format, Format, Format, Format];
  const named = (format: Format, name: string): string => textOf(format).replaceAll(/(?<!Network;)\bPlan\b/g, name);

  it.each([csv, json, sheet])('that are mojibake are repaired, in $name', async (format) => {
    const { deals, notices } = await read(format, named(format, 'CafÃ© £5 â€“ Vodafone'.replace('£', 'Â£')));
    expect(deals.map(({ contractName }) => contractName)).toEqual(Array(2).fill('Café £5 – Vodafone'));
    expect(notices).toEqual([]);
  });

  it.each([csv, json, sheet])('that cannot be repaired are counted in one notice, in $name', async (format) => {
    const { deals, notices } = await read(format, named(format, 'Caf\ufffd'));
    expect(deals).toHaveLength(2);
    expect(notices).toEqual([
      {
        code: 'mojibake',
        source: 'feed',
        found: 'feed: 2 deals have texts with characters that were lost when the file was written; ask for it as UTF-8',
      },
    ]);
  });

  it.each([csv, json, sheet])('lose their tags, in $name', async (format) => {
    // A sheet is divided by semicolons.
    const escaped = format === sheet ? [] : ['&lt;b&gt;Plan 5GB&lt;/b&gt;'];
    for (const name of ['<b>Plan 5GB</b>', '<span class=plan>Plan<br>5GB</span>', ...escaped]) {
      const { deals } = await read(format, named(format, name));
      expect(deals.map(({ contractName }) => contractName)).toEqual(Array(2).fill('Plan 5GB'));
    }
    const { deals } = await read(format, named(format, 'Plan < 5GB > 1GB'));
    expect(deals[0]?.contractName).toBe('Plan < 5GB > 1GB');
  });

  it('keep the parameters of a link as they are', async () => {
    const { deals } = await read(csv, textOf(csv).replaceAll('shop.example/A', 'shop.example/?a=1&copy;=2'));
    expect(deals[0]?.link).toBe('https://shop.example/?a=1&copy;=2');
  });
});
