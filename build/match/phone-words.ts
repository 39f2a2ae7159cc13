import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPackageRoot } from '../../data/package-root.ts';

/** The words by which names of phones mean a maker (INPUTS "Matching", "Maker and series"). */
export interface PhoneMaker {
  readonly slug: string;
  /** The spellings of the maker, in lower case. */
  readonly spellings: readonly string[];
  /** Words that no phone of another maker has: with one of them, the maker may be missing. */
  readonly series: readonly string[];
  /** The series that may be missing next to the maker: `Samsung A54`, `Motorola G54`. */
  readonly unsaid?: string;
  /** The models for which that holds, where another series has similar names (`Mi Note 10`, `Mi 9T`). */
  readonly unsaidModels?: string;
  /** The brand under which this one is also sold: `Xiaomi Redmi Note 12`. */
  readonly parent?: string;
}

/** `phones.json`, where a text of a list may hold several items, with commas between them. */
interface PhoneLists {
  readonly makers: readonly PhoneMaker[];
  /**
   * Models that are sold both with and without 5G (or 4G), as two phones, so that this word is never ignored (INPUTS
   * "Matching", "5G and 4G"). By maker, without the words `Galaxy` and `Moto`. A `*` at the end of a word stands for the
   * rest of it. A `+` at the end of an entry includes its variants: `note 10 +` is also `Note 10 Ultra`.
   */
  readonly soldInBothForms: Readonly<Record<string, readonly string[]>>;
  /** Colours that stand alone. */
  readonly colours: readonly string[];
  /** Words that go with a colour, before or after it (`phantom black`, `black titanium`), and are none by themselves. */
  readonly colourModifiers: readonly string[];
  /** Names of colours that hold no colour. */
  readonly colourPhrases: readonly string[];
  /** Colours that no shop confuses. One shop's `Graphite` is another's `Grey`. */
  readonly plainColours: readonly string[];
  /** Words that tell models of a series apart. They never name a phone alone, and are no colours. */
  readonly variants: readonly string[];
  /**
   * Phrases of the trade, which do not identify a phone (INPUTS "Matching", "Words"), and phrases that are one word with
   * any spacing, with this word; a `New Edition` is a model, in any condition.
   */
  readonly phrases: Readonly<Record<string, string>>;
  /** Other spellings of a word. */
  readonly spellings: Readonly<Record<string, string>>;
  /** The iPhone SE is told by its year, or by its generation with or without the word. */
  readonly iphoneSeYears: Readonly<Record<string, string>>;
  /** Network names that shops write after the name of a phone; the CMS adds its own. */
  readonly networks: readonly string[];
}

const isListOfTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

export const PHONES = JSON.parse(
  readFileSync(join(findPackageRoot(), 'build/match/phones.json'), 'utf8'),
  (_, value: unknown) => (isListOfTexts(value) ? value.flatMap((text) => text.split(', ')) : value),
) as PhoneLists;

/** SIM types, which some product names have: they may be left over on one side only. */
export const SIM_WORDS: ReadonlySet<string> = new Set(['dualsim', 'esim']);

export const MOBILE_GENERATIONS: ReadonlySet<string> = new Set(['5g', '4g']);

export const VARIANTS: ReadonlySet<string> = new Set(PHONES.variants);

/** Equal for lists with the same words in any order; numbers (`6 2`) must be in the same order. */
export function keyOfWords(words: readonly string[]): string {
  const others = words.filter((word) => !NUMBER.test(word)).sort();
  return `${others.join(' ')}|${numbersOf(words)}`;
}

const NUMBER = /^[0-9]+$/;

/** The words that are a number and nothing else, in the order of the name: `6 2`. */
export function numbersOf(words: readonly string[]): string {
  return words.filter((word) => NUMBER.test(word)).join(' ');
}

/** `128gb`, `1tb`. */
export function isStorage(word: string): boolean {
  return /^[0-9.]+(?:gb|tb|mb)$/.test(word);
}

/** A word of the model: neither storage nor connectivity. */
export function isOfModel(word: string): boolean {
  return !isStorage(word) && !MOBILE_GENERATIONS.has(word) && !SIM_WORDS.has(word);
}

/** Whether `phrase` stands at `position` of `words`. */
export function startsAt(words: readonly string[], position: number, phrase: readonly string[]): boolean {
  return phrase.every((word, i) => words[position + i] === word);
}

const COLOURS: ReadonlySet<string> = new Set(PHONES.colours);
/** The words of colours that may stand next to each other: `phantom black`. */
const COLOUR_PARTS: ReadonlySet<string> = new Set([...COLOURS, ...PHONES.colourModifiers]);
const COLOUR_PHRASES = PHONES.colourPhrases.map((phrase) => phrase.split(' '));
const COLOUR_WORDS: ReadonlySet<string> = new Set([...COLOUR_PARTS, ...COLOUR_PHRASES.flat()]);

export function isColour(word: string): boolean {
  return COLOURS.has(word);
}

/** Whether the word may be part of the name of a known colour. */
export function isColourWord(word: string): boolean {
  return COLOUR_WORDS.has(word);
}

const PLAIN_COLOURS: ReadonlySet<string> = new Set(PHONES.plainColours);

/** Whether the stated `colour` clearly differs from all colours in the name. */
export function isOtherColour(colour: string, named: readonly string[]): boolean {
  const plain = (words: readonly string[]): readonly string[] =>
    words.map((word) => (word === 'gray' ? 'grey' : word)).filter((word) => PLAIN_COLOURS.has(word));
  const stated = plain(colour.toLowerCase().split(/[^a-z]+/));
  const said = plain(named);
  return stated.length > 0 && said.length > 0 && !said.some((word) => stated.includes(word));
}

/** The positions in `words` that are part of a known colour: `phantom black` is one, `phantom` alone is none. */
export function findColourPositions(words: readonly string[]): ReadonlySet<number> {
  const positions = new Set<number>();
  for (let i = 0; i < words.length;) {
    const end = endOfColour(words, i);
    for (let position = i; position < end; position++) positions.add(position);
    i = Math.max(end, i + 1);
  }
  return positions;
}

/** The end of the colour that begins at `start`; `start` itself when no colour begins there. */
function endOfColour(words: readonly string[], start: number): number {
  const phrase = COLOUR_PHRASES.find((candidate) => startsAt(words, start, candidate));
  if (phrase !== undefined) return start + phrase.length;
  const length = words.slice(start).findIndex((word) => !COLOUR_PARTS.has(word));
  const end = length === -1 ? words.length : start + length;
  return words.slice(start, end).some((word) => isColour(word)) ? end : start;
}
