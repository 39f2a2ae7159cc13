import { once } from 'node:events';
import { createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** What happens to a body on its way, to the server or back from it. */
type BodyFault =
  /** It passes at this speed. */
  | { readonly kind: 'slow'; readonly bytesPerSecond: number }
  /** The connection breaks after so many bytes. */
  | { readonly kind: 'cut-body'; readonly afterBytes: number }
  /** It ends after so many bytes, and its length is stated as such: only a hash shows it. */
  | { readonly kind: 'truncate'; readonly afterBytes: number }
  /** One bit of the byte at this offset is another. */
  | { readonly kind: 'flip'; readonly byteOffset: number };

export type Fault =
  /** The connection breaks; the server never sees the request. */
  | { readonly kind: 'cut-before' }
  /** The server has answered, and the connection breaks: the answer is lost. */
  | { readonly kind: 'cut-after' }
  /**
   * The proxy answers instead of the server: 500, 503, or 503 with the code `SlowDown`. The server never sees the request,
   * or (`delivered`) has done what it asks.
   */
  | { readonly kind: 'answer'; readonly status: number; readonly code?: string; readonly delivered?: true }
  /** No byte comes back, and the connection stays. The server never sees the request. */
  | { readonly kind: 'hang' }
  /**
   * The proxy calls a function of the test, and waits for what it returns: before it forwards the request, or after the
   * server has answered. The request goes on unchanged. A test holds requests by it, or kills the client.
   */
  | { readonly kind: 'call'; readonly at: 'before' | 'after'; readonly run: () => unknown }
  | (BodyFault & { readonly body: 'request' | 'response' });

/** Which requests meet a fault. */
interface FaultRule {
  readonly method?: string;
  /** Matched against the path with its query. */
  readonly path?: RegExp;
  /** Which of the requests that match, from 1. All of them by default. */
  readonly nth?: number;
  readonly fault: Fault;
}

interface ProxiedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** The kind of the fault that it met. */
  readonly fault?: Fault['kind'];
}

export interface FaultProxy {
  /** `http://127.0.0.1:<port>`, without a slash at its end. */
  readonly url: string;
  /** All requests, in the order of arrival. */
  readonly requests: readonly ProxiedRequest[];
  /** The number of requests by method, also only those whose path matches. */
  count(method: string, path?: RegExp): number;
  /** Adds a rule. A request meets the fault of the first rule that applies to it. */
  inject(rule: FaultRule): void;
  /** Forgets the requests and the rules. */
  reset(): void;
  stop(): Promise<void>;
}

