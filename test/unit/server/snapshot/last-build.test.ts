import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLastBuild } from '../../../../server/snapshot/last-build.ts';

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
    const reader = openLastBuild(store);
    expect(await reader.read()).toBeUndefined();
    writeFileSync(file(), report('published'));
    expect(await reader.read()).toEqual({
      outcome: 'published',
      startedAt: '2026-11-20T02:30:00.000Z',
      seconds: 12.5,
    });
    rmSync(file());
    writeFileSync(file(), report('unchanged').replace('{', '{"confirmedAt":"2026-11-20T02:30:00.000Z",'));
    expect((await reader.read())?.confirmedAt).toBe('2026-11-20T02:30:00.000Z');
    rmSync(file());
    writeFileSync(file(), report('refused'));
    expect((await reader.read())?.outcome).toBe('refused');
    rmSync(file());
    expect(await reader.read()).toBeUndefined();
  });

  it.each(['', '{', 'null', '[]', report('splendid'), '{"outcome":"published"}'])(
    'is nothing when it says %j',
    async (text) => {
      writeFileSync(file(), text);
      expect(
        await openLastBuild(store)
          .read()
          .catch(() => undefined),
      ).toBeUndefined();
    },
  );
});
