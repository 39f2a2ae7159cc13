/** What a JSON text may be made of. */
export interface JsonBounds {
  /** Objects and lists in all: each takes some 60 bytes of memory, and two bytes of a file. */
  readonly containers: number;
  /** Everything that a comma precedes. */
  readonly items: number;
}

/** A text goes beyond its bounds at a byte. */
export interface JsonExcess {
  readonly bound: keyof JsonBounds;
  readonly offset: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;

/**
 * Where a JSON text goes beyond its bounds, if it does: found before `JSON.parse` makes of it many times as much as it
 * is. Of a text that is no JSON it says anything.
 */
export function findJsonExcess(bytes: Uint8Array, bounds: JsonBounds): JsonExcess | undefined {
  let containers = 0;
  let items = 0;
  for (let offset = 0; offset < bytes.length; offset++) {
    const byte = bytes[offset] as number;
    if (byte === QUOTE) {
      offset = endOfString(bytes, offset);
    } else if (byte === COMMA) {
      if (++items > bounds.items) return { bound: 'items', offset };
    } else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      if (++containers > bounds.containers) return { bound: 'containers', offset };
    }
  }
  return undefined;
}

/** The offset of the quote that ends a string; the end of the text when none does. */
function endOfString(bytes: Uint8Array, start: number): number {
  let offset = start + 1;
  while (offset < bytes.length && bytes[offset] !== QUOTE) offset += bytes[offset] === BACKSLASH ? 2 : 1;
  return offset;
}
