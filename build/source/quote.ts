const MAX_LENGTH = 80;

/** A value from outside as JSON for messages: a text of 80 characters at most, other JSON cut to them. */
export function quote(value: unknown): string {
  return escapeControls(typeof value === 'string' ? JSON.stringify(truncateText(value)) : truncateText(toJson(value)));
}

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Escapes control characters: a text from outside must not change colours or start a line in the terminal. */
export function escapeControls(sentence: string): string {
  return sentence.replaceAll(CONTROL, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** JSON from outside may nest deeper than `JSON.stringify` can write. */
function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'nothing';
  } catch (error) {
    if (error instanceof RangeError) return 'a value nested too deep to be shown';
    throw error;
  }
}

/** A value from outside as `found` of a notice: a text as it is, anything else as JSON, cut to 80 characters. */
export function showFound(value: unknown): string {
  return typeof value === 'string' ? truncateText(value) : quote(value);
}

/** A text from outside, cut so that it fits a report. */
export function truncateText(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}
