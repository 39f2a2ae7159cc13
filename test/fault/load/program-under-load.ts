import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { DEALS } from '../program.ts';
import type { PlentyStore } from './plenty.ts';

/** The compiled `deals serve` in a process of its own. */
export interface ProgramUnderLoad {
  readonly url: string;
  readonly pid: number;
  readonly process: ChildProcess;
  /** Collects garbage and says what is left. */
  memory(): Promise<ProgramMemory>;
  /** What it has written to stderr: the log. */
  log(): string;
  stop(): Promise<void>;
}

interface ProgramMemory {
  readonly rss: number;
  readonly heapUsed: number;
  readonly external: number;
}

export interface ProgramOptions {
  readonly args?: readonly string[];
  /** What runs the program, such as `prlimit --nofile=256`. */
  readonly wrapper?: readonly string[];
}

/** Runs inside the program, beside its own code: answers every message, and ends it when the test is gone that started it. */
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

/** Serves a store on a free port, and waits until it can be asked. @throws {Error} when it ends instead */
export async function serveUnderLoad(plenty: PlentyStore, options: ProgramOptions = {}): Promise<ProgramUnderLoad> {
  const { args = [], wrapper = [] } = options;
  const probe = ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(PROBE)}`];
  const serve = ['serve', '--store', plenty.store, '--keys', plenty.keysFile, '--port', '0', ...args];
  const [command = '', ...rest] = [...wrapper, process.execPath, ...probe, DEALS, ...serve];
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  // The last of it: an access log would grow for ever.
  let log = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (log = (log + text).slice(-100_000)));
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`deals serve ended with ${String(code)} before it listened: ${log}`);
  });
  const [chunk] = (await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), ended])) as [Buffer];
  ended.catch(() => undefined);
  return {
    url: chunk.toString().trim(),
    pid: child.pid ?? 0,
    process: child,
    memory: async () => {
      child.send('memory');
      const [memory] = (await once(child, 'message')) as [ProgramMemory];
      return memory;
    },
    log: () => log,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** The file descriptors of a process. */
export function countDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** The sockets among them. */
export function countSockets(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).filter((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`).startsWith('socket:');
    } catch {
      // Closed in between.
      return false;
    }
  }).length;
}
