import type { MatchRule, ProductReference } from '../../data/record/deal.ts';
import { compareIds } from '../../data/record/id.ts';
import { recordKey, type Condition } from '../../data/record/product.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { Manufacturer } from '../../data/snapshot/format.ts';
import type { ExcludedProduct, JoinedRecords, SuppressedProduct } from '../records/join-records.ts';
import { groupBy } from '../source/record.ts';
import {
  createProductName,
  identifiesPhone,
  startsWithMaker,
  type FeedName,
  type ProductName,
} from './compare-names.ts';
import { createMakerNames, type MakerNames } from './maker-names.ts';
import { createNameIndex, type NameIndex, type Named } from './name-index.ts';
import { keyOfWords, parseNameWords, type NameWords } from './name-words.ts';
import { PHONES } from './phone-lists.ts';

/** A product of the CMS that a deal may mean. */
export interface Candidate {
  readonly id: string;
  /** Its name in comparable form; undefined when it could not be read. */
  readonly name: ProductName | undefined;
  readonly matches: Notice['matches'];
}

/** A product that a deal may be for: a served one, or a suppressed one, whose deals must not go to another product. */
export interface MatchableProduct extends Candidate {
  /** `101/new`. */
  readonly key: string;
  readonly condition: Condition;
  /** Its name in the CMS. */
  readonly text: string;
  readonly name: ProductName;
  /** Row in the catalogue, unless it is suppressed. */
  readonly row: number | undefined;
  /** Why it is suppressed, if it is. */
  readonly suppressed: SuppressedProduct['code'] | undefined;
}

/** A product of the CMS that is not served; notices about deals that mean it name it. */
export interface ExcludedCandidate extends Candidate {
  readonly product: ExcludedProduct;
}

/** The products that a deal may be for, in order of the catalogue, suppressed ones last; and the excluded ones. */
export function listCandidates({ records, suppressed, excluded }: JoinedRecords): {
  readonly products: readonly MatchableProduct[];
  readonly excluded: readonly ExcludedCandidate[];
} {
  const makers = listMakers(records.manufacturers);
  const all = [
    ...records.products.map((product, row) => ({ product, row, code: undefined })),
    ...suppressed.map(({ product, code }) => ({ product, row: undefined, code })),
  ];
  return {
    products: all.map(({ product: { record }, row, code }) => ({
      key: recordKey(record),
      id: record.id,
      condition: record.condition,
      text: record.name,
      name: nameProduct(record.name, record.condition, record.manufacturer, makers),
      matches: record.matches,
      row,
      suppressed: code,
    })),
    excluded: excluded.map((product) => ({
      id: product.id,
      name: product.name === undefined ? undefined : nameProduct(product.name, product.condition, undefined, makers),
      matches: product.matches,
      product,
    })),
  };
}

/** The spellings of each maker by its slug: those of the CMS, and those of our list that the CMS lacks. */
type Makers = ReadonlyMap<string, MakerNames>;

function listMakers(manufacturers: readonly Manufacturer[]): Makers {
  const makers = new Map(manufacturers.map(({ slug, name }) => [slug, createMakerNames(slug, name)]));
  const listed = new Set(manufacturers.map(({ slug }) => slug.replaceAll('-', '')));
  for (const { slug } of PHONES.makers) if (!listed.has(slug)) makers.set(slug, createMakerNames(slug));
  return makers;
}

/**
 * Without a maker in the CMS it is the one with which the name begins, by its name or by a series. A grade in the name of
 * a new phone is a word of its model (`Note Pristine`).
 */
function nameProduct(
  name: string,
  condition: Condition | undefined,
  manufacturer: string | undefined,
  makers: Makers,
): ProductName {
  const parsed = parseNameWords(name, () => condition === 'new');
  const leading = [...makers].find(([, names]) => startsWithMaker(parsed.words, 0, names));
  const maker = manufacturer ?? leading?.[0];
  return createProductName(parsed, maker, makers.get(maker ?? '') ?? createMakerNames(maker));
}

/** A reference whose condition is known, and whose name is in comparable form, if it has any word. */
export interface ReadReference extends ProductReference {
  readonly condition: Condition;
  readonly words: FeedName | undefined;
}

