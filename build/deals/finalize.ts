import type { CatalogueDeals, MatchEvidence } from '../records/catalogue.ts';
import type { DealCollector } from './collect-deals.ts';
import type { Dictionary, EntryKey, GrowableNumberColumn } from './deal-table.ts';
import { publishTemplate, type LinkTemplate, type PublishedTemplate } from './links.ts';

/**
 * Makes the deals of the catalogue from the rows that are served, which come in order of rank. The result is ordered by
 * product, then by rank.
 */
export function finalizeColumns(collector: DealCollector, ranked: Uint32Array, productCount: number): CatalogueDeals {
  const { table, dictionaries, linkTemplates } = collector;
  const { columns } = table;
  const { rangeStart, rank } = groupByProduct(columns.product, ranked, productCount);
  const rowOf = rank.map((position) => ranked[position] as number);
  const pick = (column: GrowableNumberColumn): Uint32Array => rowOf.map((row) => column.at(row));
  const templates = linkTemplates.map(publishTemplate);

  const plan = sortEntries(dictionaries.plans, pick(columns.plan), 0);
  const gift = sortEntries(dictionaries.gifts, pick(columns.gift), 1);
  const cashback = sortEntries(dictionaries.cashbacks, pick(columns.cashback), 1);
  const picture = sortEntries(dictionaries.pictures, pick(columns.picture), 1);
  const keyOfTemplate = ({ prefix, suffix }: LinkTemplate): EntryKey => [prefix, suffix];
  const links = sortEntries({ entries: templates, keyOf: keyOfTemplate }, pick(columns.linkTemplate), 0);
  // Callers ask for rows of the catalogue, and each of them is in the table.
  const storedAt = (row: number): number => rowOf[row] as number;
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
      const stored = storedAt(row);
      const { lead, tail } = templates[columns.linkTemplate.at(stored)] as PublishedTemplate;
      return lead + table.linkPart.at(stored) + tail;
    },
    keyAt: (row) => table.key.at(storedAt(row)),
    originAt: (row) => collector.originOf(storedAt(row)),
    matchAt: (row) => dictionaries.matches.entries[columns.match.at(storedAt(row))] as MatchEvidence,
    plans: plan.entries,
    gifts: gift.entries,
    cashbacks: cashback.entries,
    linkTemplates: links.entries.map(({ prefix, suffix }) => ({ prefix, suffix })),
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
): { readonly entries: readonly Entry[]; readonly column: Uint32Array } {
  const newCodes = new Uint32Array(entries.length + firstCode);
  for (const code of column) newCodes[code] = 1;
  const used = entries
    .map((entry, i) => ({ entry, key: keyOf(entry), code: i + firstCode }))
    .filter(({ code }) => newCodes[code] === 1)
    .sort((a, b) => compareKeys(a.key, b.key));
  if (firstCode === 1) newCodes[0] = 0;
  const sorted: Entry[] = [];
  used.forEach(({ entry, key, code }, i) => {
    // Several templates of feeds may be published as the one template of their host.
    if (i === 0 || compareKeys((used[i - 1] as { readonly key: EntryKey }).key, key) !== 0) sorted.push(entry);
    newCodes[code] = sorted.length - 1 + firstCode;
  });
  return { entries: sorted, column: column.map((code) => newCodes[code] as number) };
}

/** Numbers by size, texts by code unit. */
function compareKeys(a: EntryKey, b: EntryKey): number {
  const i = a.findIndex((part, at) => part !== b[at]);
  return i === -1 ? 0 : (a[i] as number | string) < (b[i] as number | string) ? -1 : 1;
}
