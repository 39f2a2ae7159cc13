import {
  createServer,
  get,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import type { ApiResponse } from '../../../../server/http/response.ts';
import { sendAndCapture, sendResponse } from '../../../../server/http/send.ts';
import { until } from '../../../contract/serve.ts';

const KB = 1024;
let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  server = undefined;
});

/** A server that gives `answerOf(path)`; what `sendResponse` rejects with goes to `failures`. */
async function listen(answerOf: (path: string) => ApiResponse) {
  const failures: unknown[] = [];
  const handle: RequestListener = (req, res) => {
    sendResponse(req, res, answerOf(req.url ?? '')).catch((error: unknown) => {
      failures.push(error);
      res.destroy();
    });
  };
  const listening = createServer(handle);
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const { port } = listening.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, failures };
}

/** Bodies as they are made: how they are encoded is not tested here. */
const ask = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { ...init, headers: { 'accept-encoding': 'identity' } });

const ok = (body: Iterable<string>): ApiResponse => ({ status: 200, headers: { 'Content-Type': 'text/plain' }, body });

/** `count` pieces of 32 KB, and how many of them were taken. */
function countedPieces(count: number, piece = 'x'.repeat(32 * KB)) {
  const pieces = { taken: 0, isReturned: false };
  function* create(): Generator<string> {
    try {
      for (let i = 0; i < count; i++) {
        pieces.taken++;
        yield piece;
      }
    } finally {
      pieces.isReturned = true;
    }
  }
  return { pieces, body: { [Symbol.iterator]: create } };
}

describe('a short answer', () => {
  it('is sent at once, with its length in bytes', async () => {
    const { url } = await listen(() => ok(['{"name":"', '📱 é', '"}']));
    const response = await ask(url);
    expect(response.headers.get('content-length')).toBe('18');
    expect(response.headers.get('transfer-encoding')).toBeNull();
    expect(await response.text()).toBe('{"name":"📱 é"}');
  });

  it('is the same however late its reader takes it, and with other answers sent meanwhile', async () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz'.repeat(4).split('');
    const { port } = await listen((path) => ok([path.slice(1).repeat(60 * KB)]));
    // More than the system takes for a reader who waits: 104 answers of 60 KB on one connection.
    const socket = connect(port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.pause();
    socket.write(letters.map((letter) => `GET /${letter} HTTP/1.1\r\nHost: h\r\n\r\n`).join(''));
    await sleep(200);
    expect(await (await ask(`http://127.0.0.1:${port}/Z`)).text()).toBe('Z'.repeat(60 * KB));
    let received = '';
    socket
      .setEncoding('latin1')
      .on('data', (text: string) => (received += text))
      .resume();
    await until(async () => received.length >= letters.length * 60 * KB && received.endsWith('zzzz'));
    const bodies = received
      .split(/HTTP\/1\.1 200 OK\r\n/)
      .slice(1)
      .map((text) => text.slice(text.indexOf('\r\n\r\n') + 4));
    expect(bodies.map((body) => body[0])).toEqual(letters);
    for (const body of bodies) expect(body === (body[0] ?? '').repeat(60 * KB)).toBe(true);
    socket.destroy();
  });

  it('may be empty', async () => {
    const { url } = await listen(() => ok([]));
    const response = await ask(url);
    expect([response.headers.get('content-length'), await response.text()]).toEqual(['0', '']);
  });

  it.each([204, 304])('of status %d has no body and no length', async (status) => {
    const { url } = await listen(() => ({ status, headers: { ETag: '"x"' }, body: [] }));
    const response = await ask(url);
    expect(response.status).toBe(status);
    expect(response.headers.get('etag')).toBe('"x"');
    expect(response.headers.get('content-length')).toBeNull();
  });

  it('adds to the Vary that CORS has set (D18, D21)', async () => {
    const listening = createServer((req, res) => {
      res.setHeader('Vary', 'Origin');
      void sendResponse(req, res, { status: 200, headers: { Vary: 'Accept-Encoding' }, body: ['x'] });
    });
    server = listening;
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    const response = await ask(`http://127.0.0.1:${(listening.address() as AddressInfo).port}`);
    expect(response.headers.get('vary')).toBe('Origin, Accept-Encoding');
  });
});

