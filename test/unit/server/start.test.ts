import { Agent, get, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../../server/start.ts';
import { FIXTURE } from '../../contract/fixture-catalogue.ts';
import { withServer } from '../../harness.ts';
import { findFreePort } from '../../support/ports.ts';

/** Enough deals for an answer of more than 20 MB, which no system buffers whole. */
const PLENTY = {
  ...FIXTURE,
  deals: Array.from({ length: 1_300 }, () => FIXTURE.deals).flat(),
};

/** The status of the first answer from a port that may not be open yet. */
async function askUntilAnswered(url: string, key: string): Promise<number> {
  for (;;) {
    const response = await fetch(url, { headers: { 'x-api-key': key } }).catch(() => undefined);
    if (response !== undefined) return response.status;
    await new Promise(setImmediate);
  }
}

describe('a server that starts', () => {
  it('lets requests wait while it loads its snapshot', async () => {
    const source = await withServer({ catalogue: PLENTY });
    const port = await findFreePort();
    const starting = startServer({ store: source.store, keysFile: source.keysFile, host: '127.0.0.1', port });
    const paths = ['/deals/v1/networks/', '/health/ready', '/health/live'];
    const asked = paths.map((path) => askUntilAnswered(`http://127.0.0.1:${port}${path}`, source.key));
    expect(await Promise.all(asked)).toEqual([200, 200, 200]);
    await (await starting).close();
  });
});

describe('a server that is closed', () => {
  it('ends the answers under way, whole, and takes no new ones', async () => {
    const server = await withServer({ catalogue: PLENTY });
    const agent = new Agent({ keepAlive: true });
    const target = `${server.url}/deals/v1/products/?expand=deals`;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(target, { agent, headers: { 'x-api-key': server.key } }, resolve).on('error', reject);
    });
    let text = '';
    response.setEncoding('utf8');
    const isEnded = new Promise((resolve) => response.on('end', resolve));
    const closing = server.close();
    await expect(fetch(`${server.url}/health/live`)).rejects.toThrow(TypeError);
    response.on('data', (part: string) => (text += part));
    await isEnded;
    const endedAt = performance.now();
    const { deals } = JSON.parse(text) as { deals: unknown[] };
    expect(deals.length).toBe(PLENTY.deals.length);
    expect(text.length).toBeGreaterThan(20_000_000);
    await closing;
    // Not as long as a connection may stay open for another request.
    expect(performance.now() - endedAt).toBeLessThan(5_000);
    agent.destroy();
  });
});
