import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../../data/report/report.ts';
import { readCurrent } from '../../../data/store/snapshots.ts';
import { writeCatalogue } from '../../bench/catalogue/write-catalogue.ts';
import type { HeldDeals } from '../../fault/publish/held-deals.ts';
import { requireSuccess } from '../../harness.ts';
import { parseLines, type ServedDeal } from '../../support/served-deals.ts';
import { readTable } from '../../support/table.ts';
import type { Subject } from './damage.ts';
import { openFeed, readField, soundBytes, type FeedFile } from './feed-file.ts';
import { writeMixedFeeds } from './mixed-feeds.ts';

/** `sample`: a CSV of ours and Awin. `mixed`: NDJSON, a sheet and a shop's RSS. `bench`: seven feeds of one retailer or few. */
export type WorldName = 'sample' | 'mixed' | 'bench';

/** Facts that may be served: by fingerprint, the links and words beside them. */
type Truth = Map<string, { readonly links: Set<string>; readonly words: Set<string> }>;

/** Sources with two sound builds behind them, and what the second of these serves. */
export interface World {
  readonly folder: string;
  readonly feeds: ReadonlyMap<string, FeedFile>;
  readonly snapshotId: string | undefined;
  readonly deals: readonly ServedDeal[];
  readonly records: ReadonlyMap<string, string>;
  readonly report: Report;
  readonly dealOf: ReadonlyMap<string, ServedDeal>;
  readonly truth: Truth;
}

/** The nights of a world: an ordinary one, the sound one, the damaged one, and those after it. */
export const NIGHTS = [
  '2026-11-19T03:00:00Z',
  '2026-11-20T03:00:00Z',
  '2026-11-21T03:00:00Z',
  '2026-11-22T03:00:00Z',
  '2026-11-23T03:00:00Z',
] as const;

const SAMPLE = join(import.meta.dirname, '../../../data/sample');

type Json = Record<string, unknown>;
/** A record of the CMS. */
type Entry = Json & { readonly id: string; readonly condition: string };

/** Source, retailer and id: what stays the same from night to night. */
export const keyOf = (deal: ServedDeal): string => `${deal.feed} ${deal.retailer_slug} ${deal.deal_key}`;

/** What a deal promises a customer: a wrong value of these is a wrong deal. */
export const FACTS = [
  'product_id',
  'condition',
  'network_slug',
  'retailer_slug',
  'contract_months',
  'data_megabytes',
  'call_minutes',
  'text_messages',
  'upfront_pence',
  'monthly_pence',
  'total_pence',
  'cashback_type',
  'cashback_pence',
  'gift_name',
] as const satisfies readonly (keyof ServedDeal)[];

/** One text for facts that are the same. */
export const fingerprint = (deal: ServedDeal): string => [deal.feed, ...FACTS.map((fact) => deal[fact])].join('|');

/** What is said beside the facts: the name of the contract and its type. */
export const wordsOf = (deal: ServedDeal): string => `${deal.deal_type}, ${deal.contract_name}`;

export interface Build {
  readonly status: number;
  readonly stderr: string;
  readonly report: Report | undefined;
}

/** Builds in a folder with `catalogue.json`, into the folder `store` in it; with `--json` all that is said is on stderr. */
export async function build(deals: HeldDeals, folder: string, now: string, ...more: readonly string[]): Promise<Build> {
  const config = ['--config', join(folder, 'catalogue.json'), '--store', join(folder, 'store')];
  const { exitCode, stderr } = await deals.run('build', ...config, '--now', now, '--json', ...more);
  const last = join(folder, 'store/last-build.json');
  const { report } = existsSync(last) ? (JSON.parse(readFileSync(last, 'utf8')) as { report?: Report }) : {};
  return { status: exitCode ?? -1, stderr, report };
}

/** What the store of a folder serves. */
export async function readDeals(deals: HeldDeals, folder: string): Promise<ServedDeal[]> {
  const words = ['export', '--store', join(folder, 'store'), '--format', 'ndjson'];
  return parseLines<ServedDeal>(requireSuccess(await deals.run(...words)).stdout);
}

