import { writeMatchesLine, type ProductReference } from '../../data/record/deal.ts';
import type { Condition } from '../../data/record/product.ts';
import type { NoticeDetails } from '../ledger/ledger.ts';
import { quoteTruncated, truncateText } from '../source/quote.ts';
import { describeExclusion, type ExcludedProduct } from '../records/join-records.ts';
import type { MatchableProduct, ProductMatch, ReferenceHit, UnmatchedField } from './candidates.ts';
import { isOtherColour } from './colours.ts';
import {
  coloursIn,
  namesAnotherModel,
  namesNoOtherModel,
  parseDeclaredStorage,
  type FeedName,
} from './compare-names.ts';
import { isStorage } from './name-words.ts';

/**
 * The condition of a reference: its own, that of its name, or new. A name that contradicts the stated condition is a
 * contradiction. When a name says `not new` and nothing else is stated, the settings of the feed decide.
 */
export function statedConditionOf(
  { condition: stated, conditionWords, saysNotNew = false, name: text = '' }: ProductReference,
  name: FeedName | undefined,
): { readonly kind: 'condition'; readonly condition: Condition } | Extract<ProductMatch, { kind: 'contradiction' }> {
  const inName = name?.condition;
  const said = saysNotNew ? (inName === undefined || inName === 'refurbished' ? 'refurbished' : 'both') : inName;
  if (said === 'both' || (stated !== undefined && said !== undefined && said !== stated)) {
    return toConflict({
      field: 'condition',
      found: `${stated === undefined ? '' : `${stated}, `}named ${JSON.stringify(text)}`,
      expected: `a condition that agrees with the name, which says ${said === 'both' ? 'both new and not new' : said}`,
      remedy: 'correct the condition or the name in the feed',
    });
  }
  if (stated === undefined && said === 'refurbished' && conditionWords === undefined) {
    return {
      kind: 'contradiction',
      details: {
        code: 'missing-field',
        field: 'condition',
        found: truncateText(text),
        expected: 'a condition beside a name that says the phone is not new',
        remedy: 'state the condition in the feed, or set "conditionWords": "refurbished" for it',
      },
    };
  }
  return { kind: 'condition', condition: stated ?? said ?? 'new' };
}

function toConflict(
  facts: Omit<NoticeDetails, 'code'> & { readonly found: string },
): Extract<ProductMatch, { kind: 'contradiction' }> {
  return {
    kind: 'contradiction',
    details: { code: 'contradictory-facts', ...facts, found: truncateText(facts.found) },
  };
}

/** Two parts of a reference name two phones. */
export function conflictOfHits(
  product: MatchableProduct,
  hit: ReferenceHit,
  other: ReferenceHit,
  others: readonly MatchableProduct[],
): ProductMatch {
  return toConflict({
    field: other.field,
    found: `${other.found} beside ${hit.field} ${hit.found}`,
    expected: `one product; ${hit.field} is ${describeMatchable(product)}, ${other.field} ${distinctPhones(others).slice(0, 2).map(describeMatchable).join(' and ')}`,
    remedy: 'correct the feed, or the `matches` of the product',
  });
}

/** A stated storage or colour that differs from the product, or from the name. */
export function findReferenceConflict(
  product: MatchableProduct,
  reference: ProductReference,
  name: FeedName | undefined,
): ProductMatch | undefined {
  const wrong = findConflictingStorage(product, reference, name);
  if (wrong !== undefined) {
    return toConflict({
      field: 'storage',
      found: `${wrong} in ${JSON.stringify(reference.storage ?? reference.name)}`,
      expected: `the storage that the name says, and that of ${describeMatchable(product)}`,
      remedy: 'correct the feed, or the `matches` of the product',
    });
  }
  const { colour } = reference;
  if (name === undefined || colour === undefined || !isOtherColour(colour, coloursIn(name, product.name)))
    return undefined;
  return toConflict({
    field: 'colour',
    found: `${colour}, named ${JSON.stringify(reference.name)}`,
    expected: 'the colour that the name says',
    remedy: 'correct the colour or the name in the feed',
  });
}

/**
 * A stated storage that differs from the name or the product. The name of another phone says nothing about the product:
 * there the id decides.
 */
function findConflictingStorage(
  product: MatchableProduct,
  reference: ProductReference,
  name: FeedName | undefined,
): string | undefined {
  const named = (name?.words ?? []).filter((word) => isStorage(word));
  const declared = name?.declaredStorage ?? parseDeclaredStorage(reference.storage);
  if (declared !== undefined && named.length > 0 && !named.includes(declared)) return declared;
  if (name !== undefined && !namesNoOtherModel(name, product.name)) return undefined;
  return statedStorages(name, reference).find((size) => !hasStorage(product, size));
}

/** The storages of a reference: in its name, and in a column of its own. */
export function statedStorages(name: FeedName | undefined, { storage }: ProductReference): readonly string[] {
  const declared = name?.declaredStorage ?? parseDeclaredStorage(storage);
  return [...(name?.words ?? []).filter((word) => isStorage(word)), ...(declared === undefined ? [] : [declared])];
}

/** Whether the product comes in that storage, or in one that its name does not say. */
export function hasStorage({ name }: MatchableProduct, size: string): boolean {
  return name.storage === undefined || name.words.includes(size);
}

