import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireStoreLock } from '../../../../data/store/lock.ts';
import { findLockAgeSeconds } from '../../../../server/metrics/collect-metrics.ts';

let store = '';
beforeEach(() => {
  store = mkdtempSync(join(tmpdir(), 'deals-build-lock-'));
});
afterEach(() => rmSync(store, { recursive: true }));

describe('the age of the lock of a store', () => {
  it('is there while a build holds it, and grows', async () => {
    expect(await findLockAgeSeconds(store, new Date())).toBeUndefined();
    const lock = acquireStoreLock(store);
    const takenAt = new Date('2026-11-20T02:30:00Z');
    utimesSync(join(store, 'build.lock'), takenAt, takenAt);
    expect(await findLockAgeSeconds(store, new Date('2026-11-20T03:30:00Z'))).toBe(3_600);
    lock.release();
    expect(await findLockAgeSeconds(store, new Date())).toBeUndefined();
  });

  it('is not negative when the clock was set back', async () => {
    const lock = acquireStoreLock(store);
    expect(await findLockAgeSeconds(store, new Date(0))).toBe(0);
    lock.release();
  });
});
