import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { requireSuccess, type DealsRun } from '../../harness.ts';
import type { HeldDeals } from './held-deals.ts';
import type { Night } from './night.ts';

/** The calls that change files, or tell whether they were changed. */
const CHANGING_CALLS: readonly string[] =
  'openat write pwrite64 fsync fdatasync close rename renameat2 mkdir rmdir unlink unlinkat utimensat ftruncate link symlink'.split(
    ' ',
  );

/** Those through which a build learns what is there. */
const READING_CALLS: readonly string[] = 'read pread64 getdents64 statx newfstatat access'.split(' ');

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

export interface TraceOptions {
  readonly held: HeldDeals;
  readonly night: Night;
  readonly store: string;
  /** Beside those that change files. */
  readonly more?: readonly string[];
  /** Only calls on these are seen; without them, all of `store`. */
  readonly paths?: readonly string[];
  /** As strace spells it: `write:error=EIO:when=3+`. */
  readonly inject?: string;
}

/** A build that was traced, and its calls. */
export interface TracedBuild extends DealsRun {
  readonly made: readonly StoreCall[];
}

/**
 * Runs the build of the night with strace at the main thread. The publishing step makes its calls there, one after the
 * other, and only calls on `paths` count: what node does for itself is left alone.
 */
export async function traceBuild({
  held,
  night,
  store,
  more = [],
  paths = [],
  inject,
}: TraceOptions): Promise<TracedBuild> {
  const logFile = `${store}.log`;
  const calls = new Set([...CHANGING_CALLS, ...more]);
  const args = ['-y', '-o', logFile, '-s', '64', '-e', `trace=${[...calls].join(',')}`];
  for (const path of paths) args.push('-P', path.replace(STORE, store));
  if (inject !== undefined) args.push('-e', `inject=${inject}`);
  const tracer = spawn('strace', [...args, '-p', String(held.pid)], { stdio: ['ignore', 'ignore', 'pipe'] });
  const closed = once(tracer, 'close');
  let said = '';
  tracer.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  while (!said.includes('attached\n')) {
    if (tracer.exitCode !== null) throw new Error(`strace: ${said}`);
    await Promise.race([once(tracer.stderr, 'data'), closed]);
  }
  const ended = await held.run(...night.build(store));
  tracer.kill('SIGINT');
  await closed;
  return { ...ended, made: parseCalls(readFileSync(logFile, 'utf8'), store) };
}

/** Every call of the build of the night on its store, in order. */
export async function listCalls(night: Night, held: HeldDeals): Promise<readonly StoreCall[]> {
  const traced = await traceBuild({ held, night, store: night.createStore('listed'), more: READING_CALLS });
  return requireSuccess(traced) && traced.made;
}

/** Whether the files are others after the call, or are kept from then on. */
export function isChange({ name, text }: StoreCall): boolean {
  if (name === 'openat') return text.includes('O_CREAT');
  return name !== 'close' && CHANGING_CALLS.includes(name);
}

/** `count` of the items, the first and the last among them, as far apart as can be. */
export function spread<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (count >= items.length) return items;
  const step = (items.length - 1) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_, i) => items[Math.round(i * step)] as Item);
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
