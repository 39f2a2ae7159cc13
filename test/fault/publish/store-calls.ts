import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { HeldDeals } from './held-deals.ts';

/** The calls that change files, or tell whether they were changed. */
export const CHANGING_CALLS = [
  'openat',
  'write',
  'pwrite64',
  'fsync',
  'fdatasync',
  'close',
  'rename',
  'renameat2',
  'mkdir',
  'rmdir',
  'unlink',
  'unlinkat',
  'utimensat',
  'ftruncate',
  'link',
  'symlink',
] as const;

/** Those through which a build learns what is there. */
export const READING_CALLS = ['read', 'pread64', 'getdents64', 'statx', 'newfstatat', 'access'] as const;

/** A system call on something in the store. */
export interface StoreCall {
  readonly name: string;
  /** Its number among the calls of its name, from 1. */
  readonly ordinal: number;
  /** As strace prints it, without what is different in every store. */
  readonly text: string;
  /** Within the store. */
  readonly paths: readonly string[];
  readonly isInjected: boolean;
}

/** A process that is being traced. */
export interface Tracing {
  /** Lets go of it, or finds that it has ended; returns its calls. */
  end(): Promise<readonly StoreCall[]>;
}

export interface TraceOptions {
  readonly held: HeldDeals;
  readonly calls: readonly string[];
  /** Only calls on these are seen; without them, all of `store`. */
  readonly paths?: readonly string[];
  readonly store: string;
  readonly logFile: string;
  /** As strace spells it: `write:error=EIO:when=3+`. */
  readonly inject?: string;
}

/**
 * Attaches strace to the main thread of a held program. The publishing step makes its calls there, one after the other,
 * and only calls on `paths` count: what node does for itself is left alone.
 */
export async function traceCalls({ held, calls, paths, store, logFile, inject }: TraceOptions): Promise<Tracing> {
  const args = ['-y', '-o', logFile, '-s', '64', '-e', `trace=${calls.join(',')}`];
  for (const path of paths ?? []) args.push('-P', path.replace(STORE, store));
  if (inject !== undefined) args.push('-e', `inject=${inject}`);
  const tracer = spawn('strace', [...args, '-p', String(held.pid)], { stdio: ['ignore', 'ignore', 'pipe'] });
  const closed = once(tracer, 'close');
  let said = '';
  tracer.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  while (!said.includes('attached\n')) {
    if (tracer.exitCode !== null) throw new Error(`strace: ${said}`);
    await Promise.race([once(tracer.stderr, 'data'), closed]);
  }
  return {
    end: async () => {
      tracer.kill('SIGINT');
      await closed;
      return parseCalls(readFileSync(logFile, 'utf8'), store);
    },
  };
}

/** What is different from one store to the next. */
const STORE = '(store)';

/** Of an argument in quotes, and of a descriptor in angle brackets. */
const PATH = /["<](\(store\)(?:\/[^"<>]*)?)[">]/g;

function parseCalls(log: string, store: string): readonly StoreCall[] {
  const counts = new Map<string, number>();
  const calls: StoreCall[] = [];
  for (const line of log.split('\n')) {
    const name = /^(\w+)\(/.exec(line)?.[1];
    if (name === undefined || !line.includes(store)) continue;
    const ordinal = (counts.get(name) ?? 0) + 1;
    counts.set(name, ordinal);
    const text = line.replaceAll(store, STORE);
    const paths = [...text.matchAll(PATH)].map(([, path]) => path as string);
    calls.push({ name, ordinal, text, paths, isInjected: line.includes('(INJECTED)') });
  }
  return calls;
}
