import { quote } from '../source/quote.ts';
import { DATE_FORMATS, parseForeignDate } from './dates.ts';
import { FIELDS, NUMBER_FIELDS, type FeedField } from './fields.ts';
import { KINDS, type Notation } from './kinds.ts';
import { parseJoinedText } from './placeholders.ts';
import type { FieldPlaces, RawField, RawFields } from './raw-deal.ts';

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
  /** What columns cannot express; `fields` are those above it in the table. Messages name the column. */
  readonly read?: (row: Of, fields: RawFields) => RawField | undefined;
}

/** The table of a feed: where each field is found. A name alone is a rule without conversions. */
export type ColumnTable<Of extends Row = Row> = Readonly<
  Partial<Record<FeedField, string | ColumnRule<Of> | undefined>>
>;

/** The compiled rule of one field. */
export interface FieldColumn<Of extends Row = Row> {
  readonly field: FeedField;
  /** The first column, as the table spells it. */
  readonly name: string | undefined;
  /** All columns that are read. */
  readonly columns: readonly string[];
  readonly read: NonNullable<ColumnRule<Of>['read']>;
}

/** Signs that may group digits; `strip` removes them only between groups of three. */
const GROUPING_SIGNS: readonly string[] = ['.', ',', ' ', "'", '’'];

/** How a feed writes values; a column adds its own. */
type FeedNotation = Pick<Notation, 'decimal' | 'dates' | 'hasExcessZeros'> & {
  /** Cleans a text, if the row has not. */
  readonly clean: (text: string) => string | undefined;
};

export function compileColumns<Of extends Row>(
  table: ColumnTable<Of>,
  { decimal = '.', dates = 'yyyy-mm-dd', hasExcessZeros = false, clean = (text) => text }: Partial<FeedNotation> = {},
): readonly FieldColumn<Of>[] {
  return (Object.entries(table) as [FeedField, ColumnTable<Of>[FeedField]][]).flatMap(([field, setting]) => {
    if (setting === undefined) return [];
    const rule: ColumnRule<Of> = typeof setting === 'string' ? { column: setting } : setting;
    const names = [rule.column ?? []].flat();
    const texts = names.flatMap((name) => parseJoinedText(name) ?? []);
    if (texts.length < names.length) throw new Error(`column ${names.join(', ')}: expected braces that fit`);
    const spell = compileRule(field, rule, { decimal, dates, hasExcessZeros });
    const read = (row: Of): RawField | undefined => {
      for (const text of texts) {
        const found = clean(text.fill(row.text) ?? '');
        if (found !== undefined && found !== '') return spell(found);
      }
      return undefined;
    };
    return [{ field, name: names[0], columns: texts.flatMap((text) => text.names), read: rule.read ?? read }];
  });
}

function compileRule<Of extends Row>(
  field: FeedField,
  { strip = [], unit = 'GB', values = {} }: ColumnRule<Of>,
  feed: Omit<FeedNotation, 'clean'>,
): (found: string) => RawField | undefined {
  const grouping = NUMBER_FIELDS.includes(field) ? strip.filter((text) => GROUPING_SIGNS.includes(text)) : [];
  const removed = strip.filter((text) => !grouping.includes(text));
  const meanings = new Map(Object.entries(values).map(([text, meaning]) => [text.toLowerCase(), meaning]));
  const kind = KINDS[FIELDS[field].kind];
  const notation: Notation = { ...feed, unit, grouping };
  const expected = kind.expectedIn?.(notation) ?? kind.expected;

  return (found) => {
    const meaning = meanings.get(found.toLowerCase());
    if (meaning !== undefined) return meaning === '' ? undefined : { text: meaning, found };
    const bare = removed.reduce((text, each) => text.replaceAll(each, ''), found).trim();
    if (kind.convert !== undefined) return { text: kind.convert(bare, notation), found, expected };
    return bare === '' ? undefined : { text: bare, found };
  };
}

/** Reads the fields of one record: the one loop over a table, for every foreign feed. */
export function readColumns<Of extends Row>(columns: readonly FieldColumn<Of>[], row: Of): RawFields {
  const fields: RawFields = {};
  for (const { field, read } of columns) {
    const value = read(row, fields);
    if (value !== undefined) fields[field] = value;
  }
  return fields;
}

/**
 * The places of fields, for messages.
 *
 * @param section the setting that has some of the columns, and those columns: a remedy may change them
 */
export function placesOf<Of extends Row>(
  columns: readonly FieldColumn<Of>[],
  section = '',
  configured: ColumnTable = {},
): FieldPlaces {
  const names = Object.fromEntries(
    columns.flatMap(({ field, name }) => (name === undefined ? [] : [[field, name]])),
  ) as FieldPlaces['names'];
  return {
    names,
    remedyOf: (field, found) =>
      configured[field] === undefined ? undefined : suggestRule(section, field, names[field] ?? field, found),
  };
}

/**
 * Suggests a setting that makes a text readable: a date format, or the meaning of the text. None for a number: what is
 * written wrong in one row is no rule for all of them.
 */
function suggestRule(section: string, field: FeedField, column: string, found: string): string | undefined {
  if (NUMBER_FIELDS.includes(field)) return undefined;
  const isDate = FIELDS[field].kind === 'date';
  const dates = isDate ? DATE_FORMATS.filter((format) => parseForeignDate(found, format) !== undefined) : [];
  if (dates.length > 0) return `say \`"dates": ${dates.map((each) => quote(each)).join('` or `')}\` for the feed`;
  const setting = JSON.stringify({ column, values: { [found.slice(0, 80)]: '…' } });
  return `say in \`${section}\` what it means, \`${quote(field)}: ${setting}\`, or correct it in the source`;
}
