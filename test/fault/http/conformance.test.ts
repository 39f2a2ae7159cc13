import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProgram, type RunningProgram } from '../running-program.ts';
import { HTTP_CASES, type HttpCase } from './cases.ts';
import { Conversation } from './exchange.ts';
import { sendPieces } from './send-pieces.ts';

const DEADLINE_MS = 5_000;

let program: RunningProgram;
beforeAll(async () => (program = await startProgram()));
afterAll(() => program.stop());

const methodsOf = ({ answers }: HttpCase): readonly string[] => answers.map(({ method = 'GET' }) => method);

/** Whether the connection serves another request, or is closed by the server, and nothing else came. */
async function observeEnd(conversation: Conversation, http: HttpCase): Promise<string> {
  const count = http.answers.length;
  // Nothing has been said about an end here, so that it is the server that closes.
  if (http.after === 'closed') await conversation.untilClosed(DEADLINE_MS);
  else conversation.send('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n');
  const more = await conversation.answersTo([...methodsOf(http), 'GET'], DEADLINE_MS);
  if (more.length > count) return more[count]?.status === 200 ? 'open' : `another answer: ${more[count]?.status}`;
  return (await conversation.untilClosed(0)) ? 'closed' : 'without an answer';
}

describe('HTTP, as RFC 9112 and RFC 9110 have it', () => {
  it.each(HTTP_CASES.map((http) => [`${http.what} (RFC ${http.section})`, http] as const))('%s', async (_, http) => {
    const conversation = new Conversation(Number(new URL(program.url).port));
    try {
      await sendPieces(conversation, http.pieces, program.key);
      const answers = await conversation.answersTo(methodsOf(http), DEADLINE_MS);
      const seen = answers.map(({ status }, at) =>
        http.answers[at]?.statuses.includes(status) ? 'as expected' : status,
      );
      expect(seen).toEqual(http.answers.map(() => 'as expected'));
      expect(http.answers.map(({ faultOf }, at) => faultOf?.(answers[at]!))).toEqual(http.answers.map(() => undefined));
      expect(await observeEnd(conversation, http)).toBe(http.after);
      expect(program.output()).not.toContain('/smuggled');
    } finally {
      conversation.drop();
    }
  });
});
