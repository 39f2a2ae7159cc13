import { z } from 'zod';

const dateSchema = z.iso.date();
const timeSchema = z.iso.datetime({ offset: true });

/**
 * Reads a time that means the same on every machine: a date (its first moment, UTC), or a date and time with its zone.
 * Returns undefined for anything else.
 */
export function findTime(text: string): Date | undefined {
  if (dateSchema.safeParse(text).success) return new Date(`${text}T00:00:00Z`);
  if (timeSchema.safeParse(text).success) return new Date(text);
  return undefined;
}

const DURATION = /^([0-9]{1,6})(s|m|h)$/;
const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Reads `90s`, `15m` or `26h` as milliseconds. Returns undefined for anything else. */
export function findDurationMs(text: string): number | undefined {
  const match = DURATION.exec(text);
  if (match === null) return undefined;
  // Both groups take part in every match of DURATION.
  const [, count, unit] = match as unknown as [string, string, keyof typeof UNIT_MS];
  return Number(count) * UNIT_MS[unit];
}
