import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { PROGRAM_ROOT } from '../fault/program.ts';
import { runDeals } from '../fault/run-deals.ts';
import { requireSuccess } from '../harness.ts';
import { createTemporaryFolder } from '../unit/build/publish/temporary-store.ts';
import { createSources, NOW, writeSources, type Sources } from '../unit/build/run/write-sources.ts';

/** Faults, duplicates and names that sort differently from place to place: everything that has an order must show. */
function createUnevenSources(): Sources {
  const sources = createSources();
  sources.config.gates = { maxQuarantined: 1 };
  sources.cms.products.push(
    {
      id: '103',
      condition: 'new',
      name: 'Žofie Å',
      slug: 'zofie-a',
      manufacturer: 'zofie',
      images: { front: 'images/one.png' },
    },
    { id: '104', condition: 'new', name: 'ilk', slug: 'ilk', manufacturer: 'ilk', images: { back: 'images/none.png' } },
    { id: '102', condition: 'refurbished', name: 'Nova Two', slug: 'nova-two' },
  );
  sources.house.push(
    ...['H-7', 'H-6', 'H-5'].map((id) => (sources.house[1] ?? '').replaceAll('H-1', id)),
    (sources.house[1] ?? '').replace('H-1', 'H-8').replace('29.99', '£'),
    (sources.house[1] ?? '').replace('H-1', 'H-9').replace('101', '999'),
  );
  return sources;
}

/** Every file of a store but the report of the last build, which tells how long it took. */
function readStore(store: string): Record<string, string> {
  const files = readdirSync(store, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.endsWith('last-build.json'))
      .sort()
      .map((path) => [relative(store, path), readFileSync(path).toString('base64')]),
  );
}

async function build(folder: string, env: Readonly<Record<string, string>>, cwd: string): Promise<string> {
  const words = ['build', '--config', join(folder, 'catalogue.json'), '--now', NOW.toISOString(), '--json'];
  const { stdout } = requireSuccess(await runDeals(words, { env, cwd }));
  const { outcome, snapshot } = JSON.parse(stdout) as { readonly outcome: string; readonly snapshot: string };
  return `${outcome} ${snapshot}`;
}

it('the same sources give the same bytes in another time zone, language and folder, and in any order', async () => {
  const here = join(createTemporaryFolder(), 'site');
  await writeSources(here, createUnevenSources());
  const english = { TZ: 'UTC', LANG: 'C', LC_ALL: 'C', UV_THREADPOOL_SIZE: '1' };
  const first = await build(here, english, PROGRAM_ROOT);

  const there = join(createTemporaryFolder(), 'elsewhere', 'site');
  await writeSources(there, createUnevenSources());
  // The same files, created in another order: what a folder lists first is now last.
  for (const folder of ['cms/images', 'cms', 'feeds/night', 'feeds/house']) renewFiles(join(there, folder));
  const turkish = { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', UV_THREADPOOL_SIZE: '8' };
  expect(await build(there, turkish, there)).toBe(first);
  expect(first).toMatch(/^published 20261120T0230Z-/);
  expect(readStore(join(there, '../store'))).toEqual(readStore(join(here, '../store')));
}, 60_000);

function renewFiles(folder: string): void {
  const away = `${folder}-away`;
  renameSync(folder, away);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(away).toReversed()) renameSync(join(away, name), join(folder, name));
  rmdirSync(away);
}
