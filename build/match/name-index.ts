import { groupBy } from '../source/record.ts';
import type { Candidate, Hit } from './candidates.ts';
import { compareNames, subtractWords, type FeedName, type NameAgreement, type ProductName } from './compare-names.ts';
import { isSeriesWord } from './maker-names.ts';
import { isStorage, keyOfWords, VARIANTS } from './name-words.ts';

/** A text with more other words than this does not name that phone. */
const MAX_LEFTOVERS = 6;

/** The products, in either condition, whose names agree, and those that the name may mean as well. */
type Found = Pick<Hit, 'products' | 'namesakes'>;

/** Finds the products that a name of a feed may mean. */
export interface NameIndex {
  find(name: FeedName): Found;
  /** The same without known colours. The result may contradict an id, but is not enough to find a product. */
  findInAnyColour(name: FeedName): Found;
}

export function createNameIndex(all: readonly Candidate[]): NameIndex {
  const byMaker = groupBy(all, ({ name }) => [name.maker]);
  const wordsOfMaker = new Map(
    [...byMaker].map(([maker, products]) => [maker, new Set(products.flatMap(({ name }) => name.coreWords))]),
  );
  const byRarestWord = groupByRarestWord(all);
  const byModelName = groupBy(all, ({ name }) => [modelKey(name, name.coreWords)]);
  const byFullName = groupBy(all, ({ name }) => [fullKey(name)]);
  const bySeries = groupBy(all, ({ name }) => name.words.filter((word) => isSeriesWord(word)));

  function findWith(name: FeedName, withColours: boolean): Found {
    // A matching name holds every word of the model, so also the rarest.
    const words = new Set([...name.words, ...name.declaredColours, '']);
    const products: Candidate[] = [];
    const namesakes: Candidate[] = [];
    for (const product of [...words].flatMap((word) => byRarestWord.get(word) ?? [])) {
      const makerWords = withColours ? wordsOfMaker.get(product.name.maker) : undefined;
      const agreement = compareNames(name, product.name, makerWords ?? new Set());
      if (agreement === undefined || hasSibling(product, agreement) || isRivalledByRam(name, product)) continue;
      if (agreement.lacksSeries && hasTwin(product)) continue;
      products.push(product);
      if (agreement.lacksMaker) namesakes.push(...findNamesakes(name, product));
      if (agreement.lacksSeries) namesakes.push(...findOtherSeries(product));
    }
    return { products, namesakes };
  }

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

  return { find: (name) => findWith(name, true), findInAnyColour: (name) => findWith(name, false) };
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