function describeMatchable({ key, record }: MatchableProduct): string {
  return `${key} ${quoteTruncated(record.name)}`;
}

/** One product for each id and condition: the two sides of a duplicate are one phone. */
export function distinctPhones(products: readonly MatchableProduct[]): readonly MatchableProduct[] {
  return [...new Map(products.map((product) => [product.key, product])).values()];
}

/** A reference whose condition is known. */
export type ReferenceWithCondition = ProductReference & { readonly condition: Condition };

/** An excluded product of the CMS, and the field by which it was found. */
export interface ExcludedHit {
  readonly product: ExcludedProduct;
  readonly field: string;
  readonly found: string;
}

export interface UnmatchedDetails {
  readonly code: 'unknown-product' | 'ambiguous-product';
  readonly field: string;
  readonly found: string;
  readonly expected?: string;
  readonly remedy?: string;
  readonly candidates?: readonly MatchableProduct[];
  readonly excluded?: ExcludedProduct;
  readonly otherVariant?: string;
}

/** The text by which a feed names a product, and its field unless that is the name. */
export function unmatchedTerm({ id, name, gtin, feedIds }: ProductReference): { name: string; field?: UnmatchedField } {
  if (name !== undefined) return { name };
  if (id !== undefined) return { name: id, field: 'productId' };
  if (gtin !== undefined) return { name: gtin, field: 'gtin' };
  const [feedId] = feedIds;
  return feedId === undefined ? { name: '' } : { name: feedId, field: 'feedIds' };
}

export function ambiguousDetails(hit: ReferenceHit, candidates: readonly MatchableProduct[]): UnmatchedDetails {
  return {
    code: 'ambiguous-product',
    field: hit.field,
    found: truncateText(hit.found),
    expected: `one product; it may be ${candidates.map(describeMatchable).join(' or ')}`,
    candidates,
    ...(hit.isStated ? { remedy: `leave ${quoteTruncated(hit.found)} in the \`matches\` of one of them` } : {}),
  };
}

export function absentDetails(
  reference: ReferenceWithCondition,
  otherConditions: readonly ReferenceHit[],
): UnmatchedDetails {
  const [hit] = otherConditions;
  if (hit !== undefined) {
    const [product] = hit.products as readonly [MatchableProduct];
    return {
      code: 'unknown-product',
      field: hit.field,
      found: truncateText(hit.found),
      expected: `a ${reference.condition} product; ${describeMatchable(product)} is only ${product.condition}`,
      remedy: `add the ${reference.condition} variant of product ${product.id}, or correct the condition in the feed`,
      ...(product.row === undefined ? {} : { otherVariant: product.key }),
    };
  }
  const { id, condition } = reference;
  if (id === undefined) return { code: 'unknown-product', ...fieldAndValueOf(reference) };
  return {
    code: 'unknown-product',
    ...fieldAndValueOf(reference),
    expected: 'the id of a product',
    remedy: `add product ${id}/${condition} to the CMS, or correct the id in the feed`,
  };
}

/** The product exists. Publishing or correcting it is all that its deals need. */
export function excludedDetails({ product: excluded, field, found }: ExcludedHit): UnmatchedDetails {
  const { key, name, details } = excluded;
  const called = name === undefined ? key : `${key} ${quoteTruncated(name)}`;
  return {
    code: 'unknown-product',
    field,
    found,
    expected: `a product that is served; ${called} ${describeExclusion(excluded)}`,
    remedy: `${details.code === 'unpublished' ? 'publish' : 'mend'} ${key} in the CMS; deals explain ${key} tells where it is`,
    candidates: [],
    excluded,
  };
}

/** The field and value of the last lookup. */
export function fieldAndValueOf({ id, name, gtin, feedIds }: ProductReference): {
  readonly field: string;
  readonly found: string;
} {
  if (id !== undefined) return { field: 'productId', found: id };
  if (name !== undefined) return { field: 'productName', found: truncateText(name) };
  if (gtin !== undefined) return { field: 'gtin', found: truncateText(gtin) };
  return { field: 'feedIds', found: truncateText(feedIds.join(', ')) };
}

export function describeExpected(candidates: readonly MatchableProduct[]): string {
  return candidates.length === 0
    ? 'a product of the catalogue'
    : `a product of the catalogue; the nearest are ${candidates.map(describeMatchable).join(', ')}`;
}

/**
 * The line for `matches` that an editor can paste. It names a product only when a single one is possible and its name
 * does not contradict it. Pasted without checking, it must not sell one phone as another.
 */
export function suggestRemedy(
  reference: ProductReference,
  name: FeedName | undefined,
  partial: UnmatchedDetails,
  candidates: readonly MatchableProduct[],
): { remedy?: string } {
  if (partial.remedy !== undefined) return { remedy: partial.remedy };
  const [first, ...others] = candidates;
  if (first === undefined || reference.name === undefined || name === undefined) return {};
  const line = writeMatchesLine(reference.name);
  if (partial.code === 'ambiguous-product') return { remedy: `add ${line} to the one that is the same phone` };
  return others.length === 0 && !namesAnotherModel(name, first.name)
    ? { remedy: `if it is the same phone, add ${line} to product ${first.key}` }
    : { remedy: `add the product to the CMS, or ${line} to the one of them that is the same phone, if any is` };
}
