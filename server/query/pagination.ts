import { digest } from './canonical-query.ts';
import type { QueryIssue } from './query-issue.ts';
import type { QueryPair } from './query-string.ts';

/** Characters of a cursor that name the content it belongs to: 48 bits of the content hash. */
const CONTENT_LENGTH = 12;
/** Characters that name the walk: 72 bits of its digest. The rest of the digest goes into the check of the offset. */
const SCOPE_LENGTH = 12;
/** Digits of a 32-bit number to the base of 36. */
const CHECKSUM_LENGTH = 7;

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
export function createCursors(content: string, cursorScope: string): (offset: number) => string {
  let scopeDigest: string | undefined;
  return (offset) => {
    scopeDigest ??= digest('cursor', content, cursorScope);
    const digits = offset.toString(36);
    const check = checksum(digits + scopeDigest.slice(SCOPE_LENGTH))
      .toString(36)
      .padStart(CHECKSUM_LENGTH, '0');
    return content + scopeDigest.slice(0, SCOPE_LENGTH) + check + digits;
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

const NOT_IN_URI = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%]/;

interface PageLinks {
  /** The first page of the current snapshot: the request without its cursor. */
  first(): string;
  /** The value of `Link` (RFC 8288) for the page that begins at `offset` (D15). */
  header(offset: number, pageLimit: number, totalCount: number): string;
}

/** Links to the other pages of a request: the request as it was sent, with another cursor. */
export function createPageLinks(
  path: string,
  pairs: readonly QueryPair[],
  cursorAt: (offset: number) => string = () => '',
): PageLinks {
  let rest = '';
  for (const { name, raw } of pairs) {
    if (name !== 'cursor') rest += rest === '' ? raw : `&${raw}`;
  }
  rest = encodeForLink(rest);
  return {
    first: () => (rest === '' ? path : `${path}?${rest}`),
    header: (offset, pageLimit, totalCount) => {
      // A walk whose limit changed on the way need not begin at a multiple of it; its last page is found from here.
      const phase = offset % pageLimit;
      const last = phase + Math.floor(Math.max(0, totalCount - 1 - phase) / pageLimit) * pageLimit;
      const target = rest === '' ? `${path}?cursor=` : `${path}?${rest}&cursor=`;
      const to = (at: number, relation: string): string => `<${target}${cursorAt(at)}>; rel="${relation}"`;
      let header = to(0, 'first');
      if (offset > 0) header += `, ${to(Math.max(0, offset - pageLimit), 'prev')}`;
      if (offset + pageLimit < totalCount) header += `, ${to(offset + pageLimit, 'next')}`;
      return `${header}, ${to(last, 'last')}`;
    },
  };
}

/**
 * Percent-encodes what may not stand in a URI, such as the brackets of `filter[…]=eq{…}`, which may arrive raw (D4).
 * `encodeURI` does that but for two characters: it leaves `#` alone, and encodes the `%` of what is encoded already. One
 * call for the whole text: 2.5x over one for each bracket.
 */
function encodeForLink(raw: string): string {
  return NOT_IN_URI.test(raw) ? encodeURI(raw).replaceAll('%25', '%').replaceAll('#', '%23') : raw;
}
