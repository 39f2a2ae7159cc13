import { IncomingMessage, ServerResponse, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { readResponses, type RawResponse } from '../../support/raw-socket.ts';

/** A connection without a network: keeps what is written to it, and takes it at once. */
class Connection extends Duplex {
  readonly written: Buffer[] = [];

  constructor() {
    // It is never full: only the server of Node would tell a response that there is room again.
    super({ writableHighWaterMark: Number.MAX_SAFE_INTEGER });
  }

  override _read(): void {
    // Nothing ever arrives.
  }

  override _write(data: Buffer, _: BufferEncoding, done: () => void): void {
    this.written.push(data);
    done();
  }

  /** Of a socket, whose packets there are none of here. */
  setNoDelay(): this {
    return this;
  }
}

/** Has a listener answer a GET as a server would; undefined when it closed the connection instead. */
export async function askApp(
  app: RequestListener,
  target: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawResponse | undefined> {
  const connection = new Connection();
  const req = new IncomingMessage(connection as unknown as Socket);
  Object.assign(req, { method: 'GET', url: target, httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 });
  req.rawHeaders.push(...Object.entries({ Host: 'a', ...headers }).flat());
  // Headers are made of the raw ones when they are first asked for, by their number.
  for (const [name, value] of Object.entries({ host: 'a', ...headers })) req.headers[name.toLowerCase()] = value;
  const res = new ServerResponse(req);
  res.assignSocket(connection as unknown as Socket);
  await new Promise<void>((resolve) => {
    res.once('finish', resolve);
    connection.once('close', resolve);
    app(req, res);
  });
  res.emit('close');
  if (connection.destroyed) return undefined;
  return readResponses(Buffer.concat(connection.written), ['GET']).responses[0];
}
