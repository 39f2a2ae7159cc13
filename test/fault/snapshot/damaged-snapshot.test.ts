import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifySnapshot } from '../../../build/publish/verify.ts';
import { RECORD_FILES } from '../../../data/snapshot/format.ts';
import type { LogEntry } from '../../../server/log.ts';
import { SnapshotManager } from '../../../server/snapshot/snapshot-manager.ts';
import { createRandom } from '../../support/random.ts';
import { byTier } from '../tier.ts';
import { damagePointer, damageSnapshot, flipBit, type Damage } from './damage.ts';
import { createNightlyStore, type NightlyStore } from './nightly-store.ts';

const SEED = Number(process.env['DAMAGE_SEED'] ?? 1);
const DAMAGES = byTier({ first: 60, second: 2_000, long: 10_000 });
/** Verifying takes ten times as long as finding out that there is something to verify. */
const VERIFIED_EACH = byTier({ first: 20, second: 40, long: 40 });
/** Longer than a snapshot that was refused is left alone. */
const LATER_MS = 61_000;

let night: NightlyStore;
let older: string;
let newer: string;

beforeAll(async () => {
  night = await createNightlyStore();
  older = await night.publish(1);
  newer = await night.publish(2);
});
afterAll(() => night.remove());

const point = (id: string): void => writeFileSync(join(night.store, 'current.json'), `{"snapshot":"${id}"}\n`);

/** The part of a server that holds snapshots, over the store. */
class Held {
  readonly log: LogEntry[] = [];
  #clock = 0;
  readonly #holder = new SnapshotManager({
    store: night.store,
    publicUrl: 'https://deals.test',
    log: (entry) => this.log.push(entry),
    now: () => this.#clock,
  });

  /** The id being served when the store has been looked at. */
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

/** Whether a fault was told that names one of the damaged files. */
function isReported(log: readonly LogEntry[], damage: Damage): boolean {
  const causes = log
    .filter(({ event }) => event === 'snapshot-refused' || event === 'snapshot-unreadable')
    .map(({ cause }) => String(cause ?? ''));
  // A manifest that is gone is a snapshot that is not there, and so is the pointer.
  const parts = [...damage.files.map((file) => basename(file)), ': no snapshot', 'found none'];
  return causes.some((cause) => parts.some((part) => cause.includes(part)));
}

describe('a damaged snapshot is never served', () => {
  it(`${DAMAGES} damages: found, reported, and the last good one stays; the newest good one at the start`, async () => {
    const random = createRandom(SEED);
    const running = new Held();
    point(older);
    expect(await running.look()).toBe(older);
    for (let number = 0; number < DAMAGES; number++) {
      point(newer);
      const damage = damageSnapshot(random, night.store, newer, older);
      running.log.length = 0;
      const starting = new Held();
      const outcome = {
        damage: damage.what,
        number,
        seed: SEED,
        served: await running.look(),
        isReported: isReported(running.log, damage),
        servedAfterStart: await starting.start(),
        isReportedAtStart: isReported(starting.log, damage),
        isFoundByVerify: number % VERIFIED_EACH > 0 || verifySnapshot(night.store, newer).length > 0,
      };
      damage.undo();
      expect(outcome).toEqual({
        ...outcome,
        served: older,
        isReported: true,
        servedAfterStart: older,
        isReportedAtStart: true,
        isFoundByVerify: true,
      });
    }
    point(newer);
    expect(await running.look()).toBe(newer);
  }, 900_000);

  it('whose pointer is damaged: the last good one stays; the newest at the start', async () => {
    const random = createRandom(SEED);
    const running = new Held();
    for (let number = 0; number < Math.ceil(DAMAGES / 4); number++) {
      point(older);
      expect(await running.look()).toBe(older);
      point(newer);
      const damage = damagePointer(random, night.store);
      running.log.length = 0;
      const starting = new Held();
      const outcome = {
        damage: damage.what,
        text: damage.what.startsWith('removes') ? '' : readFileSync(join(night.store, 'current.json'), 'latin1'),
        number,
        seed: SEED,
        served: await running.look(),
        isReported: isReported(running.log, damage),
        servedAfterStart: await starting.start(),
        isReportedAtStart: isReported(starting.log, damage),
      };
      damage.undo();
      const expected = { served: older, isReported: true, servedAfterStart: newer, isReportedAtStart: true };
      expect(outcome).toEqual({ ...outcome, ...expected });
    }
  }, 300_000);

  it.each(RECORD_FILES)('the server never reads %s; deals verify finds what is damaged in it', (name) => {
    const random = createRandom(SEED);
    const file = join(night.store, newer, name);
    for (let number = 0; number < byTier({ first: 1, second: 50, long: 500 }); number++) {
      const damage = flipBit(random, file);
      const faults = verifySnapshot(night.store, newer);
      damage.undo();
      expect({ damage: damage.what, faults }).toMatchObject({
        faults: expect.arrayContaining([expect.objectContaining({ code: 'wrong-hash', file: name })]) as object,
      });
    }
  });
});
