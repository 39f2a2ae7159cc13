import { findColourPositions, isColour, isColourWord } from './colour-words.ts';
import { isStorage, numbersOf, parseNameWords, startsAt, type NameWords } from './name-words.ts';

/** Words that a name may have or lack, as long as no other product differs by just that (INPUTS "Matching"). */
const CONNECTIVITY = new Set(['5g', '4g', 'dualsim', 'esim']);

/** Words that tell one model of a series from another: they never name a phone alone, nor a colour. */
const VARIANTS = new Set(
  `active advance air classic compact core dual duo duos edge edition fe flip fold fusion gen gt ii iii iv lite max
  mini mobile neo next note one phone plus pocket power prime pro se smart smartphone sport standard super turbo ultra
  xl xr xs youth zoom`.split(/\s+/),
);

/** A product as names are compared with it. */
export interface ProductName {
  /** The maker that the CMS states or that the name begins with. */
  readonly maker: string | undefined;
  readonly makerPhrases: readonly (readonly string[])[];
  /** All words of the name. */
  readonly words: readonly string[];
  /** The words without the maker. */
  readonly coreWords: readonly string[];
}

/** What a feed says of a product by name. */
export interface FeedName extends NameWords {
  /** Words that the feed declares to be the colour, as far as they can be one. */
  readonly declaredColours: ReadonlySet<string>;
  /** Positions in `words` of known colours. */
  readonly colourPositions: ReadonlySet<number>;
}

/** How two names agree: in every word but these. */
export interface NameAgreement {
  readonly feedLeftovers: readonly string[];
  readonly productLeftovers: readonly string[];
  /** Only the product's name holds its maker. */
  readonly lacksMaker: boolean;
}

export function createFeedName(name: string, colour: string | undefined): FeedName {
  const parsed = parseNameWords(name);
  return {
    ...parsed,
    declaredColours: new Set(
      colour === undefined ? [] : parseNameWords(colour).words.filter((word) => canBeColour(word)),
    ),
    colourPositions: findColourPositions(parsed.words),
  };
}

export function createProductName(
  words: readonly string[],
  maker: string | undefined,
  makerPhrases: readonly (readonly string[])[],
): ProductName {
  return { maker, makerPhrases, words, coreWords: withoutPhrases(words, makerPhrases) };
}

/**
 * Whether the words of a feed's name are those of the product, and which are left over. Left over may be, on one side,
 * connectivity, and on one side, words of a colour: what the feed declares, or a known colour at the end of the model
 * that no name of the maker holds (`makerWords`). `undefined` is no match.
 */
export function compareNames(
  feed: FeedName,
  product: ProductName,
  makerWords: ReadonlySet<string>,
): NameAgreement | undefined {
  if (product.words.length === 0) return undefined;
  const feedCore = withoutPhrases(feed.words, product.makerPhrases);
  const feedLeftovers = subtract(feedCore, product.coreWords);
  const productLeftovers = subtract(product.coreWords, feedCore);
  if (!isOneSided(feedLeftovers, productLeftovers)) return undefined;
  if (numbersOf(feedCore).join(' ') !== numbersOf(product.coreWords).join(' ')) return undefined;

  const canBeLeft = (word: string): boolean => CONNECTIVITY.has(word) || canBeDeclared(feed, word, makerWords);
  if (!productLeftovers.every(canBeLeft)) return undefined;
  const known = knownColours(feed, product, makerWords);
  if (!feedLeftovers.every((word) => canBeLeft(word) || known.has(word))) return undefined;

  const isInFeed = feedCore.length < feed.words.length;
  const isInProduct = product.coreWords.length < product.words.length;
  return { feedLeftovers, productLeftovers, lacksMaker: isInProduct && !isInFeed };
}

/** The words that tell the phone: neither its storage nor its connectivity. */
export function identityOf(product: ProductName): readonly string[] {
  return product.coreWords.filter((word) => !isStorage(word) && !CONNECTIVITY.has(word));
}

