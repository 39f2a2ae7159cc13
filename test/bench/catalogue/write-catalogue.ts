import { once } from 'node:events';
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { dirname, join } from 'node:path';
import { createGzip } from 'node:zlib';
import { streamAwinFeed } from './awin-feed.ts';
import { createCmsExport, originalOf, RENDERED_MODEL_COUNT } from './cms-export.ts';
import { streamDealsFeed } from './deals-feed.ts';
import { FEEDS, type Feed } from './market.ts';
import type { OfferOptions } from './offer-stream.ts';
import { createPhoneRange, type Phone, type Spread } from './phone-range.ts';

export interface CatalogueOptions {
  /** Made if it is not there. */
  readonly folder: string;
  readonly productCount: number;
  /** Deals that a build serves, of `deals` feeds; rows, of an Awin feed. */
  readonly dealCount: number;
  readonly shape: 'deals' | 'awin' | 'awin-gzip';
  readonly spread?: Spread;
}

const SEED = 20_261_122;

/** Enough lines to make a write worth its call, and few enough to hold. */
const LINES_PER_WRITE = 2_000;

/** Originals of the sample, which stand for those of the best sold models. */
const SAMPLE_PICTURES = join(import.meta.dirname, '../../../data/sample/cms/images/phones');

/** Writes the sources of a catalogue, the configuration last; the same options give the same bytes. */
export async function writeCatalogue(options: CatalogueOptions): Promise<void> {
  const { folder, shape } = options;
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'cms/images'), { recursive: true });
  const phones = createPhoneRange(options.productCount, options.spread);
  await writeFile(join(folder, 'cms/catalogue.json'), JSON.stringify(createCmsExport(phones)));
  await copyPictures(folder, phones);
  const feeds = shape === 'deals' ? FEEDS.map(({ name }) => name) : ['awin'];
  for (const feed of feeds) await writeFeed(options, feed, 0, phones);
  const extension = shape === 'awin-gzip' ? 'csv.gz' : 'csv';
  await writeFile(
    join(folder, 'catalogue.json'),
    JSON.stringify({
      store: '../store',
      cms: [{ name: 'site', adapter: 'catalogue', files: ['cms/*.json'] }],
      feeds: feeds.map((name) => ({
        name,
        adapter: shape === 'deals' ? 'deals' : 'awin',
        files: [`feeds/${name}.${extension}`],
      })),
    }),
  );
}

/** Writes one feed again: in each `revision` some of its prices are others than in the one before. */
export async function reviseFeed(options: CatalogueOptions, feed: string, revision: number): Promise<void> {
  await writeFeed(options, feed, revision, createPhoneRange(options.productCount, options.spread));
}

async function writeFeed(
  { folder, dealCount, shape }: CatalogueOptions,
  name: string,
  revision: number,
  phones: readonly Phone[],
): Promise<void> {
  const extension = shape === 'awin-gzip' ? 'csv.gz' : 'csv';
  const path = join(folder, 'feeds', `${name}.${extension}`);
  if (shape !== 'deals') {
    await writeLines(path, streamAwinFeed(phones, { seed: SEED, rowCount: dealCount, revision }));
    return;
  }
  const position = FEEDS.findIndex((feed) => feed.name === name);
  const feed = FEEDS[position];
  if (feed === undefined) throw new RangeError(`expected one of the feeds, got ${JSON.stringify(name)}`);
  const options: OfferOptions = { seed: SEED + position * 1_000, offerCount: countOffers(feed, dealCount), revision };
  await writeLines(path, streamDealsFeed(feed, phones, options));
}

/** The counts of all feeds add up to `dealCount`: the last takes what rounding left. */
function countOffers(feed: Feed, dealCount: number): number {
  if (feed !== FEEDS.at(-1)) return Math.round(feed.share * dealCount);
  return dealCount - FEEDS.slice(0, -1).reduce((sum, { share }) => sum + Math.round(share * dealCount), 0);
}

async function copyPictures(folder: string, phones: readonly Phone[]): Promise<void> {
  const fronts = (await readdir(SAMPLE_PICTURES)).filter((file) => file.endsWith('-front.webp')).sort();
  const copied = new Set<string>();
  for (const phone of phones.filter(({ modelRank }) => modelRank < RENDERED_MODEL_COUNT)) {
    const original = originalOf(phone);
    if (copied.has(original)) continue;
    copied.add(original);
    const front = fronts[phone.modelRank % fronts.length] as string;
    await copyFile(join(SAMPLE_PICTURES, front), join(folder, 'cms', original));
  }
}

/** Writes lines as they come, at the pace of the disk. */
async function writeLines(path: string, lines: Iterable<string>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const file = createWriteStream(path);
  const target = path.endsWith('.gz') ? createGzip({ level: 1 }) : file;
  if (target !== file) target.pipe(file);
  let pending: string[] = [];
  const flush = async (): Promise<void> => {
    const isRoom = target.write(`${pending.join('\n')}\n`);
    pending = [];
    if (!isRoom) await once(target, 'drain');
  };
  for (const line of lines) {
    pending.push(line);
    if (pending.length >= LINES_PER_WRITE) await flush();
  }
  if (pending.length > 0) await flush();
  target.end();
  await once(file, 'close');
}
