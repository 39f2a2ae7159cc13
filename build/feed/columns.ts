import { quote } from '../source/quote.ts';
import { DATE_FORMATS, parseForeignDate } from './dates.ts';
import { FIELDS, NUMBER_FIELDS, type FeedField } from './fields.ts';
import { KINDS, type Notation } from './kinds.ts';
import { parseJoinedText, type JoinedText } from './placeholders.ts';
import type { FieldPlaces, RawField, RawFields } from './raw-deal.ts';

/** Where a field is found: a column, or several in braces, or the first of several that has a text; and how it is written. */
interface ColumnRule {
  readonly column: string | readonly string[];
  /** Texts to remove; in a number, a grouping sign only where it groups digits. */
  readonly strip?: readonly string[];
  readonly unit?: Notation['unit'];
  /** The meaning of a text, compared without case, in the spelling of our own feed; an empty meaning is absent. */
  readonly values?: Readonly<Record<string, string>>;
}

/** The table of a feed: where each field is found. A name alone is a rule without conversions. */
export type ColumnTable = Readonly<Partial<Record<FeedField, string | ColumnRule | undefined>>>;

/** The text of a column of one record. */
export type TextOf = (column: string) => string | undefined;

/** The compiled columns of one field. */
export interface FieldColumn {
  readonly field: FeedField;
  readonly texts: readonly JoinedText[];
  /** The first column, as the table spells it. */
  readonly name: string;
  readonly spell: (found: string) => RawField | undefined;
}

/** Signs that may group digits; `strip` removes them only between groups of three. */
const GROUPING_SIGNS: readonly string[] = ['.', ',', ' ', "'", '’'];

/** How a feed writes values; a column adds its own. */
type FeedNotation = Pick<Notation, 'decimal' | 'dates' | 'hasExcessZeros'>;

export function compileColumns(
  table: ColumnTable,
  { decimal = '.', dates = 'yyyy-mm-dd', hasExcessZeros = false }: Partial<FeedNotation> = {},
): readonly FieldColumn[] {
  return (Object.entries(table) as [FeedField, ColumnTable[FeedField]][]).flatMap(([field, setting]) => {
    if (setting === undefined) return [];
    const rule: ColumnRule = typeof setting === 'string' ? { column: setting } : setting;
    const names = [rule.column].flat();
    const texts = names.flatMap((name) => parseJoinedText(name) ?? []);
    if (texts.length < names.length) throw new Error(`column ${names.join(', ')}: expected braces that fit`);
    return [
      { field, texts, name: names[0] ?? '', spell: compileRule(field, rule, { decimal, dates, hasExcessZeros }) },
    ];
  });
}

function compileRule(
  field: FeedField,
  { strip = [], unit = 'GB', values = {} }: ColumnRule,
  feed: FeedNotation,
): FieldColumn['spell'] {
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

/**
 * Reads the fields of one record: the one loop over a table, for every foreign feed.
 *
 * @param clean cleans a text, if `textOf` has not
 */
export function readColumns(
  columns: readonly FieldColumn[],
  textOf: TextOf,
  clean: (text: string) => string | undefined = (text) => text,
): RawFields {
  const fields: RawFields = {};
  for (const { field, texts, spell } of columns) {
    for (const text of texts) {
      const found = clean(text.fill(textOf) ?? '');
      if (found === undefined || found === '') continue;
      const value = spell(found);
      if (value !== undefined) fields[field] = value;
      break;
    }
  }
  return fields;
}

/** @param section the setting that has the columns */
export function placesOf(section: 'columns' | 'mapping', columns: readonly FieldColumn[]): FieldPlaces {
  return {
    names: namesOf(columns),
    remedyOf: (field, found) => {
      const column = columns.find((each) => each.field === field);
      return column === undefined ? undefined : suggestRule(section, field, column.name, found);
    },
  };
}

export function namesOf(columns: readonly FieldColumn[]): FieldPlaces['names'] {
  return Object.fromEntries(columns.map(({ field, name }) => [field, name]));
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
