import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { startServer, type Server } from '../server-process.ts';
import { headerOf, readResponse, type RawResponse } from '../read-response.ts';

/** A product or a deal, as an answer has it. */
export type Item = Readonly<Record<string, unknown>>;

/** What answers about products are. */
export interface ProductsBody {
  readonly products: readonly Item[];
  readonly deals?: readonly Item[];
}

/**
 * Writes the `db.json` of json-server from the answers of a running server: `products` with their `cheapestDeal`, in the
 * default order, and `deals`, each with what json-server needs to find and sort it: its product, and its costs as numbers.
 */
export async function writeJsonDatabase(
  url: string,
  headers: Readonly<Record<string, string>>,
  file: string,
): Promise<void> {
  await pipeline(Readable.from(writeDatabase(url, headers)), createWriteStream(file));
}

/** Starts json-server on a file that `writeJsonDatabase` wrote. */
export function startJsonServer(file: string): Promise<Server> {
  const args = [join(import.meta.dirname, 'json-server.mjs'), file];
  return startServer({ command: process.execPath, args, env: { NODE_ENV: 'production' } });
}

/** The body of an answer about products. @throws {Error} when it is no answer */
export function parseProducts({ status, body }: RawResponse): ProductsBody {
  if (status !== 200) throw new Error(`expected 200, got ${status}: ${body.toString('utf8', 0, 200)}`);
  return JSON.parse(body.toString('utf8')) as ProductsBody;
}

/** The body of an answer of json-server. @throws {Error} when it is no answer */
export function parseItems({ status, body }: RawResponse): readonly Item[] {
  if (status !== 200) throw new Error(`expected 200, got ${status}: ${body.toString('utf8', 0, 200)}`);
  return JSON.parse(body.toString('utf8')) as readonly Item[];
}

/** A deal of json-server without what was added for finding it. */
export function withoutSearchMembers(deal: Item): Item {
  const added = Object.keys(searchMembers('', deal));
  return Object.fromEntries(Object.entries(deal).filter(([key]) => !added.includes(key)));
}

async function* writeDatabase(url: string, headers: Readonly<Record<string, string>>): AsyncGenerator<string> {
  const products = await readAllProducts(url, headers);
  yield `{"products":${JSON.stringify(products)},"deals":[`;
  let separator = '';
  for (const id of new Set(products.map((product) => String(product['id'])))) {
    const { deals = [] } = parseProducts(
      await readResponse(`${url}/deals/v1/products/${id}/?expand=products(deals)`, headers),
    );
    for (const deal of deals) {
      yield `${separator}${JSON.stringify({ ...deal, ...searchMembers(id, deal) })}`;
      separator = ',\n';
    }
  }
  yield ']}\n';
}

function searchMembers(productId: string, deal: Item): Item {
  return {
    productId,
    upfrontCost: Number(deal['productUpfrontCost']),
    totalCost: Number(deal['totalDealCost']),
  };
}

async function readAllProducts(url: string, headers: Readonly<Record<string, string>>): Promise<readonly Item[]> {
  const products: Item[] = [];
  let next: string | undefined = '/deals/v1/products/?expand=products(cheapestDeal)&limit=100';
  while (next !== undefined) {
    const answer = await readResponse(url + next, headers);
    products.push(...parseProducts(answer).products);
    next = /<([^>]*)>; rel="next"/.exec(headerOf(answer, 'Link') ?? '')?.[1];
  }
  return products;
}
