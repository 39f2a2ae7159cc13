import { Command, type CommanderError } from 'commander';
import {
  CommandError,
  commandsOf,
  describeExamples,
  EXIT,
  nameOf,
  readVersion,
  type Context,
  type ExitCode,
} from './console/command.ts';
import { explainError } from './console/errors.ts';
import type { Output } from './console/output.ts';

/** Runs a command to its end. Errors go to `output` and into the exit code; nothing is thrown. */
export async function runCommand(words: readonly string[], output: Output, now: () => Date): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.ok;
  const context = {
    output,
    now,
    end: (code: ExitCode) => {
      exitCode = code;
    },
  };
  try {
    const program = await createProgram(context, words);
    await program.parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (error) {
    const explanation = explainError(error);
    if (explanation.message !== undefined) output.error(explanation.message);
    return explanation.exitCode;
  }
}

const VERSION_FLAGS: readonly string[] = ['-V', '--version'];

type CreateCommand = (context: Context) => Command;

/**
 * The commands in the order of the help. Each is loaded when it runs: `deals serve` starts in half the time without the
 * modules of a build.
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
  export: async () => (await import('./export.ts')).createExportCommand,
  verify: async () => (await import('./verify.ts')).createVerifyCommand,
  rollback: async () => (await import('./rollback.ts')).createRollbackCommand,
  push: async () => (await import('./remote.ts')).createPushCommand,
  pull: async () => (await import('./remote.ts')).createPullCommand,
  status: async () => (await import('./status.ts')).createStatusCommand,
};

/**
 * The command `deals`, with the one command that `words` begin with, else with all commands. Where commander would end
 * the process, it throws: a `CommandError` for a wrong command line, a `CommanderError` with exit code 0 for help.
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
        throw toCommandError(command, error);
      })
      .allowExcessArguments(false)
      .helpOption('-h, --help', 'show this help')
      .configureOutput({
        writeOut: (text) => context.output.result(text),
        writeErr: (text) => context.output.message(text.trimEnd()),
        // `runCommand` prints the error.
        outputError: () => undefined,
      });
  }
  return program;
}

function loadCommands([name = '']: readonly string[]): Promise<readonly CreateCommand[]> {
  const all = VERSION_FLAGS.includes(name) ? [] : Object.keys(COMMANDS);
  const wanted = isCommandName(name) ? [name === 'demo' ? 'dev' : name] : all;
  return Promise.all(wanted.map((each) => (COMMANDS[each] as () => Promise<CreateCommand>)()));
}

/** `demo` is another name of `dev`. */
function isCommandName(name: string): boolean {
  return name === 'demo' || Object.hasOwn(COMMANDS, name);
}

function toCommandError(command: Command, error: CommanderError): Error {
  if (error.exitCode === 0) return error;
  const help = `${nameOf(command)} --help`;
  if (error.code === 'commander.help') return new CommandError(`expected a command; see ${help}`);
  const sentence = error.message
    .replace(/^error: /, '')
    .replace(/\n\(Did you mean (?:one of )?(.*)\?\)$/, '; did you mean $1?');
  return new CommandError(`${sentence.replace(/\.$/, '')}; see ${help}`);
}
