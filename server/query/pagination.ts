import { hash } from 'node:crypto';
import type { QueryIssue, QueryPair } from './query-text.ts';

/** Characters of a cursor that name the content it belongs to: 48 bits of the content hash. */
const CONTENT_LENGTH = 12;
/** Characters that prove that it was made for its content, query and offset: 114 bits of a digest. */
const PROOF_LENGTH = 19;

const CURSOR = /^([0-9a-f]{12})[A-Za-z0-9_-]{19}(0|[1-9a-z][0-9a-z]{0,5})\.([1-9a-z][0-9a-z]{0,9})$/;

/** SHA-256 as base64url of the parts, each with its length. */
export function digest(...parts: readonly string[]): string {
  let text = '';
  for (const part of parts) text += `${part.length}:${part}`;
  // In one call: 3x over createHash with an update for each part.
  return hash('sha256', text, 'base64url');
}

/** The position of a page: its snapshot, and how many items come before it (D15). */
export interface CursorPosition {
  readonly content: string;
  /** The sequence of the snapshot: another server may have loaded a newer one than this. */
  readonly sequence: number;
  readonly offset: number;
}

/** The part of a content hash that cursors carry. */
export function cursorContent(contentHash: string): string {
  return contentHash.slice(0, CONTENT_LENGTH);
}

/**
 * Makes the cursors of one query: opaque texts that belong to a snapshot and a cursor scope. A cursor is genuine when it
 * equals the one made for its offset, which finds altered cursors and those of another query. It is no secret: it opens
 * nothing that the key does not.
 */
export function createCursors({ content, sequence }: Omit<CursorPosition, 'offset'>, cursorScope: string) {
  const snapshot = sequence.toString(36);
  return (offset: number): string => {
    const digits = offset.toString(36);
    const proof = digest('cursor', content, snapshot, cursorScope, digits).slice(0, PROOF_LENGTH);
    return `${content}${proof}${digits}.${snapshot}`;
  };
}

/** The position in a cursor that is not verified yet; undefined when the text cannot be a cursor. */
export function readCursor(text: string): CursorPosition | undefined {
  const [, content, offset, sequence] = CURSOR.exec(text) ?? [];
  if (content === undefined || offset === undefined || sequence === undefined) return undefined;
  return { content, sequence: Number.parseInt(sequence, 36), offset: Number.parseInt(offset, 36) };
}

/** The issue of a text that is no cursor of the query. */
export function cursorIssue(value: string): QueryIssue {
  const expected = 'a cursor of this query, as the Link header gave it';
  return { code: 'invalid-cursor', parameter: 'cursor', expected, value };
}

const NOT_IN_URI = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%]/;

/** The first page of the current snapshot: the request as sent, without its cursor. */
export function firstPage(path: string, pairs: readonly QueryPair[]): string {
  let query = '';
  for (const { name, raw } of pairs) {
    if (name !== 'cursor') query += query === '' ? `?${raw}` : `&${raw}`;
  }
  return path + encodeForLink(query);
}

/**
 * The value of `Link` (RFC 8288) for the page that begins at `offset` (D15).
 * @param first of `firstPage`; the other pages have a cursor more
 */
export function writePageLinks(
  first: string,
  cursorAt: (offset: number) => string,
  offset: number,
  pageLimit: number,
  totalCount: number,
): string {
  // After a change of the limit, offsets are no multiples of it: the last page is counted from this one.
  const phase = offset % pageLimit;
  const last = phase + Math.floor(Math.max(0, totalCount - 1 - phase) / pageLimit) * pageLimit;
  const target = `${first}${first.includes('?') ? '&' : '?'}cursor=`;
  const to = (at: number, relation: string): string => `<${target}${cursorAt(at)}>; rel="${relation}"`;
  let header = to(0, 'first');
  if (offset > 0) header += `, ${to(Math.max(0, offset - pageLimit), 'prev')}`;
  if (offset + pageLimit < totalCount) header += `, ${to(offset + pageLimit, 'next')}`;
  return `${header}, ${to(last, 'last')}`;
}

/**
 * Percent-encodes characters that a URI must not have, such as the brackets of `filter[…]=eq{…}`, which may arrive raw
 * (D4). `encodeURI` leaves `#` and encodes `%` again; both are corrected. One call for the whole text is 2.5x faster than
 * one for each bracket.
 */
function encodeForLink(raw: string): string {
  return NOT_IN_URI.test(raw) ? encodeURI(raw).replaceAll('%25', '%').replaceAll('#', '%23') : raw;
}
