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
  readonly fields: readonly FeedField[];
  /** Runs of literals and numbers, separated by free parts. */
  readonly runs: readonly (readonly Part[])[];
  /** `free[i]` comes before `runs[i]`, the last after the last run: its fields, none for `{*}`; undefined for no free part. */
  readonly free: readonly (readonly FeedField[] | undefined)[];
}

type Part =
  | { readonly kind: 'literal'; readonly lowerCase: string }
  | { readonly kind: 'number'; readonly fields: readonly FeedField[]; readonly number: RegExp };

export type ParsedPattern =
  | { readonly kind: 'pattern'; readonly pattern: TextPattern }
  | { readonly kind: 'error'; readonly expected: string };

interface PlaceholderValue {
  /** A number is in the spelling of our own feed. */
  readonly text: string;
  /** As it is in the text. */
  readonly found: string;
}

export type PatternValues = ReadonlyMap<FeedField, PlaceholderValue>;

/** `1,234`: groups of three, at most nine digits. */
const DIGITS = '(?:[0-9]{1,3}(?:,[0-9]{3}){1,2}|[0-9]{1,9})';
/** A number does not start within another one (`128` of `1128GB`), nor after a minus sign, as in `-5` and `-£5`. */
const START = '(?<![0-9]|[0-9][.,])(?<!(?:^|[ (£])[-−]£?)';
const NUMBER_END = '(?![0-9]|[.,][0-9])';
const WORD_END = '(?![\\p{L}0-9])';
const UNLIMITED = '(?<!\\p{L})unlimited(?!\\p{L})';

/** The numbers that a placeholder matches, in the forms that feeds use. */
const NUMBERS = {
  whole: new RegExp(`${START}${DIGITS}${NUMBER_END}`, 'uy'),
  amount: new RegExp(`${START}${DIGITS}(?:\\.[0-9]{1,2})?${NUMBER_END}`, 'uy'),
  count: new RegExp(`${UNLIMITED}|${START}${DIGITS}${NUMBER_END}`, 'iuy'),
  data: new RegExp(`${UNLIMITED}|${START}[0-9]{1,6}(?:\\.[0-9]{1,3})? ?(?:gb|mb)${WORD_END}`, 'iuy'),
  storage: new RegExp(`${START}[0-9]{1,4} ?(?:gb|tb)${WORD_END}`, 'iuy'),
} as const;

/** What each placeholder matches: any text, or a number. */
const PLACEHOLDERS: Readonly<Partial<Record<FeedField, 'text' | keyof typeof NUMBERS>>> = {
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
};

const PLACEHOLDER_NAMES = Object.keys(PLACEHOLDERS);

function isPlaceholder(name: string): name is FeedField {
  return Object.hasOwn(PLACEHOLDERS, name);
}

export function parsePattern(source: string): ParsedPattern {
  const error = (expected: string): ParsedPattern => ({ kind: 'error', expected });
  if (source.trim() === '') return error('a text that is not empty');
  const runs: Part[][] = [];
  const free: (readonly FeedField[] | undefined)[] = [undefined];
  const found: FeedField[] = [];
  let last: 'run' | 'free' | undefined;
  const addPart = (part: Part): void => {
    if (last !== 'run') {
      runs.push([]);
      free.push(undefined);
    }
    runs.at(-1)?.push(part);
    last = 'run';
  };
  // Literals and placeholders take turns.
  const pieces = source
    .trim()
    .replace(/\s+/g, ' ')
    .split(/\{([^{}]*)\}/);
  for (const [i, piece] of pieces.entries()) {
    if (i % 2 === 0) {
      if (piece.includes('}')) return error('a { before every }');
      if (piece.includes('{')) return error('a } after every {');
      if (piece !== '') addPart({ kind: 'literal', lowerCase: piece.toLowerCase() });
      continue;
    }
    // `{*}` has no field.
    const names = piece === '*' ? [] : piece.split('+');
    const unknown = names.find((name) => !isPlaceholder(name));
    if (unknown !== undefined) return error(describeUnknownPlaceholder(unknown));
    const own = names.filter(isPlaceholder);
    const [kind = 'text', ...others] = new Set(own.map((field) => PLACEHOLDERS[field]));
    if (others.length > 0) return error('fields of one kind in one hole');
    found.push(...own);
    if (kind !== 'text') {
      addPart({ kind: 'number', fields: own, number: NUMBERS[kind] });
    } else {
      if (last === 'free') return error('words between two holes that take any text');
      free[free.length - 1] = own;
      last = 'free';
    }
  }
  const unbound = runs.flatMap(findUnboundNumbers)[0];
  if (unbound !== undefined) return error(`words or signs next to {${unbound}} that tell it from others`);
  const fields = found.toSorted();
  const repeated = fields.find((field, index) => fields.indexOf(field) !== index);
  if (repeated !== undefined) return error(`{${repeated}} once`);
  return { kind: 'pattern', pattern: { source, fields, runs, free } };
}

function describeUnknownPlaceholder(name: string): string {
  const nearest = findNearestWord(name, PLACEHOLDER_NAMES);
  return nearest === undefined
    ? `only the holes {*}, ${PLACEHOLDER_NAMES.map((placeholder) => `{${placeholder}}`).join(', ')}`
    : `no hole {${name}}; did you mean {${nearest}}?`;
}

