import { once } from 'node:events';
import { request as requestPlain, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestTls } from 'node:https';

/** A response that was read to its end. */
export interface Received {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Of the connection, the clock and the request, not of the answer. */
const OF_THE_WAY = new Set(['connection', 'keep-alive', 'date', 'server', 'strict-transport-security', 'x-request-id']);

/** Sends a request to a port of this machine, on a connection of its own unless an agent is given. */
export async function receive(port: number, isTls: boolean, options: RequestOptions): Promise<Received> {
  const request = (isTls ? requestTls : requestPlain)({
    host: '127.0.0.1',
    port,
    agent: false,
    rejectUnauthorized: false,
    maxHeaderSize: 128 * 1024,
    ...options,
  } as RequestOptions);
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const);
  return { status: response.statusCode, headers: Object.fromEntries(headers), body: Buffer.concat(chunks) };
}

/** The target of the next page. */
export function findNext({ headers }: Pick<Received, 'headers'>): string | undefined {
  return /<([^>]*)>; *rel="next"/.exec(headers['link'] ?? '')?.[1];
}

/** Without what differs from request to request. */
export function comparable({ status, headers, body }: Received) {
  const id = headers['x-request-id'];
  // How long a body is goes with the body, in which the id of the request may be a character longer.
  const ofTheWay = body.length === 0 ? OF_THE_WAY : new Set([...OF_THE_WAY, 'content-length', 'transfer-encoding']);
  const kept = Object.entries(headers).filter(([name]) => !ofTheWay.has(name));
  return {
    status,
    headers: Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1))),
    hasId: id !== undefined,
    body: id === undefined ? body.toString('latin1') : body.toString('latin1').replaceAll(id, '<id>'),
  };
}
