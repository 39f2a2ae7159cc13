import { type MatchRule, type ProductReference, writeMatchesLine } from '../../data/record/deal.ts';
import type { Condition } from '../../data/record/product.ts';
import { NOTICES } from '../../data/report/notice.ts';
import type { UnmatchedName } from '../../data/report/report.ts';
import type { NoticeDetails } from '../ledger/ledger.ts';
import type { ExcludedProduct } from '../source/record.ts';
import { quote } from '../source/quote.ts';
import type { Candidate, Hit, ReadReference } from './candidates.ts';
import { isOtherColour, isStorage } from './phone-words.ts';
import {
  coloursIn,
  type FeedName,
  namesAnotherModel,
  namesNoOtherModel,
  parseDeclaredStorage,
} from './compare-names.ts';

/**
 * The condition of a reference: its own, that of its name, or new. A name that contradicts the stated condition is a
 * contradiction. When a name says `not new` and nothing else is stated, the settings of the feed decide.
 */
export function findCondition(
  { condition: stated, conditionWords, saysNotNew = false, name: text = '' }: ProductReference,
  name: FeedName | undefined,
): Condition | NoticeDetails {
  const inName = name?.condition;
  const said = saysNotNew ? (inName === undefined || inName === 'refurbished' ? 'refurbished' : 'both') : inName;
  if (said === 'both' || (stated !== undefined && said !== undefined && said !== stated)) {
    return conflictOf({
      field: 'condition',
      found: `${stated === undefined ? '' : `${stated}, `}named ${JSON.stringify(text)}`,
      expected: `a condition that agrees with the name, which says ${said === 'both' ? 'both new and not new' : said}`,
      remedy: 'correct the condition or the name in the feed',
    });
  }
  if (stated === undefined && said === 'refurbished' && conditionWords === undefined) {
    return {
      code: 'missing-field',
      field: 'condition',
      found: text,
      expected: 'a condition beside a name that says the phone is not new',
      remedy: 'state the condition in the feed, or set "conditionWords": "refurbished" for it',
    };
  }
  return stated ?? said ?? 'new';
}

function conflictOf(facts: Omit<NoticeDetails, 'code'>): NoticeDetails {
  return { code: 'contradictory-facts', ...facts };
}

/** Two parts of a reference name two phones. */
export function conflictOfHits(product: Candidate, hit: Hit, other: Hit, others: readonly Candidate[]): NoticeDetails {
  const [field, otherField] = [FIELD_OF_RULE[hit.rule], FIELD_OF_RULE[other.rule]];
  const otherPhones = [...new Map(others.map((each) => [each.key, each])).values()].slice(0, 2);
  return conflictOf({
    field: otherField,
    found: `${other.text} beside ${field} ${hit.text}`,
    expected: `one product; ${field} is ${describe(product)}, ${otherField} ${otherPhones.map(describe).join(' and ')}`,
    remedy: 'correct the feed, or the `matches` of the product',
  });
}

/** A stated storage or colour that differs from the product, or from the name. */
export function findReferenceConflict(product: Candidate, read: ReadReference): NoticeDetails | undefined {
  const { name, words, storage, colour } = read;
  const wrong = findConflictingStorage(product, read);
  if (wrong !== undefined) {
    return conflictOf({
      field: 'storage',
      found: `${wrong} in ${JSON.stringify(storage ?? name)}`,
      expected: `the storage that the name says, and that of ${describe(product)}`,
      remedy: 'correct the feed, or the `matches` of the product',
    });
  }
  if (words === undefined || colour === undefined || !isOtherColour(colour, coloursIn(words, product.name)))
    return undefined;
  return conflictOf({
    field: 'colour',
    found: `${colour}, named ${JSON.stringify(name)}`,
    expected: 'the colour that the name says',
    remedy: 'correct the colour or the name in the feed',
  });
}

/**
 * A stated storage that differs from the name or the product. The name of another phone says nothing about the product:
 * there the id decides.
 */
function findConflictingStorage(product: Candidate, read: ReadReference): string | undefined {
  const { named, declared } = storagesOf(read);
  if (named.length > 0 && declared.some((size) => !named.includes(size))) return declared[0];
  if (read.words !== undefined && !namesNoOtherModel(read.words, product.name)) return undefined;
  return [...named, ...declared].find((size) => !hasStorage(product, size));
}

/** The storages of a reference: in its name, and in a column of its own. */
function storagesOf({ words, storage }: ReadReference): Readonly<Record<'named' | 'declared', readonly string[]>> {
  const declared = parseDeclaredStorage(storage);
  return {
    named: (words?.words ?? []).filter((word) => isStorage(word)),
    declared: declared === undefined ? [] : [declared],
  };
}

