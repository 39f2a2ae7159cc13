import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openBenchData, type BenchData, type Scale, type StoreName } from './bench-data.ts';
import { multiplySnapshot } from './multiply-snapshot.ts';
import { reviseFeed, writeCatalogue, type CatalogueOptions } from './catalogue/write-catalogue.ts';
import { runDeals, type CommandRun } from './server-process.ts';

/** Raised when the generator writes something else, so that data of before are not taken for its own. */
const GENERATOR_VERSION = 1;

/** The feed that changes between two builds of the largest measured catalogue. */
const CHANGED_FEED = 'bramble';

/** The clock of the first build; later ones are later. */
const BUILD_HOUR = Date.UTC(2026, 10, 22, 2, 30);

/** The catalogue of five million deals is that of one million, each deal five times at another price. */
const COPY_COUNT = 5;

/** What is generated, and built from sources. */
export type SourcesName = keyof typeof FULL;

const FULL = {
  '20k': { productCount: 2_000, dealCount: 20_000 },
  '120k': { productCount: 2_000, dealCount: 120_000 },
  '1m': { productCount: 2_000, dealCount: 1_000_000 },
  large: { productCount: 100, dealCount: 200_000, spread: 'even' },
  awin: { productCount: 2_000, dealCount: 120_000, shape: 'awin' },
} as const;

const SMALL = {
  '20k': { productCount: 60, dealCount: 400 },
  '120k': { productCount: 60, dealCount: 800 },
  '1m': { productCount: 60, dealCount: 8_000 },
  large: { productCount: 20, dealCount: 2_000, spread: 'even' },
  awin: { productCount: 60, dealCount: 200, shape: 'awin' },
} as const satisfies Record<keyof typeof FULL, unknown>;

/** A folder for the data of a scale, with a key; what lies there from another generator is removed. */
export async function prepareFolder(base: string, scale: Scale): Promise<BenchData> {
  const folder = join(base, scale);
  const versionFile = join(folder, 'generator.txt');
  const version = await readFile(versionFile, 'utf8').catch(() => undefined);
  if (version !== String(GENERATOR_VERSION)) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(versionFile, String(GENERATOR_VERSION));
  const data = openBenchData(folder);
  if (!existsSync(join(folder, 'key.txt'))) {
    await rm(data.keysFile, { force: true });
    const { stdout } = await runDeals(['keys', 'create', '--keys', data.keysFile, '--name', 'bench']);
    await writeFile(join(folder, 'key.txt'), stdout);
  }
  return data;
}

/** Writes the sources of a catalogue unless they are there. */
export async function prepareSources(data: BenchData, scale: Scale, name: SourcesName): Promise<void> {
  if (existsSync(`${data.sources(name)}.ready`)) return;
  await writeCatalogue(catalogueOf(data, scale, name));
  await writeFile(`${data.sources(name)}.ready`, '');
}

/** Builds and publishes a catalogue unless it is there. */
export async function prepareStore(data: BenchData, scale: Scale, name: StoreName): Promise<void> {
  if (existsSync(`${data.store(name)}.ready`)) return;
  if (name === '1m') {
    await buildTwice(data, scale);
    return;
  }
  if (name === '5m') {
    await prepareStore(data, scale, '1m');
    await multiplySnapshot(data.store('1m'), data.store(name), COPY_COUNT);
    await writeFile(`${data.store(name)}.ready`, '');
    return;
  }
  await prepareSources(data, scale, name);
  await rm(data.store(name), { recursive: true, force: true });
  await buildStore(data, name, data.store(name), 0);
  await writeFile(`${data.store(name)}.ready`, '');
}

/** One run of `deals build`, each `number` at a later hour. */
export function buildStore(data: BenchData, name: SourcesName, store: string, number: number): Promise<CommandRun> {
  const now = new Date(BUILD_HOUR + number * 600_000).toISOString();
  const config = join(data.sources(name), 'catalogue.json');
  return runDeals(['build', '--json', '--config', config, '--store', store, '--now', now]);
}

/**
 * Builds the catalogue of a million deals, and again with one feed changed. The store then holds two snapshots, and the
 * first of them is current again. Returns the first run.
 */
export async function buildTwice(data: BenchData, scale: Scale): Promise<CommandRun> {
  const store = data.store('1m');
  const fresh = `${store}.new`;
  await prepareSources(data, scale, '1m');
  await rm(fresh, { recursive: true, force: true });
  const options = catalogueOf(data, scale, '1m');
  await reviseFeed(options, CHANGED_FEED, 0);
  const first = await buildStore(data, '1m', fresh, 0);
  const current = await readFile(join(fresh, 'current.json'));
  await reviseFeed(options, CHANGED_FEED, 1);
  await buildStore(data, '1m', fresh, 1);
  await reviseFeed(options, CHANGED_FEED, 0);
  await rm(store, { recursive: true, force: true });
  await rename(fresh, store);
  await switchCurrent(store, current);
  await writeFile(`${store}.ready`, '');
  return first;
}

/** Publishes a snapshot that the store holds already, as a build does: by renaming a file. */
export async function switchCurrent(store: string, content: string | Buffer): Promise<void> {
  const file = join(store, 'current.json');
  await writeFile(`${file}.new`, content);
  await rename(`${file}.new`, file);
}

function catalogueOf(data: BenchData, scale: Scale, name: SourcesName): CatalogueOptions {
  const size = scale === 'full' ? FULL[name] : SMALL[name];
  return { shape: 'deals', ...size, folder: data.sources(name) };
}
