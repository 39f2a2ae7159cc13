import type { Argument, Command } from 'commander';
import { nameOf } from '../../cli/console/options.ts';
import { readVersion } from '../../cli/console/command.ts';
import { listCommands } from '../support/list-commands.ts';
import { readReadme } from './readme-tables.ts';

/** The manual page `deals.1`, made from the same commands and options as the help, and from the exit codes of `cli/README.md`. */
export async function createManPage(): Promise<string> {
  const [deals, ...commands] = await listCommands();
  const description = escape(deals?.description() ?? '');
  return [
    `.TH DEALS 1 "" "deals ${escape(readVersion())}" "User Commands"`,
    '.SH NAME',
    'deals \\- build and serve a catalogue of phone deals',
    '.SH SYNOPSIS',
    '.B deals',
    '.I command',
    '[options]',
    '.SH DESCRIPTION',
    description,
    '.PP',
    'An option beats its environment variable; that beats the configuration file, which beats the default.',
    '.B deals help',
    '.I command',
    'shows the same about one command, with examples.',
    '.SH COMMANDS',
    ...commands.filter((command) => command.commands.length === 0).flatMap(describeCommand),
    '.SH EXIT STATUS',
    ...listExitCodes().flatMap(([code, meaning]) => ['.TP', `.B ${code}`, escape(meaning)]),
    '',
  ].join('\n');
}

function describeCommand(command: Command): readonly string[] {
  const usage = [nameOf(command), ...command.registeredArguments.map(describeArgument), '[options]'].join(' ');
  return [
    `.SS "${escape(usage)}"`,
    escape(command.description()),
    ...command.registeredArguments.flatMap((argument) =>
      item(`\\fI${escape(argument.name())}\\fR`, argument.description, argument.argChoices, undefined),
    ),
    ...command.options.flatMap(({ flags, description, argChoices, envVar }) =>
      item(`\\fB${escape(flags)}\\fR`, description, argChoices, envVar),
    ),
  ];
}

function describeArgument(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
}

function item(
  term: string,
  description: string,
  choices: readonly string[] | undefined,
  variable: string | undefined,
): readonly string[] {
  const facts = [
    ...(choices === undefined ? [] : [`choices: ${choices.join(', ')}`]),
    ...(variable === undefined ? [] : [`environment: ${variable}`]),
  ];
  return ['.TP', term, escape(facts.length === 0 ? description : `${description} (${facts.join('; ')})`)];
}

/** The rows of the table of exit codes. */
function listExitCodes(): readonly (readonly [code: string, meaning: string])[] {
  const [, section = ''] = readReadme('cli/README.md').split('## Exit codes');
  return [...section.matchAll(/^\| (\d+) \| (.+) \|$/gm)].map(([, code = '', meaning = '']) => [
    code,
    meaning.replaceAll('`', ''),
  ]);
}

/** A backslash and a hyphen have a meaning in roff, and so has a dot or a quote that begins a line. */
function escape(text: string): string {
  return text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('"', '\\(dq').replace(/^[.']/, '\\&$&');
}
