import { randomBytes } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { MAX_TARGET_BYTES } from '../../data/query/limit.ts';
import { readBody, type Answer } from './answer.ts';
import { describeError, type Log } from './log.ts';
import { createProblem } from './problem.ts';
import { NO_SNIFF } from './security-headers.ts';

/** What the parser of Node says about a request that it could not read. */
type ClientError = Error & { readonly code?: string; readonly rawPacket?: Buffer };

/** A method (RFC 9110 §5.6.2) and a target that goes on. */
const REQUEST_LINE_BEGUN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,40} [!-~\x80-\xff]*$/;

/** A request and its answer. */
interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** Answers what a server cannot read, and CONNECT, for which it has no use; the cause goes to the log. */
export function answerClientErrors(server: Server, log: Log): void {
  /** The last request of each connection. */
  const exchanges = new WeakMap<Duplex, Exchange>();
  const remember = (req: IncomingMessage, res: ServerResponse): void => void exchanges.set(req.socket, { req, res });
  server.on('request', remember).on('checkExpectation', remember);
  server.on('clientError', (error, socket) => answerClientError(error, socket, exchanges.get(socket), log));
  // Without a listener Node closes the connection, and nothing tells of it.
  server.on('connect', (_, socket) => {
    answerUnread(socket, () => ({ status: 405, headers: { Allow: 'GET, HEAD, OPTIONS' }, body: [] }), 'CONNECT', log);
  });
}

/**
 * Answers what never became a request, and closes the connection: a bare status, or the problem of a target that was
 * too long even for the parser (D4). What cannot be read may also be the body of the last request, or come after it though
 * it was to be the last. That has its answer: a proxy would take a second for the answer to somebody else.
 */
function answerClientError(error: ClientError, socket: Duplex, last: Exchange | undefined, log: Log): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const cause = error.code ?? describeError(error);
  const isAnswered = last !== undefined && (!last.req.complete || error.code === 'HPE_CLOSED_CONNECTION');
  const close = (): void => {
    if (!isAnswered) {
      answerUnread(socket, describeRefusal(error), cause, log);
    } else {
      log({ event: 'request-unread', cause });
      socket.end();
    }
  };
  // In order: the answers to the requests before come first.
  if (last === undefined || last.res.writableFinished) close();
  else last.res.once('finish', close);
}

function answerUnread(socket: Duplex, answer: (requestId: string) => Answer, cause: string, log: Log): void {
  const requestId = `unread-${randomBytes(4).toString('hex')}`;
  const refusal = answer(requestId);
  const { status, headers } = refusal;
  log({ event: 'request-unread', requestId, status, cause });
  if (!socket.writable) return;
  const body = readBody(refusal);
  const lines = Object.entries({
    ...headers,
    'X-Request-Id': requestId,
    [NO_SNIFF.name]: NO_SNIFF.value,
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

function describeRefusal(error: ClientError): (requestId: string) => Answer {
  if (error.code !== 'HPE_HEADER_OVERFLOW' || !isTargetTooLong(error.rawPacket)) {
    return () => ({ status: statusOf(error.code), headers: {}, body: [] });
  }
  const detail = `The request target is longer than ${MAX_TARGET_BYTES} bytes.`;
  return (requestId) => createProblem('target-too-long', { detail, requestId });
}

function statusOf(code: string | undefined): number {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
}

function isTargetTooLong(packet: Buffer | undefined): boolean {
  if (packet === undefined) return false;
  const lineEnd = packet.indexOf('\r\n');
  // The packet is the last of those that the head came in: a long line in it may be a header as well. Of one that ends no
  // line only the beginning of a request line tells; a target in several packets is not told from a header.
  if (lineEnd === -1) return REQUEST_LINE_BEGUN.test(packet.toString('latin1', 0, MAX_TARGET_BYTES));
  return lineEnd > MAX_TARGET_BYTES && / HTTP\/1\.[01]$/.test(packet.toString('latin1', lineEnd - 9, lineEnd));
}
