import type { ProductReference } from '../../data/record/deal.ts';
import { findColourPositions, isColour, isColourWord } from './colours.ts';
import { isInBothForms, withoutMaker, type MakerlessWords, type MakerNames } from './maker-names.ts';
import {
  isOfModel,
  isStorage,
  keyOfWords,
  MOBILE_GENERATIONS,
  numbersOf,
  parseNameWords,
  readBareStorage,
  SIM_WORDS,
  startsAt,
  VARIANTS,
  type NameWords,
} from './name-words.ts';

/** The name of a product in comparable form. */
export interface ProductName extends NameWords {
  /** The maker that the CMS states or that the name begins with. */
  readonly maker: string | undefined;
  readonly makerNames: MakerNames;
  /** The words without the maker, and without a series that may be missing. */
  readonly coreWords: readonly string[];
  readonly storage: string | undefined;
  /** The name says its maker, or its series. */
  readonly saysMaker: boolean;
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
  readonly declaredStorage?: string;
  /** Positions in `words` of known colours. */
  readonly colourPositions: ReadonlySet<number>;
  /** The name without the names of a maker; memoised. */
  readonly withoutMaker: (maker: MakerNames) => MakerlessWords;
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
  const declaredStorage = parseDeclaredStorage(storage);
  const colourWords = colour === undefined ? [] : parseNameWords(colour).words;
  const makerless = new Map<MakerNames, MakerlessWords>();
  return {
    ...parsed,
    ...(declaredStorage !== undefined && { declaredStorage }),
    declaredColours: new Set(colourWords.filter((word) => canBeColour(word))),
    colourVariants: parsed.words.some((_, i) => startsAt(parsed.words, i, colourWords))
      ? colourWords.filter((word) => VARIANTS.has(word))
      : [],
    colourPositions: findColourPositions(parsed.words),
    withoutMaker: (maker) => {
      const known = makerless.get(maker) ?? withoutMaker(parsed.words, maker);
      makerless.set(maker, known);
      return known;
    },
  };
}

