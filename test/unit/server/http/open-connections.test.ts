import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { respondToClientErrors } from '../../../../server/http/client-errors.ts';
import { OpenConnections } from '../../../../server/http/connections.ts';
import type { LogEntry } from '../../../../server/log.ts';
import { DEFAULT_SETTINGS, type ServerSettings } from '../../../../server/settings.ts';
import { until } from '../../../contract/serve.ts';

interface Listening {
  readonly server: Server;
  readonly connections: OpenConnections;
  readonly port: number;
  readonly accepted: Socket[];
  readonly log: LogEntry[];
}

const clients: Socket[] = [];
const servers: Server[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const client of clients.splice(0)) client.destroy();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function listen(
  listener: RequestListener,
  settings: Partial<ServerSettings> = {},
  host = '127.0.0.1',
): Promise<Listening> {
  const server = createServer({ requireHostHeader: false });
  servers.push(server);
  const log: LogEntry[] = [];
  const connections = new OpenConnections(server, { ...DEFAULT_SETTINGS, ...settings }, (entry) => log.push(entry));
  connections.serve(listener);
  respondToClientErrors(server, connections, (entry) => log.push(entry));
  const accepted: Socket[] = [];
  server.on('connection', (socket: Socket) => accepted.push(socket));
  server.listen(0, host);
  await once(server, 'listening');
  return { server, connections, port: (server.address() as AddressInfo).port, accepted, log };
}

/** A client that closes nothing by itself. */
async function open(port: number, host = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host, allowHalfOpen: true, noDelay: true }).on('error', () => undefined);
  clients.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Gathers what a client receives. */
function receive(socket: Socket): { text: string } {
  const received = { text: '' };
  socket.setEncoding('latin1').on('data', (text: string) => (received.text += text));
  return received;
}

