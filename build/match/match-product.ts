import { groupBy } from '../source/record.ts';
import type { ProductReference } from '../../data/record/deal.ts';
import { recordKey, type Condition } from '../../data/record/product.ts';
import type { Notice } from '../../data/report/notice.ts';
import { truncateText } from '../source/quote.ts';
import type { ExcludedProduct, JoinedRecords } from '../records/join-records.ts';
import { createNetworkStripper } from '../records/suppliers.ts';
import {
  createNearestProductFinder,
  listMatchableProducts,
  listNamedExcludedProducts,
  type MatchableProduct,
  type ProductMatch,
  type ReferenceHit,
} from './candidates.ts';
import { createFeedName, type FeedName } from './compare-names.ts';
import { isGrade } from '../../data/record/condition-words.ts';
import {
  absentDetails,
  ambiguousDetails,
  conflictOfHits,
  describeExpected,
  distinctPhones,
  excludedDetails,
  fieldAndValueOf,
  findReferenceConflict,
  hasStorage,
  statedConditionOf,
  statedStorages,
  suggestRemedy,
  unmatchedTerm,
  type ExcludedHit,
  type ReferenceWithCondition,
  type UnmatchedDetails,
} from './match-notices.ts';
import { createNameIndex } from './name-index.ts';
import { isStorage, keyOfWords, parseNameWords, type NameWords } from './name-words.ts';

/**
 * Matches the references of the feed `feed` by product id, feed id, GTIN and name; the condition always has to agree.
 * An id decides when the name means no product or several. When the name means another product, or anything else leaves
 * a conflict, there is no match (INPUTS "Matching").
 */
export type MatchProduct = (feed: string, reference: ProductReference) => ProductMatch;

