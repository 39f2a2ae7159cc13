import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pruneSnapshots, removeLeftovers } from '../../../../build/publish/prune.ts';
import { switchCurrent } from '../../../../build/publish/switch-current.ts';
import { isSnapshotId, KEPT_SNAPSHOTS } from '../../../../data/store/layout.ts';
import { createTemporaryFolder, publishNumber } from './temporary-store.ts';

const HOUR_MS = 60 * 60 * 1000;

function publishMany(store: string, count: number): string[] {
  return Array.from({ length: count }, (_, number) => publishNumber(store, number + 1).id);
}

function age(path: string, hours = 2): void {
  const time = new Date(Date.now() - hours * HOUR_MS);
  utimesSync(path, time, time);
}

function snapshotsOf(store: string): string[] {
  return readdirSync(store).filter(isSnapshotId).sort();
}

describe('pruneSnapshots', () => {
  it(`keeps the newest ${KEPT_SNAPSHOTS}`, () => {
    const store = createTemporaryFolder();
    const ids = publishMany(store, KEPT_SNAPSHOTS + 2);
    for (const id of ids) age(join(store, id));
    pruneSnapshots(store);
    expect(snapshotsOf(store)).toEqual(ids.slice(2));
    expect(readdirSync(store).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('keeps what was current within the last hour, however old it is', () => {
    const store = createTemporaryFolder();
    const ids = publishMany(store, KEPT_SNAPSHOTS + 2);
    for (const id of ids) age(join(store, id));
    switchCurrent(store, ids[0] ?? '', ids.at(-1));
    switchCurrent(store, ids.at(-1) ?? '', ids[0]);
    pruneSnapshots(store);
    expect(snapshotsOf(store)).toEqual(ids.filter((id) => id !== ids[1]));
  });

  it('counts the hour from now where a clock that was ahead left a time in the future', () => {
    const store = createTemporaryFolder();
    const ids = publishMany(store, KEPT_SNAPSHOTS + 2);
    for (const id of ids) age(join(store, id));
    age(join(store, ids[0] ?? ''), -40_000);
    pruneSnapshots(store);
    expect(snapshotsOf(store)).toEqual(ids.filter((id) => id !== ids[1]));
    expect(statSync(join(store, ids[0] ?? '')).mtimeMs).toBeLessThanOrEqual(Date.now());
  });

  it('keeps the current one, however old it is', () => {
    const store = createTemporaryFolder();
    const ids = publishMany(store, KEPT_SNAPSHOTS + 1);
    switchCurrent(store, ids[0] ?? '', ids.at(-1));
    for (const id of ids) age(join(store, id));
    pruneSnapshots(store);
    expect(snapshotsOf(store)).toEqual(ids);
  });

  it('keeps what stands for a held part of the current one', () => {
    const store = createTemporaryFolder();
    const ids = publishMany(store, KEPT_SNAPSHOTS + 2);
    for (const id of ids) age(join(store, id));
    const held = { state: 'withdrawn', gates: ['moved'], because: 'moved', deals: 20, snapshot: ids[0] };
    const file = join(store, ids.at(-1) ?? '', 'manifest.json');
    const { manifestHash: _, ...manifest } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    const counts = { read: 20, kept: 20, duplicate: 0, outOfScope: 0, quarantined: 0 };
    const source = { name: 'house', kind: 'feed', adapter: 'deals', state: 'fresh', files: [] };
    const freshAt = '2026-11-20T02:30:00Z';
    const sources = [{ ...source, ...counts, held: [{ ...held, freshAt }] }];
    writeFileSync(file, JSON.stringify({ ...manifest, sources }));
    pruneSnapshots(store);
    expect(snapshotsOf(store)).toEqual(ids.filter((id) => id !== ids[1]));
  });

  it('deletes pictures that no kept snapshot shows and that are older than an hour', () => {
    const store = createTemporaryFolder();
    const { id } = publishNumber(store, 1);
    const shown = '00000000000000000000000000000001';
    const line = `{"path":"/images/${shown}/large.webp","bytes":1,"sha256":"${'a'.repeat(64)}"}\n`;
    writeFileSync(join(store, id, 'pictures.ndjson'), line);
    for (const name of [shown, 'old', 'new']) mkdirSync(join(store, 'images', name), { recursive: true });
    for (const name of [shown, 'old']) age(join(store, 'images', name));
    pruneSnapshots(store);
    expect(readdirSync(join(store, 'images')).sort()).toEqual([shown, 'new']);
  });

  it('deletes no picture while the list of a kept snapshot cannot be read', () => {
    const store = createTemporaryFolder();
    const { id } = publishNumber(store, 1);
    rmSync(join(store, id, 'pictures.ndjson'));
    mkdirSync(join(store, 'images', 'old'), { recursive: true });
    age(join(store, 'images', 'old'));
    pruneSnapshots(store);
    expect(readdirSync(join(store, 'images'))).toEqual(['old']);
  });
});

describe('removeLeftovers', () => {
  it('removes what killed builds were making or deleting, and nothing else', () => {
    const store = createTemporaryFolder();
    for (const name of ['.new-1', '.old-2', 'images/.new-3', 'images/.old-4', 'images/5', 'mine', '.hidden']) {
      mkdirSync(join(store, name), { recursive: true });
    }
    removeLeftovers(store);
    expect(readdirSync(store).sort()).toEqual(['.hidden', 'images', 'mine']);
    expect(readdirSync(join(store, 'images'))).toEqual(['5']);
  });
});
