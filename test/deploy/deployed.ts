import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { nameOf } from '../../cli/console/command.ts';
import { listCommands } from '../support/list-commands.ts';

/** What an operator installs. */
export const DEPLOY_FOLDER = fileURLToPath(new URL('../../server/deploy', import.meta.url));

export const readDeployed = (name: string): string => readFileSync(`${DEPLOY_FOLDER}/${name}`, 'utf8');

const COMMANDS = new Map((await listCommands()).map((command) => [nameOf(command), command]));

/** Every variable of the environment that a command reads. */
export const VARIABLES: ReadonlySet<string> = new Set(
  [...COMMANDS.values()].flatMap(({ options }) => options.map(({ envVar }) => envVar ?? '')),
);

/** What is wrong with the words after `deals`: a command or a flag that there is not, as the program itself has them. */
export function findUnknownWords(words: readonly string[]): readonly string[] {
  const [first, second] = words;
  const command = COMMANDS.get(`deals ${first} ${second}`) ?? COMMANDS.get(`deals ${first}`);
  if (command === undefined) return [`no command: ${words.join(' ')}`];
  const flags = new Set(command.options.flatMap(({ long, short }) => [long, short]));
  return words.filter((word) => word.startsWith('-') && !flags.has(word.replace(/=.*/s, '')));
}
