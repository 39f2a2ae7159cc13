import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../support/random.ts';
import { isMissing, tool } from '../needs.ts';
import type { RunningDeals } from '../run-deals.ts';
import type { RemoteSite } from './remote-site.ts';

/** Where a push or a pull is killed. */
export type KillPoint =
  /** At a request: it is lost, or reaches the store without an answer, or is answered. */
  | { readonly kind: 'request'; readonly nth: number; readonly at: 'lost' | 'sent' | 'answered' }
  /** On the way into a system call of any thread, which is never made. */
  | { readonly kind: 'call'; readonly name: string; readonly nth: number }
  /** Some time after its first request. */
  | { readonly kind: 'time'; readonly delayMs: number };

/** How many requests a command makes, how many system calls of each name in one thread, and how long its requests take. */
export interface RunProfile {
  readonly requests: number;
  readonly calls: ReadonlyMap<string, number>;
  readonly ms: number;
}

/** The calls by which a push or a pull changes files, apart from those that open them. */
const CALLS = [
  'write',
  'pwrite64',
  'copy_file_range',
  'fsync',
  'fdatasync',
  'rename',
  'link',
  'mkdir',
  'unlink',
  'rmdir',
  'utimensat',
  'ftruncate',
] as const;

const TRACE = ['-f', '-e', 'signal=none'];

export const HAS_STRACE = !isMissing('kill -9 at the file-changing calls of a push and a pull', tool('strace'));

/** Runs a command to its end and counts what it does. */
export async function profileRun(site: RemoteSite, words: readonly string[]): Promise<RunProfile> {
  const log = site.server('strace.log');
  const before = HAS_STRACE ? ['strace', ...TRACE, '-o', log, '-e', `trace=${CALLS.join(',')}`] : [];
  let startMs = 0;
  site.proxy.reset();
  site.proxy.inject({ nth: 1, fault: { kind: 'call', at: 'before', run: () => (startMs = performance.now()) } });
  const { exitCode, stderr } = await site.start(words, before).ended;
  if (exitCode !== 0) throw new Error(`expected the command to succeed, got exit code ${exitCode}: ${stderr}`);
  const ms = performance.now() - startMs;
  return {
    requests: site.proxy.requests.length,
    calls: HAS_STRACE ? countCalls(readFileSync(log, 'utf8')) : new Map(),
    ms,
  };
}

/** The most calls of each name that one thread makes: strace counts in each thread. */
function countCalls(log: string): Map<string, number> {
  const threads = new Map<string, number>();
  const most = new Map<string, number>();
  for (const [, thread = '', name = ''] of log.matchAll(/^(\d+)\s+([a-z0-9_]+)\(/gm)) {
    const count = (threads.get(`${thread} ${name}`) ?? 0) + 1;
    threads.set(`${thread} ${name}`, count);
    most.set(name, Math.max(most.get(name) ?? 0, count));
  }
  return most;
}

/** A point of a run with this profile: half of them at requests, where it makes any. */
export function chooseKillPoint({ requests, calls, ms }: RunProfile, random: Random): KillPoint {
  const kind = random.pick([
    ...(requests > 0 ? (['request', 'request', 'time'] as const) : []),
    ...(calls.size > 0 ? (['call'] as const) : []),
  ]);
  switch (kind) {
    case 'request':
      return { kind, nth: 1 + random.below(requests), at: random.pick(['lost', 'sent', 'answered'] as const) };
    case 'call': {
      // Most calls are of `write`, and most of those are of the runtime.
      const [name, count] = random.pickWeighted([...calls], ([, made]) => Math.sqrt(made));
      return { kind, name, nth: 1 + random.below(count) };
    }
    case 'time':
      return { kind, delayMs: random.below(Math.ceil(ms)) };
  }
}

/** Runs a command that is killed at the point. Returns whether it came to it. */
export async function runKilled(site: RemoteSite, words: readonly string[], point: KillPoint): Promise<boolean> {
  const { proxy } = site;
  proxy.reset();
  let deals: RunningDeals | undefined;
  const kill = async () => {
    deals?.kill('SIGKILL');
    await deals?.ended;
  };
  let delayed: Promise<void> = Promise.resolve();
  switch (point.kind) {
    case 'request': {
      const { nth, at } = point;
      const run = async (): Promise<void> => {
        await kill();
        if (at === 'lost') throw new Error('the request is lost');
      };
      proxy.inject({ nth, fault: { kind: 'call', at: at === 'answered' ? 'after' : 'before', run } });
      deals = site.start(words);
      break;
    }
    case 'call': {
      const { name, nth } = point;
      const inject = `inject=${name}:signal=SIGKILL:when=${nth}`;
      deals = site.start(words, ['strace', ...TRACE, '-o', '/dev/null', '-e', `trace=${name}`, '-e', inject]);
      break;
    }
    case 'time': {
      const run = (): void => {
        delayed = sleep(point.delayMs).then(kill);
      };
      proxy.inject({ nth: 1, fault: { kind: 'call', at: 'before', run } });
      deals = site.start(words);
      break;
    }
  }
  const { exitCode } = await deals.ended;
  await delayed;
  proxy.reset();
  return exitCode === null;
}
