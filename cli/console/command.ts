import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Argument, Command, type Option } from 'commander';
import { findPackageRoot } from '../../data/package-root.ts';
import type { Output } from './output.ts';

/** What every command receives, apart from its options. */
export interface Context {
  readonly output: Output;
  /** The time for commands without `--now`. */
  now(): Date;
  /** Sets the exit code of the process. */
  end(exitCode: ExitCode): void;
}

/** The exit codes of `deals`, for the scheduler that runs it. */
export const EXIT = {
  /** The command did what it was asked. */
  ok: 0,
  /** A bug or the machine: disk full, permission denied, a damaged snapshot. */
  failed: 1,
  /** The command line or the configuration was wrong; nothing was changed. */
  usage: 2,
  /** A gate refused the build, or `deals check` cannot read a source to its end; the current snapshot stays. */
  refused: 3,
  /**
   * The build is published, or nothing has changed. An operator must look: a source is held (its earlier deals are
   * served, or have expired) or missing, or many of its prices jumped. Or `deals status` finds something to look at.
   */
  attention: 4,
  /** Another command holds the store or the key file; try again later (EX_TEMPFAIL). */
  busy: 75,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends a command with a sentence that says what to do, and an exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A command: what it takes, and the function that runs it and returns its exit code. */
interface CommandParts<Options, Words extends readonly (string | undefined)[]> {
  readonly name: string;
  /** Its other name. */
  readonly alias?: string;
  readonly description: string;
  /** Each as it is written in the usage line, with its meaning. */
  readonly arguments?: readonly (readonly [usage: string, meaning: string])[];
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
    const command = new Command(parts.name).description(parts.description);
    if (parts.alias !== undefined) command.alias(parts.alias);
    for (const [usage, meaning] of parts.arguments ?? []) command.addArgument(new Argument(usage, meaning));
    for (const option of parts.options) command.addOption(option);
    if (parts.note !== undefined) command.addHelpText('after', `\n${parts.note}`);
    return command.addHelpText('after', describeExamples(...parts.examples)).action(async (...given: unknown[]) => {
      // Commander passes the arguments, the options and the command.
      const words: unknown = given.slice(0, -2);
      context.end(await parts.run(context, given.at(-2) as Options, ...(words as Words)));
    });
  };
}

/** The end of a help text: commands that work in the folder of the project. */
export function describeExamples(...lines: readonly [string, string]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}

/** A command and all commands below it. */
export function commandsOf(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(commandsOf)];
}

/** The full name of a command: `deals keys create`. */
export function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

export function readVersion(): string {
  const text = readFileSync(join(findPackageRoot(), 'package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
