import crypto from 'node:crypto';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApiKey, hashApiKey } from '../../../../server/keys/api-key.ts';
import { addKey, type KeyEntry, type KeyFileError } from '../../../../server/keys/key-file.ts';
import { createKeyRing, ServerKeys } from '../../../../server/keys/server-keys.ts';
import type { LogEntry } from '../../../../server/log.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const POLL_MS = 20;

let folder = '';
let file = '';
let keys: ServerKeys | undefined;
let log: LogEntry[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deals-keys-'));
  file = join(folder, 'keys.json');
  log = [];
});

afterEach(async () => {
  keys?.close();
  await rm(folder, { recursive: true });
});

async function open(): Promise<ServerKeys> {
  const rateLimit = { requests: 2, seconds: 3_600 };
  keys = await ServerKeys.open({ file, rateLimit, log: (entry) => log.push(entry), pollMs: POLL_MS, now: () => NOW });
  return keys;
}
const events = (): string[] => log.map(({ event }) => event);
/** Replaces the keys, and waits until they are taken up. */
async function replaceKeys(entries: readonly KeyEntry[]): Promise<void> {
  const before = log.length;
  // In one step, as commands do.
  await writeFile(`${file}.next`, JSON.stringify({ keys: entries }));
  await rename(`${file}.next`, file);
  await vi.waitFor(() => expect(log.length).toBeGreaterThan(before));
  expect(log.at(-1)).toEqual({ event: 'keys-taken-up', count: entries.length });
}

describe('the keys of a server (D16)', () => {
  it('are there at once, and say nothing while nothing changes', async () => {
    const { keyText, entry } = await addKey(file, { name: 'website' }, NOW);
    expect((await open()).check(keyText)).toEqual({ kind: 'valid', id: entry.id, name: 'website' });
    await sleep(POLL_MS * 5);
    expect(events()).toEqual([]);
  });

  it.each([
    ['broken', () => writeFile(file, '{"keys": [')],
    ['missing', () => rename(file, `${file}.away`)],
  ])('stay where the file is %s, which is logged once, until it is sound', async (_, spoil) => {
    const { keyText, entry } = await addKey(file, { name: 'first' }, NOW);
    const taken = await open();
    await spoil();
    await vi.waitFor(() => expect(events()).toEqual(['keys-unreadable']));
    await sleep(POLL_MS * 5);
    expect(events()).toEqual(['keys-unreadable']);
    expect(taken.check(keyText).kind).toBe('valid');

    await vi.waitFor(() => expect(taken.unreadableSeconds()).toBeGreaterThan(0), 5_000);
    await replaceKeys([entry]);
    expect(taken.unreadableSeconds()).toBe(0);
  });

  it('are not looked at any more once they are closed', async () => {
    await addKey(file, { name: 'first' }, NOW);
    (await open()).close();
    await addKey(file, { name: 'second' }, NOW);
    await sleep(POLL_MS * 5);
    expect(events()).toEqual([]);
  });
});

describe('the quota of a key', () => {
  it('is that of the server unless it has its own, or none', async () => {
    const ids = [];
    for (const rateLimit of [undefined, '1/1h', 'off']) {
      ids.push((await addKey(file, { name: 'a', ...(rateLimit && { rateLimit }) }, NOW)).entry.id);
    }
    const taken = await open();
    const refusals = ids.map((id) => [1, 2, 3].map(() => taken.count(id)?.isExceeded));
    expect(refusals).toEqual([
      [false, false, true],
      [false, true, true],
      [undefined, undefined, undefined],
    ]);
  });

  it('stays used when the file changes, is new with a new limit, and goes with its key', async () => {
    const { entry } = await addKey(file, { name: 'a' }, NOW);
    const taken = await open();
    const count = () => [1, 2, 3].map(() => taken.count(entry.id)?.isExceeded);
    expect(count()).toEqual([false, false, true]);
    await replaceKeys([{ ...entry, name: 'b' }]);
    expect(count()).toEqual([true, true, true]);
    await replaceKeys([{ ...entry, rateLimit: '1/1s' }]);
    expect(count()).toEqual([false, true, true]);
    await replaceKeys([]);
    expect(count()).toEqual([undefined, undefined, undefined]);
  });
});

