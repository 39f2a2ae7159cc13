import { describe, expect, it } from 'vitest';
import type { ServedSnapshot } from '../../../../build/gate/served-snapshot.ts';
import { Ledger } from '../../../../build/ledger/ledger.ts';
import type { BuildResult } from '../../../../build/report/build-result.ts';
import { describeBuild, describeSource } from '../../../../build/report/describe-build.ts';
import { formatNotice } from '../../../../build/report/describe-notice.ts';
import { createReport, MAX_UNMATCHED_NAMES, reportSources } from '../../../../build/report/report.ts';
import type { Catalogue } from '../../../../build/deals/catalogue-deals.ts';
import type { SourceState } from '../../../../build/source/record.ts';
import type { Notice } from '../../../../data/report/notice.ts';
import type { HeldPart, SourceReport, UnmatchedName } from '../../../../data/report/report.ts';

const NONE: ServedSnapshot = { kind: 'none', reason: 'nothing was published before' };

const EMPTY = { records: { products: [] }, deals: { rangeStart: new Uint32Array(1) } } as unknown as Catalogue;

function createLedger(): Ledger {
  const ledger = new Ledger();
  const at = (line: number) => ({ source: 'house', file: 'feeds/house.csv', line, record: `H-${line}` });
  ledger.read('house', 40);
  ledger.keep('house', 10);
  for (let line = 40; line > 15; line--)
    ledger.exclude({ code: 'unknown-product', ...at(line), field: 'productId', found: '999' });
  ledger.exclude({ code: 'negative-money', ...at(2), field: 'monthlyCost', found: '-1.00', expected: 'zero or more' });
  ledger.exclude({ code: 'duplicate-deal', ...at(3) });
  ledger.exclude({ code: 'out-of-stock', ...at(4) });
  ledger.exclude({ code: 'out-of-stock', ...at(5) });
  ledger.exclude({ code: 'excluded', ...at(6) });
  ledger.note({ code: 'total-mismatch', ...at(7), found: '100.00', expected: '99.00', remedy: 'ask the retailer' });
  ledger.note({ code: 'unused-exclusion', source: 'catalogue.json', field: 'exclude', found: '{"deal":"H-1"}' });
  ledger.note({
    code: 'source-malformed',
    source: 'awin',
    file: 'a.csv',
    found: 'a.csv:3: expected x, got y; fetch it again',
  });
  return ledger;
}

function createResult(changes: Partial<BuildResult> = {}): BuildResult {
  const ledger = createLedger();
  const states: readonly SourceState[] = [
    { name: 'house', kind: 'feed', adapter: 'deals', state: 'fresh', files: [], required: false },
    { name: 'awin', kind: 'feed', adapter: 'awin', state: 'failed', files: [], required: false },
  ];
  const unmatchedNames: readonly UnmatchedName[] = [
    { feed: 'house', name: '137', field: 'productId', code: 'unknown-product', dealCount: 5, nearest: [], remedy: 'publish it' }, // prettier-ignore
    { feed: 'house', name: 'Nova "3"', code: 'unknown-product', dealCount: 20, nearest: ['101/new', '102/new'] },
  ];
  const gates = [{ gate: 'quarantined:house', state: 'refused', detail: '26 of 37 (70.3 %, at most 20 %)' }] as const;
  const sources = reportSources(states, ledger);
  return {
    outcome: 'refused',
    isDryRun: false,
    current: '20261119T0230Z-0123abcd',
    store: '/store',
    report: createReport({ catalogue: EMPTY, sources, notices: ledger.notices, unmatchedNames, gates, served: NONE }),
    counts: { products: 3, deals: 10 },
    attention: ['quarantined of house, 26 of 37 (70.3 %, at most 20 %)'],
    accept: [{ purpose: 'to publish all the same', command: 'deals build --accept quarantined:house' }],
    extremes: [],
    seconds: 1.25,
    warnings: [],
    ...changes,
  };
}

function reportOf(unmatchedNames: readonly UnmatchedName[]) {
  return createReport({ catalogue: EMPTY, sources: [], notices: [], unmatchedNames, gates: [], served: NONE });
}

describe('createReport', () => {
  it('holds no more unmatched names than an editor will add in a day', () => {
    const name: UnmatchedName = { feed: 'house', name: 'x', code: 'unknown-product', dealCount: 1, nearest: [] };
    const unmatchedNames = Array.from({ length: MAX_UNMATCHED_NAMES + 1 }, () => name);
    const report = reportOf(unmatchedNames);
    expect(report.unmatchedNames).toHaveLength(MAX_UNMATCHED_NAMES);
  });
});

