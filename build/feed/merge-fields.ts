import type { Notice } from '../../data/report/notice.ts';
import { noticeAt, type RecordLocation } from '../source/notice-at.ts';
import { showFound } from '../source/quote.ts';
import { readColumns, type FieldColumn, type Row } from './columns.ts';
import { FEED_FIELDS, NUMBER_FIELDS, type FeedField } from './fields.ts';
import { fillConstant } from './placeholders.ts';
import { conditionField, type FieldPlaces, type RawDeal, type RawField, type RawFields } from './raw-deal.ts';
import { compilePatterns, matchFirst, showPatterns, type TextPattern } from './text-pattern.ts';

/** The settings with which a feed, or a merchant, says what its columns do not. */
interface TextSettings {
  /** By the column that has the text. */
  readonly patterns?: Readonly<Record<string, readonly string[] | undefined>>;
  /** The fields that are the same in every deal. */
  readonly constants: Readonly<Partial<Record<FeedField, string | number | undefined>>>;
}

/** A deal needs these; an unread text that should have one is a conflict. */
const NEEDED_FACTS: readonly FeedField[] = [
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

/** What reads the records of a feed, or of a merchant. */
interface RecordReader<Of extends Row> {
  readonly places: FieldPlaces;
  /**
   * Reads a record: the constants of the configuration, then its texts, then its columns. The conflict is the notice of a
   * record whose sources disagree, or whose texts match no pattern.
   */
  readonly read: (
    location: RecordLocation,
    row: Of,
  ) => Pick<RawDeal, 'fields' | 'conflict'> & { readonly facts: Facts };
}

/** @param patternsPath the setting that has the patterns */
export function compileReader<Of extends Row>(
  columns: readonly FieldColumn<Of>[],
  places: FieldPlaces,
  { patterns: settings = {}, constants }: TextSettings,
  patternsPath = 'patterns',
): RecordReader<Of> {
  const { names } = places;
  const rules = Object.entries(settings).map(([column, sources = []]) => ({
    column,
    patterns: compilePatterns(sources),
  }));
  return {
    places,
    read: (location, row) => {
      const own = readColumns(columns, row);
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
    for (const { column, patterns } of rules) {
      const text = patterns.length === 0 ? undefined : row.text(column);
      if (text === undefined) continue;
      const match = matchFirst(patterns, text);
      if (match === undefined) unread.push({ column, text, patterns });
      for (const [field, value] of match ?? []) {
        const first = fields[field];
        const fact = { ...(field === 'condition' ? conditionField(value.text) : value), place: column };
        if (first === undefined) fields[field] = fact;
        else if (!isSameValue(field, first, fact)) conflict ??= [field, first, fact];
      }
    }
    return { fields, unread, conflict };
  }

  function mergeFields(own: RawFields, facts: Facts): RawFields {
    const merged: RawFields = { ...own };
    for (const [field, { place: _, ...fact }] of Object.entries(facts.fields)) merged[field as FeedField] = fact;
    const given = { ...merged };
    for (const field of FEED_FIELDS) {
      const constant = constants[field];
      if (constant === undefined) continue;
      const text = fillConstant(String(constant), (name) => given[name as FeedField]?.found);
      const remedy = `correct the constant of \`${field}\` in the configuration`;
      if (text === undefined) delete merged[field];
      else merged[field] = { text, found: text, remedy };
    }
    return merged;
  }

  function findDisagreement(location: RecordLocation, own: RawFields, facts: Facts): Notice | undefined {
    const [field, first, second] =
      facts.conflict ??
      COMPARED_FIELDS.flatMap((each) => {
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
    const [mine, fact, constant] = [own[field], facts.fields[field], constants[field]];
    return [
      ...(mine === undefined ? [] : [{ ...mine, place: names[field] ?? 'the record' }]),
      ...(fact === undefined ? [] : [fact]),
      ...(constant === undefined ? [] : [{ text: String(constant), found: String(constant), place: 'constants' }]),
    ];
  }

  function findUnread(location: RecordLocation, own: RawFields, facts: Facts): Notice | undefined {
    for (const { column, text, patterns } of facts.unread) {
      const missing = patterns
        .flatMap(({ fields }) => fields)
        .filter((field) => NEEDED_FACTS.includes(field) && (facts.fields[field] ?? own[field]) === undefined);
      if (missing.length === 0) continue;
      const placeholders = [...new Set(missing)].map((field) => `{${field}}`).join(', ');
      return noticeAt(location, {
        code: 'unmatched-pattern',
        field: column,
        expected: `a text that fits ${showPatterns(patterns)} in one way`,
        found: showFound(text),
        remedy: `add a pattern with ${placeholders} for such texts to ${patternsPath}.${column}`,
      });
    }
    return undefined;
  }
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
