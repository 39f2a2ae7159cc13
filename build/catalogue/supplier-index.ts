import type { SupplierReference } from '../../data/record/deal.ts';
import type { NetworkRecord, RetailerRecord } from '../../data/record/supplier.ts';
import type { Sourced } from '../adapt/adapter.ts';
import { cutText, quoteText, type Finding } from './finding.ts';

const LISTED_COUNT = 10;

/** A feed names a few suppliers, each in many deals. */
const MAX_CACHED_MATCHES = 10_000;

/** The row of the network or retailer that a reference names, or what to report. */
type SupplierMatch =
  | { readonly kind: 'found'; readonly row: number }
  | { readonly kind: 'none'; readonly finding: Finding };

/** Finds the network or the retailer that a feed means; rows are those of the catalogue (INPUTS "Matching"). */
export interface SupplierIndex {
  /** What the references of the feed `feed` name: all that name one must name the same. */
  find(feed: string, reference: SupplierReference): SupplierMatch;
}

/** One thing that a feed says about a supplier, and the rows that it names. */
interface Hit {
  readonly text: string;
  readonly rows: readonly number[];
}

export function createSupplierIndex(
  kind: 'network' | 'retailer',
  suppliers: readonly Sourced<NetworkRecord | RetailerRecord>[],
): SupplierIndex {
  const byId = new Map<string, Set<number>>();
  const byName = new Map<string, Set<number>>();
  const byFeedId = new Map<string, Set<number>>();
  suppliers.forEach(({ record }, row) => {
    addRow(byId, record.id, row);
    for (const name of [record.slug, record.name, ...record.aliases]) addRow(byName, foldText(name), row);
    for (const [feed, ids] of Object.entries(record.feedIds ?? {})) {
      for (const id of ids) addRow(byFeedId, `${feed}/${id}`, row);
    }
  });

  const found = new Map<string, SupplierMatch>();

  return {
    find(feed, reference) {
      const cacheKey = keyOfReference(feed, reference);
      let match = found.get(cacheKey);
      if (match === undefined) {
        if (found.size >= MAX_CACHED_MATCHES) found.clear();
        match = findAny(feed, reference);
        found.set(cacheKey, match);
      }
      return match;
    },
  };

  function findAny(feed: string, { id: ownId, key, names, feedIds }: SupplierReference): SupplierMatch {
    const hits: readonly Hit[] = [
      ...(ownId === undefined ? [] : [hitOf(ownId, byId.get(ownId))]),
      ...(key === undefined ? [] : [hitOf(key, byName.get(foldText(key)), byId.get(key))]),
      ...names.map((name) => hitOf(name, byName.get(foldText(name)))),
      ...feedIds.map((id) => hitOf(id, byFeedId.get(`${feed}/${id}`))),
    ];
    const telling = hits.filter(({ rows }) => rows.length > 0);
    const [first] = telling;
    if (first === undefined) return { kind: 'none', finding: describeUnknown(feed, hits, feedIds) };
    const rows = first.rows.filter((row) => telling.every((hit) => hit.rows.includes(row)));
    const [row] = rows;
    if (row !== undefined && rows.length === 1) return { kind: 'found', row };
    return { kind: 'none', finding: row === undefined ? describeConflict(telling) : describeClaimed(first) };
  }

  function describeConflict(telling: readonly Hit[]): Finding {
    return {
      code: 'contradictory-facts',
      field: kind,
      found: cutText(telling.map(({ text }) => text).join(', ')),
      expected: `references to one ${kind}; ${telling.map(({ text, rows }) => `${quoteText(text)} is ${listNames(rows)}`).join(', ')}`,
      remedy: `correct the feed, or the names and \`feedIds\` of the ${kind}s`,
    };
  }

  function describeClaimed({ text, rows }: Hit): Finding {
    return {
      code: `unknown-${kind}`,
      field: kind,
      found: cutText(text),
      expected: `one ${kind}; ${listNames(rows)} claim ${quoteText(text)}`,
      remedy: `leave the name to one ${kind}`,
    };
  }

  function describeUnknown(feed: string, hits: readonly Hit[], feedIds: readonly string[]): Finding {
    const texts = hits.map(({ text }) => text);
    const finding = { code: `unknown-${kind}`, field: kind, found: cutText(texts.join(', ')) } as const;
    if (suppliers.length === 0) {
      return { ...finding, expected: `a ${kind} of the CMS, which has none`, remedy: `add the ${kind} to the CMS` };
    }
    const listed = listNames(suppliers.slice(0, LISTED_COUNT).map((_, row) => row));
    const name = texts.find((text) => !feedIds.includes(text));
    const line =
      name === undefined ? `"feedIds": ${JSON.stringify({ [feed]: feedIds })}` : `"aliases": [${JSON.stringify(name)}]`;
    return {
      ...finding,
      expected: `one of ${listed}${suppliers.length > LISTED_COUNT ? ', …' : ''}`,
      remedy: `add ${line} to the right ${kind}, or add the ${kind}`,
    };
  }

  function listNames(rows: readonly number[]): string {
    return rows.map((row) => quoteText(suppliers[row]?.record.name ?? '')).join(', ');
  }
}

/** Text without the differences that names are compared without: case, and the amount of space. */
export function foldText(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** Equal for equal references only: every text but the last comes with its length. */
function keyOfReference(feed: string, { id, key, names, feedIds }: SupplierReference): string {
  let text = `${feed} ${id?.length} ${id} ${names.length} ${feedIds.length}`;
  for (const name of names) text += ` ${name.length} ${name}`;
  for (const feedId of feedIds) text += ` ${feedId.length} ${feedId}`;
  return key === undefined ? text : `${text} ${key}`;
}

function addRow(rows: Map<string, Set<number>>, key: string, row: number): void {
  const known = rows.get(key);
  if (known === undefined) rows.set(key, new Set([row]));
  else known.add(row);
}

function hitOf(text: string, ...found: readonly (ReadonlySet<number> | undefined)[]): Hit {
  return { text, rows: [...new Set(found.flatMap((rows) => [...(rows ?? [])]))] };
}
