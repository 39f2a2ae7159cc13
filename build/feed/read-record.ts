import type { Notice } from '../../data/report/notice.ts';
import { noticeAt, type RecordLocation } from '../source/notice-at.ts';
import { quote, showFound } from '../source/quote.ts';
import { DATE_FORMATS, parseForeignDate } from './dates.ts';
import { FEED_FIELDS, FIELDS, NUMBER_FIELDS, type FeedField } from './fields.ts';
import { KINDS, type Notation } from './kinds.ts';
import { fillConstant, parseJoinedText } from './placeholders.ts';
import type { RawDeal, RawField, RawFields } from './raw-deal.ts';
import { compilePatterns, matchFirst, showPatterns, type TextPattern } from './text-pattern.ts';

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
  /** The first column of each field, as the table spells it. */
  readonly places: NonNullable<RawDeal['places']>;
  /**
   * Reads a record: the constants of the configuration, then its texts, then its columns. The conflict is the notice of a
   * record whose sources disagree, or whose texts match no pattern.
   */
  readonly read: (
    location: RecordLocation,
    row: Of,
  ) => Pick<RawDeal, 'fields' | 'conflict'> & { readonly facts: Facts };
}

/** A field with its column, or `constants`. */
type SourcedField = RawField & { readonly place: string };

/** The fields that patterns extract from the texts of a record. */
interface Facts {
  readonly fields: Partial<Record<FeedField, SourcedField>>;
  /** The texts that match no pattern, or one in several ways. */
  readonly unread: readonly {
    readonly column: string;
    readonly text: string;
    readonly patterns: readonly TextPattern[];
  }[];
  /** The first field in which two texts differ. */
  readonly conflict: readonly [field: FeedField, first: SourcedField, second: SourcedField] | undefined;
}

/** Two sources must agree in these; names may differ. */
const COMPARED_FIELDS: readonly FeedField[] = [...NUMBER_FIELDS, 'storage', 'condition'];

/** A deal needs these; an unread text that should have one is a conflict. */
const NEEDED_FACTS = FEED_FIELDS.filter(
  (field) => FIELDS[field].need !== undefined || field === 'storage' || field === 'condition',
);

