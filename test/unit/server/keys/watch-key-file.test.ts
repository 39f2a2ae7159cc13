import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addKey, type KeyEntry } from '../../../../server/keys/key-file.ts';
import { watchKeyFile, type KeyFileWatch } from '../../../../server/keys/watch-key-file.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const POLL_MS = 20;

let folder = '';
let file = '';
let watch: KeyFileWatch | undefined;
let seen: (readonly KeyEntry[])[] = [];
let faults: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deals-watch-'));
  file = join(folder, 'keys.json');
  seen = [];
  faults = [];
});

afterEach(async () => {
  watch?.close();
  await rm(folder, { recursive: true });
});

async function startWatch(): Promise<KeyFileWatch> {
  watch = await watchKeyFile(
    file,
    (entries) => seen.push(entries),
    (error) => faults.push(error.message),
    POLL_MS,
  );
  return watch;
}

describe('a watched key file (D16)', () => {
  it('gives its keys at once and says nothing while nothing changes', async () => {
    const { entry } = await addKey(file, { name: 'website' }, NOW);
    expect((await startWatch()).entries).toEqual([entry]);
    await sleep(POLL_MS * 5);
    expect(seen).toEqual([]);
    expect(faults).toEqual([]);
  });

  it.each([
    ['broken', () => writeFile(file, '{"keys": [')],
    ['missing', () => rename(file, `${file}.away`)],
  ])('reports a version that is %s once, and takes up the next sound one', async (_, spoil) => {
    const { entry } = await addKey(file, { name: 'first' }, NOW);
    await startWatch();
    await spoil();
    await vi.waitFor(() => expect(faults).toHaveLength(1));
    await sleep(POLL_MS * 5);
    expect(faults).toHaveLength(1);
    expect(seen).toEqual([]);

    await vi.waitFor(() => expect(watch?.unreadableSeconds()).toBeGreaterThan(0), 5_000);
    await writeFile(file, JSON.stringify({ keys: [entry] }));
    await vi.waitFor(() => expect(seen).toEqual([[entry]]));
    expect(watch?.unreadableSeconds()).toBe(0);
  });

  it('is not looked at any more once it is closed', async () => {
    await addKey(file, { name: 'first' }, NOW);
    (await startWatch()).close();
    await addKey(file, { name: 'second' }, NOW);
    await sleep(POLL_MS * 5);
    expect(seen).toEqual([]);
  });

  it('is refused when it cannot be read at the beginning', async () => {
    await expect(startWatch()).rejects.toMatchObject({ issue: { code: 'missing-file' } });
  });
});