export function createProductName(parsed: NameWords, maker: string | undefined, makerNames: MakerNames): ProductName {
  const { words, saysMaker, saysSeries } = withoutMaker(parsed.words, makerNames);
  return {
    ...parsed,
    maker,
    makerNames,
    coreWords: words,
    storage: words.find((word) => isStorage(word)),
    saysMaker,
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
  if (product.coreWords.length === 0) return undefined;
  const { words: said, saysMaker, saysSeries } = feed.withoutMaker(product.makerNames);
  const { storage } = product;
  const feedCore = storage === undefined ? said : withStorage(said, storage, feed.declaredStorage);
  const feedLeftovers = subtractWords(feedCore, product.coreWords);
  const productLeftovers = subtractWords(product.coreWords, feedCore);
  if (feed.ram !== undefined && product.ram !== undefined && feed.ram !== product.ram) return undefined;
  if (!isOneSided(feedLeftovers, productLeftovers)) return undefined;
  if (numbersOf(feedCore).join(' ') !== numbersOf(product.coreWords).join(' ')) return undefined;
  if (!isInOrder(feedCore, product) || saysVariantAsColour(feed, product)) return undefined;

  const canBeLeft = (word: string): boolean => SIM_WORDS.has(word) || isDeclaredColour(feed, word, makerWords);
  if (!productLeftovers.every(canBeLeft) || endsInColourOfModel(feed, product)) return undefined;
  const known = knownColours(feed, product, makerWords);
  if (!feedLeftovers.every((word) => canBeLeft(word) || known.has(word) || mayBeAdded(word, product))) return undefined;

  const names = namesMaker(feed, product, saysMaker);
  const lacksSeries = saysSeries !== product.saysSeries;
  if (!names || (!saysSeries && product.saysSeries && !(saysMaker && identifiesModel(feedCore, product))))
    return undefined;
  return { feedLeftovers, productLeftovers, lacksMaker: product.maker !== undefined && !saysMaker, lacksSeries };
}

/** Whether the words of the model stand on the same side of its number: `21 note` is not `note 21`. */
function isInOrder(feedCore: readonly string[], product: ProductName): boolean {
  const model = modelWordsOf(product);
  const wordsBefore = beforeNumber(model);
  return wordsBefore === undefined || keyOfWords(wordsBefore) === keyOfWords(beforeNumber(feedCore, model) ?? []);
}

/** The words of `model` before the first number that is no year; colours may stand anywhere. */
function beforeNumber(words: readonly string[], model = words): readonly string[] | undefined {
  const end = words.findIndex((word) => /^[0-9]+$/.test(word) && !/^(?:19|20)[0-9]{2}$/.test(word));
  return end === -1 ? undefined : words.slice(0, end).filter((word) => model.includes(word) && !isColourWord(word));
}

/** Whether the name has a variant of the model only as a word of the stated colour: the `Ultra` of `S21 Ultra Violet`. */
function saysVariantAsColour({ words, colourVariants }: FeedName, product: ProductName): boolean {
  const count = (list: readonly string[], word: string): number => list.filter((each) => each === word).length;
  return colourVariants.some((word) => count(words, word) - 1 < count(product.coreWords, word));
}

/** The words with the product's storage added, when they have it without a unit, or the feed states it elsewhere. */
function withStorage(words: readonly string[], storage: string, declared: string | undefined): readonly string[] {
  const bare = readBareStorage(words, storage);
  if (bare !== undefined) return bare;
  return declared === storage && !words.some((word) => isStorage(word)) ? [...words, storage] : words;
}

/** The stated storage, `128GB` or `128`; undefined when it is none. */
export function parseDeclaredStorage(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  return parseNameWords(/^[0-9]+$/.test(text.trim()) ? `${text}GB` : text).words.find(
    (word) => isStorage(word) && /[1-9]/.test(word),
  );
}

/**
 * Whether a name has the maker, or a series of it. Without a known maker, the name must have more than a model code.
 */
function namesMaker(feed: FeedName, product: ProductName, saysMaker: boolean): boolean {
  if (saysMaker) return true;
  const { unsaid, series } = product.makerNames;
  if (feed.words.some((word) => word === unsaid || (series.includes(word) && product.words.includes(word))))
    return true;
  return product.maker === undefined && identifiesAlone(modelWordsOf(product));
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

/** The words that identify the phone, without storage and connectivity. */
export function modelWordsOf(product: ProductName): readonly string[] {
  return product.coreWords.filter((word) => isOfModel(word));
}

/** Whether the words identify a phone of an unknown maker: `kestrel k9` does; `k9`, `12 pro` and `5g 128gb` do not. */
function identifiesAlone(words: readonly string[]): boolean {
  return words.some((word) => /^\p{L}{3,}$/u.test(word) && !VARIANTS.has(word));
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

/** Whether a left-over word may be of another series: it is no variant and has no number. */
export function mayBeSeriesWord(word: string): boolean {
  return /^\p{L}{2,}$/u.test(word) && !VARIANTS.has(word);
}

/**
 * Whether the words that two names do not share make them different phones: a storage, a number, a possible Plus sign,
 * or a word such as `Pro` on one side only.
 */
export function namesAnotherModel(feed: FeedName, product: ProductName): boolean {
  const { words: feedCore } = feed.withoutMaker(product.makerNames);
  if (numbersOf(feedCore).join(' ') !== numbersOf(product.coreWords).join(' ')) return true;
  const unshared = [...subtractWords(feedCore, product.coreWords), ...subtractWords(product.coreWords, feedCore)];
  return unshared.some((word) => VARIANTS.has(word) || !/^\p{L}{3,}$/u.test(word));
}

/** The words that a matching name of a feed must have. */
export function mandatoryWordsOf(product: ProductName): readonly string[] {
  return product.coreWords.filter((word) => !SIM_WORDS.has(word) && !isStorage(word));
}

/** Whether the name can mean no other model: it has only words of the product, a size, a colour and SIM types. */
export function namesNoOtherModel(feed: FeedName, product: ProductName): boolean {
  const { words } = feed.withoutMaker(product.makerNames);
  const colours = coloursIn(feed, product);
  return subtractWords(words, product.coreWords).every(
    (word) =>
      (MOBILE_GENERATIONS.has(word) ? mayBeAdded(word, product) : !isOfModel(word)) ||
      colours.includes(word) ||
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
  const left = [...others];
  return list.filter((word) => {
    const position = left.indexOf(word);
    if (position === -1) return true;
    left.splice(position, 1);
    return false;
  });
}

/** Leftovers of one kind may be on one side only: `Dual SIM` and `eSIM` contradict each other, as do two colours. */
function isOneSided(feedLeftovers: readonly string[], productLeftovers: readonly string[]): boolean {
  if (feedLeftovers.length === 0 || productLeftovers.length === 0) return true;
  const kindOf = (word: string): string =>
    SIM_WORDS.has(word) ? 'sim' : MOBILE_GENERATIONS.has(word) ? 'mobile' : 'colour';
  const ofFeed = new Set(feedLeftovers.map(kindOf));
  return !productLeftovers.some((word) => ofFeed.has(kindOf(word)));
}

/** A stated colour word counts unless a name of the maker has it with another meaning (`Fusion`). */
function isDeclaredColour(feed: FeedName, word: string, makerWords: ReadonlySet<string>): boolean {
  return feed.declaredColours.has(word) && (isColourWord(word) || !makerWords.has(word));
}

/**
 * Known colours count after the words that identify the phone, and before its maker or the series that may be missing:
 * `Red Magic 8` and `Smart Platinum 7` are no colours.
 */
function knownColours(feed: FeedName, product: ProductName, makerWords: ReadonlySet<string>): ReadonlySet<string> {
  if (feed.colourPositions.size === 0) return new Set();
  const lastIdentity = endOfModel(feed.words, modelWordsOf(product));
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
  const { phrases, unsaid } = makerNames;
  return words[start] === unsaid || phrases.some((phrase) => startsAt(words, start, phrase)) ? start : 0;
}

/** Whether the name ends with a colour that is a word within the model: `Magic 5G Red` is no Red Magic 5G. */
function endsInColourOfModel(feed: FeedName, product: ProductName): boolean {
  if (feed.colourPositions.size === 0) return false;
  const identity = modelWordsOf(product);
  const end = endOfModel(feed.words, identity);
  return feed.colourPositions.has(end) && feed.words[end] !== identity.at(-1);
}

/** The position after which the name has all words of the model. */
function endOfModel(words: readonly string[], identity: readonly string[]): number {
  const left = [...identity];
  let end = -1;
  words.forEach((word, i) => {
    const position = left.indexOf(word);
    if (position === -1) return;
    left.splice(position, 1);
    end = i;
  });
  return end;
}

function canBeColour(word: string): boolean {
  return /^\p{L}{3,}$/u.test(word) && !SIM_WORDS.has(word) && (isColour(word) || !VARIANTS.has(word));
}
