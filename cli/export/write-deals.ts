import type { Manifest, ProductLine } from '../../data/snapshot/format.ts';
import { malformed } from '../../data/snapshot/snapshot-error.ts';
import { openSnapshotLines, parseLines, readDictionaries, type SnapshotLines } from '../../data/store/lines.ts';
import { readDeals } from '../../data/store/published-deals.ts';
import type { ExportedDeal } from './columns.ts';
import { EXPORT_FORMATS, type ExportFormatName } from './formats.ts';

/** The least text of a chunk but the last. */
const CHUNK_LENGTH = 128 * 1024;

/**
 * The deals of a published snapshot as chunks of UTF-8: products in order of id, the deals of each in order of total
 * cost. Every file is compared with its hash before the first chunk, and again while it is read. What is in memory
 * depends on the products and plans, not on the number of deals.
 * @throws {SnapshotError} before the first chunk when a file is damaged; later when it was changed since
 */
export function* writeDeals(store: string, manifest: Manifest, formatName: ExportFormatName): Generator<Buffer> {
  const { header, write } = EXPORT_FORMATS[formatName];
  let count = 0;
  let chunk = header;
  for (const deal of readExported(openSnapshotLines(store, manifest), manifest.id)) {
    count++;
    chunk += write(deal);
    if (chunk.length < CHUNK_LENGTH) continue;
    yield Buffer.from(chunk);
    chunk = '';
  }
  if (count !== manifest.counts.deals)
    throw malformed('deals.ndjson', undefined, `${manifest.counts.deals} deals`, String(count));
  yield Buffer.from(chunk);
}

function* readExported(lines: SnapshotLines, snapshot: string): Generator<ExportedDeal> {
  const { currency, manufacturers } = readDictionaries(lines);
  const products = [...parseLines<ProductLine>(lines('products.ndjson'), 'products.ndjson')];
  for (const deal of readDeals(lines)) {
    const product = products[deal.productRow];
    if (product === undefined)
      throw malformed('deals.ndjson', undefined, `numbers below ${products.length}`, String(deal.productRow));
    const manufacturer = manufacturers.find(({ slug }) => slug === product.manufacturer);
    yield { ...deal, product, snapshot, currency: currency.code, manufacturer };
  }
}
