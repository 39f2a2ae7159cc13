import { isGrade } from '../../data/record/condition-words.ts';
import { isNameRule, type MatchRule, type ProductReference } from '../../data/record/deal.ts';
import { recordKey, type Condition, type NetworkRecord } from '../../data/record/product.ts';
import type { NoticeDetails } from '../ledger/ledger.ts';
import type { JoinedRecords } from '../records/join-records.ts';
import { truncateText } from '../source/quote.ts';
import {
  createCandidateIndex,
  createNearestProductFinder,
  listCandidates,
  type Candidate,
  type Hit,
  type ReadReference,
} from './candidates.ts';
import { createFeedName } from './compare-names.ts';
import {
  absentReason,
  ambiguousReason,
  conflictOfHits,
  describeNearest,
  excludedReason,
  findCondition,
  findReferenceConflict,
  hasStorages,
  suggestRemedy,
  termOf,
  type UnmatchedProduct,
  type UnmatchedReason,
} from './match-notices.ts';
import { isStorage, keyOfWords, PHONES } from './phone-words.ts';
import { foldText } from '../records/references.ts';

/** The rule by which a deal found its product, and the text that matched, cut to 80 characters. */
export interface MatchEvidence {
  readonly rule: MatchRule;
  readonly found: string;
}

/** The served product of a reference. */
interface MatchedProduct {
  readonly row: number;
  readonly id: string;
  readonly condition: Condition;
  readonly evidence: MatchEvidence;
}

/** Why a reference has none. */
interface NoMatch {
  readonly excluded: NoticeDetails;
  /** The suppressed product that it means: `101/new`. */
  readonly suppressed?: string;
  /** What the reference names, when it means no product or several. */
  readonly unmatched?: UnmatchedProduct;
}

/** The result of matching a reference. It is the same for every deal with that reference. */
export type ProductMatch = MatchedProduct | NoMatch;

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
    const whole = given.name === undefined ? undefined : createFeedName(stripNetworks(given.name), given, isModelGrade);
    const condition = findCondition(given, whole);
    if (typeof condition === 'object') return { excluded: condition };
    const read: ReadReference = { ...given, condition, words: whole?.words.length === 0 ? undefined : whole };
    // The first known id of a feed counts: the next one covers more than this phone.
    const hits = index.lookUp(feed, read).filter(({ rule }, i, all) => rule !== all[i - 1]?.rule);
    const otherConditions: Hit[] = [];
    for (const hit of listDeciding(hits, read)) {
      const [product, ...rivals] = listMeant(hit, hits, read);
      if (product === undefined) {
        otherConditions.push(hit);
        continue;
      }
      const conflict =
        rivals.length > 0 && hasStorages(product, read)
          ? undefined
          : (findConflictingHit(product, hit, hits, read) ?? findReferenceConflict(product, read));
      if (conflict !== undefined) return { excluded: conflict };
      return rivals.length > 0 ? none(read, ambiguousReason(hit, [product, ...rivals])) : toProductMatch(product, hit);
    }
    return none(read, findExcluded(feed, read) ?? absentReason(read, otherConditions));
  }

  /** The products that a hit may mean in the condition of the reference: none, one, or several. */
  function listMeant(hit: Hit, hits: readonly Hit[], read: ReadReference): readonly Candidate[] {
    const found = distinctPhones(hit.products);
    if (hit.rule === 'name') {
      const only = found.find(({ condition }) => condition === read.condition);
      return only === undefined ? [] : [only, ...found.filter((product) => isRival(product, only)), ...hit.namesakes];
    }
    const meant = narrow(found, hits, read);
    return distinctPhones(meant.flatMap(({ id }) => byKey.get(recordKey({ id, condition: read.condition })) ?? []));
  }

  /** Of several phones that share an id of a feed, the one that the name means, or those of the storage. */
  function narrow(found: readonly Candidate[], hits: readonly Hit[], read: ReadReference): readonly Candidate[] {
    if (new Set(found.map(({ id }) => id)).size < 2) return found;
    const byName = new Set(hits.find(isByName)?.products.map(({ id }) => id));
    const named = found.filter(({ id }) => byName.has(id));
    const fitting = named.length > 0 ? named : found.filter((product) => hasStorages(product, read));
    return fitting.length > 0 ? fitting : found;
  }

  /** Another part of the reference that means another phone. */
  function findConflictingHit(
    product: Candidate,
    hit: Hit,
    hits: readonly Hit[],
    { condition, name: text = '', words }: ReadReference,
  ): NoticeDetails | undefined {
    const isOther = ({ id }: Candidate): boolean => id !== product.id;
    const other = hits.find((each) => !isByName(each) && each.products.every(isOther));
    if (other !== undefined) return conflictOfHits(product, hit, other, other.products);
    if (words === undefined) return undefined;
    const byName = hits.find(isByName) ?? { rule: 'name', text, ...index.findName(words, true) };
    const meant = findOnePhone(byName, condition);
    return meant.length > 0 && meant.every(isOther) ? conflictOfHits(product, hit, byName, meant) : undefined;
  }

  /** Why nothing is found, when an excluded product is meant: by its id, `matches`, or its name. */
  function findExcluded(feed: string, read: ReadReference): UnmatchedReason | undefined {
    for (const hit of excludedIndex.lookUp(feed, read)) {
      if (read.id !== undefined && hit.rule !== 'productId') continue;
      const meant = hit.products
        .flatMap(({ excluded: product }) => product ?? [])
        .find(({ condition = read.condition }) => condition === read.condition);
      if (meant !== undefined) return excludedReason(meant, hit);
    }
    return undefined;
  }

  function none(read: ReadReference, { code, field, found, ...reason }: UnmatchedReason): ProductMatch {
    const candidates = reason.candidates ?? findNearest(read.words?.words ?? [], read.condition);
    const expected = reason.expected ?? describeNearest(candidates);
    const remedy = reason.remedy ?? suggestRemedy(read, candidates);
    const nearest = candidates.map(({ key }) => key);
    const named = termOf(read);
    const ofId = named.field === 'productName' ? {} : { field: named.field };
    return {
      excluded: { code, field, found, expected, remedy },
      unmatched: { name: named.found, ...ofId, code, nearest, remedy },
    };
  }

  return match;
}

