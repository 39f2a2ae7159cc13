import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCases } from '../../support/cases.ts';
import { formatCsv } from '../../support/csv.ts';
import type { Catalogue } from './catalogue.ts';
import { NETWORKS, RETAILERS } from './row-groups.ts';
import type { FeedName, Row } from './rows.ts';

type Cells = Readonly<Record<string, string>>;

/** The configuration, and the cells of each feed as texts with placeholders; a cell that is an object is JSON. */
const SOURCES = readCases(import.meta.dirname, 'sources.json') as {
  readonly config: object;
  readonly columns: Readonly<Record<FeedName, Readonly<Record<string, string | Cells>>>>;
};

/** Writes the configuration, the CMS export and the feeds of a seed into a folder; returns the configuration's path. */
export function writeSources(folder: string, catalogue: Catalogue, rows: readonly Row[]): string {
  mkdirSync(folder, { recursive: true });
  const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);
  write('site.json', JSON.stringify(describeCms(catalogue), null, 1));
  // The price tells rows of one product apart, so that none is a duplicate of another.
  const filled = rows.map((row, at) => ({ row, values: valuesOf(row, (10 + (at % 30_000) / 100).toFixed(2)) }));
  const files = ['house.csv', 'awin.csv', 'shopping.tsv', 'sheet.csv'];
  for (const file of files) {
    const feed = file.slice(0, -4) as FeedName;
    const cells = filled.filter(({ row }) => row.feed === feed).map(({ values }) => cellsOf(feed, values));
    write(file, formatCsv(Object.keys(SOURCES.columns[feed]), cells, file.endsWith('.tsv') ? '\t' : ','));
  }
  write('catalogue.json', JSON.stringify(SOURCES.config, null, 1));
  return join(folder, 'catalogue.json');
}

function describeCms({ products }: Catalogue): unknown {
  const names = new Map(products.map(({ phone }) => [slugOf(phone.maker), phone.maker]));
  return {
    products: products.map(({ id, condition, name, phone, gtin, edition, version, stated }) => ({
      id,
      condition,
      name,
      slug: `${slugOf(name)}-${id}`,
      model: slugOf(`${phone.maker} ${phone.series} ${phone.words}${phone.is5gForm ? ' 5g' : ''}`),
      manufacturer: slugOf(phone.maker),
      matches: { names: stated === '' ? [] : [stated], gtins: [gtin], feedIds: { awin: [edition, version] } },
    })),
    networks: NETWORKS,
    retailers: RETAILERS,
    manufacturers: [...names].map(([slug, name]) => ({ slug, name })),
  };
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('+', ' plus ')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** What the placeholders of `columns` stand for. */
function valuesOf({ network, retailer, condition, ...row }: Row, monthly: string): Cells {
  const { key, name, productId, gtin, edition, version, colour, storage } = row;
  return {
    key,
    name,
    productId,
    gtin,
    edition,
    version,
    colour,
    storage,
    condition,
    monthly,
    keyTail: key.slice(1),
    total: (9.99 + 24 * Number(monthly)).toFixed(2),
    conditionOrNew: condition === '' ? 'new' : condition,
    conditionTitle: { '': '', new: 'New', refurbished: 'Refurbished' }[condition],
    networkName: network.name,
    secondNetworkName: network.second ?? network.name,
    networkId: network.id,
    retailerName: retailer.name,
    retailerId: retailer.id,
    retailerSlug: retailer.slug ?? '',
  };
}

function cellsOf(feed: FeedName, values: Cells): Cells {
  const fill = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] as string);
  const fillAll = (texts: Cells): Cells =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(text)]));
  return Object.fromEntries(
    Object.entries(SOURCES.columns[feed]).map(([column, cell]) => [
      column,
      typeof cell === 'string' ? fill(cell) : JSON.stringify(fillAll(cell)),
    ]),
  );
}
