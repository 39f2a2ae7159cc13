import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rollBack, switchCurrent } from '../../../../build/publish/switch-current.ts';
import { storePath, parsePrevious } from '../../../../data/store/layout.ts';
import { acquireStoreLock } from '../../../../data/store/lock.ts';
import { isRolledBack, readCurrent } from '../../../../data/store/snapshots.ts';
import { createTemporaryFolder, publishNumber } from './temporary-store.ts';

type Ids = readonly [first: string, second: string, third: string];

/** A store and its snapshots in the order of publication; by their times the first would be the last. */
function createStore(): { readonly store: string; readonly ids: Ids } {
  const store = createTemporaryFolder();
  return { store, ids: [3, 1, 2].map((number) => publishNumber(store, number).id) as unknown as Ids };
}

const previousOf = (store: string) => parsePrevious(readFileSync(storePath(store, 'previous.json'), 'utf8'));
const markedIn = (store: string, ids: Ids): readonly number[] =>
  [0, 1, 2].filter((at) => isRolledBack(store, ids[at]!));
const withCode = (code: string): unknown => expect.objectContaining({ code });

/** What is done to the folders of the snapshots before. */
type Given = (...folders: Ids) => void;

const remove = (folder: string): void => rmSync(folder, { recursive: true });

// A snapshot is named by its place in the order of publication.
it.each<[what: string, given: Given, to: number | undefined, outcome: string, current: number, marked: number[]]>([
  ['to the one before', () => {}, undefined, 'switched', 1, [2]],
  ['to one by its id, past another', () => {}, 0, 'switched', 0, [1, 2]],
  ['over one that may be newer', (one) => truncateSync(join(one, 'manifest.json'), 10), 1, 'switched', 1, [0, 2]],
  ['to none', (one, two) => [one, two].forEach(remove), undefined, 'none-before', 2, []],
  ['from one that is gone', (_one, _two, three) => remove(three), undefined, 'none-before', 2, []],
  ['to the current one', () => {}, 2, 'already-current', 2, []],
  ['to a damaged one', (one) => rmSync(join(one, 'deals.ndjson')), 0, 'damaged', 2, []],
])('a rollback %s marks what it leaves, or changes nothing', (_, given, to, outcome, current, marked) => {
  const { store, ids } = createStore();
  given(...(ids.map((id) => join(store, id)) as unknown as Ids));
  expect(rollBack(store, to === undefined ? undefined : ids[to])).toMatchObject({ outcome });
  expect([readCurrent(store), markedIn(store, ids)]).toEqual([ids[current], marked]);
  const [snapshot, replacedBy] = outcome === 'switched' ? [ids[2], ids[current]] : [ids[1], ids[2]];
  expect(previousOf(store)).toEqual({ snapshot, replacedBy });
  acquireStoreLock(store).release();
});

it('a rollback to a snapshot that was rolled back from takes its mark', () => {
  const { store, ids } = createStore();
  rollBack(store, ids[0]);
  expect(rollBack(store, ids[2])).toEqual({ outcome: 'switched', before: ids[0], id: ids[2] });
  expect(markedIn(store, ids)).toEqual([1]);
});

it('a rollback refuses a store in which nothing was published, and a snapshot that is not there', () => {
  expect(() => rollBack(createTemporaryFolder())).toThrow(withCode('no-snapshot'));
  const { store, ids } = createStore();
  expect(() => rollBack(store, '20260101T0000Z-00000000')).toThrow(withCode('unknown-snapshot'));
  expect(readCurrent(store)).toBe(ids[2]);
  acquireStoreLock(store).release();
});

it('a rollback by an id mends a damaged current.json, and forgets which was current before', () => {
  const { store, ids } = createStore();
  for (const damaged of ['{}', '{"snapshot":"../etc"}', '{']) {
    writeFileSync(storePath(store, 'current.json'), damaged);
    expect(() => rollBack(store)).toThrow(withCode('unknown-current'));
  }
  expect(rollBack(store, ids[1])).toEqual({ outcome: 'switched', id: ids[1] });
  expect([readCurrent(store), markedIn(store, ids)]).toEqual([ids[1], [2]]);
  expect(() => previousOf(store)).toThrow('ENOENT');
});

it('a switch leaves a current snapshot whose folder was deleted', () => {
  const { store, ids } = createStore();
  remove(join(store, ids[2]));
  switchCurrent(store, ids[1], ids[2]);
  expect(readCurrent(store)).toBe(ids[1]);
});
