import { MEGABYTES_PER_GIGABYTE } from '../../data/record/amount.ts';
import { cleanText } from '../source/clean-text.ts';
import { quote } from '../source/quote.ts';
import { DATE_FORMATS, parseForeignDate, toIsoDate, type DateFormat } from './dates.ts';
import { NUMBER_FIELDS, type FeedField, type RawField } from './fields.ts';
import { CONDITION_FORMAT, COUNT_FORMAT, MONTHS_FORMAT, parseCondition } from './values.ts';
import type { ColumnSettings } from './feed-settings.ts';
import { parseJoinedText, type JoinedText } from './placeholders.ts';

/** The columns, or attributes, that fill a field. */
export interface FieldColumn {
  readonly field: FeedField;
  readonly text: JoinedText;
  /** As the configuration spells them. */
  readonly column: string;
  readonly read: ReadColumn;
  /** The remedy for a value that cannot be read. */
  suggest(found: string): string;
}

/**
 * Compiles the columns, or the rule for them, of each field.
 *
 * @param section the setting that has them
 */
export function compileColumns(
  section: 'columns' | 'mapping',
  settings: ColumnSettings,
  notation: Notation,
): readonly FieldColumn[] {
  return (Object.entries(settings) as [FeedField, ColumnSettings[FeedField]][]).flatMap(([field, setting]) => {
    if (setting === undefined) return [];
    const rule: ColumnRule =
      typeof setting === 'string' ? { column: setting, strip: [], unit: 'GB' as const, values: {} } : setting;
    const text = parseJoinedText(rule.column);
    if (text === undefined) throw new Error(`column ${rule.column}: expected braces that fit`);
    return [
      {
        field,
        text,
        column: rule.column,
        read: compileColumnRule(field, rule, notation),
        suggest: (found) => suggestRule(section, field, rule.column, found),
      },
    ];
  });
}

/** The name of each field in the file. */
export function columnNames(columns: readonly FieldColumn[]): Readonly<Partial<Record<FeedField, string>>> {
  return Object.fromEntries(columns.map(({ field, column }) => [field, column]));
}

/** The remedy for a value that cannot be read, by field. */
export function columnSuggestions(
  columns: readonly FieldColumn[],
): (field: FeedField, found: string) => string | undefined {
  return (field, found) => columns.find((column) => column.field === field)?.suggest(found);
}

/** The sign between the pounds and the pence of a feed. */
export const DECIMAL_SIGNS = ['.', ','] as const;

/** Signs that may group digits; `strip` removes them only between groups of three. */
const GROUPING_SIGNS: readonly string[] = ['.', ',', ' ', "'", '’'];

/** How a feed writes numbers and days. */
export interface Notation {
  readonly decimal: (typeof DECIMAL_SIGNS)[number];
  readonly dates: DateFormat;
}

/** How one column is read. */
interface ColumnRule {
  readonly column: string;
  /** Texts to remove; in a number, a grouping sign only where it groups digits. */
  readonly strip: readonly string[];
  /** The unit of a data allowance without one. */
  readonly unit: 'GB' | 'MB';
  /** The meaning of a text, compared without case, in the spelling of our own feed; an empty meaning is absent. */
  readonly values: Readonly<Record<string, string>>;
}

/** Reads the values of one column for one field. */
type ReadColumn = (value: string) => RawField | undefined;

/** The format that a rule expects; `parse` returns undefined for any other text. */
interface ValueFormat {
  readonly expected: string;
  parse(text: string): string | undefined;
}

/** Compiles the rule of a column that fills `field`. */
function compileColumnRule(field: FeedField, rule: ColumnRule, notation: Notation): ReadColumn {
  const isNumber = (NUMBER_FIELDS as readonly string[]).includes(field);
  const grouping = isNumber ? rule.strip.filter((text) => GROUPING_SIGNS.includes(text)) : [];
  const strip = rule.strip.filter((text) => !grouping.includes(text));
  const meanings = new Map(Object.entries(rule.values).map(([text, meaning]) => [text.toLowerCase(), meaning]));
  const format = valueFormatOf(field, rule.unit, grouping, notation);

  return (value) => {
    const found = cleanText(value);
    if (found === undefined) return undefined;
    const meaning = meanings.get(found.toLowerCase());
    if (meaning !== undefined) return meaning === '' ? undefined : { text: meaning, found };
    const bare = strip.reduce((text, each) => text.replaceAll(each, ''), found).trim();
    if (format === undefined) return bare === '' ? undefined : { text: bare, found };
    return { text: format.parse(bare), found, expected: format.expected };
  };
}

