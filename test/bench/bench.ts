import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runDeals, serveStore, type CommandRun, type Server } from './processes.ts';
import { writeCatalogue, type CatalogueOptions } from './catalogue/write-catalogue.ts';

/** What is generated, and built from sources: a million deals of `deals` feeds, and 120,000 rows of Awin. */
type CatalogueName = 'deals' | 'awin';

const FULL = {
  deals: { productCount: 2_000, dealCount: 1_000_000 },
  awin: { productCount: 2_000, dealCount: 120_000 },
};
const SMALL = { deals: { productCount: 60, dealCount: 8_000 }, awin: { productCount: 60, dealCount: 200 } };

/** Where the data of a bench lie, and what stops at its end. */
export interface Bench {
  /** Whether the figures count: a small bench only shows that everything runs. */
  readonly isFull: boolean;
  readonly folder: string;
  /** The store of a million deals. */
  readonly store: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Runs `deals build` into a store, which is removed first. */
  build(name: CatalogueName, store: string): Promise<CommandRun>;
  /** `deals serve` of the million deals. */
  serve(...args: readonly string[]): Promise<Server>;
  /** Has a server stopped at the end of the case. */
  keep<Stopped extends { stop(): Promise<unknown> }>(starting: Promise<Stopped>): Promise<Stopped>;
}

/** Opens the folder of a bench for one case: writes sources, builds the store and makes a key, unless they are there. */
export async function withBench<Result>(
  base: string,
  isFull: boolean,
  run: (bench: Bench) => Promise<Result>,
): Promise<Result> {
  const folder = join(base, isFull ? 'full' : 'small');
  const keysFile = join(folder, 'keys.json');
  const keyFile = join(folder, 'key.txt');
  const store = join(folder, 'store');
  await mkdir(folder, { recursive: true });
  if (!existsSync(keyFile)) {
    await rm(keysFile, { force: true });
    await writeFile(keyFile, (await runDeals('keys', 'create', '--keys', keysFile, '--name', 'bench')).stdout);
  }
  const build = async (name: CatalogueName, into: string): Promise<CommandRun> => {
    const source = join(folder, `source-${name}`);
    const options: CatalogueOptions = { folder: source, shape: name, ...(isFull ? FULL : SMALL)[name] };
    // The configuration is written last.
    if (!existsSync(join(source, 'catalogue.json'))) await writeCatalogue(options);
    await rm(into, { recursive: true, force: true });
    const config = ['--config', join(source, 'catalogue.json'), '--store', into];
    return runDeals('build', '--quiet', ...config, '--now', '2026-11-22T02:30:00Z');
  };
  if (!existsSync(join(store, 'current.json'))) await build('deals', store);

  const scratch = await mkdtemp(join(folder, 'case-'));
  const kept: { stop(): Promise<unknown> }[] = [];
  const keep: Bench['keep'] = async (starting) => {
    const started = await starting;
    kept.push(started);
    return started;
  };
  try {
    return await run({
      isFull,
      folder: scratch,
      store,
      headers: { 'x-api-key': readFileSync(keyFile, 'utf8').trim() },
      build,
      serve: (...args) => keep(serveStore(store, keysFile, join(scratch, 'server.log'), ...args)),
      keep,
    });
  } finally {
    await Promise.all(kept.map((each) => each.stop()));
    await rm(scratch, { recursive: true, force: true });
  }
}
