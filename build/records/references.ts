import type { SupplierReference } from '../../data/record/deal.ts';
import type { GiftRecord, NetworkRecord, RetailerRecord } from '../../data/record/product.ts';
import type { Found, NoticeDetails } from '../ledger/ledger.ts';
import { quote } from '../source/quote.ts';
import { groupBy, type Sourced } from '../source/record.ts';

const LISTED_COUNT = 10;

type SupplierMatch = Found<{ readonly row: number }>;

/**
 * Finds the network or retailer of a reference of the feed `feed`; rows are those of the catalogue. All parts of the
 * reference that match must match the same record (INPUTS "Matching").
 */
type FindSupplier = (feed: string, reference: SupplierReference) => SupplierMatch;

/** One part of a reference, and the rows that it matches. */
interface SupplierHit {
  readonly text: string;
  readonly rows: readonly number[];
}

export function createSupplierFinder(
  kind: 'network' | 'retailer',
  suppliers: readonly Sourced<NetworkRecord | RetailerRecord>[],
): FindSupplier {
  const byId = groupRows(suppliers, ({ id }) => [id]);
  const byName = groupRows(suppliers, ({ slug, name, aliases }) => [slug, name, ...aliases].map(foldText));
  const byFeedId = groupRows(suppliers, ({ feedIds = {} }) =>
    Object.entries(feedIds).flatMap(([feed, ids]) => ids.map((id) => `${feed}/${id}`)),
  );

  return (feed, { id: ownId, key, names, feedIds }) => {
    const hits: readonly SupplierHit[] = [
      ...(ownId === undefined ? [] : [hitOf(ownId, byId.get(ownId))]),
      ...(key === undefined ? [] : [hitOf(key, byName.get(foldText(key)), byId.get(key))]),
      ...names.map((name) => hitOf(name, byName.get(foldText(name)))),
      ...feedIds.map((id) => hitOf(id, byFeedId.get(`${feed}/${id}`))),
    ];
    const telling = hits.filter(({ rows }) => rows.length > 0);
    const [first] = telling;
    if (first === undefined) return { excluded: describeUnknown(feed, hits, feedIds) };
    const rows = first.rows.filter((row) => telling.every((hit) => hit.rows.includes(row)));
    const [row] = rows;
    if (row !== undefined && rows.length === 1) return { row };
    // One text means several, or two texts mean no common one.
    return { excluded: describeSeveral(row === undefined ? 'contradictory-facts' : `unknown-${kind}`, telling) };
  };

  function describeSeveral(code: NoticeDetails['code'], telling: readonly SupplierHit[]): NoticeDetails {
    const meanings = telling.map(({ text, rows }) => `${quote(text)} is ${listNames(rows)}`);
    return {
      code,
      field: kind,
      found: telling.map(({ text }) => text).join(', '),
      expected: `one ${kind}; ${meanings.join(', ')}`,
      remedy: `correct the feed, or the names and \`feedIds\` of the ${kind}s`,
    };
  }

  function describeUnknown(feed: string, hits: readonly SupplierHit[], feedIds: readonly string[]): NoticeDetails {
    const texts = hits.map(({ text }) => text);
    const listed = listNames(suppliers.slice(0, LISTED_COUNT).map((_, row) => row));
    const name = texts.find((text) => !feedIds.includes(text));
    const line =
      name === undefined ? `"feedIds": ${JSON.stringify({ [feed]: feedIds })}` : `"aliases": [${JSON.stringify(name)}]`;
    return {
      code: `unknown-${kind}`,
      field: kind,
      found: texts.join(', '),
      expected: `one of ${listed || 'none'}${suppliers.length > LISTED_COUNT ? ', …' : ''}`,
      remedy: `add ${line} to the right ${kind}, or add the ${kind}`,
    };
  }

  function listNames(rows: readonly number[]): string {
    return rows.map((row) => quote(suppliers[row]?.record.name ?? '')).join(', ');
  }
}

/** A gift as deals name it: a record of the catalogue, with its row, or the text of a feed. */
export interface DealGift {
  readonly name: string;
  readonly row?: number;
}

/** The gift of a text, if there is one, and a notice about it. */
interface GiftMatch {
  readonly gift?: DealGift;
  readonly notice?: NoticeDetails;
}

/** Finds a gift by id, slug, name, or one of `matches.names`. Any other text is served unchanged, unless it is an id. */
export function createGiftMatcher(
  gifts: readonly Sourced<GiftRecord>[],
): (text: string | undefined) => Found<GiftMatch> {
  const byId = groupRows(gifts, ({ id }) => [id]);
  const byName = groupRows(gifts, ({ slug, name, matches }) => [slug, name, ...(matches?.names ?? [])].map(foldText));

  return (text) => {
    if (text === undefined) return {};
    // Without a letter it is an id, or an amount from another column.
    const isText = /\p{L}/u.test(text);
    const rows = byId.get(text) ?? (isText ? byName.get(foldText(text)) : undefined) ?? [];
    const [row] = rows;
    const details = { field: 'gift', found: text };
    if (row !== undefined && rows.length === 1) return { gift: { name: gifts[row]?.record.name ?? text, row } };
    if (!isText) return { excluded: { code: 'unknown-gift', ...details } };
    const notice =
      rows.length > 1
        ? { expected: `one gift; ${rows.length} claim it`, remedy: 'leave the text to one gift' }
        : { remedy: `add "matches": {"names": [${JSON.stringify(text)}]} to the right gift, or add the gift` };
    return { gift: { name: text }, notice: { code: 'gift-without-record', ...details, ...notice } };
  };
}

/** Text in the form in which names are compared: without case, and with single spaces. */
export function foldText(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** The rows of the records under each of their keys. */
function groupRows<Record>(
  records: readonly Sourced<Record>[],
  keysOf: (record: Record) => readonly string[],
): ReadonlyMap<string, readonly number[]> {
  return groupBy([...records.keys()], (row) => keysOf((records[row] as Sourced<Record>).record));
}

function hitOf(text: string, ...found: readonly (readonly number[] | undefined)[]): SupplierHit {
  return { text, rows: [...new Set(found.flatMap((rows = []) => rows))] };
}
