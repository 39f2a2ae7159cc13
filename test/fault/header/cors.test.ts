import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byTier } from '../tier.ts';
import { ask, startProgram, type RunningProgram } from '../running-program.ts';

const LISTED = 'https://shop.example';
const OTHERS = [
  'https://evil.example',
  'null',
  'file://',
  'http://shop.example',
  'https://shop.example.evil.example',
  'https://evil.example/https://shop.example',
  'https://shop.example:8443',
  'https://sub.shop.example',
  'HTTPS://SHOP.EXAMPLE',
  'https://shop.example, https://evil.example',
  '*',
];
const TARGETS = [
  '/deals/v1/products/',
  '/deals/v1/products/?x=1',
  '/deals/v9/',
  '/health/ready',
  '/',
  '/problems/unknown-path',
  '/page.css',
  '/images/aaaaaaaaaaaaaaaa/o2-small.webp',
];
const PREFLIGHT = { 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-api-key' };

const PREFLIGHT_GRANTED = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'x-api-key, if-none-match',
  'access-control-max-age': '86400',
};

/** The headers of CORS that an answer has, by name. */
const corsOf = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));

const MODES: readonly (readonly [string, readonly string[]])[] = [
  ['off, as it is unless it is set', []],
  ['for one origin', ['--cors-origin', LISTED]],
  ['for several', ['--cors-origin', `https://other.example,${LISTED}`]],
  ['for any', ['--cors-origin', '*']],
];

describe.each(MODES.slice(0, byTier({ first: 2, second: 4, long: 4 })))('CORS %s (D21)', (_, args) => {
  let program: RunningProgram;
  beforeAll(async () => {
    program = await startProgram({ args });
  });
  afterAll(() => program.stop());

  const isOff = args.length === 0;
  const isAny = args.includes('*');
  const granted = {
    'access-control-allow-origin': isAny ? '*' : LISTED,
    'access-control-expose-headers': 'Link, X-Total-Count, ETag, X-Snapshot, X-Request-Id, Retry-After',
  };

  /** Each target twice, so that the second answer is one from memory, then a preflight. */
  async function askAll(origin: string) {
    const answers: { what: string; isPreflight: boolean; headers: Headers }[] = [];
    for (const target of TARGETS) {
      for (const headers of [{}, {}, PREFLIGHT]) {
        const isPreflight = 'Access-Control-Request-Method' in headers;
        const method = isPreflight ? 'OPTIONS' : 'GET';
        const init = { method, headers: { Origin: origin, ...headers } };
        const answer = await ask(program.url + target, isPreflight ? undefined : program.key, init);
        answers.push({ what: `${method} ${target} from ${origin}`, isPreflight, headers: answer.headers });
      }
    }
    return answers;
  }

  it('lets a page of a listed origin read every answer, and no page any answer when it is off', async () => {
    for (const { what, isPreflight, headers } of await askAll(LISTED)) {
      expect([what, corsOf(headers)]).toEqual([
        what,
        isOff ? {} : { ...granted, ...(isPreflight ? PREFLIGHT_GRANTED : {}) },
      ]);
    }
  });

  it('repeats no origin that is not listed, and never lets cookies through', async () => {
    for (const origin of OTHERS) {
      for (const { what, headers } of await askAll(origin)) {
        const { 'access-control-allow-origin': allowed, 'access-control-allow-credentials': credentials } =
          corsOf(headers);
        expect([what, allowed, credentials]).toEqual([what, isAny ? '*' : undefined, undefined]);
      }
    }
  });

  it('has caches tell answers by origin where they differ by it, with and without one', async () => {
    for (const target of TARGETS) {
      for (const headers of [{}, { Origin: LISTED }, { Origin: 'https://evil.example' }]) {
        const answer = await ask(program.url + target, program.key, { headers });
        const varies = (answer.headers.get('vary') ?? '').split(', ').includes('Origin');
        expect([target, headers, varies]).toEqual([target, headers, !isOff && !isAny]);
      }
    }
  });
});
