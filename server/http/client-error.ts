import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { MAX_TARGET_BYTES } from '../../data/query/limit.ts';
import { createProblem } from './problem.ts';

/** What the parser of Node says about a request that it could not read. */
export type ClientError = Error & { readonly code?: string; readonly rawPacket?: Buffer };

/**
 * Answers what never became a request, and closes the connection: a bare status, or the problem of a target that was
 * too long even for the parser (D4).
 */
export function answerClientError(error: ClientError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (error.code === 'HPE_HEADER_OVERFLOW' && isTargetTooLong(error.rawPacket)) {
    const detail = `The request target is longer than ${MAX_TARGET_BYTES} bytes.`;
    const { status, headers, body } = createProblem('target-too-long', { detail, requestId: 'unread' });
    const text = [...body].join('');
    const lines = Object.entries({ ...headers, 'Content-Length': String(Buffer.byteLength(text)) });
    end(socket, status, lines, text);
    return;
  }
  end(socket, statusOf(error.code), [['Content-Length', '0']], '');
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

function end(socket: Socket, status: number, headers: readonly (readonly [string, string])[], body: string): void {
  const lines = [...headers, ['Connection', 'close']].map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}
