import { groupBy } from '../source/record.ts';
import {
  compareNames,
  mandatoryWordsOf,
  mayBeSeriesWord,
  modelWordsOf,
  subtractWords,
  type FeedName,
  type NameAgreement,
  type ProductName,
} from './compare-names.ts';
import { isSeriesWord } from './maker-names.ts';
import { isStorage, keyOfWords } from './name-words.ts';

/** A text with more other words than this does not name that phone. */
const MAX_LEFTOVERS = 6;

const NO_WORDS: ReadonlySet<string> = new Set();

/** What is found by name. */
export interface Named {
  readonly id: string;
  readonly name: ProductName;
}

interface NamedProducts<Product> {
  /** The products, in either condition, whose names agree. */
  readonly products: readonly Product[];
  /** Other phones that the name may mean, because it leaves out the maker or the series. */
  readonly namesakes: readonly Product[];
}

/** Finds the products that a name of a feed may mean. */
export interface NameIndex<Product> {
  find(name: FeedName): NamedProducts<Product>;
  /** The same without known colours. The result may contradict an id, but is not enough to find a product. */
  findInAnyColour(name: FeedName): NamedProducts<Product>;
}

export function createNameIndex<Product extends Named>(products: readonly Product[]): NameIndex<Product> {
  const wordsOfMaker = collectMakerWords(products);
  const byRarestWord = groupByRarestWord(products);
  const byModelName = groupBy(products, ({ name }) => [modelKey(name.maker, name.coreWords)]);
  const byMaker = groupBy(products, ({ name }) => [name.maker ?? '']);
  const bySeries = groupBy(products, ({ name }) => name.words.filter((word) => isSeriesWord(word)));
  const byFullName = groupBy(products, ({ name }) => [fullKey(name)]);

  function findWith(
    name: FeedName,
    makerWordsOf: (maker: string | undefined) => ReadonlySet<string>,
  ): NamedProducts<Product> {
    const agreeing: Product[] = [];
    const namesakes: Product[] = [];
    for (const product of listCandidates(name)) {
      const agreement = compareNames(name, product.name, makerWordsOf(product.name.maker));
      if (agreement === undefined || hasSibling(product, agreement) || isRivalledByRam(name, product)) continue;
      if (agreement.lacksSeries && hasTwin(product)) continue;
      agreeing.push(product);
      if (agreement.lacksMaker) namesakes.push(...findNamesakes(name, product));
      if (agreement.lacksSeries) namesakes.push(...findOtherSeries(product));
    }
    return { products: agreeing, namesakes };
  }

  /** A matching name holds every mandatory word of a product, so also the rarest. */
  function listCandidates(name: FeedName): readonly Product[] {
    const words = new Set([...name.words, ...name.declaredColours, '']);
    return [...words].flatMap((word) => byRarestWord.get(word) ?? []);
  }

  /**
   * Whether another model differs from this one by just what is left over, or by a part of it. The storage does not
   * count: a name with the words of that model and a storage that it does not come in still means that model.
   */
  function hasSibling(product: Product, { feedLeftovers, productLeftovers }: NameAgreement): boolean {
    const leftovers = [...feedLeftovers, ...productLeftovers];
    if (leftovers.length > MAX_LEFTOVERS) return true;
    for (let chosen = 1; chosen < 1 << leftovers.length; chosen++) {
      const isChosen = (position: number): boolean => (chosen & (1 << position)) !== 0;
      const added = feedLeftovers.filter((_, i) => isChosen(i));
      const removed = productLeftovers.filter((_, i) => isChosen(feedLeftovers.length + i));
      const words = [...subtractWords(product.name.coreWords, removed), ...added];
      const siblings = byModelName.get(modelKey(product.name.maker, words)) ?? [];
      if (siblings.some((sibling) => sibling.id !== product.id)) return true;
    }
    return false;
  }

  /** Whether another product differs by RAM alone. Then the RAM of the name must be that of this product. */
  function isRivalledByRam({ ram }: FeedName, { id, name: product }: Product): boolean {
    const others = byFullName.get(fullKey(product)) ?? [];
    return (
      ram !== undefined &&
      ram !== product.ram &&
      others.some((other) => other.id !== id && other.name.ram !== product.ram)
    );
  }

  /** Whether the maker has another phone with the same words that differs only in the series. */
  function hasTwin({ id, name }: Product): boolean {
    return (byFullName.get(fullKey(name)) ?? []).some(
      (other) => other.id !== id && other.name.saysSeries !== name.saysSeries,
    );
  }

  /** Phones of the maker that have the words of the name and one more, in place of the missing series. */
  function findOtherSeries({ id, name }: Product): readonly Product[] {
    return (byMaker.get(name.maker ?? '') ?? []).filter((other) => {
      if (other.id === id || subtractWords(name.coreWords, other.name.coreWords).length > 0) return false;
      const added = subtractWords(other.name.coreWords, name.coreWords);
      return added.length > 0 && added.every((word) => mayBeSeriesWord(word));
    });
  }

  /** Phones of other makers whose names have all identifying words of this one, and the series of the name. */
  function findNamesakes({ words }: FeedName, product: Product): readonly Product[] {
    const identity = [...modelWordsOf(product.name), ...words.filter((word) => isSeriesWord(word))];
    const [series = ''] = words.filter((word) => isSeriesWord(word));
    return (bySeries.get(series) ?? []).filter(
      (other) =>
        other.name.maker !== product.name.maker &&
        other.id !== product.id &&
        identity.every((word) => other.name.words.includes(word)),
    );
  }

  return {
    find: (name) => findWith(name, (maker) => wordsOfMaker.get(maker) ?? NO_WORDS),
    findInAnyColour: (name) => findWith(name, () => NO_WORDS),
  };
}

function modelKey(maker: string | undefined, words: readonly string[]): string {
  return `${maker ?? ''}/${keyOfWords(words.filter((word) => !isStorage(word)))}`;
}

function fullKey({ maker, coreWords }: ProductName): string {
  return `${maker ?? ''}/${keyOfWords(coreWords)}`;
}

function collectMakerWords(products: readonly Named[]): ReadonlyMap<string | undefined, ReadonlySet<string>> {
  const wordsOfMaker = new Map<string | undefined, Set<string>>();
  for (const { name } of products) {
    const words = wordsOfMaker.get(name.maker) ?? new Set();
    for (const word of name.coreWords) words.add(word);
    wordsOfMaker.set(name.maker, words);
  }
  return wordsOfMaker;
}

/** Each product under the one mandatory word that the fewest products share; under '' when it has none. */
function groupByRarestWord<Product extends Named>(
  products: readonly Product[],
): ReadonlyMap<string, readonly Product[]> {
  const frequency = new Map<string, number>();
  for (const { name } of products) {
    for (const word of new Set(mandatoryWordsOf(name))) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  return groupBy(products, ({ name }) => [
    mandatoryWordsOf(name).reduce(
      (rarest, word) =>
        rarest === '' || (frequency.get(word) as number) < (frequency.get(rarest) as number) ? word : rarest,
      '',
    ),
  ]);
}
