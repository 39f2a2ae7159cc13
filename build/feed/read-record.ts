import type { Notice } from '../../data/report/notice.ts';
import { noticeAt, type RecordLocation } from '../source/errors.ts';
import { quote } from '../source/quote.ts';
import { FEED_FIELDS, FIELDS, NUMBER_FIELDS, type FeedField } from './fields.ts';
import { DATE_FORMATS, KINDS, parseForeignDate, type Notation } from './kinds.ts';
import type { RawDeal, RawField, RawFields } from './parse-deal.ts';
import { compilePatterns, fillPlaceholders, matchFirst, parseJoinedText, showPatterns } from './text-pattern.ts';

/** A record of a feed, whose columns have names. */
export interface Row {
  /** The text of a column. */
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

/** How a feed writes values, and what it says elsewhere than in columns. */
interface ReaderSettings extends Partial<Pick<Notation, 'decimal' | 'dates' | 'hasExcessZeros'>> {
  /** Cleans a text, if the row has not. */
  readonly clean?: (text: string) => string | undefined;
  /** The setting that has some of the columns, and those columns: a remedy may change them. */
  readonly configured?: readonly [section: string, columns: ColumnTable];
  /** By the column that has the text. */
  readonly patterns?: Readonly<Record<string, readonly string[] | undefined>>;
  /** The setting that has the patterns. */
  readonly patternsPath?: string;
  /** The fields that are the same in every deal. */
  readonly constants?: Readonly<Partial<Record<FeedField, string | number | undefined>>>;
}

/** The compiled rule of one field. */
interface FieldColumn<Of extends Row> {
  readonly field: FeedField;
  /** All columns that are read. */
  readonly columns: readonly string[];
  readonly read: (row: Of, fields: RawFields) => RawField | undefined;
}

/** What reads the records of a feed, or of a merchant. */
export interface RecordReader<Of extends Row> {
  readonly columns: readonly FieldColumn<Of>[];
  /**
   * Reads a record: the constants of the configuration, then its texts, then its columns. The conflict is the notice of a
   * record whose sources disagree, or whose texts match no pattern.
   */
  readonly read: (location: RecordLocation, row: Of) => RawDeal;
}

/** A field with its column, or `constants`. */
type SourcedField = RawField & { readonly place: string };

/** Two sources must agree in these; names may differ. */
const COMPARED_FIELDS: readonly FeedField[] = [...NUMBER_FIELDS, 'storage', 'condition'];

/** A deal needs these; an unread text that should have one is a conflict. */
const NEEDED_FACTS = FEED_FIELDS.filter(
  (field) => FIELDS[field].need !== undefined || field === 'storage' || field === 'condition',
);

export function compileReader<Of extends Row>(table: ColumnTable<Of>, settings: ReaderSettings = {}): RecordReader<Of> {
  const { patterns = {}, patternsPath = 'patterns', constants = {}, configured } = settings;
  const columns = (Object.entries(table) as [FeedField, ColumnTable<Of>[FeedField]][]).flatMap(([field, setting]) => {
    if (setting === undefined) return [];
    const rule = typeof setting === 'string' ? { column: setting } : setting;
    return [{ field, name: [rule.column ?? []].flat()[0], ...compileColumn(field, rule, settings) }];
  });
  /** The first column of each field, as the table spells it. */
  const places: Partial<Record<FeedField, string>> = Object.fromEntries(
    columns.flatMap(({ field, name }) => (name === undefined ? [] : [[field, name]])),
  );
  const texts = Object.entries(patterns).map(([column, sources = []]) => ({
    column,
    patterns: compilePatterns(sources),
  }));
  const given = new Map(
    Object.entries(constants).map(([field, constant]): [FeedField, SourcedField] => [
      field as FeedField,
      { text: String(constant), found: String(constant), place: 'constants' },
    ]),
  );
  return {
    columns,
    read: (location, row) => {
      const own: RawFields = {};
      for (const { field, read } of columns) {
        const value = read(row, own);
        if (value !== undefined) own[field] = value;
      }
      const isAlone = texts.length === 0 && given.size === 0;
      const { fields, conflict } = isAlone ? { fields: own, conflict: undefined } : addOthers(location, row, own);
      return { location, places, remedyOf, fields, conflict };
    },
  };

  /** Adds the fields in the texts of a record, whose absent texts are skipped, and the constants. */
  function addOthers(location: RecordLocation, row: Row, own: RawFields): Pick<RawDeal, 'fields' | 'conflict'> {
    const facts: Partial<Record<FeedField, SourcedField>> = {};
    const conflicts: Notice[] = [];
    const compare = (field: FeedField, first: SourcedField, second: SourcedField): void => {
      if (isSameValue(field, first, second)) return;
      const expected = `${first.found} as in ${first.place}`;
      const found = `${second.found} in ${second.place}`;
      conflicts.push(noticeAt(location, { code: 'contradictory-facts', field, expected, found }));
    };
    const unread: typeof texts = [];
    for (const { column, patterns: wanted } of texts) {
      const text = wanted.length === 0 ? undefined : row.text(column);
      const match = text === undefined ? [] : matchFirst(wanted, text);
      if (match === undefined) unread.push({ column, patterns: wanted });
      for (const [field, value] of match ?? []) {
        const fact = { ...value, place: column };
        const first = facts[field];
        if (first === undefined) facts[field] = fact;
        else compare(field, first, fact);
      }
    }
    for (const field of COMPARED_FIELDS) {
      const [mine, fact, constant] = [own[field], facts[field], given.get(field)];
      const first = mine && { ...mine, place: places[field] ?? 'the record' };
      if (first && fact) compare(field, first, fact);
      if (constant && (first ?? fact)) compare(field, (first ?? fact) as SourcedField, constant);
    }
    for (const { column, patterns: wanted } of unread) {
      const missing = wanted
        .flatMap(({ fields }) => fields)
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
    for (const [field, constant] of given) {
      const text = fillPlaceholders(constant.found, (name) => merged[name as FeedField]?.found);
      fields[field] = text === undefined ? undefined : { text, found: text };
    }
    return { fields, conflict: conflicts[0] };
  }

  /**
   * The setting that makes a text readable: a date format, or the meaning of the text. None for a number: what is written
   * wrong in one row is no rule for all of them.
   */
  function remedyOf(field: FeedField, found: string): string | undefined {
    if (given.has(field)) return `correct the constant of \`${field}\` in the configuration`;
    const [section, table] = configured ?? [];
    if (table?.[field] === undefined || NUMBER_FIELDS.includes(field)) return undefined;
    const isDate = FIELDS[field].kind === 'date';
    const dates = isDate ? DATE_FORMATS.filter((format) => parseForeignDate(found, format) !== undefined) : [];
    if (dates.length > 0) return `say \`"dates": ${dates.map((each) => quote(each)).join('` or `')}\` for the feed`;
    const setting = JSON.stringify({ column: places[field] ?? field, values: { [found.slice(0, 80)]: '…' } });
    return `say in \`${section}\` what it means, \`${quote(field)}: ${setting}\`, or correct it in the source`;
  }
}

/** Signs that may group digits; `strip` removes them only between groups of three. */
const GROUPING_SIGNS: readonly string[] = ['.', ',', ' ', "'", '’'];

function compileColumn<Of extends Row>(
  field: FeedField,
  { column = [], strip = [], unit = 'GB', values = {}, read }: ColumnRule<Of>,
  { decimal = '.', dates = 'yyyy-mm-dd', hasExcessZeros = false, clean = (text) => text }: ReaderSettings,
): Omit<FieldColumn<Of>, 'field'> {
  const names = [column].flat();
  const texts = names.flatMap((name) => parseJoinedText(name) ?? []);
  if (texts.length < names.length) throw new Error(`column ${names.join(', ')}: expected braces that fit`);
  const grouping = NUMBER_FIELDS.includes(field) ? strip.filter((text) => GROUPING_SIGNS.includes(text)) : [];
  const removed = strip.filter((text) => !grouping.includes(text));
  const meanings = new Map(Object.entries(values).map(([text, meaning]) => [text.toLowerCase(), meaning]));
  const kind = KINDS[FIELDS[field].kind];
  const notation: Notation = { decimal, dates, hasExcessZeros, unit, grouping };
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
      const found = clean(text.fill(row.text) ?? '');
      if (found !== undefined && found !== '') return found;
    }
    return undefined;
  };
  return {
    columns: texts.flatMap((text) => text.names),
    read: (row, fields) => {
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
