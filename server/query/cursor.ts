import { digest } from './meaning.ts';
import type { QueryIssue } from './query-issue.ts';

/** Characters of a cursor that name the content it belongs to: 48 bits of the content hash. */
const CONTENT_LENGTH = 12;
/** Characters that name the walk: 72 bits of its digest. The rest of the digest goes into the check of the offset. */
const SEAL_LENGTH = 12;
/** Digits of a 32-bit number to the base of 36. */
const CHECK_LENGTH = 7;

const CURSOR = /^([0-9a-f]{12})[A-Za-z0-9_-]{12}[0-9a-z]{7}(0|[1-9a-z][0-9a-z]{0,5})$/;

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
 * Makes the cursors of one page walk: opaque texts bound to a content and to the rest of the query. A cursor is genuine
 * when it is the one that its walk has for its offset. That shows an alteration and a cursor of another query; it is no
 * secret, since a cursor gives access to nothing that the key does not. So one digest does for all cursors of the walk,
 * and only when the first is made: a digest for each of the four links would take longer than everything else about them.
 */
export function createCursors(content: string, walk: string): (offset: number) => string {
  let walkDigest: string | undefined;
  return (offset) => {
    walkDigest ??= digest('cursor', content, walk);
    const digits = offset.toString(36);
    const check = checksum(digits + walkDigest.slice(SEAL_LENGTH))
      .toString(36)
      .padStart(CHECK_LENGTH, '0');
    return content + walkDigest.slice(0, SEAL_LENGTH) + check + digits;
  };
}

/** The position that a cursor claims, before it is known to be genuine; undefined when it is none at all. */
export function readCursor(text: string): CursorPosition | undefined {
  const [, content, offset] = CURSOR.exec(text) ?? [];
  return content === undefined || offset === undefined ? undefined : { content, offset: Number.parseInt(offset, 36) };
}

/** The fault of a text that is no cursor, or is none of the query. */
export function cursorIssue(value: string): QueryIssue {
  const expected = 'a cursor of this query, as the Link header gave it';
  return { code: 'invalid-cursor', parameter: 'cursor', expected, value };
}

/**
 * FNV-1a, 32 bits. Texts of one length that differ in a single character never share it, since each step maps different
 * states to different states.
 */
function checksum(text: string): number {
  let state = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
  return state >>> 0;
}
