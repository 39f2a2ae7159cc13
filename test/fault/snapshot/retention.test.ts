import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEPT_SNAPSHOTS } from '../../../data/store/layout.ts';
import { until } from '../../harness.ts';
import { byTier, TIER } from '../tier.ts';
import { createNightlyStore, type NightlyStore } from './nightly-store.ts';
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
});

function isServed(answers: readonly SeenAnswer[], id: string): boolean {
  return answers.slice(-1_000).some(({ snapshot }) => snapshot === id);
}
