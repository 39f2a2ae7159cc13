import { DEFAULT_PAGE_LIMIT, MAX_DEALS_PER_PRODUCT, MAX_PAGE_LIMIT } from '../data/query/parameter.ts';
import { MAX_GRACE_SECONDS } from '../data/store/layout.ts';
import { findRateLimit, type RateLimit } from './keys/rate-limit.ts';

/** What a setting is given as, and its unit in `ServerSettings`. */
interface UnitValues {
  readonly count: number;
  readonly seconds: number;
  readonly hours: number;
  readonly bytes: number;
  readonly switch: boolean;
  readonly rateLimit: RateLimit;
  readonly origins: readonly string[];
}

type Unit = keyof UnitValues;

/** A setting of the server: how it is given, its unit and its default. */
export interface Setting {
  /** The flag of `deals serve`, with a word for its value. */
  readonly flag: `--${string} <${string}>`;
  readonly environment: `DEALS_${string}`;
  readonly unit: Unit;
  /** What a person would give for the default; absent when `help` names what happens without a value. */
  readonly default?: string;
  readonly help: string;
  /** The smallest and the largest value that may be given. */
  readonly range?: readonly [min: number, max: number];
  /** A further rule: returns what is expected of a value that breaks it. */
  readonly check?: (value: number) => string | undefined;
}

/** Every setting of a server, in the order of the help. */
export const SETTINGS = {
  /** Products per page without `limit`, and the maximum of `limit` (D15). */
  defaultPageLimit: {
    flag: '--page-limit <number>',
    environment: 'DEALS_PAGE_LIMIT',
    unit: 'count',
    default: String(DEFAULT_PAGE_LIMIT),
    help: 'products of a page when the request does not say',
    range: [1, 10_000],
  },
  maxPageLimit: {
    flag: '--max-page-limit <number>',
    environment: 'DEALS_MAX_PAGE_LIMIT',
    unit: 'count',
    default: String(MAX_PAGE_LIMIT),
    help: 'the most products that a request may ask for',
    range: [1, 10_000],
  },
  /** The most deals of one response; absent for no limit (D15). */
  maxDealsPerAnswer: {
    flag: '--max-deals <number>',
    environment: 'DEALS_MAX_DEALS',
    unit: 'count',
    help: 'the most deals of one answer (default: no ceiling)',
    range: [MAX_DEALS_PER_PRODUCT, 100_000_000],
  },
  /** `Cache-Control` of responses (D18). */
  maxAgeSeconds: {
    flag: '--max-age <duration>',
    environment: 'DEALS_MAX_AGE',
    unit: 'seconds',
    default: '60s',
    help: 'how long a client may keep an answer',
  },
  staleWhileRevalidateSeconds: {
    flag: '--stale-while-revalidate <duration>',
    environment: 'DEALS_STALE_WHILE_REVALIDATE',
    unit: 'seconds',
    default: '10m',
    help: 'stale-while-revalidate time in Cache-Control (s, m or h)',
  },
  staleIfErrorSeconds: {
    flag: '--stale-if-error <duration>',
    environment: 'DEALS_STALE_IF_ERROR',
    unit: 'seconds',
    default: '24h',
    help: 'how long it may use an older one while the server does not answer',
  },
  /** How long pagination may continue on the previous snapshot (D15). */
  graceSeconds: {
    flag: '--grace <duration>',
    environment: 'DEALS_GRACE',
    unit: 'seconds',
    default: '15m',
    help: 'how long pagination may continue on the previous snapshot',
    check: (seconds) =>
      seconds <= MAX_GRACE_SECONDS
        ? undefined
        : `at most ${MAX_GRACE_SECONDS / 60}m, since builds delete what was current an hour ago`,
  },
  /** Bytes of the response cache of a snapshot; 0 for none. */
  answerCacheBytes: {
    flag: '--answer-cache <megabytes>',
    environment: 'DEALS_ANSWER_CACHE',
    unit: 'bytes',
    default: '16',
    help: 'size of the response cache; 0 for none',
    range: [0, 100_000],
  },
  /** A snapshot whose served files have more bytes than this is refused. */
  maxSnapshotBytes: {
    flag: '--max-snapshot-megabytes <megabytes>',
    environment: 'DEALS_MAX_SNAPSHOT_MEGABYTES',
    unit: 'bytes',
    default: '1000',
    help: 'a snapshot whose served files have more is refused',
    range: [1, 100_000],
  },
  /** Whether every request is logged. */
  accessLog: {
    flag: '--access-log <on|off>',
    environment: 'DEALS_ACCESS_LOG',
    unit: 'switch',
    default: 'on',
    help: 'whether to log every request',
  },
  /** Age at which `/health/ready` says `stale: true` (D19). */
  staleAfterHours: {
    flag: '--stale-after <duration>',
    environment: 'DEALS_STALE_AFTER',
    unit: 'hours',
    default: '26h',
    help: 'the age, or the time since a build confirmed it, at which a snapshot is called stale',
  },
  /** Origins that may call from a browser; `localhost` for this machine's, `*` for any, none for no CORS (D21). */
  corsOrigins: {
    flag: '--cors-origin <origin>',
    environment: 'DEALS_CORS_ORIGIN',
    unit: 'origins',
    default: 'none',
    help: 'an origin whose pages may call from a browser, localhost for pages of this machine, or *; repeat it, or use commas',
  },
  /** The rate limit of keys without their own; absent for no limit. */
  rateLimit: {
    flag: '--rate-limit <requests/duration>',
    environment: 'DEALS_RATE_LIMIT',
    unit: 'rateLimit',
    help: 'what each key may ask without a limit of its own, such as 600/1m (default: no limit)',
  },
  /** Connections at one time; further ones are closed at once. */
  maxConnections: {
    flag: '--max-connections <number>',
    environment: 'DEALS_MAX_CONNECTIONS',
    unit: 'count',
    default: '4000',
    help: 'connections at one time; any more are closed as they come',
    range: [1, 1_000_000],
  },
  /** The same from one address; addresses of this machine do not count. */
  maxConnectionsPerAddress: {
    flag: '--max-connections-per-address <number>',
    environment: 'DEALS_MAX_CONNECTIONS_PER_ADDRESS',
    unit: 'count',
    default: '1000',
    help: 'the same from one address (of IPv6: one /64 network), other than those of this machine',
    range: [1, 1_000_000],
  },
  /** Whether requests are rejected while more arrive than can be answered. */
  shedsLoad: {
    flag: '--load-shedding <on|off>',
    environment: 'DEALS_LOAD_SHEDDING',
    unit: 'switch',
    default: 'on',
    help: 'whether requests get 503 while more arrive than can be answered',
  },
} as const satisfies Readonly<Record<string, Setting>>;