function valueFormatOf(
  field: FeedField,
  unit: ColumnRule['unit'],
  grouping: readonly string[],
  { decimal, dates }: Notation,
): ValueFormat | undefined {
  const parseNumber = (text: string): string | undefined => plainNumber(text, grouping, decimal);
  switch (field) {
    case 'upfrontCost':
    case 'monthlyCost':
    case 'totalCost':
    case 'cashbackValue':
      return { expected: `an amount such as 29${decimal}99`, parse: parseNumber };
    case 'contractMonths':
      return {
        expected: MONTHS_FORMAT,
        parse: (text) => parseNumber(text.replace(/ ?months?(?:\(s\))?$/i, '')),
      };
    case 'callMinutes':
    case 'textMessages':
      return {
        expected: COUNT_FORMAT,
        parse: (text) => (isUnlimited(text) ? 'unlimited' : parseNumber(text)),
      };
    case 'dataGb':
      return {
        expected: `an allowance such as 4GB, 500MB or unlimited`,
        parse: (text) => (isUnlimited(text) ? 'unlimited' : parseData(text, unit, parseNumber)),
      };
    case 'validFrom':
    case 'validTo':
      return { expected: `a day such as ${showDay(dates)}`, parse: (text) => toIsoDate(text, dates) };
    case 'condition':
      return { expected: CONDITION_FORMAT, parse: parseCondition };
    case 'dealId':
    case 'productId':
    case 'productName':
    case 'gtin':
    case 'storage':
    case 'colour':
    case 'retailer':
    case 'network':
    case 'dealType':
    case 'contractName':
    case 'cashbackType':
    case 'gift':
    case 'dealLink':
    case 'productImage':
    case 'inStock':
      return undefined;
  }
}

function isUnlimited(text: string): boolean {
  return text.toLowerCase() === 'unlimited';
}

/** `1.234,5` as `1234.5`; undefined when it is not a number, or a grouping sign is not between groups of three. */
function plainNumber(text: string, grouping: readonly string[], decimal: Notation['decimal']): string | undefined {
  const [, sign = '', whole = '', fraction] = /^(-?)([^-]*?)(?:([.,][0-9]+))?$/.exec(text) ?? [];
  const isFraction = fraction?.startsWith(decimal) === true;
  // `1,234` has no fraction when `,` groups: then the last group belongs to the whole part.
  const digits = ungroup(isFraction ? whole : `${whole}${fraction ?? ''}`, grouping);
  if (digits === undefined) return undefined;
  return `${sign}${digits}${isFraction ? `.${fraction.slice(1)}` : ''}`;
}

function ungroup(text: string, grouping: readonly string[]): string | undefined {
  const sign = grouping.find((each) => text.includes(each));
  const groups = sign === undefined ? [text] : text.split(sign);
  const [first = '', ...others] = groups;
  const isSound =
    /^[0-9]{1,12}$/.test(first) &&
    (others.length === 0 || first.length <= 3) &&
    others.every((group) => /^[0-9]{3}$/.test(group));
  return isSound ? groups.join('') : undefined;
}

function parseData(
  text: string,
  unit: ColumnRule['unit'],
  parseNumber: (text: string) => string | undefined,
): string | undefined {
  const [, amount = '', ownUnit = unit] = /^(.*?)(?: ?(gb|mb))?$/i.exec(text) ?? [];
  const number = parseNumber(amount);
  if (number === undefined || ownUnit.toUpperCase() === 'GB') return number;
  return String(Number(number) / MEGABYTES_PER_GIGABYTE);
}

function showDay(format: DateFormat): string {
  switch (format) {
    case 'yyyy-mm-dd':
      return '2026-11-20 or an instant such as 2026-11-20T08:00:00Z';
    case 'dd.mm.yyyy':
      return '20.11.2026';
    case 'dd/mm/yyyy':
      return '20/11/2026';
    case 'mm/dd/yyyy':
      return '11/20/2026';
  }
}

/** Suggests a setting that makes a text readable: a date format, or the meaning of the text. */
function suggestRule(section: 'columns' | 'mapping', field: FeedField, column: string, found: string): string {
  const dates = field === 'validFrom' || field === 'validTo' ? findDateFormats(found) : [];
  if (dates.length > 0) return `say \`"dates": ${dates.map((each) => quote(each)).join('` or `')}\` for the feed`;
  const setting = JSON.stringify({ column, values: { [found.slice(0, 80)]: '…' } });
  return `say in \`${section}\` what it means, \`${quote(field)}: ${setting}\`, or correct it in the source`;
}

function findDateFormats(found: string): readonly DateFormat[] {
  return DATE_FORMATS.filter((format) => parseForeignDate(found, format) !== undefined);
}
