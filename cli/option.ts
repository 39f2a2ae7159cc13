import { InvalidArgumentError, Option } from 'commander';
import { findDurationMs, findTime } from './time.ts';

/** The store when nothing else is said. */
export const DEFAULT_STORE = 'dist/catalogue';

/** The configuration when nothing else is said. */
export const DEFAULT_CONFIG = 'catalogue.json';

/** Each option beats its environment variable, which beats the configuration file, which beats the default. */
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

/** The end of a help text: commands that work when they are pasted where the project was unpacked. */
export function describeExamples(...lines: readonly [string, string]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}
