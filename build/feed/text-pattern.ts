import { z } from 'zod';
import { didYouMean } from '../source/nearest-name.ts';
import { quote } from '../source/quote.ts';
import { FEED_FIELDS, FIELDS, isFeedField, type FeedField } from './fields.ts';
import { KINDS, PROSE, type KindName } from './kinds.ts';
import type { RawField } from './parse-deal.ts';

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
  readonly runs: readonly Run[];
  /** `free[i]` comes before `runs[i]`, the last after the last run: its fields, none for `{*}`; undefined for no free part. */
  readonly free: readonly (readonly FeedField[] | undefined)[];
}

interface Run {
  /** Sticky; each group is a number. */
  readonly regex: RegExp;
  /** The fields of each number. */
  readonly numbers: readonly (readonly FeedField[])[];
}

type PatternValues = ReadonlyMap<FeedField, RawField>;

/** `1,234`: groups of three, at most nine digits. */
const DIGITS = '(?:[0-9]{1,3}(?:,[0-9]{3}){1,2}|[0-9]{1,9})';
/** A number does not start within another one (`128` of `1128GB`), nor after a minus sign, as in `-5` and `-£5`. */
const START = '(?<![0-9]|[0-9][.,])(?<!(?:^|[ (£])[-−]£?)';
const NUMBER_END = '(?![0-9]|[.,][0-9])';
const WORD_END = '(?![\\p{L}0-9])';
const UNLIMITED = '(?<!\\p{L})unlimited(?!\\p{L})';

/** The numbers that a placeholder matches, by the kind of its field, in the forms that feeds use. */
const NUMBERS: Readonly<Partial<Record<KindName, string>>> = {
  months: `${START}${DIGITS}${NUMBER_END}`,
  amount: `${START}${DIGITS}(?:\\.[0-9]{1,2})?${NUMBER_END}`,
  count: `${UNLIMITED}|${START}${DIGITS}${NUMBER_END}`,
  data: `${UNLIMITED}|${START}[0-9]{1,6}(?:\\.[0-9]{1,3})? ?(?:gb|mb)${WORD_END}`,
  size: `${START}[0-9]{1,4} ?(?:gb|tb)${WORD_END}`,
};

/** The fields that texts have. */
const PLACEHOLDERS = FEED_FIELDS.filter(
  (field) =>
    !['id', 'gtin', 'url', 'date', 'switch'].includes(FIELDS[field].kind) && !['retailer', 'dealType'].includes(field),
);

const HOLES = ['*', ...PLACEHOLDERS].map((name) => `{${name}}`);

/** Parses a pattern; returns what is expected instead where it is none. */
export function parsePattern(source: string): TextPattern | string {
  if (source.trim() === '') return 'a text that is not empty';
  const runs: { text: string; numbers: (readonly FeedField[])[] }[] = [];
  const free: (readonly FeedField[] | undefined)[] = [undefined];
  const found: FeedField[] = [];
  let unbound: FeedField | undefined;
  let last: 'run' | 'free' | undefined;
  const addToRun = (text: string, ...numbers: (readonly FeedField[])[]): void => {
    if (last !== 'run') {
      runs.push({ text: '', numbers: [] });
      free.push(undefined);
    }
    const run = runs.at(-1);
    if (run !== undefined) run.text += text;
    run?.numbers.push(...numbers);
    last = 'run';
  };
  // Literals and placeholders take turns.
  const pieces = source
    .trim()
    .replace(/\s+/g, ' ')
    .split(/\{([^{}]*)\}/);
  for (const [i, piece] of pieces.entries()) {
    if (i % 2 === 0) {
      if (piece.includes('}')) return 'a { before every }';
      if (piece.includes('{')) return 'a } after every {';
      if (piece !== '') addToRun(piece.replaceAll(/[$()*+./?[\\\]^|]/g, '\\$&'));
      continue;
    }
    // `{*}` has no field.
    const names = piece === '*' ? [] : piece.split('+');
    const unknown = names.find((name) => !isFeedField(name) || !PLACEHOLDERS.includes(name));
    if (unknown !== undefined) return `no hole {${unknown}}${didYouMean(`{${unknown}}`, HOLES)}`;
    const own = names.filter(isFeedField);
    const [number, ...others] = new Set(own.map((field) => NUMBERS[FIELDS[field].kind]));
    if (others.length > 0) return 'fields of one kind in one hole';
    found.push(...own);
    if (number !== undefined) {
      addToRun(`(${number})`, own);
      // With only blanks around it, it would match any number: a storage as a data allowance.
      const isBound = [pieces[i - 1], pieces[i + 1]].some((text) => text?.trim() !== '');
      if (!isBound && number !== NUMBERS.size) unbound ??= own[0];
    } else {
      if (last === 'free') return 'words between two holes that take any text';
      free[free.length - 1] = own;
      last = 'free';
    }
  }
  if (unbound !== undefined) return `words or signs next to {${unbound}} that tell it from others`;
  const fields = found.toSorted();
  const repeated = fields.find((field, index) => fields.indexOf(field) !== index);
  if (repeated !== undefined) return `{${repeated}} once`;
  const compiled = runs.map(({ text, numbers }) => ({ regex: new RegExp(text, 'iuy'), numbers }));
  return { source, fields, runs: compiled, free };
}

function listSchema(check: (pattern: TextPattern) => string | undefined = () => undefined) {
  const pattern = z
    .string()
    .min(1)
    .max(500)
    .transform((text, context) => {
      const parsed = parsePattern(text);
      const expected = typeof parsed === 'string' ? parsed : check(parsed);
      if (typeof parsed !== 'string' && expected === undefined) return parsed;
      context.addIssue({ code: 'custom', message: expected ?? '', input: text });
      return z.NEVER;
    });
  return z.array(pattern).min(1).max(100);
}

