import { get } from 'node:http';

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** Names and values in the order and spelling in which they were sent. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** Asks once, on a connection of its own, without a word about encodings (`fetch` would offer some). */
export function readAnswer(url: string, headers: Readonly<Record<string, string>> = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { rawHeaders, statusCode = 0 } = response;
        const pairs = rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [[name, rawHeaders[i + 1] ?? ''] as const] : []));
        resolve({ status: statusCode, headers: pairs, body: Buffer.concat(chunks) });
      });
    });
    request.on('error', reject);
  });
}

/** The value of a header of an answer, or nothing. */
export function headerOf(answer: RawAnswer, name: string): string | undefined {
  return answer.headers.find(([found]) => found.toLowerCase() === name.toLowerCase())?.[1];
}
