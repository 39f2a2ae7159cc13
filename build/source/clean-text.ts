import { isUtf8 } from 'node:buffer';
import { decodeHTMLStrict } from 'entities';

/** A text of a foreign feed, repaired and with single spaces; undefined when it is blank or `null`. */
export function cleanText(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || (trimmed.length === 4 && trimmed.toLowerCase() === 'null')) return undefined;
  return fixMojibake(trimmed).replace(/\s+/g, ' ');
}

/** A name of a column or attribute in lower case and with single spaces. */
export function normalizeName(name: string): string {
  return name.trim().replace(/\s+/g, ' ').toLowerCase();
}

const NOT_ASCII = /[\u0080-\uffff]/;

/** A text may have been decoded wrongly several times. */
const MAX_ROUNDS = 3;

/**
 * Text that mojibake may decode to: accented letters, typographic signs, other characters of windows-1252, emoji. A text
 * that decodes to anything else is not mojibake: `CAFÉ®` is not `CAFɮ`.
 */
const PLAUSIBLE_TEXT = /^[\0-\u017f\u0192\u02c6\u02dc\u2000-\u2fff\uf000-\uffff\u{10000}-\u{3ffff}]*$/u;

/** Lost characters (U+FFFD), and remains of UTF-8 read as windows-1252 in a text that cannot be repaired. */
const LOST_CHARACTERS = /\ufffd|\u00c2[\u00a0-\u00bf]|\u00c3[\u00a0-\u00bf]|\u00e2\u20ac/;

/**
 * Repairs a text of a feed: undoes UTF-8 read as windows-1252 (`Â£` for `£`), once or several times, if the whole text
 * decodes, and decodes HTML entities once.
 */
export function fixMojibake(text: string): string {
  const unmixed = NOT_ASCII.test(text) ? undoMojibake(text) : text;
  return unmixed.includes('&') ? decodeHTMLStrict(unmixed) : unmixed;
}

/** Whether a repaired text still has lost characters. */
export function hasLostCharacters(text: string | undefined): boolean {
  return text !== undefined && NOT_ASCII.test(text) && LOST_CHARACTERS.test(text);
}

/** Bytes that are valid UTF-8 were UTF-8: real windows-1252 text has no such pairs. */
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
 * The characters of windows-1252 at 0x80 to 0x9f, where ISO 8859-1 has control characters; the five unused bytes map to
 * themselves. Node has no encoder, and its decoder read these bytes as ISO 8859-1 in some versions.
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