/** A number with only blanks around it would match any number: a storage as a data allowance. */
function findUnboundNumbers(run: readonly Part[]): readonly FeedField[] {
  return run.flatMap((part, index) => {
    if (part.kind === 'literal' || part.number === NUMBERS.storage) return [];
    const neighbours = [run[index - 1], run[index + 1]];
    const isBound = neighbours.some((each) => each?.kind === 'literal' && each.lowerCase.trim() !== '');
    return isBound ? [] : part.fields.slice(0, 1);
  });
}

/** Compiles patterns that the schema of the configuration has checked. */
export function compilePatterns(sources: readonly string[]): readonly TextPattern[] {
  return sources.map((source) => {
    const parsed = parsePattern(source);
    if (parsed.kind === 'error') throw new Error(`pattern ${source}: expected ${parsed.expected}`);
    return parsed.pattern;
  });
}

export function showPatterns(patterns: readonly TextPattern[]): string {
  return patterns.map(({ source }) => quote(source)).join(' or ');
}

/** The values of the first pattern that matches; undefined when none does, or the first one in several ways. */
export function matchFirst(patterns: readonly TextPattern[], text: string): PatternValues | undefined {
  for (const pattern of patterns) {
    const match = matchPattern(pattern, text);
    // A later pattern might match only because it ignores the ambiguous part.
    if (match !== undefined) return match === 'ambiguous' ? undefined : match;
  }
  return undefined;
}

/** Matches a pattern with a text with single spaces; undefined when it does not match. */
export function matchPattern(pattern: TextPattern, text: string): PatternValues | 'ambiguous' | undefined {
  const lowerCase = text.toLowerCase();
  // The lower case of a few capitals is two letters, which would shift positions.
  const folded = lowerCase.length === text.length ? lowerCase : text;
  const leftmost = placeRuns(pattern, folded, true);
  if (leftmost === undefined) return undefined;
  const rightmost = placeRuns(pattern, folded, false);
  const values = readValues(pattern, text, leftmost);
  return rightmost !== undefined && sameValues(values, readValues(pattern, text, rightmost)) ? values : 'ambiguous';
}

/** The position of a run in the text, with its numbers. */
interface PlacedRun {
  readonly start: number;
  readonly end: number;
  readonly numbers: readonly { readonly fields: readonly FeedField[]; readonly at: number; readonly end: number }[];
}

/** Places every run as far left, or as far right, as possible: a pattern that matches at all matches both ways. */
function placeRuns({ runs, free }: TextPattern, text: string, isFromLeft: boolean): readonly PlacedRun[] | undefined {
  const placed: PlacedRun[] = [];
  let [start, end] = [0, text.length];
  const indices = [...runs.keys()];
  for (const index of isFromLeft ? indices : indices.toReversed()) {
    const [before, after] = [free[index], free[index + 1]];
    const first = start + minLength(before);
    const latestEnd = end - minLength(after);
    const last = before === undefined ? first : latestEnd;
    let found: PlacedRun | undefined;
    for (let i = 0; found === undefined && i <= last - first; i++) {
      const run = matchRun(runs[index] ?? [], text, isFromLeft ? first + i : last - i);
      const isWithin = run !== undefined && (after === undefined ? run.end === latestEnd : run.end <= latestEnd);
      if (isWithin) found = run;
    }
    if (found === undefined) return undefined;
    placed[index] = found;
    if (isFromLeft) start = found.end;
    else end = found.start;
  }
  return runs.length > 0 || text.length >= minLength(free[0]) ? placed : undefined;
}

function minLength(free: readonly FeedField[] | undefined): number {
  return free === undefined || free.length === 0 ? 0 : 1;
}

function matchRun(run: readonly Part[], text: string, start: number): PlacedRun | undefined {
  const numbers: PlacedRun['numbers'][number][] = [];
  let at = start;
  for (const part of run) {
    if (part.kind === 'literal') {
      if (!text.startsWith(part.lowerCase, at)) return undefined;
      at += part.lowerCase.length;
    } else {
      part.number.lastIndex = at;
      if (!part.number.test(text)) return undefined;
      numbers.push({ fields: part.fields, at, end: part.number.lastIndex });
      at = part.number.lastIndex;
    }
  }
  return { start, end: at, numbers };
}

function readValues({ runs, free }: TextPattern, text: string, placed: readonly PlacedRun[]): PatternValues {
  const values = new Map<FeedField, PlaceholderValue>();
  for (const [index, fields] of free.entries()) {
    const found = text.slice(placed[index - 1]?.end ?? 0, placed[index]?.start ?? text.length).trim();
    for (const field of found === '' ? [] : (fields ?? [])) values.set(field, { text: found, found });
    if (index === runs.length) break;
    for (const number of placed[index]?.numbers ?? []) {
      const written = text.slice(number.at, number.end);
      for (const field of number.fields) values.set(field, { text: spellNumber(field, written), found: written });
    }
  }
  return values;
}

function spellNumber(field: FeedField, written: string): string {
  // A storage is part of a name, so it keeps its spelling.
  if (field === 'storage') return written;
  if (/^unlimited$/i.test(written)) return 'unlimited';
  const [, number = '', unit] = /^([0-9,.]+) ?([a-z]+)?$/i.exec(written) ?? [];
  const plain = number.replaceAll(',', '');
  return unit?.toLowerCase() === 'mb' ? String(Number(plain) / MEGABYTES_PER_GIGABYTE) : plain;
}

function sameValues(a: PatternValues, b: PatternValues): boolean {
  return a.size === b.size && [...a].every(([field, { text }]) => b.get(field)?.text === text);
}
