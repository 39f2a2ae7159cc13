import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawPicture } from '../../unit/build/image/draw-picture.ts';
import { createSources, deal, HEADER, writeSources } from '../../unit/build/run/write-sources.ts';
import { requireSuccess } from '../../unit/cli/run-deals.ts';
import { runDeals } from '../run-deals.ts';

/** A store that the real program publishes to, night after night: other prices, and other pictures of one product. */
export interface NightlyStore {
  readonly store: string;
  readonly keysFile: string;
  readonly key: string;
  /** Builds as of that night, and returns the id of the snapshot. */
  publish(night: number): Promise<string>;
  current(): string;
  remove(): void;
}

export async function createNightlyStore(): Promise<NightlyStore> {
  const root = mkdtempSync(join(tmpdir(), 'deals-fault-snapshot-'));
  const store = join(root, 'store');
  const keysFile = join(root, 'keys.json');
  const { stdout } = requireSuccess(await runDeals(['keys', 'create', '--keys', keysFile, '--name', 'fault']));
  const current = (): string =>
    (JSON.parse(readFileSync(join(store, 'current.json'), 'utf8')) as { readonly snapshot: string }).snapshot;
  return {
    store,
    keysFile,
    key: stdout.trim(),
    publish: async (night) => {
      const config = await writeNight(join(root, 'site'), night);
      const now = new Date(Date.UTC(2026, 9, night, 2, 30)).toISOString();
      requireSuccess(await runDeals(['build', '--config', config, '--store', store, '--now', now]));
      return current();
    },
    current,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

async function writeNight(folder: string, night: number): Promise<string> {
  const sources = createSources();
  const pence = String(night % 100).padStart(2, '0');
  const house = [HEADER, ...[1, 2, 3, 4].map((n) => deal(`H-${n}`, '101', 'new', 'phone-barn', `3${n}.${pence}`))];
  sources.house.splice(0, sources.house.length, ...house);
  const config = await writeSources(folder, sources);
  const colour = `#${String(100_000 + night)}`;
  writeFileSync(join(folder, 'cms/images/one.png'), await drawPicture({ width: 30, height: 60, colour }));
  return config;
}
