import { digest } from './meaning.ts';

/** Characters of a cursor that name the content it belongs to: 48 bits of the content hash. */
const CONTENT_LENGTH = 12;
const SEAL_LENGTH = 16;

/** Where a page walk stands: in which content, and how many products come before the page (D15). */
export interface CursorPosition {
  readonly content: string;
  readonly offset: number;
}

/** The part of a content hash that cursors carry. */
export function cursorContent(contentHash: string): string {
  return contentHash.slice(0, CONTENT_LENGTH);
}

/**
 * An opaque text bound to a content and to the rest of the query. The seal shows an alteration and a cursor of another
 * query; it is no secret, since a cursor gives access to nothing that the key does not.
 */
export function encodeCursor(position: CursorPosition, walk: string): string {
  return `${position.content}${seal(position, walk)}${position.offset.toString(36)}`;
}

/** The position that a cursor claims, before its seal is checked; undefined when it is none at all. */
export function readCursor(text: string): CursorPosition | undefined {
  const match = /^([0-9a-f]{12})[A-Za-z0-9_-]{16}(0|[1-9a-z][0-9a-z]{0,5})$/.exec(text);
  const [, content, offset] = match ?? [];
  return content === undefined || offset === undefined ? undefined : { content, offset: Number.parseInt(offset, 36) };
}

/** Whether a cursor was made for this walk and not altered since. */
export function isSealed(text: string, position: CursorPosition, walk: string): boolean {
  return text === encodeCursor(position, walk);
}

function seal(position: CursorPosition, walk: string): string {
  return digest('cursor', position.content, String(position.offset), walk).slice(0, SEAL_LENGTH);
}
