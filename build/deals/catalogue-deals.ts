import { compareCodeUnits } from '../../data/record/id.ts';
import type { DealNumber } from '../../data/snapshot/catalogue-index.ts';
import type { Dictionaries } from '../../data/snapshot/format.ts';
import type { CatalogueRecords } from '../records/join-records.ts';
import type { SourceLocation } from '../source/record.ts';
import type { DealCollector } from './collect-deals.ts';
import type { DealTable, Dictionary, EntryKey, FeedFile, GrowableNumberColumn } from './deal-table.ts';
import type { DealGift } from '../records/references.ts';
import type { MatchEvidence } from '../match/match-product.ts';
import { findTemplates, type LinkTemplate } from './link-templates.ts';

/**
 * The deals that are served, as columns: `rank` is the position in the order of total cost over the whole catalogue with
 * the ties of D14. Rows `rangeStart[p]` up to `rangeStart[p + 1]` are the deals of product row p, in order of rank. `gift`,
 * `cashback` and `picture` are 0 for none, else 1 + the position in their dictionary. Dictionaries hold what is used, in
 * an order that does not depend on the order of the sources.
 */
export interface CatalogueDeals
  extends
    Readonly<Record<Exclude<DealNumber, 'product'>, Uint32Array>>,
    Readonly<Pick<Dictionaries, 'plans' | 'cashbacks' | 'linkTemplates' | 'pictures'>> {
  readonly rowCount: number;
  readonly rangeStart: Uint32Array;
  readonly gifts: readonly DealGift[];
  linkPartAt(row: number): string;
  keyAt(row: number): string;
  originAt(row: number): SourceLocation;
  /** The match evidence of a deal; one object for all deals with the same. */
  matchAt(row: number): MatchEvidence;
}

export interface Catalogue {
  readonly records: CatalogueRecords;
  readonly deals: CatalogueDeals;
}

/** The deals that are served, as rows of the table, and for each duplicate the one that stands for it. */
interface OrderedDeals {
  readonly rows: Uint32Array;
  readonly keptRows: ReadonlyMap<number, number>;
}

/**
 * Orders rows of the table by total, upfront and monthly cost, retailer id (rows of retailers are in its order), deal key
 * and name of the feed (D14), and separates the duplicates: they have the same prices and retailer, so in order they
 * follow one another. The first has the lowest key, and is served.
 */
export function orderDeals(collector: DealCollector, rows: Uint32Array): OrderedDeals {
  const { columns, key } = collector.table;
  const [total, upfront, monthly, retailer] = [
    columns.totalPence.values(),
    columns.upfrontPence.values(),
    columns.monthlyPence.values(),
    columns.retailer.values(),
  ];
  const feedOf = (row: number): string => collector.fileOf(row).source;
  // Rows are those of the table.
  const comparePrices = (a: number, b: number): number =>
    (total[a] as number) - (total[b] as number) ||
    (upfront[a] as number) - (upfront[b] as number) ||
    (monthly[a] as number) - (monthly[b] as number) ||
    (retailer[a] as number) - (retailer[b] as number);
  const ordered = rows.toSorted(
    (a, b) => comparePrices(a, b) || key.compare(a, b) || compareCodeUnits(feedOf(a), feedOf(b)),
  );
  const keptRows = new Map<number, number>();
  for (const run of listRuns(ordered, comparePrices)) {
    const kept = new Map<string, number>();
    for (const row of run) {
      const offer = offerOf(collector.table, row);
      const keptRow = kept.get(offer);
      if (keptRow === undefined) kept.set(offer, row);
      else keptRows.set(row, keptRow);
    }
  }
  return { rows: ordered.filter((row) => !keptRows.has(row)), keptRows };
}

/** Rows of one feed with the same retailer and key, in order of file and line. */
interface RepeatedKey {
  readonly rows: Uint32Array;
  readonly isSameOffer: boolean;
}

export function findRepeatedKeys(collector: DealCollector, rows: Uint32Array): readonly RepeatedKey[] {
  const { columns, key } = collector.table;
  const { retailer, line } = columns;
  const nameOf = (row: number): string => collector.fileOf(row).file;
  const compareIds = (a: number, b: number): number => retailer.at(a) - retailer.at(b) || key.compare(a, b);
  const ordered = rows.toSorted(
    (a, b) => compareIds(a, b) || compareCodeUnits(nameOf(a), nameOf(b)) || line.at(a) - line.at(b),
  );
  return Array.from(listRuns(ordered, compareIds), (run) => ({
    rows: run,
    isSameOffer: new Set(Array.from(run, (row) => offerOf(collector.table, row))).size === 1,
  }));
}

/** What a deal offers: deals of a retailer that differ only in id, link, picture or colour offer the same. */
function offerOf({ columns }: DealTable, row: number): string {
  const { product, plan, totalPence, upfrontPence, monthlyPence, gift, cashback } = columns;
  return [product, plan, totalPence, upfrontPence, monthlyPence, gift, cashback]
    .map((column) => column.at(row))
    .join(' ');
}

/** The runs of two or more rows that compare as equal. */
function* listRuns(ordered: Uint32Array, compare: (a: number, b: number) => number): Generator<Uint32Array> {
  for (let start = 0, end = 1; start < ordered.length; start = end++) {
    while (end < ordered.length && compare(ordered[start] as number, ordered[end] as number) === 0) end++;
    if (end - start > 1) yield ordered.subarray(start, end);
  }
}

