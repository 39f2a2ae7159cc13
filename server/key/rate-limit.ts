/** So many requests at once, and so many in every so many seconds after that. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

const LIMIT = /^([1-9][0-9]{0,6})\/([1-9][0-9]{0,4})([smh])$/;
const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };
const MAX_SECONDS = 86_400;

/** The limit that a text such as `600/1m` means; undefined for any other text. */
export function findRateLimit(text: string): RateLimit | undefined {
  // All three groups take part in every match.
  const [, requests, count, unit] = (LIMIT.exec(text) ?? []) as unknown as [string, string, string, string];
  const seconds = Number(count) * (UNIT_SECONDS[unit] ?? 0);
  return seconds > 0 && seconds <= MAX_SECONDS ? { requests: Number(requests), seconds } : undefined;
}

/** Whether `text` can be the limit of a key, in the place of that of the server. */
export function isKeyRateLimit(text: string): boolean {
  return text === 'off' || findRateLimit(text) !== undefined;
}
