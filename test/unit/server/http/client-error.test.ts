import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { respondToClientErrors } from '../../../../server/http/client-errors.ts';
import { OpenConnections } from '../../../../server/http/connections.ts';
import { DEFAULT_SETTINGS } from '../../../../server/settings.ts';

let server: Server;
const accepted: Socket[] = [];
beforeAll(async () => {
  server = createServer({ maxHeaderSize: 32 * 1024 });
  const connections = new OpenConnections(server, DEFAULT_SETTINGS, () => undefined);
  connections.serve((_, res) => res.end());
  respondToClientErrors(server, connections, () => undefined);
  server.on('connection', (socket: Socket) => accepted.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

/** The answer to a request of which each piece comes when the one before has been read. */
async function send(pieces: readonly string[]): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    .setEncoding('latin1')
    .setNoDelay();
  let answer = '';
  socket.on('data', (text: string) => (answer += text)).on('error', () => undefined);
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  let sent = 0;
  for (const piece of pieces) {
    if (socket.closed) break;
    socket.write(piece, 'latin1');
    sent += piece.length;
    const isRead = () =>
      accepted.some(({ remotePort, bytesRead }) => remotePort === socket.localPort && bytesRead >= sent);
    while (!socket.closed && !isRead()) await nextTurn();
  }
  await closed;
  return answer;
}

const statusOf = (answer: string): number => Number(answer.split(' ')[1]);

const X = (count: number): string => 'x'.repeat(count);

describe('a head that is too long', () => {
  it.each<[string, string[], number]>([
    ['a target at once', [`GET /${X(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`], 414],
    ['a target that does not end', [`GET /${X(40_000)}`], 414],
    ['a header at once', [`GET / HTTP/1.1\r\nHost: a\r\nCookie: ${X(40_000)}\r\n\r\n`], 431],
    ['a header in two pieces', [`GET / HTTP/1.1\r\nHost: a\r\nCookie: ${X(20_000)}`, X(20_000)], 431],
    ['a header whose last piece has spaces', [`GET / HTTP/1.1\r\nHost: a\r\nA: ${X(20_000)}`, `b c ${X(20_000)}`], 431],
    [
      'a header in many pieces',
      ['GET / HTTP/1.1\r\nHost: a\r\nCookie: ', ...Array.from({ length: 40 }, () => X(1_000))],
      431,
    ],
    // Nothing tells the last piece of a target from one of a header.
    ['a target in pieces', [`GET /${X(20_000)}`, X(20_000)], 431],
  ])('is refused as what it is: %s', async (_what, pieces, status) => {
    const answer = await send(pieces);
    expect(statusOf(answer)).toBe(status);
    expect(answer.includes('target-too-long')).toBe(status === 414);
  });
});
