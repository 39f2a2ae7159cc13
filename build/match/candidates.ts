import type { MatchRule, ProductReference } from '../../data/record/deal.ts';
import { compareIds } from '../../data/record/id.ts';
import { recordKey, type Condition, type ProductRecord } from '../../data/record/product.ts';
import type { Manufacturer } from '../../data/snapshot/format.ts';
import type { NoticeDetails } from '../ledger/ledger.ts';
import type { JoinedRecords } from '../records/join-records.ts';
import { groupBy, type ExcludedProduct } from '../source/record.ts';
import {
  compareNames,
  createProductName,
  identifiesPhone,
  startsWithMaker,
  subtractWords,
  type FeedName,
  type NameAgreement,
  type ProductName,
} from './compare-names.ts';
import { createMakerNames, isSeriesWord, type MakerNames } from './maker-names.ts';
import { parseNameWords, type NameWords } from './name-words.ts';
import { isStorage, keyOfWords, PHONES, VARIANTS } from './phone-words.ts';

/**
 * A product of the CMS that a deal may mean: a served one, a suppressed one, whose deals must not go to another product,
 * or an excluded one, which notices name.
 */
export interface Candidate {
  /** `101/new`. */
  readonly key: string;
  readonly id: string;
  readonly condition: Condition;
  /** Its name in the CMS; empty when it could not be read. */
  readonly text: string;
  readonly name: ProductName;
  readonly matches: ProductRecord['matches'];
  /** Row in the catalogue, if it is served. */
  readonly row?: number;
  /** Why its deals are not served, if it is suppressed. */
  readonly suppressed?: NoticeDetails;
  readonly excluded?: ExcludedProduct;
}