/** What one part of a reference finds: phones in any condition. */
interface Hit<Found extends Candidate> {
  readonly rule: MatchRule;
  /** The part of the reference. */
  readonly text: string;
  readonly products: readonly Found[];
  /** Other phones that a name may mean, because it leaves something out. */
  readonly namesakes: readonly Found[];
}

export type MatchableHit = Hit<MatchableProduct>;

/** The one index of candidates, by everything that a reference may name. */
export interface CandidateIndex<Found extends Candidate> {
  readonly byId: ReadonlyMap<string, readonly Found[]>;
  /** What the parts of a reference of the feed `feed` find, most exact first; parts that find nothing are left out. */
  lookUp(feed: string, reference: ReadReference): readonly Hit<Found>[];
  readonly names: NameIndex<Found>;
}

export function createCandidateIndex<Found extends Candidate>(products: readonly Found[]): CandidateIndex<Found> {
  const byId = groupBy(products, ({ id }) => [id]);
  const byFeedId = groupBy(products, ({ matches }) =>
    Object.entries(matches?.feedIds ?? {}).flatMap(([feed, ids]) => ids.map((id) => `${feed}/${id}`)),
  );
  const byGtin = groupBy(products, ({ matches }) =>
    (matches?.gtins ?? []).flatMap((gtin) => normaliseGtin(gtin) ?? []),
  );
  const byStatedName = groupBy(products, ({ matches }) =>
    (matches?.names ?? []).map((name) => keyOfName(parseNameWords(name))),
  );
  const names = createNameIndex(products.filter((product) => hasName(product)));

  return {
    byId,
    names,
    lookUp(feed, { id = '', feedIds, gtin = '', name: text = '', words: name }) {
      const hit = (rule: MatchRule, part: string, found: readonly Found[] = []): readonly Hit<Found>[] =>
        found.length === 0 ? [] : [{ rule, text: part, products: found, namesakes: [] }];
      const stated = name === undefined ? [] : hit('statedName', text, byStatedName.get(keyOfName(name)));
      return [
        ...hit('productId', id, byId.get(id)),
        ...feedIds.flatMap((feedId) => hit('feedId', feedId, byFeedId.get(`${feed}/${feedId}`))),
        ...hit('gtin', gtin, byGtin.get(normaliseGtin(gtin) ?? '')),
        ...(name === undefined || stated.length > 0 ? stated : findByName(text, name)),
      ];
    },
  };

  function findByName(text: string, name: FeedName): readonly Hit<Found>[] {
    const found = names.find(name);
    return found.products.length === 0 ? [] : [{ rule: 'name', text, ...found }];
  }
}

function hasName<Found extends Candidate>(product: Found): product is Found & Named {
  return product.name !== undefined;
}

/** A key of the parts of a name that identify a phone. */
function keyOfName({ words, ram }: NameWords): string {
  return `${keyOfWords(words)} ${ram ?? ''}`;
}

/** A GTIN of any length as 14 digits; undefined when it is none. */
function normaliseGtin(text: string): string | undefined {
  const digits = text.replace(/[ -]/g, '');
  return /^[0-9]{8,14}$/.test(digits) && /[1-9]/.test(digits) ? digits.padStart(14, '0') : undefined;
}

const NEAREST_COUNT = 3;

/**
 * Finds the products of a condition whose names share the most words with a name that matched none. One of these words
 * must identify a phone or its maker: storage and `5G` in common do not make two phones alike.
 */
export type FindNearestProducts = (words: readonly string[], condition: Condition) => readonly MatchableProduct[];

export function createNearestProductFinder(products: readonly MatchableProduct[]): FindNearestProducts {
  const served = products.filter((product) => product.row !== undefined);
  const byWord = groupBy(served, ({ name }) => name.words);

  return (words, condition) => {
    const shared = groupBy([...new Set(words)], (word) => byWord.get(word) ?? []);
    return [...shared]
      .filter(([product, sharedWords]) => product.condition === condition && identifiesPhone(sharedWords))
      .sort(
        ([a, wordsOfA], [b, wordsOfB]) =>
          wordsOfB.length - wordsOfA.length || a.name.words.length - b.name.words.length || compareIds(a.id, b.id),
      )
      .slice(0, NEAREST_COUNT)
      .map(([product]) => product);
  };
}
