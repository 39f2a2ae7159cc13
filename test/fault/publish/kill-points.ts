import { join } from 'node:path';
import { HeldDeals } from './held-deals.ts';
import type { Night } from './night.ts';
import { CHANGING_CALLS, READING_CALLS, traceCalls, type StoreCall } from './store-calls.ts';

/** Every call of the build of the night on its store, in order. */
export async function listCalls(night: Night, held: HeldDeals): Promise<readonly StoreCall[]> {
  const store = night.createStore('listed');
  const calls = [...CHANGING_CALLS, ...READING_CALLS];
  const tracing = await traceCalls({ held, calls, store, logFile: join(night.root, 'listed.log') });
  const { exitCode, stderr } = await held.run(...night.build(store));
  const listed = await tracing.end();
  if (exitCode !== 0) throw new Error(`expected the build to publish, got exit code ${exitCode}: ${stderr}`);
  return listed;
}

/** Whether the files are others after the call, or are kept from then on. */
export function isChange({ name, text }: StoreCall): boolean {
  if (name === 'openat') return text.includes('O_CREAT');
  return name !== 'close' && (CHANGING_CALLS as readonly string[]).includes(name);
}

/** Where a process is stopped: on the way into the call, which is never made. */
export interface KilledAt {
  readonly night: Night;
  readonly store: string;
  readonly call: StoreCall;
  /** Of all calls, so that the same ones are counted as when they were listed. */
  readonly paths: readonly string[];
}

/** Runs the build of the night in a process of its own that is killed at the call; returns whether it came to it. */
export async function buildKilledAt({ night, store, call, paths }: KilledAt): Promise<boolean> {
  const victim = await HeldDeals.start();
  const { name, ordinal } = call;
  const tracing = await traceCalls({
    held: victim,
    calls: [name],
    paths,
    store,
    logFile: `${store}.log`,
    inject: `${name}:signal=SIGKILL:when=${ordinal}`,
  });
  const { exitCode } = await victim.run(...night.build(store));
  await tracing.end();
  await victim.kill();
  return exitCode === null;
}

export function listPaths(calls: readonly StoreCall[]): readonly string[] {
  return [...new Set(calls.flatMap(({ paths }) => paths))];
}

/** `count` of the items, the first and the last among them, as far apart as can be. */
export function spread<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (count >= items.length) return items;
  const step = (items.length - 1) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_, i) => items[Math.round(i * step)] as Item);
}
