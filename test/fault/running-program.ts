import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OracleCatalogue } from '../oracle/catalogue.ts';
import { writeSnapshot } from '../oracle/write-snapshot.ts';
import { FIXTURE } from '../contract/fixture-catalogue.ts';
import { until } from '../harness.ts';
import { DEALS } from './program.ts';

export interface ServeOptions {
  readonly store: string;
  readonly keysFile: string;
  readonly args?: readonly string[];
  readonly nodeArgs?: readonly string[];
  /** A command that runs the program, such as `prlimit --nofile=256`. */
  readonly before?: readonly string[];
  /** The compiled command, when it is not that of this tree. */
  readonly deals?: string;
  readonly cwd?: string;
  /** Beside PATH. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether the test measures the memory of the program. Then only the last part of the output is kept. */
  readonly hasProbe?: boolean;
}

/** A line of the log. */
interface LoggedEvent {
  readonly event?: string;
  readonly snapshot?: string;
  readonly serving?: string;
  readonly cause?: string;
  readonly path?: string;
}

/** The compiled `deals serve` in a process of its own. */
export interface ServingProgram {
  readonly url: string;
  readonly port: number;
  /** The address of `/metrics`; empty without `--metrics-port`. */
  readonly metricsUrl: string;
  readonly pid: number;
  readonly process: ChildProcess;
  /** What it has written to stdout and stderr. */
  output(): string;
  events(): readonly LoggedEvent[];
  /** Collects garbage and returns what is left. */
  memory(): Promise<Pick<NodeJS.MemoryUsage, 'rss' | 'heapUsed' | 'external'>>;
  /** Resolves when everything that was logged has been written, and the process is gone. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Runs inside the program: answers every message, and ends the program when the test that started it is gone. */
const PROBE = `
process.on('message', () => {
  globalThis.gc();
  globalThis.gc();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send({ rss, heapUsed, external });
});
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.channel.unref();
`;
const PROBE_ARGS = ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(PROBE)}`];

/** Under load an access log would grow for ever. */
const KEPT_CHARACTERS = 100_000;

/** Serves a store on a free port, and waits until it listens. @throws {Error} when it ends instead */
export async function serveProgram(options: ServeOptions): Promise<ServingProgram> {
  const { store, keysFile, args = [], nodeArgs = [], before = [], deals = DEALS, cwd, env, hasProbe = false } = options;
  const serve = ['serve', '--store', store, '--keys', keysFile, '--port', '0', ...args];
  const node = [process.execPath, ...nodeArgs, ...(hasProbe ? PROBE_ARGS : [])];
  const [command = '', ...words] = [...before, ...node, deals, ...serve];
  const child = spawn(command, words, {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe', hasProbe ? 'ipc' : 'ignore'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (hasProbe) output = output.slice(-KEPT_CHARACTERS);
    });
  }
  const hasMetrics = args.includes('--metrics-port');
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`deals serve ended with exit code ${child.exitCode}: ${output}`);
    return /^http:.*\n/m.test(output) && (!hasMetrics || output.includes('metrics-listening'));
  });
  const url = /^http:\S+/m.exec(output)?.[0] ?? '';
  return {
    url,
    port: Number(new URL(url).port),
    metricsUrl: /"url":"(http:[^"]+)"/.exec(output)?.[1] ?? '',
    pid: child.pid ?? 0,
    process: child,
    output: () => output,
    events: () =>
      output
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as LoggedEvent),
    memory: async () => {
      child.send('memory');
      const [memory] = (await once(child, 'message')) as [NodeJS.MemoryUsage];
      return memory;
    },
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, 'close');
      child.kill(signal);
      await closed;
    },
  };
}

/** A program over a store and a key file of its own. */
export interface RunningProgram extends ServingProgram {
  /** Its working directory, which holds `store` and `keys.json`. Gone after SIGTERM. */
  readonly folder: string;
  /** The first key of the file. */
  readonly key: string;
}

export type ProgramOptions = Omit<ServeOptions, 'store' | 'keysFile' | 'cwd'> & {
  /** Default the fixture. */
  readonly catalogue?: OracleCatalogue;
};

export async function startProgram(options: ProgramOptions = {}): Promise<RunningProgram> {
  const folder = mkdtempSync(join(tmpdir(), 'deals-fault-key-'));
  writeSnapshot(options.catalogue ?? FIXTURE, join(folder, 'store'));
  const key = createKey(folder, '--name', 'holder-one');
  const args = ['--metrics-port', '0', ...(options.args ?? [])];
  const program = await serveProgram({ ...options, args, store: 'store', keysFile: 'keys.json', cwd: folder });
  return {
    ...program,
    folder,
    key,
    stop: async (signal = 'SIGTERM') => {
      await program.stop(signal);
      if (signal === 'SIGTERM') rmSync(folder, { recursive: true });
    },
  };
}

/** Makes a key by the real command. */
export function createKey(folder: string, ...args: readonly string[]): string {
  return deals(folder, 'keys', 'create', '--keys', 'keys.json', ...args).trimEnd();
}

/** Runs the real command to its end and returns what it wrote to stdout. */
function deals(folder: string, ...args: readonly string[]): string {
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

/** The file descriptors of a process: all of them, or its sockets. */
export function countDescriptors(pid: number, kind: 'all' | 'socket' = 'all'): number {
  const names = readdirSync(`/proc/${pid}/fd`);
  if (kind === 'all') return names.length;
  return names.filter((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`).startsWith('socket:');
    } catch {
      // Closed in between.
      return false;
    }
  }).length;
}
