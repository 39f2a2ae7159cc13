import { findNearestWord } from '../../data/query/edit-distance.ts';
import { MEGABYTES_PER_GIGABYTE } from '../../data/record/amount.ts';
import { quote } from '../source/quote.ts';
import type { FeedField } from './fields.ts';

/**
 * A pattern extracts fields from a text: `{productName} on {network} | £{monthlyCost}pm {dataGb} Data{*}`. A text
 * placeholder takes any text, a number placeholder only a number, `{*}` anything or nothing. Literals are compared
 * without case. `{callMinutes+textMessages}` is one text for two fields.
 *
 * A pattern matches the whole text. A match is ambiguous when the pattern matches in two ways with different values.
 */
export interface TextPattern {
  readonly source: string;
  /** All fields of the pattern, sorted. */
  readonly placeholders: readonly Placeholder[];
  /** Runs of literals and numbers, separated by free parts. */
  readonly runs: readonly (readonly Part[])[];
  /** `free[i]` comes before `runs[i]`, the last after the last run; undefined for none. */
  readonly free: readonly (WildcardPart | undefined)[];
}

type Part =
  | { readonly kind: 'literal'; readonly lowerCase: string }
  | { readonly kind: 'number'; readonly placeholders: readonly Placeholder[] };

interface WildcardPart {
  /** None for `{*}`. */
  readonly placeholders: readonly Placeholder[];
}

export type ParsedPattern =
  | { readonly kind: 'pattern'; readonly pattern: TextPattern }
  | { readonly kind: 'error'; readonly expected: string };

export interface PlaceholderValue {
  /** A number is in the spelling of our own feed. */
  readonly text: string;
  /** As it is in the text. */
  readonly found: string;
}

export type PatternMatch =
  | { readonly kind: 'match'; readonly values: ReadonlyMap<Placeholder, PlaceholderValue> }
  | { readonly kind: 'ambiguous' };

type Token = string | readonly Placeholder[];

export function parsePattern(source: string): ParsedPattern {
  const tokens = splitTokens(source.trim().replace(/\s+/g, ' '));
  if (!Array.isArray(tokens)) return { kind: 'error', expected: tokens.error };
  const runs: Part[][] = [];
  const free: (WildcardPart | undefined)[] = [undefined];
  let last: 'run' | 'free' | undefined;
  for (const token of tokens) {
    const isFree = typeof token !== 'string' && token.every((placeholder) => PLACEHOLDERS[placeholder] === 'text');
    if (isFree) {
      if (last === 'free') return { kind: 'error', expected: 'words between two holes that take any text' };
      free[free.length - 1] = { placeholders: token };
      last = 'free';
      continue;
    }
    if (last !== 'run') {
      runs.push([]);
      free.push(undefined);
    }
    const part: Part =
      typeof token === 'string'
        ? { kind: 'literal', lowerCase: token.toLowerCase() }
        : { kind: 'number', placeholders: token };
    runs.at(-1)?.push(part);
    last = 'run';
  }
  const unbound = runs.flatMap(findUnboundNumbers)[0];
  if (unbound !== undefined)
    return { kind: 'error', expected: `words or signs next to {${unbound}} that tell it from others` };
  const placeholders = tokens.flatMap((token) => (typeof token === 'string' ? [] : token)).toSorted();
  const repeated = placeholders.find((placeholder, index) => placeholders.indexOf(placeholder) !== index);
  if (repeated !== undefined) return { kind: 'error', expected: `{${repeated}} once` };
  return { kind: 'pattern', pattern: { source, placeholders, runs, free } };
}