describe('a long answer', () => {
  it('comes in chunks, whole', async () => {
    const { body } = countedPieces(40, '0123456789abcdef'.repeat(2 * KB));
    const { url } = await listen(() => ok(body));
    const response = await ask(url);
    expect(response.headers.get('transfer-encoding')).toBe('chunked');
    const text = await response.text();
    expect(text.length).toBe(40 * 32 * KB);
    expect(text).toBe('0123456789abcdef'.repeat(80 * KB));
  });

  it('leaves its connection as it was: what follows it is sent without delay', async () => {
    const { url } = await listen((path) => ok(path === '/long' ? countedPieces(40).body : ['short']));
    const spies: MockInstance<Socket['setNoDelay']>[] = [];
    server?.on('connection', (socket) => spies.push(vi.spyOn(socket, 'setNoDelay')));
    const calls = () => spies.flatMap((spy) => spy.mock.calls);
    await (await ask(`${url}/short`)).text();
    expect(calls()).toEqual([]);
    await (await ask(`${url}/long`)).text();
    expect(calls()).toEqual([[false], [true]]);
  });

  it('to HEAD is not produced', async () => {
    const { pieces, body } = countedPieces(1_000);
    const { url } = await listen(() => ok(body));
    const response = await ask(url, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(pieces.taken).toBeLessThan(6);
  });

  it('is produced no faster than it is read, while others are answered, and without a warning', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): unknown => warnings.push(warning);
    process.on('warning', note);
    // 30 MB; what the system buffers of it is not ours to bound.
    const { pieces, body } = countedPieces(960);
    const { url, port } = await listen((path) => ok(path === '/long' ? body : ['short']));
    const socket = connect(port, '127.0.0.1');
    socket.pause();
    socket.write('GET /long HTTP/1.1\r\nHost: x\r\n\r\n');
    let before = -1;
    await until(async () => {
      const isStill = pieces.taken === before && before > 0;
      before = pieces.taken;
      await sleep(50);
      return isStill;
    });
    const stalledAt = pieces.taken;
    expect(stalledAt).toBeLessThan(500);
    for (let i = 0; i < 20; i++) expect(await (await ask(`${url}/short`)).text()).toBe('short');
    expect(pieces.taken).toBe(stalledAt);

    let received = 0;
    socket.on('data', (data) => (received += data.length));
    socket.resume();
    await until(async () => received > 30 * KB * KB);
    socket.destroy();
    process.off('warning', note);
    expect(pieces.taken).toBe(960);
    expect(warnings).toEqual([]);
  });

  it('gives way to other work, though its reader takes everything at once', async () => {
    let turn = 0;
    let isDone = false;
    const count = (): void => {
      turn++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const chunksOfTurn = new Map<number, number>();
    function* slowly(): Generator<string> {
      for (let i = 0; i < 100; i++) {
        const end = performance.now() + 2;
        while (performance.now() < end);
        chunksOfTurn.set(turn, (chunksOfTurn.get(turn) ?? 0) + 1);
        yield 'x'.repeat(64 * KB);
      }
    }
    const { url } = await listen(() => ok({ [Symbol.iterator]: slowly }));
    const text = await (await ask(url)).text();
    isDone = true;
    expect(text.length).toBe(100 * 64 * KB);
    // A turn is 5 ms, and two chunks come before it begins; the system alone would take dozens at once.
    expect(Math.max(...chunksOfTurn.values())).toBeLessThan(8);
  });

  it('is no longer produced when its reader goes away', async () => {
    const { pieces, body } = countedPieces(100_000);
    const { url, failures } = await listen(() => ok(body));
    await new Promise<void>((resolve, reject) => {
      const request = get(url, (response: IncomingMessage) => {
        response.once('data', () => {
          response.destroy();
          resolve();
        });
      });
      request.on('error', reject);
    });
    await until(async () => pieces.isReturned);
    const taken = pieces.taken;
    await sleep(50);
    expect(pieces.taken).toBe(taken);
    expect(taken).toBeLessThan(5_000);
    expect(failures).toEqual([]);
  });

  it('of which nothing could be made leaves the head unsent', async () => {
    const { url, failures } = await listen(() =>
      ok({
        [Symbol.iterator]() {
          throw new Error('nothing');
        },
      }),
    );
    await expect(ask(url)).rejects.toThrow(TypeError);
    expect(failures).toEqual([new Error('nothing')]);
  });

  it('that breaks off after the head is not ended as if it were whole', async () => {
    function* breaking(): Generator<string> {
      for (let i = 0; i < 10; i++) yield 'x'.repeat(64 * KB);
      throw new Error('half');
    }
    const { url, failures } = await listen(() => ok({ [Symbol.iterator]: breaking }));
    const response = await ask(url);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow(TypeError);
    expect(failures).toEqual([new Error('half')]);
  });
});

