import { Agent, request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { ProblemCode } from '../../data/query/problem.ts';
import { expectProblem } from './expect-problem.ts';

const AGENT = new Agent({ keepAlive: true });

/** Headers to send; null for one that is not sent, which is only of use for the key. `$KEY` stands for it. */
type Sent = Readonly<Record<string, string | null>>;

/** A row of `exchanges.ndjson`: a request, and what is expected of the answer. */
export interface Exchange {
  readonly name: string;
  /** The sections of the specification, and the decisions beside it. */
  readonly cite: string;
  /** The server, when it is not one of the fixture with default settings. */
  readonly on?: string;
  /** Method and target. Of several, each gets this answer. `{x*3}` stands for `xxx`. */
  readonly request: string | readonly string[];
  readonly send?: Sent | readonly Sent[];
  /** Lines that are sent beside the same header. */
  readonly alsoSend?: readonly string[];
  readonly status?: number;
  /** The answer is a problem with this code. */
  readonly code?: ProblemCode;
  /** Parameter and code of each fault, and perhaps more of it. */
  readonly errors?: readonly (readonly [parameter: string, code: ProblemCode, more?: object])[];
  /** What the sentence of the problem, or of a fault, holds. */
  readonly detail?: string;
  /** No sentence of the problem is longer. */
  readonly longest?: number;
  /** The value of each, null for none, `~` before a pattern. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** All of the JSON, with its keys in this order; `''` for no body. */
  readonly body?: unknown;
  /** What is at a path of the JSON: `products[0].images`; `products[*].id` is a list. */
  readonly at?: Readonly<Record<string, unknown>>;
  /** The keys at a path, in order. */
  readonly keys?: Readonly<Record<string, readonly string[]>>;
  /** The ids in order, `101 refurbished`. */
  readonly products?: string;
  /** The ids by which the links of the fixture name the deals, in order. */
  readonly deals?: string;
  /** The target whose answer has the same body. */
  readonly sameAs?: string;
  /** Texts within the body. */
  readonly contains?: readonly string[];
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
  readonly text: string;
}

/** Makes the exchange of a row with a server, and checks the answer and what holds of every answer. */
export async function exchange(server: { readonly url: string; readonly key: string }, row: Exchange): Promise<void> {
  for (const line of [row.request].flat()) {
    const [method = '', ...words] = line.split(' ');
    const target = words.join(' ').replaceAll(/\{([^{}]+)\*(\d+)\}/g, (_, part: string, count) => part.repeat(+count));
    for (const sent of [row.send ?? {}].flat()) {
      const lines = [...linesOf({ 'x-api-key': '$KEY', ...sent }, server.key), ...(row.alsoSend ?? [])];
      const send = (otherMethod = method, otherTarget = target, more: readonly string[] = []) =>
        ask(server.url, otherMethod, otherTarget, [...lines, ...more]);
      const answer = await send();
      checkAnswer(row, answer);
      expect(answer.text).not.toContain(server.key.slice(8, 16));
      if (row.sameAs !== undefined) expect(answer.text).toBe((await send('GET', row.sameAs)).text);
      if (method !== 'GET') continue;
      await checkEvery(answer, send, target.startsWith('/deals/'));
    }
  }
}

/** What holds of every answer to GET: HEAD tells the same, a second answer is the same, and its tag is enough (D2, D18). */
async function checkEvery(
  answer: Answer,
  send: (method?: string, target?: string, more?: readonly string[]) => Promise<Answer>,
  isInterface: boolean,
): Promise<void> {
  const head = await send('HEAD');
  expect([head.status, head.text]).toEqual([answer.status, '']);
  expect(stable(head)).toEqual(stable(answer));
  const again = await send();
  expect([again.status, stable(again)]).toEqual([answer.status, stable(answer)]);
  if (isInterface && answer.status !== 503)
    expect(answer.headers.get('x-snapshot')).toMatch(/^[0-9]{8}T[0-9]{4}Z-[0-9a-f]{8}$/);
  const tag = answer.headers.get('etag');
  if (answer.status !== 200 || tag === null) return;
  expect(again.body.equals(answer.body)).toBe(true);
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
    const unchanged = await send('GET', undefined, [`If-None-Match: ${known}`]);
    const { status, headers, text } = unchanged;
    expect([status, headers.get('etag'), headers.get('x-snapshot'), text]).toEqual([
      304,
      tag,
      answer.headers.get('x-snapshot'),
      '',
    ]);
  }
}

