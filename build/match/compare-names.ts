import type { ProductReference } from '../../data/record/deal.ts';
import {
  findColourPositions,
  isColour,
  isColourWord,
  isOfModel,
  isStorage,
  keyOfWords,
  MOBILE_GENERATIONS,
  numbersOf,
  SIM_WORDS,
  startsAt,
  VARIANTS,
} from './phone-words.ts';
import { isInBothForms, type MakerNames, withoutMaker } from './maker-names.ts';
import { type NameWords, parseNameWords, readBareStorage } from './name-words.ts';

/** The name of a product in comparable form. */
export interface ProductName extends NameWords {
  /** The maker that the CMS states or that the name begins with. */
  readonly maker: string | undefined;
  readonly makerNames: MakerNames;
  /** The words without the maker, and without a series that may be missing. */
  readonly coreWords: readonly string[];
  /** Those that identify the phone, without storage and connectivity. */
  readonly modelWords: readonly string[];
  readonly storage: string | undefined;
  readonly saysSeries: boolean;
  /** Sold both with and without 5G: the word tells two phones apart. */
  readonly isInBothForms: boolean;
}

/** The name of a phone in a feed, in comparable form. */
export interface FeedName extends NameWords {
  /** The words of the stated colour, as far as they can be one. */
  readonly declaredColours: ReadonlySet<string>;
  /** Words of the stated colour that tell models apart, where the name has the whole colour: `Ultra Violet`. */
  readonly colourVariants: readonly string[];
  /** The stated storage; it belongs to the name when the name has none. */
  readonly declaredStorage: string | undefined;
  /** Positions in `words` of known colours. */
  readonly colourPositions: ReadonlySet<number>;
}

/** The words in which two matching names differ. */
export interface NameAgreement {
  readonly feedLeftovers: readonly string[];
  readonly productLeftovers: readonly string[];
  /** The name has no maker, and a series word implies it. */
  readonly lacksMaker: boolean;
  /** One of the two names has the series, the other only the maker. */
  readonly lacksSeries: boolean;
}

export function createFeedName(
  name: string,
  { colour, storage }: Pick<ProductReference, 'colour' | 'storage'>,
  isModelGrade: Parameters<typeof parseNameWords>[1],
): FeedName {
  const parsed = parseNameWords(name, isModelGrade);
  const { words } = parsed;
  const colourWords = colour === undefined ? [] : parseNameWords(colour).words;
  const saysColour = words.some((_, i) => startsAt(words, i, colourWords));
  return {
    ...parsed,
    declaredStorage: parseDeclaredStorage(storage),
    declaredColours: new Set(
      colourWords.filter((word) => isColour(word) || (isPlainWord(word) && !SIM_WORDS.has(word))),
    ),
    colourVariants: saysColour ? colourWords.filter((word) => VARIANTS.has(word)) : [],
    colourPositions: findColourPositions(words),
  };
}

export function createProductName(parsed: NameWords, maker: string | undefined, makerNames: MakerNames): ProductName {
  const { words, saysSeries } = withoutMaker(parsed.words, makerNames);
  return {
    ...parsed,
    maker,
    makerNames,
    coreWords: words,
    modelWords: words.filter((word) => isOfModel(word)),
    storage: words.find((word) => isStorage(word)),
    saysSeries,
    isInBothForms: isInBothForms(words, makerNames),
  };
}

/**
 * Compares the words of a feed's name with those of the product, and returns the words that are left over. These may be
 * left over: `5G` that the feed adds; SIM types on one side; words of a colour on one side. The colour is one that the
 * feed states, or a known colour at the end of the model that no name of the maker has (`makerWords`). `undefined` is
 * no match.
 */
