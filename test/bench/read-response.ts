import { get } from 'node:http';
import { connect, type Socket } from 'node:net';

/** A response as it came over the wire. */
export interface RawResponse {
  readonly status: number;
  /** Names and values in the order and spelling in which they were sent. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** Sends one request on a connection of its own, without `Accept-Encoding` (`fetch` would send one). */
export function readResponse(url: string, headers: Readonly<Record<string, string>> = {}): Promise<RawResponse> {
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

/** The value of a header, or undefined. */
export function headerOf(response: RawResponse, name: string): string | undefined {
  return response.headers.find(([found]) => found.toLowerCase() === name.toLowerCase())?.[1];
}

/** A client that sends a request and reads nothing: the response stays in the server. */
export function stall(url: string, target: string, key: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.pause();
      socket.write(
        `GET ${target} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nx-api-key: ${key}\r\nAccept-Encoding: identity\r\n\r\n`,
      );
      resolve(socket);
    });
  });
}
