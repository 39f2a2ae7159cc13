import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SnapshotError } from '../../../../data/snapshot/snapshot-error.ts';
import { describePull, readPullState, type PullState } from '../../../../data/store/pull-state.ts';
import { createTemporaryFolder } from '../../build/publish/temporary-store.ts';

describe('pull.json', () => {
  it.each([
    ['half a file', (path: string) => writeFileSync(path, '{"url":')],
    ['other JSON', (path: string) => writeFileSync(path, '{"url":7}')],
    ['a folder', (path: string) => mkdirSync(path)],
  ])('cannot be read when it is %s', (_, write) => {
    const store = createTemporaryFolder();
    expect(readPullState(store)).toBeUndefined();
    write(join(store, 'pull.json'));
    expect(() => readPullState(store)).toThrow(SnapshotError);
  });
});

describe('what an operator must look at', () => {
  const NOW = new Date('2026-11-20T08:00:00Z');
  const at = '2026-11-20T07:59:50.000Z';
  const SOUND: PullState = { url: 's3://catalogue/uk', revision: 41, lastContactAt: at, failures: 3 };

  it.each([
    ['nothing', {}, []],
    [
      'the last failure',
      { lastFailure: { at, message: 'x: it took too long' } },
      [`deals pull failed at ${at}: x: it took too long`],
    ],
    ['nothing after 15 minutes of silence', { lastContactAt: '2026-11-20T07:45:00.000Z' }, []],
    [
      'a longer silence',
      { lastContactAt: '2026-11-20T07:44:59.000Z' },
      ['deals pull has had no answer from the remote store since 2026-11-20T07:44:59.000Z'],
    ],
    ['no answer ever', { lastContactAt: undefined }, ['deals pull has had no answer from the remote store']],
  ] as const)('is %s', (_, changes: Partial<PullState>, found) => {
    const { warnings } = describePull({ ...SOUND, ...changes }, NOW);
    expect(warnings.map((warning) => warning.found)).toEqual(found);
    expect(warnings.every(({ remedy }) => remedy !== '')).toBe(true);
  });
});
