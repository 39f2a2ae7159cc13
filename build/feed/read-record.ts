import { z } from 'zod';
import type { Notice } from '../../data/report/notice.ts';
import { noticeAt, type RecordLocation } from '../source/errors.ts';
import { valueAt } from '../source/json.ts';
import { FEED_FIELDS, FIELDS, isFeedField, NUMBER_FIELDS, type FeedField } from './fields.ts';
import { KINDS, type Notation } from './kinds.ts';
import type { RawDeal, RawField, RawFields } from './parse-deal.ts';
import {
  fillPlaceholders,
  matchFirst,
  parseJoinedText,
  placeholdersOf,
  showPatterns,
  type TextPattern,
} from './text-pattern.ts';

/** The name of a column, or joined columns. */
const columnNameSchema = z
  .string()
  .min(1)
  .max(500)
  .refine((text) => parseJoinedText(text) !== undefined, 'a column, or columns in braces such as "{make} {model}"');

const columnRuleSchema = z.strictObject({
  column: columnNameSchema,
  strip: z.array(z.string().min(1).max(50)).max(20).default([]),
  unit: z.enum(['GB', 'MB']).default('GB'),
  values: z.record(z.string().max(200), z.string().max(300)).default({}),
});

/** The setting that says in which column each field is. Removing `O.99` from a number would turn £3O.99 into 3. */
export const columnsSchema = byField(z.union([columnNameSchema, columnRuleSchema]).meta({ id: 'column' })).superRefine(
  (columns, check) => {
    for (const field of NUMBER_FIELDS) {
      const rule = columns[field];
      if (typeof rule !== 'object' || !rule.strip.some((text) => /\d/.test(text))) continue;
      reportFault(check, [field, 'strip'], 'texts to remove without digits, which are part of a number');
    }
  },
);

/** The setting of the fields that are the same in every deal. */
export const constantsSchema = byField(z.union([z.string().min(1).max(300), z.number()]).meta({ id: 'constant' }));

/** `{ dealId?: …, productId?: …, … }`, strict. */
function byField<Value extends z.ZodType>(value: Value) {
  // fromEntries forgets which keys it was given; FEED_FIELDS has all of them.
  const shape = Object.fromEntries(FEED_FIELDS.map((field) => [field, value.optional()]));
  return z.strictObject(shape as Record<FeedField, z.ZodOptional<Value>>);
}

type Check = z.core.$RefinementCtx;

/**
 * Checks that a field has one source, since two could contradict each other, and that a required one has any.
 *
 * @param givers the fields that come from elsewhere than constants, by what gives them
 * @param place the setting where a missing field is reported, and what could give it
 */
export function checkGivers(
  check: Check,
  constants: Constants,
  givers: Readonly<Record<string, readonly string[]>>,
  required: readonly string[],
  [section, source]: readonly [string, string],
): void {
  const findFault = (field: string, text: string): string | undefined => {
    const giver = Object.keys(givers).find((each) => givers[each]?.includes(field));
    if (giver !== undefined) return `one source for a field; ${giver} gives it too`;
    if (field === 'dealId') return 'an id of each deal, which is no constant';
    const unknown = placeholdersOf(text).find((name) => !isFeedField(name) || name in constants);
    return unknown && `only holes of fields that the feed gives, and {${unknown}} is none`;
  };
  for (const [field, value] of Object.entries(constants)) {
    const fault = findFault(field, String(value));
    if (fault !== undefined) reportFault(check, ['constants', field], fault);
  }
  const known = [...Object.values(givers).flat(), ...Object.keys(constants)];
  const missing = required.filter((field) => !known.includes(field));
  const input = Object.keys(valueAt(check.value, section) as object);
  if (missing.length > 0) reportFault(check, [section], `${source} for ${missing.join(', ')}`, input);
}

export function reportFault(
  check: Check,
  path: string[],
  message: string,
  input = valueAt(check.value, ...path),
): void {
  check.addIssue({ code: 'custom', path, message, input });
}

/** A record of a feed, whose columns have names. */
export interface Row {
  /** The text of a column, cleaned; undefined when it is blank. */
  readonly text: (column: string) => string | undefined;
}

