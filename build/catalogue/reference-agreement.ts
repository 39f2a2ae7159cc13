import type { Condition } from '../../data/record/condition.ts';
import type { ProductReference } from '../../data/record/deal.ts';
import { isOtherColour } from './colour-words.ts';
import { cutText, quoteText, type Finding } from './finding.ts';
import { coloursIn, parseStorage, saysNoOther, type FeedName, namesAnotherModel } from './match-name.ts';
import { isStorage } from './name-words.ts';
import type { MatchableProduct, Hit, ProductMatch, UnmatchedField } from './product-list.ts';
import { writeMatchesLine } from '../../data/report/match-rule.ts';
import { describeFate, type LeftOutProduct } from './left-out-product.ts';

/**
 * What condition a reference states: its own, that of its name, or new. Words of a name that disagree with it are a
 * contradiction; those that say `not new` where nothing else is stated mean what the settings of the feed say.
 */
export function conditionOf(
  { condition: stated, conditionWords, saysNotNew = false, name: text = '' }: ProductReference,
  name: FeedName | undefined,
): { readonly kind: 'condition'; readonly condition: Condition } | Extract<ProductMatch, { kind: 'contradiction' }> {
  const inName = name?.condition;
  const said = saysNotNew ? (inName === undefined || inName === 'refurbished' ? 'refurbished' : 'both') : inName;
  if (said === 'both' || (stated !== undefined && said !== undefined && said !== stated)) {
    return contradiction({
      field: 'condition',
      found: `${stated === undefined ? '' : `${stated}, `}named ${JSON.stringify(text)}`,
      expected: `a condition that agrees with the name, which says ${said === 'both' ? 'both new and not new' : said}`,
      remedy: 'correct the condition or the name in the feed',
    });
  }
  if (stated === undefined && said === 'refurbished' && conditionWords === undefined) {
    return {
      kind: 'contradiction',
      finding: {
        code: 'missing-field',
        field: 'condition',
        found: cutText(text),
        expected: 'a condition beside a name that says the phone is not new',
        remedy: 'state the condition in the feed, or set "conditionWords": "refurbished" for it',
      },
    };
  }
  return { kind: 'condition', condition: stated ?? said ?? 'new' };
}

function contradiction(
  facts: Omit<Finding, 'code'> & { readonly found: string },
): Extract<ProductMatch, { kind: 'contradiction' }> {
  return { kind: 'contradiction', finding: { code: 'contradictory-facts', ...facts, found: cutText(facts.found) } };
}

/** Two parts of a reference name two phones. */
export function disagreement(
  product: MatchableProduct,
  hit: Hit,
  other: Hit,
  others: readonly MatchableProduct[],
): ProductMatch {
  return contradiction({
    field: other.field,
    found: `${other.found} beside ${hit.field} ${hit.found}`,
    expected: `one product; ${hit.field} is ${describeProduct(product)}, ${other.field} ${distinctPhones(others).slice(0, 2).map(describeProduct).join(' and ')}`,
    remedy: 'correct the feed, or the `matches` of the product',
  });
}

/** A storage or a colour that the reference states and that is not the product's, or not the name's. */
export function findDisagreement(
  product: MatchableProduct,
  reference: ProductReference,
  name: FeedName | undefined,
): ProductMatch | undefined {
  const wrong = findWrongStorage(product, reference, name);
  if (wrong !== undefined) {
    return contradiction({
      field: 'storage',
      found: `${wrong} in ${JSON.stringify(reference.storage ?? reference.name)}`,
      expected: `the storage that the name says, and that of ${describeProduct(product)}`,
      remedy: 'correct the feed, or the `matches` of the product',
    });
  }
  const { colour } = reference;
  if (name === undefined || colour === undefined || !isOtherColour(colour, coloursIn(name, product.name)))
    return undefined;
  return contradiction({
    field: 'colour',
    found: `${colour}, named ${JSON.stringify(reference.name)}`,
    expected: 'the colour that the name says',
    remedy: 'correct the colour or the name in the feed',
  });
}

/**
 * A storage that the reference states and that its name or the product does not have. What a name of another phone says
 * is not about the product: there the id decides.
 */
function findWrongStorage(
  product: MatchableProduct,
  reference: ProductReference,
  name: FeedName | undefined,
): string | undefined {
  const named = (name?.words ?? []).filter((word) => isStorage(word));
  const declared = name?.declaredStorage ?? parseStorage(reference.storage);
  if (declared !== undefined && named.length > 0 && !named.includes(declared)) return declared;
  if (name !== undefined && !saysNoOther(name, product.name)) return undefined;
  return statedStorages(name, reference).find((size) => !hasStorage(product, size));
}

