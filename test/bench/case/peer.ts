import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Bench } from '../bench.ts';
import { compareRounds, measureInTurns, measureLoad } from '../load.ts';
import { fillSqlite, installPeer, readPublished, startFastify } from '../peer/fastify.ts';
import { receive } from '../../support/receive.ts';
import type { BenchLine } from '../table.ts';

/** One question, as our server and Fastify are asked it. */
interface Question {
  readonly ours: string;
  readonly theirs: string;
}

/** The same questions to the server as deployed, and to Fastify with better-sqlite3, over a million deals. */
export async function measurePeer(bench: Bench): Promise<readonly BenchLine[]> {
  const { headers, isFull } = bench;
  await installPeer();
  const published = readPublished(bench.store);
  const database = join(bench.store, '..', `${published.snapshot}.sqlite`);
  if (!existsSync(database)) {
    await fillSqlite(published, `${database}.part`, 'http://pictures.example');
    await rename(`${database}.part`, database);
  }
  const deals = await bench.serve();
  const currency = published.dictionaries.currency.label;
  const fastify = await bench.keep(startFastify(database, currency, join(bench.folder, 'fastify.log')));

  const compare = async (what: string, atLeast: number, questions: readonly Question[]): Promise<BenchLine> => {
    for (const { ours, theirs } of questions) await requireSame(ours, theirs);
    const load = { headers, connections: 4, seconds: isFull ? 3 : 1 };
    const rounds = await measureInTurns(
      {
        deals: () => measureLoad(deals, { ...load, targets: questions.map(({ ours }) => ours) }),
        fastify: () => measureLoad(fastify, { ...load, targets: questions.map(({ theirs }) => theirs) }),
      },
      isFull ? 3 : 1,
    );
    const against = `requests a second against Fastify with better-sqlite3: ${what}`;
    return compareRounds(rounds, {
      what: against,
      atLeast,
      one: 'deals',
      other: 'fastify',
      figure: 'requestsPerSecond',
    });
  };

  /** @throws {Error} when products, deals, their order, a value or the total differ */
  const requireSame = async (ours: string, theirs: string): Promise<void> => {
    const [expected, got] = await Promise.all([receive(deals.url, ours, headers), receive(fastify.url, theirs)]);
    const isSame =
      expected.headers['x-total-count'] === got.headers['x-total-count'] &&
      isDeepStrictEqual(JSON.parse(expected.body.toString()), JSON.parse(got.body.toString()));
    if (!isSame) throw new Error(`Fastify: ${theirs} is answered otherwise than ${ours}`);
  };

  const filtered = published.dictionaries.networks.flatMap(({ slug }) =>
    [0, 50, 100, 199].map((pounds) => ({
      ours: `/deals/v1/products/?filter[networks]=eq{${slug}}&filter[upfrontCost]=lte{${pounds}}&expand=products(cheapestDeal)&sort=products(total-cost-asc)`,
      theirs: `/cheapest?network=${slug}&upfrontPence=${pounds * 100}&limit=20`,
    })),
  );
  const pages = published.idsWithDeals(500, 1_000, 50).map((id) => ({
    ours: `/deals/v1/products/${id}/?expand=products(deals)`,
    theirs: `/products/${id}/deals`,
  }));
  const page = { ours: '/deals/v1/products/?expand=products(cheapestDeal)', theirs: '/products?limit=20' };
  return [
    await compare('page of 20 with cheapestDeal', 3, [page]),
    await compare('deals of a product with 500 to 1,000', 3, pages),
    await compare('list by network and upfront cost, by total cost', 3, filtered),
  ];
}
