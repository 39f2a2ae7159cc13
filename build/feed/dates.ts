import { DAY_MS } from '../../data/record/amount.ts';

const DAY_PATTERN = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const INSTANT_PATTERN =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,3})?)?(?:Z|[+-][0-9]{2}:[0-9]{2})$/;

export const DATE_RANGE_FORMAT = 'a day such as 2026-11-20 or an instant such as 2026-11-20T08:00:00Z';

/** The start and the end of a day in UTC, or of an instant, in milliseconds since 1970. */
export interface DateRange {
  readonly startMs: number;
  readonly endMs: number;
}

/** Parses `2026-11-20` or `2026-11-20T08:00:00+01:00`; undefined for anything else, such as 30 February. */
export function parseDateRange(text: string): DateRange | undefined {
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

/** The date formats of feeds. With points the day comes first, unless the format is `mm/dd/yyyy`. */
export const DATE_FORMATS = ['yyyy-mm-dd', 'dd.mm.yyyy', 'dd/mm/yyyy', 'mm/dd/yyyy'] as const;

export type DateFormat = (typeof DATE_FORMATS)[number];

/** A day with or without a time, and the time with or without a zone: `+01:00`, `+0100`, `Z`. */
const FOREIGN_DATE =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}([/.-])[0-9]{1,2}\2[0-9]{4})(?:,? ?[T ] ?([0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,3})?)?) ?(z|[+-][0-9]{2}:?[0-9]{2})?)?$/i;

/**
 * Converts `20.11.2026 08:00` to `2026-11-20T08:00Z`; a time without a zone is UTC. Undefined when it is not a date, or
 * when `format` does not tell day and month apart.
 */
export function toIsoDate(text: string, format: DateFormat): string | undefined {
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
