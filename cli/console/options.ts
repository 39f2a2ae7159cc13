import { existsSync } from 'node:fs';
import { InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { writeBuildCommand } from '../../build/report/build-result.ts';
import { CommandError, EXIT } from './command.ts';

export const DEFAULT_STORE = 'dist/catalogue';

export const DEFAULT_CONFIG = 'catalogue.json';

/** An option beats its environment variable; that beats the configuration file, which beats the default. */
export function storeOption(): Option {
  return new Option(
    '-s, --store <folder>',
    `where snapshots are published (default: the store of the configuration, else ${DEFAULT_STORE})`,
  )
    .env('DEALS_STORE')
    .argParser(parseText);
}

export function configOption(): Option {
  return new Option('-c, --config <file>', `the configuration of the build (default: ${DEFAULT_CONFIG})`)
    .env('DEALS_CONFIG')
    .argParser(parseText);
}

export function keysOption(): Option {
  return new Option('-k, --keys <file>', 'the key file').env('DEALS_KEYS').argParser(parseText);
}

export function jsonOption(): Option {
  return new Option('--json', 'write the result as JSON');
}

export function parseText(text: string): string {
  if (text === '') throw new InvalidArgumentError('Expected some text.');
  return text;
}

export function parseTime(text: string): Date {
  const time = findTime(text);
  if (time === undefined) {
    throw new InvalidArgumentError(
      'Expected a date such as 2026-12-01, or a time with its zone such as 2026-12-01T02:30:00Z.',
    );
  }
  return time;
}

export function parseDurationMs(text: string): number {
  const durationMs = findDurationMs(text);
  if (durationMs === undefined) throw new InvalidArgumentError('Expected a duration such as 90s, 15m or 26h.');
  return durationMs;
}

/** A parser of whole numbers from `min` to `max`. */
export function parseWholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= min && number <= max)) {
      throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
    }
    return number;
  };
}

/** The end of a help text: commands that work in the folder of the project. */
export function describeExamples(...lines: readonly [string, string]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}

const dateSchema = z.iso.date();
const timeSchema = z.iso.datetime({ offset: true });

/**
 * Reads a date (its first moment, UTC), or a date and time with its zone. Returns undefined for anything else.
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

/** @param others what may be given instead, for the error */
export function requireConfig(config: string | undefined, others = ''): string {
  if (config !== undefined) return config;
  if (existsSync(DEFAULT_CONFIG)) return DEFAULT_CONFIG;
  throw new CommandError(
    EXIT.usage,
    `${DEFAULT_CONFIG}: expected a configuration, found none; deals init writes one, or name another with --config${others}`,
  );
}

export interface StoreOptions {
  readonly store?: string;
  readonly config?: string;
}

/** The store of the flag or the environment, else of the configuration, else the default. */
async function resolveStore({ store, config }: StoreOptions): Promise<string> {
  if (store !== undefined) return store;
  const file = config ?? (existsSync(DEFAULT_CONFIG) ? DEFAULT_CONFIG : undefined);
  if (file === undefined) return DEFAULT_STORE;
  // Loaded only here: a server with `--store` needs no configuration.
  const { readConfig } = await import('../../build/config/config.ts');
  return (await readConfig(file)).store;
}

/**
 * The store, for commands that need an existing store, or a published snapshot in it.
 * @throws {SnapshotError} when `current.json` is damaged
 */
export async function requireStore(options: StoreOptions, needs: 'store' | 'current' = 'store'): Promise<string> {
  const store = await resolveStore(options);
  const remedy = `run ${writeBuildCommand({ config: options.config, store: options.store })} first`;
  if (existsSync(store)) {
    if (needs === 'store') return store;
    // Loaded only here: a server needs the store only.
    const { readCurrent } = await import('../../data/store/snapshots.ts');
    if (readCurrent(store) !== undefined) return store;
    throw new CommandError(EXIT.usage, `${store}: expected a published snapshot, found none; ${remedy}`);
  }
  throw new CommandError(
    EXIT.usage,
    `${store}: expected a store, found nothing; ${remedy}, or name another with --store`,
  );
}
