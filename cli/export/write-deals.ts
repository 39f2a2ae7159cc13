import type { DealsLine, Manifest, Network, ProductLine, ProvenanceLine } from '../../data/snapshot/format.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import {
  openSnapshotLines,
  parseLines,
  readDealLines,
  readDictionaries,
  type SnapshotLines,
} from '../../data/store/lines.ts';
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
  for (const deal of readDeals(openSnapshotLines(store, manifest), manifest.id)) {
    count++;
    chunk += write(deal);
    if (chunk.length < CHUNK_LENGTH) continue;
    yield Buffer.from(chunk);
    chunk = '';
  }
  if (count !== manifest.counts.deals) throw malformed(`${manifest.counts.deals} deals`, String(count));
  yield Buffer.from(chunk);
}

function* readDeals(lines: SnapshotLines, snapshot: string): Generator<ExportedDeal> {
  const { currency, networks, manufacturers, plans, retailers, gifts, cashbacks, linkTemplates } =
    readDictionaries(lines);
  const products = [...parseLines<ProductLine>(lines('products.ndjson'), 'products.ndjson')];
  for (const { deals, provenance } of readDealLines(lines)) {
    checkLengths(deals, provenance);
    const product = entryAt(products, deals.product);
    const manufacturer = manufacturers.find(({ slug }) => slug === product.manufacturer);
    for (let i = 0; i < deals.rank.length; i++) {
      const plan = entryAt(plans, deals.plan[i]);
      const { prefix, suffix } = entryAt(linkTemplates, deals.linkTemplate[i]);
      // All arrays have the same length.
      yield {
        snapshot,
        currency: currency.code,
        product,
        manufacturer,
        plan,
        network: entryAt<Network>(networks, plan.network),
        retailer: entryAt(retailers, deals.retailer[i]),
        gift: numberedAt(gifts, deals.gift?.[i]),
        cashback: numberedAt(cashbacks, deals.cashback?.[i]),
        upfrontPence: deals.upfrontPence[i] as number,
        monthlyPence: deals.monthlyPence[i] as number,
        totalPence: deals.totalPence[i] as number,
        rank: deals.rank[i] as number,
        feed: provenance.source[i] as string,
        key: provenance.key[i] as string,
        link: prefix + (deals.linkPart[i] as string) + suffix,
      };
    }
  }
}

function checkLengths(deals: DealsLine, { product, source, key }: ProvenanceLine): void {
  const { product: row, ...columns } = deals;
  const rowCount = deals.rank.length;
  const isEven = [source, key, ...Object.values(columns)].every(
    (cells) => cells === undefined || cells.length === rowCount,
  );
  if (!isEven || product !== row) throw malformed('parallel arrays of one product', 'others');
}

/** The caller has checked the hashes, and a build checks every number. So a wrong number is the fault of another program. */
function entryAt<Entry>(entries: readonly Entry[], position: number | undefined): Entry {
  const entry = position === undefined ? undefined : entries[position];
  if (entry === undefined) throw malformed(`numbers below ${entries.length}`, String(position));
  return entry;
}

/** Numbers begin with 1; 0 is none. */
function numberedAt<Entry>(entries: readonly Entry[], number = 0): Entry | undefined {
  return number === 0 ? undefined : entryAt(entries, number - 1);
}

function malformed(expected: string, got: string): SnapshotError {
  return new SnapshotError({ code: 'malformed-file', file: 'deals.ndjson', expected, got });
}
