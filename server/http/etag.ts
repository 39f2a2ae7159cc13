import type { Encoding } from './encoding.ts';

/** The tag of a body as it is sent: two codings of one content are two bodies (RFC 9110 §8.8.3.3). */
export function createTag(digest: string, encoding: Encoding): string {
  return `"${digest}${encoding === 'identity' ? '' : `-${encoding}`}"`;
}

/** The tag of the same content as it is, from that of an encoded body. */
export function toPlainTag(tag: string): string {
  return tag.replace(/-[a-z]+"$/, '"');
}

/** Whether an `If-None-Match` names the tag: `*`, or a list of tags compared weakly (RFC 9110 §13.1.2). */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === tag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag);
}
