import { existsSync } from 'node:fs';
import { InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { writeBuildCommand } from '../../build/report/build-result.ts';
import { readCurrent } from '../../data/store/snapshots.ts';
import {
  DEFAULT_SETTINGS,
  parseCount,
  SETTING_NAMES,
  SettingError,
  SETTINGS,
  type ServerSettings,
} from '../../server/settings.ts';
import { CommandError } from './command.ts';

const DEFAULT_STORE = 'dist/catalogue';
export const DEFAULT_CONFIG = 'catalogue.json';
export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_PORT = 8080;

/**
 * An option; one without a value is a switch. A flag beats the environment variable; that beats the configuration file,
 * which beats the default.
 * @param parse reads the value, and throws a `SettingError`; an option whose values are lists may be repeated
 */
export function option(flags: string, meaning: string, parse: (text: string) => unknown = parseText): Option {
  const made = new Option(flags, meaning);
  if (made.isBoolean()) return made;
  return made.argParser((text, before: unknown) => {
    try {
      const value = parse(text);
      return Array.isArray(value) && Array.isArray(before) ? [...before, ...value] : value;
    } catch (error) {
      throw error instanceof SettingError ? new InvalidArgumentError(error.message) : error;
    }
  });
}

export function parseText(text: string): string {
  if (text === '') throw new SettingError('Expected some text.');
  return text;
}

const dateSchema = z.iso.date();
const timeSchema = z.iso.datetime({ offset: true });

/** Reads a date (its first moment, UTC), or a date and time with its zone. */
export function parseTime(text: string): Date {
  if (dateSchema.safeParse(text).success) return new Date(`${text}T00:00:00Z`);
  if (timeSchema.safeParse(text).success) return new Date(text);
  throw new SettingError('Expected a date such as 2026-12-01, or a time with its zone such as 2026-12-01T02:30:00Z.');
}

/** A parser of whole numbers from `min` to `max`. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => parseCount(text, min, max);
}

export const parsePort = wholeNumber(0, 65_535);

function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new SettingError('Expected an http or https URL without a query, such as https://deals.example.com.');
  }
  let end = text.length;
  while (text.endsWith('/', end)) end--;
  return text.slice(0, end);
}

/** The options of several commands. */
export const STORE = option(
  '-s, --store <folder>',
  `where snapshots are published (default: the store of the configuration, else ${DEFAULT_STORE})`,
).env('DEALS_STORE');

export const CONFIG = option('-c, --config <file>', `the configuration of the build (default: ${DEFAULT_CONFIG})`).env(
  'DEALS_CONFIG',
);

export const JSON_RESULT = option('--json', 'write the result as JSON');

/** The options of a command that reads a store. */
export const READ = [STORE, CONFIG, JSON_RESULT] as const;

export const HOST = option('-H, --host <address>', 'the address to listen on').env('DEALS_HOST').default(DEFAULT_HOST);

export const PUBLIC_URL = option(
  '--public-url <url>',
  'what goes before the paths of pictures (default: the address of the server)',
  parsePublicUrl,
).env('DEALS_PUBLIC_URL');

export function keysOption(): Option {
  return option('-k, --keys <file>', 'the key file, which deals keys create makes').env('DEALS_KEYS');
}

export function nowOption(does: string): Option {
  return option(
    '--now <time>',
    `${does} as of this time; a date means its first moment, UTC (default: now)`,
    parseTime,
  );
}

/** The option of a setting of the server, made from its row of the table. */
export function settingOption(name: keyof ServerSettings): Option {
  const { flag, help, default: shown, parse } = SETTINGS[name];
  const made = option(flag, help, parse);
  made.env(`DEALS_${made.name().toUpperCase().replaceAll('-', '_')}`);
  if (name === 'accessLog') made.argChoices = ['on', 'off'];
  return shown === undefined ? made : made.default(DEFAULT_SETTINGS[name], shown);
}

/** The settings of a command line with the options of all settings. */
export function readSettings(options: object): Partial<ServerSettings> {
  const values = new Map<string, unknown>(Object.entries(options));
  const given = SETTING_NAMES.map((name) => [name, values.get(settingOption(name).attributeName())] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

export interface StoreOptions {
  readonly store?: string;
  readonly config?: string;
}

/** The options of a command that reads a store. */
export interface ReadOptions extends StoreOptions {
  readonly json?: true;
}

/** The configuration that is named, else the one in this folder, if there is one. */
export function findConfig({ config }: StoreOptions): string | undefined {
  return config ?? (existsSync(DEFAULT_CONFIG) ? DEFAULT_CONFIG : undefined);
}

export function requireConfig(options: StoreOptions): string {
  const config = findConfig(options);
  if (config !== undefined) return config;
  throw new CommandError(
    `${DEFAULT_CONFIG}: expected a configuration, found none; deals init writes one, or name another with --config`,
  );
}

/** The store of the flag or the environment, else of the configuration, else the default. */
export async function resolveStore(options: StoreOptions): Promise<string> {
  if (options.store !== undefined) return options.store;
  const file = findConfig(options);
  if (file === undefined) return DEFAULT_STORE;
  // Loaded only here: a server with `--store` needs no configuration.
  const { readConfig } = await import('../../build/config/config.ts');
  return (await readConfig(file)).store;
}

/** The store, for commands that need an existing store. */
export async function requireStore(options: StoreOptions): Promise<string> {
  const store = await resolveStore(options);
  if (existsSync(store)) return store;
  throw new CommandError(
    `${store}: expected a store, found nothing; ${adviseBuild(options)}, or name another with --store`,
  );
}

/**
 * The store, and the snapshot that was named or is current.
 * @throws {SnapshotError} when `current.json` is damaged
 */
export async function requireSnapshot(
  options: StoreOptions,
  wanted?: string,
): Promise<{ readonly store: string; readonly id: string }> {
  const store = await requireStore(options);
  const id = wanted ?? readCurrent(store);
  if (id !== undefined) return { store, id };
  throw new CommandError(`${store}: expected a published snapshot, found none; ${adviseBuild(options)}`);
}

function adviseBuild({ config, store }: StoreOptions): string {
  return `run ${writeBuildCommand({ config, store })} first`;
}
