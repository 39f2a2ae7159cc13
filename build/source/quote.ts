const MAX_LENGTH = 80;

/** What came from outside, as sentences show it: as JSON, cut to 80 characters. */
export function quote(value: unknown): string {
  // Cut before as well as after: a text of megabytes is not worth escaping, and escapes make a text longer.
  return cut(toJson(typeof value === 'string' ? value.slice(0, MAX_LENGTH + 1) : value));
}

/** JSON nests as deep as somebody likes; what writes it does not. */
function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'nothing';
  } catch (error) {
    if (error instanceof RangeError) return 'a value nested too deep to be shown';
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

function cut(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}
