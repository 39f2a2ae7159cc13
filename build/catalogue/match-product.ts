import type { Condition } from '../../data/record/condition.ts';
import type { ProductReference } from '../../data/record/deal.ts';
import { writeMatchesLine, type MatchRule } from '../../data/report/match-rule.ts';
import { cutText, quoteText, type Finding } from './finding.ts';
import type { JoinedRecords, WithheldProduct } from './join-records.ts';
import { describeFate, type LeftOutProduct } from './left-out-product.ts';
import { createFeedName, namesAnotherModel, type FeedName } from './match-name.ts';
import { createNameIndex } from './name-index.ts';
import { isStorage, keyOfWords, parseNameWords } from './name-words.ts';
import { createFindNearest } from './nearest-product.ts';
import {
  groupProducts,
  listMatchableProducts,
  listNamedLeftOut,
  productKey,
  type MatchableProduct,
} from './product-list.ts';

/** What a deal is for. `none` and `withheld` are answers about the reference, the same for every deal that has it. */
export type ProductMatch =
  | {
      readonly kind: 'product';
      readonly row: number;
      readonly id: string;
      readonly condition: Condition;
      readonly way: MatchWay;
    }
  | {
      readonly kind: 'withheld';
      readonly key: string;
      readonly id: string;
      readonly condition: Condition;
      readonly code: WithheldProduct['code'];
    }
  | {
      readonly kind: 'none';
      readonly finding: Finding & { readonly code: PartialFinding['code'] };
      /** What the feed calls it. */
      readonly name: string;
      /** What that is, where it is no name. */
      readonly field?: UnmatchedField;
      /** The nearest products, or those that it may be: `101/new`. */
      readonly nearest: readonly string[];
      /** The product of the CMS that it means and that is not served. */
      readonly leftOut?: LeftOutProduct;
    };

/** By what a feed may name a product other than its name. */
export type UnmatchedField = 'productId' | 'gtin' | 'feedIds';

/** How a deal came to its product: by which rule, and what of the feed it went by, cut to 80 characters. */
export interface MatchWay {
  readonly rule: MatchRule;
  readonly found: string;
}

/**
 * Matches the references of the feed `feed` by feed id, GTIN and name, the condition always agreeing; a reference with an
 * id is that product or none (INPUTS "Matching"). Where anything leaves a doubt there is no match.
 */
export type MatchProduct = (feed: string, reference: ProductReference) => ProductMatch;

/** What one way of looking says: phones by id, whatever their condition. */
interface Hit {
  readonly products: readonly MatchableProduct[];
  readonly rule: MatchRule;
  readonly field: string;
  readonly found: string;
  /** `matches` say so, not a comparison of names. */
  readonly isStated: boolean;
}

