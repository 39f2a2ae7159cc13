import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dryRunPublication, publishSnapshot, type SnapshotFacts } from '../../../../build/publish/publish.ts';
import { verifySnapshot } from '../../../../build/publish/verify.ts';
import { parsePrevious, storePath } from '../../../../data/store/layout.ts';
import { StoreBusyError } from '../../../../data/store/lock.ts';
import { listSnapshots, readCurrent, readManifest } from '../../../../data/store/snapshots.ts';
import { SNAPSHOT_FILES, SNAPSHOT_ID } from '../../../../data/snapshot/format.ts';
import { createContent } from './snapshot-content.ts';
import { createTemporaryFolder, publishNumber } from './temporary-store.ts';

const FACTS: SnapshotFacts = { now: new Date('2026-11-20T02:30:59Z'), sources: [], gates: [] };

describe('publishSnapshot', () => {
  it('writes every file, a manifest and then current.json', () => {
    const store = createTemporaryFolder();
    const { outcome, id } = publishSnapshot(store, createContent(), FACTS);
    expect(outcome).toBe('published');
    expect(id).toMatch(SNAPSHOT_ID);
    expect(id).toMatch(/^20261120T0230Z-/);
    expect(readdirSync(store).sort()).toEqual([id, 'current.json']);
    expect(readdirSync(join(store, id)).sort()).toEqual([...SNAPSHOT_FILES, 'manifest.json'].sort());
    expect(readFileSync(join(store, 'current.json'), 'utf8')).toMatch(
      new RegExp(`^{"snapshot":"${id}","check":"[0-9a-f]{8}"}\\n$`),
    );
    expect(readManifest(store, id)).toMatchObject({
      id,
      sequence: 1,
      createdAt: '2026-11-20T02:30:59.000Z',
      counts: { products: 3, deals: 3, gifts: 2, giftCategories: 1, networks: 2, retailers: 1, manufacturers: 1 },
    });
    expect(verifySnapshot(store, id)).toEqual([]);
  });

  it('publishes again when the pictures move to another host', () => {
    const store = createTemporaryFolder();
    const before = publishSnapshot(store, createContent(), FACTS);
    const after = publishSnapshot(store, createContent(), { ...FACTS, imagesBaseUrl: 'https://img.example' });
    expect(after.outcome).toBe('published');
    expect(after.id).not.toBe(before.id);
    expect(readManifest(store, after.id).contentHash).not.toBe(readManifest(store, before.id).contentHash);
    expect(verifySnapshot(store, after.id)).toEqual([]);
  });

  it('publishes nothing with a manifest that its own schema refuses', () => {
    const store = createTemporaryFolder();
    const gates = [{ gate: 'lost', state: 'unknown' as 'held', detail: 'none' }];
    expect(() => publishSnapshot(store, createContent(), { ...FACTS, gates })).toThrow(
      'manifest.json: expected the published schema, got /gates/0/state',
    );
    expect(readdirSync(store)).toEqual([]);
  });

  it('makes nothing current when another snapshot became current since the build began', () => {
    const store = createTemporaryFolder();
    const [first, second] = [1, 2].map((number) => publishNumber(store, number).id);
    for (const id of [first, undefined]) {
      expect(() => publishSnapshot(store, createContent(), { ...FACTS, builtOn: { id } })).toThrow(StoreBusyError);
      expect(readCurrent(store)).toBe(second);
      expect(parsePrevious(readFileSync(storePath(store, 'previous.json'), 'utf8'))).toEqual({
        snapshot: first,
        replacedBy: second,
      });
    }
  });

  it('replaces a current snapshot whose files are damaged', () => {
    const store = createTemporaryFolder();
    const { id } = publishSnapshot(store, createContent(), FACTS);
    for (const file of ['deals.ndjson', 'changes.json'] as const) {
      writeFileSync(join(store, id, file), '');
      expect(dryRunPublication(store, createContent(), FACTS)).toMatchObject({ outcome: 'published', id });
      expect(publishSnapshot(store, createContent(), FACTS)).toMatchObject({ outcome: 'published', id });
      expect(verifySnapshot(store, id)).toEqual([]);
      expect(readdirSync(store).sort()).toEqual([id, 'current.json', 'previous.json']);
    }
  });

  it.each([
    ['deals that cannot be read', () => 'x', 'faults, the first: deals.ndjson: expected SHA-256'],
    [
      'a deal at another price',
      (text: string) => text.replace('"monthlyPence":[2083', '"monthlyPence":[2084'),
      'faults, the first: deals.ndjson: expected SHA-256',
    ],
  ])('publishes nothing when the disk has %s', (_, damage, message) => {
    const store = createTemporaryFolder();
    const { id } = publishNumber(store, 1);
    const content = createContent();
    const spoilt = {
      ...content,
      'report.json': () => {
        const [folder = ''] = readdirSync(store).filter((name) => name.startsWith('.new-'));
        const deals = join(store, folder, 'deals.ndjson');
        writeFileSync(deals, damage(readFileSync(deals, 'utf8')));
        return content['report.json']();
      },
    };
    expect(() => publishSnapshot(store, spoilt, FACTS)).toThrow(message);
    expect(readdirSync(store).sort()).toEqual([id, 'current.json']);
    expect(readCurrent(store)).toBe(id);
  });

  it('publishes nothing that its own schema refuses, and says which file', () => {
    const store = createTemporaryFolder();
    const { id } = publishSnapshot(store, createContent(), FACTS);
    const faulty = { ...createContent(), 'gifts.ndjson': () => ['{"id":"x"}'] };
    expect(() => publishSnapshot(store, faulty, FACTS)).toThrow(
      /\/\.new-[0-9a-f]{16}: expected the new snapshot, read back, as it was written, got \d+ faults, the first: gifts\.ndjson:1: expected the published schema, got /,
    );
    expect(readdirSync(store).sort()).toEqual([id, 'current.json']);
    expect(readCurrent(store)).toBe(id);
  });
});

describe('listSnapshots', () => {
  it('knows no snapshot under another name', () => {
    const store = createTemporaryFolder();
    const { id } = publishNumber(store, 1);
    renameSync(join(store, id), join(store, '.old-x'));
    expect(listSnapshots(store)).toEqual([]);
    expect(listSnapshots(join(store, 'nowhere'))).toEqual([]);
  });
});
