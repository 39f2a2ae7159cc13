import type { Allowance } from '../../data/record/amount.ts';
import { compareCodeUnits } from '../../data/record/id.ts';
import type { Plan } from '../../data/snapshot/format.ts';
import type { CatalogueDeals, DealGift, MatchEvidence } from '../records/catalogue.ts';
import type { GrowableNumberColumn } from './columns.ts';
import type { DealTable } from './deal-table.ts';
import { remapCodes, type DealEntries } from './dictionaries.ts';
import { hashText } from './hash-index.ts';
import type { PublishedTemplate } from './links.ts';
import type { FeedFile } from './order.ts';
import type { Cashback } from './validate.ts';

/**
 * Makes the deals of the catalogue from the rows that are served, which come in order of rank. The result is ordered by
 * product, then by rank.
 */
export function finalizeColumns(
  table: DealTable,
  ranked: Uint32Array,
  productCount: number,
  dictionaries: DealEntries,
): CatalogueDeals {
  const { rangeStart, rank } = groupByProduct(table.columns.product, ranked, productCount);
  const rowOf = rank.map((position) => ranked[position] as number);
  const pick = (column: GrowableNumberColumn): Uint32Array => rowOf.map((row) => column.at(row));

  const planCodes = pick(table.columns.plan);
  const plan = remapCodes(dictionaries.plans, listUsed(planCodes, dictionaries.plans.length), comparePlans);
  const gift = remapOptional(dictionaries.gifts, pick(table.columns.gift), compareGifts);
  const cashback = remapOptional(dictionaries.cashbacks, pick(table.columns.cashback), compareCashbacks);
  const picture = remapOptional(dictionaries.pictures, pick(table.columns.picture), compareCodeUnits);
  const links = remapTemplates(dictionaries.linkTemplates, pick(table.columns.linkTemplate));

  const storeRow = (row: number): number => {
    const stored = rowOf[row];
    if (stored === undefined) throw new RangeError(`expected a deal row below ${rowOf.length}, got ${row}`);
    return stored;
  };
  const publishedTemplateOf = (stored: number): PublishedTemplate =>
    dictionaries.linkTemplates[table.columns.linkTemplate.at(stored)] as PublishedTemplate;
  const linkPartAt = (row: number): string => {
    const stored = storeRow(row);
    const { lead, tail } = publishedTemplateOf(stored);
    return lead + table.linkPart.at(stored) + tail;
  };
  return {
    rowCount: rowOf.length,
    rangeStart,
    rank,
    plan: planCodes.map((number) => plan.numbers[number] as number),
    retailer: pick(table.columns.retailer),
    totalPence: pick(table.columns.totalPence),
    upfrontPence: pick(table.columns.upfrontPence),
    monthlyPence: pick(table.columns.monthlyPence),
    gift: gift.column,
    cashback: cashback.column,
    picture: picture.column,
    linkTemplate: links.column,
    linkPartAt,
    linkHashAt(row, seed) {
      const stored = storeRow(row);
      const { lead, tail } = publishedTemplateOf(stored);
      return lead === '' && tail === '' ? table.linkPart.hash(stored, seed) : hashText(linkPartAt(row), seed);
    },
    keyAt: (row) => table.key.at(storeRow(row)),
    originAt(row) {
      const stored = storeRow(row);
      const { source, file } = dictionaries.files[table.columns.file.at(stored)] as FeedFile;
      return { source, file, line: table.columns.line.at(stored) };
    },
    matchAt: (row) => dictionaries.matches[table.columns.match.at(storeRow(row))] as MatchEvidence,
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
): { readonly rangeStart: Uint32Array; readonly rank: Uint32Array } {
  const rangeStart = new Uint32Array(productCount + 1);
  ranked.forEach((row) => {
    const next = product.at(row) + 1;
    rangeStart[next] = (rangeStart[next] as number) + 1;
  });
  for (let i = 1; i < rangeStart.length; i++) rangeStart[i] = (rangeStart[i] as number) + (rangeStart[i - 1] as number);
  const end = rangeStart.slice();
  const rank = new Uint32Array(ranked.length);
  ranked.forEach((row, position) => {
    const at = end[product.at(row)] as number;
    rank[at] = position;
    end[product.at(row)] = at + 1;
  });
  return { rangeStart, rank };
}

/** The codes below `count` that a column has, ascending. */
function listUsed(column: Uint32Array, count: number): number[] {
  const isUsed = new Uint8Array(count);
  column.forEach((code) => (isUsed[code] = 1));
  return [...isUsed.keys()].filter((code) => isUsed[code] === 1);
}

interface RemappedColumn<Entry> {
  readonly entries: readonly Entry[];
  readonly column: Uint32Array;
}

/** Remaps an optional column, in which 0 is none and n + 1 is entry n. */
function remapOptional<Entry>(
  entries: readonly Entry[],
  column: Uint32Array,
  compare: (a: Entry, b: Entry) => number,
): RemappedColumn<Entry> {
  const used = listUsed(column, entries.length + 1).filter((number) => number > 0);
  const renumbered = remapCodes(
    entries,
    used.map((number) => number - 1),
    compare,
  );
  return {
    entries: renumbered.entries,
    column: column.map((number) => (number === 0 ? 0 : 1 + (renumbered.numbers[number - 1] as number))),
  };
}

/** Several templates of a source may be published as the one template of their host. */
function remapTemplates(
  templates: readonly PublishedTemplate[],
  column: Uint32Array,
): RemappedColumn<PublishedTemplate['template']> {
  const keyOf = ({ prefix, suffix }: PublishedTemplate['template']): string => `${prefix}\n${suffix}`;
  const used = new Map(
    listUsed(column, templates.length)
      .map((number) => (templates[number] as PublishedTemplate).template)
      .map((template) => [keyOf(template), template]),
  );
  const entries = [...used.values()].sort(
    (a, b) => compareCodeUnits(a.prefix, b.prefix) || compareCodeUnits(a.suffix, b.suffix),
  );
  const numbers = new Map(entries.map((template, number) => [keyOf(template), number]));
  const newNumbers = templates.map(({ template }) => numbers.get(keyOf(template)) ?? 0);
  return { entries, column: column.map((number) => newNumbers[number] as number) };
}

function comparePlans(a: Plan, b: Plan): number {
  return (
    a.network - b.network ||
    compareCodeUnits(a.contractName, b.contractName) ||
    compareCodeUnits(a.dealType, b.dealType) ||
    a.contractMonths - b.contractMonths ||
    compareAllowances(a.dataMegabytes, b.dataMegabytes) ||
    compareAllowances(a.callMinutes, b.callMinutes) ||
    compareAllowances(a.textMessages, b.textMessages)
  );
}

function compareAllowances(a: Allowance, b: Allowance): number {
  if (a === b) return 0;
  if (a === 'unlimited') return 1;
  return b === 'unlimited' ? -1 : a - b;
}

/** Records of the catalogue first, then texts of the feeds. */
function compareGifts(a: DealGift, b: DealGift): number {
  if (a.kind === 'record') return b.kind === 'record' ? a.giftRow - b.giftRow : -1;
  return b.kind === 'record' ? 1 : compareCodeUnits(a.name, b.name);
}

function compareCashbacks(a: Cashback, b: Cashback): number {
  return compareCodeUnits(a.type, b.type) || a.valuePence - b.valuePence;
}
