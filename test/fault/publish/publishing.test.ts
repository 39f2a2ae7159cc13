import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isMissing, tool } from '../needs.ts';
import { byTier, TIER } from '../tier.ts';
import { HeldDeals } from './held-deals.ts';
import { expectExplained, expectNextBuild, findLeftovers, findServed, Night } from './night.ts';
import { isChange, listCalls, spread, traceBuild, type StoreCall } from './store-calls.ts';

const TIMEOUT_MS = byTier({ first: 60_000, second: 600_000, long: 12 * 3_600_000 });
const KILL_POINTS = byTier({ first: 4, second: Infinity, long: Infinity });
const ERRORS = ['ENOSPC', 'EIO', 'EMFILE', 'EROFS', 'EDQUOT', 'EACCES', 'EINTR'] as const;
/** A call that was interrupted is made again, without end: a hundred times in a row is as good as for good. */
const INTERRUPTIONS = 100;
/** Of the calls that only read or close: in the second tier some of them are tried, in the long one all. */
const OTHER_CALLS = 30;

interface DiskError {
  readonly call: StoreCall;
  readonly error: (typeof ERRORS)[number];
  readonly isForGood: boolean;
}

describe.skipIf(isMissing('a build that is killed, or whose disk fails', tool('strace')))('a build', () => {
  const night = new Night();
  const lanes = new Map<string, HeldDeals>();
  let next: HeldDeals;
  let calls: readonly StoreCall[];
  /** Of all calls, so that the same ones are counted as when they were listed. */
  let paths: readonly string[];

  beforeAll(async () => {
    next = await HeldDeals.start();
    await night.prepare(next);
    calls = await listCalls(night, next);
    paths = [...new Set(calls.flatMap((call) => call.paths))];
  });
  afterAll(async () => {
    for (const held of [next, ...lanes.values()]) await held.kill();
    night.remove();
  });

  it(
    'that is killed at a call that changes a file leaves the old snapshot or the new, and the next succeeds (promise 1)',
    async () => {
      const points = calls.filter(isChange);
      expect(points.length).toBeGreaterThan(50);
      // For any number, those of the switch are among them.
      const isOfSwitch = (call: StoreCall) => call.paths.includes('(store)/current.json');
      const chosen = new Set([...spread(points, KILL_POINTS), ...points.filter(isOfSwitch)]);
      await inTwoLanes([...chosen], async ({ name, ordinal, text }, lane) => {
        const store = night.createStore(lane);
        const where = `killed at ${name} ${ordinal}, ${text}`;
        const held = await HeldDeals.start();
        // On the way into the call, which is never made.
        const inject = `${name}:signal=SIGKILL:when=${ordinal}`;
        const { exitCode } = await traceBuild({ held, night, store, paths, inject });
        await held.kill();
        expect(exitCode, where).toBe(null);
        const { current, issues } = findServed(store);
        expect([night.before, night.tonight], where).toContain(current);
        expect(issues, where).toEqual([]);
        await expectNextBuild(night, next, store, where);
      });
    },
    TIMEOUT_MS,
  );

  it('has every file and every name on the disk before it is relied on, should the power be cut (promise 2)', () => {
    expect(findUnsafe(calls)).toEqual([]);
  });

  async function expectContained(failure: DiskError, lane: string): Promise<void> {
    const store = night.createStore(lane);
    const held = lanes.get(lane) ?? (await HeldDeals.start());
    lanes.set(lane, held);
    const { name, ordinal, text } = failure.call;
    const inject = `${name}:error=${failure.error}:when=${ordinal}${describeRepetition(failure)}`;
    const where = `${inject}, ${text}`;
    const { made, ...ended } = await traceBuild({ held, night, store, more: [name], paths, inject });
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

  it(
    'whose disk fails never ends well without a whole snapshot, explains itself, and leaves the old one (promise 3)',
    async () => {
      const changes = calls.filter(isChange);
      const others = spread(
        calls.filter((call) => !isChange(call)),
        OTHER_CALLS,
      );
      const failures = byTier({
        first: () => rotateErrors(spread(changes, 8)),
        second: () => [...rotateErrors(changes), ...rotateErrors(others)],
        long: () => combineErrors(calls),
      })();
      await inTwoLanes(failures, expectContained);
    },
    TIMEOUT_MS,
  );

  it.skipIf(TIER === 'first')(
    'does not confirm a switch that it could not make durable: what a stopped build left undone is done',
    async () => {
      const store = night.createStore('confirmed');
      expect((await next.run(...night.build(store))).exitCode).toBe(0);
      const held = await HeldDeals.start();
      const inject = 'fsync:error=EIO:when=1';
      const { exitCode, stderr } = await traceBuild({ held, night, store, paths: ['(store)'], inject });
      await held.kill();
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`EIO: i/o error, fsync '${store}'`);
    },
  );
});

