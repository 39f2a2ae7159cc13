import type { Command } from 'commander';
import { nameOf } from '../../cli/console/command.ts';
import { listCommands } from '../support/list-commands.ts';

const COMMANDS = await listCommands();

/** Every variable of the environment that a command reads. */
export const VARIABLES: ReadonlySet<string> = new Set(
  COMMANDS.flatMap(({ options }) => options.map(({ envVar }) => envVar ?? '')),
);

/** What is wrong with the words after `deals`: a command or a flag that there is not, as the program itself has them. */
export function findUnknownWords(words: readonly string[]): readonly string[] {
  const names = words.slice(0, words.findIndex((word, at) => at > 0 && word.startsWith('-')) >>> 0);
  const command = findCommand(names);
  if (command === undefined) return [`no command: ${words.join(' ')}`];
  const flags = new Set(command.options.flatMap(({ long, short }) => [long, short]));
  return words.filter((word) => word.startsWith('-') && !flags.has(word.replace(/=.*/s, '')));
}

/** The longest command that the words begin with. */
function findCommand(names: readonly string[]): Command | undefined {
  for (let count = Math.min(names.length, 2); count > 0; count--) {
    const name = `deals ${names.slice(0, count).join(' ')}`;
    const found = COMMANDS.find((command) => nameOf(command) === name);
    if (found !== undefined) return found;
  }
  return undefined;
}
