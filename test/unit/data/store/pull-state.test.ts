import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findOverdueSeconds, PullStateReader } from '../../../../data/store/pull-state.ts';
import { revisionOf, writePullState } from '../../../support/pull-state.ts';

let store = '';
beforeEach(() => {
  store = mkdtempSync(join(tmpdir(), 'deals-pull-state-'));
});
afterEach(() => rmSync(store, { recursive: true }));
const file = () => join(store, 'pull.json');

describe('pull.json for a server', () => {
  it('is empty where nothing was pulled', async () => {
    expect(await new PullStateReader(store).read()).toEqual({});
  });

  it('is parsed once for each content', async () => {
    const reader = new PullStateReader(store);
    writePullState(store, { refusals: 1 });
    const { state } = await reader.read();
    expect(state?.refusals).toBe(1);
    expect((await reader.read()).state).toBe(state);
    // The next content has the same size: the time of the file tells.
    writePullState(store, { refusals: 2 });
    utimesSync(file(), new Date(), new Date(Date.now() + 5_000));
    expect((await reader.read()).state?.refusals).toBe(2);
    rmSync(file());
    expect(await reader.read()).toEqual({});
  });

  it.each([
    ['half a file', () => writeFileSync(file(), '{"url":')],
    ['other JSON', () => writeFileSync(file(), '{"url":7}')],
    ['a lead of more than a day', () => writePullState(store, { announced: revisionOf({ leadSeconds: 1e9 }) })],
    ['a file that is too long', () => writeFileSync(file(), ' '.repeat(300_000))],
    ['a folder', () => mkdirSync(file())],
  ])('has a fault and no state when it is %s', async (_, write) => {
    write();
    expect(await new PullStateReader(store).read()).toEqual({ fault: expect.any(String) });
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