export function compareNames(
  feed: FeedName,
  product: ProductName,
  makerWords: ReadonlySet<string>,
): NameAgreement | undefined {
  const { words: said, saysMaker, saysSeries } = withoutMaker(feed.words, product.makerNames);
  const feedCore = withStorage(said, product.storage, feed.declaredStorage);
  const feedLeftovers = subtractWords(feedCore, product.coreWords);
  const productLeftovers = subtractWords(product.coreWords, feedCore);
  const areSameSizes = feed.ram === undefined || product.ram === undefined || feed.ram === product.ram;
  if (product.coreWords.length === 0 || !areSameSizes || !isOneSided(feedLeftovers, productLeftovers)) return undefined;
  if (numbersOf(feedCore) !== numbersOf(product.coreWords)) return undefined;
  if (!isInOrder(feedCore, product) || saysVariantAsColour(feed, product)) return undefined;

  // A stated colour word counts unless a name of the maker has it with another meaning (`Fusion`).
  const canBeLeft = (word: string): boolean =>
    SIM_WORDS.has(word) || (feed.declaredColours.has(word) && (isColourWord(word) || !makerWords.has(word)));
  if (!productLeftovers.every(canBeLeft) || endsInColourOfModel(feed, product)) return undefined;
  const known = knownColours(feed, product, makerWords);
  if (!feedLeftovers.every((word) => canBeLeft(word) || known.has(word) || mayBeAdded(word, product))) return undefined;

  const mayLackSeries = saysSeries || !product.saysSeries || (saysMaker && identifiesModel(feedCore, product));
  if (!mayLackSeries || !(saysMaker || impliesMaker(feed, product))) return undefined;
  return {
    feedLeftovers,
    productLeftovers,
    lacksMaker: product.maker !== undefined && !saysMaker,
    lacksSeries: saysSeries !== product.saysSeries,
  };
}

/** Whether the words of the model stand on the same side of its number: `21 note` is not `note 21`. */
function isInOrder(feedCore: readonly string[], { modelWords }: ProductName): boolean {
  const wordsBefore = beforeNumber(modelWords, modelWords);
  return wordsBefore === undefined || keyOfWords(wordsBefore) === keyOfWords(beforeNumber(feedCore, modelWords) ?? []);
}

/** The words of `model` before the first number that is no year; colours may stand anywhere. */
function beforeNumber(words: readonly string[], model: readonly string[]): readonly string[] | undefined {
  const end = words.findIndex((word) => /^[0-9]+$/.test(word) && !/^(?:19|20)[0-9]{2}$/.test(word));
  return end === -1 ? undefined : words.slice(0, end).filter((word) => model.includes(word) && !isColourWord(word));
}

/** Whether the name has a variant of the model only as a word of the stated colour: the `Ultra` of `S21 Ultra Violet`. */
function saysVariantAsColour({ words, colourVariants }: FeedName, product: ProductName): boolean {
  const count = (list: readonly string[], word: string): number => list.filter((each) => each === word).length;
  return colourVariants.some((word) => count(words, word) - 1 < count(product.coreWords, word));
}

/** The words with the product's storage added, when they have it without a unit, or the feed states it elsewhere. */
function withStorage(
  words: readonly string[],
  storage: string | undefined,
  declared: string | undefined,
): readonly string[] {
  if (storage === undefined) return words;
  const isAdded = declared === storage && !words.some((word) => isStorage(word));
  return readBareStorage(words, storage) ?? (isAdded ? [...words, storage] : words);
}

/** The stated storage, `128GB` or `128`; undefined when it is none. */
export function parseDeclaredStorage(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  return parseNameWords(/^[0-9]+$/.test(text.trim()) ? `${text}GB` : text).words.find(
    (word) => isStorage(word) && /[1-9]/.test(word),
  );
}

/** Whether a name has a series of the maker. Without a known maker, the name must have more than a model code. */
function impliesMaker({ words }: FeedName, { maker, makerNames, modelWords, words: own }: ProductName): boolean {
  const { unsaid, series } = makerNames;
  const isSeries = (word: string): boolean => word === unsaid || (series.includes(word) && own.includes(word));
  return words.some(isSeries) || (maker === undefined && modelWords.some((word) => isPlainWord(word)));
}

/**
 * Whether the words identify a model of a series that they do not name: `a54` does, `fold` may be of another series.
 */
function identifiesModel(words: readonly string[], { makerNames }: ProductName): boolean {
  return (
    makerNames.unsaid === 'iphone' ||
    (words.includes('z') && (words.includes('flip') || words.includes('fold'))) ||
    words.some((word) => /[0-9]/.test(word) && !isStorage(word) && !MOBILE_GENERATIONS.has(word))
  );
}

/** A feed may add `5G`, or `4G` where the product does not say `5G`, unless that tells two phones apart. */
function mayBeAdded(word: string, product: ProductName): boolean {
  if (!MOBILE_GENERATIONS.has(word) || product.isInBothForms) return false;
  return !product.coreWords.some((each) => MOBILE_GENERATIONS.has(each));
}

/** A word of letters that is no variant: `kestrel`, not `k9`, `pro` or `128gb`. */
function isPlainWord(word: string): boolean {
  return /^\p{L}{3,}$/u.test(word) && !VARIANTS.has(word);
}

