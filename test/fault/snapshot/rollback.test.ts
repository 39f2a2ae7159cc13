import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRandom } from '../../support/random.ts';
import { byTier } from '../tier.ts';
import { until } from '../../harness.ts';
import { flipBit } from './damage.ts';
import { createNightlyStore, type NightlyStore } from './nightly-store.ts';
import { runDeals } from '../run-deals.ts';
import { serveProgram, type ServingProgram } from '../running-program.ts';
import { startClients } from './steady-clients.ts';

const ROLLBACKS = byTier({ first: 1, second: 20, long: 100 });
const CLIENTS = 8;

let night: NightlyStore;
let older: string;
let newer: string;
let server: ServingProgram;

beforeAll(async () => {
  night = await createNightlyStore();
  older = await night.publish(1);
  newer = await night.publish(2);
  server = await serveProgram({ ...night, args: ['--access-log', 'off'] });
});
beforeEach(async () => {
  writeFileSync(join(night.store, 'current.json'), `{"snapshot":"${newer}"}\n`);
});
afterAll(async () => {
  await server.stop();
  night.remove();
});

const TARGETS = [
  '/deals/v1/products/',
  '/deals/v1/products/?expand=products(deals,cheapestDeal)',
  '/deals/v1/products/?sort=products(total-cost-asc)&expand=products(cheapestDeal)&limit=2',
  '/deals/v1/products/101/?expand=products(deals)',
];

const NEXT_BUILD = 'The next build publishes the sources again: mend, exclude or hold back what is wrong first.\n';

describe('deals rollback under load', () => {
  it(`${ROLLBACKS} times: no request fails, no answer mixes two snapshots`, async () => {
    let asked = 0;
    const clients = startClients(CLIENTS, night.key, () => server.url + (TARGETS[asked++ % TARGETS.length] ?? ''));
    for (let number = 0; number < ROLLBACKS; number++) {
      const [from, to] = number % 2 === 0 ? [newer, older] : [older, newer];
      await until(async () => clients.answers.at(-1)?.snapshot === from, 5_000);
      // Back by the order of snapshots, forward by name.
      const { exitCode, stderr } = await runDeals([
        'rollback',
        '--store',
        night.store,
        ...(to === newer ? ['--to', to] : []),
      ]);
      expect({ number, exitCode, stderr }).toEqual({ number, exitCode: 0, stderr: to === older ? NEXT_BUILD : '' });
      expect(night.current()).toBe(to);
      await until(async () => clients.answers.at(-1)?.snapshot === to, 5_000);
    }
    await clients.stop();
    const statuses = new Set(clients.answers.map(({ status }) => status));
    expect({ failures: clients.failures, statuses: [...statuses] }).toEqual({ failures: [], statuses: [200] });
    // What a snapshot answers to a question is always the same.
    const answersOf = (id: string) =>
      new Set(clients.answers.filter(({ snapshot }) => snapshot === id).map(({ body }) => body));
    const [olderBodies, newerBodies] = [answersOf(older), answersOf(newer)];
    expect(olderBodies.size).toBeLessThanOrEqual(TARGETS.length);
    expect(newerBodies.size).toBeLessThanOrEqual(TARGETS.length);
  }, 300_000);

  it('does not break a page walk that began before it', async () => {
    const ask = (path: string) => fetch(server.url + path, { headers: { 'x-api-key': night.key } });
    await until(async () => (await ask('/deals/v1/products/')).headers.get('x-snapshot') === newer, 5_000);
    const first = await ask('/deals/v1/products/?limit=1');
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect(next).not.toBe('');
    await runDeals(['rollback', '--store', night.store]);
    const seen: string[] = [];
    await until(async () => {
      const answer = await ask(next);
      seen.push(`${answer.status} ${answer.headers.get('x-snapshot')}`);
      return (await ask('/deals/v1/products/')).headers.get('x-snapshot') === older;
    }, 5_000);
    expect(new Set(seen)).toEqual(new Set([`200 ${newer}`]));
    expect((await ask(next)).status).toBe(200);
  });
});

describe('deals rollback changes nothing', () => {
  it('when the target is damaged, in any of its files', async () => {
    const random = createRandom(1);
    const lines = readFileSync(join(night.store, older, 'pictures.ndjson'), 'utf8').split('\n');
    const { path: picture } = JSON.parse(lines[0] ?? '') as { readonly path: string };
    const files = [
      join(night.store, older, 'deals.ndjson'),
      join(night.store, older, 'manifest.json'),
      join(night.store, picture),
    ];
    for (const file of byTier({ first: files.slice(0, 1), second: files, long: files })) {
      const damage = flipBit(random, file);
      const { exitCode, stderr } = await runDeals(['rollback', '--store', night.store]);
      damage.undo();
      expect({ damage: damage.what, exitCode, current: night.current() }).toEqual({
        damage: damage.what,
        exitCode: 1,
        current: newer,
      });
      expect(stderr).toContain(`nothing was changed: ${newer} is current`);
    }
  });
});