/** Patterns of the configuration, compiled. */
export const patternsSchema = listSchema().meta({ id: 'patterns' });

/** Patterns without fields, which only match or do not. */
export const barePatternsSchema = listSchema(({ fields }) => (fields.length > 0 ? 'no holes but {*}' : undefined));

/** The fields in patterns of several texts. */
export function fieldsIn(patterns: Readonly<Record<string, readonly TextPattern[] | undefined>>): readonly FeedField[] {
  return Object.values(patterns).flatMap((each = []) => each.flatMap(({ fields }) => fields));
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
  const placed = placeRuns(pattern, text, true);
  const others = placed && placeRuns(pattern, text, false);
  if (placed === undefined || others === undefined) return undefined;
  const values = readValues(pattern, text, placed);
  const otherValues = readValues(pattern, text, others);
  const isSame =
    values.size === otherValues.size &&
    [...values].every(([field, { text: value }]) => otherValues.get(field)?.text === value);
  return isSame ? values : 'ambiguous';
}

/** Places every run as far left, or as far right, as possible: a pattern that matches at all matches both ways. */
function placeRuns(
  { runs, free }: TextPattern,
  text: string,
  isFromLeft: boolean,
): readonly RegExpExecArray[] | undefined {
  const placed: RegExpExecArray[] = [];
  let [start, end] = [0, text.length];
  const inOrder = isFromLeft ? [...runs.entries()] : [...runs.entries()].toReversed();
  for (const [index, { regex }] of inOrder) {
    const [before, after] = [free[index], free[index + 1]];
    const first = start + minLength(before);
    const latestEnd = end - minLength(after);
    const last = before === undefined ? first : latestEnd;
    let found: RegExpExecArray | undefined;
    for (let i = 0; found === undefined && i <= last - first; i++) {
      regex.lastIndex = isFromLeft ? first + i : last - i;
      const match = regex.exec(text);
      const isWithin =
        match !== null && (after === undefined ? regex.lastIndex === latestEnd : regex.lastIndex <= latestEnd);
      if (isWithin) found = match;
    }
    if (found === undefined) return undefined;
    placed[index] = found;
    if (isFromLeft) start = endOf(found);
    else end = found.index;
  }
  return runs.length > 0 || text.length >= minLength(free[0]) ? placed : undefined;
}

function endOf(match: RegExpExecArray | undefined): number {
  return match === undefined ? 0 : match.index + match[0].length;
}

function minLength(free: readonly FeedField[] | undefined): number {
  return free === undefined || free.length === 0 ? 0 : 1;
}

function readValues({ runs, free }: TextPattern, text: string, placed: readonly RegExpExecArray[]): PatternValues {
  const values = new Map<FeedField, RawField>();
  const add = (fields: readonly FeedField[] = [], found = ''): void => {
    for (const field of found === '' ? [] : fields) {
      const { convert, expected } = KINDS[FIELDS[field].kind];
      values.set(
        field,
        convert === undefined ? { text: found, found } : { text: convert(found, PROSE), found, expected },
      );
    }
  };
  for (const [index, fields] of free.entries()) {
    add(fields, text.slice(endOf(placed[index - 1]), placed[index]?.index).trim());
    runs[index]?.numbers.forEach((own, i) => add(own, placed[index]?.[1 + i]));
  }
  return values;
}

/** A text with the names of columns or fields in braces. */
export interface JoinedText {
  readonly names: readonly string[];
  /** Replaces each name by its value; undefined when every value is missing or blank. */
  fill(find: (name: string) => string | undefined): string | undefined;
}

const COLUMN_PLACEHOLDER = /\{([^{}]*)\}/g;

/**
 * Reads `{make} {model} ({colour})`, or one name without braces. A missing value leaves neither double spaces nor empty
 * brackets. Undefined when the braces do not match.
 */
export function parseJoinedText(text: string): JoinedText | undefined {
  const names = [...text.matchAll(COLUMN_PLACEHOLDER)].map(([, name = '']) => name.trim());
  if (/[{}]/.test(text.replaceAll(COLUMN_PLACEHOLDER, '')) || names.includes('')) return undefined;
  if (names.length === 0) return { names: [text], fill: (find) => find(text) };
  return {
    names,
    fill: (find) => {
      if (names.every((name) => (find(name) ?? '').trim() === '')) return undefined;
      return text
        .replaceAll(COLUMN_PLACEHOLDER, (_whole, name: string) => find(name.trim()) ?? '')
        .replaceAll(/\(\s*\)|\[\s*\]/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim();
    },
  };
}

/**
 * Fills the holes of a constant: `{network} {dataGb}` becomes `Three 100GB`. Undefined when a value is missing.
 *
 * @param pattern has the name in its group
 */
export function fillPlaceholders(
  text: string,
  find: (name: string) => string | undefined,
  pattern = FIELD_PLACEHOLDER,
): string | undefined {
  if (placeholdersOf(text, pattern).some((name) => find(name) === undefined)) return undefined;
  return text.replaceAll(pattern, (_whole, name: string) => find(name) ?? '');
}

/** The fields in the holes of a constant. */
export function placeholdersOf(text: string, pattern = FIELD_PLACEHOLDER): readonly string[] {
  return [...text.matchAll(pattern)].map(([, name]) => name ?? '');
}

const FIELD_PLACEHOLDER = /\{([A-Za-z]+)\}/g;