describe.each(['gzip', 'br'] as const)('an answer encoded as %s (D18)', (encoding) => {
  it('is whole, short or long', async () => {
    const { body } = countedPieces(40, '{"name":"📱"},'.repeat(2_000));
    const text = '{"name":"📱"},'.repeat(80_000);
    const { url } = await listen((path) => ({ ...ok(path === '/long' ? body : [text.slice(0, 5_000)]), encoding }));
    for (const [path, expected] of [
      ['/short', text.slice(0, 5_000)],
      ['/long', text],
    ]) {
      const response = await ask(`${url}${path}`);
      expect([path, response.headers.get('content-encoding')]).toEqual([path, encoding]);
      expect((await response.text()) === expected).toBe(true);
    }
  });

  it('of a few bytes is sent as it is', async () => {
    const { url } = await listen(() => ({ ...ok(['short']), encoding }));
    const response = await ask(url);
    expect([response.headers.get('content-encoding'), await response.text()]).toEqual([null, 'short']);
  });

  it('is no longer produced when its reader goes away', async () => {
    const { pieces, body } = countedPieces(100_000);
    const { url, failures } = await listen(() => ({ ...ok(body), encoding }));
    await new Promise<void>((resolve, reject) => {
      const request = get(url, (response: IncomingMessage) => {
        response.once('data', () => {
          response.destroy();
          resolve();
        });
      });
      request.on('error', reject);
    });
    await until(async () => pieces.isReturned);
    expect(pieces.taken).toBeLessThan(50_000);
    expect(failures).toEqual([]);
  });
});

describe('bytes that do not last', () => {
  /** Pieces in one buffer that is overwritten as soon as the next is asked for, as the writer of products lends them. */
  function* lend(count: number): Generator<Uint8Array> {
    const bytes = new Uint8Array(32 * KB);
    for (let i = 0; i < count; i++) {
      bytes.fill(0x61 + (i % 26));
      yield bytes;
    }
    bytes.fill(0x21);
  }
  const expected = (count: number): string =>
    Array.from({ length: count }, (_, i) => String.fromCodePoint(0x61 + (i % 26)).repeat(32 * KB)).join('');

  it.each([1, 2, 3, 40])('are sent as they were: %d pieces', async (count) => {
    const { url } = await listen(() => ({ ...ok([]), body: lend(count) }));
    expect((await (await ask(url)).text()) === expected(count)).toBe(true);
  });

  it('may be none, between others', async () => {
    const { url } = await listen(() => ({ ...ok([]), body: [new Uint8Array(0), 'a', new Uint8Array(0), 'b'] }));
    const response = await ask(url);
    expect([response.headers.get('content-length'), await response.text()]).toEqual(['2', 'ab']);
  });
});

