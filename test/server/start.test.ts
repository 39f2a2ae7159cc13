import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../server/start.ts';
import { FIXTURE } from '../spec/fixture-catalogue.ts';
import { serve, until } from '../spec/serve.ts';

/** Enough deals for an answer of more than 20 MB, which no system buffers whole. */
const PLENTY = {
  ...FIXTURE,
  deals: Array.from({ length: 1_300 }, () => FIXTURE.deals).flat(),
};

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

describe('a server that starts', () => {
  it('answers from the first connection on, with 503 until its snapshot is loaded (D17)', async () => {
    const source = await serve();
    const { snapshot } = JSON.parse(readFileSync(join(source.store, 'current.json'), 'utf8')) as { snapshot: string };
    const file = join(source.store, snapshot, 'dictionaries.json');
    const text = readFileSync(file);
    rmSync(file);
    // A pipe is not read to its end before something was written to it.
    execFileSync('mkfifo', [file]);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/health/ready`;
    const starting = startServer({ store: source.store, keysFile: source.keysFile, host: '127.0.0.1', port });
    let early: Response | undefined;
    await until(async () => {
      early = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch((error: Error) => {
        if (error.name === 'TimeoutError') throw error;
        return undefined;
      });
      return early !== undefined;
    });
    // It waits for the reader without stopping it: the server is in this process, and may still be on its way there.
    await writeFile(file, text);
    const started = await starting;
    expect([early?.status, early?.headers.get('retry-after')]).toEqual([503, '30']);
    expect((await fetch(url)).status).toBe(200);
    expect(started.snapshotId).toBe(snapshot);
    await Promise.all([started.close(), source.close()]);
  });

  it('on a port that is taken says so, and leaves nothing running', async () => {
    const source = await serve();
    const { port } = new URL(source.url);
    const taken = { store: source.store, keysFile: source.keysFile, host: '127.0.0.1', port: Number(port) };
    await expect(startServer(taken)).rejects.toThrow(expect.objectContaining({ code: 'EADDRINUSE' }));
    await source.close();
  });
});

describe('a server that is closed', () => {
  it('ends the answers under way, whole, and takes no new ones', async () => {
    const server = await serve({ catalogue: PLENTY });
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
    expect(performance.now() - endedAt).toBeLessThan(2_500);
    agent.destroy();
  });
});
