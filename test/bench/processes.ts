import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The project's folder. */
export const ROOT = join(import.meta.dirname, '../..');

/** The compiled command. */
const DEALS = join(ROOT, 'dist/js/cli/main.js');

/** Bytes of a process: `VmRSS` is resident now, `VmHWM` is the peak. 0 for a process that has ended. */
export function readMemory(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
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

/** A command that has ended. */
export interface CommandRun {
  readonly seconds: number;
  readonly peakBytes: number;
  readonly stdout: string;
}

/**
 * Runs `deals` with these arguments to its end.
 * @throws {Error} with its output, when the exit status is not 0
 */
export async function runDeals(...args: readonly string[]): Promise<CommandRun> {
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
  stop(): Promise<void>;
}

/**
 * Starts a Node program and waits for the address that it prints on stdout. Its stderr goes to a file, as on a server.
 * @throws {Error} when it ends first
 */
export async function startServer(args: readonly string[], logFile: string): Promise<Server> {
  const log = openSync(logFile, 'a');
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', log],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  closeSync(log);
  const ended = once(child, 'exit');
  let printed = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const [found] = /http:\/\/[\w.:]+(?=\/?\s)/.exec((printed += text)) ?? [];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => reject(new Error(`${args.join(' ')}: ${readFileSync(logFile, 'utf8').slice(-1_000)}`)));
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  return { url, pid: child.pid as number, stop };
}

/** Starts the compiled `deals serve` on a free port. */
export function serveStore(store: string, keysFile: string, logFile: string, ...args: readonly string[]) {
  const serve = [DEALS, 'serve', '--store', store, '--keys', keysFile, '--port', '0'];
  return startServer([...serve, '--public-url', 'http://pictures.example', ...args], logFile);
}
