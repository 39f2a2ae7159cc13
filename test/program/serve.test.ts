import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { endOf, requireSuccess, runDeals, startDeals, untilAddress, type DealsRun } from '../unit/cli/run-deals.ts';
import { writeSmallSource } from '../unit/cli/small-source.ts';

const STORE = 'dist/catalogue';

let cwd = '';
let running: ChildProcessWithoutNullStreams | undefined;

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'deals-cli-serve-'));
  writeSmallSource(join(cwd, 'data/sample'));
  requireSuccess(await runDeals(['build', '--config', 'data/sample/catalogue.json'], { cwd }));
});

afterEach(() => running?.kill('SIGKILL'));
afterAll(() => rmSync(cwd, { recursive: true }));

interface Started {
  /** What it wrote to stdout when it was ready. */
  readonly announcement: string;
  readonly url: string;
  readonly child: ChildProcessWithoutNullStreams;
  readonly end: Promise<DealsRun>;
}

/** Starts a server and waits for the address that it prints. */
async function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Started> {
  const child = startDeals(args, { cwd, env });
  running = child;
  const end = endOf(child);
  const announcement = await Promise.race([
    untilAddress(child),
    end.then((run) => Promise.reject(new Error(run.stderr))),
  ]);
  return { announcement, url: /http:\/\/[0-9.]+:[0-9]+/.exec(announcement)?.[0] ?? '', child, end };
}

async function createKey(keysFile: string, name = 'website'): Promise<string> {
  return (await runDeals(['keys', 'create', '--keys', keysFile, '--name', name], { cwd })).stdout.trimEnd();
}

async function statusOf(url: string, keyText: string): Promise<number> {
  const response = await fetch(`${url}/deals/v1/products/`, { headers: { 'x-api-key': keyText } });
  await response.text();
  return response.status;
}

