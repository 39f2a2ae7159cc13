import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describePull, openPullState, type PullState } from '../../../../data/store/pull-state.ts';
import { writePullState } from '../../../support/pull-state.ts';

let store = '';
beforeEach(() => {
  store = mkdtempSync(join(tmpdir(), 'deals-pull-state-'));
});
afterEach(() => rmSync(store, { recursive: true }));
const path = () => join(store, 'pull.json');

describe('pull.json for a server', () => {
  it('is parsed once for each content', async () => {
    const file = openPullState(store);
    expect(await file.read()).toBeUndefined();
    writePullState(store, { failures: 1 });
    const state = await file.read();
    expect(state?.failures).toBe(1);
    expect(await file.read()).toBe(state);
    // The next content has the same size: the time of the file tells.
    writePullState(store, { failures: 2 });
    utimesSync(path(), new Date(), new Date(Date.now() + 5_000));
    expect((await file.read())?.failures).toBe(2);
    rmSync(path());
    expect(await file.read()).toBeUndefined();
  });

  it.each([
    ['half a file', () => writeFileSync(path(), '{"url":')],
    ['other JSON', () => writeFileSync(path(), '{"url":7}')],
    ['a folder', () => mkdirSync(path())],
  ])('cannot be read when it is %s', async (_, write) => {
    write();
    await expect(openPullState(store).read()).rejects.toThrow(/./);
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
