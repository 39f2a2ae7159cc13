import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import type { DealsLine, Dictionaries, ProductLine } from '../../../data/snapshot/format.ts';
import { readCurrent } from '../../../data/store/snapshots.ts';
import type { Bench } from '../bench.ts';
import { compareServers } from '../load.ts';
import { receive } from '../../support/receive.ts';
import { startServer } from '../processes.ts';
import type { BenchLine } from '../table.ts';

const PEER = join(import.meta.dirname, '../peer');
const run = promisify(execFile);

/**
 * Installs Fastify and better-sqlite3 beside their program unless they are there. They are no dependencies of the project: only
 * who runs this case needs them, and a compiler for SQLite where no binary fits.
 */
async function installPeer(): Promise<void> {
  // Written last: only after a compilation that went well.
  if (existsSync(join(PEER, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'))) return;
  process.stderr.write('installing Fastify; compiling SQLite may take two minutes\n');
  await run('npm', ['ci'], { cwd: PEER });
  // The one package of them whose install script is needed.
  await run('npm', ['rebuild', 'better-sqlite3', '--ignore-scripts=false'], { cwd: PEER });
}

/** Ids of products with 500 to 1,000 deals, new and refurbished together; of those with the most, where none has. */
function listPopularIds(snapshot: string): readonly string[] {
  const readLines = <Line>(file: string) =>
    readFileSync(join(snapshot, file), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  const products = readLines<ProductLine>('products.ndjson');
  const counts = new Map<string, number>();
  for (const { product, rank } of readLines<DealsLine>('deals.ndjson')) {
    const id = products[product]?.id ?? '';
    counts.set(id, (counts.get(id) ?? 0) + rank.length);
  }
  const byCount = [...counts].sort(([, a], [, b]) => b - a);
  const fitting = byCount.filter(([, count]) => count >= 500 && count <= 1_000);
  return (fitting.length === 0 ? byCount : fitting).slice(0, 50).map(([id]) => id);
}

/** One question, as our server and Fastify are asked it. */
interface Question {
  readonly ours: string;
  readonly theirs: string;
}

/** The same questions to the server as deployed, and to Fastify with better-sqlite3, over a million deals. */
export async function measurePeer(bench: Bench): Promise<readonly BenchLine[]> {
  const { headers, isFull } = bench;
  await installPeer();
  const id = readCurrent(bench.store) ?? '';
  const snapshot = join(bench.store, id);
  const { currency, networks } = JSON.parse(readFileSync(join(snapshot, 'dictionaries.json'), 'utf8')) as Dictionaries;
  const [fill, serve] = ['fill.mjs', 'serve.mjs'].map((file) => join(PEER, 'fastify-sqlite', file)) as [string, string];
  const database = join(bench.store, '..', `${id}.sqlite`);
  if (!existsSync(database)) {
    await run(process.execPath, [fill, snapshot, 'http://pictures.example', `${database}.part`]);
    await rename(`${database}.part`, database);
  }
  const deals = await bench.serve();
  const log = join(bench.folder, 'fastify.log');
  const fastify = await bench.keep(startServer([serve, database, currency.label], log));

  const compare = async (what: string, atLeast: number, questions: readonly Question[]): Promise<BenchLine> => {
    for (const { ours, theirs } of questions) await requireSame(ours, theirs);
    return compareServers({
      what: `requests a second against Fastify with better-sqlite3: ${what}`,
      atLeast,
      ours: { server: deals, targets: questions.map(({ ours }) => ours) },
      theirs: { server: fastify, targets: questions.map(({ theirs }) => theirs) },
      figure: 'requestsPerSecond',
      headers,
      connections: 4,
      seconds: isFull ? 3 : 1,
      rounds: isFull ? 3 : 1,
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

  const filtered = networks.flatMap(({ slug }) =>
    [0, 50, 100, 199].map((pounds) => ({
      ours: `/deals/v1/products/?filter[networks]=eq{${slug}}&filter[upfrontCost]=lte{${pounds}}&expand=products(cheapestDeal)&sort=products(total-cost-asc)`,
      theirs: `/cheapest?network=${slug}&upfrontPence=${pounds * 100}&limit=20`,
    })),
  );
  const pages = listPopularIds(snapshot).map((product) => ({
    ours: `/deals/v1/products/${product}/?expand=products(deals)`,
    theirs: `/products/${product}/deals`,
  }));
  const page = { ours: '/deals/v1/products/?expand=products(cheapestDeal)', theirs: '/products?limit=20' };
  return [
    await compare('page of 20 with cheapestDeal', 3, [page]),
    await compare('deals of a product with 500 to 1,000', 3, pages),
    await compare('list by network and upfront cost, by total cost', 3, filtered),
  ];
}
