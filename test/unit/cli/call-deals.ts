import { vi } from 'vitest';
import { Output } from '../../../cli/console/output.ts';
import { runCommand } from '../../../cli/program.ts';
import type { DealsRun } from './run-deals.ts';

/**
 * Runs the command within the process of the tests, many times faster than in one of its own. The working directory is
 * that of the process; `env` comes on top of an environment without any variable of ours, `columns` is the width of help.
 */
export async function callDeals(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  columns = 80,
): Promise<DealsRun> {
  let stdout = '';
  let stderr = '';
  const output = new Output(
    {
      columns,
      write: (text, done) => {
        stdout += String(text);
        done?.();
      },
      on: () => undefined,
    },
    { write: (text) => (stderr += String(text)), on: () => undefined },
    {},
  );
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const exitCode = await runCommand(args, output, () => new Date());
  vi.unstubAllEnvs();
  return { exitCode, stdout, stderr };
}