/** Works through the items, two at a time, each lane in a store of its own; all are tried. */
async function inTwoLanes<Item>(
  items: readonly Item[],
  work: (item: Item, lane: string) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const failures: string[] = [];
  const runLane = async (lane: string): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift())
      await work(item, lane).catch((error: Error) => failures.push(error.message));
  };
  await Promise.all(['left', 'right'].map(runLane));
  expect(failures).toEqual([]);
}

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

const CURRENT = '(store)/current.json';

/**
 * Goes through the calls of a build as a disk that loses everything that was not synced, and returns what it could lose that
 * the build relied on. A file system may be kinder than this, and most are: so this finds what cutting the power of one
 * of them does not.
 */
function findUnsafe(calls: readonly StoreCall[]): readonly string[] {
  const disk = new ForgetfulDisk();
  for (const call of calls) disk.take(call);
  return disk.finish();
}

class ForgetfulDisk {
  /** Files with content that is not on the disk yet. */
  readonly #unsyncedFiles = new Set<string>();
  /** Names that are not on the disk yet, with the folder that must be synced for it. */
  readonly #unsyncedNames = new Map<string, string>();
  readonly #unsafe: string[] = [];

  take({ name, text, paths }: StoreCall): void {
    const [first, second] = paths;
    if (first === undefined || / = -1 /.test(text)) return;
    if (name === 'openat' && text.includes('O_CREAT')) this.#create(first);
    else if (name === 'mkdir') this.#unsyncedNames.set(first, dirname(first));
    else if (name === 'write' || name === 'pwrite64') this.#unsyncedFiles.add(first);
    else if (name === 'fsync') this.#sync(first);
    else if (name === 'rename' && second !== undefined) this.#rename(first, second);
  }

  finish(): readonly string[] {
    if (this.#unsyncedNames.has(CURRENT)) this.#unsafe.push(`the switch is not synced when the build has ended`);
    return this.#unsafe;
  }

  #create(path: string): void {
    this.#unsyncedFiles.add(path);
    this.#unsyncedNames.set(path, dirname(path));
  }

  #sync(path: string): void {
    this.#unsyncedFiles.delete(path);
    for (const [name, folder] of this.#unsyncedNames) if (folder === path) this.#unsyncedNames.delete(name);
  }

  #rename(from: string, to: string): void {
    if (to === CURRENT) {
      for (const path of this.#unsyncedFiles) this.#relyOn(path, 'the content', from);
      for (const path of this.#unsyncedNames.keys()) if (path !== from) this.#relyOn(path, 'the name', from);
    }
    for (const path of [...this.#unsyncedFiles].filter((candidate) => isWithin(candidate, from))) {
      this.#unsyncedFiles.delete(path);
      this.#unsyncedFiles.add(to + path.slice(from.length));
    }
    for (const [path, folder] of [...this.#unsyncedNames].filter(([candidate]) => isWithin(candidate, from))) {
      this.#unsyncedNames.delete(path);
      if (path !== from) this.#unsyncedNames.set(to + path.slice(from.length), to + folder.slice(from.length));
    }
    this.#unsyncedNames.set(to, dirname(to));
  }

  /** A snapshot is relied on once `current.json` names it, and so is that file itself; nothing else is. */
  #relyOn(path: string, what: string, switched: string): void {
    if (path !== switched && !SNAPSHOT.test(path)) return;
    this.#unsafe.push(`${what} of ${path} is not synced when current.json is switched`);
  }
}

const SNAPSHOT = /^\(store\)\/\d{8}T\d{4}Z-/;

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
