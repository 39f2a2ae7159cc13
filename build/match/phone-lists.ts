import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPackageRoot } from '../../data/store/regular-file.ts';

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

export const PHONES = JSON.parse(
  readFileSync(join(findPackageRoot(), 'build/match/phones.json'), 'utf8'),
  (_, value: unknown) => (isListOfTexts(value) ? value.flatMap((text) => text.split(', ')) : value),
) as PhoneLists;

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
