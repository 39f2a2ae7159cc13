import type { Condition, NetworkRecord } from '../../data/record/product.ts';
import { findConditionAt } from '../../data/record/condition-words.ts';
import { foldText } from '../records/references.ts';
import {
  BARE_STORAGES,
  canonicalWord,
  joinModelNumbers,
  MOBILE_GENERATION,
  nameGeneration,
  splitWord,
} from './model-words.ts';
import { PHONES } from './phone-lists.ts';

/** SIM types, which some product names have: they may be left over on one side only. */
export const SIM_WORDS: ReadonlySet<string> = new Set(['dualsim', 'esim']);

export const MOBILE_GENERATIONS: ReadonlySet<string> = new Set(['5g', '4g']);

export const VARIANTS: ReadonlySet<string> = new Set(PHONES.variants);

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

const PHRASES = Object.entries(PHONES.phrases).map(([phrase, as]) => ({ words: phrase.split(' '), as }));

const MAX_RAM_GIGABYTES = 24;
/** From this size on, two sizes are a choice of storages (`16GB/64GB`), unless one is eight times the other. */
const MIN_SMALL_STORAGE = 16;
const MIN_STORAGE_TO_RAM = 8;
/** Storages, of which some may be model numbers. */
const BARE_SIZES = /^(?:16|32|64|128|256|512|1024)$/;

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
    const phrase = PHRASES.find((candidate) => startsAt(raw, i, candidate.words));
    const said = phrase === undefined ? findConditionAt(raw, i, isModelGrade) : undefined;
    if (said?.says !== undefined) condition = condition === undefined || condition === said.says ? said.says : 'both';
    const word = phrase?.as ?? (said === undefined ? (raw[i] ?? '') : '');
    if (word !== '') words.push(word);
    i += (phrase ?? said)?.words.length ?? 1;
  }
  return { words: nameGeneration(joinModelNumbers(words)), ram, condition };
}

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

/**
 * `words` with `storage` in place of the same number without a unit, when no other reading is possible: `a54 128` for
 * `128gb`, and `13 64`, but not the 32 of `xiaomi 32`. Undefined when there is none.
 */
export function readBareStorage(words: readonly string[], storage: string): readonly string[] | undefined {
  const number = /^([0-9]+)gb$/.exec(storage)?.[1];
  if (number === undefined || words.some((word) => isStorage(word))) return undefined;
  const position = words.lastIndexOf(number);
  const before = words.slice(0, Math.max(position, 0));
  // An iPhone without a number is a whole model.
  const isWholeModel = holdsModelNumber(before) || /(?:^| )(?:x|xr|xs|xs max|se)$/.test(before.join(' '));
  const isOnlyStorage = BARE_STORAGES.test(number) || (BARE_SIZES.test(number) && isWholeModel);
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
  const plain = name
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
  return Array.from(plain.matchAll(/[+/]|[\p{L}\p{N}\p{M}.]+/gu), (match) => {
    const token = {
      text: canonicalWord(match[0]),
      isGlued: end >= 0 && /^[)\]]?$/.test(plain.slice(end, match.index)),
    };
    end = match.index + match[0].length;
    return token;
  });
}

/** Words that say what the size next to them is. */
const SIZE_LABELS: ReadonlySet<string> = new Set(['ram', 'rom', 'storage', 'memory', 'internal']);

/**
 * The words of a name with the storage as one of them, and the RAM separately: the larger of two sizes is the storage.
 * Decides for each `+` whether it is Plus: only when it is attached to a word of the model (INPUTS "Matching", "Plus").
 */
