import { connect } from 'node:net';
import type { AcceptedRevision } from '../../data/store/pull-state.ts';
import type { StartOptions } from '../../server/start.ts';
import { fetchText, withServer as startServer, type TestServer as Harnessed, type TextResponse } from '../harness.ts';
import type { OracleCatalogue } from '../oracle/catalogue.ts';
import { revisionOf, writePullState } from '../support/pull-state.ts';
import { FIXTURE } from './fixture-catalogue.ts';

export { fetchText, until, type TextResponse } from '../harness.ts';
export { linksOf } from './links.ts';

interface Item {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly [key: string]: unknown;
}

interface ProductsBody {
  readonly products: readonly Item[];
  readonly deals?: readonly Readonly<Record<string, string>>[];
}

export interface TestServer extends Harnessed {
  /** A request without a key, unless `init` has one. */
  askWithoutKey(target: string, init?: RequestInit): Promise<TextResponse>;
  read<Body = ProductsBody>(target: string): Promise<Body>;
  /** Sends bytes as they are and reads until the server closes. */
  raw(request: string): Promise<TextResponse>;
  /** Tells the server that the content of a snapshot is announced to it, as `deals pull` does. */
  announce(revision: Pick<AcceptedRevision, 'contentHash'> & Partial<AcceptedRevision>): Promise<void>;
}

export interface ServeOptions {
  readonly catalogue?: OracleCatalogue;
  /** Leaves the store empty. */
  readonly hasSnapshot?: boolean;
  readonly start?: Partial<StartOptions>;
}

export async function serve(options: ServeOptions = {}): Promise<TestServer> {
  const { catalogue = FIXTURE, hasSnapshot = true, start = {} } = options;
  const { store, keysFile, ...rest } = start;
  const on = store === undefined || keysFile === undefined ? {} : { on: { folder: '', store, keysFile, key: '' } };
  const server = await startServer({ ...rest, ...on, catalogue: hasSnapshot ? catalogue : null });
  return {
    ...server,
    askWithoutKey: (target, init) => fetchText(server.url + target, init),
    raw: (request) => askRaw(new URL(server.url), request),
    announce: async (revision) => {
      writePullState(server.store, { announced: revisionOf(revision) });
      await server.refresh();
    },
  };
}

/** Runs with a server of its own. */
export async function withServer<Result>(
  options: ServeOptions,
  run: (server: TestServer) => Promise<Result>,
): Promise<Result> {
  const server = await serve(options);
  try {
    return await run(server);
  } finally {
    await server.close();
  }
}

/** A response as its bytes arrived, for a client that writes them down; the body must not be chunked. */
export function parseResponse(bytes: string): TextResponse {
  const end = bytes.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = bytes.slice(0, end).split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return { status: Number(statusLine.split(' ')[1]), headers: new Headers(headers), text: bytes.slice(end + 4) };
}

function askRaw({ hostname, port }: URL, request: string): Promise<TextResponse> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(request));
    let received = '';
    socket.setEncoding('utf8');
    socket.setTimeout(5000, () => socket.destroy(new Error('the response did not end within 5 s')));
    socket.on('data', (text) => (received += text));
    socket.on('error', reject);
    socket.on('close', () => resolve(parseResponse(received)));
  });
}
