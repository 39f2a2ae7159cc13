import { existsSync } from 'node:fs';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { writeBuildCommand } from '../../build/report/build-result.ts';
import { parseCount, SettingError } from '../../server/settings.ts';
import { CommandError, EXIT, type Context, type ExitCode } from './command.ts';

const DEFAULT_STORE = 'dist/catalogue';

export const DEFAULT_CONFIG = 'catalogue.json';

/** A command: what it takes, and the function that runs it and returns its exit code. */
interface CommandParts<Options, Words extends readonly (string | undefined)[]> {
  readonly name: string;
  /** Its other names. */
  readonly aliases?: readonly string[];
  readonly description: string;
  /** Each as it is written in the usage line, with its meaning, and the words that it may be. */
  readonly arguments?: readonly (readonly [usage: string, meaning: string, choices?: readonly string[]])[];
  readonly options: readonly Option[];
  /** A sentence before the examples. */
  readonly note?: string;
  /** Commands that work in the folder of the project. */
  readonly examples: readonly [string, string];
  run(context: Context, options: Options, ...words: Words): Promise<ExitCode>;
}

export function defineCommand<Options, Words extends readonly (string | undefined)[] = []>(
  parts: CommandParts<Options, Words>,
): (context: Context) => Command {
  return (context) => {
    const command = new Command(parts.name).aliases(parts.aliases ?? []).description(parts.description);
    for (const [usage, meaning, choices] of parts.arguments ?? []) {
      const argument = new Argument(usage, meaning);
      command.addArgument(choices === undefined ? argument : argument.choices(choices));
    }
    for (const option of parts.options) command.addOption(option);
    if (parts.note !== undefined) command.addHelpText('after', `\n${parts.note}`);
    return command.addHelpText('after', describeExamples(...parts.examples)).action(async (...given: unknown[]) => {
      // Commander passes the arguments, the options and the command.
      const words: unknown = given.slice(0, -2);
      context.end(await parts.run(context, given.at(-2) as Options, ...(words as Words)));
    });
  };
}

/** A command and all commands below it. */
export function commandsOf(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(commandsOf)];
}

/** The full name of a command: `deals keys create`. */
export function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

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
  return new Option('-k, --keys <file>', 'the key file, which deals keys create makes')
    .env('DEALS_KEYS')
    .argParser(parseText);
}

export function jsonOption(): Option {
  return new Option('--json', 'write the result as JSON');
}

export function nowOption(does: string): Option {
  return new Option(
    '--now <time>',
    `${does} as of this time; a date means its first moment, UTC (default: now)`,
  ).argParser(parseTime);
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

/** A parser of whole numbers from `min` to `max`. */
export function parseWholeNumber(min: number, max: number): (text: string) => number {
  return (text) => asArgument(() => parseCount(text, min, max));
}

/** Runs a parser of settings. Its error becomes the error of an option. */
export function asArgument<Value>(parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    throw error instanceof SettingError ? new InvalidArgumentError(error.message) : error;
  }
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

/** The options of a command that reads a store. */
export interface ReadOptions extends StoreOptions {
  readonly json?: true;
}

export function readOptions(): readonly Option[] {
  return [storeOption(), configOption(), jsonOption()];
}

/** The store of the flag or the environment, else of the configuration, else the default. */
export async function resolveStore({ store, config }: StoreOptions): Promise<string> {
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

/** The store, and the snapshot that was named or is current. */
export async function requireSnapshot(
  options: StoreOptions,
  id: string | undefined,
): Promise<{ readonly store: string; readonly id: string }> {
  const store = await requireStore(options, id === undefined ? 'current' : 'store');
  if (id !== undefined) return { store, id };
  const { readCurrentId } = await import('../../data/store/read-store.ts');
  return { store, id: await readCurrentId(store) };
}
