import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, type CommanderError } from 'commander';
import { findNearestWord } from '../data/query/nearest-word.ts';
import { CommandError } from './command-error.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit-code.ts';
import { formatHelpItem } from './format-help.ts';
import { describeExamples } from './option.ts';
import { findPackageRoot } from './package-root.ts';

type CreateCommand = (context: Context) => Command;

/**
 * The commands in the order of the help. Each is loaded when it is wanted: `deals serve` starts in half the time without
 * what only a build needs.
 */
const COMMANDS: Readonly<Record<string, () => Promise<CreateCommand>>> = {
  init: async () => (await import('./init.ts')).createInitCommand,
  build: async () => (await import('./build.ts')).createBuildCommand,
  serve: async () => (await import('./serve.ts')).createServeCommand,
  dev: async () => (await import('./dev.ts')).createDevCommand,
  keys: async () => (await import('./keys.ts')).createKeysCommand,
  query: async () => (await import('./query.ts')).createQueryCommand,
  explain: async () => (await import('./explain.ts')).createExplainCommand,
  changes: async () => (await import('./changes.ts')).createChangesCommand,
  check: async () => (await import('./check.ts')).createCheckCommand,
  snapshots: async () => (await import('./snapshots.ts')).createSnapshotsCommand,
  verify: async () => (await import('./verify.ts')).createVerifyCommand,
  rollback: async () => (await import('./rollback.ts')).createRollbackCommand,
  doctor: async () => (await import('./doctor.ts')).createDoctorCommand,
  inspect: async () => (await import('./inspect.ts')).createInspectCommand,
  demo: async () => (await import('./demo.ts')).createDemoCommand,
};

/** They need no command. */
const VERSION_FLAGS: readonly string[] = ['-V', '--version'];

/**
 * The command `deals`: all of it, or where `words` begin with the name of a command with that one alone. Where commander
 * would end the process, it throws: a `CommandError` for a command line that is wrong, a `CommanderError` of exit code 0
 * when help was asked for.
 */
export async function createProgram(context: Context, words: readonly string[] = []): Promise<Command> {
  const program = new Command('deals')
    .description('Builds a catalogue of phone deals from exports and feeds, and answers the interface from it.')
    .version(readVersion(), VERSION_FLAGS.join(', '), 'show the version')
    .addHelpText(
      'after',
      describeExamples(
        'deals build --config data/sample/catalogue.json',
        "deals query '/deals/v1/products/?expand=products(cheapestDeal)'",
      ),
    );
  for (const create of await loadCommands(words)) program.addCommand(create(context));
  for (const command of commandsOf(program)) {
    command
      .exitOverride((error) => {
        throw toCommandError(command, error, words);
      })
      .allowExcessArguments(false)
      .helpOption('-h, --help', 'show this help')
      .helpCommand(false)
      .configureHelp({ formatItem: formatHelpItem })
      .configureOutput({
        getOutHelpWidth: () => context.output.columns,
        getErrHelpWidth: () => context.output.columns,
        writeOut: (text) => context.output.result(text),
        writeErr: (text) => context.output.message(text.trimEnd()),
        // The fault is thrown, and said by whoever catches it.
        outputError: () => undefined,
      });
  }
  return program;
}

function loadCommands([name = '']: readonly string[]): Promise<readonly CreateCommand[]> {
  if (VERSION_FLAGS.includes(name)) return Promise.resolve([]);
  const wanted = isCommandName(name) ? [name] : Object.keys(COMMANDS);
  return Promise.all(wanted.map((each) => (COMMANDS[each] as () => Promise<CreateCommand>)()));
}

/** Whether a command has this name that is not below another. */
export function isCommandName(name: string): boolean {
  return Object.hasOwn(COMMANDS, name);
}

/** A command and all commands below it. */
export function commandsOf(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(commandsOf)];
}

/** The full name of a command: `deals keys create`. */
export function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

function toCommandError(command: Command, error: CommanderError, words: readonly string[]): Error {
  if (error.exitCode === 0) return error;
  const help = `${nameOf(command)} --help`;
  // A flag that is missing may be there, misspelt.
  const misspelt = error.code === 'commander.missingMandatoryOptionValue' ? findMisspelt(command, words) : undefined;
  if (misspelt !== undefined) return new CommandError(EXIT.usage, `${misspelt}; see ${help}`);
  if (error.code === 'commander.help') return new CommandError(EXIT.usage, `expected a command; see ${help}`);
  const sentence = error.message
    .replace(/^error: /, '')
    .replace(/\n\(Did you mean (?:one of )?(.*)\?\)$/, '; did you mean $1?');
  return new CommandError(EXIT.usage, `${sentence.replace(/\.$/, '')}; see ${help}`);
}

function findMisspelt({ options }: Command, words: readonly string[]): string | undefined {
  const flags = options.flatMap(({ long }) => long ?? []);
  const unknown = words
    .filter((word) => word.startsWith('--'))
    .map((word) => word.replace(/=.*$/s, ''))
    .find((word) => !flags.includes(word));
  const nearest = unknown === undefined ? undefined : findNearestWord(unknown, flags);
  return nearest === undefined ? undefined : `unknown option '${unknown}'; did you mean ${nearest}?`;
}

function readVersion(): string {
  // Our own file, beside this program.
  const text = readFileSync(join(findPackageRoot(), 'package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
