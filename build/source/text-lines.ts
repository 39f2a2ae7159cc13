import { isUtf8 } from 'node:buffer';
import { SourceError, sourceMalformed } from './errors.ts';
import type { OpenedFile } from './open-file.ts';

/** No record of a feed comes near it. Without a limit a file without line breaks would fill the memory. */
const MAX_LINE_BYTES = 8_000_000;

const UTF8_BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const LINE_FEED = 0x0a;
const SNIFFED_BYTES = 1_024;

/** A stray NUL is dropped. This many in a row show that a disk or a transfer lost the text. */
const LOST_BYTES = Buffer.alloc(8);

/**
 * The text of a file as chunks of valid UTF-8, each of whole lines that end in a line feed (the last line may lack
 * it), without byte order mark, NUL and carriage return.
 *
 * The encoding is detected for each line, so that a damaged line does not affect the others. Valid UTF-8 is UTF-8. Any
 * other line is windows-1252, unless it has a valid multi-byte character: in windows-1252 that would be a pair such as
 * `Ã©`, so the line is UTF-8 with damaged bytes, which become U+FFFD.
 *
 * @throws {SourceError} `source-unreadable` for UTF-16, `source-malformed` for a line of more than `maxLineBytes`, and for
 *   a block of NUL in place of text.
 */
export async function* readTextLines(file: OpenedFile, maxLineBytes = MAX_LINE_BYTES): AsyncGenerator<Buffer> {
  let isStart = true;
  let lineCount = 0;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  for await (const chunk of file.chunks) {
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end === 0) {
      pending.push(chunk);
      pendingBytes += chunk.length;
    } else {
      const lines = Buffer.concat([...pending, chunk.subarray(0, end)]);
      yield cleanLines(file, lines, isStart);
      isStart = false;
      lineCount += countSigns(lines, '\n');
      pending = end === chunk.length ? [] : [chunk.subarray(end)];
      pendingBytes = chunk.length - end;
    }
    if (pendingBytes > maxLineBytes) {
      const expected = `a line of at most ${maxLineBytes} bytes`;
      const sentence = `expected ${expected}, got a longer one; check that it is a text file with line breaks`;
      throw sourceMalformed(file, lineCount + 1, sentence);
    }
  }
  if (pendingBytes > 0) yield cleanLines(file, Buffer.concat(pending), isStart);
}

function cleanLines(file: OpenedFile, bytes: Buffer, isStart: boolean): Buffer {
  if (isStart) refuseUtf16(file, bytes);
  if (bytes.includes(LOST_BYTES)) {
    throw sourceMalformed(
      file,
      undefined,
      'expected text, got a block of NUL bytes in its place; fetch the file again',
    );
  }
  const hasMark = isStart && bytes.subarray(0, UTF8_BOM.length).equals(UTF8_BOM);
  return toUtf8(dropControls(hasMark ? bytes.subarray(UTF8_BOM.length) : bytes));
}

/** @throws {SourceError} `source-unreadable` when a file starts as UTF-16 */
export function refuseUtf16(file: OpenedFile, bytes: Buffer): void {
  const hasMark = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  // NUL in one of four bytes means another encoding, or no text.
  const start = bytes.subarray(0, SNIFFED_BYTES);
  if (!hasMark && countSigns(start, '\0') * 4 <= start.length) return;
  const sentence = 'expected text as UTF-8 or windows-1252, got UTF-16 or no text at all; save the file as UTF-8';
  throw new SourceError('source-unreadable', file, 1, sentence);
}

/**
 * Drops NUL, and the carriage return of each line end. Any other carriage return becomes a space, so that line numbers
 * are those of an editor. The bytes of other characters in UTF-8 are never either.
 */
function dropControls(bytes: Buffer): Buffer {
  if (!bytes.includes('\0') && !bytes.includes('\r')) return bytes;
  const text = bytes.toString('latin1').replaceAll('\0', '').replaceAll('\r\n', '\n').replaceAll('\r', ' ');
  return Buffer.from(text, 'latin1');
}

function toUtf8(bytes: Buffer): Buffer {
  if (isUtf8(bytes)) return bytes;
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length;) {
    const lineFeed = bytes.indexOf(LINE_FEED, start);
    const end = lineFeed === -1 ? bytes.length : lineFeed + 1;
    const line = bytes.subarray(start, end);
    lines.push(isUtf8(line) ? line : Buffer.from(decodeDamagedLine(line)));
    start = end;
  }
  return Buffer.concat(lines);
}

function decodeDamagedLine(line: Buffer): string {
  const text = line.toString('utf8');
  return /[\u0080-\ufffc]/.test(text) ? text : decodeWindows1252(line);
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

export function countSigns(text: Buffer | string, sign: string): number {
  let count = 0;
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) count++;
  return count;
}

/** The first item of a sequence, and the whole sequence with that item, to be iterated once. */
export async function peekFirst<Item>(
  items: AsyncIterable<Item>,
): Promise<{ readonly first: Item | undefined; readonly all: AsyncIterable<Item> }> {
  const iterator = items[Symbol.asyncIterator]();
  const first = await iterator.next();
  async function* readAll(): AsyncGenerator<Item> {
    try {
      for (let next = first; next.done !== true; next = await iterator.next()) yield next.value;
    } finally {
      // Closes the file when it is not read to its end.
      await iterator.return?.();
    }
  }
  return { first: first.done === true ? undefined : first.value, all: readAll() };
}