/** Splits a pattern into literals and placeholders; `{*}` has no field. */
function splitTokens(source: string): Token[] | { readonly error: string } {
  const tokens: Token[] = [];
  for (let at = 0; at < source.length;) {
    const open = source.indexOf('{', at);
    const literal = source.slice(at, open === -1 ? source.length : open);
    if (literal.includes('}')) return { error: 'a { before every }' };
    if (literal !== '') tokens.push(literal);
    if (open === -1) break;
    const close = source.indexOf('}', open);
    if (close === -1) return { error: 'a } after every {' };
    const inner = source.slice(open + 1, close);
    const names = inner === '*' ? [] : inner.split('+');
    const unknown = names.find((name) => !isPlaceholder(name));
    if (unknown !== undefined) return { error: describeUnknownPlaceholder(unknown) };
    const placeholders = names.filter(isPlaceholder);
    if (new Set(placeholders.map((placeholder) => PLACEHOLDERS[placeholder])).size > 1)
      return { error: 'fields of one kind in one hole' };
    tokens.push(placeholders);
    at = close + 1;
  }
  return tokens.length === 0 ? { error: 'a text that is not empty' } : tokens;
}

function describeUnknownPlaceholder(name: string): string {
  const nearest = findNearestWord(name, PLACEHOLDER_NAMES);
  return nearest === undefined
    ? `only the holes {*}, ${PLACEHOLDER_NAMES.map((placeholder) => `{${placeholder}}`).join(', ')}`
    : `no hole {${name}}; did you mean {${nearest}}?`;
}

/** A number with only blanks around it would match any number: a storage as a data allowance. */
function findUnboundNumbers(run: readonly Part[]): readonly Placeholder[] {
  return run.flatMap((part, index) => {
    if (part.kind === 'literal' || PLACEHOLDERS[part.placeholders[0] as Placeholder] === 'storage') return [];
    const neighbours = [run[index - 1], run[index + 1]];
    const isBound = neighbours.some((each) => each?.kind === 'literal' && each.lowerCase.trim() !== '');
    return isBound ? [] : part.placeholders.slice(0, 1);
  });
}

/** Matches a pattern with a text with single spaces; undefined when it does not match. */
export function matchPattern(pattern: TextPattern, text: string): PatternMatch | undefined {
  const lowerCase = text.toLowerCase();
  // The lower case of a few capitals is two letters, which would shift positions.
  const folded = lowerCase.length === text.length ? lowerCase : text;
  const leftmost = matchFromLeft(pattern, folded);
  if (leftmost === undefined) return undefined;
  const rightmost = matchFromRight(pattern, folded);
  const values = readValues(pattern, text, leftmost);
  if (rightmost === undefined || !sameValues(values, readValues(pattern, text, rightmost)))
    return { kind: 'ambiguous' };
  return { kind: 'match', values };
}

/** The position of a run in the text, with its numbers. */
interface PlacedRun {
  readonly start: number;
  readonly end: number;
  readonly numbers: readonly {
    readonly placeholders: readonly Placeholder[];
    readonly text: string;
    readonly at: number;
    readonly end: number;
  }[];
}

/** Places every run as far left as possible: a pattern that matches at all matches this way. */
function matchFromLeft({ runs, free }: TextPattern, text: string): readonly PlacedRun[] | undefined {
  const placed: PlacedRun[] = [];
  let end = 0;
  for (const [index, run] of runs.entries()) {
    const isLast = index === runs.length - 1;
    const after = free[index + 1];
    const latestEnd = isLast && after !== undefined ? text.length - minLength(after) : text.length;
    const mustEndAt = isLast && after === undefined ? text.length : undefined;
    const before = free[index];
    const first = end + minLength(before);
    const found = findRun(run, text, first, before === undefined ? first : text.length, 1, (candidate) =>
      mustEndAt === undefined ? candidate.end <= latestEnd : candidate.end === mustEndAt,
    );
    if (found === undefined) return undefined;
    placed.push(found);
    end = found.end;
  }
  return runs.length > 0 || text.length >= minLength(free[0]) ? placed : undefined;
}

