import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeCatalogue } from '../../bench/catalogue/write-catalogue.ts';
import { readTable } from '../../support/table.ts';
import type { Builder, BuildReport } from './build.ts';
import { packFeed, readCsv, readField, styleOf, writeTable, type Shape, type Table } from './feed-file.ts';
import type { Subject } from './kind.ts';
import { writeMixedFeeds } from './mixed-feeds.ts';
import { fingerprint, readSnapshot, type ServedDeal, type Snapshot } from './snapshot-facts.ts';

/** `sample`: a CSV of ours and Awin. `mixed`: NDJSON, a sheet and a shop's RSS. `bench`: seven feeds of one retailer or few. */
export type WorldName = 'sample' | 'mixed' | 'bench';

export interface FeedFile {
  readonly name: string;
  readonly shape: Shape;
  readonly path: string;
  readonly isPacked: boolean;
  readonly table: Table;
}

/** Facts that may be served: by fingerprint, the links and words beside them. */
type Truth = Map<string, { readonly links: Set<string>; readonly words: Set<string> }>;

/** Sources with two sound builds behind them, and what the second of these serves. */
export interface World {
  readonly name: WorldName;
  readonly folder: string;
  readonly feeds: ReadonlyMap<string, FeedFile>;
  readonly snapshot: Snapshot;
  readonly report: BuildReport;
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

/** Copies a CMS without its pictures, which would cost time and say nothing about deals. */
function copyCms(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const file of readdirSync(from).filter((name) => name.endsWith('.json'))) {
    const lists = JSON.parse(readFileSync(join(from, file), 'utf8')) as Record<string, Json[]>;
    for (const record of Object.values(lists).flat()) {
      delete record['images'];
      delete record['logo'];
    }
    writeFileSync(join(to, file), JSON.stringify(lists, null, 1));
  }
}

/** `feeds` are not required, so that a damaged one can be held. */
function writeConfiguration(folder: string, feeds: readonly Json[]): void {
  const configuration = {
    store: 'store',
    cms: [{ name: 'site', adapter: 'catalogue', files: ['cms/*.json'] }],
    feeds,
    images: { render: false },
  };
  writeFileSync(join(folder, 'catalogue.json'), JSON.stringify(configuration, null, 1));
}

function openFeed(folder: string, name: string, shape: Shape, path: string): FeedFile {
  const isPacked = path.endsWith('.gz');
  const table = readCsv(readFileSync(join(folder, path)), isPacked);
  const ids = new Set<string>();
  // Of two rows of one id the first counts, so that the order of the rows would matter.
  const rows = table.rows.filter((row) => {
    const [id = ''] = readField(shape, table, row, 'dealId');
    return !ids.has(id) && ids.add(id);
  });
  return { name, shape, path, isPacked, table: { header: table.header, rows } };
}

function writeSample(folder: string): FeedFile[] {
  copyCms(join(SAMPLE, 'cms'), join(folder, 'cms'));
  cpSync(join(SAMPLE, 'feeds'), join(folder, 'feeds'), { recursive: true });
  writeConfiguration(folder, [
    { name: 'house', adapter: 'deals', files: ['feeds/house/*.csv'] },
    { name: 'awin', adapter: 'awin', files: ['feeds/awin/*.csv.gz'] },
  ]);
  return [
    openFeed(folder, 'house', 'deals', 'feeds/house/deals.csv'),
    openFeed(folder, 'awin', 'awin', 'feeds/awin/datafeed.csv.gz'),
  ];
}

async function writeBench(folder: string): Promise<FeedFile[]> {
  await writeCatalogue({ folder: join(folder, 'made'), productCount: 150, dealCount: 3_000, shape: 'deals' });
  copyCms(join(folder, 'made/cms'), join(folder, 'cms'));
  cpSync(join(folder, 'made/feeds'), join(folder, 'feeds'), { recursive: true });
  rmSync(join(folder, 'made'), { recursive: true });
  const names = readdirSync(join(folder, 'feeds')).map((file) => file.replace('.csv', ''));
  writeConfiguration(
    folder,
    names.sort().map((name) => ({ name, adapter: 'deals', files: [`feeds/${name}.csv`] })),
  );
  return names.map((name) => openFeed(folder, name, 'deals', `feeds/${name}.csv`));
}

