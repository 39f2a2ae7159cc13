import { isDeepStrictEqual } from 'node:util';
import { headerOf, readResponse, type RawResponse } from '../read-response.ts';
import type { Question } from './question.ts';
import { parseProducts } from './start-json-server.ts';

/**
 * Asks our server and a peer every question and compares products, deals, their order, every value and the total.
 * @throws {Error} with the first question that they answer differently
 */
export async function requireSameProducts(
  who: string,
  questions: readonly Question[],
  askOurs: (target: string) => Promise<RawResponse>,
  peerUrl: string,
): Promise<void> {
  for (const { ours, theirs } of questions) {
    const expected = await askOurs(ours);
    const got = await readResponse(peerUrl + theirs);
    const totals = [expected, got].map((answer) => headerOf(answer, 'X-Total-Count'));
    if (!isDeepStrictEqual(parseProducts(expected), parseProducts(got)) || totals[0] !== totals[1]) {
      throw new Error(`${who}: ${theirs} is answered otherwise than ${ours}`);
    }
  }
}
