import type { Command, Option } from 'commander';
import { quoteForShell } from '../data/snapshot/snapshot-error.ts';
import { EXIT, type Context, type ExitCode } from './console/command.ts';
import { commandsOf, defineCommand, nameOf } from './console/options.ts';
import { formatLines } from './console/output.ts';

/** A word that a shell can offer, and what it means. */
interface Word {
  readonly word: string;
  readonly meaning: string;
}

interface CompletedOption {
  /** `--config`, then `-c`. */
  readonly flags: readonly string[];
  readonly meaning: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

interface CompletedCommand {
  /** `deals keys create`. */
  readonly name: string;
  /** The commands below it, or the choices of its arguments. */
  readonly words: readonly Word[];
  readonly options: readonly CompletedOption[];
}

const SHELLS = { bash: writeBash, zsh: writeZsh, fish: writeFish } as const;
type Shell = keyof typeof SHELLS;

/** Writes the script with which a shell completes commands, options and their choices. */
export function createCompletionCommand(context: Context): Command {
  const command: Command = defineCommand<object, [shell: Shell]>({
    name: 'completion',
    description: 'write the script with which a shell completes the words of this command',
    arguments: [['<shell>', 'the shell that reads the script', Object.keys(SHELLS)]],
    options: [],
    note: 'bash: put `source <(deals completion bash)` into ~/.bashrc. zsh: put the same for zsh into ~/.zshrc, after compinit. fish: write the script to ~/.config/fish/completions/deals.fish.',
    examples: ['deals completion bash', 'deals completion fish'],
    run: ({ output }, _, shell): Promise<ExitCode> => {
      const commands = commandsOf(command.parent ?? command).map(describeCommand);
      output.result(SHELLS[shell](commands));
      return Promise.resolve(EXIT.ok);
    },
  })(context);
  return command;
}

function describeCommand(command: Command): CompletedCommand {
  const below = command.commands.map((each) => ({ word: each.name(), meaning: shorten(each.description()) }));
  const choices = command.registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((word) => ({ word, meaning: shorten(description) })),
  );
  return {
    name: nameOf(command),
    words: [...below, ...choices],
    options: [...command.options.map(describeOption), { ...HELP }],
  };
}

const HELP: CompletedOption = { flags: ['--help', '-h'], meaning: 'show this help', takesValue: false, choices: [] };

function describeOption({ long, short, description, required, optional, argChoices = [] }: Option): CompletedOption {
  const flags = [long, short].filter((flag) => flag !== undefined);
  return { flags, meaning: shorten(description), takesValue: required || optional, choices: argChoices };
}

/** The first part of a sentence: there is one line for it. */
function shorten(text: string): string {
  return (text.split(/[;:(]/)[0] ?? '').trim();
}

/** The same in bash and zsh: sets `command` to the command of the words before the cursor, `previous` to the last. */
function writeWalk(commands: readonly CompletedCommand[], words: string): readonly string[] {
  const names = commands.map(({ name }) => name).filter((name) => name.includes(' '));
  return [
    "  local command=deals previous='' word",
    `  for word in ${words}; do`,
    '    case "$command $word" in',
    `      ${names.map(quoteForShell).join(' | ')}) command="$command $word" ;;`,
    '    esac',
    '    [[ $word == "=" ]] || previous=$word',
    '  done',
  ];
}

/** The branches of a `case` of `$command $previous`: options with a value. */
function writeValues(
  commands: readonly CompletedCommand[],
  write: (choices: readonly string[]) => string,
): readonly string[] {
  return commands.flatMap(({ name, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ flags, choices }) => {
        const patterns = flags.map((flag) => quoteForShell(`${name} ${flag}`)).join(' | ');
        return `    ${patterns}) ${write(choices)}; return ;;`;
      }),
  );
}

/** Where nothing is offered, bash completes names of files. */
function writeBash(commands: readonly CompletedCommand[]): string {
  const offer = (words: string): string => `COMPREPLY=($(compgen -W ${words} -- "$current"))`;
  return formatLines([
    '_deals() {',
    '  local current=${COMP_WORDS[COMP_CWORD]} offered=',
    '  [[ $current == "=" ]] && current=',
    ...writeWalk(commands, '"${COMP_WORDS[@]:1:COMP_CWORD-1}"'),
    '  COMPREPLY=()',
    '  case "$command $previous" in',
    ...writeValues(commands, (choices) => (choices.length === 0 ? ':' : offer(quoteForShell(choices.join(' '))))),
    '  esac',
    '  case $command in',
    ...commands.map(({ name, words, options }) => {
      const offered = [...words.map(({ word }) => word), ...options.flatMap(({ flags }) => flags)];
      return `    ${quoteForShell(name)}) offered=${quoteForShell(offered.join(' '))} ;;`;
    }),
    '  esac',
    `  ${offer('"$offered"')}`,
    '}',
    'complete -o default -F _deals deals',
  ]);
}

/** The script is also a file `_deals` of `fpath`. */
function writeZsh(commands: readonly CompletedCommand[]): string {
  return formatLines([
    '#compdef deals',
    '_deals() {',
    '  local -a offered',
    ...writeWalk(commands, '"${(@)words[2,CURRENT-1]}"'),
    '  case "$command $previous" in',
    ...writeValues(commands, (choices) =>
      choices.length === 0 ? '_files' : `compadd -- ${choices.map(quoteForShell).join(' ')}`,
    ),
    '  esac',
    '  case $command in',
    ...commands.flatMap(({ name, words, options }) => [
      `    ${quoteForShell(name)})`,
      '      offered=(',
      ...words.map(({ word, meaning }) => `        ${quoteForShell(`${word}:${meaning}`)}`),
      ...options.flatMap(({ flags, meaning }) => flags.map((flag) => `        ${quoteForShell(`${flag}:${meaning}`)}`)),
      '      ) ;;',
    ]),
    '  esac',
    '  _describe -o deals offered',
    '  [[ ${words[CURRENT]} == -* ]] || _files',
    '}',
    'if [[ ${funcstack[1]} == _deals ]]; then _deals "$@"; else compdef _deals deals; fi',
  ]);
}

function writeFish(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name).filter((name) => name.includes(' '));
  return formatLines([
    'function __deals_at',
    '    set -l at deals',
    '    for word in (commandline -opc)[2..-1]',
    '        switch "$at $word"',
    `            case ${names.map(quoteForShell).join(' ')}`,
    '                set at "$at $word"',
    '        end',
    '    end',
    '    test "$at" = "$argv"',
    'end',
    ...commands.flatMap(({ name, words, options }) => {
      const begin = `complete -c deals -n '__deals_at ${name}'`;
      return [
        ...words.map(({ word, meaning }) => `${begin} -f -a ${quoteForShell(word)} -d ${quoteForShell(meaning)}`),
        ...options.map(({ flags, meaning, takesValue, choices }) => {
          const named = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
          const value = choices.length > 0 ? [`-x -a ${quoteForShell(choices.join(' '))}`] : takesValue ? ['-r'] : [];
          return [begin, ...named, ...value, `-d ${quoteForShell(meaning)}`].join(' ');
        }),
      ];
    }),
  ]);
}
