import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DEALS, type BenchData, type StoreName } from './bench-data.ts';

export const MEGABYTE = 1_000_000;

/** What goes before the paths of pictures, so that a response has the same bytes on every port. */
export const PUBLIC_URL = 'http://pictures.example';

/** Bytes of a process: `VmRSS` is resident now, `VmHWM` is the peak. 0 for a process that has ended. */
export function readMemory(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  try {
    const [, kilobytes] =
      new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Processor time of a process so far, user and system, in microseconds. The kernel counts in ticks of 10 ms. */
export function readCpuMicroseconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the process is in brackets, and may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** Reads the resident size every 20 ms until it is stopped, and returns the highest. */
export function watchMemory(pid: number): { stop(): number } {
  let highest = readMemory(pid, 'VmRSS');
  const timer = setInterval(() => (highest = Math.max(highest, readMemory(pid, 'VmRSS'))), 20);
  return {
    stop: () => {
      clearInterval(timer);
      return highest;
    },
  };
}

/** A command that has ended. */
export interface CommandRun {
  readonly seconds: number;
  readonly peakBytes: number;
  readonly stdout: string;
}

/**
 * Runs `deals` with these arguments to its end.
 *
 * @throws {Error} with its output, when the exit status is not 0
 */
export async function runDeals(args: readonly string[]): Promise<CommandRun> {
  const start = performance.now();
  const child = spawn(process.execPath, [DEALS, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (chunk: Buffer) => (output[name] += chunk));
  let peakBytes = 0;
  // The kernel keeps the peak, so a read shortly before the end misses next to nothing.
  const timer = setInterval(() => (peakBytes = Math.max(peakBytes, readMemory(child.pid as number, 'VmHWM'))), 25);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(timer);
  if (code !== 0) {
    throw new Error(`deals ${args.join(' ')} ended with ${code}: ${(output.stdout + output.stderr).slice(-2_000)}`);
  }
  return { seconds: (performance.now() - start) / 1_000, peakBytes, stdout: output.stdout };
}

/** A server in a process of its own. */
export interface Server {
  readonly url: string;
  readonly pid: number;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The file that gets stderr; `pipe` for a caller that reads it. Without either it is that of the bench. */
  readonly stderr?: { readonly file: string } | 'pipe' | 'ignore';
}

/**
 * Starts a server and waits for the address that it prints on stdout.
 *
 * @throws {Error} when it ends first
 */
export async function startServer({ command, args, env, stderr }: ServerCommand): Promise<Server> {
  const file = typeof stderr === 'object' ? openSync(stderr.file, 'a') : undefined;
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', file ?? (stderr as 'pipe' | 'ignore' | undefined) ?? 'inherit'],
    env: { ...process.env, ...env },
  });
  if (file !== undefined) closeSync(file);
  const ended = once(child, 'exit');
  let printed = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const [found] = /http:\/\/[\w.:]+(?=\/?\s)/.exec((printed += text)) ?? [];
      if (found !== undefined) resolve(found);
    });
    const describe = () => (typeof stderr === 'object' ? readFileSync(stderr.file, 'utf8').slice(-1_000) : printed);
    ended.then(
      ([code]) =>
        reject(new Error(`${command} ${args.join(' ')}: expected an address, got exit ${code}: ${describe()}`)),
      reject,
    );
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  return { url, pid: child.pid as number, process: child, stop };
}

export interface ServeOptions {
  readonly nodeArgs?: readonly string[];
  readonly args?: readonly string[];
  readonly stderr?: ServerCommand['stderr'];
}

/** Starts the compiled `deals serve` on a free port. */
export function serveStore(data: BenchData, store: StoreName, options: ServeOptions = {}): Promise<Server> {
  const { nodeArgs = [], args = [], stderr = 'ignore' } = options;
  const serve = [DEALS, 'serve', '--store', data.store(store), '--keys', data.keysFile, '--port', '0', ...args];
  return startServer({ command: process.execPath, args: [...nodeArgs, ...serve], stderr });
}

export const NO_CACHE: readonly string[] = ['--answer-cache', '0'];
export const NO_LOG: readonly string[] = ['--access-log', 'off'];

/** A folder and servers, both removed when the case ends. */
export interface Stage {
  readonly folder: string;
  readonly start: (starting: Promise<Server>) => Promise<Server>;
  /** `deals serve` with pictures at `PUBLIC_URL`; its log goes to a file, as on a server. */
  readonly serve: (store: StoreName, ...args: readonly string[]) => Promise<Server>;
}

export async function withStage<Result>(data: BenchData, run: (stage: Stage) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(data.folder, 'load-'));
  const servers: Server[] = [];
  const start = async (starting: Promise<Server>): Promise<Server> => {
    const server = await starting;
    servers.push(server);
    return server;
  };
  const serve: Stage['serve'] = (store, ...args) => {
    const stderr = { file: join(folder, 'server.log') };
    return start(serveStore(data, store, { args: ['--public-url', PUBLIC_URL, ...args], stderr }));
  };
  try {
    return await run({ folder, start, serve });
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}
