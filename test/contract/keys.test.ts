import { describe, expect, it } from 'vitest';
import { createApiKey } from '../../server/keys/api-key.ts';
import { addKey, removeKeys } from '../../server/keys/key-file.ts';
import { until, withServer } from '../harness.ts';
import { expectProblem } from './expect-problem.ts';

const NETWORKS = '/deals/v1/networks/';
const withKey = (key: string) => ({ headers: { 'x-api-key': key } });

describe('keys (§5)', () => {
  it('may be made and revoked without a restart, and several live at a time (D16)', async () => {
    const server = await withServer();
    const { keyText, entry } = await addKey(server.keysFile, { name: 'second' }, new Date());
    await until(async () => (await server.ask(NETWORKS, withKey(keyText))).status === 200);
    expect((await server.ask(NETWORKS)).status).toBe(200);
    await removeKeys(server.keysFile, ({ id }) => id === entry.id);
    await until(async () => (await server.ask(NETWORKS, withKey(keyText))).status === 401);
    const revoked = expectProblem(await server.ask(NETWORKS, withKey(keyText)), 'invalid-key');
    const unknown = expectProblem(await server.ask(NETWORKS, withKey(createApiKey())), 'invalid-key');
    expect([revoked.detail, unknown.detail]).toEqual(Array(2).fill('The key in x-api-key is not known here.'));
    expect((await server.ask(NETWORKS)).status).toBe(200);
  });

  it('have a start and an end (D16)', async () => {
    let clock = new Date('2030-01-01T12:00:00Z');
    const server = await withServer({ now: () => clock });
    const june = { name: 'june', from: new Date('2030-06-01T00:00:00Z'), until: new Date('2030-07-01T00:00:00Z') };
    const { keyText } = await addKey(server.keysFile, june, clock);
    const askInJune = () => server.ask(NETWORKS, withKey(keyText));
    expectProblem(await askInJune(), 'invalid-key');
    clock = june.from;
    await until(async () => (await askInJune()).status === 200);
    clock = june.until;
    expectProblem(await askInJune(), 'expired-key');
  });

  it('are in no log and in no answer (D16)', async () => {
    const log: unknown[] = [];
    const server = await withServer({ log: (entry) => log.push(entry) });
    const secret = `${server.key.slice(0, -1)}_`;
    const answers = [
      await server.ask(NETWORKS),
      await server.ask(`${NETWORKS}?key=${server.key}`),
      await server.ask(`/deals/v1/${server.key}/`),
      await server.ask(NETWORKS, withKey(secret)),
      await server.ask(NETWORKS, { headers: { 'x-api-key': null, authorization: server.key } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 404, 401, 401]);
    expect(log.length).toBeGreaterThan(answers.length);
    const shown = JSON.stringify([log, answers.slice(3).map(({ text, headers }) => [text, [...headers]])]);
    expect(JSON.stringify(log)).not.toContain(server.key);
    expect(shown).not.toContain(secret);
  });
});

describe('a key under a limit (D19)', () => {
  const PRODUCTS = '/deals/v1/products/';
  const leftOf = (headers: Headers): number =>
    Number(/^"default";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '')?.[1]);

  it('is told on every answer what is left, and refused when nothing is; what costs no key costs it nothing', async () => {
    const server = await withServer({ settings: { rateLimit: { requests: 6, seconds: 86_400 } } });
    const statuses: number[] = [];
    for (const [target, method, headers] of [
      [PRODUCTS, 'GET', {}],
      [PRODUCTS, 'GET', { 'if-none-match': '*' }],
      [PRODUCTS, 'HEAD', {}],
      [`${PRODUCTS}?limit=7`, 'GET', {}],
      [`${PRODUCTS}?x=1`, 'GET', {}],
      [`${PRODUCTS}987654/`, 'GET', {}],
    ] as const) {
      const answer = await server.ask(target, { method, headers });
      statuses.push(answer.status);
      expect(answer.headers.get('ratelimit-policy')).toBe('"default";q=6;w=86400');
      expect(leftOf(answer.headers)).toBe(6 - statuses.length);
      const free = await server.ask(['/health/live', '/', '/deals/v1/nowhere/'][statuses.length % 3] ?? '');
      expect(free.headers.get('ratelimit')).toBeNull();
    }
    expect(statuses).toEqual([200, 304, 200, 200, 400, 404]);
    for (const target of [PRODUCTS, `${PRODUCTS}?x=1`, '/status/store.json']) {
      const answer = await server.ask(target);
      expectProblem(answer, 'rate-limited');
      expect([leftOf(answer.headers), answer.headers.get('cache-control')]).toEqual([0, 'no-store']);
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(86_400 / 6);
    }
    const other = await addKey(server.keysFile, { name: 'other' }, new Date());
    await until(async () => (await server.ask(PRODUCTS, withKey(other.keyText))).status === 200);
    expect((await server.ask(PRODUCTS)).status).toBe(429);
  });
});