/** Where a field is found: a column, or several in braces, or the first of several that has a text; and how it is written. */
interface ColumnRule<Of extends Row> {
  readonly column?: string | readonly string[];
  /** Texts to remove; in a number, a grouping sign only where it groups digits. */
  readonly strip?: readonly string[];
  readonly unit?: Notation['unit'];
  /** The meaning of a text, compared without case, in the spelling of our own feed; an empty meaning is absent. */
  readonly values?: Readonly<Record<string, string>>;
  /**
   * What columns cannot express: a text that is spelled as the rule says, or a field. `fields` are those above it in the
   * table. Messages name the column.
   */
  readonly read?: (row: Of, fields: RawFields) => RawField | string | undefined;
}

/** The table of a feed: where each field is found. A name alone is a rule without conversions. */
export type ColumnTable<Of extends Row = Row> = Readonly<
  Partial<Record<FeedField, string | ColumnRule<Of> | undefined>>
>;

type Constants = Readonly<Partial<Record<FeedField, string | number | undefined>>>;

/** How a feed writes values, and what it says elsewhere than in columns. */
interface ReaderSettings extends Partial<Pick<Notation, 'decimal' | 'dates'>> {
  /** By the column that has the text. */
  readonly patterns?: Readonly<Record<string, readonly TextPattern[] | undefined>>;
  /** The setting that has the patterns. */
  readonly patternsPath?: string;
  readonly constants?: Constants;
}

/** A field with its column, or the setting of a constant. */
type SourcedField = RawField & { readonly place: string };

/** Two sources must agree in these; names may differ. */
const COMPARED_FIELDS: readonly FeedField[] = [...NUMBER_FIELDS, 'storage', 'condition'];

/** A deal needs these; an unread text that should have one is a conflict. */
const NEEDED_FACTS = FEED_FIELDS.filter(
  (field) => FIELDS[field].need !== undefined || field === 'storage' || field === 'condition',
);

/**
 * What reads the records of a feed, or of a merchant: the constants of the configuration, then its texts, then its columns.
 * The conflict is the notice of a record whose sources disagree, or whose texts match no pattern.
 */
export function compileReader<Of extends Row>(table: ColumnTable<Of>, settings: ReaderSettings = {}) {
  const { patterns = {}, patternsPath = 'patterns', constants = {} } = settings;
  const columns: ReturnType<typeof compileColumn<Of>>[] = [];
  /** The first column of each field, as the table spells it. */
  const places: Partial<Record<FeedField, string>> = {};
  for (const [field, setting] of Object.entries(table) as [FeedField, ColumnTable<Of>[FeedField]][]) {
    if (setting === undefined) continue;
    const rule = typeof setting === 'string' ? { column: setting } : setting;
    const [place] = [rule.column ?? []].flat();
    if (place !== undefined) places[field] = place;
    columns.push(compileColumn(field, rule, settings));
  }
  const texts = Object.entries(patterns).flatMap(([column, wanted]) =>
    wanted === undefined ? [] : [{ column, wanted }],
  );
  const given: Partial<Record<FeedField, SourcedField>> = {};
  for (const [field, constant] of Object.entries(constants)) {
    given[field as FeedField] = { text: String(constant), found: String(constant), place: `constants.${field}` };
  }
  return {
    columns,
    read: (location: RecordLocation, row: Of): RawDeal => {
      const own: RawFields = {};
      for (const { field, read } of columns) {
        const value = read(row, own);
        if (value !== undefined) own[field] = value;
      }
      return { location, places, ...addOthers(location, row, own) };
    },
  };

  /** Adds the fields in the texts of a record, whose absent texts are skipped, and the constants. */
  function addOthers(location: RecordLocation, row: Row, own: RawFields): Pick<RawDeal, 'fields' | 'conflict'> {
    const facts: Partial<Record<FeedField, SourcedField>> = {};
    const conflicts: Notice[] = [];
    const compare = (field: FeedField, first: SourcedField | undefined, second: SourcedField | undefined): void => {
      if (first === undefined || second === undefined || isSameValue(field, first, second)) return;
      const expected = `${first.found} as in ${first.place}`;
      const found = `${second.found} in ${second.place}`;
      conflicts.push(noticeAt(location, { code: 'contradictory-facts', field, expected, found }));
    };
    const unread: typeof texts = [];
    for (const { column, wanted } of texts) {
      const text = row.text(column);
      const match = text === undefined ? [] : matchFirst(wanted, text);
      if (match === undefined) unread.push({ column, wanted });
      for (const [field, value] of match ?? []) {
        const fact = { ...value, place: column };
        compare(field, facts[field], fact);
        facts[field] ??= fact;
      }
    }
    for (const field of COMPARED_FIELDS) {
      const first = own[field] && { ...own[field], place: places[field] ?? 'the record' };
      compare(field, first, facts[field]);
      compare(field, first ?? facts[field], given[field]);
    }
    for (const { column, wanted } of unread) {
      const missing = wanted
        .flatMap((pattern) => pattern.fields)
        .filter((field) => NEEDED_FACTS.includes(field) && (facts[field] ?? own[field]) === undefined);
      if (missing.length === 0) continue;
      const holes = [...new Set(missing)].map((field) => `{${field}}`).join(', ');
      conflicts.push(
        noticeAt(location, {
          code: 'unmatched-pattern',
          field: column,
          expected: `a text that fits ${showPatterns(wanted)} in one way`,
          found: row.text(column),
          remedy: `add a pattern with ${holes} for such texts to ${patternsPath}.${column}`,
        }),
      );
    }
    const merged: RawFields = { ...own };
    for (const [field, { place: _, ...fact }] of Object.entries(facts)) merged[field as FeedField] = fact;
    const fields = { ...merged };
    for (const [field, constant] of Object.entries(given)) {
      const text = fillPlaceholders(constant.found, (name) => merged[name as FeedField]?.found);
      fields[field as FeedField] = text === undefined ? undefined : { ...constant, text, found: text };
    }
    return { fields, conflict: conflicts[0] };
  }
}

