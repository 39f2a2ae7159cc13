import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addKey, removeKeys, type KeyEntry } from '../../../../server/keys/key-file.ts';
import { ServerKeys } from '../../../../server/keys/server-keys.ts';
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
  keys = await ServerKeys.open({ file, rateLimit, log: (entry) => log.push(entry), pollMs: POLL_MS }, NOW);
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
    expect((await open()).check(keyText, NOW)).toEqual({ kind: 'valid', id: entry.id, name: 'website' });
    await sleep(POLL_MS * 5);
    expect(events()).toEqual([]);
  });

  it('are those of the file as it becomes', async () => {
    const { keyText, entry } = await addKey(file, { name: 'first' }, NOW);
    const taken = await open();
    const { keyText: second } = await addKey(file, { name: 'second' }, NOW);
    await vi.waitFor(() => expect(taken.check(second, NOW).kind).toBe('valid'));
    await removeKeys(file, ({ id }) => id === entry.id);
    await vi.waitFor(() => expect(taken.check(keyText, NOW).kind).toBe('unknown'));
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
    expect(taken.check(keyText, NOW).kind).toBe('valid');

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

  it('are refused when the file cannot be read at the beginning', async () => {
    await expect(open()).rejects.toMatchObject({ code: 'missing-file' });
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
