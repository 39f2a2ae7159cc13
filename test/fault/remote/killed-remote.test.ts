import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifySnapshot } from '../../../build/publish/verify.ts';
import type { TestStore } from '../../support/memory-s3.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { EXIT } from '../../../cli/console/command.ts';
import { requireSuccess } from '../../unit/cli/run-deals.ts';
import { inTwoLanes } from '../publish/two-lanes.ts';
import { byTier } from '../tier.ts';
import { chooseKillPoint, HAS_STRACE, profileRun, runKilled, type RunProfile } from './kill-remote.ts';
import { isMemory, openTestStores, readCurrentId, RemoteSite, runHere, type SiteOptions } from './remote-site.ts';

/** How many pushes are killed, and how many pulls, over all kinds of stores. */
const RUNS = byTier({ first: 72, second: 1_000, long: 10_000 });
const TIMEOUT_MS = byTier({ first: 300_000, second: 2 * 3_600_000, long: 24 * 3_600_000 });

/** A remote store is used for so many pushes. */
const PUSHES_PER_SITE = 12;

/** One push in six is of a rollback. */
const ROLLBACK_SHARE = 1 / 6;

const HOURS_BETWEEN_RUNS_PER_KIND = 25;

const SEED = Number(process.env['FAULT_SEED'] ?? 1);

const stores = await openTestStores();

afterAll(() => stores.stop());

/** A shared folder is a store, too. No request reaches it: only strace finds a moment. */
const KINDS: readonly (SiteOptions & { readonly name: string; readonly store: TestStore })[] = [
  ...stores.all.map(([name, store]) => ({ name, store })),
  ...(HAS_STRACE ? [{ name: 'a folder', store: stores.memory, isFolder: true }] : []),
];

/** The pushes to a store of each kind; the pulls are as many. */
const RUNS_PER_KIND = Math.ceil(RUNS / KINDS.length);

describe.each(KINDS)('over $name', ({ store, ...options }) => {
  it(
    `a push that is killed leaves the old snapshot or the new, whole, and the next push completes (${RUNS_PER_KIND} times, seed ${SEED})`,
    async () => {
      const random = createRandom(SEED);
      const rounds = Array.from({ length: Math.ceil(RUNS_PER_KIND / PUSHES_PER_SITE) }, () =>
        createRandom(random.below(1e9)),
      );
      const profile = await profilePush(store, options);
      let pushes = 0;
      let killed = 0;
      await inTwoLanes(rounds, async (roundRandom) => {
        const site = await RemoteSite.create(store, options);
        for (let number = 1; number <= PUSHES_PER_SITE && pushes < RUNS_PER_KIND; number++) {
          pushes++;
          const isKilled = await killPush(site, number, profile, roundRandom);
          if (isKilled) killed++;
        }
        await site.remove();
      });
      expect(pushes).toBe(RUNS_PER_KIND);
      // The others had ended before the moment came.
      expect(killed).toBeGreaterThan(RUNS_PER_KIND * 0.6);
      process.stdout.write(`${killed} of ${pushes} pushes were killed\n`);
    },
    TIMEOUT_MS,
  );

  describe('a pull that is killed', () => {
    let trials: readonly PullTrial[];

    beforeAll(async () => {
      trials = await Promise.all(PULLS_FROM.map((from) => PullTrial.create(store, options, from)));
    });
    afterAll(() => Promise.all(trials.map(({ site }) => site.remove())));

    it(
      `leaves the old snapshot or the new, whole, and the next pull completes (${RUNS_PER_KIND} times, seed ${SEED})`,
      async () => {
        const random = createRandom(SEED);
        let killed = 0;
        // One at a time: the trials share the proxies of their sites.
        for (let pull = 0; pull < RUNS_PER_KIND; pull++) {
          if (await random.pick(trials).run(random)) killed++;
        }
        expect(killed).toBeGreaterThan(RUNS_PER_KIND * 0.6);
        process.stdout.write(`${killed} of ${RUNS_PER_KIND} pulls were killed\n`);
      },
      TIMEOUT_MS,
    );
  });
});

/** Those that delete what is old. */
const MORE_REQUESTS = 12;

/** What the second push to a remote store does. */
async function profilePush(store: TestStore, options: SiteOptions): Promise<RunProfile> {
  const site = await RemoteSite.create(store, options);
  requireSuccess(await pushNext(site));
  site.publish();
  const profile = await profileRun(site, site.pushWords());
  await site.remove();
  return { ...profile, requests: profile.requests === 0 ? 0 : profile.requests + MORE_REQUESTS };
}