/** Places every run as far right as possible. */
function matchFromRight({ runs, free }: TextPattern, text: string): readonly PlacedRun[] | undefined {
  const placed: PlacedRun[] = [];
  let start = text.length;
  for (const [index, run] of [...runs.entries()].toReversed()) {
    const after = free[index + 1];
    const latestEnd = start - minLength(after);
    const [first, last] = free[index] === undefined ? [0, 0] : [minLength(free[index]), latestEnd];
    const found = findRun(run, text, last, first, -1, (candidate) =>
      after === undefined ? candidate.end === latestEnd : candidate.end <= latestEnd,
    );
    if (found === undefined) return undefined;
    placed.unshift(found);
    start = found.start;
  }
  return placed;
}

function minLength(part: WildcardPart | undefined): number {
  return part === undefined || part.placeholders.length === 0 ? 0 : 1;
}

/** The first accepted match of a run, from `from` to `to` in steps of `step`. */
function findRun(
  run: readonly Part[],
  text: string,
  from: number,
  to: number,
  step: 1 | -1,
  accepts: (placed: PlacedRun) => boolean,
): PlacedRun | undefined {
  for (let at = from; step === 1 ? at <= to : at >= to; at += step) {
    const placed = matchRun(run, text, at);
    if (placed !== undefined && accepts(placed)) return placed;
  }
  return undefined;
}

function matchRun(run: readonly Part[], text: string, start: number): PlacedRun | undefined {
  const numbers: PlacedRun['numbers'][number][] = [];
  let at = start;
  for (const part of run) {
    if (part.kind === 'literal') {
      if (!text.startsWith(part.lowerCase, at)) return undefined;
      at += part.lowerCase.length;
    } else {
      const kind = PLACEHOLDERS[part.placeholders[0] as Placeholder];
      const found = kind === 'text' ? undefined : readPlaceholderAt(kind, text, at);
      if (found === undefined) return undefined;
      numbers.push({ placeholders: part.placeholders, text: found.value, at, end: found.end });
      at = found.end;
    }
  }
  return { start, end: at, numbers };
}

function readValues(
  { runs, free }: TextPattern,
  text: string,
  placed: readonly PlacedRun[],
): ReadonlyMap<Placeholder, PlaceholderValue> {
  const values = new Map<Placeholder, PlaceholderValue>();
  for (const [index, part] of free.entries()) {
    const start = placed[index - 1]?.end ?? 0;
    const found = text.slice(start, placed[index]?.start ?? text.length).trim();
    for (const placeholder of found === '' ? [] : (part?.placeholders ?? []))
      values.set(placeholder, { text: found, found });
    if (index === runs.length) break;
    for (const number of placed[index]?.numbers ?? []) {
      const written = text.slice(number.at, number.end);
      // A storage is part of a name, so it keeps its spelling.
      for (const placeholder of number.placeholders) {
        values.set(placeholder, { text: placeholder === 'storage' ? written : number.text, found: written });
      }
    }
  }
  return values;
}

function sameValues(
  a: ReadonlyMap<Placeholder, PlaceholderValue>,
  b: ReadonlyMap<Placeholder, PlaceholderValue>,
): boolean {
  return a.size === b.size && [...a].every(([placeholder, { text }]) => b.get(placeholder)?.text === text);
}

export function showPatterns(patterns: readonly TextPattern[]): string {
  return patterns.map(({ source }) => quote(source)).join(' or ');
}

/** What a placeholder matches: any text, or a number in one of the forms that feeds use. */
type PlaceholderKind = 'text' | 'whole' | 'count' | 'amount' | 'data' | 'storage';

const PLACEHOLDERS = {
  productName: 'text',
  storage: 'storage',
  colour: 'text',
  condition: 'text',
  network: 'text',
  contractName: 'text',
  contractMonths: 'whole',
  dataGb: 'data',
  callMinutes: 'count',
  textMessages: 'count',
  upfrontCost: 'amount',
  monthlyCost: 'amount',
  totalCost: 'amount',
  cashbackType: 'text',
  cashbackValue: 'amount',
  gift: 'text',
} as const satisfies Partial<Record<FeedField, PlaceholderKind>>;

