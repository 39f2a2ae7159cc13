import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createTemporaryFolder } from '../unit/build/publish/temporary-store.ts';
import { createSources, NOW, writeSources, type Sources } from '../unit/build/run/write-sources.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BUILD_ONCE = fileURLToPath(new URL('./build-once.ts', import.meta.url));

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

function build(folder: string, options: { readonly env: Record<string, string>; readonly cwd: string }): string {
  const tsx = join(ROOT, 'node_modules/tsx/dist/loader.mjs');
  return execFileSync(
    process.execPath,
    ['--import', tsx, BUILD_ONCE, join(folder, 'catalogue.json'), NOW.toISOString()],
    { cwd: options.cwd, env: { ...process.env, ...options.env }, encoding: 'utf8' },
  ).trim();
}

describe('the same sources', () => {
  it('give the same bytes in another time zone, language and folder, and with files and feeds in any order', async () => {
    const here = join(createTemporaryFolder(), 'site');
    await writeSources(here, createUnevenSources());
    const first = build(here, { cwd: ROOT, env: { TZ: 'UTC', LANG: 'C', LC_ALL: 'C', UV_THREADPOOL_SIZE: '1' } });

    const there = join(createTemporaryFolder(), 'elsewhere', 'site');
    await writeSources(there, createUnevenSources());
    // The same files, created in another order: what a folder lists first is now last.
    for (const folder of ['cms/images', 'cms', 'feeds/night', 'feeds/house']) renewFiles(join(there, folder));
    const second = build(there, {
      cwd: there,
      env: { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', UV_THREADPOOL_SIZE: '8' },
    });

    expect(second).toBe(first);
    expect(first).toMatch(/^published 20261120T0230Z-/);
    expect(readStore(join(there, '../store'))).toEqual(readStore(join(here, '../store')));
  }, 60_000);
});

function renewFiles(folder: string): void {
  const away = `${folder}-away`;
  renameSync(folder, away);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(away).toReversed()) renameSync(join(away, name), join(folder, name));
  rmdirSync(away);
}