/** Whether the product comes in the stated storages, as far as its name says. */
export function hasStorages(product: Candidate, read: ReadReference): boolean {
  const { named, declared } = storagesOf(read);
  return [...named, ...declared].every((size) => hasStorage(product, size));
}

function hasStorage({ name }: Candidate, size: string): boolean {
  return name.storage === undefined || name.words.includes(size);
}

function describe({ key, text }: Candidate): string {
  return `${key} ${quote(text)}`;
}

const FIELD_OF_RULE = {
  productId: 'productId',
  feedId: 'feedIds',
  gtin: 'gtin',
  statedName: 'productName',
  name: 'productName',
} as const satisfies Record<MatchRule, string>;

/** A part of a reference: its field and value, for notices. */
interface Term {
  readonly field: (typeof FIELD_OF_RULE)[MatchRule];
  readonly found: string;
}

function termOfHit({ rule, text }: Pick<Hit, 'rule' | 'text'>): Term {
  return { field: FIELD_OF_RULE[rule], found: text };
}

/** The part by which a reference names its product. */
export function termOf({ id, name, gtin, feedIds }: ProductReference): Term {
  if (id !== undefined) return termOfHit({ rule: 'productId', text: id });
  if (name !== undefined) return termOfHit({ rule: 'name', text: name });
  return termOfHit(gtin === undefined ? { rule: 'feedId', text: feedIds.join(', ') } : { rule: 'gtin', text: gtin });
}

/** What a reference names that means no product of the catalogue, or more than one. */
export type UnmatchedProduct = Omit<UnmatchedName, 'feed' | 'dealCount'>;

/** Why a reference matches no product. Without candidates, the nearest products are listed. */
export interface UnmatchedReason extends Term, Pick<UnmatchedProduct, 'code' | 'remedy'> {
  readonly expected?: string;
  readonly candidates?: readonly Candidate[];
}

export function ambiguousReason(hit: Hit, candidates: readonly Candidate[]): UnmatchedReason {
  return {
    code: 'ambiguous-product',
    ...termOfHit(hit),
    expected: `one product; it may be ${candidates.map(describe).join(' or ')}`,
    candidates,
    remedy: hit.rule === 'name' ? undefined : `leave ${quote(hit.text)} in the \`matches\` of one of them`,
  };
}

/** No product, or one in another condition only. */
export function absentReason(reference: ReadReference, [hit]: readonly Hit[]): UnmatchedReason {
  const { id, condition } = reference;
  const code = 'unknown-product';
  const [product] = hit?.products ?? [];
  if (hit !== undefined && product !== undefined) {
    return {
      code,
      ...termOfHit(hit),
      expected: `a ${condition} product; ${describe(product)} is only ${product.condition}`,
      remedy: `add the ${condition} variant of product ${product.id}, or correct the condition in the feed`,
      candidates: [],
    };
  }
  if (id === undefined) return { code, ...termOf(reference) };
  const remedy = `add product ${id}/${condition} to the CMS, or correct the id in the feed`;
  return { code, ...termOf(reference), expected: 'the id of a product', remedy };
}

/** An excluded product of the CMS is meant. Publishing or correcting it is all that its deals need. */
export function excludedReason({ key, name, file, code }: ExcludedProduct, hit: Hit): UnmatchedReason {
  const called = name === undefined ? key : `${key} ${quote(name)}`;
  return {
    code: 'unknown-product',
    ...termOfHit(hit),
    expected: `a product that is served; ${called} is left out (${file ?? 'the CMS'}): ${NOTICES[code].meaning}`,
    remedy: `${code === 'unpublished' ? 'publish' : 'mend'} ${key} in the CMS; deals explain ${key} tells where it is`,
    candidates: [],
  };
}

export function describeNearest(candidates: readonly Candidate[]): string {
  return candidates.length === 0
    ? 'a product of the catalogue'
    : `a product of the catalogue; the nearest are ${candidates.map(describe).join(', ')}`;
}

/**
 * The line for `matches` that an editor can paste. It names a product only when a single one is possible and its name
 * does not contradict it. Pasted without checking, it must not sell one phone as another.
 */
export function suggestRemedy(
  { name, words }: ReadReference,
  [first, ...others]: readonly Candidate[],
): string | undefined {
  if (first === undefined || others.length > 0 || name === undefined || words === undefined) return undefined;
  if (namesAnotherModel(words, first.name)) return undefined;
  return `if it is the same phone, add ${writeMatchesLine(name)} to product ${first.key}`;
}
