import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { LoadShedder } from '../../../../server/http/load-shedding.ts';
import type { LogEntry } from '../../../../server/log.ts';
import { until } from '../../../contract/serve.ts';

/** Keeps the thread busy. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('load shedding', () => {
  it('bears one round that is too long, as when the machine pauses, up to half a second', async () => {
    const shedder = new LoadShedder(() => undefined);
    expect(shedder.isOverloaded('with-key')).toBe(false);
    work(100);
    expect(shedder.isOverloaded('with-key')).toBe(false);
    work(450);
    expect(shedder.isOverloaded('with-key')).toBe(true);
    await nextRound();
    await nextRound();
    expect(shedder.isOverloaded('with-key')).toBe(false);
  });

  it('refuses what is beyond 50 ms of a round when rounds have been longer for a second, until one is short', async () => {
    const shedder = new LoadShedder(() => undefined);
    for (let round = 0; round < 16; round++) {
      expect(shedder.isOverloaded('with-key')).toBe(false);
      work(70);
      await nextRound();
    }
    expect(shedder.isOverloaded('with-key')).toBe(false);
    work(60);
    expect(shedder.isOverloaded('with-key')).toBe(true);
    await nextRound();
    // A short one.
    expect(shedder.isOverloaded('with-key')).toBe(false);
    await nextRound();
    await nextRound();
    expect(shedder.isOverloaded('with-key')).toBe(false);
    work(60);
    expect(shedder.isOverloaded('with-key')).toBe(false);
  });

  it('of a request with a key looks at the work for keys alone, and refuses the others first', async () => {
    const shedder = new LoadShedder(() => undefined);
    for (let round = 0; round < 16; round++) {
      shedder.isOverloaded('without-key');
      work(70);
      expect(shedder.isOverloaded('with-key')).toBe(false);
      await nextRound();
    }
    expect(shedder.isOverloaded('without-key')).toBe(false);
    work(60);
    expect([shedder.isOverloaded('without-key'), shedder.isOverloaded('with-key')]).toEqual([true, false]);
    work(60);
    expect([shedder.isOverloaded('without-key'), shedder.isOverloaded('with-key')]).toEqual([true, true]);
  });

  it('answers 503 with the problem and when to try again, and logs the beginning and the end (D17)', async () => {
    const entries: LogEntry[] = [];
    const shedder = new LoadShedder((entry) => entries.push(entry));
    const server = createServer((req, res) => shedder.refuse(req, res, 'id-1', { 'X-Other': 'x' }));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const response = await fetch(url);
    expect([response.status, response.headers.get('retry-after'), response.headers.get('x-other')]).toEqual([
      503,
      '2',
      'x',
    ]);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('x-request-id')).toBe('id-1');
    expect(await response.json()).toMatchObject({ code: 'overloaded', status: 503, instance: 'id-1' });
    const head = await new Promise<IncomingMessage>((resolve) => {
      get(url, { method: 'HEAD' }, (answer) => resolve(answer.resume()));
    });
    expect(head.headers['content-length']).toBe(response.headers.get('content-length'));
    await until(async () => entries.length === 2);
    expect(entries).toEqual([{ event: 'overloaded' }, { event: 'overload-over', refused: 2 }]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