function isByName({ rule }: { readonly rule: MatchRule }): boolean {
  return isNameRule(rule);
}

/** The hits that may decide: with a product id of our own nothing else does, and an unknown one is an error. */
function listDeciding(hits: readonly Hit[], { id }: ProductReference): readonly Hit[] {
  if (id === undefined) return hits;
  return hits[0]?.rule === 'productId' ? hits.filter((hit) => !isByName(hit)) : [];
}

function toProductMatch({ row, id, condition, key, suppressed }: Candidate, { rule, text }: Hit): ProductMatch {
  if (suppressed !== undefined) return { excluded: suppressed, suppressed: key };
  // A product that is not suppressed has its row.
  return { row: row as number, id, condition, evidence: { rule, found: truncateText(text) } };
}

/** One product for each id and condition: the two sides of a duplicate are one phone. */
function distinctPhones(products: readonly Candidate[]): readonly Candidate[] {
  return [...new Map(products.map((product) => [product.key, product])).values()];
}

/** Whether a grade in a name is a word of a product name: a phone called `Note Pristine`. */
function createIsModelGrade(products: readonly Candidate[]): (grade: string, words: readonly string[]) => boolean {
  const models = products
    .filter(({ name }) => name.coreWords.some((word) => isGrade(word)))
    .map(({ name }) => name.coreWords.filter((word) => !isStorage(word)));
  return (grade, words) => models.some((model) => model.includes(grade) && model.every((word) => words.includes(word)));
}

/** The phone that a name means, if it is one: in the stated condition, or else in the other one. */
function findOnePhone({ rule, products, namesakes }: Hit, condition: Condition): readonly Candidate[] {
  const phones = distinctPhones(products);
  const chosen = phones.find((product) => product.condition === condition) ?? phones[0];
  if (chosen === undefined || namesakes.length > 0) return [];
  const isOther = (product: Candidate): boolean =>
    rule === 'name' ? isRival(product, chosen) : product.id !== chosen.id;
  return phones.some(isOther) ? [] : phones;
}

/**
 * Whether a name that agrees with both products is ambiguous. A model with other words is a rival in any condition: the
 * name may mean it even when it is not sold in this condition. The same words in the other condition are the same phone
 * under another id.
 */
function isRival(product: Candidate, chosen: Candidate): boolean {
  const isOtherModel = keyOfWords(product.name.coreWords) !== keyOfWords(chosen.name.coreWords);
  return product.id !== chosen.id && (product.condition === chosen.condition || isOtherModel);
}

/**
 * Removes networks from a name, in brackets or after a dash at its end: they do not identify the phone (INPUTS
 * "Matching", "Words"). A number in brackets is no network: `Nothing Phone (3)`.
 */
function createNetworkStripper(
  networks: readonly Pick<NetworkRecord, 'name' | 'slug' | 'aliases'>[],
): (name: string) => string {
  const own = networks.flatMap(({ name, slug, aliases }) => [name, slug, ...aliases]).map(foldText);
  const known = new Set([...PHONES.networks, ...own].filter((name) => /\p{L}/u.test(name)));
  const strip = (whole: string, inner: string): string => (known.has(foldText(inner)) ? ' ' : whole);
  return (name) =>
    name.replace(/[([]([^()[\]]{1,60})[)\]]/g, strip).replace(/\s[-\u2013\u2014|]\s([^-\u2013\u2014|]{1,60})$/, strip);
}
