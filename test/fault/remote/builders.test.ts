import { cpSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { EXIT } from '../../../cli/console/command.ts';
import type { Fault } from '../../support/fault-proxy.ts';
import type { TestStore } from '../../support/memory-s3.ts';
import { requireSuccess, type DealsRun } from '../../unit/cli/run-deals.ts';
import { byTier, TIER } from '../tier.ts';
import { openTestStores, readCurrentId, RemoteSite, type SiteOptions } from './remote-site.ts';

const RACES = byTier({ first: 3, second: 100, long: 1_000 });
const BUILDERS = 8;

/** A race in which each builder is a process of its own. */
const PROCESS_RACES = byTier({ first: 1, second: 10, long: 100 });

const RACES_TIMEOUT_MS = byTier({ first: 120_000, second: 1_800_000, long: 12 * 3_600_000 });

const COMMIT = /\/switch\//;

const stores = await openTestStores();

afterAll(() => stores.stop());

async function withSite(store: TestStore, work: (site: RemoteSite) => Promise<void>, options?: SiteOptions) {
  const site = await RemoteSite.create(store, options);
  try {
    await work(site);
  } finally {
    await site.remove();
  }
}

/** A builder that has what is published, and a snapshot of its own on top. Returns its store. */
function addBuilder(site: RemoteSite, name: string): string {
  const store = site.server(name);
  cpSync(site.builder, store, { recursive: true });
  site.publish(store);
  return store;
}

/** Lets requests go on when so many of them have come. */
function createBarrier(count: number): () => Promise<void> {
  let arrived = 0;
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    arrived++;
    if (arrived === count) open();
    return opened;
  };
}

/** Lets builders race for the next revision; all have uploaded before any commits. */
async function expectOneWinner(
  site: RemoteSite,
  builders: readonly string[],
  push: (store: string) => Promise<DealsRun>,
): Promise<void> {
  const before = (await site.read()).records[0]?.revision ?? 0;
  const barrier = createBarrier(builders.length);
  site.proxy.reset();
  site.proxy.inject({ method: 'PUT', path: COMMIT, fault: { kind: 'call', at: 'before', run: barrier } });
  const ended = await Promise.all(builders.map(push));
  site.proxy.reset();
  const [winner, ...others] = builders.filter((_, at) => ended[at]?.exitCode === EXIT.ok);
  const told = ended.map(({ exitCode, stderr }) => `${exitCode} ${stderr}`).join('\n');
  expect(others, told).toEqual([]);
  const losers = ended.filter(({ exitCode }) => exitCode === EXIT.busy);
  expect(losers, told).toHaveLength(builders.length - 1);
  for (const { stderr } of losers) expect(stderr).toContain(`another builder has published revision ${before + 1}`);
  const { records, head, faults } = await site.read();
  expect({ revision: records[0]?.revision, snapshot: records[0]?.snapshot, head, faults }).toEqual({
    revision: before + 1,
    snapshot: readCurrentId(winner ?? ''),
    head: before + 1,
    faults: [],
  });
}