/** Whether the words name a phone even without its maker: `galaxy a54` does, `12 pro`, `note 10` and `5g 128gb` do not. */
export function standsAlone(words: readonly string[]): boolean {
  return words.some(
    (word) =>
      word.length > 1 &&
      /\p{L}/u.test(word) &&
      !VARIANTS.has(word) &&
      !CONNECTIVITY.has(word) &&
      !isStorage(word) &&
      !isOrdinal(word),
  );
}

/**
 * Whether what two names do not share says that they are of different phones: a storage, a number, or a word such as `Pro`
 * on one side only.
 */
export function namesAnotherModel(feed: FeedName, product: ProductName): boolean {
  const feedCore = withoutPhrases(feed.words, product.makerPhrases);
  if (numbersOf(feedCore).join(' ') !== numbersOf(product.coreWords).join(' ')) return true;
  const unshared = [...subtract(feedCore, product.coreWords), ...subtract(product.coreWords, feedCore)];
  return unshared.some((word) => VARIANTS.has(word) || isStorage(word));
}

/** Words by which a product is looked up: those that a matching name of a feed must hold. */
export function mandatoryWordsOf(product: ProductName): readonly string[] {
  return product.coreWords.filter((word) => !CONNECTIVITY.has(word));
}

/** `list` without one of each word of `others`. */
export function subtract(list: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return list.filter((word) => {
    const position = left.indexOf(word);
    if (position === -1) return true;
    left.splice(position, 1);
    return false;
  });
}

/** Leftovers of a kind stand on one side only: neither `4G` with `5G` nor one colour with another is an agreement. */
function isOneSided(feedLeftovers: readonly string[], productLeftovers: readonly string[]): boolean {
  if (feedLeftovers.length === 0 || productLeftovers.length === 0) return true;
  const ofFeed = feedLeftovers.filter((word) => CONNECTIVITY.has(word)).length;
  const ofProduct = productLeftovers.filter((word) => CONNECTIVITY.has(word)).length;
  const feedIsOneKind = ofFeed === 0 || ofFeed === feedLeftovers.length;
  const productIsOneKind = ofProduct === 0 || ofProduct === productLeftovers.length;
  return feedIsOneKind && productIsOneKind && ofFeed > 0 !== ofProduct > 0;
}

/** A declared word counts unless a name of the maker holds it as something else than a colour (`Fusion`). */
function canBeDeclared(feed: FeedName, word: string, makerWords: ReadonlySet<string>): boolean {
  return feed.declaredColours.has(word) && (isColourWord(word) || !makerWords.has(word));
}

/** Known colours count after the words that tell the phone: `Red Magic 8` and `Smart Platinum 7` are no colours. */
function knownColours(feed: FeedName, product: ProductName, makerWords: ReadonlySet<string>): ReadonlySet<string> {
  if (feed.colourPositions.size === 0) return new Set();
  const identity = new Set(identityOf(product));
  const lastIdentity = feed.words.findLastIndex((word) => identity.has(word));
  return new Set(
    [...feed.colourPositions]
      .filter((position) => position > lastIdentity)
      .map((position) => feed.words[position] as string)
      .filter((word) => !makerWords.has(word)),
  );
}

function canBeColour(word: string): boolean {
  return !/[0-9]/.test(word) && !CONNECTIVITY.has(word) && (isColour(word) || !VARIANTS.has(word));
}

function isOrdinal(word: string): boolean {
  return /^[0-9]+(?:st|nd|rd|th)$/.test(word);
}

function withoutPhrases(words: readonly string[], phrases: readonly (readonly string[])[]): readonly string[] {
  const left: string[] = [];
  for (let i = 0; i < words.length;) {
    const phrase = phrases.find((candidate) => startsAt(words, i, candidate));
    if (phrase === undefined) left.push(words[i++] as string);
    else i += phrase.length;
  }
  return left;
}