function checkAnswer(row: Exchange, answer: Answer): void {
  const { status, headers, text } = answer;
  // Every answer is taken for what it says it is, and none tells of the program.
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(['server', 'x-powered-by', 'via', 'set-cookie'].filter((name) => headers.has(name))).toEqual([]);
  if (row.status !== undefined) expect([status, text]).toEqual([row.status, text]);
  if (row.code !== undefined) checkProblem(row, answer, row.code);
  for (const [name, expected] of Object.entries(row.headers ?? {})) {
    const value = headers.get(name);
    if (expected?.startsWith('~') === true) expect(value ?? '', name).toMatch(new RegExp(expected.slice(1)));
    else expect([name, value]).toEqual([name, expected]);
  }
  for (const part of row.contains ?? []) expect(text).toContain(part);
  if (row.body === '') expect(text).toBe('');
  else if (row.body !== undefined) expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(row.body));
  for (const [path, value] of Object.entries(row.at ?? {})) expect([path, find(text, path)]).toEqual([path, value]);
  for (const [path, keys] of Object.entries(row.keys ?? {})) {
    for (const found of [find(text, path)].flat()) expect([path, Object.keys(found as object)]).toEqual([path, keys]);
  }
  if (row.products !== undefined) expect(productIds(JSON.parse(text)).join(', ')).toBe(row.products);
  if (row.deals !== undefined) expect(dealIds(JSON.parse(text)).join(', ')).toBe(row.deals);
}

function checkProblem({ errors, detail = '', longest = Infinity }: Exchange, answer: Answer, code: ProblemCode): void {
  const problem = expectProblem(answer, code);
  const sentences = [problem.detail, ...problem.errors.map((fault) => fault.detail)];
  expect(sentences.join('\n')).toContain(detail);
  for (const sentence of sentences) expect(sentence.length).toBeLessThan(longest);
  if (errors === undefined) return;
  expect(problem.errors).toMatchObject(
    errors.map(([parameter, faultCode, more]) => ({ parameter, code: faultCode, ...more })),
  );
}

/** The ids of products in order; a refurbished one is told by its name. */
export function productIds({ products }: { readonly products: readonly { id: string; name: string }[] }): string[] {
  return products.map(({ id, name }) => (name.startsWith('Refurbished ') ? `${id} refurbished` : id));
}

/** The relations of a Link header and their targets. */
export function linksOf(headers: Headers): Record<string, string> {
  const links = (headers.get('link') ?? '').matchAll(/<([^>]*)>\s*;\s*rel="?([a-z]+)"?/g);
  return Object.fromEntries(Array.from(links, ([, target = '', relation = '']) => [relation, target]));
}

function dealIds({ deals }: { readonly deals: readonly { dealLink: string }[] }): string[] {
  return deals.map(({ dealLink }) => /[?]id=([^&]+)/.exec(dealLink)?.[1] ?? dealLink);
}

/** What is at a path of a JSON text; of `[*]` a list. */
function find(text: string, path: string): unknown {
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '');
  return steps.reduce<{ readonly value: unknown; readonly isList: boolean }>(
    ({ value, isList }, step) => {
      if (step === '*') return { value, isList: true };
      const of = (from: unknown) => (from as Record<string, unknown>)[step];
      return { value: isList ? (value as unknown[]).map(of) : of(value), isList };
    },
    { value: JSON.parse(text) as unknown, isList: false },
  ).value;
}

function linesOf(sent: Sent, key: string): string[] {
  return Object.entries(sent).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value.replace('$KEY-CHANGED', changeLast(key)).replace('$KEY', key)}`],
  );
}

/** A key whose checksum does not fit. */
function changeLast(key: string): string {
  return key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
}

/** Sends a request whose target and headers are as they are written. */
async function ask(url: string, method: string, target: string, lines: readonly string[]): Promise<Answer> {
  const headers = ['Host: deals.test', ...lines].flatMap((line) => {
    const colon = line.indexOf(': ');
    return [line.slice(0, colon), line.slice(colon + 2)];
  });
  const { hostname, port } = new URL(url);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ hostname, port, method, path: target, headers, agent: AGENT }, resolve).on('error', reject).end();
  });
  const body = await buffer(response);
  const received = new Headers(
    Object.entries(response.headers).map(([name, value]) => [name, String(value)] as [string, string]),
  );
  return {
    status: response.statusCode ?? 0,
    headers: received,
    body,
    text: String(decode(body, received.get('content-encoding'))),
  };
}

function decode(body: Buffer, encoding: string | null): Buffer {
  if (body.length === 0) return body;
  if (encoding === 'br') return brotliDecompressSync(body);
  return encoding === 'gzip' ? gunzipSync(body) : body;
}

/** The headers that do not differ from request to request. */
function stable({ headers }: Answer): readonly (readonly [string, string])[] {
  return [...headers].filter(([name]) => !['date', 'x-request-id', 'transfer-encoding'].includes(name));
}
