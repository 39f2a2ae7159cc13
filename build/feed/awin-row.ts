import { formatPence, parsePence } from '../../data/record/amount.ts';
import { cleanText } from '../source/clean-text.ts';
import { tryParseJson, valueAt } from '../source/json.ts';
import type { RawField, RawFields } from './parse-deal.ts';

/** Where a text is in the rows of a download: in a cell, or within the JSON of a cell. */
interface Place {
  readonly column: string;
  /** Undefined where the download lacks the column. */
  readonly position: number | undefined;
  readonly path: readonly string[];
}

export type FindPlace = (name: string) => Place;

/**
 * Finds columns in a header, in any order, and keys of a JSON cell: `Telcos:deal_cost_json.tco_inc_vat`. Names are compared
 * without case; `:`, `_` and `%3A` are the same, since all three are in use. Of two columns with the same name the first
 * is read.
 */
export function createPlaceFinder(names: readonly string[]): FindPlace {
  const keyOf = (name: string): string => name.toLowerCase().replaceAll('%3a', '_').replaceAll(':', '_');
  const positions = new Map(names.map((name, position) => [keyOf(name), position] as const).toReversed());
  const places = new Map<string, Place>();
  return (name) => {
    let place = places.get(name);
    if (place === undefined) {
      const [column = '', ...path] = name.split('.');
      place = { column, position: positions.get(keyOf(column)), path };
      places.set(name, place);
    }
    return place;
  };
}

/** A row of an Awin download: cells by name, texts repaired, JSON parsed on demand. */
export class AwinRow {
  /** The first malformed JSON cell. */
  brokenJson: { readonly column: string; readonly found: string } | undefined;
  readonly #parsed = new Map<string, unknown>();
  readonly #cells: readonly string[];
  readonly #placeOf: FindPlace;

  constructor(cells: readonly string[], placeOf: FindPlace) {
    this.#cells = cells;
    this.#placeOf = placeOf;
  }

  /** The text of a cell, or of a key of a JSON cell; undefined when it is blank or `null`, or there is none. */
  readonly text = (name: string): string | undefined => {
    const { position, path } = this.#placeOf(name);
    return path.length === 0 ? cleanText(this.#cells[position ?? -1] ?? '') : textAt(this.json(name), ...path);
  };

  /** The value of a JSON cell; undefined when the cell is blank or malformed. */
  json(name: string): unknown {
    const { column, position } = this.#placeOf(name);
    if (this.#parsed.has(column)) return this.#parsed.get(column);
    const text = (this.#cells[position ?? -1] ?? '').trim();
    const value = text === '' ? undefined : tryParseJson(text);
    if (text !== '' && value === undefined) this.brokenJson ??= { column, found: text };
    this.#parsed.set(column, value);
    return value;
  }

  /** Each text once, without absent ones and `0`, which means none. */
  list(...columns: readonly string[]): readonly string[] {
    return [...new Set(columns.flatMap((column) => this.text(column) ?? []).filter((text) => text !== '0'))];
  }
}

/** The text or number at `path` in a JSON value; undefined when it is blank or absent. */
function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const inner = valueAt(value, ...path);
  return typeof inner === 'string' || typeof inner === 'number' ? cleanText(String(inner)) : undefined;
}

export const CASHBACK = 'Telcos:deal_cashback_json';
export const EXTRAS = 'Telcos:deal_extras_json';

const AMOUNT_KEY = /value|amount/i;
const TYPE_KEY = /type/i;
const GIFT_KEY = /name|title|description|^$/i;

/** Deeper than any list of extras. The shape is not documented, so it needs a limit. */
const MAX_DEPTH = 4;

const NO_GIFT = /^(?:0|no|none|n\/?a|-)$/i;

/**
 * The cashback of a deal. The shape of the cell is not documented: an object with an amount and a type, a list of such
 * objects, or a text with both.
 */
export function readCashback(row: AwinRow): Pick<RawFields, 'cashbackType' | 'cashbackValue'> {
  const found = row.text(CASHBACK) ?? '';
  for (const texts of listEntries(row, CASHBACK)) {
    const given = findText(texts, TYPE_KEY);
    const type = cashbackTypeOf(given ?? [...texts.values()].join(' ')) ?? given;
    const amount = findText(texts, AMOUNT_KEY) ?? /£ ?([0-9]{1,5}(?:\.[0-9]{2})?)/.exec(texts.get('') ?? '')?.[1];
    const pence = amount === undefined ? undefined : parsePence(amount.replace(/^(?:£|GBP) ?/, ''));
    if (pence === 0 || (type ?? pence) === undefined) continue;
    const fieldOf = (text: string | undefined): RawField | undefined => (text === undefined ? text : { text, found });
    return { cashbackType: fieldOf(type), cashbackValue: fieldOf(pence === undefined ? pence : formatPence(pence)) };
  }
  return {};
}

/** The usual names of the two types; undefined when the text is neither. */
function cashbackTypeOf(text: string): string | undefined {
  if (/redempt|redeem|claim/i.test(text)) return 'Cashback by redemption';
  return /\bauto(?:matic)?/i.test(text) ? 'Automatic Cashback' : undefined;
}

/** The gift of a deal: its own column, else the names of the deal's extras. */
export function readGift(row: AwinRow): string | undefined {
  const gift = row.text('Telcos:gift');
  if (gift !== undefined && !NO_GIFT.test(gift)) return gift;
  const names = listEntries(row, EXTRAS).flatMap((texts) => findText(texts, GIFT_KEY) ?? []);
  return names.filter((name) => !NO_GIFT.test(name)).join(' + ') || undefined;
}

/** The texts of an object by key; a text alone has an empty key. */
type Entry = ReadonlyMap<string, string>;

/** The texts of every object in a JSON cell; a cell of plain text is one entry. */
function listEntries(row: AwinRow, column: string): readonly Entry[] {
  const text = row.text(column);
  if (text === undefined) return [];
  return /^[[{"]/.test(text) ? entriesIn(row.json(column), MAX_DEPTH) : [new Map([['', text]])];
}

function entriesIn(value: unknown, depth: number): readonly Entry[] {
  if (depth === 0) return [];
  if (Array.isArray(value)) return value.flatMap((child) => entriesIn(child, depth - 1));
  const isObject = typeof value === 'object' && value !== null;
  const texts = (isObject ? Object.entries(value) : [['', value] as const]).flatMap(([key, child]) => {
    const text = textAt(child);
    return text === undefined ? [] : [[key, text] as const];
  });
  const inner = isObject ? Object.values(value).filter((child) => typeof child === 'object') : [];
  return [...(texts.length > 0 ? [new Map(texts)] : []), ...inner.flatMap((child) => entriesIn(child, depth - 1))];
}

function findText(texts: Entry, key: RegExp): string | undefined {
  return [...texts].find(([name]) => key.test(name))?.[1];
}
