import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

/** A host that feeds and exports are fetched from, and what it was asked. */
export interface SourceServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly requests: readonly IncomingMessage[];
  /** What it says from now on, regardless of the path. */
  answer(handler: Handler): void;
  close(): Promise<void>;
}

export async function startSourceServer(): Promise<SourceServer> {
  const requests: IncomingMessage[] = [];
  let handler: Handler = (_, res) => res.writeHead(404).end();
  const server = createServer((req, res) => {
    requests.push(req);
    handler(req, res);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: (next) => {
      handler = next;
      requests.length = 0;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
