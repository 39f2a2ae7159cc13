import { cpSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifySnapshot } from '../../../build/publish/verify.ts';
import { EXIT } from '../../../cli/console/command.ts';
import { until } from '../../harness.ts';
import { startMemoryS3 } from '../../support/memory-s3.ts';
import { createRandom } from '../../support/random.ts';
import { requireSuccess } from '../../unit/cli/run-deals.ts';
import { byTier, TIER } from '../tier.ts';
import { readCurrentId, RemoteSite, runHere } from './remote-site.ts';

const STEPS = byTier({ first: 40, second: 500, long: 5_000 });
const SEED = Number(process.env['FAULT_SEED'] ?? 1);

const HOUR_MS = 3_600_000;

/** As many records keep their snapshots. */
const KEPT_RECORDS = 7;

const memory = await startMemoryS3();
let site: RemoteSite;

beforeEach(async () => {
  site = await RemoteSite.create(memory);
});
afterEach(() => site.remove());
afterAll(() => memory.stop());

/** As if so many hours had passed. */
function age(hours: number): void {
  for (const object of memory.objects(site.bucket).values()) {
    object.modified = new Date(object.modified.getTime() - hours * HOUR_MS);
  }
}

async function pushNext(): Promise<string> {
  const id = site.publish();
  requireSuccess(await site.push());
  return id;
}

/** A builder begins from what is published, as an operator would. */
async function takePublished(builder: string): Promise<void> {
  const words = site.pullWords('server').map((word) => (word === site.server('server') ? builder : word));
  requireSuccess(await runHere(words));
}

function hold(method: string, path: RegExp): { readonly held: () => number; open(): void } {
  let arrived = 0;
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const run = (): Promise<void> => {
    arrived++;
    return opened;
  };
  site.proxy.inject({ method, path, fault: { kind: 'call', at: 'before', run } });
  return { held: () => arrived, open };
}

describe('what is needed is not deleted', () => {
  it(
    `in ${STEPS} pushes, rollbacks and pulls of two builders, hours or days apart (seed ${SEED})`,
    async () => {
      const random = createRandom(SEED);
      const other = site.server('other');
      await pushNext();
      requireSuccess(await site.pull('other'));
      for (let step = 0; step < STEPS; step++) {
        age(random.pick([0, 1, 6, 13, 25, 60]));
        const builder = random.pick([site.builder, other]);
        await takePublished(builder);
        if (random.isLikely(0.25)) await runHere(['rollback', '--store', builder]);
        else site.publish(builder);
        requireSuccess(await site.push('--store', builder));
        const { records, head, faults } = await site.read();
        const where = `step ${step}`;
        expect(faults, where).toEqual([]);
        expect([records[0]?.snapshot, head], where).toEqual([readCurrentId(builder), records[0]?.revision]);
        expect(records.length, where).toBeGreaterThanOrEqual(Math.min(step + 1, KEPT_RECORDS));
      }
      // And what is not needed is: a snapshot has 17 objects.
      age(25);
      await takePublished(site.builder);
      await pushNext();
      expect(memory.objects(site.bucket).size).toBeLessThan(17 * (KEPT_RECORDS + 2));
      requireSuccess(await site.pull('server'));
      expect(verifySnapshot(site.server('server'), readCurrentId(site.server('server')) ?? '')).toEqual([]);
    },
    STEPS * 3_000,
  );

  it('a rollback to what was published days ago sends no object but its record', async () => {
    const first = await pushNext();
    age(50);
    await pushNext();
    age(50);
    requireSuccess(await runHere(['rollback', '--store', site.builder]));
    const { stdout } = requireSuccess(await site.push());
    expect(stdout).toContain(first);
    expect(stdout).toContain('uploaded 0 objects');
    expect((await site.read()).faults).toEqual([]);
  });

  it('a server that is so slow that its snapshot is deleted keeps what it has, and goes on to the newest', async () => {
    const old = await pushNext();
    requireSuccess(await site.pull('server'));
    await pushNext();
    const gate = hold('GET', /\/blob\//);
    const pulling = site.start(site.pullWords('server'));
    await until(async () => gate.held() > 0);
    site.proxy.reset();
    let last = '';
    for (let night = 0; night < KEPT_RECORDS + 1; night++) {
      age(25);
      last = await pushNext();
    }
    gate.open();
    const { exitCode, stderr } = await pulling.ended;
    expect([exitCode, stderr]).toEqual([EXIT.failed, expect.stringContaining('is not there')]);
    expect(readCurrentId(site.server('server'))).toBe(old);
    expect(verifySnapshot(site.server('server'), old)).toEqual([]);
    requireSuccess(await site.pull('server'));
    expect(readCurrentId(site.server('server'))).toBe(last);
    expect(verifySnapshot(site.server('server'), last)).toEqual([]);
  }, 60_000);

  it.skipIf(TIER === 'first')(
    'when a builder uses an old object again that another is about to delete',
    async () => {
      const first = await pushNext();
      for (let night = 0; night < KEPT_RECORDS - 1; night++) {
        age(25);
        await pushNext();
      }
      const other = site.server('other');
      cpSync(site.builder, other, { recursive: true });
      age(25);
      // The first builder deletes what only the first snapshot has; its requests are slow.
      const gate = hold('DELETE', /\/(?:blob|images)\//);
      const last = site.publish();
      const pushing = site.push();
      await until(async () => gate.held() > 0);
      const gone = gate.held();
      // The other one takes the last snapshot, and goes back to the first.
      requireSuccess(
        await runHere(site.pullWords('server').map((word) => (word === site.server('server') ? other : word))),
      );
      requireSuccess(await runHere(['rollback', '--to', first, '--store', other]));
      const rolledBack = site.push('--store', other);
      await new Promise((resolve) => {
        setTimeout(resolve, 10_000);
      });
      gate.open();
      requireSuccess(await pushing);
      requireSuccess(await rolledBack);
      const { records, faults } = await site.read();
      expect(records.slice(0, 2).map(({ snapshot }) => snapshot)).toEqual([first, last]);
      expect(gone).toBeGreaterThan(0);
      expect(faults).toEqual([]);
    },
    300_000,
  );
});