function readSizes(tokens: readonly NameToken[]): { readonly words: readonly string[]; readonly ram?: string } {
  const words: string[] = [];
  const sizes = new Set<string>();
  let labelled: string | undefined;
  let isAfterSize = false;
  tokens.forEach(({ text, isGlued }, i) => {
    const before = tokens[i - 1]?.text ?? '';
    const next = tokens[i + 1]?.text ?? '';
    const isSeparator =
      text === '/' ||
      (text === '+' && (isAfterSize || (!isGlued && (words.at(-1) === 'plus' || endsWithBareSize(words))))) ||
      (SIZE_LABELS.has(text) && (isAfterSize || (text === 'ram' && isStorage(next))));
    if (isSeparator) return;
    const isNumberBeforeSize = isBeforeSize(tokens, i);
    // The 8 of `8/256GB` and `8 + 256GB`, when the model already has its number: before that it may be the model's.
    const isRam = isNumberBeforeSize && holdsModelNumber(words);
    const isSize = isStorage(text) || isRam || (isAfterSize && isBareSize(tokens, i));
    isAfterSize = isSize;
    if (isSize) {
      const size = isStorage(text) ? text : canonicalWord(`${text}gb`);
      if (next === 'ram' || (before === 'ram' && !SIZE_LABELS.has(next))) labelled ??= size;
      if (!sizes.has(size)) words.push(size);
      sizes.add(size);
    } else if (text === '+') {
      words.push(isPlus(tokens, i) ? 'plus' : '+');
    } else {
      words.push(...splitWord(text));
      // The 4 of `Mix 4/128GB` may be of the model or the RAM.
      if (isNumberBeforeSize && next === '/') words.push('+');
    }
  });
  const ram = findRam([...sizes], labelled);
  return { words: words.filter((word) => word !== ram), ram };
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
function isPlus(tokens: readonly NameToken[], i: number): boolean {
  const next = tokens[i + 1];
  const isBetween = next !== undefined && next.isGlued && /^[0-9.]+(?:gb|tb|mb)?$/.test(next.text);
  return tokens[i]?.isGlued === true && i > 0 && !isBetween && !/^(?:19|20)[0-9]{2}$/.test(tokens[i - 1]?.text ?? '');
}

/** The 8 of `8/256GB` and `8 + 256GB`: a number that may be a RAM. */
function isBeforeSize(tokens: readonly NameToken[], i: number): boolean {
  const [number, sign, size] = tokens.slice(i, i + 3);
  if (number === undefined || sign === undefined || size === undefined || !/^[0-9]{1,2}$/.test(number.text))
    return false;
  if (!(sign.text === '+' || (sign.text === '/' && sign.isGlued && size.isGlued))) return false;
  if (!isStorage(size.text) && !isBareSize(tokens, i + 2)) return false;
  const gigabytes = Number(number.text);
  return gigabytes > 0 && gigabytes <= MAX_RAM_GIGABYTES && gigabytesOf(size.text) > gigabytes;
}

/** The 256 of `8GB/256` and `8+256`. */
function isBareSize(tokens: readonly NameToken[], i: number): boolean {
  return BARE_SIZES.test(tokens[i]?.text ?? '') && /[+/]/.test(tokens[i - 1]?.text ?? '');
}

/** `s10 128`, before a `+` that is then a separator. */
function endsWithBareSize(words: readonly string[]): boolean {
  return BARE_SIZES.test(words.at(-1) ?? '') && holdsModelNumber(words.slice(0, -1));
}

function holdsModelNumber(words: readonly string[]): boolean {
  return words.some((word) => /[0-9]/.test(word) && !MOBILE_GENERATION.test(word) && !isStorage(word));
}

/** A word of the model: neither storage nor connectivity. */
export function isOfModel(word: string): boolean {
  return !isStorage(word) && !MOBILE_GENERATIONS.has(word) && !SIM_WORDS.has(word);
}

/**
 * Removes networks from a name, in brackets or after a dash at its end: they do not identify the phone (INPUTS
 * "Matching", "Words"). A number in brackets is no network: `Nothing Phone (3)`.
 */
export function createNetworkStripper(
  networks: readonly Pick<NetworkRecord, 'name' | 'slug' | 'aliases'>[],
): (name: string) => string {
  const own = networks.flatMap(({ name, slug, aliases }) => [name, slug, ...aliases]).map(foldText);
  const known = new Set([...PHONES.networks, ...own].filter((name) => /\p{L}/u.test(name)));
  const strip = (whole: string, inner: string): string => (known.has(foldText(inner)) ? ' ' : whole);
  return (name) =>
    name.replace(/[([]([^()[\]]{1,60})[)\]]/g, strip).replace(/\s[-\u2013\u2014|]\s([^-\u2013\u2014|]{1,60})$/, strip);
}
