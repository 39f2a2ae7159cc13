import { findNearestWord } from '../query/edit-distance.ts';
import { recordKey, type Condition } from '../record/product.ts';
import type { Notice } from '../report/notice.ts';
import type { CatalogueIndex } from '../snapshot/catalogue-index.ts';
import type { IncrementalTask } from '../snapshot/incremental-task.ts';

/** The possible meanings of a search text. */
export interface RecordQuery {
  readonly text: string;
  /** The text in lower case, with one space between words. */
  readonly name: string;
  /** `feeds/house.csv:12`, or `cms/site.json networks (item 12)`; the list may be missing. */
  readonly location?: { readonly file: string; readonly line: number };
  /** `phone-barn:H-12`: the slug of a retailer of the snapshot, and the key of a deal. */
  readonly deal?: { readonly retailer: string; readonly key: string };
}

const ITEM_LOCATION =
  /^(.+?)(?: (?:products|giftCategories|gifts|networks|retailers|manufacturers|entries))? \(item ([1-9][0-9]{0,14})\)$/s;

/**
 * A product by id, `id/condition`, slug or name; a deal by key or `retailer:key`, the retailer by slug, id or name; any
 * record by `file:line`, or `file networks (item 3)` in a JSON export.
 */
export function parseRecordQuery(text: string, { retailers }: Pick<CatalogueIndex, 'retailers'>): RecordQuery {
  const [, file, line] = /^(.+):([1-9][0-9]{0,14})$/s.exec(text) ?? ITEM_LOCATION.exec(text) ?? [];
  const colon = text.indexOf(':');
  const wanted = normaliseName(text.slice(0, colon));
  const retailer =
    colon < 1 ? undefined : retailers.find(({ id, slug, name }) => [id, slug, normaliseName(name)].includes(wanted));
  return {
    text,
    name: normaliseName(text),
    ...(file === undefined ? {} : { location: { file, line: Number(line) } }),
    ...(retailer === undefined ? {} : { deal: { retailer: retailer.slug, key: text.slice(colon + 1) } }),
  };
}

/** A query for the record at a location. */
export function createLocationQuery({ file, line }: { readonly file: string; readonly line: number }): RecordQuery {
  return { text: `${file}:${line}`, name: normaliseName(`${file}:${line}`), location: { file, line } };
}

export function normaliseName(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase();
}

/** Shorter words are part of nearly every name. */
const MIN_PART_LENGTH = 3;

/** Whether a name is the query or contains it, regardless of case and spacing. */
export function matchesPart(query: RecordQuery, name: string): boolean {
  const folded = normaliseName(name);
  return folded === query.name || (query.name.length >= MIN_PART_LENGTH && folded.includes(query.name));
}

export function matchesLocation(
  { location }: RecordQuery,
  origin: { readonly file?: string | undefined; readonly line?: number | undefined },
): boolean {
  return location !== undefined && location.file === origin.file && location.line === origin.line;
}

/** Whether the query names a product by its id, slug or name. */
export function matchesProduct(
  query: RecordQuery,
  product: { readonly id: string; readonly condition: Condition; readonly slug: string; readonly name: string },
): boolean {
  const { text } = query;
  const { id, slug, name } = product;
  return text === id || text === recordKey(product) || text === slug || query.name === normaliseName(name);
}

/** Whether the query names a deal by its key. An unknown retailer matches any. */
export function matchesDeal(query: RecordQuery, key: string, retailer: string | undefined): boolean {
  if (query.text === key) return true;
  const { deal } = query;
  return deal !== undefined && deal.key === key && (retailer === undefined || deal.retailer === retailer);
}

/**
 * Whether the query finds a record that is not served: by location, name in the CMS or a part of it, `matches`, id or key.
 * `NameSearch` counts the deals with a name of a phone.
 * @param kind of its source
 */
export function matchesExcluded(query: RecordQuery, notice: Notice, kind: 'cms' | 'feed' | undefined): boolean {
  const { record, names = [], matches: { names: others = [], gtins = [], feedIds = {} } = {}, retailer } = notice;
  if (matchesLocation(query, notice)) return true;
  if (kind !== 'feed' && names.some((name) => matchesPart(query, name))) return true;
  if (others.some((name) => matchesPart(query, name))) return true;
  if ([...gtins, ...Object.values(feedIds).flat()].includes(query.text)) return true;
  if (record === undefined) return false;
  return kind === 'cms'
    ? record === query.text || record.slice(0, record.indexOf('/')) === query.text
    : matchesDeal(query, record, retailer);
}

const NEAREST_COUNT = 5;

/** Products of one step: about 0.1 ms for the longest query. */
const STEP_PRODUCTS = 32;

export interface KnownNames {
  readonly products: readonly {
    readonly id: string;
    readonly condition: Condition;
    readonly slug: string;
    readonly name: string;
  }[];
  readonly productNameKeys: readonly string[];
  /** Names of feeds without a product. */
  readonly unmatchedNames: readonly string[];
  /** Words of other records, each list with its own comparison text. */
  readonly others?: readonly (readonly [asked: string, words: Iterable<string>])[];
}

/**
 * The products whose id or slug is a part of a path (`101/used`, `/deals/v1/products/101/`), else names that contain every
 * word of the query, else the names with the smallest edit distance. In steps, since every product
 * is compared with every word.
 */
export function* findClosestNames({ text, name }: RecordQuery, known: KnownNames): IncrementalTask<readonly string[]> {
  const { products, productNameKeys, unmatchedNames, others = [] } = known;
  const parts = new Set(text.includes('/') ? text.split(/[/?]/) : []);
  const variants: string[] = [];
  const words = [...new Set(name.split(' '))].filter((word) => word !== '');
  const holding = new Set<string>();
  if (words.length > 0) {
    for (const [i, product] of products.entries()) {
      if (i % STEP_PRODUCTS === STEP_PRODUCTS - 1) yield;
      if (parts.has(product.id) || parts.has(product.slug)) variants.push(recordKey(product));
      const haystack = `${normaliseName(product.name)} ${product.slug}`;
      if (words.every((word) => haystack.includes(word))) holding.add(product.name);
      if (holding.size === NEAREST_COUNT) break;
    }
  }
  if (variants.length > 0) return variants.slice(0, NEAREST_COUNT);
  if (holding.size > 0) return [...holding];
  const nearest = new Set<string>();
  const candidates: readonly (() => readonly [string, Iterable<string>])[] = [
    () => [text, new Set(products.map(({ id }) => id))],
    () => [text, new Set(products.map(({ slug }) => slug))],
    () => [name, new Set(productNameKeys)],
    () => [text, new Set(unmatchedNames)],
    ...others.map((list) => () => list),
  ];
  for (const list of candidates) {
    const found = findNearestWord(...list());
    if (found !== undefined) nearest.add(found);
    yield;
  }
  return [...nearest];
}