export function createProductMatcher(joined: JoinedRecords): MatchProduct {
  const products = listMatchableProducts(joined);
  const byKey = new Map(products.map((product) => [product.key, product]));
  const byId = groupBy(products, (product) => [product.id]);
  const { byFeedId, byGtin, byStatedName } = groupByMatches(products, ({ record }) => record.matches);
  const names = createNameIndex(products);
  const isModelGrade = createIsModelGrade(products);
  const excludedById = groupBy(joined.excluded, ({ id }) => [id]);
  const excludedByMatches = groupByMatches(joined.excluded, ({ matches }) => matches);
  const excludedNames = createNameIndex(listNamedExcludedProducts(joined));
  const findNearest = createNearestProductFinder(products);
  const stripNetworks = createNetworkStripper(joined.records.networks.map(({ record }) => record));

  function match(feed: string, given: ProductReference): ProductMatch {
    const text = given.name;
    const name = text === undefined ? undefined : createFeedName(stripNetworks(text), given, isModelGrade);
    const condition = statedConditionOf(given, name);
    if (condition.kind === 'contradiction') return condition;
    const reference: ReferenceWithCondition = { ...given, condition: condition.condition };
    const byName = name === undefined || name.words.length === 0 ? undefined : findByName(reference, name);
    const otherConditions: ReferenceHit[] = [];
    const hits = listHits(feed, reference);
    if (reference.id !== undefined && hits[0]?.rule !== 'productId')
      return absent(feed, reference, name, otherConditions);
    for (const hit of hits) {
      const fitting = narrow(hit, name, reference, byName);
      const agreeing = withCondition(fitting, reference.condition);
      if (agreeing.length > 1) return none(reference, name, ambiguousDetails(hit, agreeing));
      const [only] =
        agreeing.length === 0 && fitting.length === 0 ? withCondition(hit.products, reference.condition) : agreeing;
      if (only !== undefined) return checked(only, hit, hits, reference, name, byName);
      otherConditions.push(hit);
    }
    if (reference.id !== undefined || name === undefined || byName === undefined) {
      return absent(feed, reference, name, otherConditions);
    }
    return matchByName(feed, reference, name, byName, otherConditions);
  }

  /** The products that each kind of id finds, most exact first. */
  function listHits(feed: string, { id, feedIds, gtin }: ProductReference): readonly ReferenceHit[] {
    const digits = gtin === undefined ? undefined : normaliseGtin(gtin);
    const hit = (
      rule: ReferenceHit['rule'],
      field: string,
      text: string,
      found: readonly MatchableProduct[] = [],
    ): ReferenceHit => ({ products: found, rule, field, found: text, isStated: true });
    const hits = [
      ...(id === undefined ? [] : [hit('productId', 'productId', id, byId.get(id))]),
      ...feedIds.map((feedId) => hit('feedId', 'feedIds', feedId, byFeedId.get(`${feed}/${feedId}`))),
      ...(gtin === undefined || digits === undefined ? [] : [hit('gtin', 'gtin', gtin, byGtin.get(digits))]),
    ];
    // The first known id of a feed counts: the next one covers more than this phone.
    const known = hits.filter(({ products: found }) => found.length > 0);
    return known.filter(({ rule }, i) => known.findIndex((hit) => hit.rule === rule) === i);
  }

  /**
   * The products that the name alone means, in either condition: those whose `matches` list it, else those whose names
   * agree.
   */
  function findByName(reference: ReferenceWithCondition, name: FeedName): NameHit {
    const field = { field: 'productName', found: reference.name ?? '' };
    const stated = byStatedName.get(keyOfName(name)) ?? [];
    if (stated.length > 0) return { ...field, products: stated, rule: 'statedName', isStated: true, namesakes: [] };
    const { agreeing, namesakes } = names.find(name);
    return { ...field, products: agreeing, rule: 'name', isStated: false, namesakes };
  }

  /** Of several phones that share an id of a feed, those of the storage, or the one that the name means. */
  function narrow(
    { products: found }: ReferenceHit,
    name: FeedName | undefined,
    reference: ReferenceWithCondition,
    byName: NameHit | undefined,
  ): readonly MatchableProduct[] {
    if (new Set(found.map(({ id }) => id)).size < 2) return found;
    const meant = found.filter((product) => byName?.products.some(({ id }) => id === product.id));
    const ofStorage = found.filter((product) =>
      statedStorages(name, reference).every((size) => hasStorage(product, size)),
    );
    return meant.length > 0 ? meant : ofStorage;
  }

  /** The product of the id, unless another part of the reference contradicts it. */
  function checked(
    product: MatchableProduct,
    hit: ReferenceHit,
    hits: readonly ReferenceHit[],
    reference: ReferenceWithCondition,
    name: FeedName | undefined,
    byName: NameHit | undefined,
  ): ProductMatch {
    const other = hits.find(({ products: found }) => !found.some(({ id }) => id === product.id));
    if (other !== undefined) return conflictOfHits(product, hit, other, other.products);
    const meant =
      name === undefined || byName === undefined ? [] : findOnePhone(inAnyColour(name, byName), reference.condition);
    if (byName !== undefined && meant.length > 0 && !meant.some(({ id }) => id === product.id)) {
      return conflictOfHits(product, hit, byName, meant);
    }
    return findReferenceConflict(product, reference, name) ?? toProductMatch(product, hit);
  }

  function inAnyColour(name: FeedName, byName: NameHit): NameHit {
    if (byName.products.length > 0) return byName;
    const { agreeing, namesakes } = names.findInAnyColour(name);
    return { ...byName, products: agreeing, namesakes };
  }

  function matchByName(
    feed: string,
    reference: ReferenceWithCondition,
    name: FeedName,
    byName: NameHit,
    otherConditions: readonly ReferenceHit[],
  ): ProductMatch {
    if (byName.isStated) {
      const agreeing = withCondition(byName.products, reference.condition);
      if (agreeing.length > 1) return none(reference, name, ambiguousDetails(byName, agreeing));
      const [only] = agreeing;
      if (only !== undefined) return findReferenceConflict(only, reference, name) ?? toProductMatch(only, byName);
      return absent(feed, reference, name, [...otherConditions, byName]);
    }
    const found = distinctPhones(byName.products);
    const only = found.find(({ condition }) => condition === reference.condition);
    if (only === undefined) {
      return absent(feed, reference, name, found.length > 0 ? [...otherConditions, byName] : otherConditions);
    }
    const rivals = [...found.filter((product) => isRival(product, only)), ...byName.namesakes];
    if (rivals.length > 0) return none(reference, name, ambiguousDetails(byName, [only, ...rivals]));
    const other = otherConditions.find(({ products: identified }) => !identified.some(({ id }) => id === only.id));
    if (other !== undefined) return conflictOfHits(only, byName, other, other.products);
    return findReferenceConflict(only, reference, name) ?? toProductMatch(only, byName);
  }

  function absent(
    feed: string,
    reference: ReferenceWithCondition,
    name: FeedName | undefined,
    otherConditions: readonly ReferenceHit[],
  ): ProductMatch {
    const excluded = findExcluded(feed, reference, name, otherConditions);
    return none(
      reference,
      name,
      excluded === undefined ? absentDetails(reference, otherConditions) : excludedDetails(excluded),
    );
  }

  function findExcluded(...lookup: Parameters<typeof lookUpExcluded>): ExcludedHit | undefined {
    const [, { condition: stated }] = lookup;
    for (const [found, by] of lookUpExcluded(...lookup)) {
      const product = found.find(({ condition }) => condition === undefined || condition === stated);
      if (product !== undefined) return { ...by, product };
    }
    return undefined;
  }

  /**
   * The excluded products of the CMS that may be meant: found by the id, by the id of another condition, by `matches`, or
   * by the name.
   */
  function* lookUpExcluded(
    feed: string,
    reference: ReferenceWithCondition,
    name: FeedName | undefined,
    otherConditions: readonly ReferenceHit[],
  ): Generator<readonly [readonly ExcludedProduct[], Pick<ExcludedHit, 'field' | 'found'>]> {
    const { id, feedIds, gtin } = reference;
    const byLastLookup = fieldAndValueOf(reference);
    const withId = (each: string): readonly ExcludedProduct[] => excludedById.get(each) ?? [];
    const { byFeedId: ofFeedId, byGtin: ofGtin, byStatedName: ofStatedName } = excludedByMatches;
    if (id !== undefined) {
      yield [withId(id), byLastLookup];
      return;
    }
    for (const hit of otherConditions) yield [hit.products.flatMap((product) => withId(product.id)), byLastLookup];
    for (const feedId of feedIds) {
      yield [ofFeedId.get(`${feed}/${feedId}`) ?? [], { field: 'feedIds', found: truncateText(feedId) }];
    }
    if (gtin !== undefined) {
      yield [ofGtin.get(normaliseGtin(gtin) ?? '') ?? [], { field: 'gtin', found: truncateText(gtin) }];
    }
    if (name === undefined || name.words.length === 0) return;
    yield [ofStatedName.get(keyOfName(name)) ?? [], byLastLookup];
    yield [excludedNames.find(name).agreeing.map(({ product }) => product), byLastLookup];
  }

  /** The variants, in `condition`, of the phones that were found in either condition. */
  function withCondition(found: readonly MatchableProduct[], condition: Condition): readonly MatchableProduct[] {
    return distinctPhones(found.flatMap(({ id }) => byKey.get(recordKey({ id, condition })) ?? []));
  }

  function none(
    reference: ReferenceWithCondition,
    name: FeedName | undefined,
    partial: UnmatchedDetails,
  ): ProductMatch {
    const nearest = name === undefined ? [] : findNearest(name.words, reference.condition);
    const candidates = partial.candidates ?? nearest;
    const { excluded, otherVariant } = partial;
    return {
      kind: 'none',
      details: {
        code: partial.code,
        field: partial.field,
        found: partial.found,
        expected: partial.expected ?? describeExpected(candidates),
        ...suggestRemedy(reference, name, partial, candidates),
      },
      ...unmatchedTerm(reference),
      nearest: candidates.map(({ key }) => key),
      ...(excluded === undefined ? {} : { excluded }),
      ...(otherVariant === undefined ? {} : { otherVariant }),
    };
  }

  return match;
}

