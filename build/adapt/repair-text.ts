import { isUtf8 } from 'node:buffer';
import { decodeHTMLStrict } from 'entities';
import { encodeWindows1252 } from '../source/windows-1252.ts';

/**
 * A text of a feed as it was meant: without the marks of UTF-8 that somebody took for windows-1252 (`Â£` for `£`),
 * when the text as a whole is such, and with HTML entities decoded, once.
 */
export function repairText(text: string): string {
  const unmixed = /[\u0080-\uffff]/.test(text) ? undoMojibake(text) : text;
  return unmixed.includes('&') ? decodeHTMLStrict(unmixed) : unmixed;
}

/** What is valid UTF-8 byte for byte was UTF-8: text that is really windows-1252 has no such pairs. */
function undoMojibake(text: string): string {
  const bytes = encodeWindows1252(text);
  return bytes !== undefined && isUtf8(bytes) ? bytes.toString('utf8') : text;
}
