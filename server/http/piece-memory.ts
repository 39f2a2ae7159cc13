import { copyPiece } from './answer.ts';

/** What the writer of products makes at a time, and a large item more. */
export const PIECE_BYTES = 20 * 1024;

/** Spare memory that is held: what the readers of one round of the event loop use. */
const MAX_SPARE = 64;

const spare: ArrayBuffer[] = [];

/**
 * A copy of bytes to hold until they are sent, in memory that was used before when there is some. New memory for every
 * piece is garbage beside the heap, of which V8 sees only the size: a thousand slow readers of long answers made it
 * collect the whole heap six times a second, up to 17 ms each time.
 */
export function holdPiece(value: string | Uint8Array): Buffer {
  if (typeof value === 'string' || value.length > PIECE_BYTES) return copyPiece(value);
  const piece = Buffer.from(spare.pop() ?? new ArrayBuffer(PIECE_BYTES), 0, value.length);
  piece.set(value);
  return piece;
}

/** Lets go of the memory of a piece: nothing of it is read any more. */
export function releasePiece({ buffer }: Buffer): void {
  // Of another size it is not one of ours: small buffers share their memory with others.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === PIECE_BYTES && spare.length < MAX_SPARE)
    spare.push(buffer);
}
