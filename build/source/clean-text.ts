import { isUtf8 } from 'node:buffer';
import { decodeHTMLStrict } from 'entities';

/** A text of somebody else's feed, repaired and with single spaces; undefined when it is blank or says `null`. */
export function cleanText(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || (trimmed.length === 4 && trimmed.toLowerCase() === 'null')) return undefined;
  return fixMojibake(trimmed).replace(/\s+/g, ' ');
}

const NOT_ASCII = /[\u0080-\uffff]/;

/** A feed may have gone through the same mistake several times. */
const MAX_ROUNDS = 3;

/**
 * What mojibake was before: accented letters, typographic signs, what windows-1252 has beside them, emoji. Bytes that
 * decode to anything else were text as it stands: `CAFÉ®` is not `CAFɮ`.
 */
const PLAUSIBLE_TEXT = /^[\0-\u017f\u0192\u02c6\u02dc\u2000-\u2fff\uf000-\uffff\u{10000}-\u{3ffff}]*$/u;

/** Characters that were lost (U+FFFD), and marks of UTF-8 read as windows-1252 in a text that cannot be undone whole. */
const LOST_CHARACTERS = /\ufffd|\u00c2[\u00a0-\u00bf]|\u00c3[\u00a0-\u00bf]|\u00e2\u20ac/;

/**
 * A text of a feed as it was meant: without the marks of UTF-8 that were read as windows-1252 (`Â£` for `£`), once or
 * several times, when the text as a whole is such, and with HTML entities decoded, once.
 */
export function fixMojibake(text: string): string {
  const unmixed = NOT_ASCII.test(text) ? undoMojibake(text) : text;
  return unmixed.includes('&') ? decodeHTMLStrict(unmixed) : unmixed;
}

/** Whether a text that was repaired still has characters that nobody can read. */
export function hasLostCharacters(text: string): boolean {
  return NOT_ASCII.test(text) && LOST_CHARACTERS.test(text);
}

/** What is valid UTF-8 byte for byte was UTF-8: text that is really windows-1252 has no such pairs. */
function undoMojibake(text: string): string {
  let undone = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const bytes = encodeWindows1252(undone);
    if (bytes === undefined || !isUtf8(bytes)) break;
    const decoded = bytes.toString('utf8');
    if (!PLAUSIBLE_TEXT.test(decoded)) break;
    undone = decoded;
  }
  return undone;
}

/**
 * What windows-1252 has where ISO 8859-1 has control characters, 0x80 to 0x9f; the five bytes that it leaves free
 * stand for themselves. A table of our own, since Node has no encoder, and its decoder took these bytes for ISO
 * 8859-1 in some versions.
 */
const FROM_0X80 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

const BYTE_OF = new Map(Array.from({ length: FROM_0X80.length }, (_, i) => [FROM_0X80.charCodeAt(i), 0x80 + i]));

export function decodeWindows1252(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (control) => FROM_0X80[control.charCodeAt(0) - 0x80] as string);
}

/** The bytes of `text`; undefined when it has a character that windows-1252 lacks. */
export function encodeWindows1252(text: string): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(text.length);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const byte = BYTE_OF.get(unit) ?? unit;
    if (byte > 0xff) return undefined;
    bytes[i] = byte;
  }
  return bytes;
}