export type Placeholder = keyof typeof PLACEHOLDERS;

const PLACEHOLDER_NAMES = Object.keys(PLACEHOLDERS) as readonly Placeholder[];

export function isPlaceholder(name: string): name is Placeholder {
  return Object.hasOwn(PLACEHOLDERS, name);
}

interface NumberInText {
  /** In the spelling of our own feed. */
  readonly value: string;
  readonly end: number;
}

/** `1,234.50`: groups of three, at most two decimals, at most nine digits. */
const AMOUNT = /(?:[0-9]{1,3}(?:,[0-9]{3}){1,2}|[0-9]{1,9})(?:\.[0-9]{1,2})?/y;
const WHOLE = /(?:[0-9]{1,3}(?:,[0-9]{3}){1,2}|[0-9]{1,9})/y;
const DATA = /([0-9]{1,6}(?:\.[0-9]{1,3})?) ?(gb|mb)/iy;
const STORAGE = /[0-9]{1,4} ?(?:gb|tb)/iy;
const UNLIMITED = /unlimited/iy;

/**
 * Reads the number at a position of a text. It must not start or end within another number (`128` of `1128GB`), after a
 * minus sign, or within a word.
 */
function readPlaceholderAt(kind: Exclude<PlaceholderKind, 'text'>, text: string, at: number): NumberInText | undefined {
  if (kind === 'count' || kind === 'data') {
    const end = matchAt(UNLIMITED, text, at)?.end;
    if (end !== undefined && !isLetter(text[at - 1]) && !isLetter(text[end])) return { value: 'unlimited', end };
  }
  if (isWithinNumber(text, at) || isSigned(text, at)) return undefined;
  switch (kind) {
    case 'amount':
      return endsNumber(matchAt(AMOUNT, text, at), text);
    case 'whole':
    case 'count':
      return endsNumber(matchAt(WHOLE, text, at), text);
    case 'storage':
      return endsWord(matchAt(STORAGE, text, at), text);
    case 'data': {
      const found = endsWord(matchAt(DATA, text, at), text);
      return found === undefined ? undefined : { value: toGigabytes(found.value), end: found.end };
    }
  }
}

function matchAt(pattern: RegExp, text: string, at: number): NumberInText | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match === null ? undefined : { value: match[0].replaceAll(',', ''), end: at + match[0].length };
}

function endsNumber(found: NumberInText | undefined, text: string): NumberInText | undefined {
  if (found === undefined) return undefined;
  const next = text[found.end];
  const isCut = isDigit(next) || ((next === '.' || next === ',') && isDigit(text[found.end + 1]));
  return isCut ? undefined : found;
}

function endsWord(found: NumberInText | undefined, text: string): NumberInText | undefined {
  return found !== undefined && (isLetter(text[found.end]) || isDigit(text[found.end])) ? undefined : found;
}

function isWithinNumber(text: string, at: number): boolean {
  const [before, beforeThat] = [text[at - 1], text[at - 2]];
  return isDigit(before) || ((before === '.' || before === ',') && isDigit(beforeThat));
}

/** `-5` and `-£5`, but not `new-25` or ` - £25`: the dash is before the number and not after a word. */
function isSigned(text: string, at: number): boolean {
  const sign = text[at - 1] === '£' ? at - 2 : at - 1;
  if (text[sign] !== '-' && text[sign] !== '−') return false;
  const before = text[sign - 1];
  return before === undefined || before === ' ' || before === '(' || before === '£';
}

function toGigabytes(text: string): string {
  const [, number = '', unit = ''] = /^([0-9.]+) ?([a-z]+)$/i.exec(text) ?? [];
  return unit.toLowerCase() === 'gb' ? number : String(Number(number) / MEGABYTES_PER_GIGABYTE);
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /\p{L}/u.test(character);
}