/** The products of a name, with other phones that it may mean because it leaves something out. */
interface NameHit extends ReferenceHit {
  readonly namesakes: readonly MatchableProduct[];
}

function toProductMatch(product: MatchableProduct, { rule, found }: ReferenceHit): ProductMatch {
  const { row, id, condition, key, suppressed } = product;
  if (row !== undefined) return { kind: 'product', row, id, condition, evidence: { rule, found: truncateText(found) } };
  return { kind: 'suppressed', key, id, condition, code: suppressed ?? 'duplicate-id' };
}

/** The products under each feed id (`awin/4511`), GTIN and name that their `matches` list. */
function groupByMatches<Product>(products: readonly Product[], matchesOf: (product: Product) => Notice['matches']) {
  return {
    byFeedId: groupBy(products, (product) =>
      Object.entries(matchesOf(product)?.feedIds ?? {}).flatMap(([feed, ids]) => ids.map((id) => `${feed}/${id}`)),
    ),
    byGtin: groupBy(products, (product) =>
      (matchesOf(product)?.gtins ?? []).flatMap((gtin) => normaliseGtin(gtin) ?? []),
    ),
    byStatedName: groupBy(products, (product) =>
      (matchesOf(product)?.names ?? []).map((name) => keyOfName(parseNameWords(name))),
    ),
  };
}

/** A key of the parts of a name that identify a phone. */
function keyOfName({ words, ram }: NameWords): string {
  return `${keyOfWords(words)} ${ram ?? ''}`;
}

/** Whether a grade in a name is a word of a product name: a phone called `Note Pristine`. */
function createIsModelGrade(
  products: readonly MatchableProduct[],
): (grade: string, words: readonly string[]) => boolean {
  const holders = products.filter(({ name }) => name.coreWords.some((word) => isGrade(word)));
  return (grade, words) =>
    holders.some(({ name: { coreWords } }) => {
      const model = coreWords.filter((word) => !isStorage(word));
      return model.includes(grade) && model.every((word) => words.includes(word));
    });
}

/** The phone that a name means, if it is one: in the stated condition, or else in the other one. */
function findOnePhone(hit: NameHit, condition: Condition): readonly MatchableProduct[] {
  const phones = distinctPhones(hit.products);
  const ids = new Set(phones.map(({ id }) => id));
  const chosen = phones.find((product) => product.condition === condition) ?? phones[0];
  if (chosen === undefined || hit.namesakes.length > 0) return [];
  if (hit.isStated) return ids.size === 1 ? phones : [];
  return phones.some((product) => isRival(product, chosen)) ? [] : phones;
}

/** A GTIN of any length as 14 digits; undefined when it is none. */
function normaliseGtin(text: string): string | undefined {
  const digits = text.replace(/[ -]/g, '');
  return /^[0-9]{8,14}$/.test(digits) && /[1-9]/.test(digits) ? digits.padStart(14, '0') : undefined;
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
