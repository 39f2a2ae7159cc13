import { parsePence, formatPence } from '../../data/record/amount.ts';
import { textAt, type AwinRow } from './awin-row.ts';
import type { RawField, RawFields } from './raw-deal.ts';

export const CASHBACK = 'Telcos:deal_cashback_json';
export const EXTRAS = 'Telcos:deal_extras_json';

const AMOUNT_KEY = /value|amount/i;
const TYPE_KEY = /type/i;
const NAME_KEY = /name|title/i;
const DESCRIPTION_KEY = /description/i;

/** Deeper than any list of extras. The shape is not documented, so it needs a limit. */
const MAX_DEPTH = 4;

const NO_GIFT = /^(?:0|no|none|n\/?a|-)$/i;

/**
 * The cashback of a deal. The shape of the cell is not documented: an object with an amount and a type, a list of such
 * objects, or a text with both.
 */
export function readAwinCashback(row: AwinRow): Pick<RawFields, 'cashbackType' | 'cashbackValue'> {
  const cell = row.text(CASHBACK) ?? '';
  for (const texts of listEntries(row, CASHBACK)) {
    const given = findText(texts, TYPE_KEY);
    const type = cashbackTypeOf(given ?? [...texts.values()].join(' ')) ?? given;
    const amount = findText(texts, AMOUNT_KEY) ?? /£ ?([0-9]{1,5}(?:\.[0-9]{2})?)/.exec(texts.get('') ?? '')?.[1];
    const pence = amount === undefined ? undefined : parsePence(amount.replace(/^(?:£|GBP) ?/, ''));
    if (pence === 0 || (type ?? pence) === undefined) continue;
    const fieldOf = (text: string): RawField => ({ text, found: cell });
    return {
      ...(type !== undefined && { cashbackType: fieldOf(type) }),
      ...(pence !== undefined && { cashbackValue: fieldOf(formatPence(pence)) }),
    };
  }
  return {};
}

/** The usual names of the two types; undefined when the text is neither. */
function cashbackTypeOf(text: string): string | undefined {
  if (/redempt|redeem|claim/i.test(text)) return 'Cashback by redemption';
  return /\bauto(?:matic)?/i.test(text) ? 'Automatic Cashback' : undefined;
}

/** The gift of a deal: its own column, else the names of the deal's extras. */
export function readAwinGift(row: AwinRow): string | undefined {
  const gift = row.text('Telcos:gift');
  if (gift !== undefined && !NO_GIFT.test(gift)) return gift;
  const names = listEntries(row, EXTRAS).flatMap(
    (texts) => findText(texts, NAME_KEY) ?? findText(texts, DESCRIPTION_KEY) ?? texts.get('') ?? [],
  );
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
  if (depth === 0 || value === null || value === undefined) return [];
  if (typeof value !== 'object') {
    const text = textAt(value);
    return text === undefined ? [] : [new Map([['', text]])];
  }
  if (Array.isArray(value)) return value.flatMap((child) => entriesIn(child, depth - 1));
  const texts = Object.keys(value).flatMap((key): [string, string][] => {
    const text = textAt(value, key);
    return text === undefined ? [] : [[key, text]];
  });
  const inner = Object.values(value).filter((child) => typeof child === 'object');
  return [...(texts.length > 0 ? [new Map(texts)] : []), ...inner.flatMap((child) => entriesIn(child, depth - 1))];
}

function findText(texts: Entry, key: RegExp): string | undefined {
  return [...texts].find(([name]) => key.test(name))?.[1];
}
