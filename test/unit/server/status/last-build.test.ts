import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LastBuildReader } from '../../../../server/status/last-build.ts';

let store = '';
beforeEach(() => {
  store = mkdtempSync(join(tmpdir(), 'deals-last-build-'));
});
afterEach(() => rmSync(store, { recursive: true }));

const report = (outcome: string) =>
  JSON.stringify({ outcome, startedAt: '2026-11-20T02:30:00.000Z', seconds: 12.5, message: 'x', report: {} });

describe('the last build', () => {
  it('is read again when there was another', async () => {
    const file = join(store, 'last-build.json');
    const reader = new LastBuildReader(store);
    expect(await reader.read()).toBeUndefined();
    writeFileSync(file, report('published'));
    expect(await reader.read()).toEqual({ outcome: 'published', startedAt: '2026-11-20T02:30:00.000Z', seconds: 12.5 });
    rmSync(file);
    writeFileSync(file, report('unchanged').replace('{', '{"confirmedAt":"2026-11-20T02:30:00.000Z",'));
    expect((await reader.read())?.confirmedAt).toBe('2026-11-20T02:30:00.000Z');
    rmSync(file);
    writeFileSync(file, report('refused'));
    expect((await reader.read())?.outcome).toBe('refused');
    rmSync(file);
    expect(await reader.read()).toBeUndefined();
  });

  it.each(['', '{', 'null', '[]', report('splendid'), '{"outcome":"published"}'])(
    'is nothing when it says %j',
    async (text) => {
      writeFileSync(join(store, 'last-build.json'), text);
      expect(await new LastBuildReader(store).read()).toBeUndefined();
    },
  );

  it('is nothing when it is larger than any report', async () => {
    const file = join(store, 'last-build.json');
    writeFileSync(file, report('published'));
    truncateSync(file, 17_000_000);
    expect(await new LastBuildReader(store).read()).toBeUndefined();
  });
});
