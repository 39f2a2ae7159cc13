import { MEGABYTES_PER_GIGABYTE, UNLIMITED_MARKER, type Allowance } from '../data/record/amount.ts';
import type { Manifest, Manufacturer, ProductLine } from '../data/snapshot/format.ts';
import { openSnapshotLines, parseLines, readDictionaries, type SnapshotLines } from '../data/store/lines.ts';
import { readDeals, type PublishedDeal } from '../data/store/published-deals.ts';
import { readManifest } from '../data/store/snapshots.ts';
import { defineCommand, EXIT, type Context, type ExitCode } from './console/command.ts';
import { CONFIG, option, requireSnapshot, STORE, type StoreOptions } from './console/options.ts';

/** A deal of a snapshot with all that it names. */
interface ExportedDeal extends PublishedDeal {
  readonly product: ProductLine;
  readonly snapshot: string;
  readonly currency: string;
  readonly manufacturer: Manufacturer | undefined;
}

/** A column. Its key is lower case with underscores, which SQL engines read without quotes. */
interface ExportColumn {
  readonly key: string;
  readonly type: 'text' | 'integer';
  readonly meaning: string;
  readonly unit?: string | undefined;
  /** Some deals have no value. */
  readonly isOptional?: true;
  readonly value: (deal: ExportedDeal) => string | number | undefined;
}

/** Unlimited data in megabytes: 1,000 times the marker that responses have in gigabytes. */
const UNLIMITED_MEGABYTES = UNLIMITED_MARKER * MEGABYTES_PER_GIGABYTE;

const PENCE = 'hundredths of the currency';

function text(key: string, meaning: string, value: (deal: ExportedDeal) => string | undefined): ExportColumn {
  return { key, type: 'text', meaning, value };
}

function integer(
  key: string,
  meaning: string,
  unit: string | undefined,
  value: (deal: ExportedDeal) => number | undefined,
): ExportColumn {
  return { key, type: 'integer', meaning, unit, value };
}

function optional(column: ExportColumn): ExportColumn {
  return { ...column, isOptional: true };
}

/**
 * The columns of `deals export` in the order in which they are written. The header, the keys, the types and the tables of
 * data/spec/export.md follow this table.
 */
export const EXPORT_COLUMNS: readonly ExportColumn[] = [
  text(
    'snapshot',
    'id of the snapshot, which begins with its date: exports of several days fit into one table',
    ({ snapshot }) => snapshot,
  ),
  text('currency', 'code of the currency', ({ currency }) => currency),
  text('product_id', 'id of the product; a new and a refurbished product may share one', ({ product }) => product.id),
  text('condition', '`new` or `refurbished`', ({ product }) => product.condition),
  text('product_name', 'name of the product', ({ product }) => product.name),
  text('product_slug', 'slug of the product', ({ product }) => product.slug),
  optional(text('model', 'slug that the variants of a product share', ({ product }) => product.model)),
  optional(text('manufacturer_slug', 'slug of the manufacturer', ({ product }) => product.manufacturer)),
  optional(text('manufacturer_name', 'name of the manufacturer', ({ manufacturer }) => manufacturer?.name)),
  text('network_id', 'id of the network', ({ network }) => network.id),
  text('network_slug', 'slug of the network', ({ network }) => network.slug),
  text('network_name', 'name of the network', ({ network }) => network.name),
  text('deal_type', 'kind of deal, a lower-case word', ({ plan }) => plan.dealType),
  text('contract_name', 'name of the contract plan', ({ plan }) => plan.contractName),
  integer('contract_months', 'contract length', 'months', ({ plan }) => plan.contractMonths),
  integer('data_megabytes', `monthly data; ${UNLIMITED_MEGABYTES} is unlimited`, 'megabytes', ({ plan }) =>
    markUnlimited(plan.dataMegabytes, UNLIMITED_MEGABYTES),
  ),
  integer('call_minutes', `monthly calls; ${UNLIMITED_MARKER} is unlimited`, 'minutes', ({ plan }) =>
    markUnlimited(plan.callMinutes, UNLIMITED_MARKER),
  ),
  integer('text_messages', `monthly texts; ${UNLIMITED_MARKER} is unlimited`, 'texts', ({ plan }) =>
    markUnlimited(plan.textMessages, UNLIMITED_MARKER),
  ),
  text('retailer_id', 'id of the retailer', ({ retailer }) => retailer.id),
  text('retailer_slug', 'slug of the retailer', ({ retailer }) => retailer.slug),
  text('retailer_name', 'name of the retailer', ({ retailer }) => retailer.name),
  optional(text('gift_name', 'name of the gift', ({ gift }) => gift?.name)),
  optional(text('cashback_type', 'cashback description', ({ cashback }) => cashback?.type)),
  optional(integer('cashback_pence', 'cashback amount', PENCE, ({ cashback }) => cashback?.valuePence)),
  integer('upfront_pence', 'upfront cost', PENCE, ({ upfrontPence }) => upfrontPence),
  integer('monthly_pence', 'cost a month', PENCE, ({ monthlyPence }) => monthlyPence),
  integer('total_pence', 'total cost over the contract', PENCE, ({ totalPence }) => totalPence),
  integer(
    'rank',
    'position in the order of total cost over the whole catalogue, from 0; unique in a snapshot',
    undefined,
    ({ rank }) => rank,
  ),
  text('feed', 'name of the feed that the deal comes from', ({ feed }) => feed),
  text('deal_key', "the feed's own id of the deal, unique for a retailer within a feed", ({ key }) => key),
  text('link', 'URL used to take the deal', ({ link }) => link),
];

