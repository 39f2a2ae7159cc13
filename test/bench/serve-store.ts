import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { DEALS, type BenchData } from './bench-data.ts';

/** A real `deals serve` on a free port. */
export interface ServedStore {
  readonly url: string;
  readonly pid: number;
  readonly process: ChildProcess;
  /** From starting the process until it said where it listens, with its snapshot loaded. */
  readonly startMs: number;
  stop(): Promise<void>;
}

export interface ServeOptions {
  /** For Node. */
  readonly nodeArgs?: readonly string[];
  /** For `deals serve`. */
  readonly args?: readonly string[];
  /** Every line the server writes about itself: the access log, and what a probe says. */
  readonly onLine?: (line: string) => void;
}

/**
 * Serves a store and waits until it can be asked.
 *
 * @throws {Error} when the server ends instead
 */
export async function serveStore(store: string, data: BenchData, options: ServeOptions = {}): Promise<ServedStore> {
  const start = performance.now();
  const { nodeArgs = [], args = [], onLine } = options;
  const server = spawn(
    process.execPath,
    [...nodeArgs, DEALS, 'serve', '--store', store, '--keys', data.keysFile, '--port', '0', ...args],
    // The access log goes nowhere unless it is read, as with a file.
    { stdio: ['ignore', 'pipe', onLine === undefined ? 'ignore' : 'pipe'] },
  );
  if (onLine !== undefined) eachLine(server.stderr as NodeJS.ReadableStream, onLine);
  const ended = once(server, 'exit').then(([code]) => {
    throw new Error(`deals serve --store ${store} ended with ${String(code)} before it listened`);
  });
  const [chunk] = (await Promise.race([once(server.stdout as NodeJS.ReadableStream, 'data'), ended])) as [Buffer];
  ended.catch(() => undefined);
  return {
    url: chunk.toString().trim(),
    pid: server.pid as number,
    process: server,
    startMs: performance.now() - start,
    stop: async () => {
      if (server.exitCode !== null) return;
      server.kill('SIGTERM');
      await once(server, 'exit');
    },
  };
}

function eachLine(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let rest = '';
  stream.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
}
