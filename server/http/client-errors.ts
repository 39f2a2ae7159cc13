import { randomBytes } from 'node:crypto';
import { STATUS_CODES, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { MAX_TARGET_BYTES } from '../../data/query/parameter.ts';
import { describeError, type Log } from '../log.ts';
import type { Exchange, OpenConnections } from './connections.ts';
import { NO_SNIFF } from './headers.ts';
import { errorResponse, readBody, type ApiResponse } from './response.ts';

/** What the parser of Node says about a request that it could not read. */
type ClientError = Error & { readonly code?: string; readonly rawPacket?: Buffer };

/** A method (RFC 9110 §5.6.2) and a target that goes on. */
const PARTIAL_REQUEST_LINE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,40} [!-~\x80-\xff]*$/;

/**
 * Answers what a server cannot read, and CONNECT, for which it has no use; the cause goes to the log. What follows on such
 * a connection is read and ignored until its peer closes it, or has had the time for that.
 */
export function respondToClientErrors(server: Server, connections: OpenConnections, log: Log): void {
  const refused = new WeakSet<Duplex>();
  const refuse = (socket: Duplex, answer: (last: Exchange | undefined) => void): void => {
    if (refused.has(socket)) return;
    refused.add(socket);
    connections.guard(socket, () => {
      const last = connections.findLast(socket);
      const run = (): void => connections.guard(socket, () => answer(last));
      // In order: the answers to the requests before come first.
      if (last === undefined || last.res.writableFinished) run();
      else last.res.once('finish', run);
    });
  };
  server.on('clientError', (error: ClientError, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      if (!socket.writableEnded) socket.destroy();
      return;
    }
    refuse(socket, (last) => respondToClientError(error, socket, last, log));
  });
  // Without a listener Node closes the connection, and nothing tells of it.
  server.on('connect', (_, socket) => {
    connections.detach(socket);
    const answer: ApiResponse = { status: 405, headers: { Allow: 'GET, HEAD, OPTIONS' }, body: [] };
    refuse(socket, () => respondUnparsed(socket, () => answer, 'CONNECT', log));
  });
}

/**
 * Answers what never became a request: a bare status, or the problem of a target that was too long even for the parser
 * (D4). What cannot be read may also be the body of the last request, or come after it though it was to be the last. That
 * has its answer: a proxy would take a second for the answer to somebody else.
 */
function respondToClientError(error: ClientError, socket: Duplex, last: Exchange | undefined, log: Log): void {
  const cause = error.code ?? describeError(error);
  if (last !== undefined && (!last.req.complete || error.code === 'HPE_CLOSED_CONNECTION')) {
    log({ event: 'request-unread', cause });
    socket.end();
    return;
  }
  respondUnparsed(socket, chooseErrorResponse(error), cause, log);
}

function respondUnparsed(socket: Duplex, answer: (requestId: string) => ApiResponse, cause: string, log: Log): void {
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

function chooseErrorResponse(error: ClientError): (requestId: string) => ApiResponse {
  if (error.code !== 'HPE_HEADER_OVERFLOW' || !isTargetTooLong(error.rawPacket)) {
    return () => ({ status: statusOf(error.code), headers: {}, body: [] });
  }
  const detail = `The request target is longer than ${MAX_TARGET_BYTES} bytes.`;
  return (requestId) => errorResponse('target-too-long', { detail, requestId });
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
  if (lineEnd === -1) return PARTIAL_REQUEST_LINE.test(packet.toString('latin1', 0, MAX_TARGET_BYTES));
  return lineEnd > MAX_TARGET_BYTES && / HTTP\/1\.[01]$/.test(packet.toString('latin1', lineEnd - 9, lineEnd));
}
