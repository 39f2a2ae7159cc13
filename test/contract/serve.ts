import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AcceptedRevision } from '../../data/store/pull-state.ts';
import { addKey } from '../../server/keys/key-file.ts';
import { startServer, type StartOptions } from '../../server/start.ts';
import type { OracleCatalogue } from '../oracle/catalogue.ts';
import { DEFAULT_SETTINGS } from '../oracle/settings.ts';
import { writeSnapshot } from '../oracle/write-snapshot.ts';
import { revisionOf, writePullState } from '../support/pull-state.ts';
import { FIXTURE } from './fixture-catalogue.ts';

/** A response that has been read to its end. */
export interface TextResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface AskOptions {
  readonly method?: string;
  /** The key is among them unless another is given. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Item {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly [key: string]: unknown;
}

export interface ProductsBody {
  readonly products: readonly Item[];
  readonly deals?: readonly Readonly<Record<string, string>>[];
}

/** A real server on a free port over a store of its own, and ways to talk to it. */
export interface TestServer {
  readonly url: string;
  readonly store: string;
  readonly keysFile: string;
  readonly key: string;
  /** A request with the key. */
  ask(target: string, init?: AskOptions): Promise<TextResponse>;
  /** A request without a key, unless `init` has one. */
  askWithoutKey(target: string, init?: RequestInit): Promise<TextResponse>;
  /** The parsed body of a 200; anything else is an error that shows the body. */
  read<Body = ProductsBody>(target: string): Promise<Body>;
  /** Sends bytes as they are and reads until the server closes. */
  raw(request: string): Promise<TextResponse>;
  /** Publishes another snapshot and has the server take it up. */
  publish(catalogue: OracleCatalogue): Promise<string>;
  /** Tells the server that the content of a snapshot is announced to it, as `deals pull` does. */
  announce(revision: Pick<AcceptedRevision, 'contentHash'> & Partial<AcceptedRevision>): Promise<void>;
  close(): Promise<void>;
}

export interface ServeOptions {
  readonly catalogue?: OracleCatalogue;
  /** Leaves the store empty. */
  readonly hasSnapshot?: boolean;
  readonly start?: Partial<StartOptions>;
}

export async function serve(options: ServeOptions = {}): Promise<TestServer> {
  const { catalogue = FIXTURE, hasSnapshot = true, start = {} } = options;
  const store = mkdtempSync(join(tmpdir(), 'deals-spec-'));
  const keysFile = join(store, 'keys.json');
  const { keyText: key } = await addKey(keysFile, { name: 'spec' }, new Date());
  if (hasSnapshot) writeSnapshot(catalogue, store);
  let sequence = 1;
  const server = await startServer({
    store,
    keysFile,
    host: '127.0.0.1',
    port: 0,
    publicUrl: DEFAULT_SETTINGS.publicUrl,
    ...start,
  });
  const { url } = server;
  const ask = (target: string, init: AskOptions = {}): Promise<TextResponse> =>
    fetchText(url + target, { ...init, headers: { 'x-api-key': key, ...init.headers } });
  return {
    url,
    store,
    keysFile,
    key,
    ask,
    askWithoutKey: (target, init) => fetchText(url + target, init),
    read: async <Body>(target: string) => {
      const { status, text } = await ask(target);
      if (status !== 200) throw new Error(`${target}: expected 200, got ${status} ${text}`);
      return JSON.parse(text) as Body;
    },
    raw: (request) => askRaw(new URL(url), request),
    publish: async (next) => {
      sequence++;
      const id = writeSnapshot(next, store, { sequence });
      await server.refresh();
      return id;
    },
    announce: async (revision) => {
      writePullState(store, { announced: revisionOf(revision) });
      await server.refresh();
    },
    close: async () => {
      await server.close();
      rmSync(store, { recursive: true });
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

export async function fetchText(url: string, init?: RequestInit): Promise<TextResponse> {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
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

/** The feed's id of each deal, which the links of the fixture hold. */
export function dealIds(deals: ProductsBody['deals']): string[] {
  return (deals ?? []).map(({ dealLink = '' }) => /[?]id=([^&]+)/.exec(dealLink)?.[1] ?? dealLink);
}

/** `101 new`: new products are told from refurbished ones by name. */
export function variants(products: readonly Item[]): string[] {
  return products.map(({ id, name }) => (name.startsWith('Refurbished ') ? `${id} refurbished` : id));
}

/** The relations of a Link header and their targets. */
export function linksOf(headers: Headers): Record<string, string> {
  const links = (headers.get('link') ?? '').matchAll(/<([^>]*)>\s*;\s*rel="?([a-z]+)"?/g);
  return Object.fromEntries(Array.from(links, ([, target = '', relation = '']) => [relation, target]));
}

export async function until(isDone: () => Promise<boolean>, timeoutMs = 20_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await isDone())) {
    if (Date.now() > deadline) throw new Error(`still not so after ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
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
