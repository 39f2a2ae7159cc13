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

/** Where the fields of a deal come from in a format of somebody else. */
export interface FieldSources {
  /** What the record has in columns or attributes of its own. */
  readonly own: ReadonlyMap<FeedField, RawField>;
  /** What its texts say. */
  readonly facts: ExtractedFields;
  /** What the configuration says of every such record. */
  readonly constants: Constants;
  /** What the format calls a field, where it has a name for it. */
  readonly names: Readonly<Partial<Record<FeedField, string>>>;
  /** What the configuration may say of a field whose text cannot be read. */
  remedyOf?(field: FeedField, found: string): string | undefined;
}

/** Without these a deal is not known; a text that should give one must be understood. */
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

/** Two sources that differ in these cannot both be right; in a name they may. */
const COMPARED_FIELDS: readonly FeedField[] = [...NUMBER_FIELDS, 'storage', 'condition'];

/**
 * The fields of a deal as its sources give them: what stands in its texts, else what the record has of its own, else the
 * constants of the configuration. Nothing is assumed: what the sources contradict each other in is a doubt.
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

/** Why the texts of a record cannot be relied on, if so; `patternsPath` is where the configuration has the templates. */
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

/** What each source says of a field, and what the source is called. */
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

/** The templates for one column of texts; the first that fits counts. */
export interface ColumnPatterns<Column extends string> {
  readonly column: Column;
  readonly templates: readonly TextPattern[];
}

/** A fact and the column in whose text it stands. */
interface ExtractedField extends PlaceholderValue {
  readonly column: string;
}

/** A text that no template fits, or that one fits in several ways. */
interface UnmatchedText {
  readonly column: string;
  readonly text: string;
  readonly templates: readonly TextPattern[];
}

/** What the texts of a record say. */
export interface ExtractedFields {
  readonly values: ReadonlyMap<Placeholder, ExtractedField>;
  readonly unread: readonly UnmatchedText[];
  /** Two texts that say different things of one field. */
  readonly conflict:
    | { readonly hole: Placeholder; readonly first: ExtractedField; readonly second: ExtractedField }
    | undefined;
}

/** Of a record without texts. */
export const NO_EXTRACTED_FIELDS: ExtractedFields = { values: new Map(), unread: [], conflict: undefined };

/** Compiles templates that the schema of the configuration has checked. */
export function compilePatterns(sources: readonly string[]): readonly TextPattern[] {
  return sources.map((source) => {
    const parsed = parsePattern(source);
    if (parsed.kind === 'fault') throw new Error(`template ${source}: expected ${parsed.expected}`);
    return parsed.template;
  });
}

/** The rules for the columns that have templates. */
export function compileColumnPatterns<Column extends string>(
  patterns: Readonly<Partial<Record<Column, readonly string[] | undefined>>>,
): readonly ColumnPatterns<Column>[] {
  const given = Object.entries(patterns) as [Column, readonly string[] | undefined][];
  return given.flatMap(([column, sources]) =>
    sources === undefined ? [] : [{ column, templates: compilePatterns(sources) }],
  );
}

/** Reads the facts that stand in the texts of a record; a text that is not there says nothing. */
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
    // A template below might fit by ignoring just what makes this one ambiguous.
    if (match?.kind === 'ambiguous') return undefined;
  }
  return undefined;
}

/** Whether two texts say the same of a field: numbers by value, names by their letters and digits. */
function isSameValue(field: Placeholder | FeedField, a: string, b: string): boolean {
  if ((NUMBER_FIELDS as readonly string[]).includes(field) && a !== 'unlimited' && b !== 'unlimited') {
    return Number(a) === Number(b);
  }
  return normalizeText(a) === normalizeText(b);
}

function normalizeText(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