export function createMatchProduct(joined: JoinedRecords): MatchProduct {
  const products = listMatchableProducts(joined);
  const byKey = new Map(products.map((product) => [product.key, product]));
  const byId = groupProducts(products, (product) => [product.id]);
  const byFeedId = groupProducts(products, (product) =>
    Object.entries(product.record.matches?.feedIds ?? {}).flatMap(([feed, ids]) => ids.map((id) => `${feed}/${id}`)),
  );
  const byGtin = groupProducts(products, (product) =>
    (product.record.matches?.gtins ?? []).flatMap((gtin) => normaliseGtin(gtin) ?? []),
  );
  const byStatedName = groupProducts(products, (product) =>
    (product.record.matches?.names ?? []).map((name) => keyOfWords(parseNameWords(name).words)),
  );
  const names = createNameIndex(products);
  const leftOutById = groupProducts(joined.leftOut, ({ id }) => [id]);
  const leftOutNames = createNameIndex(listNamedLeftOut(joined));
  const findNearest = createFindNearest(products);

  function match(feed: string, reference: ProductReference): ProductMatch {
    const name = reference.name === undefined ? undefined : createFeedName(reference.name, reference.colour);
    if (name?.condition !== undefined && name.condition !== reference.condition) {
      return none(reference, name, contradiction(reference, name.condition));
    }
    const otherConditions: Hit[] = [];
    for (const hit of listHits(feed, reference, name)) {
      const agreeing = withCondition(hit.products, reference.condition);
      if (agreeing.length > 1) return none(reference, name, ambiguity(hit, agreeing));
      const [only] = agreeing;
      if (only !== undefined) return matched(only, hit);
      if (hit.products.length > 0) otherConditions.push(hit);
    }
    return matchByName(reference, name, otherConditions);
  }

  /** Everything but the comparison of names, most exact first. */
  function* listHits(feed: string, reference: ProductReference, name: FeedName | undefined): Generator<Hit> {
    const { id, feedIds, gtin } = reference;
    if (id !== undefined) {
      yield { products: byId.get(id) ?? [], rule: 'productId', field: 'productId', found: id, isStated: true };
      return;
    }
    for (const feedId of feedIds) {
      const listed = byFeedId.get(`${feed}/${feedId}`) ?? [];
      const products = listed.filter((product) => !contradictsStorage(name, product));
      yield { products, rule: 'feedId', field: 'feedIds', found: feedId, isStated: true };
    }
    const digits = gtin === undefined ? undefined : normaliseGtin(gtin);
    if (gtin !== undefined && digits !== undefined) {
      yield { products: byGtin.get(digits) ?? [], rule: 'gtin', field: 'gtin', found: gtin, isStated: true };
    }
    if (reference.name !== undefined && name !== undefined) {
      const products = byStatedName.get(keyOfWords(name.words)) ?? [];
      yield { products, rule: 'statedName', field: 'productName', found: reference.name, isStated: true };
    }
  }

  function matchByName(
    reference: ProductReference,
    name: FeedName | undefined,
    otherConditions: readonly Hit[],
  ): ProductMatch {
    if (reference.id !== undefined || reference.name === undefined || name === undefined || name.words.length === 0) {
      return absent(reference, name, otherConditions);
    }
    const { agreeing, makerless, namesakes } = names.find(name);
    const hit: Hit = { products: agreeing, rule: 'name', field: 'productName', found: reference.name, isStated: false };
    const found = distinctPhones([...agreeing, ...makerless]);
    const only = found.find(({ condition }) => condition === reference.condition);
    if (only === undefined) {
      return absent(reference, name, agreeing.length > 0 ? [...otherConditions, hit] : otherConditions);
    }
    const rivals = [...found.filter((product) => isRival(product, only)), ...namesakes];
    if (rivals.length > 0) return none(reference, name, ambiguity(hit, [only, ...rivals]));
    if (agreeing.includes(only)) return matched(only, hit);
    const leftOut = findLeftOut(reference, name, []);
    return none(reference, name, leftOut === undefined ? missingMaker(hit, only) : leaving(reference, leftOut));
  }

  function absent(reference: ProductReference, name: FeedName | undefined, otherConditions: readonly Hit[]) {
    const leftOut = findLeftOut(reference, name, otherConditions);
    return none(
      reference,
      name,
      leftOut === undefined ? absence(reference, otherConditions) : leaving(reference, leftOut),
    );
  }

  /** The product of the CMS that is meant and not served: by its id, or by that of its other condition, or by its name. */
  function findLeftOut(
    reference: ProductReference,
    name: FeedName | undefined,
    otherConditions: readonly Hit[],
  ): LeftOutProduct | undefined {
    const hasCondition = ({ condition }: LeftOutProduct): boolean =>
      condition === undefined || condition === reference.condition;
    const ids =
      reference.id === undefined
        ? otherConditions.flatMap(({ products: found }) => found.map(({ id }) => id))
        : [reference.id];
    const identified = ids.flatMap((id) => leftOutById.get(id) ?? []).find(hasCondition);
    if (identified !== undefined || reference.id !== undefined || name === undefined || name.words.length === 0) {
      return identified;
    }
    return leftOutNames
      .find(name)
      .agreeing.map(({ leftOut }) => leftOut)
      .find(hasCondition);
  }

  /** The variants, in `condition`, of the phones that were found in either condition. */
  function withCondition(found: readonly MatchableProduct[], condition: Condition): readonly MatchableProduct[] {
    return distinctPhones(found.flatMap(({ id }) => byKey.get(productKey({ id, condition })) ?? []));
  }

  function none(reference: ProductReference, name: FeedName | undefined, partial: PartialFinding): ProductMatch {
    const nearest = name === undefined ? [] : findNearest(name.words, reference.condition);
    const candidates = partial.candidates ?? nearest;
    const { leftOut } = partial;
    return {
      kind: 'none',
      finding: {
        code: partial.code,
        field: partial.field,
        found: partial.found,
        expected: partial.expected ?? describeExpected(candidates),
        ...remedyFor(reference, name, partial, candidates),
      },
      ...callOf(reference),
      nearest: candidates.map(({ key }) => key),
      ...(leftOut === undefined ? {} : { leftOut }),
    };
  }

  return match;
}

interface PartialFinding {
  readonly code: 'unknown-product' | 'ambiguous-product';
  readonly field: string;
  readonly found: string;
  readonly expected?: string;
  readonly remedy?: string;
  readonly candidates?: readonly MatchableProduct[];
  readonly leftOut?: LeftOutProduct;
}

/** What a feed calls a product, and by which field if not by its name. */
function callOf({ id, name, gtin, feedIds }: ProductReference): { name: string; field?: UnmatchedField } {
  if (name !== undefined) return { name };
  if (id !== undefined) return { name: id, field: 'productId' };
  if (gtin !== undefined) return { name: gtin, field: 'gtin' };
  const [feedId] = feedIds;
  return feedId === undefined ? { name: '' } : { name: feedId, field: 'feedIds' };
}