function markUnlimited(allowance: Allowance, marker: number): number {
  return allowance === 'unlimited' ? marker : allowance;
}

/**
 * What a spreadsheet may read as a formula (`=1+1`, also after white space or in full-width letters), and the apostrophe
 * that marks such a text. A marked text is one of these too, so the mark can always be taken off again.
 */
const NEEDS_APOSTROPHE = /^[\s\p{Cc}=+\-@＝＋－＠']/u;

const EXPORT_FORMAT_NAMES = ['ndjson', 'csv'] as const;

type ExportFormatName = (typeof EXPORT_FORMAT_NAMES)[number];

/** What is before the first record. */
const HEADERS: Readonly<Record<ExportFormatName, string>> = {
  ndjson: '',
  csv: `${EXPORT_COLUMNS.map(({ key }) => key).join(',')}\n`,
};

/**
 * NDJSON: an object with every key, null when it is empty. CSV: RFC 4180 with line feeds; texts are in quotes, numbers are not, an
 * empty cell has neither.
 */
function writeRecord(deal: ExportedDeal, format: ExportFormatName): string {
  if (format === 'csv') return `${EXPORT_COLUMNS.map(({ value }) => writeCell(value(deal))).join(',')}\n`;
  return `{${EXPORT_COLUMNS.map(({ key, value }) => `"${key}":${JSON.stringify(value(deal) ?? null)}`).join(',')}}\n`;
}

function writeCell(value: string | number | undefined): string {
  if (typeof value !== 'string') return String(value ?? '');
  return `"${NEEDS_APOSTROPHE.test(value) ? "'" : ''}${value.replaceAll('"', '""')}"`;
}

/** The least text of a chunk but the last. */
const CHUNK_LENGTH = 128 * 1024;

/**
 * The deals of a published snapshot as chunks of UTF-8: products in order of id, the deals of each in order of total
 * cost. Every file is compared with its hash before the first chunk, and again while it is read. What is in memory
 * depends on the products and plans, not on the number of deals.
 * @throws {SnapshotError} before the first chunk when a file is damaged; later when it was changed since
 */
function* writeDeals(store: string, manifest: Manifest, format: ExportFormatName): Generator<Buffer> {
  let chunk = HEADERS[format];
  for (const deal of readExported(openSnapshotLines(store, manifest), manifest.id)) {
    chunk += writeRecord(deal, format);
    if (chunk.length < CHUNK_LENGTH) continue;
    yield Buffer.from(chunk);
    chunk = '';
  }
  yield Buffer.from(chunk);
}

function* readExported(lines: SnapshotLines, snapshot: string): Generator<ExportedDeal> {
  const { currency, manufacturers } = readDictionaries(lines);
  const products = [...parseLines<ProductLine>(lines('products.ndjson'), 'products.ndjson')];
  for (const deal of readDeals(lines)) {
    // Deals are those of the products of their snapshot.
    const product = products[deal.productRow] as ProductLine;
    const manufacturer = manufacturers.find(({ slug }) => slug === product.manufacturer);
    yield { ...deal, product, snapshot, currency: currency.code, manufacturer };
  }
}

interface ExportOptions extends StoreOptions {
  readonly format: ExportFormatName;
  readonly snapshot?: string;
}

/** Writes the deals of a snapshot as flat records. */
export const createExportCommand = defineCommand<ExportOptions>({
  name: 'export',
  description: 'write the deals of a snapshot as flat records, for analysis engines and spreadsheets',
  options: [
    option('-f, --format <format>', 'NDJSON for engines, CSV for spreadsheets')
      .choices(EXPORT_FORMAT_NAMES)
      .makeOptionMandatory(),
    STORE,
    CONFIG,
    option('--snapshot <id>', 'export this snapshot (default: the current one)'),
  ],
  note: 'A damaged snapshot ends with exit code 1. data/spec/export.md describes the columns.',
  examples: [
    'deals export --format csv > deals.csv',
    'deals export --format ndjson --store dist/catalogue | grep -c \'"condition":"new"\'',
  ],
  run: exportDeals,
});

async function exportDeals({ output }: Context, options: ExportOptions): Promise<ExitCode> {
  const { store, id } = await requireSnapshot(options, options.snapshot);
  let isBegun = false;
  try {
    for (const chunk of writeDeals(store, readManifest(store, id), options.format)) {
      isBegun = true;
      if (!(await output.longResult(chunk))) break;
    }
    return EXIT.ok;
  } catch (error) {
    if (isBegun) output.warn('The records on stdout are not complete: do not use them.');
    throw error;
  }
}
