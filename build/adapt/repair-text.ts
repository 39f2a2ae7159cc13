import { isUtf8 } from 'node:buffer';
import { decodeHTMLStrict } from 'entities';
import { encodeWindows1252 } from '../source/windows-1252.ts';

const NOT_ASCII = /[\u0080-\uffff]/;

/** A feed may have gone through the same mistake several times. */
const MAX_ROUNDS = 3;

/**
 * What mojibake was before: accented letters, typographic signs, what windows-1252 has beside them, emoji. Bytes that
 * decode to anything else were text as it stands: `CAFÉ®` is not `CAFɮ`.
 */
const MEANT = /^[\0-\u017f\u0192\u02c6\u02dc\u2000-\u2fff\uf000-\uffff\u{10000}-\u{3ffff}]*$/u;

/** Characters that were lost (U+FFFD), and marks of UTF-8 read as windows-1252 in a text that cannot be undone whole. */
const LOST = /\ufffd|\u00c2[\u00a0-\u00bf]|\u00c3[\u00a0-\u00bf]|\u00e2\u20ac/;

/**
 * A text of a feed as it was meant: without the marks of UTF-8 that were read as windows-1252 (`Â£` for `£`), once or
 * several times, when the text as a whole is such, and with HTML entities decoded, once.
 */
export function repairText(text: string): string {
  const unmixed = NOT_ASCII.test(text) ? undoMojibake(text) : text;
  return unmixed.includes('&') ? decodeHTMLStrict(unmixed) : unmixed;
}

/** Whether a text that was repaired still has characters that nobody can read. */
export function hasLostCharacters(text: string): boolean {
  return NOT_ASCII.test(text) && LOST.test(text);
}

/** What is valid UTF-8 byte for byte was UTF-8: text that is really windows-1252 has no such pairs. */
function undoMojibake(text: string): string {
  let undone = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const bytes = encodeWindows1252(undone);
    if (bytes === undefined || !isUtf8(bytes)) break;
    const decoded = bytes.toString('utf8');
    if (!MEANT.test(decoded)) break;
    undone = decoded;
  }
  return undone;
}
