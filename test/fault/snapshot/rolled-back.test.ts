import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rollBack } from '../../../build/publish/switch-current.ts';
import { createTemporaryFolder, publishNumber } from '../../unit/build/publish/temporary-store.ts';
import { byTier } from '../tier.ts';
import { HeldSnapshot } from './held-snapshot.ts';

interface Store {
  readonly store: string;
  /** Oldest first; the last one had the bad prices. */
  readonly ids: readonly [string, string, string];
}

/** Three nights, and a rollback from the last one. */
function createRolledBack(): Store {
  const store = createTemporaryFolder();
  const ids = [1, 2, 3].map((number) => publishNumber(store, number).id) as [string, string, string];
  expect(rollBack(store)).toMatchObject({ outcome: 'switched', before: ids[2], id: ids[1] });
  return { store, ids };
}

/** What a server serves that starts over the store now. */
const startOver = (store: string): Promise<string | undefined> => new HeldSnapshot(store).start();

const pointerOf = ({ store }: Store): string => join(store, 'current.json');
const manifestOf = ({ store, ids }: Store): string => join(store, ids[1], 'manifest.json');

const remove = (...paths: readonly string[]): void =>
  paths.forEach((path) => rmSync(path, { recursive: true, force: true }));

/** What can happen to the store after the rollback. */
const DAMAGES: readonly (readonly [string, (store: Store) => void])[] = [
  ['a cut pointer', (s) => truncateSync(pointerOf(s), 20)],
  ['no pointer', (s) => rmSync(pointerOf(s))],
  ['a folder in place of the pointer', (s) => [rmSync, mkdirSync].forEach((change) => change(pointerOf(s)))],
  ['no pointer and none before', ({ store }) => remove(join(store, 'current.json'), join(store, 'previous.json'))],
  ['a cut manifest', (s) => truncateSync(manifestOf(s), 100)],
  ['no manifest', (s) => rmSync(manifestOf(s))],
  ['no folder', ({ store, ids }) => remove(join(store, ids[1]))],
  ['no folder and no pointer', (s) => remove(join(s.store, s.ids[1]), pointerOf(s))],
  ['deals that are cut', ({ store, ids }) => truncateSync(join(store, ids[1], 'deals.ndjson'), 10)],
];

describe('a snapshot that was rolled back from is never chosen by itself', () => {
  it.each(DAMAGES)('after %s', async (_, damage) => {
    const rolledBack = createRolledBack();
    damage(rolledBack);
    const [older, current] = rolledBack.ids;
    expect([older, current]).toContain(await startOver(rolledBack.store));
  });

  it('after any bit of the pointer or of the manifest', async () => {
    const rolledBack = createRolledBack();
    const [older, current] = rolledBack.ids;
    const step = byTier({ first: 97, second: 7, long: 1 });
    for (const file of [pointerOf(rolledBack), manifestOf(rolledBack)]) {
      const before = readFileSync(file);
      const bits = file === pointerOf(rolledBack) ? Math.ceil(step / 7) : step;
      for (let bit = 0; bit < before.length * 8; bit += bits) {
        const bytes = Buffer.from(before);
        bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
        writeFileSync(file, bytes);
        expect([older, current], `bit ${bit} of ${file}`).toContain(await startOver(rolledBack.store));
      }
      writeFileSync(file, before);
    }
  }, 600_000);
});

describe('a snapshot that was put in place and never became current', () => {
  it('is not served where the pointer is gone: the pointer before names the one that was', async () => {
    const store = createTemporaryFolder();
    const [, second] = [1, 2].map((number) => publishNumber(store, number).id) as [string, string];
    const [pointer, previous] = ['current.json', 'previous.json'].map((name) => readFileSync(join(store, name)));
    publishNumber(store, 3);
    writeFileSync(join(store, 'current.json'), pointer as Buffer);
    writeFileSync(join(store, 'previous.json'), previous as Buffer);
    rmSync(join(store, 'current.json'));
    expect(await startOver(store)).toBe(second);
  });
});
