import { describe, expect, it } from 'vitest';
import { findRateLimit, Quota } from '../../../../server/keys/rate-limit.ts';

describe('a limit', () => {
  it.each([
    ['600/1m', { requests: 600, seconds: 60 }],
    ['10/1s', { requests: 10, seconds: 1 }],
    ['1/24h', { requests: 1, seconds: 86_400 }],
    ['1000000/90s', { requests: 1_000_000, seconds: 90 }],
  ])('%s is %o', (text, expected) => {
    expect(findRateLimit(text)).toEqual(expected);
  });

  it.each(['', ...'600 600/60 0/1m 600/0s -1/1m 1.5/1m 600/1d 600/25h 600/1M off 1e3/1m'.split(' '), ' 600/1m'])(
    '%j is none',
    (text) => {
      expect(findRateLimit(text)).toBeUndefined();
    },
  );
});

/** A quota with a clock that is set by hand. */
function createQuota(text: string) {
  const clock = { ms: 1_234_567.891 };
  const limit = findRateLimit(text) ?? { requests: 0, seconds: 0 };
  const quota = new Quota(limit);
  const take = () => quota.take(clock.ms);
  /** How many of `count` requests get through. */
  const passed = (count: number) => Array.from({ length: count }, take).filter(({ isExceeded }) => !isExceeded).length;
  return { ...limit, clock, take, passed };
}

describe('a quota', () => {
  it.each(['1/1s', '7/1m', '10/1s', '600/1m', '1000/7s', '9973/1h', '1000000/1s'])(
    'is at first all of %s at once, and no request more',
    (text) => {
      const { requests, passed } = createQuota(text);
      expect(passed(requests + 100)).toBe(requests);
    },
  );

  it.each(['1/1s', '7/1m', '600/1m', '1000/7s', '9973/1h'])('grows back evenly: %s', (text) => {
    const { requests, seconds, clock, passed } = createQuota(text);
    passed(requests);
    const intervalMs = (seconds * 1_000) / requests;
    clock.ms += intervalMs * 0.9;
    expect(passed(5)).toBe(0);
    clock.ms += intervalMs * 0.2;
    expect(passed(5)).toBe(1);
    // A client that waits for long has all of it again, and no more.
    clock.ms += seconds * 10_000;
    expect(passed(requests + 100)).toBe(requests);
  });

  it('is told in the fields of the draft, and when to come again', () => {
    const { clock, take } = createQuota('3/1m');
    const told = () => {
      const { policy, state, isExceeded, retryAfterSeconds } = take();
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
});
