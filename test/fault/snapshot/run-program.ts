import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { endOf, type DealsRun } from '../../unit/cli/run-deals.ts';
import { until } from '../../contract/serve.ts';
import { DEALS } from '../program.ts';

/** Nothing of the environment of the tests gets through. */
const ENVIRONMENT = { PATH: process.env['PATH'] ?? '' };

/** More than any command of a test takes; one that goes on is ended. */
const LONGEST_MS = 60_000;

/** Runs the compiled command to its end. */
export function runProgram(...args: readonly string[]): Promise<DealsRun> {
  const child = spawn(process.execPath, [DEALS, ...args], { env: ENVIRONMENT, timeout: LONGEST_MS });
  child.stdin.end();
  return endOf(child);
}

export interface LoggedEvent {
  readonly event?: string;
  readonly snapshot?: string;
  readonly serving?: string;
  readonly cause?: string;
  readonly path?: string;
}

/** The compiled `deals serve` in a process of its own. */
export interface ServingProgram {
  readonly url: string;
  /** What it has logged so far. */
  events(): readonly LoggedEvent[];
  stop(): Promise<void>;
}

/** Serves a store on a free port, and waits until it can be asked. @throws {Error} when it ends instead */
export async function startServing(
  store: string,
  keysFile: string,
  ...args: readonly string[]
): Promise<ServingProgram> {
  const serve = ['serve', '--store', store, '--keys', keysFile, '--port', '0', '--access-log', 'off', ...args];
  const child = spawn(process.execPath, [DEALS, ...serve], { env: ENVIRONMENT });
  let address = '';
  let log = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (address += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`deals serve ended with exit code ${child.exitCode}: ${log}`);
    return address.endsWith('\n');
  });
  return {
    url: address.trim(),
    events: () =>
      log
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as LoggedEvent),
    stop: async () => {
      if (child.exitCode !== null) return;
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
    },
  };
}