/** Writes the sources of a world and builds them twice: a night with ordinary differences, then the sound one. */
export async function createWorld(builder: Builder, folder: string, name: WorldName, sample?: World): Promise<World> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  let files: readonly FeedFile[];
  switch (name) {
    case 'sample':
      files = writeSample(folder);
      break;
    case 'bench':
      files = await writeBench(folder);
      break;
    case 'mixed':
      if (sample === undefined) throw new RangeError('the mixed world is made of the sample');
      copyCms(join(SAMPLE, 'cms'), join(folder, 'cms'));
      files = writeMixedFeeds(sample);
      mkdirSync(join(folder, 'feeds'));
      writeConfiguration(folder, readTable<Json>(import.meta.url, 'feeds/mixed.ndjson'));
      break;
  }
  const feeds = new Map(files.map((file) => [file.name, file] as const));
  for (const file of files) writeFileSync(join(folder, file.path), soundBytes(ordinary(file)));
  await buildSound(builder, folder, NIGHTS[0]);
  for (const file of files) writeFileSync(join(folder, file.path), soundBytes(file));
  const report = await buildSound(builder, folder, NIGHTS[1]);
  const snapshot = readSnapshot(join(folder, 'store'));
  return {
    name,
    folder,
    feeds,
    snapshot,
    report,
    dealOf: new Map(snapshot.deals.map((deal) => [deal.key, deal] as const)),
    truth: collectTruth(snapshot, feeds),
  };
}

export function soundBytes(file: FeedFile): Buffer {
  const bytes = Buffer.from(writeTable(file.shape, file.table, styleOf(file.shape)));
  return file.isPacked ? packFeed(bytes) : bytes;
}

/** The feed of an ordinary night before: fewer rows, and some deals a pound dearer a month. */
function ordinary(file: FeedFile): FeedFile {
  const rows = file.table.rows.filter((_, at) => at % 40 !== 7).map((row) => [...row]);
  return { ...file, table: { header: file.table.header, rows } };
}

async function buildSound(builder: Builder, folder: string, now: string): Promise<BuildReport> {
  const { status, stderr, report } = await builder.build(folder, now);
  if (status !== 0 || report === undefined) {
    throw new RangeError(`${folder}: expected a sound build, got exit status ${status}\n${stderr}`);
  }
  return report;
}

/** A duplicate is left out while the other deal is there, and may be served with its own link where that one is not. */
function collectTruth(snapshot: Snapshot, feeds: ReadonlyMap<string, FeedFile>): Truth {
  const truth: Truth = new Map();
  const ofId = new Map<string, ServedDeal>();
  for (const deal of snapshot.deals) {
    const known = truth.get(fingerprint(deal)) ?? { links: new Set(), words: new Set() };
    known.links.add(deal.link);
    known.words.add(deal.words);
    truth.set(fingerprint(deal), known);
    ofId.set(`${deal.source} ${deal.id}`, deal);
  }
  const links = new Map<string, string>();
  for (const { name, shape, table } of feeds.values()) {
    for (const row of table.rows) {
      const [id] = readField(shape, table, row, 'dealId');
      const [link] = readField(shape, table, row, 'dealLink');
      links.set(`${name} ${id ?? ''}`, link ?? '');
    }
  }
  for (const { code, source, record = '', other } of snapshot.left) {
    const deal = code === 'duplicate-deal' ? ofId.get(`${other?.source ?? ''} ${other?.record ?? ''}`) : undefined;
    if (deal !== undefined) truth.get(fingerprint(deal))?.links.add(links.get(`${source} ${record}`) ?? '');
  }
  return truth;
}

/** A feed with all that a mutation needs. */
export function subjectOf(world: World, feed: string, seed: number): Subject {
  const file = world.feeds.get(feed);
  if (file === undefined) throw new RangeError(`expected one of ${[...world.feeds.keys()].join(', ')}, got ${feed}`);
  const deals = world.snapshot.deals.filter((deal) => deal.source === feed);
  const retailers = countOf(deals, 'retailer');
  const [network = ''] = countOf(deals, 'network');
  const namesOf = (kind: string, slug: string) => new Set(namesOfRecord(world.folder, kind, slug));
  return {
    shape: file.shape,
    isPacked: file.isPacked,
    table: file.table,
    seed,
    servedIds: new Set(deals.map(({ id }) => id)),
    parts: {
      // The second of the feed: the first may be most of it.
      big: namesOf('retailers', retailers[Math.min(1, retailers.length - 1)] ?? ''),
      small: namesOf('retailers', retailers.at(-1) ?? ''),
      network: namesOf('networks', network),
    },
    bytesOf: (other) => {
      const found = world.feeds.get(other);
      if (found === undefined) throw new RangeError(`no feed ${other}`);
      return soundBytes(found);
    },
  };
}

/** The values of a fact, most deals first. */
function countOf(deals: readonly ServedDeal[], fact: 'retailer' | 'network'): string[] {
  const counts = new Map<string, number>();
  for (const { facts } of deals) counts.set(facts[fact], (counts.get(facts[fact]) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name);
}

function namesOfRecord(folder: string, kind: string, slug: string): string[] {
  for (const file of readdirSync(join(folder, 'cms'))) {
    const lists = JSON.parse(readFileSync(join(folder, 'cms', file), 'utf8')) as Record<string, Json[]>;
    const record = lists[kind]?.find((each) => each['slug'] === slug);
    if (record !== undefined) {
      const { id, name, aliases } = record as { id: string; name: string; aliases?: string[] };
      return [id, name, slug, ...(aliases ?? [])];
    }
  }
  throw new RangeError(`${kind}: expected a record with the slug ${slug}`);
}