export function compileReader<Of extends Row>(table: ColumnTable<Of>, settings: ReaderSettings = {}): RecordReader<Of> {
  const { patterns = {}, patternsPath = 'patterns', constants = {} } = settings;
  const columns = (Object.entries(table) as [FeedField, ColumnTable<Of>[FeedField]][]).flatMap(([field, setting]) => {
    if (setting === undefined) return [];
    const rule = typeof setting === 'string' ? { column: setting } : setting;
    return [{ field, name: [rule.column ?? []].flat()[0], ...compileColumn(field, rule, settings) }];
  });
  const places = Object.fromEntries(
    columns.flatMap(({ field, name }) => (name === undefined ? [] : [[field, name]])),
  ) as RecordReader<Of>['places'];
  const texts = Object.entries(patterns).map(([column, sources = []]) => ({
    column,
    patterns: compilePatterns(sources),
  }));
  const given = Object.entries(constants).flatMap(([field, constant]) =>
    constant === undefined ? [] : [{ field: field as FeedField, constant: String(constant) }],
  );
  const elsewhere = new Set([
    ...given.map(({ field }) => field),
    ...texts.flatMap((each) => each.patterns.flatMap(({ fields }) => fields)),
  ]);
  const compared = COMPARED_FIELDS.filter((field) => elsewhere.has(field));

  return {
    columns,
    places,
    read: (location, row) => {
      const own: RawFields = {};
      for (const { field, read } of columns) {
        const value = read(row, own);
        if (value !== undefined) own[field] = value;
      }
      const facts = readFacts(row);
      const conflict = findDisagreement(location, own, facts) ?? findUnread(location, own, facts);
      return { fields: mergeFields(own, facts), conflict, facts };
    },
  };

  /** Extracts fields from the texts of a record by the patterns of each column; absent texts are skipped. */
  function readFacts(row: Row): Facts {
    const fields: Partial<Record<FeedField, SourcedField>> = {};
    const unread: Facts['unread'][number][] = [];
    let conflict: Facts['conflict'];
    for (const { column, patterns: own } of texts) {
      const text = own.length === 0 ? undefined : row.text(column);
      if (text === undefined) continue;
      const match = matchFirst(own, text);
      if (match === undefined) unread.push({ column, text, patterns: own });
      for (const [field, value] of match ?? []) {
        const [first, fact] = [fields[field], { ...value, place: column }];
        if (first === undefined) fields[field] = fact;
        else if (!isSameValue(field, first, fact)) conflict ??= [field, first, fact];
      }
    }
    return { fields, unread, conflict };
  }

  function mergeFields(own: RawFields, facts: Facts): RawFields {
    const merged: RawFields = { ...own };
    for (const [field, { place: _, ...fact }] of Object.entries(facts.fields)) merged[field as FeedField] = fact;
    const without = { ...merged };
    for (const { field, constant } of given) {
      const text = fillConstant(constant, (name) => without[name as FeedField]?.found);
      const remedy = () => `correct the constant of \`${field}\` in the configuration`;
      merged[field] = text === undefined ? undefined : { text, found: text, remedy };
    }
    return merged;
  }

  function findDisagreement(location: RecordLocation, own: RawFields, facts: Facts): Notice | undefined {
    const [field, first, second] =
      facts.conflict ??
      compared.flatMap((each) => {
        const [one, ...others] = listSources(each, own, facts);
        const other = one && others.find((source) => !isSameValue(each, one, source));
        return other === undefined ? [] : [[each, one, other] as const];
      })[0] ??
      [];
    if (field === undefined || first === undefined || second === undefined) return undefined;
    return noticeAt(location, {
      code: 'contradictory-facts',
      field,
      expected: `${first.found} as in ${first.place}`,
      found: showFound(`${second.found} in ${second.place}`),
    });
  }

  function listSources(field: FeedField, own: RawFields, facts: Facts): readonly SourcedField[] {
    const [mine, constant] = [own[field], constants[field]];
    return [
      mine && { ...mine, place: places[field] ?? 'the record' },
      facts.fields[field],
      constant === undefined ? undefined : { text: String(constant), found: String(constant), place: 'constants' },
    ].filter((source) => source !== undefined);
  }

  function findUnread(location: RecordLocation, own: RawFields, facts: Facts): Notice | undefined {
    for (const { column, text, patterns: unmatched } of facts.unread) {
      const missing = unmatched
        .flatMap(({ fields }) => fields)
        .filter((field) => NEEDED_FACTS.includes(field) && (facts.fields[field] ?? own[field]) === undefined);
      if (missing.length === 0) continue;
      const placeholders = [...new Set(missing)].map((field) => `{${field}}`).join(', ');
      return noticeAt(location, {
        code: 'unmatched-pattern',
        field: column,
        expected: `a text that fits ${showPatterns(unmatched)} in one way`,
        found: showFound(text),
        remedy: `add a pattern with ${placeholders} for such texts to ${patternsPath}.${column}`,
      });
    }
    return undefined;
  }
}

/** Signs that may group digits; `strip` removes them only between groups of three. */
const GROUPING_SIGNS: readonly string[] = ['.', ',', ' ', "'", '’'];

function compileColumn<Of extends Row>(
  field: FeedField,
  { column = [], strip = [], unit = 'GB', values = {}, read }: ColumnRule<Of>,
  { decimal = '.', dates = 'yyyy-mm-dd', hasExcessZeros = false, clean = (text) => text, configured }: ReaderSettings,
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
  const [section, table] = configured ?? [];
  const remedy =
    table?.[field] === undefined
      ? undefined
      : (found: string) => suggestRule(section ?? '', field, names[0] ?? field, found);

  const spell = (found: string): RawField | undefined => {
    const meaning = meanings.get(found.toLowerCase());
    if (meaning !== undefined) return meaning === '' ? undefined : { text: meaning, found, remedy };
    const bare = removed.reduce((text, each) => text.replaceAll(each, ''), found).trim();
    if (kind.convert !== undefined) return { text: kind.convert(bare, notation), found, expected, remedy };
    return bare === '' ? undefined : { text: bare, found, remedy };
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

/** Compares numbers by value, names by their letters and digits. A text that cannot be read is like no other. */
function isSameValue(field: FeedField, { text: a }: RawField, { text: b }: RawField): boolean {
  if (a === undefined || b === undefined) return false;
  if (NUMBER_FIELDS.includes(field) && a !== 'unlimited' && b !== 'unlimited') return Number(a) === Number(b);
  return normalizeText(a) === normalizeText(b);
}

function normalizeText(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