/** Signs that may group digits; `strip` removes them only between groups of three. */
const GROUPING_SIGNS: readonly string[] = ['.', ',', ' ', "'", '’'];

function compileColumn<Of extends Row>(
  field: FeedField,
  { column = [], strip = [], unit = 'GB', values = {}, read }: ColumnRule<Of>,
  { decimal = '.', dates = 'yyyy-mm-dd' }: ReaderSettings,
) {
  const texts = [column].flat().flatMap((name) => parseJoinedText(name) ?? []);
  const isGrouping = (text: string): boolean => NUMBER_FIELDS.includes(field) && GROUPING_SIGNS.includes(text);
  const removed = strip.filter((text) => !isGrouping(text));
  const meanings = new Map(Object.entries(values).map(([text, meaning]) => [text.toLowerCase(), meaning]));
  const kind = KINDS[FIELDS[field].kind];
  const notation: Notation = { decimal, dates, unit, grouping: strip.filter(isGrouping) };
  const expected = kind.expectedIn?.(notation) ?? kind.expected;
  const spell = (found: string): RawField | undefined => {
    const meaning = meanings.get(found.toLowerCase());
    if (meaning !== undefined) return meaning === '' ? undefined : { text: meaning, found };
    const bare = removed.reduce((text, each) => text.replaceAll(each, ''), found).trim();
    if (kind.convert !== undefined) return { text: kind.convert(bare, notation), found, expected };
    return bare === '' ? undefined : { text: bare, found };
  };
  const readTexts = (row: Of): string | undefined => {
    for (const text of texts) {
      const found = text.fill(row.text);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return {
    field,
    /** All that are read. */
    columns: texts.flatMap((text) => text.names),
    read: (row: Of, fields: RawFields): RawField | undefined => {
      const found = read === undefined ? readTexts(row) : read(row, fields);
      return typeof found === 'string' ? spell(found) : found;
    },
  };
}

/** Compares numbers by value, names by their letters and digits. A text that cannot be read is like no other. */
function isSameValue(field: FeedField, { text: a }: RawField, { text: b }: RawField): boolean {
  if (a === undefined || b === undefined) return false;
  if (NUMBER_FIELDS.includes(field) && a !== 'unlimited' && b !== 'unlimited') return Number(a) === Number(b);
  return normalizeText(a) === normalizeText(b);
}

function normalizeText(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
