import { describe, expect, it } from 'vitest';
import { createApiKey } from '../../server/keys/api-key.ts';
import { addKey, removeKeys } from '../../server/keys/key-file.ts';
import { startServer } from '../../server/start.ts';
import { until, withServer, withStore } from '../harness.ts';
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

  it('are needed to start (D16)', async () => {
    const { store, keysFile } = await withStore();
    await removeKeys(keysFile, () => true);
    const starting = startServer({ store, keysFile, host: '127.0.0.1', port: 0 });
    await expect(starting).rejects.toThrow(/expected at least one key/);
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
