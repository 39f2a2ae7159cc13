import type { DealsLine, Manifest, Network, ProductLine, ProvenanceLine } from '../../data/snapshot/format.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import {
  openSnapshotLines,
  parseLines,
  readDealLines,
  readDictionaries,
  type SnapshotLines,
} from '../../data/store/lines.ts';
import { EXPORT_COLUMNS, type ExportParts } from './columns.ts';
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
  const lines = openSnapshotLines(store, manifest);
  const { header, start, end } = EXPORT_FORMATS[formatName];
  const parts = writeParts(lines, manifest.id, formatName);
  let count = 0;
  let chunk = header;
  for (const { deals, provenance } of readDealLines(lines)) {
    checkLengths(deals, provenance);
    const product = `${start}${parts.snapshot},${entryAt(parts.products, deals.product)}`;
    for (let i = 0; i < deals.rank.length; i++) {
      const plan = entryAt(parts.plans, deals.plan[i]);
      const retailer = entryAt(parts.retailers, deals.retailer[i]);
      const gift = entryAt(parts.gifts, deals.gift?.[i] ?? 0);
      const cashback = entryAt(parts.cashbacks, deals.cashback?.[i] ?? 0);
      const { prefix, suffix } = entryAt(parts.linkTemplates, deals.linkTemplate[i]);
      // All arrays have the same length.
      const deal = parts.writeDeal({
        upfrontPence: deals.upfrontPence[i] as number,
        monthlyPence: deals.monthlyPence[i] as number,
        totalPence: deals.totalPence[i] as number,
        rank: deals.rank[i] as number,
        feed: provenance.source[i] as string,
        key: provenance.key[i] as string,
        link: prefix + (deals.linkPart[i] as string) + suffix,
      });
      chunk += `${product},${plan},${retailer},${gift},${cashback},${deal}${end}`;
      if (chunk.length < CHUNK_LENGTH) continue;
      yield Buffer.from(chunk);
      chunk = '';
    }
    count += deals.rank.length;
  }
  if (count !== manifest.counts.deals) throw malformed(`${manifest.counts.deals} deals`, String(count));
  yield Buffer.from(chunk);
}

/** The cells that many deals share, written once: by row, or by position in a dictionary. */
interface WrittenParts {
  readonly snapshot: string;
  readonly products: readonly string[];
  readonly plans: readonly string[];
  readonly retailers: readonly string[];
  /** By number: 0 is none. */
  readonly gifts: readonly string[];
  readonly cashbacks: readonly string[];
  readonly linkTemplates: readonly { readonly prefix: string; readonly suffix: string }[];
  readonly writeDeal: (deal: ExportParts['deal']) => string;
}

function writeParts(lines: SnapshotLines, id: string, formatName: ExportFormatName): WrittenParts {
  const dictionaries = readDictionaries(lines);
  const { networks, manufacturers, linkTemplates } = dictionaries;
  const writer = <Name extends keyof ExportParts>(name: Name) => createPartWriter(name, formatName);
  const [writeProduct, writePlan] = [writer('product'), writer('plan')];
  const manufacturerOf = new Map(manufacturers.map((manufacturer) => [manufacturer.slug, manufacturer]));
  return {
    snapshot: writer('snapshot')({ id, currency: dictionaries.currency.code }),
    products: Array.from(parseLines<ProductLine>(lines('products.ndjson'), 'products.ndjson'), (line) =>
      writeProduct({ line, manufacturer: manufacturerOf.get(line.manufacturer ?? '') }),
    ),
    plans: dictionaries.plans.map((plan) => writePlan({ plan, network: entryAt<Network>(networks, plan.network) })),
    retailers: dictionaries.retailers.map(writer('retailer')),
    gifts: [undefined, ...dictionaries.gifts].map(writer('gift')),
    cashbacks: [undefined, ...dictionaries.cashbacks].map(writer('cashback')),
    linkTemplates,
    writeDeal: writer('deal'),
  };
}

/** Writes the cells of a part, joined by commas. */
function createPartWriter<Name extends keyof ExportParts>(
  name: Name,
  formatName: ExportFormatName,
): (part: ExportParts[Name]) => string {
  const { writeCell } = EXPORT_FORMATS[formatName];
  const columns = EXPORT_COLUMNS[name];
  return (part) => columns.map(({ key, value }) => writeCell(key, value(part))).join(',');
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

function malformed(expected: string, got: string): SnapshotError {
  return new SnapshotError({ code: 'malformed-file', file: 'deals.ndjson', expected, got });
}