/** The products that a deal may be for, in order of the catalogue, suppressed ones last; and the excluded ones. */
export function listCandidates({ records, suppressed, excluded }: JoinedRecords): {
  readonly products: readonly Candidate[];
  readonly excluded: readonly Candidate[];
} {
  const makers = listMakers(records.manufacturers);
  const all = [
    ...records.products.map(({ record }, row) => ({ record, row })),
    ...suppressed.map(({ product: { record }, details }) => ({ record, suppressed: details })),
  ];
  return {
    products: all.map(({ record, ...state }) => ({
      key: recordKey(record),
      id: record.id,
      condition: record.condition,
      text: record.name,
      name: nameProduct(record.name, record.condition, record.manufacturer, makers),
      matches: record.matches,
      ...state,
    })),
    excluded: excluded.map((product) => ({
      key: product.key,
      id: product.id,
      condition: product.condition ?? 'new',
      text: product.name ?? '',
      name: nameProduct(product.name ?? '', product.condition, undefined, makers),
      matches: product.matches,
      excluded: product,
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
export interface Hit {
  readonly rule: MatchRule;
  /** The part of the reference. */
  readonly text: string;
  readonly products: readonly Candidate[];
  /** Other phones that a name may mean, because it leaves something out. */
  readonly namesakes: readonly Candidate[];
}

/** An index of candidates, by everything that a reference may name. */
interface CandidateIndex {
  readonly findName: FindName;
  /** What the parts of a reference of the feed `feed` find, most exact first; parts that find nothing are left out. */
  lookUp(feed: string, reference: ReadReference): readonly Hit[];
}

export function createCandidateIndex(products: readonly Candidate[]): CandidateIndex {
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
  const findName = createNameFinder(products.filter(({ text }) => text !== ''));

  return {
    findName,
    lookUp(feed, { id = '', feedIds, gtin = '', name: text = '', words }) {
      const hit = (rule: MatchRule, part: string, found: readonly Candidate[] = []): Hit => ({
        rule,
        text: part,
        products: found,
        namesakes: [],
      });
      const stated = words === undefined ? undefined : byStatedName.get(keyOfName(words));
      const hits: readonly Hit[] = [
        hit('productId', id, byId.get(id)),
        ...feedIds.map((feedId) => hit('feedId', feedId, byFeedId.get(`${feed}/${feedId}`))),
        hit('gtin', gtin, byGtin.get(normaliseGtin(gtin) ?? '')),
        words === undefined || stated !== undefined
          ? hit('statedName', text, stated)
          : { rule: 'name', text, ...findName(words) },
      ];
      return hits.filter(({ products: found }) => found.length > 0);
    },
  };
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

/** A text with more other words than this does not name that phone. */
const MAX_LEFTOVERS = 6;

/**
 * Finds the products, in either condition, whose names agree with one of a feed, and those that it may mean as well. What
 * is found `inAnyColour` may contradict an id, but is not enough to find a product.
 */
type FindName = (name: FeedName, inAnyColour?: boolean) => Pick<Hit, 'products' | 'namesakes'>;

function createNameFinder(all: readonly Candidate[]): FindName {
  const byMaker = groupBy(all, ({ name }) => [name.maker]);
  const wordsOfMaker = new Map(
    [...byMaker].map(([maker, products]) => [maker, new Set(products.flatMap(({ name }) => name.coreWords))]),
  );
  const byRarestWord = groupByRarestWord(all);
  const byModelName = groupBy(all, ({ name }) => [modelKey(name, name.coreWords)]);
  const byFullName = groupBy(all, ({ name }) => [fullKey(name)]);
  const bySeries = groupBy(all, ({ name }) => name.words.filter((word) => isSeriesWord(word)));

  const find: FindName = (name, inAnyColour = false) => {
    // A matching name holds every word of the model, so also the rarest.
    const words = new Set([...name.words, ...name.declaredColours, '']);
    const products: Candidate[] = [];
    const namesakes: Candidate[] = [];
    for (const product of [...words].flatMap((word) => byRarestWord.get(word) ?? [])) {
      const makerWords = inAnyColour ? undefined : wordsOfMaker.get(product.name.maker);
      const agreement = compareNames(name, product.name, makerWords ?? new Set());
      if (agreement === undefined || hasSibling(product, agreement) || isRivalledByRam(name, product)) continue;
      if (agreement.lacksSeries && hasTwin(product)) continue;
      products.push(product);
      if (agreement.lacksMaker) namesakes.push(...findNamesakes(name, product));
      if (agreement.lacksSeries) namesakes.push(...findOtherSeries(product));
    }
    return { products, namesakes };
  };

  /**
   * Whether another model differs from this one by just what is left over, or by a part of it. The storage does not
   * count: a name with the words of that model and a storage that it does not come in still means that model.
   */
  function hasSibling({ id, name }: Candidate, { feedLeftovers, productLeftovers }: NameAgreement): boolean {
    const count = feedLeftovers.length + productLeftovers.length;
    if (count > MAX_LEFTOVERS) return true;
    for (let chosen = 1; chosen < 1 << count; chosen++) {
      const added = feedLeftovers.filter((_, i) => chosen & (1 << i));
      const removed = productLeftovers.filter((_, i) => chosen & (1 << (feedLeftovers.length + i)));
      const words = [...subtractWords(name.coreWords, removed), ...added];
      if (byModelName.get(modelKey(name, words))?.some((sibling) => sibling.id !== id) === true) return true;
    }
    return false;
  }

  /** Other products with the same words. */
  function listNamesSame({ id, name }: Candidate): readonly Candidate[] {
    return (byFullName.get(fullKey(name)) ?? []).filter((other) => other.id !== id);
  }

  /** Whether another product differs by RAM alone. Then the RAM of the name must be that of this product. */
  function isRivalledByRam({ ram }: FeedName, product: Candidate): boolean {
    const { ram: own } = product.name;
    return ram !== undefined && ram !== own && listNamesSame(product).some(({ name }) => name.ram !== own);
  }

  /** Whether the maker has another phone with the same words that differs only in the series. */
  function hasTwin(product: Candidate): boolean {
    return listNamesSame(product).some(({ name }) => name.saysSeries !== product.name.saysSeries);
  }

  /** Phones of the maker that have the words of the name and one more, in place of the missing series. */
  function findOtherSeries({ id, name }: Candidate): readonly Candidate[] {
    return (byMaker.get(name.maker) ?? []).filter((other) => {
      const added = subtractWords(other.name.coreWords, name.coreWords);
      const isLonger = other.name.coreWords.length === name.coreWords.length + added.length;
      // A word of a series is no variant and has no number.
      const isSeries = (word: string): boolean => /^\p{L}{2,}$/u.test(word) && !VARIANTS.has(word);
      return other.id !== id && isLonger && added.length > 0 && added.every(isSeries);
    });
  }

  /** Phones of other makers whose names have all identifying words of this one, and the series of the name. */
  function findNamesakes({ words }: FeedName, { id, name }: Candidate): readonly Candidate[] {
    const series = words.filter((word) => isSeriesWord(word));
    const identity = [...name.modelWords, ...series];
    return (bySeries.get(series[0] ?? '') ?? []).filter(
      (other) =>
        other.name.maker !== name.maker && other.id !== id && identity.every((word) => other.name.words.includes(word)),
    );
  }

  return find;
}

function modelKey({ maker }: ProductName, words: readonly string[]): string {
  return `${maker ?? ''}/${keyOfWords(words.filter((word) => !isStorage(word)))}`;
}

function fullKey({ maker, coreWords }: ProductName): string {
  return `${maker ?? ''}/${keyOfWords(coreWords)}`;
}

/** Each product under the one word of its model that the fewest products share; under '' when it has none. */
function groupByRarestWord(products: readonly Candidate[]): ReadonlyMap<string, readonly Candidate[]> {
  const byWord = groupBy(products, ({ name }) => name.modelWords);
  const countOf = (word: string): number => byWord.get(word)?.length ?? Infinity;
  return groupBy(products, ({ name }) => [
    name.modelWords.reduce((rarest, word) => (countOf(word) < countOf(rarest) ? word : rarest), ''),
  ]);
}

const NEAREST_COUNT = 3;

/**
 * Finds the products of a condition whose names share the most words with a name that matched none. One of these words
 * must identify a phone or its maker: storage and `5G` in common do not make two phones alike.
 */
type FindNearestProducts = (words: readonly string[], condition: Condition) => readonly Candidate[];

export function createNearestProductFinder(products: readonly Candidate[]): FindNearestProducts {
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
