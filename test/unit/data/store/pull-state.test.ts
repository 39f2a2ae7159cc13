import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findOverdueSeconds, openPullState } from '../../../../data/store/pull-state.ts';
import { revisionOf, writePullState } from '../../../support/pull-state.ts';

let store = '';
beforeEach(() => {
  store = mkdtempSync(join(tmpdir(), 'deals-pull-state-'));
});
afterEach(() => rmSync(store, { recursive: true }));
const path = () => join(store, 'pull.json');

describe('pull.json for a server', () => {
  it('is empty where nothing was pulled', async () => {
    expect(await openPullState(store).read()).toBeUndefined();
  });

  it('is parsed once for each content', async () => {
    const file = openPullState(store);
    writePullState(store, { refusals: 1 });
    const state = await file.read();
    expect(state?.refusals).toBe(1);
    expect(await file.read()).toBe(state);
    // The next content has the same size: the time of the file tells.
    writePullState(store, { refusals: 2 });
    utimesSync(path(), new Date(), new Date(Date.now() + 5_000));
    expect((await file.read())?.refusals).toBe(2);
    rmSync(path());
    expect(await file.read()).toBeUndefined();
  });

  it.each([
    ['half a file', () => writeFileSync(path(), '{"url":')],
    ['other JSON', () => writeFileSync(path(), '{"url":7}')],
    ['a lead of more than a day', () => writePullState(store, { announced: revisionOf({ leadSeconds: 1e9 }) })],
    ['a folder', () => mkdirSync(path())],
  ])('cannot be read when it is %s', async (_, write) => {
    write();
    await expect(openPullState(store).read()).rejects.toThrow(/./);
  });
});

describe('an announced revision', () => {
  const announced = revisionOf({ revision: 42, activateAt: '2026-11-20T08:00:00.000Z' });
  const stateOf = (current: number) => ({
    url: '',
    highest: {},
    failures: {},
    refusals: 0,
    fetchedBytes: 0,
    announced,
    current: revisionOf({ revision: current }),
  });

  it.each([
    [41, '2026-11-20T08:10:00Z', 600],
    [41, '2026-11-20T08:00:00Z', 0],
    [41, '2026-11-20T07:59:00Z', 0],
    [42, '2026-11-20T08:10:00Z', 0],
  ])('while %i is current at %s is overdue by %i s', (current, now, seconds) => {
    expect(findOverdueSeconds(stateOf(current), new Date(now))).toBe(seconds);
  });

  it('before the first switch is overdue too', () => {
    const { current: _, ...first } = stateOf(0);
    expect(findOverdueSeconds(first, new Date('2026-11-20T08:00:05Z'))).toBe(5);
  });
});
