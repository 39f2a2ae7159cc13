import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, type CommanderError } from 'commander';
import { z } from 'zod';
import { createBuildCommand } from './build.ts';
import { createChangesCommand } from './changes.ts';
import { createCheckCommand } from './check.ts';
import { CommandError } from './command-error.ts';
import type { Context } from './context.ts';
import { createDemoCommand } from './demo.ts';
import { EXIT } from './exit-code.ts';
import { createExplainCommand } from './explain.ts';
import { createInspectCommand } from './inspect.ts';
import { createKeysCommand } from './keys.ts';
import { describeExamples } from './option.ts';
import { findPackageRoot } from './package-root.ts';
import { createQueryCommand } from './query.ts';
import { createServeCommand } from './serve.ts';
import { createSnapshotsCommand } from './snapshots.ts';
import { createVerifyCommand } from './verify.ts';

const packageSchema = z.object({ version: z.string() });

/**
 * The command `deals` with everything that it can do. Where commander would end the process, it throws: a
 * `CommandError` for a command line that is wrong, a `CommanderError` of exit code 0 when help was asked for.
 */
export function createProgram(context: Context): Command {
  const program = new Command('deals')
    .description('Builds a catalogue of phone deals from exports and feeds, and answers the interface from it.')
    .version(readVersion(), '-V, --version', 'show the version')
    .addCommand(createBuildCommand(context))
    .addCommand(createServeCommand(context))
    .addCommand(createKeysCommand(context))
    .addCommand(createQueryCommand(context))
    .addCommand(createExplainCommand(context))
    .addCommand(createChangesCommand(context))
    .addCommand(createCheckCommand(context))
    .addCommand(createSnapshotsCommand(context))
    .addCommand(createVerifyCommand(context))
    .addCommand(createInspectCommand(context))
    .addCommand(createDemoCommand(context))
    .addHelpText(
      'after',
      describeExamples(
        'deals build --config data/sample/catalogue.json',
        "deals query '/deals/v1/products/?expand=products(cheapestDeal)'",
      ),
    );
  for (const command of commandsOf(program)) {
    command
      .exitOverride((error) => {
        throw toCommandError(command, error);
      })
      .allowExcessArguments(false)
      .helpOption('-h, --help', 'show this help')
      .helpCommand(false)
      .configureOutput({
        writeOut: (text) => context.output.result(text),
        writeErr: (text) => context.output.message(text.trimEnd()),
        // The fault is thrown, and said by whoever catches it.
        outputError: () => undefined,
      });
  }
  return program;
}

/** A command and all commands below it. */
export function commandsOf(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(commandsOf)];
}

/** The full name of a command: `deals keys create`. */
export function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

function toCommandError(command: Command, error: CommanderError): Error {
  if (error.exitCode === 0) return error;
  const help = `${nameOf(command)} --help`;
  if (error.code === 'commander.help') return new CommandError(EXIT.usage, `expected a command; see ${help}`);
  const sentence = error.message
    .replace(/^error: /, '')
    .replace(/\n\(Did you mean (?:one of )?(.*)\?\)$/, '; did you mean $1?');
  return new CommandError(EXIT.usage, `${sentence.replace(/\.$/, '')}; see ${help}`);
}

function readVersion(): string {
  const text = readFileSync(join(findPackageRoot(), 'package.json'), 'utf8');
  return packageSchema.parse(JSON.parse(text)).version;
}
