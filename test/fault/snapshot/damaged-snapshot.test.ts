import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../../server/log.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { createPicturedSite, deal, HEADER } from '../../unit/build/run/write-sources.ts';
import { byTier } from '../tier.ts';
import { damagePointer, damageSnapshot, type Damage } from './damage.ts';
import { HeldSnapshot } from './held-snapshot.ts';

const SEED = Number(process.env['DAMAGE_SEED'] ?? 1);
const DAMAGES = byTier({ first: 60, second: 2_000, long: 10_000 });

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
