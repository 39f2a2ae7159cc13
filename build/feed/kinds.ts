import { z } from 'zod';
import { MEGABYTES_PER_GIGABYTE, parsePence, UNLIMITED_MARKER, type Allowance } from '../../data/record/amount.ts';
import { DAY_MS } from '../../data/record/time.ts';
import { saysNotNew } from '../../data/record/condition-words.ts';
import { isWebUrl, type Condition } from '../../data/record/product.ts';

/** How a text of a kind is read. */
interface Kind {
  readonly expected: string;
  /** A value in JSON, for editors: parsing is stricter. */
  readonly json: z.ZodType;
  /** The value of a text in the spelling of our own feed; undefined when it has none. */
  readonly parse: (text: string) => unknown;
  /** Spells a text of another feed as our own feed does; undefined when it cannot be. */
  readonly convert?: (text: string, notation: Notation) => string | undefined;
  /** What `convert` expects, where that is something else. */
  readonly expectedIn?: (notation: Notation) => string;
}

/** The sign between the pounds and the pence of a feed. */
export const DECIMAL_SIGNS = ['.', ','] as const;

/** The date formats of feeds. With points the day comes first, unless the format is `mm/dd/yyyy`. */
const DATE_FORMATS = ['yyyy-mm-dd', 'dd.mm.yyyy', 'dd/mm/yyyy', 'mm/dd/yyyy'] as const;

type DateFormat = (typeof DATE_FORMATS)[number];

/** The setting of the format in which a feed writes dates. */
export const DATES_SCHEMA = z.enum(DATE_FORMATS).default('yyyy-mm-dd').describe(DATE_FORMATS.join(', '));

/** How a feed, one of its columns, or a text writes values. */
export interface Notation {
  readonly decimal: (typeof DECIMAL_SIGNS)[number];
  readonly dates: DateFormat;
  /** The unit of a data allowance without one. */
  readonly unit: 'GB' | 'MB';
  /** The signs that may stand between groups of three digits. */
  readonly grouping: readonly string[];
}

/** How texts for people write values. */
export const PROSE: Notation = {
  decimal: '.',
  dates: 'yyyy-mm-dd',
  unit: 'GB',
  grouping: [','],
};

const textSchema = z.string().max(2_000);
const allowanceSchema = z.union([
  z.string().regex(/^(?:[Uu][Nn][Ll][Ii][Mm][Ii][Tt][Ee][Dd]|[0-9]{1,9}(?:\.[0-9]{1,9})?)?$/),
  z.number().min(0),
]);

const anyText = { expected: 'a text', json: textSchema, parse: (text: string) => text };
/** In JSON an id may be a whole number. */
const anyId = { ...anyText, json: z.union([textSchema, z.int()]) };

const KIND_ROWS = {
  id: anyId,
  /** An id, or a name, of a network, a retailer or a gift. */
  reference: { ...anyId, expected: 'an id, slug, name or alias' },
  /** A text for people, which may be repaired. */
  name: anyText,
  word: anyText,
  url: { ...anyText, expected: 'an http or https URL' },
  gtin: {
    ...anyId,
    expected: '8, 12, 13 or 14 digits that end in the check digit',
    parse: (text) => (isGtin(text) ? text : undefined),
  },
  condition: { ...anyText, expected: 'new, refurbished or used', convert: parseCondition },
  amount: {
    expected: 'an amount such as 29.99',
    json: z.union([z.string().regex(/^(?:-?[0-9]{1,9}(?:\.[0-9]{1,2})?)?$/), z.number()]),
    parse: parsePence,
    // Some exports write `29.9900`.
    convert: (text, notation) => plainNumber(text.replace(/(\.[0-9]{2})00$/, '$1'), notation),
    expectedIn: ({ decimal }) => `an amount such as 29${decimal}99`,
  },
  months: {
    expected: 'a whole number of months, 1 to 120',
    json: z.union([z.string().regex(/^[0-9]{1,3}$/), z.int().min(1).max(120)]),
    parse: (text) => parseMonths(text),
    convert: (text, notation) => plainNumber(text.replace(/ ?months?(?:\(s\))?$/i, ''), notation),
  },
  data: {
    expected: 'gigabytes with at most three decimals, or unlimited',
    json: allowanceSchema,
    parse: (text) => parseAllowance(text, MEGABYTES_PER_GIGABYTE),
    convert: (text, notation) => (isUnlimited(text) ? 'unlimited' : toGigabytes(text, notation)),
    expectedIn: () => 'an allowance such as 4GB, 500MB or unlimited',
  },
  count: {
    expected: 'a whole number or unlimited',
    json: allowanceSchema,
    parse: (text) => parseAllowance(text),
    convert: (text, notation) => (isUnlimited(text) ? 'unlimited' : plainNumber(text, notation)),
  },
  date: {
    expected: 'a day such as 2026-11-20 or an instant such as 2026-11-20T08:00:00Z',
    json: textSchema,
    parse: parseDateRange,
    convert: (text, { dates }) => toIsoDate(text, dates),
    expectedIn: ({ dates }) => `a date written as ${dates}`,
  },
  switch: {
    expected: 'true or false',
    json: z.union([z.boolean(), z.string().max(5), z.literal([0, 1])]),
    parse: parseSwitch,
  },
  size: { ...anyText, expected: 'a size such as 128GB, 1TB or 128', parse: parseStorageSize },
} as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof KIND_ROWS;