const get = (path: string, ...lines: readonly string[]): string =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`;

/** Lets time pass by the timers and the clock of the server, which are those of this process. */
async function pass(seconds: number): Promise<void> {
  for (let i = 0; i < seconds * 2; i++) {
    vi.advanceTimersByTime(500);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const openCount = ({ accepted }: Listening): number => accepted.filter(({ destroyed }) => !destroyed).length;

describe('a client that has closed its own direction', () => {
  it('still gets the whole response to each of its requests, and then the end', async () => {
    const listening = await listen((req, res) => {
      if (req.url === '/chunks') res.write('first ');
      setTimeout(() => res.end(`end of ${req.url};`), 50);
    });
    const socket = await open(listening.port);
    const received = receive(socket);
    socket.end(get('/late') + get('/chunks') + get('/last'));
    await once(socket, 'end');
    expect(received.text.match(/end of [^;]+/g)).toEqual(['end of /late', 'end of /chunks', 'end of /last']);
    await until(async () => openCount(listening) === 0);
  });

  it('in the middle of a request is told so', async () => {
    const listening = await listen((_, res) => void setTimeout(() => res.end('whole'), 50));
    const socket = await open(listening.port);
    const received = receive(socket);
    socket.end(`${get('/')}GET / HT`);
    await once(socket, 'end');
    expect(received.text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
    await until(async () => openCount(listening) === 0);
  });

  it('without a request is closed', async () => {
    const listening = await listen((_, res) => res.end());
    const socket = await open(listening.port);
    socket.end();
    await once(socket.resume(), 'end');
    await until(async () => openCount(listening) === 0);
    expect(listening.log).toEqual([]);
  });
});

describe('a connection that is reset', () => {
  it.each([
    ['connect', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['connect, after another request', `${get('/')}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`],
    ['upgrade', get('/', 'Connection: Upgrade', 'Upgrade: websocket')],
    ['upgrade with a body', `${get('/', 'Connection: Upgrade', 'Upgrade: h2c', 'Content-Length: 9')}abc`],
    ['checkContinue', get('/', 'Expect: 100-continue', 'Content-Length: 9')],
    ['checkExpectation', get('/', 'Expect: nonsense')],
    ['clientError', 'no request\r\n\r\n'],
    ['clientError in a body', `${get('/', 'Transfer-Encoding: chunked')}zz\r\n`],
    ['request', get('/')],
    ['a part of a request', 'GET / HT'],
    ['nothing', ''],
  ])('costs no other connection anything, regardless of what Node made of it: %s', async (_event, text) => {
    const uncaught: unknown[] = [];
    const note = (error: unknown): unknown => uncaught.push(error);
    process.on('uncaughtException', note);
    const listening = await listen((_, res) => res.end('whole'));
    for (let round = 0; round < 3; round++) {
      const socket = await open(listening.port);
      if (text !== '') socket.write(text);
      // At once, and after it was read.
      if (round > 0) await until(async () => (listening.accepted[round]?.bytesRead ?? 0) >= text.length);
      socket.resetAndDestroy();
    }
    await until(async () => listening.accepted.length === 3 && openCount(listening) === 0);
    const answer = receive(await open(listening.port));
    clients.at(-1)?.write(get('/'));
    await until(async () => answer.text.endsWith('whole'));
    process.off('uncaughtException', note);
    expect(uncaught).toEqual([]);
  });

  it.each([
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    ['Upgrade to what is not spoken', get('/', 'Connection: Upgrade', 'Upgrade: websocket'), 200],
    ['an unknown expectation', get('/', 'Expect: nonsense'), 200],
    ['no request at all', 'no request\r\n\r\n', 400],
  ])('would have been answered: %s', async (_what, text, status) => {
    const { port } = await listen((_, res) => res.end('whole'));
    const socket = await open(port);
    const received = receive(socket);
    socket.write(text);
    await until(async () => received.text !== '');
    expect(received.text.split(' ')[1]).toBe(String(status));
  });

  it('by a fault of ours is logged, and is the only one', async () => {
    const listening = await listen((_, res) => res.end('whole'));
    const socket = await open(listening.port);
    await until(async () => listening.accepted.length === 1);
    listening.accepted[0]?.emit('error', new Error('an unexpected error'));
    await once(socket.resume(), 'end');
    expect(listening.log).toContainEqual({ event: 'connection-failed', cause: 'an unexpected error' });
    const answer = receive(await open(listening.port));
    clients.at(-1)?.write(get('/'));
    await until(async () => answer.text.endsWith('whole'));
  });
});

describe('requests that come before their turn', () => {
  it('are answered one at a time and in order, and a body between them is read', async () => {
    let current = 0;
    let most = 0;
    const { port } = await listen((req, res) => {
      most = Math.max(most, ++current);
      res.once('close', () => current--);
      setImmediate(() => res.end(`[${req.url}]`));
    });
    const socket = await open(port);
    const received = receive(socket);
    const post = (path: string): string =>
      get(path, 'Content-Length: 100000').replace('GET', 'POST') + 'x'.repeat(100_000);
    const paths = Array.from({ length: 300 }, (_, i) => `/${i}`);
    socket.write(paths.map((path, i) => (i % 100 === 50 ? post(path) : get(path))).join(''));
    await until(async () => received.text.includes('[/299]'));
    expect(Array.from(received.text.matchAll(/\[([^\]]+)\]/g), ([, path]) => path)).toEqual(paths);
    expect(most).toBe(1);
  });

  it('are not read on while one waits', async () => {
    const listening = await listen(() => undefined);
    const socket = await open(listening.port);
    socket.write(get('/').repeat(200));
    await until(async () => (listening.accepted[0]?.bytesRead ?? 0) > 0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const bytesRead = listening.accepted[0]?.bytesRead;
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\n${'x'.repeat(9_000_000)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(listening.accepted[0]?.bytesRead).toBe(bytesRead);
  });

  it('are few: with one too many the connection is reset, and nothing more of its packet is parsed', async () => {
    const listening = await listen(() => undefined);
    let parsedCount = 0;
    listening.server.on('request', () => parsedCount++);
    const socket = await open(listening.port);
    socket.write(get('/').repeat(2_000));
    await until(async () => listening.accepted.length === 1 && openCount(listening) === 0);
    expect(parsedCount).toBe(302);
  });

  it('still get their answers, whole, when the server is told to stop, regardless of what they expect', async () => {
    const listening = await listen((_, res) => void setTimeout(() => res.end('whole'), 300));
    const socket = await open(listening.port);
    const received = receive(socket);
    socket.write(get('/', 'Expect: nonsense'));
    await until(async () => (listening.accepted[0]?.bytesRead ?? 0) > 0);
    const closing = listening.connections.close();
    await once(socket, 'end');
    expect(received.text).toContain('Connection: close\r\n');
    expect(received.text.endsWith('whole')).toBe(true);
    socket.end();
    await closing;
  });
});

describe('a peer that does nothing', () => {
  const writeAsRead = (res: ServerResponse): void => {
    // The largest chunk of a long body.
    while (res.write('x'.repeat(84 * 1024)));
    res.once('drain', () => writeAsRead(res));
  };
  it.each<readonly [what: string, listener: RequestListener, openSeconds: number, closedSeconds: number]>([
    // Three seconds, and two thousand for 20 MB that wait.
    ['what was sent at once', (_, res) => res.end('x'.repeat(20_000_000)), 8, 2_010],
    ['what is sent as it is read', (_, res) => writeAsRead(res), 10, 3],
    ['answers to many requests', (_, res) => res.end('x'.repeat(100_000)), 8, 2_010],
  ])('to take %s is cut off', async (_what, listener, openSeconds, closedSeconds) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'performance'] });
    const listening = await listen(listener);
    const socket = await open(listening.port);
    socket.pause().write(get('/').repeat(250));
    const isStalled = async (): Promise<boolean> => {
      const before = listening.accepted[0]?.bytesWritten ?? 0;
      vi.advanceTimersByTime(500);
      await new Promise((resolve) => setTimeout(resolve, 50));
      return before > 100_000 && listening.accepted[0]?.bytesWritten === before;
    };
    await until(isStalled);
    await pass(openSeconds);
    expect(openCount(listening)).toBe(1);
    await pass(closedSeconds);
    expect(openCount(listening)).toBe(0);
  });

  it.each([
    ['no byte of a request', 'no request\r\n\r\n'],
    ['what follows Connection: close', get('/', 'Connection: close')],
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['CONNECT behind an answer that never comes', `${get('/never')}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`],
  ])('to close what is over is closed: %s', async (_what, text) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'performance'] });
    const listening = await listen((req, res) => {
      if (req.url !== '/never') res.end();
    });
    const socket = await open(listening.port);
    socket.write(text);
    await until(async () => (listening.accepted[0]?.bytesRead ?? 0) > 0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await pass(3);
    expect(openCount(listening)).toBe(0);
  });
});

describe('connections of one address', () => {
  const address = Object.values(networkInterfaces())
    .flat()
    .find((each) => each !== undefined && !each.internal && each.family === 'IPv4')?.address;

  it.skipIf(address === undefined)('are so many at most, and others are let in', async () => {
    const listening = await listen((_, res) => res.end('whole'), { maxConnectionsPerAddress: 5 }, '0.0.0.0');
    const sockets = await Promise.all(Array.from({ length: 20 }, () => open(listening.port, address)));
    for (const socket of sockets) socket.resume();
    await until(async () => listening.accepted.length === 20 && openCount(listening) === 5);
    expect(listening.log).toEqual([
      { event: 'connections-dropped', maxConnections: DEFAULT_SETTINGS.maxConnections, maxConnectionsPerAddress: 5 },
    ]);
    // This machine, where a proxy speaks for many.
    const local = await Promise.all(Array.from({ length: 20 }, () => open(listening.port)));
    await until(async () => openCount(listening) === 25);
    for (const socket of [...sockets, ...local]) socket.destroy();
    await until(async () => openCount(listening) === 0);
    const answer = receive(await open(listening.port, address));
    clients.at(-1)?.write(get('/'));
    await until(async () => answer.text.endsWith('whole'));
  });
});
