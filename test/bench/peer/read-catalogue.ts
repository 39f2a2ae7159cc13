import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { currentSchema, type DealsLine, type Dictionaries, type ProductLine } from '../../../data/snapshot/format.ts';

/** A snapshot as its files have it: what the peers are filled from. Nothing of the server's index is used. */
export interface PublishedCatalogue {
  /** Its id. */
  readonly snapshot: string;
  readonly dictionaries: Dictionaries;
  readonly products: readonly ProductLine[];
  /** The lines of the deals, one after the other. */
  deals(): AsyncGenerator<DealsLine>;
}

/** Reads the current snapshot of a store. The bench has published it, so its lines are not checked again. */
export async function readPublishedCatalogue(store: string): Promise<PublishedCatalogue> {
  const { snapshot } = currentSchema.parse(JSON.parse(await readFile(join(store, 'current.json'), 'utf8')));
  const folder = join(store, snapshot);
  const products: ProductLine[] = [];
  for await (const product of readLines<ProductLine>(join(folder, 'products.ndjson'))) products.push(product);
  return {
    snapshot,
    dictionaries: JSON.parse(await readFile(join(folder, 'dictionaries.json'), 'utf8')) as Dictionaries,
    products,
    deals: () => readLines<DealsLine>(join(folder, 'deals.ndjson')),
  };
}

async function* readLines<Line>(file: string): AsyncGenerator<Line> {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    yield JSON.parse(line) as Line;
  }
}