export const KINDS: Readonly<Record<KindName, Kind>> = KIND_ROWS;

const NEW_WORDS = /^(?:brand )?new$/i;

export function parseCondition(text: string): Condition | undefined {
  if (saysNotNew(text)) return 'refurbished';
  return NEW_WORDS.test(text) ? 'new' : undefined;
}

function parseSwitch(text: string): boolean | undefined {
  const [, yes, no] = /^(?:(true|yes|1)|(false|no|0))$/i.exec(text) ?? [];
  return (yes ?? no) === undefined ? undefined : yes !== undefined;
}

export function parseMonths(text = ''): number | undefined {
  const months = /^[0-9]{1,3}$/.test(text) ? Number(text) : 0;
  return months >= 1 && months <= 120 ? months : undefined;
}

function isUnlimited(text: string): boolean {
  return text.length === 9 && text.toLowerCase() === 'unlimited';
}

const DECIMAL = /^[0-9]{1,9}(?:\.[0-9]{1,9})?$/;

/**
 * Parses an allowance: `unlimited` in any case, the marker 999999 (spec §8), or a plain number times `unit`. Undefined
 * when it is something else, or not a whole number of megabytes, minutes or texts.
 */
function parseAllowance(text: string, unit = 1): Allowance | undefined {
  if (isUnlimited(text)) return 'unlimited';
  if (!DECIMAL.test(text)) return undefined;
  const number = Number(text);
  if (number === UNLIMITED_MARKER) return 'unlimited';
  const amount = number * unit;
  const whole = Math.round(amount);
  // 0.001 GB has no exact double. The tolerance is far above the error of the multiplication, and below a fourth decimal.
  return Math.abs(amount - whole) < 1e-5 ? whole : undefined;
}

function toGigabytes(text: string, notation: Notation): string | undefined {
  const [, amount = '', unit = notation.unit] = /^(.*?)(?: ?(gb|mb))?$/i.exec(text) ?? [];
  const number = plainNumber(amount, notation);
  // The marker means unlimited in every unit.
  if (Number(number) === UNLIMITED_MARKER) return 'unlimited';
  if (number === undefined || unit.toUpperCase() === 'GB') return number;
  return String(Number(number) / MEGABYTES_PER_GIGABYTE);
}

/** `1.234,5` as `1234.5`; undefined when it is not a number, or a grouping sign is not between groups of three. */
function plainNumber(text: string, { grouping, decimal }: Notation): string | undefined {
  const [whole = '', ...fractions] = text.split(decimal);
  const sign = grouping.find((each) => whole.includes(each));
  const [first = '', ...groups] = sign === undefined ? [whole] : whole.split(sign);
  const isSound =
    (groups.length === 0 ? /^-?[0-9]{1,12}$/ : /^-?[0-9]{1,3}$/).test(first) &&
    groups.every((group) => /^[0-9]{3}$/.test(group)) &&
    fractions.length <= 1 &&
    fractions.every((fraction) => /^[0-9]+$/.test(fraction));
  return isSound ? [first + groups.join(''), ...fractions].join('.') : undefined;
}

const SIZE_PATTERN = /([0-9]{1,4}) ?(mb|gb|tb)?(?![\p{L}\p{N}])/giu;

const GIGABYTES = { MB: 0.001, GB: 1, TB: 1_000 } as const;

/** A smaller number without a unit is not a storage in gigabytes. */
const MIN_UNITLESS_GIGABYTES = 4;

/**
 * Parses a storage: `128GB`, `128`, `1 TB`, or memory and storage, `8GB/128GB`: the larger size counts. Undefined
 * when it is anything else.
 */
