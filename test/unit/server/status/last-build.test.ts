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
