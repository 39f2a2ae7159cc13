import type { Notice } from '../../../data/report/notice.ts';
import { showFound } from '../../source/quote.ts';
import { noticeAt, type RecordLocation } from '../deal/adapter.ts';
import { NUMBER_FIELDS, type FeedField } from '../deal/fields.ts';
import type { FieldReader, RawField } from '../deal/read-deal.ts';
import { parseCondition } from '../deal/values.ts';
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

/** The sources of the fields of a deal in a foreign format. */
export interface FieldSources {
  /** The record's own columns or attributes. */
  readonly own: ReadonlyMap<FeedField, RawField>;
  /** The fields extracted from its texts. */
  readonly facts: ExtractedFields;
  /** The constants of the configuration. */
  readonly constants: Constants;
  /** The names of the fields in the format. */
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
      const text = fillConstant(constant, (hole) => find(hole)?.found);
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
export function findConflict(place: RecordLocation, sources: FieldSources, patternsPath: string): Notice | undefined {
  return findContradiction(place, sources) ?? findUnmatchedText(place, sources, patternsPath);
}

function findContradiction(place: RecordLocation, sources: FieldSources): Notice | undefined {
  const { facts } = sources;
  if (facts.conflict !== undefined) {
    const { hole, first, second } = facts.conflict;
    const expected = `${first.found} as in ${first.column}`;
    const found = `${second.found} in ${second.column}`;
    return noticeAt(place, 'contradictory-facts', { field: hole, expected, found: showFound(found) });
  }
  for (const field of COMPARED_FIELDS) {
    const [first, second] = listSources(field, sources).filter(
      ({ cell }, index, all) => index === 0 || !isSameField(field, all[0]?.cell, cell),
    );
    if (first === undefined || second === undefined) continue;
    const expected = `${first.cell.found} as in ${first.place}`;
    const found = `${second.cell.found} in ${second.place}`;
    return noticeAt(place, 'contradictory-facts', { field, expected, found: showFound(found) });
  }
  return undefined;
}

/** The value of a field in each source, with the name of the source. */
function listSources(
  field: FeedField,
  { own, facts, constants, names }: FieldSources,
): readonly { readonly place: string; readonly cell: RawField }[] {
  const fact = extractedField(facts, field);
  const cell = own.get(field);
  const constant = constants[field];
  return [
    ...(cell === undefined ? [] : [{ place: names[field] ?? 'the record', cell }]),
    ...(fact === undefined ? [] : [{ place: facts.values.get(field as Placeholder)?.column ?? 'a text', cell: fact }]),
    ...(constant === undefined ? [] : [{ place: 'constants', cell: { text: constant, found: constant } }]),
  ];
}

function isSameField(field: FeedField, a: RawField | undefined, b: RawField): boolean {
  return a?.text !== undefined && b.text !== undefined && isSameValue(field, a.text, b.text);
}

function findUnmatchedText(
  place: RecordLocation,
  { own, facts }: FieldSources,
  patternsPath: string,
): Notice | undefined {
  for (const { column, text, templates } of facts.unread) {
    const missing = templates
      .flatMap(({ holes }) => holes)
      .filter((hole) => REQUIRED_PLACEHOLDERS.includes(hole) && !facts.values.has(hole))
      .filter((hole) => !own.has(hole as FeedField));
    if (missing.length === 0) continue;
    const holes = [...new Set(missing)].map((hole) => `{${hole}}`).join(', ');
    return noticeAt(place, 'unmatched-pattern', {
      field: column,
      expected: `a text that fits ${showPatterns(templates)} in one way`,
      found: showFound(text),
      remedy: `add a pattern with ${holes} for such texts to ${patternsPath}.${column}`,
    });
  }
  return undefined;
}

function extractedField(facts: ExtractedFields, field: FeedField): RawField | undefined {
  if (!isPlaceholder(field)) return undefined;
  const fact = facts.values.get(field);
  if (fact === undefined) return undefined;
  const { text, found } = fact;
  if (field === 'condition') return { text: parseCondition(text), found, expected: 'new, refurbished or used' };
  return { text, found };
}

/** The patterns for one column; the first that matches counts. */
export interface ColumnPatterns<Column extends string> {
  readonly column: Column;
  readonly templates: readonly TextPattern[];
}

/** A field and the column that it was extracted from. */
interface ExtractedField extends PlaceholderValue {
  readonly column: string;
}

/** A text that matches no pattern, or one pattern ambiguously. */
interface UnmatchedText {
  readonly column: string;
  readonly text: string;
  readonly templates: readonly TextPattern[];
}

/** The fields extracted from the texts of a record. */
export interface ExtractedFields {
  readonly values: ReadonlyMap<Placeholder, ExtractedField>;
  readonly unread: readonly UnmatchedText[];
  /** Two texts with different values for one field. */
  readonly conflict:
    | { readonly hole: Placeholder; readonly first: ExtractedField; readonly second: ExtractedField }
    | undefined;
}

export const NO_EXTRACTED_FIELDS: ExtractedFields = { values: new Map(), unread: [], conflict: undefined };

/** Compiles patterns that the schema of the configuration has checked. */
export function compilePatterns(sources: readonly string[]): readonly TextPattern[] {
  return sources.map((source) => {
    const parsed = parsePattern(source);
    if (parsed.kind === 'fault') throw new Error(`template ${source}: expected ${parsed.expected}`);
    return parsed.template;
  });
}

export function compileColumnPatterns<Column extends string>(
  patterns: Readonly<Partial<Record<Column, readonly string[] | undefined>>>,
): readonly ColumnPatterns<Column>[] {
  const given = Object.entries(patterns) as [Column, readonly string[] | undefined][];
  return given.flatMap(([column, sources]) =>
    sources === undefined ? [] : [{ column, templates: compilePatterns(sources) }],
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
  for (const { column, templates } of rules) {
    const text = textOf(column);
    if (text === undefined) continue;
    const match = matchFirst(templates, text);
    if (match === undefined) unread.push({ column, text, templates });
    for (const [hole, { text: value, found }] of match ?? []) {
      const first = values.get(hole);
      const fact = { text: value, found, column };
      if (first === undefined) values.set(hole, fact);
      else if (!isSameValue(hole, first.text, value)) conflict ??= { hole, first, second: fact };
    }
  }
  return { values, unread, conflict };
}

function matchFirst(
  templates: readonly TextPattern[],
  text: string,
): ReadonlyMap<Placeholder, PlaceholderValue> | undefined {
  for (const template of templates) {
    const match = matchPattern(template, text);
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
