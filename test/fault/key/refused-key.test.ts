import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey, hashApiKey } from '../../../server/keys/api-key.ts';
import { createApiKeyStore } from '../../../server/keys/key-store.ts';
import { byTier, TIER } from '../tier.ts';
import { ask, createKey, startProgram, type RunningProgram } from '../running-program.ts';

const TARGET = '/deals/v1/products/';

describe('a request without a good key', () => {
  let program: RunningProgram;
  let keyToCome = '';
  beforeAll(async () => {
    program = await startProgram();
    keyToCome = createKey(program.folder, '--name', 'to-come', '--from', '2999-01-01');
    // Its file is read once a second.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    for (let i = 0; i < 2; i++) await ask(program.url + TARGET, program.key);
  });
  afterAll(() => program.stop());

  /** All that an answer tells but its own id and time. */
  async function seen(key: string | undefined, target = TARGET) {
    const { status, headers, text } = await ask(program.url + target, key);
    const own = ['x-request-id', 'date', 'content-length'];
    return {
      status,
      headers: [...headers].filter(([name]) => !own.includes(name)),
      text: text.replace(/"instance":"[^"]*"/, '"instance":""'),
    };
  }

  it('gets the same 401 however near its key comes to a good one (D16)', async () => {
    const good = program.key;
    const other = createApiKey();
    /** What of a text is looked at is its form and its checksum: both alike, the answer is the same. */
    const alike: Readonly<Record<string, readonly [near: string, far: string]>> = {
      'well-formed': [keyToCome, other],
      'all but the last character': [changeLast(good), changeLast(other)],
      'with the checksum of another': [
        good.slice(0, -6) + other.slice(-6),
        other.slice(0, -6) + createApiKey().slice(-6),
      ],
      'in capitals': [`deals_${good.slice(6).toUpperCase()}`, `deals_${other.slice(6).toUpperCase()}`],
      'all but the first': [`e${good.slice(1)}`, `e${other.slice(1)}`],
      'a good one and more': [`${good}0`, `${other}0`],
      'the start of a good one': [good.slice(0, -1), other.slice(0, -1)],
      'the digest of a good one': [hashApiKey(good), 'x'],
    };
    for (const [what, [near, far]] of Object.entries(alike)) {
      const expected = await seen(far);
      expect([what, expected.status]).toEqual([what, 401]);
      expect([what, await seen(near)]).toEqual([what, expected]);
    }
  });

  it('gets the same status and headers with a wrong key and with none, also where an answer is cached (D16)', async () => {
    for (const target of [TARGET, '/deals/v1/products/101/', '/deals/v1/products/?x=1', '/deals/v1/networks']) {
      const [missing, wrong] = [await seen(undefined, target), await seen(createApiKey(), target)];
      expect([target, missing.status, missing.headers]).toEqual([target, wrong.status, wrong.headers]);
      expect(JSON.parse(missing.text)).toMatchObject({ status: 401, code: 'missing-key' });
      expect(JSON.parse(wrong.text)).toMatchObject({ status: 401, code: 'invalid-key' });
    }
  });
});

function changeLast(key: string): string {
  return key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
}

/** Welch's t of two samples, without their slowest tenth, which is the scheduler and the garbage collector. */
function welch(samples: readonly (readonly number[])[]): number {
  const [a, b] = samples.map((sample) => {
    const kept = sample.toSorted((x, y) => x - y).slice(0, Math.floor(sample.length * 0.9));
    const mean = kept.reduce((sum, value) => sum + value, 0) / kept.length;
    const variance = kept.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (kept.length - 1);
    return { mean, error: variance / kept.length };
  }) as [{ mean: number; error: number }, { mean: number; error: number }];
  return (a.mean - b.mean) / Math.sqrt(a.error + b.error);
}

describe.skipIf(TIER === 'first')('the time of a refusal', () => {
  it('does not tell how near a key comes to a good one (D16)', () => {
    const good = createApiKey();
    const entries = [good, ...Array.from({ length: 9 }, createApiKey)].map((key, i) => ({
      id: String(i).padStart(8, '0'),
      name: 'a',
      sha256: hashApiKey(key),
      createdAt: '2026-11-01T00:00:00Z',
    }));
    const ring = createApiKeyStore(entries);
    const now = new Date();
    ring.check(good, now);
    const make = (text: () => string) => Array.from({ length: 1_000 }, () => Buffer.from(text(), 'latin1'));
    const near = make(() => good.slice(0, -6) + createApiKey().slice(-6));
    const far = make(createApiKey);
    const samples: [number[], number[]] = [[], []];
    const rounds = byTier({ first: 0, second: 300_000, long: 5_000_000 });
    for (let round = -20_000; round < rounds; round++) {
      const which = Math.random() < 0.5 ? 0 : 1;
      // A new text each time, as of a request: where one lies in memory would make more of a difference than what it says.
      const key = (which === 0 ? near : far)[(round + 20_000) % 1_000]?.toString('latin1') ?? '';
      const beganAt = process.hrtime.bigint();
      ring.check(key, now);
      const took = Number(process.hrtime.bigint() - beganAt);
      if (round >= 0) samples[which].push(took);
    }
    // 4.5 is where dudect calls a difference found.
    expect(Math.abs(welch(samples))).toBeLessThan(4.5);
  }, 600_000);
});
