import { isGrade } from '../../data/record/condition-words.ts';
import { isNameRule, type MatchRule, type ProductReference } from '../../data/record/deal.ts';
import { recordKey, type Condition } from '../../data/record/product.ts';
import type { NoticeDetails } from '../ledger/ledger.ts';
import type { MatchEvidence } from '../records/catalogue.ts';
import type { JoinedRecords, SuppressedProduct } from '../records/join-records.ts';
import { createNetworkStripper } from '../records/suppliers.ts';
import { truncateText } from '../source/quote.ts';
import {
  createCandidateIndex,
  createNearestProductFinder,
  listCandidates,
  type Hit,
  type MatchableProduct,
} from './candidates.ts';
import { createFeedName, type FeedName } from './compare-names.ts';
import {
  absentReason,
  ambiguousReason,
  conflictOfHits,
  describeNearest,
  excludedReason,
  findCondition,
  findReferenceConflict,
  hasStorage,
  statedStorages,
  suggestRemedy,
  termOf,
  termOfHit,
  unmatchedTerm,
  type ReferenceWithCondition,
  type UnmatchedReason,
} from './match-notices.ts';
import { isStorage, keyOfWords } from './name-words.ts';
import type { UnmatchedProduct } from './unmatched-names.ts';

/** The result of matching a reference. It is the same for every deal with that reference. */
export type ProductMatch =
  | {
      readonly kind: 'product';
      readonly row: number;
      readonly id: string;
      readonly condition: Condition;
      readonly evidence: MatchEvidence;
    }
  | {
      readonly kind: 'suppressed';
      readonly key: string;
      readonly id: string;
      readonly condition: Condition;
      readonly code: SuppressedProduct['code'];
    }
  | { readonly kind: 'none'; readonly details: NoticeDetails; readonly unmatched: UnmatchedProduct }
  /** The parts of the reference contradict each other, or its condition is unknown. */
  | { readonly kind: 'contradiction'; readonly details: NoticeDetails };

/**
 * Matches the references of the feed `feed` by product id, feed id, GTIN and name; the condition always has to agree.
 * An id decides when the name means no product or several. When the name means another product, or anything else leaves
 * a conflict, there is no match (INPUTS "Matching").
 */
export type MatchProduct = (feed: string, reference: ProductReference) => ProductMatch;

export function createProductMatcher(joined: JoinedRecords): MatchProduct {
  const { products, excluded } = listCandidates(joined);
  const byKey = new Map(products.map((product) => [product.key, product]));
  const index = createCandidateIndex(products);
  const excludedIndex = createCandidateIndex(excluded);
  const isModelGrade = createIsModelGrade(products);
  const findNearest = createNearestProductFinder(products);
  const stripNetworks = createNetworkStripper(joined.records.networks.map(({ record }) => record));

  function match(feed: string, given: ProductReference): ProductMatch {
    const text = given.name;
    const whole = text === undefined ? undefined : createFeedName(stripNetworks(text), given, isModelGrade);
    const condition = findCondition(given, whole);
    if (typeof condition === 'object') return { kind: 'contradiction', details: condition };
    const reference: ReferenceWithCondition = { ...given, condition };
    const name = whole?.words.length === 0 ? undefined : whole;
    // The first known id of a feed counts: the next one covers more than this phone.
    const hits = index.lookUp(feed, reference, name).filter(({ rule }, i, all) => rule !== all[i - 1]?.rule);
    const otherConditions: MatchableHit[] = [];
    for (const hit of listDeciding(hits, reference)) {
      const [product, ...rivals] = listMeant(hit, hits.find(isByName), name, reference);
      if (product === undefined) {
        otherConditions.push(hit);
        continue;
      }
      // Of several phones, none of which has the stated storage, none is meant.
      const isOfStorage = statedStorages(name, reference).every((size) => hasStorage(product, size));
      if (rivals.length > 0 && isOfStorage) return none(reference, name, ambiguousReason(hit, [product, ...rivals]));
      const conflict =
        findConflictingHit(product, hit, hits, name, reference) ?? findReferenceConflict(product, reference, name);
      if (conflict !== undefined) return { kind: 'contradiction', details: conflict };
      if (rivals.length > 0) return none(reference, name, ambiguousReason(hit, [product, ...rivals]));
      return toProductMatch(product, hit);
    }
    const excludedOne = findExcluded(feed, reference, name, otherConditions);
    return none(reference, name, excludedOne ?? absentReason(reference, otherConditions));
  }

  /** The products that a hit may mean in the condition of the reference: none, one, or several. */
  function listMeant(
    hit: MatchableHit,
    byName: MatchableHit | undefined,
    name: FeedName | undefined,
    reference: ReferenceWithCondition,
  ): readonly MatchableProduct[] {
    if (hit.rule !== 'name') return withCondition(narrow(hit, byName, name, reference), reference.condition);
    const found = distinctPhones(hit.products);
    const only = found.find(({ condition }) => condition === reference.condition);
    return only === undefined ? [] : [only, ...found.filter((product) => isRival(product, only)), ...hit.namesakes];
  }

  /** Of several phones that share an id of a feed, the one that the name means, or those of the storage. */
  function narrow(
    { products: found }: MatchableHit,
    byName: MatchableHit | undefined,
    name: FeedName | undefined,
    reference: ReferenceWithCondition,
  ): readonly MatchableProduct[] {
    if (new Set(found.map(({ id }) => id)).size < 2) return found;
    const named = found.filter((product) => byName?.products.some(({ id }) => id === product.id));
    if (named.length > 0) return named;
    const sizes = statedStorages(name, reference);
    const fitting = found.filter((product) => sizes.every((size) => hasStorage(product, size)));
    return fitting.length > 0 ? fitting : found;
  }

  /** Another part of the reference that means another phone. */
  function findConflictingHit(
    product: MatchableProduct,
    hit: MatchableHit,
    hits: readonly MatchableHit[],
    name: FeedName | undefined,
    { condition, name: text = '' }: ReferenceWithCondition,
  ): NoticeDetails | undefined {
    const ids = hits.filter((other) => !isByName(other));
    const other = ids.find(({ products: found }) => !found.some(({ id }) => id === product.id));
    if (other !== undefined) return conflictOfHits(product, hit, other, other.products);
    if (name === undefined) return undefined;
    const byName = hits.find(isByName) ?? { rule: 'name', text, ...index.names.findInAnyColour(name) };
    const meant = findOnePhone(byName, condition);
    if (meant.length === 0 || meant.some(({ id }) => id === product.id)) return undefined;
    return conflictOfHits(product, hit, byName, meant);
  }

  /**
   * The reason, when an excluded product of the CMS is meant: found by the id, by the id of another condition, by `matches`, or by
   * the name.
   */
  function findExcluded(
    feed: string,
    reference: ReferenceWithCondition,
    name: FeedName | undefined,
    otherConditions: readonly MatchableHit[],
  ): UnmatchedReason | undefined {
    const hits = excludedIndex
      .lookUp(feed, reference, name)
      .filter(({ rule }) => reference.id === undefined || rule === 'productId')
      .map((hit) => ({ term: termOfHit(hit), meant: hit.products }));
    const inOtherConditions = otherConditions.map(({ products: found }) => ({
      term: termOf(reference),
      meant: found.flatMap(({ id }) => excludedIndex.byId.get(id) ?? []),
    }));
    const ways = reference.id === undefined ? [...inOtherConditions, ...hits] : hits;
    for (const { term, meant } of ways) {
      const found = meant.find(
        ({ product: { condition } }) => condition === undefined || condition === reference.condition,
      );
      if (found !== undefined) return excludedReason(found.product, term);
    }
    return undefined;
  }

  /** The variants, in `condition`, of the phones that were found in either condition. */
  function withCondition(found: readonly MatchableProduct[], condition: Condition): readonly MatchableProduct[] {
    return distinctPhones(found.flatMap(({ id }) => byKey.get(recordKey({ id, condition })) ?? []));
  }

  function none(
    reference: ReferenceWithCondition,
    name: FeedName | undefined,
    { code, field, found, leftOut, otherVariant, ...reason }: UnmatchedReason,
  ): ProductMatch {
    const candidates = reason.candidates ?? (name === undefined ? [] : findNearest(name.words, reference.condition));
    const expected = reason.expected ?? describeNearest(candidates);
    const remedy = reason.remedy ?? suggestRemedy(reference, name, code, candidates);
    const nearest = candidates.map(({ key }) => key);
    return {
      kind: 'none',
      details: { code, field, found, expected, remedy },
      unmatched: { ...unmatchedTerm(reference), code, nearest, leftOut, otherVariant, remedy },
    };
  }

  return match;
}