/** The deals of the catalogue, by product and rank, from the rows that are served, which come in order of rank. */
export function toCatalogueDeals(collector: DealCollector, ranked: Uint32Array, productCount: number): CatalogueDeals {
  const { dictionaries } = collector;
  // The catalogue keeps these alive, and not the other columns of the table, which are copied.
  const { columns, key, link } = collector.table;
  const { file, line, match } = columns;
  const { files, matches } = dictionaries;
  const { rangeStart, rank } = groupByProduct(columns.product, ranked, productCount);
  // Callers ask for rows of the catalogue, and each of them is in the table.
  const rowOf = rank.map((position) => ranked[position] as number);
  const storedAt = (row: number): number => rowOf[row] as number;
  const fileAt = (row: number): FeedFile => files.entries[file.at(storedAt(row))] as FeedFile;
  const pick = (column: GrowableNumberColumn): Uint32Array => rowOf.map((row) => column.at(row));
  const { templates, codes } = findTemplates(
    rowOf.length,
    (row) => link.at(storedAt(row)),
    (row) => fileAt(row).source,
  );

  const plan = sortEntries(dictionaries.plans, pick(columns.plan), 0);
  const gift = sortEntries(dictionaries.gifts, pick(columns.gift), 1);
  const cashback = sortEntries(dictionaries.cashbacks, pick(columns.cashback), 1);
  const picture = sortEntries(dictionaries.pictures, pick(columns.picture), 1);
  const keyOf = ({ prefix, suffix }: LinkTemplate): EntryKey => [prefix, suffix];
  const links = sortEntries({ entries: templates, keyOf }, codes, 0);
  return {
    rowCount: rowOf.length,
    rangeStart,
    rank,
    plan: plan.column,
    retailer: pick(columns.retailer),
    totalPence: pick(columns.totalPence),
    upfrontPence: pick(columns.upfrontPence),
    monthlyPence: pick(columns.monthlyPence),
    gift: gift.column,
    cashback: cashback.column,
    picture: picture.column,
    linkTemplate: links.column,
    linkPartAt(row) {
      const { prefix, suffix } = templates[codes[row] as number] as LinkTemplate;
      const whole = link.at(storedAt(row));
      return whole.slice(prefix.length, whole.length - suffix.length);
    },
    keyAt: (row) => key.at(storedAt(row)),
    originAt(row) {
      const { source, file: path } = fileAt(row);
      return { source, file: path, line: line.at(storedAt(row)) };
    },
    matchAt: (row) => matches.entries[match.at(storedAt(row))] as MatchEvidence,
    plans: plan.entries,
    gifts: gift.entries,
    cashbacks: cashback.entries,
    linkTemplates: links.entries,
    pictures: picture.entries,
  };
}

/** The start of each product range, and the rank of each row of the catalogue. */
function groupByProduct(
  product: GrowableNumberColumn,
  ranked: Uint32Array,
  productCount: number,
): Pick<CatalogueDeals, 'rangeStart' | 'rank'> {
  const rangeStart = new Uint32Array(productCount + 1);
  for (const row of ranked) (rangeStart[product.at(row) + 1] as number)++;
  for (let i = 1; i < rangeStart.length; i++) (rangeStart[i] as number) += rangeStart[i - 1] as number;
  const next = rangeStart.slice();
  const rank = new Uint32Array(ranked.length);
  ranked.forEach((row, position) => {
    rank[(next[product.at(row)] as number)++] = position;
  });
  return { rangeStart, rank };
}

/**
 * A column with its dictionary as they are published: only the entries that are used, each once, in an order that does not
 * depend on the order of the sources.
 * @param firstCode the code of the first entry; 1 where 0 is none
 */
function sortEntries<Entry>(
  { entries, keyOf }: Pick<Dictionary<Entry>, 'entries' | 'keyOf'>,
  column: Uint32Array,
  firstCode: 0 | 1,
): { readonly entries: Entry[]; readonly column: Uint32Array } {
  const newCodes = new Uint32Array(entries.length + firstCode);
  for (const code of column) newCodes[code] = 1;
  const used = entries
    .map((entry, i) => ({ entry, key: keyOf(entry), code: i + firstCode }))
    .filter(({ code }) => newCodes[code] === 1)
    .sort((a, b) => compareKeys(a.key, b.key));
  if (firstCode === 1) newCodes[0] = 0;
  const sorted: Entry[] = [];
  let last: EntryKey | undefined;
  for (const { entry, key, code } of used) {
    // Several templates of feeds may be published as the one template of their host.
    if (last === undefined || compareKeys(last, key) !== 0) sorted.push(entry);
    last = key;
    newCodes[code] = sorted.length - 1 + firstCode;
  }
  return { entries: sorted, column: column.map((code) => newCodes[code] as number) };
}

/** Numbers by size, texts by code unit. */
function compareKeys(a: EntryKey, b: EntryKey): number {
  const i = a.findIndex((part, at) => part !== b[at]);
  return i === -1 ? 0 : (a[i] as number | string) < (b[i] as number | string) ? -1 : 1;
}
