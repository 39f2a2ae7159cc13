import { describe, expect, it } from 'vitest';
import { findRateLimit, RateLimiter } from '../../../../server/keys/rate-limit.ts';

describe('a limit', () => {
  it.each([
    ['600/1m', { requests: 600, seconds: 60 }],
    ['10/1s', { requests: 10, seconds: 1 }],
    ['1/24h', { requests: 1, seconds: 86_400 }],
    ['1000000/90s', { requests: 1_000_000, seconds: 90 }],
  ])('%s is %o', (text, expected) => {
    expect(findRateLimit(text)).toEqual(expected);
  });

  it.each([
    '',
    '600',
    '600/60',
    '0/1m',
    '600/0s',
    '-1/1m',
    '1.5/1m',
    '600/1d',
    '600/25h',
    '600/1M',
    ' 600/1m',
    'off',
    '1e3/1m',
  ])('%j is none', (text) => {
    expect(findRateLimit(text)).toBeUndefined();
  });
});

/** A limiter with a clock that is set by hand. */
function createLimiter(text: string | undefined, keys: readonly { id: string; rateLimit?: string }[] = [{ id: 'a' }]) {
  const clock = { ms: 1_234_567.891 };
  const limiter = new RateLimiter(text === undefined ? undefined : findRateLimit(text), () => clock.ms);
  limiter.setKeys(keys);
  /** How many of `count` requests of a key got through. */
  const passed = (key: string, count: number) =>
    Array.from({ length: count }, () => limiter.take(key)).filter((result) => result?.isExceeded === false).length;
  return { limiter, clock, passed };
}

describe('the quota of a key', () => {
  it.each(['1/1s', '7/1m', '10/1s', '600/1m', '1000/7s', '9973/1h', '1000000/1s'])(
    'is at first all of %s at once, and no request more',
    (text) => {
      const { passed } = createLimiter(text);
      const { requests } = findRateLimit(text) ?? { requests: 0 };
      expect(passed('a', requests + 100)).toBe(requests);
    },
  );

  it.each(['1/1s', '7/1m', '600/1m', '1000/7s', '9973/1h'])('grows back evenly: %s', (text) => {
    const { requests, seconds } = findRateLimit(text) ?? { requests: 0, seconds: 0 };
    const { clock, passed } = createLimiter(text);
    passed('a', requests);
    const intervalMs = (seconds * 1_000) / requests;
    clock.ms += intervalMs * 0.9;
    expect(passed('a', 5)).toBe(0);
    clock.ms += intervalMs * 0.2;
    expect(passed('a', 5)).toBe(1);
    // A client that waits for long has all of it again, and no more.
    clock.ms += seconds * 10_000;
    expect(passed('a', requests + 100)).toBe(requests);
  });

  it('is told in the fields of the draft, and when to come again', () => {
    const { limiter, clock } = createLimiter('3/1m');
    const told = () => {
      const { policy, state, isExceeded, retryAfterSeconds } = limiter.take('a') ?? {};
      return [policy, state, isExceeded, retryAfterSeconds];
    };
    expect(told()).toEqual(['"default";q=3;w=60', '"default";r=2;t=20', false, 0]);
    expect(told()).toEqual(['"default";q=3;w=60', '"default";r=1;t=40', false, 0]);
    clock.ms += 10_000;
    expect(told()).toEqual(['"default";q=3;w=60', '"default";r=0;t=50', false, 0]);
    expect(told()).toEqual(['"default";q=3;w=60', '"default";r=0;t=50', true, 10]);
    clock.ms += 9_500;
    expect(told()).toEqual(['"default";q=3;w=60', '"default";r=0;t=41', true, 1]);
    clock.ms += 500;
    expect(told()).toEqual(['"default";q=3;w=60', '"default";r=0;t=60', false, 0]);
  });

  it('is not used by requests that were refused', () => {
    const { clock, passed } = createLimiter('10/1s');
    expect(passed('a', 100_000)).toBe(10);
    clock.ms += 100;
    expect(passed('a', 100_000)).toBe(1);
  });

  it('is its own: another key has all of its', () => {
    const { passed } = createLimiter('10/1s', [{ id: 'a' }, { id: 'b' }]);
    expect(passed('a', 1_000)).toBe(10);
    expect(passed('b', 1_000)).toBe(10);
  });

  it('may be set for the key, or be without limit', () => {
    const keys = [{ id: 'a' }, { id: 'b', rateLimit: '2/1s' }, { id: 'c', rateLimit: 'off' }];
    const { limiter, passed } = createLimiter('10/1s', keys);
    expect([passed('a', 100), passed('b', 100)]).toEqual([10, 2]);
    expect(limiter.take('c')).toBeUndefined();
    const without = createLimiter(undefined, keys);
    expect(without.limiter.take('a')).toBeUndefined();
    expect(without.passed('b', 100)).toBe(2);
  });

  it('stays used when the key file changes, and is forgotten with its key', () => {
    const { limiter, passed } = createLimiter('10/1s');
    expect(passed('a', 100)).toBe(10);
    limiter.setKeys([{ id: 'b' }, { id: 'a' }]);
    expect([passed('a', 100), passed('b', 100)]).toEqual([0, 10]);
    limiter.setKeys([{ id: 'b' }]);
    expect(limiter.take('a')).toBeUndefined();
  });

  it('that is changed to a shorter window keeps no client waiting for longer than that', () => {
    const { limiter, clock, passed } = createLimiter('10/1h');
    passed('a', 10);
    limiter.setKeys([{ id: 'a', rateLimit: '10/1s' }]);
    expect(limiter.take('a')?.retryAfterSeconds).toBe(1);
    clock.ms += 1_000;
    expect(passed('a', 100)).toBe(10);
  });
});
