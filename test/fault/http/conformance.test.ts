import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RawSocket } from '../../support/raw-socket.ts';
import { startProgram, type RunningProgram } from '../running-program.ts';
import { EXCHANGES, type Exchange } from './exchanges.ts';

const DEADLINE_MS = 5_000;

let program: RunningProgram;
beforeAll(async () => (program = await startProgram()));
afterAll(() => program.stop());

/** Whether the connection serves another request, or the server closes it and sends nothing else. */
async function observeEnd(socket: RawSocket, methods: readonly string[], after: Exchange['after']): Promise<string> {
  // The test has not closed its half, so it is the server that closes.
  if (after === 'closed') await socket.untilClosed(DEADLINE_MS);
  else socket.send('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n');
  const more = (await socket.responsesTo([...methods, 'GET'], DEADLINE_MS))[methods.length];
  if (more !== undefined) return more.status === 200 ? 'open' : `another response: ${more.status}`;
  return (await socket.untilClosed(0)) ? 'closed' : 'without a response';
}

describe('HTTP, as RFC 9112 and RFC 9110 have it', () => {
  it.each(EXCHANGES)('$request (RFC $rule)', async ({ pieces, responses: expected, faultOf, after }) => {
    const socket = new RawSocket(program.port);
    try {
      await socket.sendAll(pieces.map((piece) => piece.replaceAll('KEY', program.key)));
      const methods = expected.map(({ method }) => method);
      const responses = await socket.responsesTo(methods, DEADLINE_MS);
      const seen = responses.map(({ status }, at) => (expected[at]?.statuses.includes(status) ? 'expected' : status));
      expect(seen).toEqual(expected.map(() => 'expected'));
      expect(responses.slice(0, 1).map(faultOf)).toEqual([undefined]);
      expect(await observeEnd(socket, methods, after)).toBe(after);
      expect(program.output()).not.toContain('/smuggled');
    } finally {
      socket.drop();
    }
  });
});
