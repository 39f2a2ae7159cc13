import type { Notice } from '../../data/report/notice.ts';
import { showFound } from '../source/quote.ts';
import { noticeAt, type RecordLocation } from './adapter.ts';
import { NUMBER_FIELDS, type FeedField, type FieldReader, type RawField } from './fields.ts';
import { conditionField } from './values.ts';
import { fillConstant, type Constants } from './placeholders.ts';
import {
  isPlaceholder,
  matchPattern,
  parsePattern,
  showPatterns,
  type Placeholder,
  type PlaceholderValue,
  type TextPattern,
} from './text-pattern.ts';

export interface FieldSources {
  readonly own: ReadonlyMap<FeedField, RawField>;
  readonly facts: ExtractedFields;
  readonly constants: Constants;
  readonly names: Readonly<Partial<Record<FeedField, string>>>;
  /** The remedy for a text that cannot be read. */
  remedyOf?(field: FeedField, found: string): string | undefined;
}

/** A deal needs these; an unread text that should have one is a conflict. */
const REQUIRED_PLACEHOLDERS: readonly Placeholder[] = [
  'productName',
  'storage',
  'condition',
  'network',
  'contractName',
  'contractMonths',
  'dataGb',
  'callMinutes',
  'textMessages',
  'upfrontCost',
  'monthlyCost',
];

/** Two sources must agree in these; names may differ. */
const COMPARED_FIELDS: readonly FeedField[] = [...NUMBER_FIELDS, 'storage', 'condition'];

/**
 * Merges the sources of a deal's fields: the constants of the configuration, then the texts, then the record's own
 * columns. `findConflict` reports the fields in which they disagree.
 */
export function mergeFields(sources: FieldSources): FieldReader {
  const { own, facts, constants, names } = sources;
  const find = (field: FeedField): RawField | undefined => extractedField(facts, field) ?? own.get(field);
  return {
    get: (field) => {
      const constant = constants[field];
      if (constant === undefined) return find(field);
      const text = fillConstant(constant, (placeholder) => find(placeholder)?.found);
      return text === undefined ? undefined : { text, found: text };
    },
    nameOf: (field) => names[field] ?? field,
    remedyOf: (field, found) =>
      constants[field] === undefined
        ? sources.remedyOf?.(field, found)
        : `correct the constant of \`${field}\` in the configuration`,
  };
}

/**
 * The notice of a record whose sources disagree, or whose texts match no pattern.
 *
 * @param patternsPath the setting that has the patterns
 */
export function findConflict(
  location: RecordLocation,
  sources: FieldSources,
  patternsPath: string,
): Notice | undefined {
  return findContradiction(location, sources) ?? findUnmatchedText(location, sources, patternsPath);
}

function findContradiction(location: RecordLocation, sources: FieldSources): Notice | undefined {
  const { facts } = sources;
  if (facts.conflict !== undefined) {
    const { placeholder, first, second } = facts.conflict;
    return contradiction(
      location,
      placeholder,
      { ...first, source: first.column },
      { ...second, source: second.column },
    );
  }
  for (const field of COMPARED_FIELDS) {
    const [first, second] = listSources(field, sources).filter(
      (value, index, all) => index === 0 || !isSameField(field, all[0], value),
    );
    if (first !== undefined && second !== undefined) return contradiction(location, field, first, second);
  }
  return undefined;
}

interface SourcedValue {
  readonly text: string | undefined;
  readonly found: string;
  readonly source: string;
}

function contradiction(location: RecordLocation, field: string, first: SourcedValue, second: SourcedValue): Notice {
  const expected = `${first.found} as in ${first.source}`;
  const found = showFound(`${second.found} in ${second.source}`);
  return noticeAt(location, 'contradictory-facts', { field, expected, found });
}

/** The value of a field in each source, with the name of the source. */
function listSources(field: FeedField, { own, facts, constants, names }: FieldSources): readonly SourcedValue[] {
  const extracted = extractedField(facts, field);
  const ownValue = own.get(field);
  const constant = constants[field];
  const column = facts.values.get(field as Placeholder)?.column;
  return [
    ...(ownValue === undefined ? [] : [{ ...ownValue, source: names[field] ?? 'the record' }]),
    ...(extracted === undefined ? [] : [{ ...extracted, source: column ?? 'a text' }]),
    ...(constant === undefined ? [] : [{ text: constant, found: constant, source: 'constants' }]),
  ];
}

function isSameField(field: FeedField, a: SourcedValue | undefined, b: SourcedValue): boolean {
  return a?.text !== undefined && b.text !== undefined && isSameValue(field, a.text, b.text);
}

