import type { SupplierReference } from '../../data/record/deal.ts';
import type { NetworkRecord, RetailerRecord } from '../../data/record/product.ts';
import type { Found, NoticeDetails } from '../ledger/ledger.ts';
import { quoteTruncated, truncateText } from '../source/quote.ts';
import { groupBy, type Sourced } from '../source/record.ts';

const LISTED_COUNT = 10;

/** A feed names a few suppliers, each in many deals. */
const MAX_CACHED_MATCHES = 10_000;

type SupplierMatch = Found<{ readonly row: number }>;

/**
 * Finds the network or retailer of a reference of the feed `feed`; rows are those of the catalogue. All parts of the
 * reference that match must match the same record (INPUTS "Matching").
 */
export type FindSupplier = (feed: string, reference: SupplierReference) => SupplierMatch;

/** One part of a reference, and the rows that it matches. */
interface SupplierHit {
  readonly text: string;
  readonly rows: readonly number[];
}

export function createSupplierFinder(
  kind: 'network' | 'retailer',
  suppliers: readonly Sourced<NetworkRecord | RetailerRecord>[],
): FindSupplier {
  const groupRows = (keysOf: (record: NetworkRecord | RetailerRecord) => readonly string[]) =>
    groupBy([...suppliers.entries()], ([, { record }]) => keysOf(record));
  const byId = groupRows(({ id }) => [id]);
  const byName = groupRows(({ slug, name, aliases }) => [slug, name, ...aliases].map(foldText));
  const byFeedId = groupRows(({ feedIds = {} }) =>
    Object.entries(feedIds).flatMap(([feed, ids]) => ids.map((id) => `${feed}/${id}`)),
  );
  const cache = new Map<string, SupplierMatch>();

  return (feed, reference) => {
    const cacheKey = JSON.stringify([feed, reference]);
    let match = cache.get(cacheKey);
    if (match === undefined) {
      if (cache.size >= MAX_CACHED_MATCHES) cache.clear();
      match = find(feed, reference);
      cache.set(cacheKey, match);
    }
    return match;
  };

  function find(feed: string, { id: ownId, key, names, feedIds }: SupplierReference): SupplierMatch {
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
    return { excluded: row === undefined ? describeConflict(telling) : describeClaimed(first) };
  }

  function describeConflict(telling: readonly SupplierHit[]): NoticeDetails {
    return {
      code: 'contradictory-facts',
      field: kind,
      found: truncateText(telling.map(({ text }) => text).join(', ')),
      expected: `references to one ${kind}; ${telling.map(({ text, rows }) => `${quoteTruncated(text)} is ${listNames(rows)}`).join(', ')}`,
      remedy: `correct the feed, or the names and \`feedIds\` of the ${kind}s`,
    };
  }

  function describeClaimed({ text, rows }: SupplierHit): NoticeDetails {
    return {
      code: `unknown-${kind}`,
      field: kind,
      found: truncateText(text),
      expected: `one ${kind}; ${listNames(rows)} claim ${quoteTruncated(text)}`,
      remedy: `leave the name to one ${kind}`,
    };
  }

  function describeUnknown(feed: string, hits: readonly SupplierHit[], feedIds: readonly string[]): NoticeDetails {
    const texts = hits.map(({ text }) => text);
    const details = { code: `unknown-${kind}`, field: kind, found: truncateText(texts.join(', ')) } as const;
    if (suppliers.length === 0) {
      return { ...details, expected: `a ${kind} of the CMS, which has none`, remedy: `add the ${kind} to the CMS` };
    }
    const listed = listNames(suppliers.slice(0, LISTED_COUNT).map((_, row) => row));
    const name = texts.find((text) => !feedIds.includes(text));
    const line =
      name === undefined ? `"feedIds": ${JSON.stringify({ [feed]: feedIds })}` : `"aliases": [${JSON.stringify(name)}]`;
    return {
      ...details,
      expected: `one of ${listed}${suppliers.length > LISTED_COUNT ? ', …' : ''}`,
      remedy: `add ${line} to the right ${kind}, or add the ${kind}`,
    };
  }

  function listNames(rows: readonly number[]): string {
    return rows.map((row) => quoteTruncated(suppliers[row]?.record.name ?? '')).join(', ');
  }
}

/** Text in the form in which names are compared: without case, and with single spaces. */
export function foldText(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}

function hitOf(
  text: string,
  ...found: readonly (readonly (readonly [row: number, unknown])[] | undefined)[]
): SupplierHit {
  return { text, rows: [...new Set(found.flatMap((suppliers = []) => suppliers.map(([row]) => row)))] };
}
