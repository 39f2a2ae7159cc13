import { cpSync, createWriteStream, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { formatCsv } from '../../support/csv.ts';
import { FEEDS, streamDealsFeed } from './deals-feed.ts';
import { enlargeCms, SAMPLE } from './enlarged-sample.ts';

export interface CatalogueOptions {
  /** Made if it is not there. */
  readonly folder: string;
  readonly productCount: number;
  /** Deals that a build serves, of `deals` feeds; rows, of an Awin feed. */
  readonly dealCount: number;
  readonly shape: 'deals' | 'awin';
}

const SEED = 20_261_122;

/** Writes the sources of a catalogue, the configuration last; the same options give the same bytes. */
export async function writeCatalogue({ folder, productCount, dealCount, shape }: CatalogueOptions): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'feeds'), { recursive: true });
  cpSync(join(SAMPLE, 'cms/images'), join(folder, 'cms/images'), { recursive: true });
  const { cms, phones } = enlargeCms(productCount);
  writeFileSync(join(folder, 'cms/catalogue.json'), JSON.stringify(cms));
  const feeds: Record<string, Iterable<string>> = {};
  if (shape === 'awin') feeds['awin'] = streamAwinFeed(dealCount);
  else {
    for (const [at, feed] of FEEDS.entries()) {
      const options = { seed: SEED + at * 1_000, dealCount: Math.round(feed.share * dealCount) };
      feeds[feed.name] = streamDealsFeed(feed, phones, options);
    }
  }
  for (const [name, lines] of Object.entries(feeds)) {
    await pipeline(Readable.from(endLines(lines)), createWriteStream(join(folder, `feeds/${name}.csv`)));
  }
  const configured = Object.keys(feeds).map((name) => ({ name, adapter: shape, files: [`feeds/${name}.csv`] }));
  const sources = { cms: [{ name: 'site', adapter: 'catalogue', files: ['cms/*.json'] }], feeds: configured };
  writeFileSync(join(folder, 'catalogue.json'), JSON.stringify({ store: '../store', ...sources }));
}

function* endLines(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield `${line}\n`;
}

/**
 * The lines of an Awin download with all its columns, some four kilobytes each: the rows of the sample again and again,
 * each time a penny dearer.
 */
function* streamAwinFeed(rowCount: number): Generator<string> {
  const file = gunzipSync(readFileSync(join(SAMPLE, 'feeds/awin/datafeed.csv.gz')));
  const rows = parse(file, { columns: true }) as Readonly<Record<string, string>>[];
  const columns = Object.keys(rows[0] ?? {});
  yield formatCsv(columns, []).trimEnd();
  for (let number = 0; number < rowCount; number++) {
    const row = rows[number % rows.length] as Readonly<Record<string, string>>;
    const monthly = row['Telcos:month_cost'] ?? '';
    const dearer = (Number(monthly) + Math.floor(number / rows.length) / 100).toFixed(2);
    const id = String(40_000_000_000 + number);
    const moved = {
      ...row,
      aw_deep_link: (row['aw_deep_link'] ?? '').replace(/p=\d+/, `p=${id}`),
      aw_product_id: id,
      merchant_product_id: String(50_000_000 + number),
      'Telcos:month_cost': dearer,
      'Telcos:deal_cost_json': (row['Telcos:deal_cost_json'] ?? '')
        .replaceAll(`"${monthly}"`, `"${dearer}"`)
        .replace(/"tco_inc_vat":"[^"]*"/, '"tco_inc_vat":""'),
    };
    yield formatCsv(columns, [moved]).slice(columns.join(',').length + 1, -1);
  }
}