type Settings = typeof SETTINGS;
export type SettingName = keyof Settings;
type SettingValue<Name extends SettingName> = UnitValues[Settings[Name]['unit']];

/** The settings without a default: they may be absent. */
type OptionalName = { [Name in SettingName]: Settings[Name] extends { default: string } ? never : Name }[SettingName];

/** The settings of a server. Times are in seconds unless the name has another unit. */
export type ServerSettings = {
  readonly [Name in keyof Settings as Exclude<Name, OptionalName>]: SettingValue<Name>;
} & {
  readonly [Name in keyof Settings as Extract<Name, OptionalName>]?: SettingValue<Name>;
};

/** A rule about several settings: returns what is wrong. */
export function checkSettings({ defaultPageLimit, maxPageLimit }: ServerSettings): string | undefined {
  return defaultPageLimit <= maxPageLimit
    ? undefined
    : `--page-limit: expected at most --max-page-limit ${maxPageLimit}, got ${defaultPageLimit}`;
}

/** A text that is no value of its setting. The message says what is expected. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

/** Reads the text of a flag or an environment variable. @throws {SettingError} */
export function parseSetting<Name extends SettingName>(name: Name, text: string): SettingValue<Name> {
  const setting: Setting = SETTINGS[name];
  const value = PARSERS[setting.unit](text, setting);
  const expected = setting.check?.(value as number);
  if (expected !== undefined) throw new SettingError(`Expected ${expected}.`);
  return value as SettingValue<Name>;
}

const BYTES_PER_MEGABYTE = 1_000_000;

const PARSERS: { readonly [Each in Unit]: (text: string, setting: Setting) => UnitValues[Each] } = {
  count: (text, { range: [min, max] = [0, Infinity] }) => parseCount(text, min, max),
  seconds: (text) => parseDurationSeconds(text),
  hours: (text) => parseDurationSeconds(text) / 3_600,
  bytes: (text, { range: [min, max] = [0, Infinity] }) => parseCount(text, min, max) * BYTES_PER_MEGABYTE,
  switch: parseSwitch,
  rateLimit: parseRateLimit,
  origins: parseOrigins,
};

/** Parses a whole number from `min` to `max`. @throws {SettingError} */
export function parseCount(text: string, min: number, max: number): number {
  const number = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new SettingError(`Expected a whole number from ${min} to ${max}.`);
}

const DURATION = /^([0-9]{1,6})(s|m|h)$/;
const UNIT_SECONDS = { s: 1, m: 60, h: 3_600 } as const;

/** Parses `90s`, `15m` or `26h`. @throws {SettingError} */
export function parseDurationSeconds(text: string): number {
  const match = DURATION.exec(text);
  if (match === null) throw new SettingError('Expected a duration such as 90s, 15m or 26h.');
  // Both groups take part in every match of DURATION.
  const [, count, unit] = match as unknown as [string, string, keyof typeof UNIT_SECONDS];
  return Number(count) * UNIT_SECONDS[unit];
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

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

export const DEFAULT_SETTINGS = Object.fromEntries(
  SETTING_NAMES.flatMap((name) => {
    const { default: text }: Setting = SETTINGS[name];
    if (text === undefined) return [];
    // `none` is no origin that could be given.
    return [[name, text === 'none' ? [] : parseSetting(name, text)]];
  }),
) as unknown as ServerSettings;
