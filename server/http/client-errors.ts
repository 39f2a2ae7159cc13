import { randomBytes } from 'node:crypto';
import { STATUS_CODES, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { MAX_TARGET_BYTES } from '../../data/query/parameter.ts';
import { describeError, type Log } from '../log.ts';
import { ALLOW } from './checks.ts';
import type { Exchange, OpenConnections } from './connections.ts';
import { NO_SNIFF } from './headers.ts';
import { errorResponse, readBody, type ApiResponse } from './response.ts';

/** The error of Node's parser. */
type ClientError = Error & { readonly code?: string; readonly rawPacket?: Buffer };

/** A method (RFC 9110 §5.6.2) and the start of a target. */
const PARTIAL_REQUEST_LINE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,40} [!-~\x80-\xff]*$/;

/**
 * Responds to requests that Node cannot parse, and to CONNECT; the cause goes to the log. Further data on the connection
 * is read and ignored until the client closes it or its time is over.
 */
export function respondToClientErrors(server: Server, connections: OpenConnections, log: Log): void {
  const refused = new WeakSet<Duplex>();
  const refuse = (socket: Duplex, answer: (last: Exchange | undefined) => void): void => {
    if (refused.has(socket)) return;
    refused.add(socket);
    connections.guard(socket, () => {
      const last = connections.findLast(socket);
      const run = (): void => connections.guard(socket, () => answer(last));
      // The responses to earlier requests come first.
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
  // Without a listener Node closes the connection without a log line.
  server.on('connect', (_, socket) => {
    connections.detach(socket);
    const answer: ApiResponse = { status: 405, headers: ALLOW, body: [] };
    refuse(socket, () => respondUnparsed(socket, () => answer, 'CONNECT', log));
  });
}

/**
 * Responds with a bare status, or with the problem of a target that is too long for the parser (D4). If the unreadable
 * data is the body of the last request, or follows a request that ends the connection, it gets no second response: a proxy
 * would pass that on to another client.
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
  // This is the last packet of the headers, and a long line in it may be a header. Without a line end, only the start of a
  // request line shows that it is the target; a target in several packets cannot be told from a header.
  if (lineEnd === -1) return PARTIAL_REQUEST_LINE.test(packet.toString('latin1', 0, MAX_TARGET_BYTES));
  return lineEnd > MAX_TARGET_BYTES && / HTTP\/1\.[01]$/.test(packet.toString('latin1', lineEnd - 9, lineEnd));
}
