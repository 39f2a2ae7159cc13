import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OracleCatalogue } from '../oracle/catalogue.ts';
import { writeSnapshot } from '../oracle/write-snapshot.ts';
import { FIXTURE } from '../contract/fixture-catalogue.ts';
import { until } from '../contract/serve.ts';
import { DEALS } from './program.ts';

/** The compiled `deals serve` in a process of its own, over a store and a key file of its own. */
export interface RunningProgram {
  readonly url: string;
  /** Where `/metrics` is. */
  readonly metricsUrl: string;
  readonly pid: number;
  /** Its working directory, which holds `store` and `keys.json`. */
  readonly folder: string;
  /** The first key of the file. */
  readonly key: string;
  /** What it has written to stdout and stderr. */
  output(): string;
  /** Resolves when everything that was logged has been written, and the process is gone. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface ProgramOptions {
  readonly args?: readonly string[];
  readonly nodeArgs?: readonly string[];
  /** Default the fixture. */
  readonly catalogue?: OracleCatalogue;
  /** The command, when it is not the one of this tree. */
  readonly deals?: string;
  /** Lines of shell before the program takes the place of the shell. */
  readonly shell?: string;
}

export async function startProgram(options: ProgramOptions = {}): Promise<RunningProgram> {
  const folder = mkdtempSync(join(tmpdir(), 'deals-fault-key-'));
  writeSnapshot(options.catalogue ?? FIXTURE, join(folder, 'store'));
  const key = createKey(folder, '--name', 'holder-one');
  const serve = ['serve', '--store', 'store', '--keys', 'keys.json', '--port', '0', '--metrics-port', '0'];
  const command = [
    process.execPath,
    ...(options.nodeArgs ?? []),
    options.deals ?? DEALS,
    ...serve,
    ...(options.args ?? []),
  ];
  const child = spawn('bash', ['-c', `${options.shell ?? ':'}; exec "$@"`, 'bash', ...command], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    await end(child, signal);
    if (signal === 'SIGTERM') rmSync(folder, { recursive: true });
  };
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`deals serve ended with exit code ${child.exitCode}: ${output}`);
    return /^http:.*\n/m.test(output) && output.includes('metrics-listening');
  });
  return {
    url: /^http:\S+/m.exec(output)?.[0] ?? '',
    metricsUrl: /"url":"(http:[^"]+)"/.exec(output)?.[1] ?? '',
    pid: child.pid ?? 0,
    folder,
    key,
    output: () => output,
    stop,
  };
}

/** Makes a key by the real command. */
export function createKey(folder: string, ...args: readonly string[]): string {
  return deals(folder, 'keys', 'create', '--keys', 'keys.json', ...args).trimEnd();
}

/** Runs the real command to its end and returns what it wrote to stdout. */
export function deals(folder: string, ...args: readonly string[]): string {
  const env = { PATH: process.env['PATH'] ?? '' };
  return execFileSync(process.execPath, [DEALS, ...args], { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' });
}

/** A request with a key, whose body is read. */
export async function ask(
  url: string,
  key: string | undefined,
  init: RequestInit = {},
): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }> {
  const headers = { ...(key === undefined ? {} : { 'x-api-key': key }), ...(init.headers as Record<string, string>) };
  const response = await fetch(url, { ...init, headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill(signal);
  await closed;
}
