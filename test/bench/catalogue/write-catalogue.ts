import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { streamAwinFeed } from './awin-feed.ts';
import { createCmsExport, originalOf, RENDERED_MODEL_COUNT } from './cms-export.ts';
import { streamDealsFeed } from './deals-feed.ts';
import { FEEDS } from './market.ts';
import { createPhoneRange, type Phone } from './phone-range.ts';

export interface CatalogueOptions {
  /** Made if it is not there. */
  readonly folder: string;
  readonly productCount: number;
  /** Deals that a build serves, of `deals` feeds; rows, of an Awin feed. */
  readonly dealCount: number;
  readonly shape: 'deals' | 'awin';
}

const SEED = 20_261_122;

/** Enough lines to make a write worth its call, and few enough to hold. */
const LINES_PER_WRITE = 2_000;

/** Originals of the sample, which stand for those of the best sold models. */
const SAMPLE_PICTURES = join(import.meta.dirname, '../../../data/sample/cms/images/phones');

/** Writes the sources of a catalogue, the configuration last; the same options give the same bytes. */
export async function writeCatalogue({ folder, productCount, dealCount, shape }: CatalogueOptions): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'cms/images'), { recursive: true });
  const phones = createPhoneRange(productCount);
  await writeFile(join(folder, 'cms/catalogue.json'), JSON.stringify(createCmsExport(phones)));
  await copyPictures(folder, phones);
  const feeds = shape === 'awin' ? ['awin'] : FEEDS.map(({ name }) => name);
  if (shape === 'awin') {
    await writeLines(join(folder, 'feeds/awin.csv'), streamAwinFeed(phones, { seed: SEED, rowCount: dealCount }));
  } else {
    let left = dealCount;
    for (const [position, feed] of FEEDS.entries()) {
      // The last takes what rounding left.
      const offerCount = position === FEEDS.length - 1 ? left : Math.round(feed.share * dealCount);
      left -= offerCount;
      const lines = streamDealsFeed(feed, phones, { seed: SEED + position * 1_000, offerCount });
      await writeLines(join(folder, `feeds/${feed.name}.csv`), lines);
    }
  }
  await writeFile(
    join(folder, 'catalogue.json'),
    JSON.stringify({
      store: '../store',
      cms: [{ name: 'site', adapter: 'catalogue', files: ['cms/*.json'] }],
      feeds: feeds.map((name) => ({ name, adapter: shape, files: [`feeds/${name}.csv`] })),
    }),
  );
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
  let pending: string[] = [];
  const flush = async (): Promise<void> => {
    const isRoom = file.write(`${pending.join('\n')}\n`);
    pending = [];
    if (!isRoom) await once(file, 'drain');
  };
  for (const line of lines) {
    pending.push(line);
    if (pending.length >= LINES_PER_WRITE) await flush();
  }
  if (pending.length > 0) await flush();
  file.end();
  await once(file, 'close');
}