const KEY = createApiKey();
const OTHER = createApiKey();

function entryOf(keyText: string, facts: Partial<KeyEntry> = {}): KeyEntry {
  return { id: '0a1b2c3d', name: 'website', sha256: hashApiKey(keyText), createdAt: '2026-11-01T00:00:00Z', ...facts };
}

describe('an API key store (D16)', () => {
  it.each([
    ['without a period', {}, 'valid'],
    ['from this very moment', { from: '2026-11-20T12:00:00Z' }, 'valid'],
    ['from a millisecond later', { from: '2026-11-20T12:00:00.001Z' }, 'unknown'],
    ['until this very moment', { until: '2026-11-20T12:00:00Z' }, 'expired'],
    ['until a millisecond later', { until: '2026-11-20T12:00:00.001Z' }, 'valid'],
  ])('finds a key %s %o: %s', (_, period, kind) => {
    expect(createKeyRing([entryOf(KEY, period)]).check(KEY, NOW).kind).toBe(kind);
  });

  it('says whose key it is, wherever in the file it stands, and whether it has the operator role', () => {
    const entries = [entryOf(OTHER), entryOf(KEY, { id: '11111111', name: 'partner', operator: true })];
    const ring = createKeyRing([...entries, entryOf(createApiKey(), { id: '22222222' })]);
    expect(ring.check(KEY, NOW)).toEqual({ kind: 'valid', id: '11111111', name: 'partner', isOperator: true });
    expect(ring.check(OTHER, NOW)).toEqual({ kind: 'valid', id: '0a1b2c3d', name: 'website' });
  });

  it.each([
    ['another key', OTHER],
    ['nothing', ''],
    ['the hash of the key', hashApiKey(KEY)],
    ['the key with a blank behind it', `${KEY} `],
    ['the key in lower case', KEY.toLowerCase()],
    ['a very long text', KEY.repeat(1_000)],
  ])('does not know %s', (_, text) => {
    expect(createKeyRing([entryOf(KEY)]).check(text, NOW)).toEqual({ kind: 'unknown' });
  });
});

describe('the digest of a key', () => {
  // Counts the calls; `syncBuiltinESMExports` gives the spy to modules that import the function by name.
  const compared = vi.spyOn(crypto, 'timingSafeEqual');
  beforeAll(syncBuiltinESMExports);
  beforeEach(() => {
    compared.mockClear();
  });
  afterAll(() => {
    compared.mockRestore();
    syncBuiltinESMExports();
  });

  const others = (count: number) => Array.from({ length: count }, () => entryOf(createApiKey()));

  it.each([
    ['the first of all', [entryOf(KEY), ...others(9)]],
    ['in the middle', [...others(5), entryOf(KEY), ...others(4)]],
    ['the last of all', [...others(9), entryOf(KEY)]],
    ['not there', others(10)],
  ])('is compared with every other in constant time when it is %s (D16)', (_, entries) => {
    createKeyRing(entries).check(KEY, NOW);
    expect(compared.mock.calls.map(([a, b]) => [a.byteLength, b.byteLength])).toEqual(
      Array.from({ length: 10 }, () => [32, 32]),
    );
  });

  it('that was found is not compared again, one that was not is', () => {
    const store = createKeyRing([entryOf(KEY), ...others(2)]);
    for (let i = 0; i < 5; i++) store.check(KEY, NOW);
    expect(compared.mock.calls.length).toBe(3);
    for (let i = 0; i < 5; i++) store.check(OTHER, NOW);
    expect(compared.mock.calls.length).toBe(18);
  });
});

it.each([
  ['has expired', { until: '2026-11-20T12:00:00Z' }, false],
  ['will be valid', { from: '2026-12-01T00:00:00Z' }, true],
])('a server whose only key %s: %o', async (_, period, isOpened) => {
  await writeFile(file, JSON.stringify({ keys: [entryOf(KEY, period)] }));
  expect(await open().then(Boolean, ({ code }: KeyFileError) => code)).toBe(isOpened || 'no-key');
});