/** Whether the words identify a phone or its maker: `a54` does; `12 pro`, `note 10` and `5g 128gb` do not. */
export function identifiesPhone(words: readonly string[]): boolean {
  return words.some(
    (word) =>
      word.length > 1 &&
      /\p{L}/u.test(word) &&
      !VARIANTS.has(word) &&
      isOfModel(word) &&
      !/^[0-9]+(?:st|nd|rd|th)$/.test(word),
  );
}

/**
 * Whether the words that two names do not share make them different phones: a storage, a number, a possible Plus sign,
 * or a word such as `Pro` on one side only.
 */
export function namesAnotherModel(feed: FeedName, { makerNames, coreWords }: ProductName): boolean {
  const { words } = withoutMaker(feed.words, makerNames);
  const unshared = [...subtractWords(words, coreWords), ...subtractWords(coreWords, words)];
  return numbersOf(words) !== numbersOf(coreWords) || !unshared.every((word) => isPlainWord(word));
}

/** Whether the name can mean no other model: it has only words of the product, a size, a colour and SIM types. */
export function namesNoOtherModel(feed: FeedName, product: ProductName): boolean {
  const { words } = withoutMaker(feed.words, product.makerNames);
  return subtractWords(words, product.coreWords).every(
    (word) =>
      (MOBILE_GENERATIONS.has(word) ? mayBeAdded(word, product) : !isOfModel(word)) ||
      feed.declaredColours.has(word) ||
      isColourWord(word),
  );
}

/** The known colours in a feed's name, but for words of the product's own name. */
export function coloursIn(feed: FeedName, product: ProductName): readonly string[] {
  const words = [...feed.colourPositions].map((position) => feed.words[position] as string);
  return subtractWords(words, product.words).filter((word) => isColour(word));
}

/** `list` without one of each word of `others`. */
export function subtractWords(list: readonly string[], others: readonly string[]): readonly string[] {
  const shared = findShared(list, others);
  return list.filter((_, i) => !shared.has(i));
}

/** The positions of the words of `list` that `others` has too, each as often as it is there. */
function findShared(list: readonly string[], others: readonly string[]): ReadonlySet<number> {
  const left = [...others];
  const shared = new Set<number>();
  list.forEach((word, i) => {
    const position = left.indexOf(word);
    if (position === -1) return;
    left.splice(position, 1);
    shared.add(i);
  });
  return shared;
}

/** Leftovers of one kind may be on one side only: `Dual SIM` and `eSIM` contradict each other, as do two colours. */
function isOneSided(feedLeftovers: readonly string[], productLeftovers: readonly string[]): boolean {
  const kindOf = (word: string): string =>
    SIM_WORDS.has(word) ? 'sim' : MOBILE_GENERATIONS.has(word) ? 'mobile' : 'colour';
  const ofFeed = new Set(feedLeftovers.map(kindOf));
  return !productLeftovers.some((word) => ofFeed.has(kindOf(word)));
}

/**
 * Known colours count after the words that identify the phone, and before its maker or the series that may be missing:
 * `Red Magic 8` and `Smart Platinum 7` are no colours.
 */
function knownColours(feed: FeedName, product: ProductName, makerWords: ReadonlySet<string>): ReadonlySet<string> {
  const lastIdentity = endOfModel(feed.words, product);
  const maker = startOfMaker(feed, product);
  return new Set(
    [...feed.colourPositions]
      .filter((position) => position > lastIdentity || position < maker)
      .map((position) => feed.words[position] as string)
      .filter((word) => !makerWords.has(word)),
  );
}

/** The position of the maker or its series when only colours and sizes stand before it; otherwise 0. */
function startOfMaker({ words, colourPositions }: FeedName, { makerNames }: ProductName): number {
  const start = words.findIndex((word, i) => !colourPositions.has(i) && !isStorage(word) && !SIM_WORDS.has(word));
  return startsWithMaker(words, start, makerNames) ? start : 0;
}

/** Whether the maker, or the series that may be missing, stands at `start`. */
export function startsWithMaker(words: readonly string[], start: number, { phrases, unsaid }: MakerNames): boolean {
  return words[start] === unsaid || phrases.some((phrase) => startsAt(words, start, phrase));
}

/** Whether the name ends with a colour that is a word within the model: `Magic 5G Red` is no Red Magic 5G. */
function endsInColourOfModel({ words, colourPositions }: FeedName, product: ProductName): boolean {
  const end = endOfModel(words, product);
  return colourPositions.has(end) && words[end] !== product.modelWords.at(-1);
}

/** The last position of a word of the model; -1 when the name has none. */
function endOfModel(words: readonly string[], { modelWords }: ProductName): number {
  return Math.max(-1, ...findShared(words, modelWords));
}