/**
 * Starts a proxy that forwards each request to a server, with the headers as they came: the signatures of S3 cover `Host`.
 *
 * @param target the address of the server, `http://127.0.0.1:41000`
 */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  let rules: (FaultRule & { matches: number })[] = [];
  let requests: ProxiedRequest[] = [];

  const findFault = (method: string, path: string): Fault | undefined => {
    const matching = rules.filter((rule) => (rule.method ?? method) === method && (rule.path?.test(path) ?? true));
    for (const rule of matching) rule.matches += 1;
    return matching.find(({ nth, matches }) => nth === undefined || nth === matches)?.fault;
  };

  const server = createServer((request, response) => {
    const { method = '', url: path = '' } = request;
    const fault = findFault(method, path);
    requests.push({ method, path, ...(fault === undefined ? {} : { fault: fault.kind }) });
    // The client or the server has closed the connection, or a fault did: the other side sees the same.
    forward(target, request, response, fault).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests;
    },
    count: (method, path = /(?:)/) => requests.filter((one) => one.method === method && path.test(one.path)).length,
    inject: (rule) => {
      rules.push({ ...rule, matches: 0 });
    },
    reset: () => {
      rules = [];
      requests = [];
    },
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function forward(
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
  fault: Fault | undefined,
): Promise<void> {
  if (fault?.kind === 'cut-before') throw new Error('cut');
  if (fault?.kind === 'hang') return;
  if (fault?.kind === 'answer' && fault.delivered !== true) {
    request.resume();
    answerFault(response, fault);
    return;
  }
  if (fault?.kind === 'call' && fault.at === 'before') await fault.run();

  const { hostname, port } = new URL(target);
  const upstream = sendRequest({
    hostname,
    port,
    method: request.method,
    path: request.url,
    headers: changeLength(request.rawHeaders, bodyFaultOf(fault, 'request')),
    agent: false,
  });
  response.on('close', () => upstream.destroy());
  upstream.on('error', () => undefined);
  const answered = once(upstream, 'response') as Promise<[IncomingMessage]>;
  // What interrupts the body also ends `answered`, unless the server has answered before it has read the body.
  copyBody(request, upstream, bodyFaultOf(fault, 'request')).catch(() => {
    if (!request.complete) upstream.destroy();
  });
  const [answer] = await answered;

  if (fault?.kind === 'cut-after') {
    await once(answer.resume(), 'end');
    throw new Error('cut');
  }
  if (fault?.kind === 'answer') {
    await once(answer.resume(), 'end');
    answerFault(response, fault);
    return;
  }
  if (fault?.kind === 'call' && fault.at === 'after') await fault.run();
  const responseFault = bodyFaultOf(fault, 'response');
  response.writeHead(answer.statusCode ?? 0, changeLength(answer.rawHeaders, responseFault));
  await copyBody(answer, response, responseFault);
}

function answerFault(
  response: ServerResponse,
  { status, code = 'InternalError' }: Extract<Fault, { kind: 'answer' }>,
): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`);
}

function bodyFaultOf(fault: Fault | undefined, body: 'request' | 'response'): BodyFault | undefined {
  return fault !== undefined && 'body' in fault && fault.body === body ? fault : undefined;
}

/** The headers of a body, as pairs in one list, with the length that it has after a fault. */
function changeLength(rawHeaders: readonly string[], fault: BodyFault | undefined): string[] {
  if (fault?.kind !== 'truncate') return [...rawHeaders];
  return rawHeaders.map((text, at) => {
    const isLength = at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'content-length';
    return isLength ? String(Math.min(Number(text), fault.afterBytes)) : text;
  });
}

/** Passes a body on, and ends the target. @throws {Error} where a fault or one of the two sides cuts it */
async function copyBody(source: IncomingMessage, target: Writable, fault: BodyFault | undefined): Promise<void> {
  let byteOffset = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    for (const piece of applyFault(chunk, byteOffset, fault)) {
      if (fault?.kind === 'slow') await sleep(Math.ceil((1000 * piece.length) / fault.bytesPerSecond));
      await write(target, piece);
    }
    byteOffset += chunk.length;
    if (fault?.kind === 'cut-body' && byteOffset >= fault.afterBytes) {
      target.destroy();
      throw new Error('cut');
    }
  }
  target.end();
}

/** The pieces of a chunk that pass. */
function applyFault(chunk: Buffer, byteOffset: number, fault: BodyFault | undefined): readonly Buffer[] {
  switch (fault?.kind) {
    case undefined:
      return [chunk];
    case 'slow': {
      const size = Math.max(1, Math.floor(fault.bytesPerSecond / 20));
      return Array.from({ length: Math.ceil(chunk.length / size) }, (_, at) =>
        chunk.subarray(at * size, (at + 1) * size),
      );
    }
    case 'cut-body':
    case 'truncate':
      return [chunk.subarray(0, Math.max(0, fault.afterBytes - byteOffset))];
    case 'flip': {
      const at = fault.byteOffset - byteOffset;
      const copy = Buffer.from(chunk);
      if (at >= 0 && at < copy.length) copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
      return [copy];
    }
  }
}

/** Writes a piece and waits until the system has it: a connection that is cut afterwards has carried it. */
function write(target: Writable, piece: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    target.write(piece, (error) => (error ? reject(error) : resolve()));
  });
}
