import { once } from 'node:events';
import { request as requestPlain, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestTls } from 'node:https';

/** A response as it came over the wire, encoded as it was sent, and read to its end. */
export interface Received {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Sends a request as it is, on a connection of its own unless an agent is given. */
export async function receive(
  origin: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  options: RequestOptions = {},
): Promise<Received> {
  const response = await sendRequest(origin, path, headers, options);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const values = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const);
  return { status: response.statusCode, headers: Object.fromEntries(values), body: Buffer.concat(chunks) };
}

/** The response whose body is not read yet. */
export async function sendRequest(
  origin: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  options: RequestOptions = {},
): Promise<IncomingMessage> {
  const { protocol, hostname, port } = new URL(origin);
  const send = protocol === 'https:' ? requestTls : requestPlain;
  const always = { agent: false, rejectUnauthorized: false, maxHeaderSize: 128 * 1024 };
  const request = send({ hostname, port, path, headers, ...always, ...options } as RequestOptions).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}
