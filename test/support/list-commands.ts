import type { Command } from 'commander';
import { Output } from '../../cli/console/output.ts';
import { commandsOf } from '../../cli/console/command.ts';
import { createProgram } from '../../cli/program.ts';

/** `deals` and all commands below it. */
export async function listCommands(): Promise<readonly Command[]> {
  const nowhere = { write: () => true, on: () => undefined };
  const output = new Output(nowhere, nowhere, {});
  return commandsOf(await createProgram({ output, now: () => new Date(), end: () => undefined }));
}
