import type { Condition } from '../../data/record/product.ts';
import { findConditionAt } from '../../data/record/condition-words.ts';
import {
  BARE_STORAGES,
  canonicalWord,
  joinModelNumbers,
  MOBILE_GENERATION,
  nameGeneration,
  splitWord,
} from './model-words.ts';

/** SIM types, which some product names have: they may be left over on one side only. */
export const SIM_WORDS: ReadonlySet<string> = new Set(['dualsim', 'esim']);

export const MOBILE_GENERATIONS: ReadonlySet<string> = new Set(['5g', '4g']);

/** Words that tell models of a series apart. They never name a phone alone, and are no colours. */
export const VARIANTS: ReadonlySet<string> = new Set(
  `ace action active advance air alpha beat classic compact core duo duos dual edge edition express fe flip fold force
  fusion gen gt hd hyper i ii iii iv ix kids lite max maxx mini mobile music ne neo next note one phone play plus pocket
  power premier premium prime pro racing rugged s se slim smart smartphone sport standard star style stylus t tab tablet
  turbo ultimate ultra v vi view vision watch x xi xii xl xr xs youth z zoom`.split(/\s+/),
);

/** The name of a phone, split into comparable words. */
export interface NameWords {
  /**
   * In the order of the name, without condition and RAM. A free-standing `+` that may or may not mean Plus is a word of
   * its own, which no product name has.
   */
  readonly words: readonly string[];
  /** `8gb`, where the name has its RAM next to its storage. */
  readonly ram?: string;
  /** The condition in the name. */
  readonly condition?: Condition | 'both';
}

/** Phrases that do not identify a phone (INPUTS "Matching", "Words"). */
const TRADE_PHRASES: readonly (readonly string[])[] = [
  'sim free',
  'simfree',
  'factory unlocked',
  'network unlocked',
  'unlocked',
].map((text) => text.split(' '));

/** Phrases that are one word with any spacing; a `New Edition` is a model, in any condition. */
const ONE_WORD: readonly { readonly words: readonly string[]; readonly word: string }[] = [
  { words: ['new', 'edition'], word: 'newedition' },
  { words: ['dual', 'nano', 'sim'], word: 'dualsim' },
  { words: ['dual', 'sim'], word: 'dualsim' },
  { words: ['e', 'sim'], word: 'esim' },
];

const MAX_RAM_GIGABYTES = 24;
/** From this size on, two sizes are a choice of storages (`16GB/64GB`), unless one is eight times the other. */
const MIN_SMALL_STORAGE = 16;
const MIN_STORAGE_TO_RAM = 8;
/** Storages that may be model numbers. */
const SMALL_BARE_STORAGES = /^(?:16|32|64)$/;

/**
 * The words of a name (INPUTS "Matching"). Set aside are case, punctuation, brackets, the ways of writing one word
 * (`128 GB`, `Flip5`, `G 54`, `S10+`, `S21FE`, `10.2"`), words about the condition and of the trade. Nothing else: a slip
 * stays a slip.
 *
 * @param isModelGrade whether a grade (`fair`) among `words` is a word of the model that they name
 */
export function parseNameWords(
  name: string,
  isModelGrade: (grade: string, words: readonly string[]) => boolean = () => false,
): NameWords {
  const words: string[] = [];
  let condition: NameWords['condition'];
  const { words: raw, ram } = readSizes(tokenizeName(name));
  for (let i = 0; i < raw.length;) {
    const joined = ONE_WORD.find((candidate) => startsAt(raw, i, candidate.words));
    const trade = TRADE_PHRASES.find((candidate) => startsAt(raw, i, candidate));
    const phrase = findConditionAt(raw, i, isModelGrade);
    if (joined !== undefined) {
      words.push(joined.word);
      i += joined.words.length;
    } else if (trade !== undefined) {
      i += trade.length;
    } else if (phrase !== undefined) {
      const { says } = phrase;
      if (says !== undefined) condition = condition === undefined || condition === says ? says : 'both';
      i += phrase.words.length;
    } else {
      words.push(raw[i++] as string);
    }
  }
  return {
    words: nameGeneration(joinModelNumbers(words)),
    ...(ram !== undefined && { ram }),
    ...(condition !== undefined && { condition }),
  };
}

/** Equal for lists with the same words in any order; numbers (`6 2`) must be in the same order. */
export function keyOfWords(words: readonly string[]): string {
  const numbers = numbersOf(words);
  const others = words.filter((word) => !isNumber(word)).sort();
  return `${others.join(' ')}|${numbers.join(' ')}`;
}

