import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApiKey, hashApiKey } from '../../../../server/keys/api-key.ts';
import type { KeyEntry } from '../../../../server/keys/key-file.ts';
import { createKeyRing, hasUsableKey } from '../../../../server/keys/server-keys.ts';

const KEY = createApiKey();
const OTHER = createApiKey();
const NOON = new Date('2026-11-20T12:00:00Z');

function entryOf(keyText: string, facts: Partial<KeyEntry> = {}): KeyEntry {
  return { id: '0a1b2c3d', name: 'website', sha256: hashApiKey(keyText), createdAt: '2026-11-01T00:00:00Z', ...facts };
}

describe('an API key store (D16)', () => {
  it.each([
    ['without a period', {}, 'valid'],
    ['from this very moment', { from: '2026-11-20T12:00:00Z' }, 'valid'],
    ['from a millisecond later', { from: '2026-11-20T12:00:00.001Z' }, 'unknown'],
    ['until this very moment', { until: '2026-11-20T12:00:00Z' }, 'expired'],
    ['until a millisecond later', { until: '2026-11-20T12:00:00.001Z' }, 'valid'],
  ])('finds a key %s %o: %s', (_, period, kind) => {
    expect(createKeyRing([entryOf(KEY, period)]).check(KEY, NOON).kind).toBe(kind);
  });

  it('says whose key it is, wherever in the file it stands, and whether it has the operator role', () => {
    const entries = [entryOf(OTHER), entryOf(KEY, { id: '11111111', name: 'partner', operator: true })];
    const ring = createKeyRing([...entries, entryOf(createApiKey(), { id: '22222222' })]);
    expect(ring.check(KEY, NOON)).toEqual({ kind: 'valid', id: '11111111', name: 'partner', isOperator: true });
    expect(ring.check(OTHER, NOON)).toEqual({ kind: 'valid', id: '0a1b2c3d', name: 'website' });
  });

  it.each([
    ['another key', OTHER],
    ['nothing', ''],
    ['the hash of the key', hashApiKey(KEY)],
    ['the key with a blank behind it', `${KEY} `],
    ['the key in lower case', KEY.toLowerCase()],
    ['a very long text', KEY.repeat(1_000)],
  ])('does not know %s', (_, text) => {
    expect(createKeyRing([entryOf(KEY)]).check(text, NOON)).toEqual({ kind: 'unknown' });
  });

  it('looks at the clock each time, also for a key that it has seen', () => {
    const store = createKeyRing([entryOf(KEY, { from: '2026-11-20T12:00:00Z', until: '2026-11-20T12:00:02Z' })]);
    const kinds = [-1, 0, 1_999, 2_000, 1_000, -1].map(
      (after) => store.check(KEY, new Date(NOON.getTime() + after)).kind,
    );
    expect(kinds).toEqual(['unknown', 'valid', 'valid', 'expired', 'valid', 'unknown']);
  });
});

describe('the digest of a key', () => {
  // Counts the calls; `syncBuiltinESMExports` gives the spy to modules that import the function by name.
  const compared = vi.spyOn(crypto, 'timingSafeEqual');
  beforeAll(syncBuiltinESMExports);
  beforeEach(() => {
    compared.mockClear();
  });
  afterAll(() => {
    compared.mockRestore();
    syncBuiltinESMExports();
  });

  const others = (count: number) => Array.from({ length: count }, () => entryOf(createApiKey()));

  it.each([
    ['the first of all', [entryOf(KEY), ...others(9)]],
    ['in the middle', [...others(5), entryOf(KEY), ...others(4)]],
    ['the last of all', [...others(9), entryOf(KEY)]],
    ['not there', others(10)],
  ])('is compared with every other in constant time when it is %s (D16)', (_, entries) => {
    createKeyRing(entries).check(KEY, NOON);
    expect(compared.mock.calls.map(([a, b]) => [a.byteLength, b.byteLength])).toEqual(
      Array.from({ length: 10 }, () => [32, 32]),
    );
  });

  it('that was found is not compared again, one that was not is', () => {
    const store = createKeyRing([entryOf(KEY), ...others(2)]);
    for (let i = 0; i < 5; i++) store.check(KEY, NOON);
    expect(compared.mock.calls.length).toBe(3);
    for (let i = 0; i < 5; i++) store.check(OTHER, NOON);
    expect(compared.mock.calls.length).toBe(18);
  });
});

describe('a usable key', () => {
  it.each([
    ['no key at all', [], false],
    ['only expired keys', [{ until: '2026-11-20T12:00:00Z' }, { until: '2026-01-01T00:00:00Z' }], false],
    ['an expired and a living key', [{ until: '2026-01-01T00:00:00Z' }, {}], true],
    ['a key that will be valid', [{ from: '2026-12-01T00:00:00Z' }], true],
  ])('%s: %o', (_, periods, expected) => {
    const entries = periods.map((period) => entryOf(createApiKey(), period));
    expect(hasUsableKey(entries, NOON)).toBe(expected);
  });
});