function findUnmatchedText(
  location: RecordLocation,
  { own, facts }: FieldSources,
  patternsPath: string,
): Notice | undefined {
  for (const { column, text, patterns } of facts.unread) {
    const missing = patterns
      .flatMap(({ placeholders }) => placeholders)
      .filter((placeholder) => REQUIRED_PLACEHOLDERS.includes(placeholder) && !facts.values.has(placeholder))
      .filter((placeholder) => !own.has(placeholder as FeedField));
    if (missing.length === 0) continue;
    const placeholders = [...new Set(missing)].map((placeholder) => `{${placeholder}}`).join(', ');
    return noticeAt(location, 'unmatched-pattern', {
      field: column,
      expected: `a text that fits ${showPatterns(patterns)} in one way`,
      found: showFound(text),
      remedy: `add a pattern with ${placeholders} for such texts to ${patternsPath}.${column}`,
    });
  }
  return undefined;
}

function extractedField(facts: ExtractedFields, field: FeedField): RawField | undefined {
  if (!isPlaceholder(field)) return undefined;
  const fact = facts.values.get(field);
  if (fact === undefined) return undefined;
  const { text, found } = fact;
  return field === 'condition' ? conditionField(text) : { text, found };
}

/** The patterns for one column; the first that matches counts. */
export interface ColumnPatterns<Column extends string> {
  readonly column: Column;
  readonly patterns: readonly TextPattern[];
}

/** A field and the column that it was extracted from. */
interface ExtractedField extends PlaceholderValue {
  readonly column: string;
}

/** A text that matches no pattern, or one pattern ambiguously. */
interface UnmatchedText {
  readonly column: string;
  readonly text: string;
  readonly patterns: readonly TextPattern[];
}

export interface ExtractedFields {
  readonly values: ReadonlyMap<Placeholder, ExtractedField>;
  readonly unread: readonly UnmatchedText[];
  /** Two texts with different values for one field. */
  readonly conflict:
    | { readonly placeholder: Placeholder; readonly first: ExtractedField; readonly second: ExtractedField }
    | undefined;
}

export const NO_EXTRACTED_FIELDS: ExtractedFields = { values: new Map(), unread: [], conflict: undefined };

/** Compiles patterns that the schema of the configuration has checked. */
export function compilePatterns(sources: readonly string[]): readonly TextPattern[] {
  return sources.map((source) => {
    const parsed = parsePattern(source);
    if (parsed.kind === 'error') throw new Error(`pattern ${source}: expected ${parsed.expected}`);
    return parsed.pattern;
  });
}

export function compileColumnPatterns<Column extends string>(
  patterns: Readonly<Partial<Record<Column, readonly string[] | undefined>>>,
): readonly ColumnPatterns<Column>[] {
  const given = Object.entries(patterns) as [Column, readonly string[] | undefined][];
  return given.flatMap(([column, sources]) =>
    sources === undefined ? [] : [{ column, patterns: compilePatterns(sources) }],
  );
}

/** Extracts fields from the texts of a record; absent texts are skipped. */
export function extractFields<Column extends string>(
  rules: readonly ColumnPatterns<Column>[],
  textOf: (column: Column) => string | undefined,
): ExtractedFields {
  const values = new Map<Placeholder, ExtractedField>();
  const unread: UnmatchedText[] = [];
  let conflict: ExtractedFields['conflict'];
  for (const { column, patterns } of rules) {
    const text = textOf(column);
    if (text === undefined) continue;
    const match = matchFirst(patterns, text);
    if (match === undefined) unread.push({ column, text, patterns });
    for (const [placeholder, { text: value, found }] of match ?? []) {
      const first = values.get(placeholder);
      const fact = { text: value, found, column };
      if (first === undefined) values.set(placeholder, fact);
      else if (!isSameValue(placeholder, first.text, value)) conflict ??= { placeholder, first, second: fact };
    }
  }
  return { values, unread, conflict };
}

function matchFirst(
  patterns: readonly TextPattern[],
  text: string,
): ReadonlyMap<Placeholder, PlaceholderValue> | undefined {
  for (const pattern of patterns) {
    const match = matchPattern(pattern, text);
    if (match?.kind === 'match') return match.values;
    // A later pattern might match only because it ignores the ambiguous part.
    if (match?.kind === 'ambiguous') return undefined;
  }
  return undefined;
}

/** Compares numbers by value, names by their letters and digits. */
function isSameValue(field: Placeholder | FeedField, a: string, b: string): boolean {
  if ((NUMBER_FIELDS as readonly string[]).includes(field) && a !== 'unlimited' && b !== 'unlimited') {
    return Number(a) === Number(b);
  }
  return normalizeText(a) === normalizeText(b);
}

function normalizeText(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
