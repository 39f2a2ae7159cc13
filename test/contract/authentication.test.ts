import { afterAll, describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../data/query/endpoint.ts';
import { createApiKey } from '../../server/keys/api-key.ts';
import { addKey, removeKeys } from '../../server/keys/key-file.ts';
import { startServer } from '../../server/start.ts';
import { expectProblem } from './expect-problem.ts';
import { serve, until, withServer, type AskOptions } from './serve.ts';

const log: unknown[] = [];
const server = await serve({ start: { log: (entry) => log.push(entry) } });
afterAll(() => server.close());

const NETWORKS = '/deals/v1/networks/';
const withKey = (key: string): AskOptions => ({ headers: { 'x-api-key': key } });

describe('authentication (§5)', () => {
  it.each(ENDPOINTS.map(({ path }) => path.replace('<id>', '101')))('%s needs x-api-key (D16)', async (path) => {
    const refused = await server.askWithoutKey(path);
    expectProblem(refused, 'missing-key');
    expect(refused.headers.get('www-authenticate')).toBe('ApiKey realm="deals"');
    expect((await server.ask(path)).status).toBe(200);
  });

  it('a slip in a key is told by what the text is alone, and neither answer nor log repeats it (D16)', async () => {
    const changed = server.key.slice(0, -1) + (server.key.endsWith('0') ? '1' : '0');
    const told: Record<string, string> = {};
    for (const [what, text] of Object.entries({ changed, quoted: `"${server.key}"`, unknown: createApiKey() })) {
      const answer = await server.ask(NETWORKS, withKey(text));
      expect(answer.headers.get('www-authenticate')).toBe('ApiKey realm="deals"');
      told[what] = expectProblem(answer, 'invalid-key').detail;
      expect([what, `${answer.text} ${JSON.stringify(log)}`.includes(text.slice(8, 16))]).toEqual([what, false]);
    }
    expect(told).toEqual({
      changed: 'The key in x-api-key has a slip: its checksum does not fit. Copy it again, whole.',
      quoted:
        'The key in x-api-key is not of the form of a key: deals_ and 38 letters and digits, without quotes or a word before it.',
      unknown: 'The key in x-api-key is not known here.',
    });
  });

  it.each(['Authorization', 'api-key', 'Api_Key', 'apikey', 'x-apikey', 'x-api-token', 'X-Access-Token', 'x-api_key'])(
    'a key in the header %s is told where it belongs, and is not repeated (D16)',
    async (header) => {
      const { text } = await server.askWithoutKey(NETWORKS, { headers: { [header]: server.key } });
      const { detail, code } = JSON.parse(text) as { readonly detail: string; readonly code: string };
      const name = header === 'Authorization' ? header : header.toLowerCase();
      expect([code, detail]).toEqual([
        'missing-key',
        `The request has no header x-api-key, but one ${name}, which is not read: send the key as the header x-api-key, by itself.`,
      ]);
      expect(text + JSON.stringify(log)).not.toContain(server.key);
    },
  );

  it('an empty x-api-key is told to be empty, and a header of another kind is not taken for a key (D16)', async () => {
    const detailOf = async (headers: Record<string, string>) => {
      const answer = await server.askWithoutKey(NETWORKS, { headers });
      expect(answer.headers.get('www-authenticate')).toBe('ApiKey realm="deals"');
      return expectProblem(answer, 'missing-key').detail;
    };
    expect(await detailOf({ 'x-api-key': '' })).toBe('The header x-api-key is empty.');
    expect(await detailOf({ 'x-keyboard': 'a', 'sec-websocket-key': 'b', 'idempotency-key': 'c' })).toBe(
      'The request has no header x-api-key.',
    );
  });

  it('a key may be made and revoked without a restart, and several live at a time (D16)', async () => {
    const { keyText, entry } = await addKey(server.keysFile, { name: 'second' }, new Date());
    await until(async () => (await server.ask(NETWORKS, withKey(keyText))).status === 200);
    expect((await server.ask(NETWORKS)).status).toBe(200);
    await removeKeys(server.keysFile, ({ id }) => id === entry.id);
    await until(async () => (await server.ask(NETWORKS, withKey(keyText))).status === 401);
    expectProblem(await server.ask(NETWORKS, withKey(keyText)), 'invalid-key');
    expect((await server.ask(NETWORKS)).status).toBe(200);
  });

  it('a key has a start and an end (D16)', async () => {
    let clock = new Date('2030-01-01T12:00:00Z');
    await withServer({ start: { now: () => clock } }, async (dated) => {
      const { keyText } = await addKey(
        dated.keysFile,
        { name: 'june', from: new Date('2030-06-01T00:00:00Z'), until: new Date('2030-07-01T00:00:00Z') },
        clock,
      );
      const askInJune = () => dated.ask(NETWORKS, withKey(keyText));
      expectProblem(await askInJune(), 'invalid-key');
      clock = new Date('2030-06-01T00:00:00Z');
      await until(async () => (await askInJune()).status === 200);
      clock = new Date('2030-07-01T00:00:00Z');
      expectProblem(await askInJune(), 'expired-key');
    });
  });

  it('a server without any key refuses to start (D16)', async () => {
    await removeKeys((await addOnlyKey()).keysFile, () => true);
    await expect(
      startServer({ store: server.store, keysFile: `${server.keysFile}.other`, host: '127.0.0.1', port: 0 }),
    ).rejects.toThrow(/expected at least one key/);
  });

  it('no log, error or answer ever holds a key (D16)', async () => {
    const secret = `${server.key.slice(0, -1)}_`;
    const answers = await Promise.all([
      server.ask(NETWORKS),
      server.ask(`${NETWORKS}?key=1`),
      server.ask('/deals/v1/nowhere/'),
      server.ask(NETWORKS, withKey(secret)),
    ]);
    const shown = JSON.stringify([log, answers.map(({ text, headers }) => [text, [...headers]])]);
    expect(log.length).toBeGreaterThan(0);
    expect(shown).not.toContain(server.key);
    expect(shown).not.toContain(secret);
  });
});

async function addOnlyKey(): Promise<{ keysFile: string }> {
  const keysFile = `${server.keysFile}.other`;
  await addKey(keysFile, { name: 'only' }, new Date());
  return { keysFile };
}
