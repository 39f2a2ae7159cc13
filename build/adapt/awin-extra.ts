import { parsePence } from '../../data/record/money.ts';
import type { AwinColumn } from './awin-column.ts';
import type { AwinRow } from './awin-row.ts';
import { textAt } from './awin-row.ts';

/** A cashback as far as the feed tells it. */
export interface AwinCashback {
  readonly type: string | undefined;
  readonly pence: number | undefined;
}

const AMOUNT_KEY = /value|amount/i;
const TYPE_KEY = /type/i;
const NAME_KEY = /name|title/i;
const DESCRIPTION_KEY = /description/i;

/** Deeper than any list of extras; a bound, since the shape is not documented. */
const MAX_DEPTH = 4;

/** What feeds write for no gift. */
const NO_GIFT = /^(?:0|no|none|n\/?a|-)$/i;

/**
 * The cashback of a deal. The shape of the cell is not documented, so it is found by its keys: an amount and a type
 * in an object, or in a list of them, or a text that says both.
 */
export function readAwinCashback(row: AwinRow): AwinCashback | undefined {
  for (const texts of readEntries(row, 'Telcos:deal_cashback_json')) {
    const all = [...texts.values()].join(' ');
    const amount = findText(texts, AMOUNT_KEY) ?? findAmount(texts.get(''));
    const given = findText(texts, TYPE_KEY);
    const cashback = {
      type: canonicalType(given ?? all) ?? given,
      pence: amount === undefined ? undefined : parsePence(amount.replace(/^(?:£|GBP) ?/, '')),
    };
    if (cashback.pence !== 0 && (cashback.type !== undefined || cashback.pence !== undefined)) return cashback;
  }
  return undefined;
}

/** The gift of a deal: the text that the feed gives for it, else the names of the deal's extras. */
export function readAwinGift(row: AwinRow): string | undefined {
  const gift = row.text('Telcos:gift');
  if (gift !== undefined && !NO_GIFT.test(gift)) return gift;
  const names = readEntries(row, 'Telcos:deal_extras_json').flatMap(
    (texts) => findText(texts, NAME_KEY) ?? findText(texts, DESCRIPTION_KEY) ?? texts.get('') ?? [],
  );
  return names.filter((name) => !NO_GIFT.test(name)).join(' + ') || undefined;
}

/** The words of the trade for the two kinds; undefined when the text is neither. */
function canonicalType(text: string): string | undefined {
  if (/redempt|redeem|claim/i.test(text)) return 'Cashback by redemption';
  return /\bauto(?:matic)?/i.test(text) ? 'Automatic Cashback' : undefined;
}

/**
 * Every object of texts in a cell that holds JSON, with its keys; a cell of plain text is one entry with the key ``.
 */
function readEntries(row: AwinRow, column: AwinColumn): readonly ReadonlyMap<string, string>[] {
  const text = row.text(column);
  if (text === undefined) return [];
  if (!/^[[{"]/.test(text)) return [new Map([['', text]])];
  const entries: ReadonlyMap<string, string>[] = [];
  collectEntries(row.json(column), entries, MAX_DEPTH);
  return entries;
}

function collectEntries(value: unknown, entries: ReadonlyMap<string, string>[], depth: number): void {
  if (depth === 0 || value === null || value === undefined) return;
  if (typeof value !== 'object') {
    const text = textAt(value);
    if (text !== undefined) entries.push(new Map([['', text]]));
    return;
  }
  if (!Array.isArray(value)) {
    const texts = Object.keys(value).flatMap((key): [string, string][] => {
      const text = textAt(value, key);
      return text === undefined ? [] : [[key, text]];
    });
    if (texts.length > 0) entries.push(new Map(texts));
  }
  for (const child of Object.values(value)) {
    if (Array.isArray(value) || typeof child === 'object') collectEntries(child, entries, depth - 1);
  }
}

function findText(texts: ReadonlyMap<string, string>, key: RegExp): string | undefined {
  for (const [name, text] of texts) {
    if (key.test(name)) return text;
  }
  return undefined;
}

/** `£50 automatic cashback` */
function findAmount(text: string | undefined): string | undefined {
  return /£ ?([0-9]{1,5}(?:\.[0-9]{2})?)/.exec(text ?? '')?.[1];
}
