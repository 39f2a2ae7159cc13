import type { Condition } from '../../data/record/condition.ts';

/** A name of a phone as matching sees it. */
export interface NameWords {
  /** In the order of the name, without the words about its condition. */
  readonly words: readonly string[];
  /** What the name itself says of the condition; a name that says both counts as refurbished. */
  readonly condition?: Condition;
}

/** Set aside from every name, longest first where one begins another; what each says of the condition, if anything. */
const CONDITION_PHRASES: readonly { readonly words: readonly string[]; readonly says?: Condition }[] = [
  ...phrases('refurbished', [
    'as good as new',
    'good as new',
    'like new',
    'as new',
    'nearly new',
    'almost new',
    'certified refurbished',
    'certified pre owned',
    'certified renewed',
    'pre owned',
    'preowned',
    'pre loved',
    'preloved',
    'pre used',
    'second hand',
    'secondhand',
    'open box',
    'ex display',
    'refurbished',
    'refurb',
    'reconditioned',
    'recertified',
    'renewed',
    'used',
    ...['a', 'b', 'c', 'd'].flatMap((grade) => [`grade ${grade} plus`, `grade ${grade}`, `${grade} grade`]),
    // By themselves these words say nothing of a condition.
    ...['refurbished', 'refurb', 'reconditioned', 'renewed', 'used', 'pre owned', 'preowned', 'second hand'].flatMap(
      (state) => ['good', 'fair', 'acceptable'].map((grade) => `${state} ${grade}`),
    ),
  ]),
  ...phrases('new', ['brand new and sealed', 'brand new sealed', 'brand new', 'new and sealed', 'new sealed', 'new']),
  ...phrases(undefined, [
    'pristine condition',
    'excellent condition',
    'very good condition',
    'good condition',
    'fair condition',
    'pristine',
    'excellent',
    'very good',
    'condition',
  ]),
].toSorted((a, b) => b.words.length - a.words.length);

/** Words that are one word however they are spaced; a `New Edition` is a model, whatever its condition. */
const ONE_WORD: readonly { readonly words: readonly string[]; readonly word: string }[] = [
  { words: ['new', 'edition'], word: 'newedition' },
  { words: ['dual', 'sim'], word: 'dualsim' },
  { words: ['e', 'sim'], word: 'esim' },
];

const SAME_WORD: ReadonlyMap<string, string> = new Map([['generation', 'gen']]);

/** `54`, `8a`: what a single letter before it belongs to. Not years, not storage. */
const MODEL_NUMBER = /^[0-9]{1,3}\p{L}?$/u;
const SHORT_NUMBER = /^[0-9]{1,3}$/;
const SINGLE_LETTER = /^\p{L}$/u;
const MOBILE_GENERATION = /^[2-6]g$/;
const WORD_THEN_NUMBER = /^(\p{L}{2,})([0-9].*)$/u;

/**
 * The words of a name (INPUTS "Matching"). Set aside are case, punctuation, brackets, the ways of writing one word
 * (`128 GB`, `Flip5`, `G 54`, `S10+`, `10.2"`), and words about the condition. Nothing else: a slip stays a slip.
 */
export function parseNameWords(name: string): NameWords {
  const words: string[] = [];
  let condition: Condition | undefined;
  const raw = splitWords(name);
  for (let i = 0; i < raw.length;) {
    const joined = ONE_WORD.find((candidate) => startsAt(raw, i, candidate.words));
    const phrase = CONDITION_PHRASES.find((candidate) => startsAt(raw, i, candidate.words));
    if (joined !== undefined) {
      words.push(joined.word);
      i += joined.words.length;
    } else if (phrase !== undefined) {
      if (phrase.says === 'refurbished' || condition === undefined) condition = phrase.says ?? condition;
      i += phrase.words.length;
    } else {
      words.push(raw[i++] as string);
    }
  }
  const joined = joinModelNumbers(words);
  return condition === undefined ? { words: joined } : { words: joined, condition };
}

/** A key that two lists of words share when they are the same words; numbers (`6 2`) must also be in the same order. */
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

/** Whether `phrase` stands at `position` of `words`. */
export function startsAt(words: readonly string[], position: number, phrase: readonly string[]): boolean {
  return phrase.every((word, i) => words[position + i] === word);
}

function splitWords(name: string): readonly string[] {
  return name
    .replace(/[\u2122\u00ae\u00a9\u2120\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(^|\s)["\u201c]([^"\u201c\u201d]+)["\u201d](?=\s|$)/g, '$1$2')
    .replace(/([0-9]) ?(?:''|\u2032\u2032|\u2019\u2019|["\u201c\u201d])/g, '$1inch ')
    .replace(/([0-9])[ -]?inch(?:es)?(?![\p{L}\p{N}])/gu, '$1inch ')
    .replace(/['\u2018\u2019\u02bc`\u2032]/g, '')
    .replaceAll('+', ' plus ')
    .replaceAll('&', ' and ')
    .replace(/(?<![0-9])\.|\.(?![0-9])/g, ' ')
    .replace(/[^\p{L}\p{N}\p{M}.]+/gu, ' ')
    .replace(/([0-9]) (gb|tb|mb)(?![\p{L}\p{N}])/gu, '$1$2')
    .split(' ')
    .filter((word) => word !== '')
    .flatMap((word) => splitNumber(word))
    .map((word) => SAME_WORD.get(word) ?? word);
}

/** `flip5` is `flip 5`; `s21` and `8a` stay whole. */
function splitNumber(word: string): readonly string[] {
  const match = WORD_THEN_NUMBER.exec(word);
  // Both groups take part in every match.
  return match === null ? [word] : [match[1] as string, match[2] as string];
}

/** `g 54` is `g54`, `12 t` is `12t`, `x 8 a` is `x8a`; `moto g 5g` stays. */
function joinModelNumbers(words: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    if (last !== undefined && belongTogether(last, word)) joined[joined.length - 1] = last + word;
    else joined.push(word);
  }
  return joined;
}

function belongTogether(before: string, word: string): boolean {
  if (SINGLE_LETTER.test(before)) return MODEL_NUMBER.test(word) && !MOBILE_GENERATION.test(word);
  return SINGLE_LETTER.test(word) && (SHORT_NUMBER.test(before) || /^\p{L}[0-9]{1,3}$/u.test(before));
}

function phrases(
  says: Condition | undefined,
  texts: readonly string[],
): { words: readonly string[]; says?: Condition }[] {
  return texts.map((text) => (says === undefined ? { words: text.split(' ') } : { words: text.split(' '), says }));
}