describe('describeBuild', () => {
  it('says what was read, what became of it, what the gates said and what state was left', () => {
    expect(describeBuild(createResult())).toEqual([
      'Refused: quarantined of house, 26 of 37 (70.3 %, at most 20 %). Nothing was published (1.3 s). The current snapshot is still 20261119T0230Z-0123abcd.',
      'to publish all the same: deals build --accept quarantined:house',
      'gate quarantined:house refused: 26 of 37 (70.3 %, at most 20 %)',
      'house (deals): 40 read, 10 kept, 1 duplicate, 3 out of scope, 26 quarantined',
      '  quarantined: 25 unknown-product (the deal is for a product that the catalogue does not have)',
      '    feeds/house.csv:16 H-16 productId: the deal is for a product that the catalogue does not have, got "999"; add the product, or add the name, GTIN or feed id to the `matches` of the right one',
      '    feeds/house.csv:17 H-17 productId: the deal is for a product that the catalogue does not have, got "999"; add the product, or add the name, GTIN or feed id to the `matches` of the right one',
      '    feeds/house.csv:18 H-18 productId: the deal is for a product that the catalogue does not have, got "999"; add the product, or add the name, GTIN or feed id to the `matches` of the right one',
      '    and 22 more: in /store/last-build.json',
      '  quarantined: 1 negative-money (an amount is below zero)',
      '    feeds/house.csv:2 H-2 monthlyCost: expected zero or more, got "-1.00"; tell the feed',
      '  notice: 1 total-mismatch (upfront + monthly x months is not the stated total; the stated total is served)',
      '    feeds/house.csv:7 H-7: expected 99.00, got "100.00"; ask the retailer',
      '  duplicate: 1 duplicate-deal (the deal differs from another of the product only in id, link, picture or colour)',
      '  out-of-scope: 2 out-of-stock (the feed says that the deal is out of stock)',
      '  out-of-scope: 1 excluded (the `exclude` list of the configuration names the record)',
      'awin (awin): could not be read; nothing of it is served',
      '  source: 1 source-malformed (a file is not in the format of its adapter, or ends in the middle)',
      '    a.csv:3: expected x, got y; fetch it again',
      'catalogue.json:',
      '  source: 1 unused-exclusion (a line of `exclude` leaves out nothing)',
      '    catalogue.json exclude: a line of `exclude` leaves out nothing, got "{\\"deal\\":\\"H-1\\"}"; correct the line, or remove it when it has done its work',
      'names and ids without a product, by deals:',
      '  20 of house: "Nova \\"3\\"", nearest 101/new, 102/new; add the product, or add the name, GTIN or feed id to the `matches` of the right one',
      '  5 of house: productId "137"; publish it',
      'Refused: quarantined of house, 26 of 37 (70.3 %, at most 20 %). Nothing was published (1.3 s). The current snapshot is still 20261119T0230Z-0123abcd.',
    ]);
  });

  it('says how often it was before, where that is another number, and briefly only that', () => {
    const result = createResult();
    const comparedWith = '20261119T0230Z-0123abcd';
    const notices = result.report.notices.map((summary) => ({
      ...summary,
      before: { snapshot: summary.code === 'negative-money' ? comparedWith : '20261101T0230Z-0123abcd', count: 7 },
    }));
    const changed = { ...result, comparedWith, report: { ...result.report, notices } };
    const heading = '  quarantined: 1 negative-money, 7 before (an amount is below zero)';
    expect(describeBuild(changed)).toContain(heading);
    expect(describeBuild(changed, true).filter((line) => line.startsWith('  '))).toEqual([
      heading,
      '    feeds/house.csv:2 H-2 monthlyCost: expected zero or more, got "-1.00"; tell the feed',
    ]);
  });

  it('is brief about a first build: a line for each source, and what is not served', () => {
    const lines = describeBuild(createResult(), true);
    expect(lines).toContain('awin (awin): could not be read; nothing of it is served');
    expect(lines.join('\n')).toMatch(/\n {2}quarantined: 25 unknown-product \([^]*\n {2}source: 1 source-malformed \(/);
    expect(lines.join(' ')).not.toContain('duplicate-deal');
  });

  it.each([
    [4, /, 26 quarantined; held in part, 4 deals are from before$/],
    [10, /, 26 quarantined; held as a whole, 10 deals are from before$/],
  ])('says of a source how much of it is from before: %i deals', (deals, text) => {
    const [house] = createResult().report.sources;
    const part: HeldPart = { state: 'held', gates: ['lost'], because: 'lost', deals, freshAt: '2026-11-19T02:30:00Z', snapshot: 'x' }; // prettier-ignore
    expect(describeSource({ ...(house as SourceReport), held: [part] })).toMatch(text);
  });

  it('shows what went wrong after publishing', () => {
    const result = createResult({
      outcome: 'published',
      attention: [],
      warnings: ['old snapshots could not be deleted: EACCES'],
    });
    expect(describeBuild(result)).toContain('warning: old snapshots could not be deleted: EACCES');
  });
});

describe('a notice as a sentence', () => {
  it.each<[Notice, string]>([
    [
      { code: 'unknown-gift', source: 'site', file: 'site.json', list: 'gifts', line: 3, record: '7', found: '9' },
      'site.json gifts (item 3) 7: the gift is an id that the catalogue does not have, got "9"; add the gift, or correct the id',
    ],
    [
      {
        code: 'missing-type',
        source: 'site',
        file: 'export.json',
        expected: 'records of type phone for products',
        found: 'blog (1)',
      },
      'export.json: expected records of type phone for products, got "blog (1)"; correct the type in `mapping`, or export its records as well',
    ],
    [
      { code: 'unmapped-type', source: 'site', file: 'export.json', found: 'blog (1)' },
      'export.json: the export has types of records that the mapping does not name; they are not read, got "blog (1)"; add the type to `mapping` where its records are wanted',
    ],
  ])('%j', (notice, sentence) => {
    expect(formatNotice(notice)).toBe(sentence);
  });
});