/** The words that are a number and nothing else, in the order of the name. */
export function numbersOf(words: readonly string[]): readonly string[] {
  return words.filter((word) => isNumber(word));
}

function isNumber(word: string): boolean {
  return /^[0-9]+$/.test(word);
}

/** `128gb`, `1tb`. */
export function isStorage(word: string): boolean {
  return /^[0-9.]+(?:gb|tb|mb)$/.test(word);
}

/**
 * `words` with `storage` in place of the same number without a unit, when no other reading is possible: `a54 128` for
 * `128gb`, and `13 64`, but not the 32 of `xiaomi 32`. Undefined when there is none.
 */
export function readBareStorage(words: readonly string[], storage: string): readonly string[] | undefined {
  const number = /^([0-9]+)gb$/.exec(storage)?.[1];
  if (number === undefined || words.some((word) => isStorage(word))) return undefined;
  const position = words.lastIndexOf(number);
  const before = words.slice(0, Math.max(position, 0));
  const isOnlyStorage =
    BARE_STORAGES.test(number) ||
    (SMALL_BARE_STORAGES.test(number) && (holdsModelNumber(before) || isWholeModel(before)));
  return before.length === 0 || !isOnlyStorage ? undefined : words.with(position, storage);
}

/** Whether `phrase` stands at `position` of `words`. */
export function startsAt(words: readonly string[], position: number, phrase: readonly string[]): boolean {
  return phrase.every((word, i) => words[position + i] === word);
}

/** A word of a name as it is written, or a `+` or `/`. */
interface NameToken {
  readonly text: string;
  /** Nothing but a closing bracket is between it and the token before. */
  readonly isGlued: boolean;
}

