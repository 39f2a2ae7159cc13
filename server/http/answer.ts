import type { Encoding } from './encoding.ts';

/** An answer before it is sent: the body in pieces, produced only as fast as they are taken. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, or bytes, which are valid only until the next piece is asked for. */
  readonly body: Iterable<string | Uint8Array>;
  /** What the client takes; a body worth encoding is sent so. Absent: as it is. */
  readonly encoding?: Encoding;
}

/** The bytes of a piece of a body, to keep. */
export function copyPiece(piece: string | Uint8Array): Buffer {
  return typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece);
}

/** The whole body as text. */
export function readBody({ body }: Pick<Answer, 'body'>): string {
  return Buffer.concat(Array.from(body, copyPiece)).toString();
}