describe.each(stores.all)('builders over %s', (_, store) => {
  it(
    `of ${BUILDERS} that commit at once one publishes, and the others end with exit code 75 (${RACES} races)`,
    async () => {
      for (let number = 0; number < RACES; number++) {
        await withSite(store, async (site) => {
          site.publish();
          requireSuccess(await site.push());
          const builders = Array.from({ length: BUILDERS }, (__, at) => addBuilder(site, `builder-${at}`));
          const isOfProcesses = number < PROCESS_RACES;
          await expectOneWinner(site, builders, (builder) =>
            isOfProcesses ? site.start(site.pushWords('--store', builder)).ended : site.push('--store', builder),
          );
          // The winner has nothing more to say. A builder that lost was not built on what is published.
          const again = await Promise.all(builders.map((builder) => site.push('--store', builder)));
          expect(again.map(({ exitCode }) => exitCode).toSorted((a, b) => Number(a) - Number(b))).toEqual([
            0,
            ...Array<number>(7).fill(EXIT.refused),
          ]);
        });
      }
    },
    RACES_TIMEOUT_MS,
  );

  it('of eight at an empty store one publishes', async () => {
    await withSite(store, async (site) => {
      const builders = Array.from({ length: BUILDERS }, (__, at) => site.server(`builder-${at}`));
      for (const builder of builders) site.publish(builder);
      await expectOneWinner(site, builders, (builder) => site.push('--store', builder));
    });
  });

  it('one that was built on an older snapshot changes nothing, until an operator accepts it', async () => {
    await withSite(store, async (site) => {
      site.publish();
      requireSuccess(await site.push());
      const other = addBuilder(site, 'other');
      const published = site.publish();
      requireSuccess(await site.push());
      const before = await contentOf(site);
      const refused = await site.push('--store', other);
      expect(refused).toMatchObject({ exitCode: EXIT.refused, stderr: expect.stringContaining(published) });
      expect(refused.stderr).toContain('--accept not-fast-forward');
      expect(await contentOf(site)).toEqual(before);

      requireSuccess(await site.push('--store', other, '--accept', 'not-fast-forward'));
      const { records, faults } = await site.read();
      expect(records.map(({ snapshot }) => snapshot)).toEqual([readCurrentId(other), published, expect.anything()]);
      expect(faults).toEqual([]);
      site.publish();
      expect((await site.push()).exitCode).toBe(EXIT.refused);
    });
  });

  it('one that has only fallen behind changes nothing either', async () => {
    await withSite(store, async (site) => {
      site.publish();
      requireSuccess(await site.push());
      const behind = site.server('behind');
      cpSync(site.builder, behind, { recursive: true });
      site.publish();
      requireSuccess(await site.push());
      const before = await contentOf(site);
      expect((await site.push('--store', behind)).exitCode).toBe(EXIT.refused);
      expect(await contentOf(site)).toEqual(before);
    });
  });

  /** What happens to the first write of the record, or to all of them. */
  const COMMIT_FAULTS: readonly (readonly [what: string, fault: Fault, nth: number | undefined])[] = [
    ['is not delivered', { kind: 'cut-before' }, 1],
    ['is done, and its answer is lost', { kind: 'cut-after' }, 1],
    ['is done, and its answer is lost, each time', { kind: 'cut-after' }, undefined],
    ['is delivered twice, and the second answer comes', { kind: 'answer', status: 412, delivered: true }, 1],
    ['is done, and answered by 500', { kind: 'answer', status: 500, delivered: true }, 1],
    ['is done, and answered by 503', { kind: 'answer', status: 503, code: 'SlowDown', delivered: true }, 1],
    ['meets another write', { kind: 'answer', status: 409, code: 'ConditionalRequestConflict' }, 1],
    ['is refused for a while', { kind: 'answer', status: 503, code: 'SlowDown' }, 1],
    ['is cut in its middle', { kind: 'cut-body', body: 'request', afterBytes: 100 }, 1],
    ['is changed on its way', { kind: 'flip', body: 'request', byteOffset: 100 }, 1],
  ];

  it.each(COMMIT_FAULTS)(
    'publish one revision when its commit %s',
    async (what, fault, nth) => {
      await withSite(store, async (site) => {
        site.publish();
        requireSuccess(await site.push());
        const next = site.publish();
        site.proxy.inject({ method: 'PUT', path: COMMIT, ...(nth === undefined ? {} : { nth }), fault });
        const ended = await site.push();
        site.proxy.reset();
        // The store has noticed the damage, so it is known that nothing was published: the operator pushes again.
        const isRefused = fault.kind === 'flip';
        expect(ended.exitCode, `${what}: ${ended.stderr}`).toBe(isRefused ? EXIT.failed : EXIT.ok);
        if (isRefused) requireSuccess(await site.push());
        const { records, head, faults } = await site.read();
        expect(records.map(({ revision }) => revision)).toEqual([2, 1]);
        expect([records[0]?.snapshot, head, faults]).toEqual([next, 2, []]);
      });
    },
    60_000,
  );

  it.skipIf(TIER === 'first')(
    'tell that a commit is in doubt when nothing is answered any more, and the next push finds out',
    async () => {
      await withSite(store, async (site) => {
        site.publish();
        requireSuccess(await site.push());
        const next = site.publish();
        site.proxy.inject({ method: 'PUT', path: COMMIT, fault: { kind: 'cut-after' } });
        site.proxy.inject({ method: 'GET', path: /switch\/0+2\.json/, fault: { kind: 'cut-before' } });
        const ended = await site.push();
        expect(ended).toMatchObject({
          exitCode: EXIT.failed,
          stderr: expect.stringContaining('it is not known whether revision 2 was published'),
        });
        site.proxy.reset();
        const again = requireSuccess(await site.push());
        expect(again.stdout).toContain('is revision 2');
        const { records, head, faults } = await site.read();
        expect([records.length, records[0]?.snapshot, head, faults]).toEqual([2, next, 2, []]);
      });
    },
    120_000,
  );

  it('that crash between commit and head are found by servers at their tenth look, and by the next push', async () => {
    await withSite(store, async (site) => {
      const old = site.publish();
      requireSuccess(await site.push());
      const puller = site.puller('server');
      await puller.look();
      expect(readCurrentId(site.server('server'))).toBe(old);
      const next = site.publish();
      const builder = site.start(site.pushWords());
      const run = async (): Promise<void> => {
        builder.kill('SIGKILL');
        await builder.ended;
        throw new Error('the request is lost');
      };
      site.proxy.inject({ method: 'PUT', path: /head\.json/, fault: { kind: 'call', at: 'before', run } });
      expect((await builder.ended).exitCode).toBe(null);
      site.proxy.reset();
      expect(await site.read()).toMatchObject({ head: 1, faults: [], records: [{ revision: 2 }, { revision: 1 }] });

      const seen: (string | undefined)[] = [];
      for (let look = 2; look <= 11; look++) {
        await puller.look();
        seen.push(readCurrentId(site.server('server')));
      }
      expect(seen).toEqual([...Array<string>(9).fill(old), next]);
      // A server that starts looks for it at once.
      requireSuccess(await site.pull('started'));
      expect(readCurrentId(site.server('started'))).toBe(next);
      requireSuccess(await site.push());
      expect((await site.read()).head).toBe(2);
    });
  });

  it('that write the head one after the other leave the newest there', async () => {
    await withSite(store, async (site) => {
      site.publish();
      requireSuccess(await site.push());
      site.publish();
      let second: DealsRun | undefined;
      const run = async (): Promise<void> => {
        site.publish();
        second = await site.push();
      };
      // The first has committed, and its head is on the way when the second has done all.
      site.proxy.inject({ method: 'PUT', path: /head\.json/, nth: 1, fault: { kind: 'call', at: 'before', run } });
      requireSuccess(await site.push());
      expect(second?.exitCode).toBe(EXIT.ok);
      expect(await site.read()).toMatchObject({ head: 3, faults: [] });
    });
  });

  it('refuse a store that ignores conditions, and say what to do; a single builder may use it', async () => {
    const options = { ignoresConditions: true };
    await withSite(
      store,
      async (site) => {
        site.publish();
        const refused = await site.push();
        expect(refused).toMatchObject({ exitCode: EXIT.refused, stderr: expect.stringContaining('--single-writer') });
        expect(await site.objects.keys()).toEqual(['deals-store.json']);
        for (const revision of [1, 2, 3]) {
          const next = site.publish();
          requireSuccess(await site.push('--single-writer'));
          const { records, head, faults } = await site.read();
          expect([records[0]?.snapshot, head, faults]).toEqual([next, revision, []]);
          requireSuccess(await site.pull('server'));
          expect(readCurrentId(site.server('server'))).toBe(next);
          // It says once more what is there.
          expect(requireSuccess(await site.push('--single-writer')).stdout).toContain(`is revision ${revision} of`);
        }
      },
      options,
    );
  });
});

/** Every object of the remote store. */
async function contentOf(site: RemoteSite): Promise<Record<string, string>> {
  const keys = await site.objects.keys();
  const bodies = await Promise.all(keys.map((key) => site.objects.get(key)));
  return Object.fromEntries(keys.map((key, at) => [key, bodies[at]?.toString('base64') ?? '']));
}
