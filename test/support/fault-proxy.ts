import { once } from 'node:events';
import { createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to a request. */
export interface Fault {
  /** Called, and awaited, before the request goes on; what it throws breaks the connection: the server never sees the request. */
  readonly before?: () => unknown;
  /** The same when the server has answered: what it throws has the answer lost. */
  readonly after?: () => unknown;
  /** What comes back in place of the answer of the server, which sees the request only when it `isDelivered`. */
  readonly answer?: { readonly status: number; readonly code?: string; readonly isDelivered?: true };
  /** The answer ends after so many bytes, and its length is stated as such: only a hash shows it. */
  readonly truncateAt?: number;
}

export const CUT = (): never => {
  throw new Error('cut');
};
export const HANG = (): Promise<never> => new Promise(() => {});

/** Which requests meet a fault. */
interface FaultRule extends Fault {
  readonly method?: string;
  /** Matched against the path with its query. */
  readonly path?: RegExp;
  /** Which of the requests that match, from 1. All of them by default. */
  readonly nth?: number;
}

export interface FaultProxy {
  /** `http://127.0.0.1:<port>`, without a slash at its end. */
  readonly url: string;
  /** `GET /path?query` of all requests, in the order of arrival. */
  readonly requests: readonly string[];
  /** Adds a rule. A request meets the first fault that applies to it. */
  inject(rule: FaultRule): void;
  /** Forgets the requests and the rules. */
  reset(): void;
  stop(): Promise<void>;
}

/**
 * Starts a proxy that forwards each request to a server, with the headers as they came: the signatures of S3 cover `Host`.
 * @param target the address of the server, `http://127.0.0.1:41000`
 */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  let rules: (FaultRule & { matches: number })[] = [];
  let requests: string[] = [];

  const findFault = ({ method = '', url = '' }: IncomingMessage): Fault => {
    const matching = rules.filter((rule) => (rule.method ?? method) === method && (rule.path?.test(url) ?? true));
    for (const rule of matching) rule.matches += 1;
    return matching.find(({ nth, matches }) => nth === undefined || nth === matches) ?? {};
  };

  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    // A side has closed the connection, or a fault did: the other side sees the same.
    forward(target, request, response, findFault(request)).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests;
    },
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
  { before, after, answer, truncateAt }: Fault,
): Promise<void> {
  const body = Buffer.concat(await request.toArray());
  await before?.();
  if (answer?.isDelivered !== true && answer !== undefined) return answerInstead(response, answer);
  const { method, headers } = request;
  const upstream = sendRequest(`${target}${request.url}`, { method, headers, agent: false });
  const answered = once(upstream, 'response') as Promise<[IncomingMessage]>;
  upstream.end(body);
  const [incoming] = await answered;
  const content = Buffer.concat(await incoming.toArray());
  await after?.();
  if (answer !== undefined) return answerInstead(response, answer);
  const sent = content.subarray(0, truncateAt);
  const { 'content-length': _, 'transfer-encoding': __, ...others } = incoming.headers;
  const length = incoming.statusCode === 204 ? {} : { 'content-length': sent.length };
  response.writeHead(incoming.statusCode ?? 0, { ...others, ...length }).end(sent);
}

function answerInstead(
  response: ServerResponse,
  { status, code = 'InternalError' }: NonNullable<Fault['answer']>,
): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`);
}
