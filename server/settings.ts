import { MAX_DEALS_PER_PRODUCT } from '../data/query/parameter.ts';
import { findRateLimit, findSeconds, type RateLimit } from './keys/rate-limit.ts';

/** The settings of a server. */
export interface ServerSettings {
  /** `Cache-Control` of responses (D18). */
  readonly maxAgeSeconds: number;
  /** Origins that may call from a browser; `localhost` for this machine's, `*` for any, none for no CORS (D21). */
  readonly corsOrigins: readonly string[];
  /** The rate limit of keys without their own; absent for no limit. */
  readonly rateLimit?: RateLimit;
  /** Whether every request is logged. */
  readonly accessLog: boolean;
  /** Age at which `/health/ready` says `stale: true` (D19). */
  readonly staleAfterHours: number;
  /** The most deals of one response; absent for no limit (D15). */
  readonly maxDealsPerAnswer?: number;
}

export const DEFAULT_SETTINGS: ServerSettings = {
  maxAgeSeconds: 60,
  corsOrigins: [],
  accessLog: true,
  staleAfterHours: 26,
};

/** How a setting is given. */
interface Setting<Value> {
  /** The flag of `deals serve`, with a word for its value. The variable has its name: `DEALS_MAX_AGE`. */
  readonly flag: `--${string} <${string}>`;
  readonly help: string;
  /** The default as help shows it; absent when `help` says what happens without a value. */
  readonly default?: string;
  /** @throws {SettingError} */
  readonly parse: (text: string) => Value;
}

/** Every setting of a server, in the order of the help. */
export const SETTINGS: { readonly [Name in keyof ServerSettings]-?: Setting<NonNullable<ServerSettings[Name]>> } = {
  maxAgeSeconds: {
    flag: '--max-age <duration>',
    help: 'how long a client may keep an answer',
    default: '60s',
    parse: parseDurationSeconds,
  },
  corsOrigins: {
    flag: '--cors-origin <origin>',
    help: 'an origin whose pages may call from a browser, localhost for pages of this machine, or *; repeat it, or use commas',
    default: 'none',
    parse: parseOrigins,
  },
  rateLimit: {
    flag: '--rate-limit <requests/duration>',
    help: 'what each key may ask without a limit of its own, such as 600/1m (default: no limit)',
    parse: parseRateLimit,
  },
  accessLog: {
    flag: '--access-log <on|off>',
    help: 'whether to log every request',
    default: '"on"',
    parse: parseSwitch,
  },
  staleAfterHours: {
    flag: '--stale-after <duration>',
    help: 'the age, or the time since a build confirmed it, at which a snapshot is called stale',
    default: '26h',
    parse: (text) => parseDurationSeconds(text) / 3_600,
  },
  maxDealsPerAnswer: {
    flag: '--max-deals <number>',
    help: 'the most deals of one answer (default: no ceiling)',
    parse: (text) => parseCount(text, MAX_DEALS_PER_PRODUCT, 100_000_000),
  },
};

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly (keyof ServerSettings)[];

/** A text that is no value of its setting. The message says what is expected. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

/** Parses a whole number from `min` to `max`. @throws {SettingError} */
export function parseCount(text: string, min: number, max: number): number {
  const number = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new SettingError(`Expected a whole number from ${min} to ${max}.`);
}

/** Parses `90s`, `15m` or `26h`. @throws {SettingError} */
export function parseDurationSeconds(text: string): number {
  const seconds = findSeconds(text);
  if (seconds !== undefined) return seconds;
  throw new SettingError('Expected a duration such as 90s, 15m or 26h.');
}

function parseSwitch(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new SettingError('Allowed choices are on, off.');
  return text === 'on';
}

function parseRateLimit(text: string): RateLimit {
  const limit = findRateLimit(text);
  if (limit !== undefined) return limit;
  throw new SettingError('Expected requests per duration up to 24h, such as 600/1m or 10/1s.');
}

function parseOrigins(text: string): readonly string[] {
  const origins = text.split(',').map((origin) => origin.trim());
  for (const origin of origins) {
    if (origin !== '*' && origin !== 'localhost' && !(URL.canParse(origin) && new URL(origin).origin === origin)) {
      throw new SettingError('Expected an origin such as https://www.example.com, localhost, or *.');
    }
  }
  return origins;
}
