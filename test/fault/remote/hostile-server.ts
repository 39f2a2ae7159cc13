import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a web server does in the place of an answer. */
export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A web server before a remote store that lies about some of its objects. Servers pull from `url`. */
export interface HostileServer {
  readonly url: string;
  /** Bytes of bodies that were written for a key. */
  sentBytes(key: string): number;
  /** Requests for the key get this answer. */
  answer(key: string, answer: Answer): void;
  stop(): Promise<void>;
}

/** @param get the objects of the sound store */
export async function startHostileServer(get: (key: string) => Promise<Buffer | undefined>): Promise<HostileServer> {
  const answers = new Map<string, Answer>();
  const sent = new Map<string, number>();
  const server = createServer((request, response) => {
    const key = (request.url ?? '').replace(/^\/uk\//, '');
    const answer = answers.get(key);
    const write = response.write.bind(response) as (chunk: Buffer) => boolean;
    response.write = ((chunk: Buffer) => {
      sent.set(key, (sent.get(key) ?? 0) + chunk.length);
      return write(chunk);
    }) as typeof response.write;
    if (answer !== undefined) {
      answer(response, request);
      return;
    }
    get(key).then(
      (body) => response.writeHead(body === undefined ? 404 : 200).end(body),
      () => response.destroy(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/uk`,
    sentBytes: (key) => sent.get(key) ?? 0,
    answer: (key, answer) => {
      answers.set(key, answer);
    },
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A body without an end, as fast as the client takes it, after the bytes of `start`. */
export function endless(start: Buffer = Buffer.alloc(0), headers: Readonly<Record<string, string>> = {}): Answer {
  const chunk = Buffer.alloc(64 * 1024);
  return (response) => {
    response.writeHead(200, headers);
    const fill = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', fill);
    response.write(start);
    fill();
  };
}

/** A body that never ends, of which a byte comes from time to time: the connection is never silent for long. */
export function dripping(start: Buffer, everyMs: number): Answer {
  return (response) => {
    response.writeHead(200);
    response.write(start);
    const timer = setInterval(() => response.write(Buffer.from(' ')), everyMs);
    response.on('close', () => clearInterval(timer));
  };
}
