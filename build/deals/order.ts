import { compareCodeUnits } from '../../data/record/id.ts';
import type { CatalogueDeals, MatchEvidence } from '../records/catalogue.ts';
import type { DealCollector } from './collect-deals.ts';
import type { Dictionary, EntryKey, FeedFile, GrowableNumberColumn } from './deal-table.ts';
import { findTemplates, type LinkTemplate } from './links.ts';

type Collected = Pick<DealCollector, 'table' | 'dictionaries'>;

/** The deals that are served, and the one that stands for each duplicate. */
interface OrderedDeals {
  /** Rows of the table in the order of total cost with the ties of D14. */
  readonly rows: Uint32Array;
  /** Rows that differ from another only in id, link, picture or colour, each with the one that is served. */
  readonly duplicates: readonly { readonly row: number; readonly keptRow: number }[];
}

/**
 * Orders rows of the table by total, upfront and monthly cost, retailer id (rows of retailers are in its order), deal key
 * and name of the feed (D14), and separates the duplicates. They have the same prices and retailer, so in order they
 * follow one another; the first has the lowest key, and is served.
 */
export function orderDeals({ table, dictionaries }: Collected, rows: Uint32Array): OrderedDeals {
  const { columns, key } = table;
  const { product, plan, gift, cashback } = columns;
  const [total, upfront, monthly, retailer] = [
    columns.totalPence.values(),
    columns.upfrontPence.values(),
    columns.monthlyPence.values(),
    columns.retailer.values(),
  ];
  const feedOf = (row: number): string => (dictionaries.files.entries[columns.file.at(row)] as FeedFile).source;
  // Rows are those of the table.
  const comparePrices = (a: number, b: number): number =>
    (total[a] as number) - (total[b] as number) ||
    (upfront[a] as number) - (upfront[b] as number) ||
    (monthly[a] as number) - (monthly[b] as number) ||
    (retailer[a] as number) - (retailer[b] as number);
  const ordered = rows.toSorted(
    (a, b) => comparePrices(a, b) || key.compare(a, b) || compareCodeUnits(feedOf(a), feedOf(b)),
  );

  const duplicates: { row: number; keptRow: number }[] = [];
  const offers = new Map<string, number>();
  const served = ordered.filter((row, i) => {
    const isLikeLast = i > 0 && comparePrices(ordered[i - 1] as number, row) === 0;
    if (!isLikeLast) offers.clear();
    // Most deals have a price of their own, and no text is made for them.
    const isLikeNext = i + 1 < ordered.length && comparePrices(row, ordered[i + 1] as number) === 0;
    if (!isLikeLast && !isLikeNext) return true;
    const offer = `${product.at(row)} ${plan.at(row)} ${gift.at(row)} ${cashback.at(row)}`;
    const keptRow = offers.get(offer);
    if (keptRow === undefined) offers.set(offer, row);
    else duplicates.push({ row, keptRow });
    return keptRow === undefined;
  });
  return { rows: served, duplicates };
}

/** Rows of one feed with the same retailer and key, in order of file and line. */
interface RepeatedKey {
  readonly rows: readonly number[];
  /** They differ only in link, picture or colour. */
  readonly isSameOffer: boolean;
}

export function findRepeatedKeys({ table, dictionaries }: Collected, rows: Uint32Array): readonly RepeatedKey[] {
  const { columns, key } = table;
  const { product, plan, retailer, totalPence, upfrontPence, monthlyPence, gift, cashback, file, line } = columns;
  const nameOf = (row: number): string => (dictionaries.files.entries[file.at(row)] as FeedFile).file;
  const compareIds = (a: number, b: number): number => retailer.at(a) - retailer.at(b) || key.compare(a, b);
  const ordered = rows.toSorted(
    (a, b) => compareIds(a, b) || compareCodeUnits(nameOf(a), nameOf(b)) || line.at(a) - line.at(b),
  );
  const repeated: number[][] = [];
  let group: number[] = [];
  for (const row of ordered) {
    const [first = row] = group;
    if (compareIds(first, row) !== 0) group = [];
    if (group.push(row) === 2) repeated.push(group);
  }
  const offer = [product, plan, totalPence, upfrontPence, monthlyPence, gift, cashback];
  const isSame = (a: number, b: number): boolean => offer.every((column) => column.at(a) === column.at(b));
  return repeated.map((group) => ({ rows: group, isSameOffer: group.every((row) => isSame(row, group[0] as number)) }));
}

/** The deals of the catalogue, by product and rank, from the rows that are served, which come in order of rank. */
export function toCatalogueDeals(collector: DealCollector, ranked: Uint32Array, productCount: number): CatalogueDeals {
  const { table, dictionaries } = collector;
  const { columns } = table;
  const { rangeStart, rank } = groupByProduct(columns.product, ranked, productCount);
  // Callers ask for rows of the catalogue, and each of them is in the table.
  const rowOf = rank.map((position) => ranked[position] as number);
  const storedAt = (row: number): number => rowOf[row] as number;
  const pick = (column: GrowableNumberColumn): Uint32Array => rowOf.map((row) => column.at(row));
  const { templates, codes } = findTemplates(
    rowOf.length,
    (row) => table.link.at(storedAt(row)),
    (row) => collector.fileOf(storedAt(row)).source,
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
      const link = table.link.at(storedAt(row));
      return link.slice(prefix.length, link.length - suffix.length);
    },
    keyAt: (row) => table.key.at(storedAt(row)),
    originAt: (row) => collector.originOf(storedAt(row)),
    matchAt: (row) => dictionaries.matches.entries[columns.match.at(storedAt(row))] as MatchEvidence,
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
