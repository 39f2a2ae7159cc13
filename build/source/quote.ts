const MAX_LENGTH = 80;

/** In the place of what cannot be written as JSON. */
export const TOO_DEEP = 'a value nested too deep to be shown';

/** What came from outside, as sentences show it: as JSON, cut to 80 characters. */
export function quote(value: unknown): string {
  // Cut before as well as after: a text of megabytes is not worth escaping, and escapes make a text longer.
  return escapeControls(cut(toJson(typeof value === 'string' ? value.slice(0, MAX_LENGTH + 1) : value)));
}

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** A sentence that does nothing to the terminal it is shown on, whatever came from outside: no colours, no other line. */
export function escapeControls(sentence: string): string {
  return sentence.replaceAll(CONTROL, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** JSON nests as deep as somebody likes; what writes it does not. */
function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'nothing';
  } catch (error) {
    if (error instanceof RangeError) return TOO_DEEP;
    throw error;
  }
}

/**
 * What came from outside, as `found` of a notice shows it: a text as it is, anything else as JSON, cut to 80
 * characters.
 */
export function showFound(value: unknown): string {
  return typeof value === 'string' ? cut(value) : quote(value);
}

/** A word as a shell reads it back. */
export function quoteForShell(word: string): string {
  return /^[\w%+,./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function cut(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}