/** Writes the sources of a world and builds them twice: a night with ordinary differences, then the sound one. */
export async function createWorld(held: HeldDeals, folder: string, name: WorldName, sample?: World): Promise<World> {
  mkdirSync(join(folder, 'feeds'), { recursive: true });
  const files = await writeWorld[name](folder, sample);
  for (const file of files) {
    // An ordinary night has some rows fewer than the next.
    const rows = file.table.rows.filter((_, at) => at % 40 !== 7);
    writeFileSync(join(folder, file.path), soundBytes({ ...file, table: { ...file.table, rows } }));
  }
  await buildSound(held, folder, NIGHTS[0]);
  for (const file of files) writeFileSync(join(folder, file.path), soundBytes(file));
  const report = await buildSound(held, folder, NIGHTS[1]);
  const deals = await readDeals(held, folder);
  return {
    folder,
    feeds: new Map(files.map((file) => [file.name, file])),
    snapshotId: readCurrent(join(folder, 'store')),
    deals,
    records: readRecords(folder),
    report,
    dealOf: new Map(deals.map((deal) => [keyOf(deal), deal])),
    truth: collectTruth(deals, files, folder),
  };
}

const writeWorld: Readonly<
  Record<WorldName, (folder: string, sample?: World) => Promise<readonly FeedFile[]> | readonly FeedFile[]>
> = {
  sample: (folder) => {
    copyCms(join(SAMPLE, 'cms'), folder);
    cpSync(join(SAMPLE, 'feeds'), join(folder, 'feeds'), { recursive: true });
    writeConfiguration(folder, [
      { name: 'house', adapter: 'deals', files: ['feeds/house/*.csv'] },
      { name: 'awin', adapter: 'awin', files: ['feeds/awin/*.csv.gz'] },
    ]);
    return [
      openFeed(folder, 'house', 'deals', 'feeds/house/deals.csv'),
      openFeed(folder, 'awin', 'awin', 'feeds/awin/datafeed.csv.gz'),
    ];
  },
  mixed: (folder, sample) => {
    if (sample === undefined) throw new RangeError('the mixed world is made of the sample');
    copyCms(join(SAMPLE, 'cms'), folder);
    writeConfiguration(folder, readTable<Json>(import.meta.url, 'feeds/mixed.ndjson'));
    return writeMixedFeeds(feedOf(sample, 'house'), sample.deals);
  },
  bench: async (folder) => {
    const made = join(folder, 'made');
    await writeCatalogue({ folder: made, productCount: 150, dealCount: 3_000, shape: 'deals' });
    copyCms(join(made, 'cms'), folder);
    cpSync(join(made, 'feeds'), join(folder, 'feeds'), { recursive: true });
    rmSync(made, { recursive: true });
    const names = readdirSync(join(folder, 'feeds')).map((file) => file.replace('.csv', ''));
    const feeds = names.sort().map((name) => ({ name, adapter: 'deals', files: [`feeds/${name}.csv`] }));
    writeConfiguration(folder, feeds);
    return names.map((name) => openFeed(folder, name, 'deals', `feeds/${name}.csv`));
  },
};

/** Copies a CMS without its pictures, which would cost time and say nothing about deals. */
function copyCms(from: string, folder: string): void {
  mkdirSync(join(folder, 'cms'));
  for (const file of readdirSync(from).filter((name) => name.endsWith('.json'))) {
    const lists = JSON.parse(readFileSync(join(from, file), 'utf8')) as Record<string, Json[]>;
    for (const record of Object.values(lists).flat()) {
      delete record['images'];
      delete record['logo'];
    }
    writeFileSync(join(folder, 'cms', file), JSON.stringify(lists, null, 1));
  }
}

/** `feeds` are not required, so that a damaged one can be held. */
function writeConfiguration(folder: string, feeds: readonly Json[]): void {
  const cms = [{ name: 'site', adapter: 'catalogue', files: ['cms/*.json'] }];
  const configuration = { store: 'store', cms, feeds, images: { render: false } };
  writeFileSync(join(folder, 'catalogue.json'), JSON.stringify(configuration, null, 1));
}

