import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rollBack, switchCurrent } from '../../../../build/publish/switch-current.ts';
import { storePath, parsePrevious } from '../../../../data/store/layout.ts';
import { acquireStoreLock, StoreBusyError } from '../../../../data/store/lock.ts';
import { isRolledBack, readCurrent } from '../../../../data/store/snapshots.ts';
import { createTemporaryFolder, publishNumber } from './temporary-store.ts';

interface Store {
  readonly store: string;
  /** In the order of publication; the last one is current. */
  readonly ids: readonly [string, string, string];
}

function createStore(): Store {
  const store = createTemporaryFolder();
  // By their times the first would be the last.
  const ids = [3, 1, 2].map((number) => publishNumber(store, number).id) as [string, string, string];
  return { store, ids };
}

function previousOf(store: string): ReturnType<typeof parsePrevious> {
  return existsSync(storePath(store, 'previous.json'))
    ? parsePrevious(readFileSync(storePath(store, 'previous.json'), 'utf8'))
    : undefined;
}

/** All that a rollback may change. */
function stateOf({ store, ids }: Store): object {
  return { current: readCurrent(store), previous: previousOf(store), marked: markedIn({ store, ids }) };
}

function markedIn({ store, ids }: Store): readonly string[] {
  return ids.filter((id) => isRolledBack(store, id));
}

describe('rollBack', () => {
  it('makes current what was published before, and marks what it leaves', () => {
    const { store, ids } = createStore();
    const [first, second, third] = ids;
    expect(rollBack(store)).toEqual({ outcome: 'switched', before: third, id: second });
    expect(stateOf({ store, ids })).toEqual({
      current: second,
      previous: { snapshot: third, replacedBy: second },
      marked: [third],
    });
    expect(rollBack(store)).toEqual({ outcome: 'switched', before: second, id: first });
    expect(markedIn({ store, ids })).toEqual([second, third]);
    acquireStoreLock(store).release();
  });

  it('to one of them by its id marks those between, and takes the mark from the one', () => {
    const { store, ids } = createStore();
    const [first, second, third] = ids;
    rollBack(store, first);
    expect(markedIn({ store, ids })).toEqual([second, third]);
    rollBack(store, third);
    expect(markedIn({ store, ids })).toEqual([second]);
  });

  it('marks one whose sequence cannot be read, since it may be newer', () => {
    const { store, ids } = createStore();
    const [first, second, third] = ids;
    truncateSync(join(store, first, 'manifest.json'), 10);
    expect(rollBack(store, second)).toEqual({ outcome: 'switched', before: third, id: second });
    expect(markedIn({ store, ids })).toEqual([first, third]);
  });

  it.each([
    ['there is none before', (ids: Store['ids']) => ids.slice(0, 2)],
    ['the folder of the current one is gone', (ids: Store['ids']) => ids.slice(2)],
  ])('changes nothing when %s', (_, gone) => {
    const { store, ids } = createStore();
    for (const id of gone(ids)) rmSync(join(store, id), { recursive: true });
    const before = stateOf({ store, ids });
    expect(rollBack(store)).toEqual({ outcome: 'none-before', before: ids[2] });
    expect(stateOf({ store, ids })).toEqual(before);
  });

  it.each([
    ['already current', ([, , third]: Store['ids']) => third, 'already-current'],
    ['damaged', ([first]: Store['ids']) => first, 'damaged'],
  ])('changes nothing when the wanted one is %s', (_, wanted, outcome) => {
    const { store, ids } = createStore();
    rmSync(join(store, ids[0], 'deals.ndjson'));
    const before = stateOf({ store, ids });
    expect(rollBack(store, wanted(ids))).toMatchObject({ outcome });
    expect(stateOf({ store, ids })).toEqual(before);
    acquireStoreLock(store).release();
  });

  it('goes to a snapshot of which only the list of changes is damaged', () => {
    const { store, ids } = createStore();
    rmSync(join(store, ids[1], 'changes.json'));
    expect(rollBack(store)).toMatchObject({ outcome: 'switched', id: ids[1] });
  });

  it('refuses a store in which nothing was published, and a snapshot that is not there', () => {
    const empty = createTemporaryFolder();
    expect(() => rollBack(empty)).toThrow(withCode('no-snapshot'));
    const { store, ids } = createStore();
    expect(() => rollBack(store, '20260101T0000Z-00000000')).toThrow(withCode('unknown-snapshot'));
    expect(readCurrent(store)).toBe(ids[2]);
    acquireStoreLock(store).release();
  });

  it('by an id mends a damaged current.json, and forgets which was current before', () => {
    const { store, ids } = createStore();
    for (const damaged of ['{}', '{"snapshot":"../etc"}', '{']) {
      writeFileSync(storePath(store, 'current.json'), damaged);
      expect(() => rollBack(store)).toThrow(withCode('unknown-current'));
    }
    expect(rollBack(store, ids[1])).toEqual({ outcome: 'switched', id: ids[1] });
    expect(stateOf({ store, ids })).toEqual({ current: ids[1], previous: undefined, marked: [ids[2]] });
  });
});

describe('switchCurrent', () => {
  it('refuses when another snapshot became current, or one where there was none', () => {
    const { store, ids } = createStore();
    const before = stateOf({ store, ids });
    for (const found of [ids[0], undefined]) {
      expect(() => switchCurrent(store, ids[1], found)).toThrow(StoreBusyError);
      expect(stateOf({ store, ids })).toEqual(before);
    }
  });

  it('leaves a current snapshot whose folder was deleted', () => {
    const { store, ids } = createStore();
    rmSync(join(store, ids[2]), { recursive: true });
    switchCurrent(store, ids[1], ids[2]);
    expect(readCurrent(store)).toBe(ids[1]);
  });
});

function withCode(code: string): unknown {
  return expect.objectContaining({ details: expect.objectContaining({ code }) as unknown });
}