describe('what is kept of an answer', () => {
  /** What `sendAndCapture` resolves to, for each request in turn. */
  async function listenKeeping(answerOf: (path: string) => ApiResponse) {
    const results: Promise<Buffer | undefined>[] = [];
    const listening = createServer((req, res) => {
      results.push(sendAndCapture(req, res, answerOf(req.url ?? '')).then((captured) => captured?.bytes));
    });
    server = listening;
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    const { port } = listening.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}`, port, results };
  }
  const text = (kilobytes: number): string[] =>
    Array.from({ length: kilobytes }, (_, i) => `${i}`.padEnd(KB, ' 0123456789abcdef'));

  it.each([
    ['a short one', 10, true],
    ['a long one', 200, true],
    ['one of 256 KB', 256, true],
    ['a longer one', 257, false],
  ])('%s', async (_name, kilobytes, isKept) => {
    const { url, results } = await listenKeeping(() => ok(text(kilobytes)));
    await (await ask(url)).text();
    expect((await results[0])?.toString()).toBe(isKept ? text(kilobytes).join('') : undefined);
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('as it was sent: %s', async (encoding, decode) => {
    const { url, results } = await listenKeeping((path) => ({ ...ok(text(Number(path.slice(1)))), encoding }));
    for (const [i, kilobytes] of [10, 200, 2_000].entries()) {
      await (await ask(`${url}/${kilobytes}`)).text();
      const body = await results[i];
      expect(body?.byteLength).toBeLessThan(100 * KB);
      expect(decode(body ?? Buffer.alloc(0)).toString() === text(kilobytes).join('')).toBe(true);
    }
  });

  it.each(['identity', 'gzip'] as const)('nothing when its reader goes away: %s', async (encoding) => {
    const { port, results } = await listenKeeping(() => ({ ...ok(countedPieces(2_000).body), encoding }));
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
    await until(async () => results.length > 0);
    expect(await results[0]).toBeUndefined();
  });
});

describe('encoders', () => {
  it('are so many at most; the next client gets a long answer as it is, under the tag of that (D18)', async () => {
    const waiting: ServerResponse[] = [];
    const listening = createServer((req, res) => {
      waiting.push(res);
      const endless = {
        [Symbol.iterator]: () => countedPieces(1_000_000, `${req.url}`.repeat(8 * KB)).body[Symbol.iterator](),
      };
      const pieceCount = { '/last': 9, '/middle': 5 }[req.url ?? ''];
      const pieces = Array.from({ length: pieceCount ?? 0 }, () => 'x'.repeat(32 * KB));
      const answer = ok(pieceCount === undefined ? endless : pieces);
      const headers = { ...answer.headers, ETag: '"tag-gzip"' };
      void sendResponse(req, res, { ...answer, headers, encoding: 'gzip' }).catch(() => res.destroy());
    });
    server = listening;
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    const { port } = listening.address() as AddressInfo;
    const sockets = Array.from({ length: 64 }, () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
      socket.once('data', () => socket.pause());
      return socket;
    });
    await until(async () => waiting.filter((res) => res.headersSent).length === 64);
    const response = await ask(`http://127.0.0.1:${port}/last`);
    expect(['content-encoding', 'etag'].map((name) => response.headers.get(name))).toEqual([null, '"tag"']);
    expect((await response.text()).length).toBe(9 * 32 * KB);
    // What could have been long is not gathered either: a client that takes nothing would hold all of it.
    const middle = await ask(`http://127.0.0.1:${port}/middle`);
    expect(['content-encoding', 'content-length'].map((name) => middle.headers.get(name))).toEqual([null, null]);
    expect((await middle.text()).length).toBe(5 * 32 * KB);
    for (const socket of sockets) socket.destroy();
    await until(async () => waiting.every((res) => res.destroyed || res.writableFinished));
    const after = await ask(`http://127.0.0.1:${port}/last`);
    expect(['content-encoding', 'etag'].map((name) => after.headers.get(name))).toEqual(['gzip', '"tag-gzip"']);
    expect((await after.text()).length).toBe(9 * 32 * KB);
    const whole = await ask(`http://127.0.0.1:${port}/middle`);
    expect(whole.headers.get('content-encoding')).toBe('gzip');
    expect(Number(whole.headers.get('content-length'))).toBeGreaterThan(0);
    expect((await whole.text()).length).toBe(5 * 32 * KB);
  });
});