function matched(product: MatchableProduct, { rule, found }: Hit): ProductMatch {
  const { row, id, condition, key, withheld } = product;
  if (row !== undefined) return { kind: 'product', row, id, condition, way: { rule, found: cutText(found) } };
  return { kind: 'withheld', key, id, condition, code: withheld ?? 'duplicate-id' };
}

function contradiction(reference: ProductReference, stated: Condition): PartialFinding {
  return {
    code: 'unknown-product',
    field: 'condition',
    found: cutText(`${reference.condition}, named ${JSON.stringify(reference.name)}`),
    expected: `a condition that agrees with the name, which says ${stated}`,
    remedy: 'correct the condition or the name in the feed',
  };
}

function ambiguity(hit: Hit, candidates: readonly MatchableProduct[]): PartialFinding {
  return {
    code: 'ambiguous-product',
    field: hit.field,
    found: cutText(hit.found),
    expected: `one product; it may be ${candidates.map(describeProduct).join(' or ')}`,
    candidates,
    ...(hit.isStated ? { remedy: `leave ${quoteText(hit.found)} in the \`matches\` of one of them` } : {}),
  };
}

function missingMaker(hit: Hit, product: MatchableProduct): PartialFinding {
  return {
    code: 'unknown-product',
    field: hit.field,
    found: cutText(hit.found),
    expected: `a name that says the maker; it may be ${describeProduct(product)}`,
    candidates: [product],
  };
}

function absence(reference: ProductReference, otherConditions: readonly Hit[]): PartialFinding {
  const [hit] = otherConditions;
  if (hit !== undefined) {
    const [product] = hit.products as readonly [MatchableProduct];
    return {
      code: 'unknown-product',
      field: hit.field,
      found: cutText(hit.found),
      expected: `a ${reference.condition} product; ${describeProduct(product)} is only ${product.condition}`,
      remedy: `add the ${reference.condition} variant of product ${product.id}, or correct the condition in the feed`,
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
function leaving(reference: ProductReference, leftOut: LeftOutProduct): PartialFinding {
  const { key, name, finding } = leftOut;
  const called = name === undefined ? key : `${key} ${quoteText(name)}`;
  return {
    code: 'unknown-product',
    ...findingOf(reference),
    expected: `a product that is served; ${called} ${describeFate(leftOut)}`,
    remedy: `${finding.code === 'unpublished' ? 'publish' : 'mend'} ${key} in the CMS; deals explain ${key} tells where it is`,
    candidates: [],
    leftOut,
  };
}

/** By what the product was looked for last. */
function findingOf({ id, name, gtin, feedIds }: ProductReference): { readonly field: string; readonly found: string } {
  if (id !== undefined) return { field: 'productId', found: id };
  if (name !== undefined) return { field: 'productName', found: cutText(name) };
  if (gtin !== undefined) return { field: 'gtin', found: cutText(gtin) };
  return { field: 'feedIds', found: cutText(feedIds.join(', ')) };
}

function describeExpected(candidates: readonly MatchableProduct[]): string {
  return candidates.length === 0
    ? 'a product of the catalogue'
    : `a product of the catalogue; the nearest are ${candidates.map(describeProduct).join(', ')}`;
}

/**
 * The line that an editor can paste. It names a product only where a single one comes into question and its name does not
 * speak against it: pasted without a thought, it must not sell one phone as another.
 */
function remedyFor(
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

function describeProduct({ key, record }: MatchableProduct): string {
  return `${key} ${quoteText(record.name)}`;
}

/** Whether the feed's name holds a storage and the product another: the feed id is of the model, not of the phone. */
function contradictsStorage(name: FeedName | undefined, product: MatchableProduct): boolean {
  const stated = name?.words.filter((word) => isStorage(word)) ?? [];
  const storage = product.name.words.filter((word) => isStorage(word));
  return stated.length > 0 && storage.length > 0 && !storage.some((word) => stated.includes(word));
}

/** A GTIN of any length as 14 digits; undefined for what is none. */
function normaliseGtin(text: string): string | undefined {
  const digits = text.replace(/[ -]/g, '');
  return /^[0-9]{8,14}$/.test(digits) && /[1-9]/.test(digits) ? digits.padStart(14, '0') : undefined;
}

/**
 * Whether a name that agrees with both leaves it open which is meant. A model of other words is a rival in whatever
 * condition: that it is not sold in this one does not make the other the one meant. One of the same words in the other
 * condition is the same phone under another id.
 */
function isRival(product: MatchableProduct, chosen: MatchableProduct): boolean {
  if (product.id === chosen.id) return false;
  return (
    product.condition === chosen.condition || keyOfWords(product.name.coreWords) !== keyOfWords(chosen.name.coreWords)
  );
}

/** One product of each id and condition: the two sides of a duplicate are one phone. */
function distinctPhones(products: readonly MatchableProduct[]): readonly MatchableProduct[] {
  return [...new Map(products.map((product) => [product.key, product])).values()];
}
