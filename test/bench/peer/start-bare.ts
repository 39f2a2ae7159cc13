import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startServer, type Server } from '../server-process.ts';
import { headerOf, readResponse, type RawResponse } from '../read-response.ts';

const BARE_HTTP = join(import.meta.dirname, 'bare-http.mjs');

/** What Node adds by itself, as it does to the answers of our server. */
const CONNECTION_HEADERS = ['date', 'connection', 'keep-alive', 'transfer-encoding'];

/** What an answer and the 304 in its place look like. */
export interface SampleResponse {
  readonly full: RawResponse;
  readonly notModified: RawResponse;
  readonly tag: string;
}

/** Asks a server for an answer, and again for its 304. @throws {Error} when it has not both */
export async function sampleResponse(url: string, headers: Readonly<Record<string, string>>): Promise<SampleResponse> {
  const full = await readResponse(url, headers);
  const tag = headerOf(full, 'etag');
  if (full.status !== 200 || tag === undefined) throw new Error(`${url}: expected 200 and a tag, got ${full.status}`);
  const notModified = await readResponse(url, { ...headers, 'If-None-Match': tag });
  if (notModified.status !== 304) throw new Error(`${url}: expected 304, got ${notModified.status}`);
  return { full, notModified, tag };
}

/** The headers that are of the answer, not of the connection; the length is always stated. */
export function headersOfResponse({ headers, body, status }: RawResponse): readonly (readonly [string, string])[] {
  const kept = headers.filter(([name]) => !CONNECTION_HEADERS.includes(name.toLowerCase()));
  const isLengthStated = status === 304 || kept.some(([name]) => name.toLowerCase() === 'content-length');
  return isLengthStated ? kept : [...kept, ['Content-Length', String(body.byteLength)]];
}

/** Starts bare node:http with the bytes and headers of `sample`, and makes sure that it sends them. */
export async function startBare(sample: SampleResponse, folder: string): Promise<Server> {
  const answerFile = join(folder, 'answer.json');
  const bodyFile = join(folder, 'answer.body');
  await writeFile(bodyFile, sample.full.body);
  await writeFile(
    answerFile,
    JSON.stringify({
      headers: headersOfResponse(sample.full).flat(),
      notModifiedHeaders: headersOfResponse(sample.notModified).flat(),
      tag: sample.tag,
    }),
  );
  const server = await startServer({ command: process.execPath, args: [BARE_HTTP, answerFile, bodyFile] });
  requireSameResponse('bare node:http', sample, await sampleResponse(server.url, {}));
  return server;
}

/** Compares bytes and headers. @throws {Error} naming `who` answers otherwise, and how */
export function requireSameResponse(who: string, expected: SampleResponse, got: SampleResponse): void {
  for (const part of ['full', 'notModified'] as const) {
    if (!got[part].body.equals(expected[part].body))
      throw new Error(`${who}: expected the bytes of the server (${part})`);
    const [wanted, found] = [expected, got].map((sample) => describeHeaders(sample[part]));
    if (wanted !== found) throw new Error(`${who}: expected the headers ${wanted}, got ${found}`);
  }
}

function describeHeaders(answer: RawResponse): string {
  // Each request has an id of its own.
  return JSON.stringify(headersOfResponse(answer).filter(([name]) => name.toLowerCase() !== 'x-request-id'));
}