/** The storages that a reference states: in its name, in a column of its own. */
export function statedStorages(name: FeedName | undefined, { storage }: ProductReference): readonly string[] {
  const declared = name?.declaredStorage ?? parseStorage(storage);
  return [...(name?.words ?? []).filter((word) => isStorage(word)), ...(declared === undefined ? [] : [declared])];
}

/** Whether the product comes in that storage, or in one that its name does not say. */
export function hasStorage({ name }: MatchableProduct, size: string): boolean {
  return name.storage === undefined || name.words.includes(size);
}

export function describeProduct({ key, record }: MatchableProduct): string {
  return `${key} ${quoteText(record.name)}`;
}

/** One product of each id and condition: the two sides of a duplicate are one phone. */
export function distinctPhones(products: readonly MatchableProduct[]): readonly MatchableProduct[] {
  return [...new Map(products.map((product) => [product.key, product])).values()];
}

/** A reference whose condition is known. */
export type Judged = ProductReference & { readonly condition: Condition };

/** A product of the CMS that is not served, and by what it was found. */
export interface LeftOutHit {
  readonly product: LeftOutProduct;
  readonly field: string;
  readonly found: string;
}

export interface PartialFinding {
  readonly code: 'unknown-product' | 'ambiguous-product';
  readonly field: string;
  readonly found: string;
  readonly expected?: string;
  readonly remedy?: string;
  readonly candidates?: readonly MatchableProduct[];
  readonly leftOut?: LeftOutProduct;
  readonly otherVariant?: string;
}

/** What a feed calls a product, and by which field if not by its name. */
export function callOf({ id, name, gtin, feedIds }: ProductReference): { name: string; field?: UnmatchedField } {
  if (name !== undefined) return { name };
  if (id !== undefined) return { name: id, field: 'productId' };
  if (gtin !== undefined) return { name: gtin, field: 'gtin' };
  const [feedId] = feedIds;
  return feedId === undefined ? { name: '' } : { name: feedId, field: 'feedIds' };
}

export function ambiguity(hit: Hit, candidates: readonly MatchableProduct[]): PartialFinding {
  return {
    code: 'ambiguous-product',
    field: hit.field,
    found: cutText(hit.found),
    expected: `one product; it may be ${candidates.map(describeProduct).join(' or ')}`,
    candidates,
    ...(hit.isStated ? { remedy: `leave ${quoteText(hit.found)} in the \`matches\` of one of them` } : {}),
  };
}

export function absence(reference: Judged, otherConditions: readonly Hit[]): PartialFinding {
  const [hit] = otherConditions;
  if (hit !== undefined) {
    const [product] = hit.products as readonly [MatchableProduct];
    return {
      code: 'unknown-product',
      field: hit.field,
      found: cutText(hit.found),
      expected: `a ${reference.condition} product; ${describeProduct(product)} is only ${product.condition}`,
      remedy: `add the ${reference.condition} variant of product ${product.id}, or correct the condition in the feed`,
      ...(product.row === undefined ? {} : { otherVariant: product.key }),
    };
  }
  const { id, condition } = reference;
  if (id === undefined) return { code: 'unknown-product', ...findingOf(reference) };
  return {
    code: 'unknown-product',
    ...findingOf(reference),
    expected: 'the id of a product',
    remedy: `add product ${id}/${condition} to the CMS, or correct the id in the feed`,
  };
}

/** The product is there, and publishing or mending it is all that its deals need. */
export function leaving({ product: leftOut, field, found }: LeftOutHit): PartialFinding {
  const { key, name, finding } = leftOut;
  const called = name === undefined ? key : `${key} ${quoteText(name)}`;
  return {
    code: 'unknown-product',
    field,
    found,
    expected: `a product that is served; ${called} ${describeFate(leftOut)}`,
    remedy: `${finding.code === 'unpublished' ? 'publish' : 'mend'} ${key} in the CMS; deals explain ${key} tells where it is`,
    candidates: [],
    leftOut,
  };
}

/** By what the product was looked for last. */
export function findingOf({ id, name, gtin, feedIds }: ProductReference): {
  readonly field: string;
  readonly found: string;
} {
  if (id !== undefined) return { field: 'productId', found: id };
  if (name !== undefined) return { field: 'productName', found: cutText(name) };
  if (gtin !== undefined) return { field: 'gtin', found: cutText(gtin) };
  return { field: 'feedIds', found: cutText(feedIds.join(', ')) };
}

export function describeExpected(candidates: readonly MatchableProduct[]): string {
  return candidates.length === 0
    ? 'a product of the catalogue'
    : `a product of the catalogue; the nearest are ${candidates.map(describeProduct).join(', ')}`;
}

/**
 * The line that an editor can paste. It names a product only where a single one comes into question and its name does not
 * speak against it: pasted without a thought, it must not sell one phone as another.
 */
export function remedyFor(
  reference: ProductReference,
  name: FeedName | undefined,
  partial: PartialFinding,
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