type MatchableHit = Hit<MatchableProduct>;

function isByName({ rule }: { readonly rule: MatchRule }): boolean {
  return isNameRule(rule);
}

/** The hits that may decide: with a product id of our own nothing else does, and an unknown one is an error. */
function listDeciding(hits: readonly MatchableHit[], { id }: ProductReference): readonly MatchableHit[] {
  if (id === undefined) return hits;
  return hits[0]?.rule === 'productId' ? hits.filter((hit) => !isByName(hit)) : [];
}

function toProductMatch(product: MatchableProduct, { rule, text }: MatchableHit): ProductMatch {
  const { row, id, condition, key, suppressed } = product;
  if (row !== undefined) return { kind: 'product', row, id, condition, evidence: { rule, found: truncateText(text) } };
  return { kind: 'suppressed', key, id, condition, code: suppressed ?? 'duplicate-id' };
}

/** One product for each id and condition: the two sides of a duplicate are one phone. */
function distinctPhones(products: readonly MatchableProduct[]): readonly MatchableProduct[] {
  return [...new Map(products.map((product) => [product.key, product])).values()];
}

/** Whether a grade in a name is a word of a product name: a phone called `Note Pristine`. */
function createIsModelGrade(
  products: readonly MatchableProduct[],
): (grade: string, words: readonly string[]) => boolean {
  const models = products
    .filter(({ name }) => name.coreWords.some((word) => isGrade(word)))
    .map(({ name }) => name.coreWords.filter((word) => !isStorage(word)));
  return (grade, words) => models.some((model) => model.includes(grade) && model.every((word) => words.includes(word)));
}

/** The phone that a name means, if it is one: in the stated condition, or else in the other one. */
function findOnePhone({ rule, products, namesakes }: MatchableHit, condition: Condition): readonly MatchableProduct[] {
  const phones = distinctPhones(products);
  const chosen = phones.find((product) => product.condition === condition) ?? phones[0];
  if (chosen === undefined || namesakes.length > 0) return [];
  const isOther = (product: MatchableProduct): boolean =>
    rule === 'name' ? isRival(product, chosen) : product.id !== chosen.id;
  return phones.some(isOther) ? [] : phones;
}

/**
 * Whether a name that agrees with both products is ambiguous. A model with other words is a rival in any condition: the
 * name may mean it even when it is not sold in this condition. The same words in the other condition are the same phone
 * under another id.
 */
function isRival(product: MatchableProduct, chosen: MatchableProduct): boolean {
  if (product.id === chosen.id) return false;
  return (
    product.condition === chosen.condition || keyOfWords(product.name.coreWords) !== keyOfWords(chosen.name.coreWords)
  );
}