export function parseStorageSize(text: string): string | undefined {
  const rest = text.replaceAll(SIZE_PATTERN, '').replaceAll(/\b(?:ram|rom|storage)\b|[+/,\s]/gi, '');
  const sizes = [...text.matchAll(SIZE_PATTERN)].flatMap(([, number = '', unit]) => {
    if (unit === undefined && Number(number) < MIN_UNITLESS_GIGABYTES) return [];
    const inUnit = (unit?.toUpperCase() ?? 'GB') as keyof typeof GIGABYTES;
    return [{ text: `${Number(number)}${inUnit}`, gigabytes: Number(number) * GIGABYTES[inUnit] }];
  });
  const [largest] = sizes.toSorted((a, b) => b.gigabytes - a.gigabytes);
  return rest === '' ? largest?.text : undefined;
}

/** Whether `text` is a GTIN of 8, 12, 13 or 14 digits with a correct check digit. */
export function isGtin(text = ''): boolean {
  if (!/^(?:[0-9]{8}|[0-9]{12,14})$/.test(text) || /^0+$/.test(text)) return false;
  let sum = 0;
  for (let i = text.length - 2, weight = 3; i >= 0; i--, weight = 4 - weight) sum += Number(text[i]) * weight;
  return (10 - (sum % 10)) % 10 === Number(text.at(-1));
}

/** Whether a text is the link of a picture, and not of a feed's own placeholder for a missing one. */
export function isPicture(url = ''): boolean {
  return url.length <= 2_000 && isWebUrl(url) && !/no-?_?image/i.test(url);
}

const DAY_PATTERN = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const INSTANT_PATTERN =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,3})?)?(?:Z|[+-][0-9]{2}:[0-9]{2})$/;

/** The start and the end of a day in UTC, or of an instant, in milliseconds since 1970. */
export interface DateRange {
  readonly startMs: number;
  readonly endMs: number;
}

/** Parses `2026-11-20` or `2026-11-20T08:00:00+01:00`; undefined for anything else, such as 30 February. */
function parseDateRange(text: string): DateRange | undefined {
  const isDay = DAY_PATTERN.test(text);
  if (!isDay && !INSTANT_PATTERN.test(text)) return undefined;
  const dayMs = Date.parse(text.slice(0, 10));
  // Date.parse reads 30 February as 1 March.
  if (Number.isNaN(dayMs) || new Date(dayMs).getUTCDate() !== Number(text.slice(8, 10))) return undefined;
  if (isDay) return { startMs: dayMs, endMs: dayMs + DAY_MS - 1 };
  const instantMs = Date.parse(text.replace(' ', 'T'));
  return Number.isNaN(instantMs) ? undefined : { startMs: instantMs, endMs: instantMs };
}

/** Whether a validity ends before it starts: one of the two dates is wrong. */
export function isReversed(from: DateRange | undefined, to: DateRange | undefined): boolean {
  return from !== undefined && to !== undefined && to.endMs < from.startMs;
}

/** Whether `now` is between the start of `from` and the end of `to`, both inclusive; undefined is unbounded. */
export function isWithin(now: Date, from: DateRange | undefined, to: DateRange | undefined): boolean {
  const nowMs = now.getTime();
  return (from === undefined || from.startMs <= nowMs) && (to === undefined || nowMs <= to.endMs);
}

/** A day with or without a time, and the time with or without a zone: `+01:00`, `+0100`, `Z`. */
const FOREIGN_DATE =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}([/.-])[0-9]{1,2}\2[0-9]{4})(?:,? ?[T ] ?([0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,3})?)?) ?(z|[+-][0-9]{2}:?[0-9]{2})?)?$/i;

/**
 * Converts `20.11.2026 08:00` to `2026-11-20T08:00Z`; a time without a zone is UTC. Undefined when it is not a date, or
 * when `format` does not tell day and month apart.
 */
function toIsoDate(text: string, format: DateFormat): string | undefined {
  const [whole, day = '', sign = '', time, zone = 'Z'] = FOREIGN_DATE.exec(text.trim()) ?? [];
  const spelled = whole === undefined ? undefined : toIsoDay(day, sign, format);
  if (spelled === undefined || time === undefined) return spelled;
  const hours = time.indexOf(':') === 1 ? `0${time}` : time;
  return `${spelled}T${hours}${zone.toUpperCase().replace(/^(.[0-9]{2})([0-9]{2})$/, '$1:$2')}`;
}

function toIsoDay(text: string, sign: string, format: DateFormat): string | undefined {
  if (sign === '') return text;
  const [first = '', second = '', year = ''] = text.split(sign);
  const isDayFirst = format === 'dd/mm/yyyy' || (format !== 'mm/dd/yyyy' && sign === '.');
  if (!isDayFirst && format !== 'mm/dd/yyyy') return undefined;
  const [day, month] = isDayFirst ? [first, second] : [second, first];
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

export function parseForeignDate(text: string, format: DateFormat): DateRange | undefined {
  const spelled = toIsoDate(text, format);
  return spelled === undefined ? undefined : parseDateRange(spelled);
}
