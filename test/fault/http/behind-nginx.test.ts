import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../contract/serve.ts';
import { startNginx, type RunningNginx } from '../../support/nginx.ts';
import { findFreePort } from '../../support/ports.ts';
import { startProgram, type RunningProgram } from '../running-program.ts';
import { isMissing, tool } from '../needs.ts';
import { TIER } from '../tier.ts';
import { HTTP_CASES } from './cases.ts';
import { Conversation } from './exchange.ts';
import { headerOf, type ReadAnswer } from './read-answers.ts';
import { sendPieces } from './send-pieces.ts';

const DEADLINE_MS = 5_000;

let program: RunningProgram;
let nginx: RunningNginx;
let port: number;

/** The ids of the requests that reached us. */
function requestIds(): readonly string[] {
  return Array.from(program.output().matchAll(/"event":"request",.*?"requestId":"([^"]+)"/g), ([, id]) => id ?? '');
}

const idOf = (answer: ReadAnswer): string | undefined => headerOf(answer, 'x-request-id');

/** The answer to a request of its own, which names what was asked for. */
async function askFor(id: number): Promise<string> {
  const request = `GET /deals/v1/products/${id}/ HTTP/1.1\r\nHost: a\r\nx-api-key: ${program.key}\r\nConnection: close\r\n\r\n`;
  const conversation = new Conversation(port);
  // Without saying that it was all, which nginx takes for giving up.
  conversation.send(request);
  const [answer] = await conversation.answersTo(['GET'], DEADLINE_MS);
  conversation.drop();
  return answer?.body.toString() ?? 'no answer';
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

  it.each(HTTP_CASES.map((http, at) => [`${http.what} (RFC ${http.section})`, http, at] as const))(
    'there are as many answers as requests: %s',
    async (_, http, at) => {
      const before = new Set(requestIds());
      const methods = http.answers.map(({ method = 'GET' }) => method);
      const conversation = new Conversation(port);
      try {
        await sendPieces(conversation, http.pieces, program.key);
        const answers = await conversation.answersTo(methods, DEADLINE_MS);
        expect(http.isHeadless === true || answers.length === http.answers.length, `${answers.length} answers`).toBe(
          true,
        );
        for (const [position, { status }] of answers.entries()) {
          const statuses = [...(http.answers[position]?.statuses ?? []), ...(http.proxyStatuses ?? [])];
          expect(statuses).toContain(status);
        }
        // The next request gets its own answer, and no answer has come without a request.
        expect(await askFor(900_000 + at)).toContain(`No product has the id ${900_000 + at}.`);
        // How many there were to be is not known, so all of them are waited for.
        if (http.isHeadless === true) return await sleep(1_000);
        expect((await conversation.answersTo([...methods, 'GET'], 0)).length).toBe(http.answers.length);
        // What we could not read became no request.
        const ours = answers.map(idOf).filter((id) => id !== undefined && !id.startsWith('unread-'));
        await until(async () => requestIds().length - before.size >= ours.length + 1, DEADLINE_MS);
        const reached = requestIds().filter((id) => !before.has(id));
        expect(reached.slice(0, ours.length)).toEqual(ours);
        expect(reached.length).toBe(ours.length + 1);
        expect(program.output()).not.toContain('/smuggled');
      } finally {
        conversation.drop();
      }
    },
  );
});
