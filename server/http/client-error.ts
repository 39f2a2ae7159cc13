import { randomBytes } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { MAX_TARGET_BYTES } from '../../data/query/limit.ts';
import { readBody } from './answer.ts';
import { describeError, type Log } from './log.ts';
import { createProblem } from './problem.ts';

/** What the parser of Node says about a request that it could not read. */
export type ClientError = Error & { readonly code?: string; readonly rawPacket?: Buffer };

/**
 * Answers what never became a request, and closes the connection: a bare status, or the problem of a target that was
 * too long even for the parser (D4). The cause goes to the log.
 */
export function answerClientError(error: ClientError, socket: Socket, log: Log): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = `unread-${randomBytes(4).toString('hex')}`;
  const { status, headers, body } = describeRefusal(error, requestId);
  log({ event: 'request-unread', requestId, status, cause: error.code ?? describeError(error) });
  const lines = Object.entries({
    ...headers,
    'X-Request-Id': requestId,
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

function describeRefusal(
  error: ClientError,
  requestId: string,
): { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  if (error.code !== 'HPE_HEADER_OVERFLOW' || !isTargetTooLong(error.rawPacket)) {
    return { status: statusOf(error.code), headers: {}, body: '' };
  }
  const detail = `The request target is longer than ${MAX_TARGET_BYTES} bytes.`;
  const problem = createProblem('target-too-long', { detail, requestId });
  return { status: problem.status, headers: problem.headers, body: readBody(problem) };
}

function statusOf(code: string | undefined): number {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
}

function isTargetTooLong(packet: Buffer | undefined): boolean {
  if (packet === undefined) return false;
  const lineEnd = packet.indexOf('\r\n');
  return lineEnd === -1 || lineEnd > MAX_TARGET_BYTES;
}
