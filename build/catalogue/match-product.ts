import type { Condition } from '../../data/record/condition.ts';
import type { ProductReference } from '../../data/record/deal.ts';
import type { Notice } from '../../data/report/notice.ts';
import { cutText } from './finding.ts';
import type { JoinedRecords } from './join-records.ts';
import { isGrade } from './condition-phrases.ts';
import { type LeftOutProduct } from './left-out-product.ts';
import { createFeedName, type FeedName } from './match-name.ts';
import { createNameIndex } from './name-index.ts';
import { isStorage, keyOfWords, parseNameWords, type NameWords } from './name-words.ts';
import { createStripNetworks } from './network-names.ts';
import {
  conditionOf,
  disagreement,
  distinctPhones,
  findDisagreement,
  hasStorage,
  statedStorages,
  type Judged,
  type LeftOutHit,
  type PartialFinding,
  callOf,
  ambiguity,
  absence,
  leaving,
  findingOf,
  describeExpected,
  remedyFor,
} from './reference-agreement.ts';
import { createFindNearest } from './nearest-product.ts';
import {
  groupProducts,
  listMatchableProducts,
  listNamedLeftOut,
  productKey,
  type MatchableProduct,
  type ProductMatch,
  type Hit,
} from './product-list.ts';
/**
 * Matches the references of the feed `feed` by product id, feed id, GTIN and name, the condition always agreeing. An id
 * decides where the name means no product or several; where it means another there is no match, as wherever anything
 * leaves a doubt (INPUTS "Matching").
 */
export type MatchProduct = (feed: string, reference: ProductReference) => ProductMatch;

