import { EXIT, type ExitCode } from './exit-code.ts';
import { explainError } from './explain-error.ts';
import type { Output } from './output.ts';
import { createProgram, isCommandName } from './program.ts';

/** Runs the command that `words` spell, to its end. Whatever happens is said on `output` and in the status; nothing is thrown. */
export async function runCommand(given: readonly string[], output: Output, now: () => Date): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.ok;
  const context = {
    output,
    now,
    end: (code: ExitCode) => {
      exitCode = code;
    },
  };
  const words = spellHelp(given);
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

/** `help build` as `build --help`, as many programs have it; a name that there is none of as such, which is then refused. */
function spellHelp(words: readonly string[]): readonly string[] {
  const [first, ...named] = words;
  if (first !== 'help') return words;
  return named[0] === undefined || isCommandName(named[0]) ? [...named, '--help'] : named;
}
