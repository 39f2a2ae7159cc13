import { parseMoment, type Moment } from './validity.ts';

/** How the days of a feed are written. With points the day comes first, unless the configuration says otherwise. */
export const DATE_FORMATS = ['yyyy-mm-dd', 'dd.mm.yyyy', 'dd/mm/yyyy', 'mm/dd/yyyy'] as const;

export type DateFormat = (typeof DATE_FORMATS)[number];

/** A day with or without a time, and the time with or without a zone: `+01:00`, `+0100`, `Z`. */
const MOMENT =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}([/.-])[0-9]{1,2}\2[0-9]{4})(?:,? ?[T ] ?([0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,3})?)?) ?(z|[+-][0-9]{2}:?[0-9]{2})?)?$/i;

/**
 * The moment of somebody else's feed in our own spelling: `20.11.2026 08:00` is `2026-11-20T08:00Z`, since a time without
 * a zone is UTC. Undefined when it is none, or when `format` does not say which of its numbers is the day.
 */
export function spellMoment(text: string, format: DateFormat): string | undefined {
  const [whole, day = '', sign = '', time, zone = 'Z'] = MOMENT.exec(text.trim()) ?? [];
  const spelled = whole === undefined ? undefined : spellDay(day, sign, format);
  if (spelled === undefined || time === undefined) return spelled;
  const hours = time.indexOf(':') === 1 ? `0${time}` : time;
  return `${spelled}T${hours}${zone.toUpperCase().replace(/^(.[0-9]{2})([0-9]{2})$/, '$1:$2')}`;
}

function spellDay(text: string, sign: string, format: DateFormat): string | undefined {
  if (sign === '') return text;
  const [first = '', second = '', year = ''] = text.split(sign);
  const isDayFirst = format === 'dd/mm/yyyy' || (format !== 'mm/dd/yyyy' && sign === '.');
  if (!isDayFirst && format !== 'mm/dd/yyyy') return undefined;
  const [day, month] = isDayFirst ? [first, second] : [second, first];
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Reads the moment of somebody else's feed. */
export function parseForeignMoment(text: string, format: DateFormat): Moment | undefined {
  const spelled = spellMoment(text, format);
  return spelled === undefined ? undefined : parseMoment(spelled);
}
