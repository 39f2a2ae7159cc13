import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { pruneSnapshots } from '../../../build/publish/prune.ts';
import { verifySnapshot } from '../../../build/publish/verify.ts';
import { KEPT_SNAPSHOTS } from '../../../data/store/layout.ts';
import { createTemporaryFolder, publishNumber } from '../../unit/build/publish/temporary-store.ts';
import { requireSuccess } from '../../unit/cli/run-deals.ts';
import { until } from '../../harness.ts';
import { isMissing, root, tool } from '../needs.ts';
import { byTier, TIER } from '../tier.ts';
import { createNightlyStore, type NightlyStore } from './nightly-store.ts';
import { runDeals } from '../run-deals.ts';
import { serveProgram, type ServingProgram } from '../running-program.ts';
import { startClients, type SeenAnswer } from './steady-clients.ts';

const NIGHTS = byTier({ first: 0, second: KEPT_SNAPSHOTS + 5, long: 60 });

let night: NightlyStore;

beforeAll(async () => {
  night = await createNightlyStore();
});
afterAll(() => night.remove());

/** Fetches the first page, then every picture that it shows and the pages that follow, as a browser would. */
class Browser {
  readonly #url: string;
  readonly #waiting: string[] = [];
  pictureCount = 0;
  walkCount = 0;

  constructor(url: string) {
    this.#url = url;
  }

  next(last: SeenAnswer | undefined): string {
    if (last !== undefined) this.#take(last);
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) {
      if (waiting.includes('/images/')) this.pictureCount++;
      return new URL(waiting, this.#url).href;
    }
    this.walkCount++;
    return `${this.#url}/deals/v1/products/?limit=1&expand=products(images)`;
  }

  #take({ body, link }: SeenAnswer): void {
    if (body.startsWith('{')) {
      const pictures = [...body.matchAll(/https?:[^"]*\/images\/[^"]+/g)].map(([url]) => url);
      this.#waiting.push(...new Set(pictures));
    }
    const next = /<([^>]+)>; rel="next"/.exec(link)?.[1];
    if (next !== undefined) this.#waiting.push(next);
  }
}

describe('nothing that a running server holds is ever removed', () => {
  let server: ServingProgram;
  beforeAll(async () => {
    await night.publish(1);
    server = await serveProgram({ ...night, args: ['--access-log', 'off'] });
  });
  afterAll(() => server.stop());

  it.skipIf(TIER === 'first')(
    `${NIGHTS} nights, each two hours after the last: every page and picture is there`,
    async () => {
      const browsers = Array.from({ length: 4 }, () => new Browser(server.url));
      const lastOf: (SeenAnswer | undefined)[] = [];
      const clients = startClients(
        browsers.length,
        night.key,
        (client) => browsers[client]?.next(lastOf[client]) ?? server.url,
        (client, answer) => (lastOf[client] = answer),
      );
      const firstImages = readdirSync(join(night.store, 'images'));
      for (let number = 2; number <= NIGHTS; number++) {
        night.age();
        const id = await night.publish(number);
        await until(async () => clients.answers.at(-1)?.snapshot === id || isServed(clients.answers, id), 10_000);
      }
      await clients.stop();
      const statuses = new Map<number, number>();
      for (const { status } of clients.answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      // A walk that goes on over three snapshots is told to begin again; here one takes milliseconds.
      expect({ failures: clients.failures, statuses: Object.fromEntries(statuses) }).toEqual({
        failures: [],
        statuses: { 200: clients.answers.length },
      });
      expect(browsers.every(({ pictureCount, walkCount }) => pictureCount > 0 && walkCount > 0)).toBe(true);
      expect(server.events().filter(({ event }) => event?.startsWith('picture-'))).toEqual([]);
      // It was put to the test: there were snapshots and pictures to remove, and they were removed.
      expect(night.listIds()).toHaveLength(KEPT_SNAPSHOTS);
      expect(firstImages.filter((name) => !readdirSync(join(night.store, 'images')).includes(name))).not.toEqual([]);
    },
    600_000,
  );

  it.skipIf(TIER === 'first')(
    'also not what was rolled back to, nor what was served just before the next night',
    async () => {
      const oldest = [...night.listIds()].sort()[0] ?? '';
      requireSuccess(await runDeals(['rollback', '--store', night.store, '--to', oldest]));
      night.age();
      const pictures = readFileSync(join(night.store, oldest, 'pictures.ndjson'), 'utf8')
        .trimEnd()
        .split('\n');
      const paths = pictures.map((line) => (JSON.parse(line) as { readonly path: string }).path);
      const served = async (): Promise<string | null> => (await ask('/deals/v1/products/')).headers.get('x-snapshot');
      const ask = (path: string) => fetch(server.url + path, { headers: { 'x-api-key': night.key } });
      await until(async () => (await served()) === oldest, 5_000);
      const next = await night.publish(541);
      await until(async () => (await served()) === next, 5_000);
      // The server goes on with it for a quarter of an hour.
      expect(night.listIds()).toContain(oldest);
      const statuses = await Promise.all(paths.map(async (path) => (await ask(path)).status));
      expect([...new Set(statuses)]).toEqual([200]);
      // Two hours later no client does.
      night.age();
      await night.publish(542);
      expect(night.listIds()).not.toContain(oldest);
    },
  );
});

describe('on an overlay file system, which renames no folder of its lower layer', () => {
  it.skipIf(isMissing('retiring on an overlay', root, tool('mount')))('what is retired is deleted all the same', () => {
    const disk = createTemporaryFolder();
    // A layer of an overlay may not itself be one.
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', disk]);
    onTestFinished(() => void execFileSync('umount', [disk]));
    const [lower, upper, work, store] = ['lower', 'upper', 'work', 'store'].map((name) => join(disk, name)) as [
      string,
      string,
      string,
      string,
    ];
    for (const folder of [lower, upper, work, store]) mkdirSync(folder);
    const ids = Array.from({ length: KEPT_SNAPSHOTS + 1 }, (_, number) => publishNumber(lower, number + 1).id);
    const [oldest = ''] = ids;
    mkdirSync(join(lower, 'images', 'no-longer-shown'), { recursive: true });
    for (const folder of [...ids, 'images/no-longer-shown']) utimesSync(join(lower, folder), 0, 0);
    const layers = `lowerdir=${lower},upperdir=${upper},workdir=${work}`;
    execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', layers, store]);
    onTestFinished(() => void execFileSync('umount', [store]));
    expect(pruneSnapshots(store).snapshots).toEqual([oldest]);
    expect(readdirSync(store).toSorted()).toEqual([...ids.slice(1), 'current.json', 'images', 'previous.json']);
    expect(readdirSync(join(store, 'images'))).toEqual([]);
    // The same content within the same minute takes the name of what is there.
    writeFileSync(join(store, ids.at(-1) ?? '', 'deals.ndjson'), '');
    expect(publishNumber(store, KEPT_SNAPSHOTS + 1)).toMatchObject({ outcome: 'published', id: ids.at(-1) });
    expect(verifySnapshot(store, ids.at(-1) ?? '')).toEqual([]);
  });
});

function isServed(answers: readonly SeenAnswer[], id: string): boolean {
  return answers.slice(-1_000).some(({ snapshot }) => snapshot === id);
}
