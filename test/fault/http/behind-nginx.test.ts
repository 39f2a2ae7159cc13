import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../contract/serve.ts';
import { startNginx, type RunningNginx } from '../../support/nginx.ts';
import { findFreePort } from '../../support/ports.ts';
import { exchangeOnce, headerOf, RawSocket } from '../../support/raw-socket.ts';
import { startProgram, type RunningProgram } from '../running-program.ts';
import { isMissing, tool } from '../needs.ts';
import { TIER } from '../tier.ts';
import { EXCHANGES } from './exchanges.ts';

const DEADLINE_MS = 5_000;

let program: RunningProgram;
let nginx: RunningNginx;
let port: number;

/** The ids of the requests that reached us. */
function requestIds(): readonly string[] {
  return Array.from(program.output().matchAll(/"event":"request",.*?"requestId":"([^"]+)"/g), ([, id]) => id ?? '');
}

/** The body of the response to a request that names a product. */
async function askFor(id: number): Promise<string> {
  const headers = `Host: a\r\nx-api-key: ${program.key}\r\nConnection: close`;
  return String((await exchangeOnce(port, `GET /deals/v1/products/${id}/ HTTP/1.1\r\n${headers}\r\n\r\n`)).body);
}

describe.skipIf(TIER === 'first' || isMissing('HTTP behind nginx', tool('nginx')))('behind nginx', () => {
  beforeAll(async () => {
    program = await startProgram();
    port = await findFreePort();
    // With connections to the server that it keeps and uses again.
    nginx = await startNginx(
      port,
      () => `access_log off; large_client_header_buffers 4 32k;
upstream deals { server ${new URL(program.url).host}; keepalive 4; }
server {
  listen 127.0.0.1:${port};
  location / {
    proxy_pass http://deals;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $http_host;
  }
}`,
    );
  });
  afterAll(async () => {
    await nginx.stop();
    await program.stop();
  });

  it.each(EXCHANGES.map((exchange, at) => ({ ...exchange, at })))(
    'there are as many responses as requests: $request (RFC $rule)',
    async ({ pieces, responses: expected, proxyStatuses, isHeadless, at }) => {
      const before = new Set(requestIds());
      const methods = expected.map(({ method }) => method);
      const socket = new RawSocket(port);
      try {
        await socket.sendAll(pieces.map((piece) => piece.replaceAll('KEY', program.key)));
        const responses = await socket.responsesTo(methods, DEADLINE_MS);
        expect(isHeadless || responses.length === expected.length, `${responses.length} responses`).toBe(true);
        for (const [position, { status }] of responses.entries()) {
          expect([...(expected[position]?.statuses ?? []), ...proxyStatuses]).toContain(status);
        }
        // The next request gets its own response, and no response has come without a request.
        expect(await askFor(900_000 + at)).toContain(`No product has the id ${900_000 + at}.`);
        // The number of responses is not known, so the test waits for all of them.
        if (isHeadless) return await sleep(1_000);
        expect((await socket.responsesTo([...methods, 'GET'], 0)).length).toBe(expected.length);
        // Bytes that the server could not read became no request.
        const ids = responses.map((response) => headerOf(response, 'x-request-id'));
        const ours = ids.filter((id) => id !== undefined && !id.startsWith('unread-'));
        await until(async () => requestIds().length - before.size >= ours.length + 1, DEADLINE_MS);
        const reached = requestIds().filter((id) => !before.has(id));
        expect(reached.slice(0, ours.length)).toEqual(ours);
        expect(reached.length).toBe(ours.length + 1);
        expect(program.output()).not.toContain('/smuggled');
      } finally {
        socket.drop();
      }
    },
  );
});
