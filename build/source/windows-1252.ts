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