export function createMatchProduct(joined: JoinedRecords): MatchProduct {
  const products = listMatchableProducts(joined);
  const byKey = new Map(products.map((product) => [product.key, product]));
  const byId = groupProducts(products, (product) => [product.id]);
  const { byFeedId, byGtin, byStatedName } = groupByMatches(products, ({ record }) => record.matches);
  const names = createNameIndex(products);
  const isModelGrade = createIsModelGrade(products);
  const leftOutById = groupProducts(joined.leftOut, ({ id }) => [id]);
  const leftOutByMatches = groupByMatches(joined.leftOut, ({ matches }) => matches);
  const leftOutNames = createNameIndex(listNamedLeftOut(joined));
  const findNearest = createFindNearest(products);
  const stripNetworks = createStripNetworks(joined.records.networks.map(({ record }) => record));

  function match(feed: string, given: ProductReference): ProductMatch {
    const text = given.name;
    const name = text === undefined ? undefined : createFeedName(stripNetworks(text), given, isModelGrade);
    const condition = conditionOf(given, name);
    if (condition.kind === 'contradiction') return condition;
    const reference: Judged = { ...given, condition: condition.condition };
    const byName = name === undefined || name.words.length === 0 ? undefined : findByName(reference, name);
    const otherConditions: Hit[] = [];
    const hits = listHits(feed, reference);
    if (reference.id !== undefined && hits[0]?.rule !== 'productId')
      return absent(feed, reference, name, otherConditions);
    for (const hit of hits) {
      const fitting = narrow(hit, name, reference, byName);
      const agreeing = withCondition(fitting, reference.condition);
      if (agreeing.length > 1) return none(reference, name, ambiguity(hit, agreeing));
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

  /** What each kind of id finds, most exact first. */
  function listHits(feed: string, { id, feedIds, gtin }: ProductReference): readonly Hit[] {
    const digits = gtin === undefined ? undefined : normaliseGtin(gtin);
    const hits: readonly Hit[] = [
      ...(id === undefined
        ? []
        : [
            { products: byId.get(id) ?? [], rule: 'productId', field: 'productId', found: id, isStated: true } as const,
          ]),
      ...feedIds.map((feedId): Hit => {
        const listed = byFeedId.get(`${feed}/${feedId}`) ?? [];
        return { products: listed, rule: 'feedId', field: 'feedIds', found: feedId, isStated: true };
      }),
      ...(gtin === undefined || digits === undefined
        ? []
        : [{ products: byGtin.get(digits) ?? [], rule: 'gtin', field: 'gtin', found: gtin, isStated: true } as const]),
    ];
    // Of the ids of a feed the first that is known counts: the next one is of more than this phone.
    const known = hits.filter(({ products: found }) => found.length > 0);
    return known.filter(({ rule }, i) => known.findIndex((hit) => hit.rule === rule) === i);
  }

  /** What the name means by itself: what \`matches\` state, else what it is compared with; phones of either condition. */
  function findByName(reference: Judged, name: FeedName): NamedHit {
    const field = { field: 'productName', found: reference.name ?? '' };
    const stated = byStatedName.get(keyOfName(name)) ?? [];
    if (stated.length > 0) return { ...field, products: stated, rule: 'statedName', isStated: true, namesakes: [] };
    const { agreeing, namesakes } = names.find(name);
    return { ...field, products: agreeing, rule: 'name', isStated: false, namesakes };
  }

  /** Of several phones that share an id of a feed, those of the storage, or the one that the name means. */
  function narrow(
    { products: found }: Hit,
    name: FeedName | undefined,
    reference: Judged,
    byName: NamedHit | undefined,
  ): readonly MatchableProduct[] {
    if (new Set(found.map(({ id }) => id)).size < 2) return found;
    const meant = found.filter((product) => byName?.products.some(({ id }) => id === product.id));
    const ofStorage = found.filter((product) =>
      statedStorages(name, reference).every((size) => hasStorage(product, size)),
    );
    return meant.length > 0 ? meant : ofStorage;
  }

  /** The product that an id decides for, unless anything else that the reference says disagrees. */
  function checked(
    product: MatchableProduct,
    hit: Hit,
    hits: readonly Hit[],
    reference: Judged,
    name: FeedName | undefined,
    byName: NamedHit | undefined,
  ): ProductMatch {
    const other = hits.find(({ products: found }) => !found.some(({ id }) => id === product.id));
    if (other !== undefined) return disagreement(product, hit, other, other.products);
    const meant =
      name === undefined || byName === undefined ? [] : onePhone(inAnyColour(name, byName), reference.condition);
    if (byName !== undefined && meant.length > 0 && !meant.some(({ id }) => id === product.id)) {
      return disagreement(product, hit, byName, meant);
    }
    return findDisagreement(product, reference, name) ?? matched(product, hit);
  }

  function inAnyColour(name: FeedName, byName: NamedHit): NamedHit {
    if (byName.products.length > 0) return byName;
    const { agreeing, namesakes } = names.findInAnyColour(name);
    return { ...byName, products: agreeing, namesakes };
  }

  function matchByName(
    feed: string,
    reference: Judged,
    name: FeedName,
    byName: NamedHit,
    otherConditions: readonly Hit[],
  ): ProductMatch {
    if (byName.isStated) {
      const agreeing = withCondition(byName.products, reference.condition);
      if (agreeing.length > 1) return none(reference, name, ambiguity(byName, agreeing));
      const [only] = agreeing;
      if (only !== undefined) return findDisagreement(only, reference, name) ?? matched(only, byName);
      return absent(feed, reference, name, [...otherConditions, byName]);
    }
    const found = distinctPhones(byName.products);
    const only = found.find(({ condition }) => condition === reference.condition);
    if (only === undefined) {
      return absent(feed, reference, name, found.length > 0 ? [...otherConditions, byName] : otherConditions);
    }
    const rivals = [...found.filter((product) => isRival(product, only)), ...byName.namesakes];
    if (rivals.length > 0) return none(reference, name, ambiguity(byName, [only, ...rivals]));
    const other = otherConditions.find(({ products: identified }) => !identified.some(({ id }) => id === only.id));
    if (other !== undefined) return disagreement(only, byName, other, other.products);
    return findDisagreement(only, reference, name) ?? matched(only, byName);
  }

  function absent(
    feed: string,
    reference: Judged,
    name: FeedName | undefined,
    otherConditions: readonly Hit[],
  ): ProductMatch {
    const leftOut = findLeftOut(feed, reference, name, otherConditions);
    return none(reference, name, leftOut === undefined ? absence(reference, otherConditions) : leaving(leftOut));
  }

  /** The product of the CMS that is meant and not served: by its id, or by that of its other condition, its `matches`, its name. */
  function findLeftOut(
    feed: string,
    reference: Judged,
    name: FeedName | undefined,
    otherConditions: readonly Hit[],
  ): LeftOutHit | undefined {
    const { id, feedIds, gtin } = reference;
    const hasCondition = ({ condition }: LeftOutProduct): boolean =>
      condition === undefined || condition === reference.condition;
    const find = (
      found: readonly LeftOutProduct[] | undefined,
      by: Pick<LeftOutHit, 'field' | 'found'>,
    ): LeftOutHit | undefined => {
      const product = found?.find(hasCondition);
      return product === undefined ? undefined : { ...by, product };
    };
    if (id !== undefined) return find(leftOutById.get(id), findingOf(reference));
    for (const { products: found } of otherConditions) {
      const hit = find(
        found.flatMap((product) => leftOutById.get(product.id) ?? []),
        findingOf(reference),
      );
      if (hit !== undefined) return hit;
    }
    for (const feedId of feedIds) {
      const by = { field: 'feedIds', found: cutText(feedId) };
      const hit = find(leftOutByMatches.byFeedId.get(`${feed}/${feedId}`), by);
      if (hit !== undefined) return hit;
    }
    const digits = gtin === undefined ? undefined : normaliseGtin(gtin);
    const byGtin = digits === undefined ? undefined : leftOutByMatches.byGtin.get(digits);
    const identified = find(byGtin, { field: 'gtin', found: cutText(gtin ?? '') });
    if (identified !== undefined || name === undefined || name.words.length === 0) return identified;
    return (
      find(leftOutByMatches.byStatedName.get(keyOfName(name)), findingOf(reference)) ??
      find(
        leftOutNames.find(name).agreeing.map(({ leftOut }) => leftOut),
        findingOf(reference),
      )
    );
  }

  /** The variants, in `condition`, of the phones that were found in either condition. */
  function withCondition(found: readonly MatchableProduct[], condition: Condition): readonly MatchableProduct[] {
    return distinctPhones(found.flatMap(({ id }) => byKey.get(productKey({ id, condition })) ?? []));
  }

  function none(reference: Judged, name: FeedName | undefined, partial: PartialFinding): ProductMatch {
    const nearest = name === undefined ? [] : findNearest(name.words, reference.condition);
    const candidates = partial.candidates ?? nearest;
    const { leftOut, otherVariant } = partial;
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
      ...(otherVariant === undefined ? {} : { otherVariant }),
    };
  }

  return match;
}

/** What a name means, with the phones that it may mean as well since it leaves something out. */
interface NamedHit extends Hit {
  readonly namesakes: readonly MatchableProduct[];
}

function matched(product: MatchableProduct, { rule, found }: Hit): ProductMatch {
  const { row, id, condition, key, withheld } = product;
  if (row !== undefined) return { kind: 'product', row, id, condition, way: { rule, found: cutText(found) } };
  return { kind: 'withheld', key, id, condition, code: withheld ?? 'duplicate-id' };
}

/** The products under each feed id (`awin/4511`), GTIN and name that their `matches` list. */
function groupByMatches<Product>(products: readonly Product[], matchesOf: (product: Product) => Notice['matches']) {
  return {
    byFeedId: groupProducts(products, (product) =>
      Object.entries(matchesOf(product)?.feedIds ?? {}).flatMap(([feed, ids]) => ids.map((id) => `${feed}/${id}`)),
    ),
    byGtin: groupProducts(products, (product) =>
      (matchesOf(product)?.gtins ?? []).flatMap((gtin) => normaliseGtin(gtin) ?? []),
    ),
    byStatedName: groupProducts(products, (product) =>
      (matchesOf(product)?.names ?? []).map((name) => keyOfName(parseNameWords(name))),
    ),
  };
}

/** A key of all that a name says of a phone. */
function keyOfName({ words, ram }: NameWords): string {
  return `${keyOfWords(words)} ${ram ?? ''}`;
}

/** Whether a grade in a name is a word of a product that it names: a phone called `Note Pristine`. */
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

/** The phones that a name means, if it means one: in the condition that it is sold in, and by that in the other. */
function onePhone(hit: NamedHit, condition: Condition): readonly MatchableProduct[] {
  const phones = distinctPhones(hit.products);
  const ids = new Set(phones.map(({ id }) => id));
  const chosen = phones.find((product) => product.condition === condition) ?? phones[0];
  if (chosen === undefined || hit.namesakes.length > 0) return [];
  if (hit.isStated) return ids.size === 1 ? phones : [];
  return phones.some((product) => isRival(product, chosen)) ? [] : phones;
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
