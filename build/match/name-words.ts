import { findConditionAt } from '../../data/record/condition-words.ts';
import type { Condition } from '../../data/record/product.ts';
import { isStorage, PHONES, startsAt } from './phone-words.ts';

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

const SPELLINGS = new Map(Object.entries(PHONES.spellings));
const SE_YEARS = new Map(Object.entries(PHONES.iphoneSeYears));

const ORDINALS: ReadonlyMap<string, string> = new Map(
  ['first', 'second', 'third', 'fourth'].map((word, i) => [word, ordinalOf(i + 1)]),
);

/** `54`, `8a`: a number that belongs to a single letter before it. Not years, not storage. */
const MODEL_NUMBER = /^[0-9]{1,3}\p{L}?$/u;
const SHORT_NUMBER = /^[0-9]{1,3}$/;
const SINGLE_LETTER = /^\p{L}$/u;
/** `5g`, also `3g`, which no rule is about. */
const MOBILE_GENERATION = /^[2-6]g$/;
const WORD_THEN_NUMBER = /^(\p{L}{2,})([0-9].*)$/u;
const VARIANT_PARTS =
  /pro|max|plus|ultra|mini|lite|fe|neo|se|xl|iii|ii|iv|vi|air|edge|life|power|play|prime|fusion|compact|flip|fold|note|thinq|nfc|pureview|le/g;
const GLUED_MODEL = /^\p{L}{0,2}[0-9]{1,3}(?:\.[0-9])?/u;
const VARIANTS_ONLY = /^(?:pro|max|plus|ultra|mini|lite|fe|neo){2,}$/;

const BRANDS = PHONES.makers
  .flatMap(({ spellings, series, unsaid = '' }) => [...spellings, ...series, unsaid])
  .filter((word) => /^\p{L}{4,}$/u.test(word))
  .toSorted((a, b) => b.length - a.length);
/** A maker or a series with a model that follows without a space: `s23`, `zflip5`, `note10`, or an iPhone without a number. */
export const BRAND_WITH_MODEL = new RegExp(
  `^(${BRANDS.join('|')})(?=\\p{L}{1,2}[0-9]|z(?:flip|fold)|note[0-9]|(?:x|xr|xs|xsmax|xl|se)$)`,
  'u',
);

/** Storages that are no model numbers. */
const BARE_STORAGES = /^(?:128|256|512)$/;

/** `flip5` is `flip 5`, `s21fe` is `s21 fe`, `galaxys21` is `galaxy s21`; `s21` and `8a` stay whole. */
function splitWord(word: string): readonly string[] {
  const brand = BRAND_WITH_MODEL.exec(word)?.[1];
  if (brand !== undefined) return [brand, ...splitWord(word.slice(brand.length))];
  if (VARIANTS_ONLY.test(word)) return word.match(VARIANT_PARTS) ?? [word];
  const [, letters, number] = WORD_THEN_NUMBER.exec(word) ?? [];
  if (letters !== undefined && number !== undefined) return [...splitWord(letters), ...splitWord(number)];
  if (word === 'zflip' || word === 'zfold') return ['z', word.slice(1)];
  return splitGlued(word) ?? [canonicalWord(word)];
}

/**
 * `s21fe`, `13promax`, `s10plus`, `a52splus`: a model, perhaps with a letter after its number, and then only variants.
 */
function splitGlued(word: string): readonly string[] | undefined {
  const [model] = GLUED_MODEL.exec(word) ?? [];
  if (model === undefined) return undefined;
  for (const end of [model.length, model.length + 1]) {
    const variants = word.slice(end);
    const parts = variants.match(VARIANT_PARTS) ?? [];
    if (parts.length > 0 && parts.join('') === variants) return [word.slice(0, end), ...parts];
  }
  return undefined;
}

/** `1024gb` is `1tb`. */
function canonicalWord(word: string): string {
  return SPELLINGS.get(word) ?? word;
}

/** `g 54` is `g54`, `12 t` is `12t`, `x 8 a` is `x8a`; `moto g 5g`, `x 256` and the `iPhone X 64` stay. */
function joinModelNumbers(words: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    if (last !== undefined && belongTogether(last, word) && (joined.at(-2) !== 'iphone' || last !== 'x')) {
      joined[joined.length - 1] = last + word;
    } else {
      joined.push(word);
    }
  }
  return joined;
}

function belongTogether(before: string, word: string): boolean {
  if (SINGLE_LETTER.test(before)) {
    return MODEL_NUMBER.test(word) && !MOBILE_GENERATION.test(word) && !BARE_STORAGES.test(word);
  }
  return SINGLE_LETTER.test(word) && (SHORT_NUMBER.test(before) || /^\p{L}[0-9]{1,3}$/u.test(before));
}

/** `gen 2` and `second gen` are `2nd gen`; the iPhone SE has its year in place of its generation. */
function nameGeneration(words: readonly string[]): readonly string[] {
  const isSe = words.includes('se') && (words.includes('iphone') || words.includes('apple'));
  if (!isSe && !words.includes('gen')) return words;
  const named: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    const next = words[i + 1] ?? '';
    const isCounted = word === 'gen' && /^[1-9]$/.test(next);
    const ordinal = isCounted ? ordinalOf(Number(next)) : (ORDINALS.get(word) ?? word);
    if (isCounted || (next === 'gen' && /^[0-9](?:st|nd|rd|th)$/.test(ordinal))) {
      named.push(...(isSe ? [SE_YEARS.get(ordinal) ?? ordinal] : [ordinal, 'gen']));
      i++;
    } else {
      named.push(isSe && words[i - 1] === 'se' ? (SE_YEARS.get(ordinal) ?? word) : word);
    }
  }
  // `SE (3rd Gen) 2022` has its year twice; `SE 2022 (2022)` is no known name.
  const saysBoth = isSe && named.length === words.length - 1;
  return saysBoth ? named.filter((word, i) => !/^20(?:16|20|22)$/.test(word) || named.indexOf(word) === i) : named;
}

function ordinalOf(number: number): string {
  return `${number}${['st', 'nd', 'rd'][number - 1] ?? 'th'}`;
}
