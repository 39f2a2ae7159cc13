import { UNLIMITED_MARKER, type Allowance } from '../../data/record/amount.ts';
import { saysNotNew } from '../../data/record/condition-words.ts';
import { isWebUrl, type Condition } from '../../data/record/product.ts';
import type { RawField } from './fields.ts';

const NEW_WORDS = /^(?:brand )?new$/i;

export function parseCondition(text: string): Condition | undefined {
  if (saysNotNew(text)) return 'refurbished';
  return NEW_WORDS.test(text) ? 'new' : undefined;
}

export function conditionField(found: string): RawField {
  return { text: parseCondition(found), found, expected: CONDITION_FORMAT };
}

export const CONDITION_FORMAT = 'new, refurbished or used';
export const AMOUNT_FORMAT = 'an amount such as 29.99';
export const MONTHS_FORMAT = 'a whole number of months, 1 to 120';
export const COUNT_FORMAT = 'a whole number or unlimited';

/** `29.9900` as `29.99`: some exports write zeros after the pence. */
export function dropExcessZeros(amount: string): string {
  return amount.replace(/(\.[0-9]{2})0+$/, '$1');
}

const DECIMAL = /^[0-9]{1,9}(?:\.[0-9]{1,9})?$/;

/**
 * Parses an allowance: `unlimited` in any case, the marker 999999 (spec §8), or a plain number times `unit`. Undefined
 * when it is something else, or not a whole number of megabytes, minutes or texts.
 */
export function parseAllowance(text: string, unit = 1): Allowance | undefined {
  if (text.length === 9 && text.toLowerCase() === 'unlimited') return 'unlimited';
  if (!DECIMAL.test(text)) return undefined;
  const number = Number(text);
  if (number === UNLIMITED_MARKER) return 'unlimited';
  const amount = number * unit;
  const whole = Math.round(amount);
  // 0.001 GB has no exact double. The tolerance is far above the error of the multiplication, and below a fourth decimal.
  return Math.abs(amount - whole) < 1e-5 ? whole : undefined;
}

const SIZE_PATTERN = /([0-9]{1,4}) ?(mb|gb|tb)?(?![\p{L}\p{N}])/giu;

const GIGABYTES = { MB: 0.001, GB: 1, TB: 1_000 } as const;

/** A smaller number without a unit is not a storage in gigabytes. */
const MIN_UNITLESS_GIGABYTES = 4;

interface Size {
  readonly text: string;
  readonly gigabytes: number;
}

/**
 * Parses a storage: `128GB`, `128`, `1 TB`, or memory and storage, `8GB/128GB`: the larger size counts. Undefined
 * when it is anything else.
 */
export function parseStorageSize(text: string): string | undefined {
  const rest = text.replaceAll(SIZE_PATTERN, '').replaceAll(/\b(?:ram|rom|storage)\b|[+/,\s]/gi, '');
  const sizes = listSizes(text);
  if (rest !== '' || sizes.length === 0) return undefined;
  return sizes.reduce((largest, size) => (size.gigabytes > largest.gigabytes ? size : largest)).text;
}

function listSizes(text: string): readonly Size[] {
  return [...text.matchAll(SIZE_PATTERN)].flatMap(([, number = '', unit]): readonly Size[] => {
    if (unit === undefined && Number(number) < MIN_UNITLESS_GIGABYTES) return [];
    const inUnit = (unit?.toUpperCase() ?? 'GB') as keyof typeof GIGABYTES;
    return [{ text: `${Number(number)}${inUnit}`, gigabytes: Number(number) * GIGABYTES[inUnit] }];
  });
}

/** Whether `text` is a GTIN of 8, 12, 13 or 14 digits with a correct check digit. */
export function isGtin(text: string): boolean {
  if (!/^(?:[0-9]{8}|[0-9]{12,14})$/.test(text) || /^0+$/.test(text)) return false;
  let sum = 0;
  for (let i = text.length - 2, weight = 3; i >= 0; i--, weight = 4 - weight) sum += Number(text[i]) * weight;
  return (10 - (sum % 10)) % 10 === Number(text.at(-1));
}

/** The first usable picture. A feed's own placeholder for a missing picture is skipped. */
export function findImageUrl(urls: readonly (string | undefined)[]): string | undefined {
  return urls.find((url) => url !== undefined && url.length <= 2_000 && isWebUrl(url) && !/no-?_?image/i.test(url));
}