/** The entries of a log. */
function entriesOf(stderr: string): readonly Record<string, unknown>[] {
  const lines = stderr.trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('deals serve', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'prints its address on stdout, answers, and ends with exit code 0 at %s',
    async (signal) => {
      const keyText = await createKey('keys.json');
      const { url, child, end } = await start(['serve', '--store', STORE, '--keys', 'keys.json', '--port', '0']);
      expect(await statusOf(url, keyText)).toBe(200);
      child.kill(signal);
      const { exitCode, stdout, stderr } = await end;
      expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${url}\n` });
      expect(entriesOf(stderr)).toContainEqual(
        expect.objectContaining({ level: 'info', event: 'request', status: 200, key: 'website' }),
      );
      expect(entriesOf(stderr).at(-1)).toMatchObject({ level: 'info', event: 'stopping', signal });
      expect(stderr).not.toContain(keyText.slice(6));
    },
  );

  it('has told of every answered request by the time it ends', async () => {
    const keyText = await createKey('keys.json');
    const { url, child, end } = await start(['serve', '--store', STORE, '--keys', 'keys.json', '--port', '0']);
    for (let i = 0; i < 10; i++) {
      await Promise.all(Array.from({ length: 30 }, () => statusOf(url, keyText)));
    }
    child.kill('SIGTERM');
    const requests = entriesOf((await end).stderr).filter(({ event }) => event === 'request');
    expect(requests.length).toBe(300);
    expect(new Set(requests.map(({ requestId }) => requestId)).size).toBe(300);
    for (const entry of requests) {
      expect(entry).toEqual({
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        event: 'request',
        requestId: expect.any(String),
        method: 'GET',
        path: '/deals/v1/products/',
        route: 'products',
        status: 200,
        bytes: expect.any(Number),
        key: 'website',
        milliseconds: expect.any(Number),
        finished: true,
      });
    }
  });

  it('tells of no request when a flag says so, but of all else', async () => {
    const keyText = await createKey('keys.json');
    const serve = ['serve', '--store', STORE, '--keys', 'keys.json', '--port', '0', '--access-log', 'off'];
    const { url, child, end } = await start(serve);
    expect(await statusOf(url, keyText)).toBe(200);
    child.kill('SIGTERM');
    expect(entriesOf((await end).stderr).map(({ event }) => event)).toEqual(['snapshot-taken-up', 'stopping']);
  });

  it('takes its settings from flags and from the environment', async () => {
    const keyText = await createKey('settings.json');
    const { url } = await start(['serve', '--keys', 'settings.json', '--max-deals', '5000'], {
      DEALS_STORE: STORE,
      DEALS_PORT: '0',
      DEALS_MAX_AGE: '5m',
    });
    const headers = { 'x-api-key': keyText };
    const page = await fetch(`${url}/deals/v1/products/`, { headers });
    expect(page.headers.get('cache-control')).toContain('max-age=300,');
    expect(await (await fetch(`${url}/openapi.json`)).text()).toContain('at most 5000 deals');
  });

  it.each([
    ['no key', []],
    ['only an expired key', [{ until: '2020-01-01T00:00:00Z' }]],
  ])('with %s does not start, and says how to make one', async (_, periods) => {
    const keys = periods.map((period) => ({
      id: '0a1b2c3d',
      name: 'old',
      sha256: '0'.repeat(64),
      createdAt: '2019-01-01T00:00:00Z',
      ...period,
    }));
    writeFileSync(join(cwd, 'useless.json'), JSON.stringify({ keys }));
    const { exitCode, stdout, stderr } = await runDeals(
      ['serve', '--store', STORE, '--keys', 'useless.json', '--port', '0'],
      { cwd },
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('useless.json: expected at least one key that has not expired, found none');
    expect(stderr).toContain('deals keys create --keys useless.json');
  });

  it('ends with exit code 1 when its port is taken', async () => {
    await createKey('keys.json');
    const other = createServer();
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const serve = ['serve', '--store', STORE, '--keys', 'keys.json'];
    const taken = `deals: listen EADDRINUSE: address already in use 127.0.0.1:${port}; end the program that has it, or choose another port with`;
    expect(await runDeals([...serve, '--port', String(port)], { cwd })).toMatchObject({
      exitCode: 1,
      stderr: `${taken} --port\n`,
    });
    const metrics = await runDeals([...serve, '--port', '0', '--metrics-port', String(port)], { cwd });
    expect(metrics.exitCode).toBe(1);
    expect(metrics.stderr).toContain(`${taken} --metrics-port\n`);
  });

  it('ends with exit code 1 and what to do where it cannot listen', async () => {
    await createKey('keys.json');
    const serve = ['serve', '--store', STORE, '--keys', 'keys.json', '--port', '0', '--host'];
    for (const host of ['192.0.2.1', 'nowhere.invalid']) {
      const { exitCode, stderr } = await runDeals([...serve, host], { cwd });
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/; give --host an address of this machine\n$/);
    }
  });
});

/** What a page of `origin` may read of the interface, as its browser asks. */
async function allowedOrigin(url: string, origin: string): Promise<string | null> {
  const response = await fetch(`${url}/deals/v1/products/`, {
    method: 'OPTIONS',
    headers: { Origin: origin, 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-api-key' },
  });
  return response.headers.get('access-control-allow-origin');
}

describe('deals demo', () => {
  it('prints five lines, with a curl line that works, also when its port is taken', async () => {
    const other = createServer();
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    // One deal without a price is quarantined.
    const feed = join(cwd, 'data/sample/feeds/house/deals.csv');
    writeFileSync(feed, readFileSync(feed, 'utf8').replace(',20.50,', ',,'));
    const args = ['demo', '--config', 'data/sample/catalogue.json', '--store', STORE, '--port', String(port)];
    const { announcement, url, child, end } = await start(args, { DEALS_CORS_ORIGIN: 'https://shop.example' });
    other.close();
    expect(Number(new URL(url).port)).toBeGreaterThan(port);
    const [, keyText = '', target = ''] = /^curl -g -H 'x-api-key: (\S+)' '(\S+)'$/m.exec(announcement) ?? [];
    expect(announcement.split('\n')).toEqual([
      'Built 1 products and 2 deals. They are served until you press Ctrl-C.',
      `1 of 6 records have faults and are quarantined: ${url}/status/#key=${keyText}`,
      `To look around: ${url}/explore/#key=${keyText}`,
      `To try requests: ${url}/docs/#key=${keyText}`,
      `curl -g -H 'x-api-key: ${keyText}' '${target}'`,
      '',
    ]);
    const response = await fetch(target, { headers: { 'x-api-key': keyText } });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ products: [{ id: '101', cheapestDeal: { contractLength: '24' } }] });
    const status = await fetch(`${url}/status/store.json`, { headers: { 'x-api-key': keyText } });
    expect(status.status).toBe(200);
    for (const origin of ['http://localhost:5173', 'https://shop.example']) {
      expect(await allowedOrigin(url, origin)).toBe(origin);
    }
    expect(await allowedOrigin(url, 'https://evil.example')).toBeNull();
    child.kill('SIGTERM');
    const { exitCode, stderr } = await end;
    expect(exitCode).toBe(0);
    // Nothing but the two requests that were made with a key, and those of other origins.
    expect(stderr.split('\n').filter((line) => line !== '' && !line.includes('"event":"request"'))).toEqual([]);
    expect(readFileSync(join(cwd, 'dist/demo-keys.json'), 'utf8')).not.toContain(keyText.slice(6));
  });

  it('keeps its key between starts, in a file of its owner alone, until the key is revoked', async () => {
    const keyOfStart = async (): Promise<string> => {
      const args = ['demo', '--config', 'data/sample/catalogue.json', '--store', STORE, '--port', '0'];
      const { announcement, url, child, end } = await start(args);
      const keyText = /#key=(\S+)$/m.exec(announcement)?.[1] ?? '';
      expect(await statusOf(url, keyText)).toBe(200);
      child.kill('SIGTERM');
      await end;
      return keyText;
    };
    const first = await keyOfStart();
    expect(await keyOfStart()).toBe(first);
    expect(statSync(join(cwd, 'dist/demo-key.txt')).mode & 0o777).toBe(0o600);
    rmSync(join(cwd, 'dist/demo-keys.json'));
    expect(await keyOfStart()).not.toBe(first);
  });
});
