import type { Notice } from '../../data/report/notice.ts';
import { noticeAt, type RecordLocation } from '../source/notice-at.ts';
import { showFound } from '../source/quote.ts';
import type { TextOf } from './columns.ts';
import { FEED_FIELDS, NUMBER_FIELDS, type FeedField } from './fields.ts';
import { CONDITION_FORMAT, parseCondition } from './kinds.ts';
import { fillConstant } from './placeholders.ts';
import type { FieldPlaces, RawField, RawFields } from './raw-deal.ts';
import { compilePatterns, matchFirst, showPatterns, type TextPattern } from './text-pattern.ts';

/** The constant fields of every deal of a feed or a merchant. */
export type Constants = Readonly<Partial<Record<FeedField, string | number | undefined>>>;

/** The settings with which a feed says what its columns do not. */
export interface TextSettings {
  readonly patterns: Readonly<Record<string, readonly string[] | undefined>>;
  readonly constants: Constants;
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

/** The fields that patterns extract from the texts of a record. */
export interface Facts {
  readonly fields: Partial<Record<FeedField, RawField & { readonly place: string }>>;
  /** The texts that match no pattern, or one in several ways. */
  readonly unread: readonly {
    readonly column: string;
    readonly text: string;
    readonly patterns: readonly TextPattern[];
  }[];
  /** The first field in which two texts differ. */
  readonly conflict: readonly [field: FeedField, first: SourcedField, second: SourcedField] | undefined;
}

type SourcedField = RawField & { readonly place: string };

/** Extracts fields from the texts of a record by the patterns of each column; absent texts are skipped. */
export function compileFacts(settings: TextSettings['patterns']): (textOf: TextOf) => Facts {
  const rules = Object.entries(settings).map(([column, sources = []]) => ({
    column,
    patterns: compilePatterns(sources),
  }));
  return (textOf) => {
    const fields: Partial<Record<FeedField, SourcedField>> = {};
    const unread: Facts['unread'][number][] = [];
    let conflict: Facts['conflict'];
    for (const { column, patterns } of rules) {
      const text = patterns.length === 0 ? undefined : textOf(column);
      if (text === undefined) continue;
      const match = matchFirst(patterns, text);
      if (match === undefined) unread.push({ column, text, patterns });
      for (const [field, value] of match ?? []) {
        const first = fields[field];
        const fact = { ...spellFact(field, value), place: column };
        if (first === undefined) fields[field] = fact;
        else if (!isSameValue(field, first, fact)) conflict ??= [field, first, fact];
      }
    }
    return { fields, unread, conflict };
  };
}

function spellFact(field: FeedField, { text, found }: { readonly text: string; readonly found: string }): RawField {
  if (field !== 'condition') return { text, found };
  return { text: parseCondition(text), found: text, expected: CONDITION_FORMAT };
}

export const NO_FACTS: Facts = { fields: {}, unread: [], conflict: undefined };

/** Merges the sources of a deal's fields: the constants of the configuration, then its texts, then its own columns. */
export function mergeFields(own: RawFields, facts: Facts, constants: Constants): RawFields {
  const merged: RawFields = { ...own };
  for (const [field, { place: _, ...fact }] of Object.entries(facts.fields)) merged[field as FeedField] = fact;
  const given = { ...merged };
  for (const field of FEED_FIELDS) {
    const constant = constants[field];
    if (constant === undefined) continue;
    const text = fillConstant(String(constant), (name) => given[name as FeedField]?.found);
    if (text === undefined) delete merged[field];
    else merged[field] = { text, found: text };
  }
  return merged;
}

/** The places of a feed with constants, whose errors are in the configuration. */
export function withConstants({ names, remedyOf }: FieldPlaces, constants: Constants): FieldPlaces {
  return {
    names,
    remedyOf: (field, found) =>
      constants[field] === undefined
        ? remedyOf?.(field, found)
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
  own: RawFields,
  facts: Facts,
  constants: Constants,
  { names }: FieldPlaces,
  patternsPath: string,
): Notice | undefined {
  const contradiction = (field: FeedField, first: SourcedField, second: SourcedField): Notice =>
    noticeAt(location, 'contradictory-facts', {
      field,
      expected: `${first.found} as in ${first.place}`,
      found: showFound(`${second.found} in ${second.place}`),
    });
  if (facts.conflict !== undefined) return contradiction(...facts.conflict);
  for (const field of COMPARED_FIELDS) {
    const [first, ...others] = listSources(field);
    const other = first && others.find((each) => !isSameValue(field, first, each));
    if (first !== undefined && other !== undefined) return contradiction(field, first, other);
  }
  for (const { column, text, patterns } of facts.unread) {
    const missing = patterns
      .flatMap(({ fields }) => fields)
      .filter((field) => NEEDED_FACTS.includes(field) && facts.fields[field] === undefined && own[field] === undefined);
    if (missing.length === 0) continue;
    const placeholders = [...new Set(missing)].map((field) => `{${field}}`).join(', ');
    return noticeAt(location, 'unmatched-pattern', {
      field: column,
      expected: `a text that fits ${showPatterns(patterns)} in one way`,
      found: showFound(text),
      remedy: `add a pattern with ${placeholders} for such texts to ${patternsPath}.${column}`,
    });
  }
  return undefined;

  function listSources(field: FeedField): readonly SourcedField[] {
    const [mine, fact, constant] = [own[field], facts.fields[field], constants[field]];
    return [
      ...(mine === undefined ? [] : [{ ...mine, place: names[field] ?? 'the record' }]),
      ...(fact === undefined ? [] : [fact]),
      ...(constant === undefined ? [] : [{ text: String(constant), found: String(constant), place: 'constants' }]),
    ];
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