async function buildSound(held: HeldDeals, folder: string, now: string): Promise<Report> {
  const { status, stderr, report } = await build(held, folder, now);
  if (status !== 0 || report === undefined) {
    throw new RangeError(`${folder}: expected a sound build, got exit status ${status}\n${stderr}`);
  }
  return report;
}

function readServed(folder: string, file: string): string {
  const store = join(folder, 'store');
  return readFileSync(join(store, readCurrent(store) ?? '', file), 'utf8');
}

/** The products by id and condition, and the networks and retailers by id, as JSON. */
export function readRecords(folder: string): ReadonlyMap<string, string> {
  // A price history follows from the deals, which are compared one by one.
  const products = parseLines<Entry>(readServed(folder, 'products.ndjson')).map(
    (product) => [`product ${product.id}/${product.condition}`, { ...product, priceHistory: undefined }] as const,
  );
  const { networks = [], retailers = [] } = JSON.parse(readServed(folder, 'dictionaries.json')) as Record<
    string,
    Entry[]
  >;
  const others = Object.entries({ networks, retailers }).flatMap(([kind, records]) =>
    records.map((record) => [`${kind} ${record.id}`, record] as const),
  );
  return new Map([...products, ...others].map(([key, record]) => [key, JSON.stringify(record)]));
}

/** A duplicate is left out while the other deal is there, and may be served with its own link where that one is not. */
function collectTruth(deals: readonly ServedDeal[], feeds: readonly FeedFile[], folder: string): Truth {
  const truth: Truth = new Map();
  const ofId = new Map<string, ServedDeal>();
  for (const deal of deals) {
    const known = truth.get(fingerprint(deal)) ?? { links: new Set(), words: new Set() };
    known.links.add(deal.link);
    known.words.add(wordsOf(deal));
    truth.set(fingerprint(deal), known);
    ofId.set(`${deal.feed} ${deal.deal_key}`, deal);
  }
  const links = new Map<string, string>();
  for (const { name, shape, table } of feeds) {
    for (const row of table.rows) {
      const [[id = ''], [link = '']] = ['dealId', 'dealLink'].map((field) => readField(shape, table, row, field)) as [
        [string?],
        [string?],
      ];
      links.set(`${name} ${id}`, link);
    }
  }
  type LeftOut = { readonly code: string; readonly source: string; readonly record?: string; readonly other?: LeftOut };
  for (const { code, source, record = '', other } of parseLines<LeftOut>(readServed(folder, 'quarantine.ndjson'))) {
    const deal = code === 'duplicate-deal' ? ofId.get(`${other?.source ?? ''} ${other?.record ?? ''}`) : undefined;
    if (deal !== undefined) truth.get(fingerprint(deal))?.links.add(links.get(`${source} ${record}`) ?? '');
  }
  return truth;
}

export function feedOf(world: World, name: string): FeedFile {
  const feed = world.feeds.get(name);
  if (feed === undefined) throw new RangeError(`expected one of ${[...world.feeds.keys()].join(', ')}, got ${name}`);
  return feed;
}

/** A feed with all that a mutation needs. */
export function subjectOf(world: World, feed: string, seed: number): Subject {
  const deals = new Map(world.deals.filter((deal) => deal.feed === feed).map((deal) => [deal.deal_key, deal]));
  const retailers = rankOf(deals.values(), 'retailer_slug');
  const [network = ''] = rankOf(deals.values(), 'network_slug');
  return {
    file: feedOf(world, feed),
    seed,
    servedDeal: (id) => deals.get(id),
    // The second of the feed is big: the first may be most of it.
    parts: { big: retailers[1] ?? retailers[0] ?? '', small: retailers.at(-1) ?? '', network },
    bytesOf: (other) => soundBytes(feedOf(world, other)),
  };
}

/** The values of a fact, most deals first. */
function rankOf(deals: Iterable<ServedDeal>, fact: 'retailer_slug' | 'network_slug'): string[] {
  const counts = new Map<string, number>();
  for (const deal of deals) counts.set(deal[fact], (counts.get(deal[fact]) ?? 0) + 1);
  return [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).map(([name]) => name);
}
