import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../../../data/snapshot/format.ts';
import { LastConfirmation } from '../../../../server/status/freshness.ts';
import { LastBuildReader } from '../../../../server/status/last-build.ts';

let store = '';
beforeEach(() => {
  store = mkdtempSync(join(tmpdir(), 'deals-last-build-'));
});
afterEach(() => rmSync(store, { recursive: true }));
const file = () => join(store, 'last-build.json');

const report = (outcome: string) =>
  JSON.stringify({ outcome, startedAt: '2026-11-20T02:30:00.000Z', seconds: 12.5, message: 'x', report: {} });

describe('the last build', () => {
  it('is read again after another build', async () => {
    const reader = new LastBuildReader(store);
    expect(await reader.readFacts()).toBeUndefined();
    writeFileSync(file(), report('published'));
    expect(await reader.readFacts()).toEqual({
      outcome: 'published',
      startedAt: '2026-11-20T02:30:00.000Z',
      seconds: 12.5,
    });
    rmSync(file());
    writeFileSync(file(), report('unchanged').replace('{', '{"confirmedAt":"2026-11-20T02:30:00.000Z",'));
    expect((await reader.readFacts())?.confirmedAt).toBe('2026-11-20T02:30:00.000Z');
    rmSync(file());
    writeFileSync(file(), report('refused'));
    expect((await reader.readFacts())?.outcome).toBe('refused');
    rmSync(file());
    expect(await reader.readFacts()).toBeUndefined();
  });

  it.each(['', '{', 'null', '[]', report('splendid'), '{"outcome":"published"}'])(
    'is nothing when it says %j',
    async (text) => {
      writeFileSync(file(), text);
      expect(await new LastBuildReader(store).readFacts()).toBeUndefined();
    },
  );

  it('is nothing when it is larger than any report', async () => {
    writeFileSync(file(), report('published'));
    truncateSync(file(), 17_000_000);
    expect(await new LastBuildReader(store).readFacts()).toBeUndefined();
  });
});

const MANIFEST = { id: '20261119T0230Z-1c77e0d2', createdAt: '2026-11-19T02:30:00Z' } as Manifest;
const HOUR_MS = 3_600_000;
const after = (hours: number, milliseconds = 0) =>
  new Date(Date.parse(MANIFEST.createdAt) + hours * HOUR_MS + milliseconds);

const confirm = (hours: number): void => {
  const confirmedAt = after(hours).toISOString();
  const build = { outcome: 'unchanged', startedAt: confirmedAt, seconds: 1, current: MANIFEST.id, confirmedAt };
  writeFileSync(file(), JSON.stringify(build));
};

describe('what the last build confirmed', () => {
  it('is not asked for while the snapshot is young enough by itself', async () => {
    confirm(24);
    expect(await new LastConfirmation(store).find(MANIFEST, after(26), 26)).toBeUndefined();
  });

  it('is asked for when the snapshot would be stale, and remembered as long as that is enough', async () => {
    const confirmation = new LastConfirmation(store);
    confirm(24);
    expect(await confirmation.find(MANIFEST, after(27), 26)).toMatchObject({ confirmedAt: after(24).toISOString() });
    confirm(48);
    expect(await confirmation.find(MANIFEST, after(50), 26)).toMatchObject({ confirmedAt: after(24).toISOString() });
    expect(await confirmation.find(MANIFEST, after(51), 26)).toMatchObject({ confirmedAt: after(48).toISOString() });
  });

  it('is asked for every ten seconds at the most', async () => {
    const confirmation = new LastConfirmation(store);
    expect(await confirmation.find(MANIFEST, after(30), 26)).toBeUndefined();
    confirm(30);
    expect(await confirmation.find(MANIFEST, after(30, 9_999), 26)).toBeUndefined();
    expect(await confirmation.find(MANIFEST, after(30, 10_000), 26)).toMatchObject({ current: MANIFEST.id });
  });
});
