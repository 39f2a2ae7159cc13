import { PHONES } from './phone-lists.ts';

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
export const MOBILE_GENERATION = /^[2-6]g$/;
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
export const BARE_STORAGES = /^(?:128|256|512)$/;

/** `flip5` is `flip 5`, `s21fe` is `s21 fe`, `galaxys21` is `galaxy s21`; `s21` and `8a` stay whole. */
export function splitWord(word: string): readonly string[] {
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
export function canonicalWord(word: string): string {
  return SPELLINGS.get(word) ?? word;
}

/** `g 54` is `g54`, `12 t` is `12t`, `x 8 a` is `x8a`; `moto g 5g`, `x 256` and the `iPhone X 64` stay. */
export function joinModelNumbers(words: readonly string[]): readonly string[] {
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
export function nameGeneration(words: readonly string[]): readonly string[] {
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
