import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isMissing, tool } from '../needs.ts';
import { byTier, TIER } from '../tier.ts';
import { HeldDeals } from './held-deals.ts';
import { isChange, listCalls, listPaths, spread } from './kill-points.ts';
import { expectExplained, expectNextBuild } from './expectations.ts';
import { findLeftovers, Night } from './night.ts';
import { CHANGING_CALLS, traceCalls, type StoreCall } from './store-calls.ts';
import { inTwoLanes } from './two-lanes.ts';
import { findUnsafe } from './unsafe-steps.ts';

const TIMEOUT_MS = byTier({ first: 60_000, second: 600_000, long: 6 * 3_600_000 });

const ERRORS = ['ENOSPC', 'EIO', 'EMFILE', 'EROFS', 'EDQUOT', 'EACCES', 'EINTR'] as const;

/** A call that was interrupted is made again, without end: a hundred times in a row is as good as for good. */
const INTERRUPTIONS = 100;

/** Of the calls that only read or close: in the second tier some of them are tried, in the long one all. */
const OTHER_CALLS = 30;

const LIES = byTier({ first: 2, second: 8, long: Infinity });

/** Of a new snapshot, or the next `current.json`. */
const NEW_FILE = /\(store\)\/\.new-[0-9a-f]{16}/;

interface DiskError {
  readonly call: StoreCall;
  readonly error: (typeof ERRORS)[number];
  readonly isForGood: boolean;
}

describe('a build whose disk fails (promise 3)', () => {
  const night = new Night();
  const lanes = new Map<string, HeldDeals>();
  let next: HeldDeals;
  let calls: readonly StoreCall[];
  let paths: readonly string[];

  beforeAll(async () => {
    next = await HeldDeals.start();
    await night.prepare(next);
    if (!tool('strace').isThere) return;
    calls = await listCalls(night, next);
    paths = listPaths(calls);
  });
  afterAll(async () => {
    for (const held of [next, ...lanes.values()]) await held.kill();
    night.remove();
  });

  async function expectContained(failure: DiskError, lane: string): Promise<void> {
    const store = night.createStore(lane);
    const held = lanes.get(lane) ?? (await HeldDeals.start());
    lanes.set(lane, held);
    const { name, ordinal, text } = failure.call;
    const inject = `${name}:error=${failure.error}:when=${ordinal}${describeRepetition(failure)}`;
    const where = `${inject}, ${text}`;
    const tracing = await traceCalls({
      held,
      calls: [...CHANGING_CALLS, name],
      paths,
      store,
      logFile: `${store}.log`,
      inject,
    });
    const ended = await held.run(...night.build(store));
    const made = await tracing.end();
    expect(made.filter(({ isInjected }) => isInjected).length, `${where}: was made`).toBeGreaterThan(0);
    expectExplained(night, store, ended, hasSwitched(made), where);
    // A build that went on although something was not synced has not ended well, regardless of what is there now.
    expect(ended.exitCode === 0 ? findUnsafe(made) : [], where).toEqual([]);
    // A lock that it could not take away is a lock of the living as long as this process waits for its next command.
    if (ended.exitCode === null || findLeftovers(store).includes('build.lock')) {
      await held.kill();
      lanes.delete(lane);
    }
    await expectNextBuild(night, next, store, where);
  }

  it.skipIf(isMissing('errors of the disk at each call', tool('strace')))(
    'never ends well without a whole snapshot, explains itself, and leaves the old one served',
    async () => {
      const failures = byTier({
        first: () => rotateErrors(spread(calls.filter(isChange), 8)),
        second: () => [
          ...rotateErrors(calls.filter(isChange)),
          ...rotateErrors(
            spread(
              calls.filter((call) => !isChange(call)),
              OTHER_CALLS,
            ),
          ),
        ],
        long: () => combineErrors(calls),
      })();
      await inTwoLanes(failures, expectContained);
    },
    TIMEOUT_MS,
  );

  it.skipIf(isMissing('a disk that lies', tool('strace')))(
    'reads back what it wrote: a disk that only says that it has written is found out',
    async () => {
      const isOfSnapshot = ({ name, text }: StoreCall) => name === 'write' && NEW_FILE.test(text);
      const held = await HeldDeals.start();
      const writes = calls.filter(isOfSnapshot);
      // The report of the build is the last, and is not relied on.
      for (const { name, ordinal, text } of spread(writes.slice(0, -1), LIES).toReversed()) {
        const store = night.createStore('lied');
        const bytes = / = (\d+)$/.exec(text)?.[1] ?? '';
        const inject = `${name}:retval=${bytes}:when=${ordinal}`;
        const tracing = await traceCalls({ held, calls: [name], paths, store, logFile: `${store}.log`, inject });
        const ended = await held.run(...night.build(store));
        await tracing.end();
        expect(ended.exitCode, `${inject}, ${text}`).toBe(1);
        expectExplained(night, store, ended, false, `${inject}, ${text}`);
      }
      await held.kill();
    },
    TIMEOUT_MS,
  );

  it.skipIf(TIER === 'first' || isMissing('errors while nothing has changed', tool('strace')))(
    'does not confirm a switch that it could not make durable: what a stopped build left undone is done',
    async () => {
      const store = night.createStore('confirmed');
      expect((await next.run(...night.build(store))).exitCode).toBe(0);
      const held = await HeldDeals.start();
      const tracing = await traceCalls({
        held,
        calls: ['fsync'],
        paths: ['(store)'],
        store,
        logFile: `${store}.log`,
        inject: 'fsync:error=EIO:when=1',
      });
      const { exitCode, stderr } = await held.run(...night.build(store));
      await tracing.end();
      await held.kill();
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`EIO: i/o error, fsync '${store}'`);
    },
  );
});

function hasSwitched(made: readonly StoreCall[]): boolean {
  return made.some(({ name, text, isInjected }) => name === 'rename' && text.includes('/current.json"') && !isInjected);
}

function describeRepetition({ error, isForGood, call }: DiskError): string {
  if (!isForGood) return '';
  return error === 'EINTR' ? `..${call.ordinal + INTERRUPTIONS}` : '+';
}

/** Each call once, with the errors in turn, once and for good in turn. */
function rotateErrors(calls: readonly StoreCall[]): readonly DiskError[] {
  return calls.map((call, i) => ({
    call,
    error: ERRORS[i % ERRORS.length] as DiskError['error'],
    isForGood: i % 2 === 1,
  }));
}

/** Each call with every error, once and for good. */
function combineErrors(calls: readonly StoreCall[]): readonly DiskError[] {
  return calls.flatMap((call) =>
    ERRORS.flatMap((error) => [false, true].map((isForGood) => ({ call, error, isForGood }))),
  );
}
