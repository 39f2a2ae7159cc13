import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { CONDITION_LABEL } from '../../../data/record/product.ts';
import type { DealsLine, Dictionaries, ProductLine } from '../../../data/snapshot/format.ts';
import { startServer, type Server } from '../processes.ts';

const FOLDER = import.meta.dirname;
const PROGRAM = join(FOLDER, 'fastify-sqlite');

/**
 * Installs Fastify and better-sqlite3 beside this file unless they are there. They are no dependencies of the project: only
 * who runs this case needs them, and a compiler for SQLite where no binary fits.
 */
export async function installPeer(): Promise<void> {
  // Written last: only after a compilation that went well.
  if (existsSync(join(FOLDER, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'))) return;
  process.stderr.write('installing Fastify; compiling SQLite may take two minutes\n');
  const run = promisify(execFile);
  await run('npm', ['ci'], { cwd: FOLDER });
  // The one package of them whose install script is needed.
  await run('npm', ['rebuild', 'better-sqlite3', '--ignore-scripts=false'], { cwd: FOLDER });
}

/** A snapshot as its files have it: what the peer is filled from. Nothing of the server's index is used. */
export interface Published {
  readonly snapshot: string;
  readonly dictionaries: Dictionaries;
  readonly products: readonly ProductLine[];
  readonly deals: readonly DealsLine[];
  /** Some ids of products with so many deals, new and refurbished together; of those with the most, where none has. */
  idsWithDeals(least: number, most: number, count: number): readonly string[];
}

/** Reads the current snapshot of a store. */
export function readPublished(store: string): Published {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(store, file), 'utf8'));
  const readLines = (file: string): unknown[] => {
    const lines = readFileSync(join(store, file), 'utf8').trimEnd().split('\n');
    return lines.map((line): unknown => JSON.parse(line));
  };
  const { snapshot } = read('current.json') as { readonly snapshot: string };
  const products = readLines(`${snapshot}/products.ndjson`) as ProductLine[];
  const deals = readLines(`${snapshot}/deals.ndjson`) as DealsLine[];
  return {
    snapshot,
    dictionaries: read(`${snapshot}/dictionaries.json`) as Dictionaries,
    products,
    deals,
    idsWithDeals: (least, most, count) => {
      const counts = new Map<string, number>();
      for (const { product, rank } of deals) {
        const id = products[product]?.id ?? '';
        counts.set(id, (counts.get(id) ?? 0) + rank.length);
      }
      const byCount = [...counts].sort(([, a], [, b]) => b - a);
      const fitting = byCount.filter(([, dealCount]) => dealCount >= least && dealCount <= most);
      return (fitting.length === 0 ? byCount : fitting).slice(0, count).map(([id]) => id);
    },
  };
}

/** Makes the database of Fastify. `publicUrl` is put before the paths of pictures, as the server does. */
export async function fillSqlite(published: Published, file: string, publicUrl: string): Promise<void> {
  const child = spawn(process.execPath, [join(PROGRAM, 'fill.mjs'), file], { stdio: ['pipe', 'inherit', 'inherit'] });
  const ended = once(child, 'exit');
  await pipeline(Readable.from(writeChunks(published, publicUrl)), child.stdin);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`fill.mjs: expected exit code 0, got ${code}`);
}

/** Starts Fastify on a database that `fillSqlite` made. */
export function startFastify(file: string, currency: string, logFile: string): Promise<Server> {
  return startServer([join(PROGRAM, 'serve.mjs'), file, currency], logFile);
}

/** A row of a table of `fastify-sqlite/schema.sql`: the table, then its columns in order. */
type TableRow = readonly [table: string, ...values: (string | number | null)[]];

function* writeChunks(published: Published, publicUrl: string): Generator<string> {
  let chunk = '';
  for (const row of writeTables(published, publicUrl)) {
    chunk += `${JSON.stringify(row)}\n`;
    if (chunk.length < 65_536) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

function* writeTables({ dictionaries, products, deals }: Published, publicUrl: string): Generator<TableRow> {
  const place = (url: string): string => (url.startsWith('/') ? publicUrl + url : url);
  for (const [row, { id, slug, name, logos }] of dictionaries.networks.entries()) {
    const { small, medium, large, deal } = logos;
    yield ['networks', row, id, slug, name, place(small), place(medium), place(large), place(deal)];
  }
  for (const [row, { id, name, logos }] of dictionaries.retailers.entries()) {
    yield ['retailers', row, id, name, place(logos.large), place(logos.deal)];
  }
  for (const [row, plan] of dictionaries.plans.entries()) {
    const { network, dealType, contractName, contractMonths, dataMegabytes, callMinutes, textMessages } = plan;
    const allowances = [dataMegabytes, callMinutes, textMessages].map((each) => (each === 'unlimited' ? null : each));
    yield ['plans', row, network, dealType, contractName, contractMonths, ...allowances];
  }
  // Numbered from 1: in a deal 0 means none.
  for (const [row, { name, image }] of dictionaries.gifts.entries()) yield ['gifts', row + 1, name, place(image)];
  for (const [row, { type, valuePence }] of dictionaries.cashbacks.entries()) {
    yield ['cashbacks', row + 1, type, valuePence];
  }
  for (const [row, { id, condition, name, slug, images }] of products.entries()) {
    const image = place(images['largeFrontImageWebp'] ?? '');
    yield ['products', row, id, CONDITION_LABEL[condition], name, slug, image];
  }
  for (const line of deals) yield* writeDeals(line, dictionaries, place);
}

function* writeDeals(line: DealsLine, dictionaries: Dictionaries, place: (url: string) => string): Generator<TableRow> {
  for (const [i, rank] of line.rank.entries()) {
    const plan = line.plan[i] as number;
    const picture = line.picture?.[i] ?? 0;
    const template = dictionaries.linkTemplates[line.linkTemplate[i] as number];
    yield [
      'deals',
      line.product,
      rank,
      plan,
      dictionaries.plans[plan]?.network ?? null,
      line.retailer[i] as number,
      line.totalPence[i] as number,
      line.upfrontPence[i] as number,
      line.monthlyPence[i] as number,
      line.gift?.[i] || null,
      line.cashback?.[i] || null,
      picture === 0 ? null : place(dictionaries.pictures[picture - 1] ?? ''),
      `${template?.prefix}${line.linkPart[i]}${template?.suffix}`,
    ];
  }
}
