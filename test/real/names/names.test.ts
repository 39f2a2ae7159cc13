import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCurrent } from '../../../data/store/snapshots.ts';
import { runDeals } from '../../harness.ts';
import { readCases } from '../../support/cases.ts';
import { formatCsv } from '../../support/csv.ts';
import { parseLines, type ServedDeal } from '../../support/served-deals.ts';

type Cells = Readonly<Record<string, string>>;

/** A name as shops write it in a row of a feed, and the products that INPUTS "Matching" lets it have (fixture/names.csv). */
interface Row extends Cells {
  /** One of the products; one of these or none; none. */
  readonly wanted: 'must' | 'may' | 'none';
  /** `101/new 102/new` */
  readonly products: string;
  readonly feed: string;
  readonly key: string;
  readonly network: string;
  readonly retailer: string;
}

/** What a row does not say. */
const DEFAULTS: Cells = {
  network: 'o2',
  networkName: 'O2',
  secondName: 'O2',
  retailer: 'harbour-mobiles',
  retailerName: 'Harbour Mobiles',
  retailerId: '77001',
};

const FIXTURE = join(import.meta.dirname, 'fixture');

/** The configuration, and the cells of each feed as texts with placeholders; a cell that is an object is JSON. */
const SOURCES = readCases(import.meta.dirname, 'sources.json') as {
  readonly config: object;
  readonly columns: Readonly<Record<string, Readonly<Record<string, string | Cells>>>>;
};

/** The price tells rows of one product apart, so that none is a duplicate of another. */
const ROWS: readonly Row[] = parse<Row>(readFileSync(join(FIXTURE, 'names.csv')), { columns: true }).map((row, at) => ({
  ...row,
  ...Object.fromEntries(Object.entries(DEFAULTS).map(([name, text]) => [name, row[name] || text])),
  key: String(10_000_000 + at),
  monthly: (10 + at / 100).toFixed(2),
}));

function writeFeed(folder: string, feed: string): void {
  const columns = SOURCES.columns[feed] ?? {};
  const textOf = (cell: string | Cells) => (typeof cell === 'string' ? cell : JSON.stringify(cell));
  const cells = ROWS.filter((row) => row.feed === feed).map((row) => {
    const fill = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => row[name] as string);
    return Object.fromEntries(Object.entries(columns).map(([name, cell]) => [name, fill(textOf(cell))]));
  });
  writeFileSync(join(folder, `${feed}.csv`), formatCsv(Object.keys(columns), cells));
}

/** By feed and key: the deal of a row that is served, and the code by which another was left out. */
const served = new Map<string, ServedDeal>();
const codes = new Map<string, string>();

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'deals-names-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  cpSync(join(FIXTURE, 'cms'), join(folder, 'cms'), { recursive: true });
  const config = join(folder, 'catalogue.json');
  const store = join(folder, 'store');
  writeFileSync(config, JSON.stringify(SOURCES.config));
  for (const feed of Object.keys(SOURCES.columns)) writeFeed(folder, feed);
  const build = await runDeals(['build', '--config', config, '--now', '2026-11-22T02:30:00Z']);
  // Many names match nothing on purpose.
  if (build.exitCode !== 4) throw new Error(`deals build ended with ${build.exitCode}: ${build.stderr}`);
  const { stdout } = await runDeals(['export', '--store', store, '--format', 'ndjson']);
  for (const deal of parseLines<ServedDeal>(stdout)) served.set(`${deal.feed} ${deal.deal_key}`, deal);
  const quarantine = readFileSync(join(store, readCurrent(store) ?? '', 'quarantine.ndjson'), 'utf8');
  for (const { source, record, code } of parseLines<{ source: string; record?: string; code: string }>(quarantine))
    codes.set(`${source} ${record}`, code);
});

const productOf = ({ product_id, condition }: ServedDeal): string => `${product_id}/${condition}`;

/** What became of each row for which `isWrong`. */
function list(isWrong: (row: Row, deal: ServedDeal | undefined, code: string | undefined) => boolean) {
  return ROWS.flatMap((row) => {
    const deal = served.get(`${row.feed} ${row.key}`);
    const code = codes.get(`${row.feed} ${row.key}`);
    if (!isWrong(row, deal, code)) return [];
    const got = deal === undefined ? code : `${productOf(deal)} on ${deal.network_slug} at ${deal.retailer_slug}`;
    return [`${JSON.stringify(row)}: got ${got}`];
  });
}

describe(`${ROWS.length} names as shops write them (INPUTS "Matching")`, () => {
  it('are in an account, each of them', () => {
    expect(list((_row, deal, code) => deal === undefined && code === undefined)).toEqual([]);
  });

  it('have no wrong product, network or retailer', () => {
    const isWrong = (row: Row, deal: ServedDeal | undefined) => {
      if (deal === undefined) return false;
      const isRight = row.products.split(' ').includes(productOf(deal));
      return !isRight || deal.network_slug !== row.network || deal.retailer_slug !== row.retailer;
    };
    expect(list(isWrong)).toEqual([]);
  });

  it('are found where they must be', () => {
    expect(list(({ wanted }, deal) => wanted === 'must' && deal === undefined)).toEqual([]);
  });
});
