import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rollBack } from '../../../build/publish/switch-current.ts';
import type { LogEntry } from '../../../server/log.ts';
import { SnapshotManager } from '../../../server/snapshot/snapshot-manager.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { createTemporaryFolder, publishNumber } from '../../unit/build/publish/temporary-store.ts';
import { createPicturedSite, deal, HEADER } from '../../unit/build/run/write-sources.ts';
import { byTier } from '../tier.ts';
import { damagePointer, damageSnapshot, type Damage } from './damage.ts';

const SEED = Number(process.env['DAMAGE_SEED'] ?? 1);
const DAMAGES = byTier({ first: 60, second: 2_000, long: 10_000 });

/** Longer than a snapshot that was refused is left alone. */
const LATER_MS = 61_000;

/** The part of a server that holds snapshots, over a store. */
class HeldSnapshot {
  readonly log: LogEntry[] = [];
  #clock = 0;
  readonly #holder: SnapshotManager;

  constructor(store: string) {
    this.#holder = new SnapshotManager({
      store,
      publicUrl: 'https://deals.test',
      log: (entry) => this.log.push(entry),
      now: () => this.#clock,
    });
  }

  /** The id being served when the store has been looked at again. */
  async look(): Promise<string | undefined> {
    this.#clock += LATER_MS;
    await this.#holder.refresh();
    return this.#holder.current?.manifest.id;
  }

  /** The id being served after a start. */
  async start(): Promise<string | undefined> {
    await this.#holder.start();
    this.#holder.close();
    return this.#holder.current?.manifest.id;
  }
}

/** A store that two builds have published to, at other prices. */
async function publishTwo() {
  const site = await createPicturedSite();
  const { folder, store } = site;
  const publish = async (night: number): Promise<string> => {
    const rows = [1, 2, 3, 4].map((n) => deal(`H-${n}`, '101', 'new', 'phone-barn', `3${n}.0${night}`));
    writeFileSync(join(folder, 'feeds/house/deals.csv'), `${[HEADER, ...rows].join('\n')}\n`);
    const { snapshot } = await site.build({ now: new Date(Date.UTC(2026, 9, night, 2, 30)) });
    return snapshot ?? '';
  };
  const [older, newer] = [await publish(1), await publish(2)];
  const point = (id: string) => writeFileSync(join(store, 'current.json'), `{"snapshot":"${id}"}\n`);
  return { store, older, newer, point };
}

/** Whether a fault was told that names one of the damaged files. */
function isReported(log: readonly LogEntry[], damage: Damage): boolean {
  const causes = log
    .filter(({ event }) => event === 'snapshot-refused' || event === 'snapshot-unreadable')
    .map(({ cause }) => String(cause ?? ''));
  // A manifest that is gone is a snapshot that is not there, and so is the pointer.
  const parts = [...damage.files, ': no snapshot', 'found none'];
  return causes.some((cause) => parts.some((part) => cause.includes(part)));
}

/**
 * Has a running server see the newer snapshot and another one start over it, with each of many damages; returns what went
 * otherwise than `expected`.
 */
async function findWrong(
  { store, older, newer, point }: Awaited<ReturnType<typeof publishTwo>>,
  count: number,
  damageSomething: (random: Random) => Damage,
  expected: { readonly running: string; readonly started: string },
): Promise<readonly object[]> {
  const random = createRandom(SEED);
  const running = new HeldSnapshot(store);
  const wrong: object[] = [];
  for (let number = 0; number < count; number++) {
    point(older);
    await running.look();
    point(newer);
    const damage = damageSomething(random);
    running.log.length = 0;
    const starting = new HeldSnapshot(store);
    const got = { running: await running.look(), started: await starting.start() };
    const isTold = isReported(running.log, damage) && isReported(starting.log, damage);
    damage.undo();
    const isRight = got.running === expected.running && got.started === expected.started && isTold;
    if (!isRight) wrong.push({ damage: damage.what, number, seed: SEED, ...got, isTold });
  }
  point(newer);
  expect(await running.look()).toBe(newer);
  return wrong;
}

describe('a damaged snapshot is never served', () => {
  it(`${DAMAGES} damages: found, reported, and the last good one stays; the newest good one at the start`, async () => {
    const stored = await publishTwo();
    const { store, older, newer } = stored;
    const damage = (random: Random) => damageSnapshot(random, join(store, newer), join(store, older));
    expect(await findWrong(stored, DAMAGES, damage, { running: older, started: older })).toEqual([]);
  }, 900_000);

  it('whose pointer is damaged: the last good one stays; the newest at the start', async () => {
    const stored = await publishTwo();
    const damage = (random: Random) => damagePointer(random, stored.store);
    const expected = { running: stored.older, started: stored.newer };
    expect(await findWrong(stored, Math.ceil(DAMAGES / 4), damage, expected)).toEqual([]);
  }, 300_000);
});

/** A store and its snapshots: oldest first; the last one had the bad prices. */
interface Store {
  readonly store: string;
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
const MISHAPS: readonly (readonly [string, (store: Store) => void])[] = [
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
  it.each(MISHAPS)('after %s', async (_, damage) => {
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

it('a snapshot that never became current is not served where the pointer is gone, but the one before', async () => {
  const store = createTemporaryFolder();
  const [, second] = [1, 2].map((number) => publishNumber(store, number).id);
  const previous = readFileSync(join(store, 'previous.json'));
  publishNumber(store, 3);
  writeFileSync(join(store, 'previous.json'), previous);
  rmSync(join(store, 'current.json'));
  expect(await startOver(store)).toBe(second);
});