/** Returns whether the push was killed before it had ended. */
async function killPush(site: RemoteSite, number: number, profile: RunProfile, random: Random): Promise<boolean> {
  const before = (await site.read()).records[0];
  const isRollback = number > 2 && random.isLikely(ROLLBACK_SHARE);
  // After several rollbacks there is nothing to go back to.
  const isRolledBack = isRollback && (await runHere(['rollback', '--store', site.builder])).exitCode === EXIT.ok;
  if (!isRolledBack) site.publish();
  age(site);
  const tonight = readCurrentId(site.builder);
  const point = chooseKillPoint(profile, random);
  const isKilled = await runKilled(site, site.pushWords(), point);
  const where = `push ${number}, ${JSON.stringify(point)}`;
  const left = await site.read();
  expect(left.faults, where).toEqual([]);
  expect([before?.snapshot, tonight], where).toContain(left.records[0]?.snapshot);

  const next = await site.push();
  expect(next.exitCode, `${where}: the next push: ${next.stderr}`).toBe(0);
  const { records, current, faults } = await site.read();
  // The same snapshot is not published twice.
  const revision = (before?.revision ?? 0) + 1;
  expect({ revision: records[0]?.revision, snapshot: records[0]?.snapshot, current, faults }, where).toEqual({
    revision,
    snapshot: tonight,
    current: revision,
    faults: [],
  });
  return isKilled;
}

/** As if the push before had been a day ago, where the store lets us: then a push also deletes. */
function age({ store, bucket }: RemoteSite): void {
  if (!isMemory(store)) return;
  for (const object of store.objects(bucket).values()) {
    object.modified = new Date(object.modified.getTime() - HOURS_BETWEEN_RUNS_PER_KIND * 3_600_000);
  }
}

/** What a server has when it is killed, and what is new: the first snapshot, the next, or a rollback to the one before. */
const PULLS_FROM = ['nothing', 'the old snapshot', 'the snapshot that is rolled back'] as const;

/** A remote store with a new revision, and a server that has not fetched it yet. */
class PullTrial {
  readonly site: RemoteSite;
  readonly #template: string;
  readonly #server: string;
  readonly #allowed: readonly (string | undefined)[];
  readonly #profile: RunProfile;

  private constructor(site: RemoteSite, allowed: readonly (string | undefined)[], profile: RunProfile) {
    this.site = site;
    this.#template = site.server('template');
    this.#server = site.server('server');
    this.#allowed = allowed;
    this.#profile = profile;
  }

  static async create(store: TestStore, options: SiteOptions, from: (typeof PULLS_FROM)[number]): Promise<PullTrial> {
    const site = await RemoteSite.create(store, options);
    const first = site.publish();
    requireSuccess(await site.push());
    let allowed: readonly (string | undefined)[] = [undefined, first];
    if (from !== 'nothing') {
      if (from === 'the snapshot that is rolled back') requireSuccess(await pushNext(site));
      requireSuccess(await site.pull('template'));
      const old = readCurrentId(site.builder);
      if (from === 'the old snapshot') site.publish();
      else requireSuccess(await runHere(['rollback', '--store', site.builder]));
      requireSuccess(await site.push());
      allowed = [old, readCurrentId(site.builder)];
    }
    mkdirSync(site.server('template'), { recursive: true });
    const trial = new PullTrial(site, allowed, { requests: 0, calls: new Map(), ms: 0 });
    trial.#restore();
    const profile = await profileRun(site, site.pullWords('server'));
    return new PullTrial(site, allowed, profile);
  }

  async run(random: Random): Promise<boolean> {
    this.#restore();
    const point = chooseKillPoint(this.#profile, random);
    const isKilled = await runKilled(this.site, this.site.pullWords('server'), point);
    const where = JSON.stringify(point);
    const current = readCurrentId(this.#server);
    await expectCompleted(this.site, this.#server, this.#allowed, current, where);
    return isKilled;
  }

  #restore(): void {
    rmSync(this.#server, { recursive: true, force: true });
    cpSync(this.#template, this.#server, { recursive: true });
  }
}

async function pushNext(site: RemoteSite) {
  site.publish();
  return site.push();
}

/** What a pull does not leave, but for a file that a killed one was about to rename: a build removes it. */
function findLeftovers(store: string): readonly string[] {
  const paths = readdirSync(store, { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => /(?:^|\/)\.|\.part$/.test(path) && !/^\.new-[0-9a-f]{16}$/.test(path));
}

/** After a kill the server has the old snapshot or the new one, whole, and the next pull completes what is missing. */
async function expectCompleted(
  site: RemoteSite,
  server: string,
  allowed: readonly (string | undefined)[],
  current: string | undefined,
  where: string,
): Promise<void> {
  expect(allowed, where).toContain(current);
  expect(current === undefined ? [] : verifySnapshot(server, current), where).toEqual([]);
  const next = await site.pull('server');
  expect(next.exitCode, `${where}: the next pull: ${next.stderr}`).toBe(0);
  const tonight = allowed[1] ?? '';
  expect(readCurrentId(server), where).toBe(tonight);
  expect(verifySnapshot(server, tonight), where).toEqual([]);
  expect(findLeftovers(server), where).toEqual([]);
}