function tokenizeName(name: string): readonly NameToken[] {
  const text = name
    .replace(/[\u2122\u00ae\u00a9\u2120\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(\p{L}{3}) ?\((?:tm|r)\)/gu, '$1 ')
    .replace(/(^|\s)["\u201c]([^"\u201c\u201d]+)["\u201d](?=\s|$)/g, '$1$2')
    .replace(/([0-9]) ?(?:''|\u2032\u2032|\u2019\u2019|["\u201c\u201d])/g, '$1inch ')
    .replace(/([0-9])[ -]?inch(?:es)?(?![\p{L}\p{N}])/gu, '$1inch ')
    .replace(/['\u2018\u2019\u02bc`\u2032]/g, '')
    .replaceAll('&', ' and ')
    .replace(/(?<![0-9])\.|\.(?![0-9])/g, ' ')
    .replace(/([0-9])[ _-]*(gb|tb|mb)(ram|rom)?(?![\p{L}\p{N}])/gu, '$1$2 $3');
  let end = -1;
  return Array.from(text.matchAll(/[+/]|[\p{L}\p{N}\p{M}.]+/gu), (match) => {
    const mark = { text: canonicalWord(match[0]), isGlued: end >= 0 && /^[)\]]?$/.test(text.slice(end, match.index)) };
    end = match.index + match[0].length;
    return mark;
  });
}

/** Words that say what the size next to them is. */
const SIZE_LABELS: ReadonlySet<string> = new Set(['ram', 'rom', 'storage', 'memory', 'internal']);

/**
 * The words of a name with the storage as one of them, and the RAM separately: the larger of two sizes is the storage.
 * Decides for each `+` whether it is Plus: only when it is attached to a word of the model (INPUTS "Matching", "Plus").
 */
function readSizes(marks: readonly NameToken[]): { readonly words: readonly string[]; readonly ram?: string } {
  const words: string[] = [];
  const sizes = new Set<string>();
  let labelled: string | undefined;
  let isAfterSize = false;
  for (let i = 0; i < marks.length; i++) {
    const { text } = marks[i] as NameToken;
    const wasAfterSize: boolean = isAfterSize;
    isAfterSize = false;
    if (text === '/') {
      isAfterSize = wasAfterSize;
    } else if (text === '+') {
      const { isGlued } = marks[i] as NameToken;
      if (wasAfterSize || (!isGlued && (words.at(-1) === 'plus' || endsWithBareSize(words))))
        isAfterSize = wasAfterSize;
      else words.push(isPlus(marks, i) ? 'plus' : '+');
    } else if (isStorage(text) || isRamNumber(marks, i, words) || (wasAfterSize && isBareSize(marks, i))) {
      const size = isStorage(text) ? text : canonicalWord(`${text}gb`);
      if (
        marks[i + 1]?.text === 'ram' ||
        (marks[i - 1]?.text === 'ram' && !SIZE_LABELS.has(marks[i + 1]?.text ?? ''))
      ) {
        labelled ??= size;
      }
      if (!sizes.has(size)) words.push(size);
      sizes.add(size);
      isAfterSize = true;
    } else if (SIZE_LABELS.has(text) && (wasAfterSize || (text === 'ram' && isStorage(marks[i + 1]?.text ?? '')))) {
      isAfterSize = wasAfterSize;
    } else {
      words.push(...splitWord(text));
      if (isUndecidedNumber(marks, i)) words.push('+');
    }
  }
  const ram = findRam([...sizes], labelled);
  return ram === undefined ? { words } : { words: words.filter((word) => word !== ram), ram };
}

/** The smaller of two sizes when it can be a RAM, or the one size that is called RAM. */
function findRam(sizes: readonly string[], labelled: string | undefined): string | undefined {
  const [smaller, larger, ...others] = sizes.toSorted((a, b) => gigabytesOf(a) - gigabytesOf(b));
  if (smaller === undefined || others.length > 0 || gigabytesOf(smaller) > MAX_RAM_GIGABYTES) return undefined;
  if (larger === undefined) return labelled;
  const isChoice =
    gigabytesOf(smaller) >= MIN_SMALL_STORAGE && gigabytesOf(larger) / gigabytesOf(smaller) < MIN_STORAGE_TO_RAM;
  return labelled !== undefined || !isChoice ? smaller : undefined;
}

function gigabytesOf(size: string): number {
  const amount = Number.parseFloat(size);
  return size.endsWith('tb') ? amount * 1_024 : size.endsWith('mb') ? amount / 1_024 : amount;
}

/**
 * Whether the `+` at `i` is attached to a word of the model, and to nothing after it that could be a size. A year is no
 * word of the model.
 */
function isPlus(marks: readonly NameToken[], i: number): boolean {
  const next = marks[i + 1];
  const isBetween = next !== undefined && next.isGlued && /^[0-9.]+(?:gb|tb|mb)?$/.test(next.text);
  return marks[i]?.isGlued === true && i > 0 && !isBetween && !/^(?:19|20)[0-9]{2}$/.test(marks[i - 1]?.text ?? '');
}

/** The 8 of `8/256GB` and `8 + 256GB`, when the model already has its number: before that it may be the model's. */
function isRamNumber(marks: readonly NameToken[], i: number, words: readonly string[]): boolean {
  return isBeforeSize(marks, i) && holdsModelNumber(words);
}

/** The 4 of `Mix 4/128GB`, which may be of the model or the RAM. */
function isUndecidedNumber(marks: readonly NameToken[], i: number): boolean {
  return isBeforeSize(marks, i) && marks[i + 1]?.text === '/';
}

function isBeforeSize(marks: readonly NameToken[], i: number): boolean {
  const [number, sign, size] = marks.slice(i, i + 3);
  if (number === undefined || sign === undefined || size === undefined || !/^[0-9]{1,2}$/.test(number.text))
    return false;
  if (!(sign.text === '+' || (sign.text === '/' && sign.isGlued && size.isGlued))) return false;
  if (!isStorage(size.text) && !isBareSize(marks, i + 2)) return false;
  const gigabytes = Number(number.text);
  return gigabytes > 0 && gigabytes <= MAX_RAM_GIGABYTES && gigabytesOf(size.text) > gigabytes;
}

/** The 256 of `8GB/256` and `8+256`. */
function isBareSize(marks: readonly NameToken[], i: number): boolean {
  const { text = '' } = marks[i] ?? {};
  return (
    (BARE_STORAGES.test(text) || SMALL_BARE_STORAGES.test(text) || text === '1024') &&
    /[+/]/.test(marks[i - 1]?.text ?? '')
  );
}

/** `s10 128`, before a `+` that is then a separator. */
function endsWithBareSize(words: readonly string[]): boolean {
  const last = words.at(-1) ?? '';
  return (BARE_STORAGES.test(last) || SMALL_BARE_STORAGES.test(last)) && holdsModelNumber(words.slice(0, -1));
}

function holdsModelNumber(words: readonly string[]): boolean {
  return words.some((word) => /[0-9]/.test(word) && !MOBILE_GENERATION.test(word) && !isStorage(word));
}

/** iPhones without a number. */
function isWholeModel(words: readonly string[]): boolean {
  return /(?:^| )(?:x|xr|xs|xs max|se)$/.test(words.join(' '));
}

/** A word of the model: neither storage nor connectivity. */
export function isOfModel(word: string): boolean {
  return !isStorage(word) && !MOBILE_GENERATIONS.has(word) && !SIM_WORDS.has(word);
}
