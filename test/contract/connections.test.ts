import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../server/log.ts';
import { withServer } from '../harness.ts';
import { RawSocket } from '../support/raw-socket.ts';
import { readTable } from '../support/table.ts';

/** Bytes, the statuses of which one answers them, and whether the connection serves another request. */
interface Bytes {
  readonly name: string;
  readonly cite: string;
  /** `$KEY` stands for the key, `{a*3}` for `aaa`; of several, each is a packet of its own. */
  readonly send: string | readonly string[];
  readonly eachByte?: boolean;
  readonly statuses: readonly number[];
  readonly then: 'open' | 'closed';
}

const DEADLINE_MS = 5_000;
const ROWS = readTable<Bytes>(import.meta.url, 'bytes.ndjson');

const log: LogEntry[] = [];
const server = await withServer({ log: (entry) => log.push(entry) });

describe('a connection', () => {
  it.each(ROWS.map((row) => [`${row.name} (${row.cite})`, row] as const))(
    'gets one answer to %s',
    async (_, { send, eachByte = false, statuses, then }) => {
      const socket = new RawSocket(server.port);
      const pieces = [send]
        .flat()
        .map((piece) =>
          piece
            .replaceAll('$KEY', server.key)
            .replaceAll(/\{([^{}]+)\*(\d+)\}/g, (__, part: string, count) => part.repeat(Number(count))),
        );
      try {
        await socket.sendAll(eachByte ? Array.from(pieces.join('')) : pieces);
        const [status] = await socket.statuses(1, DEADLINE_MS);
        expect(statuses).toContain(status);
        // The test has not closed its half, so it is the server that closes.
        const isClosed = then === 'closed' && (await socket.untilClosed(DEADLINE_MS));
        expect(isClosed).toBe(then === 'closed');
        socket.send('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n');
        const [, ...next] = await socket.statuses(2, then === 'open' ? DEADLINE_MS : 0);
        expect(next).toEqual(then === 'open' ? [200] : []);
        // What is in a body, or follows what is refused, becomes no request.
        expect(JSON.stringify(log)).not.toContain('/smuggled');
      } finally {
        socket.drop();
      }
    },
  );
});
