import type { OpenedFile } from './open-file.ts';
import { SourceError } from './source-error.ts';
import { decodeWindows1252 } from './windows-1252.ts';

/** What the declaration of an XML file may call its encoding, in lower case. */
const SINGLE_BYTE = ['windows-1252', 'iso-8859-1', 'latin1', 'us-ascii'];
const UTF_8 = ['utf-8', 'utf8'];
const UTF_16 = ['utf-16', 'utf-16le', 'utf-16be'];

const DECLARATION = /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']/;
const SNIFFED_BYTES = 512;

/**
 * The text of an XML file in pieces, which may end anywhere: decoded as its byte order mark or its declaration says, else
 * as UTF-8. Lines may be of any length, and NULs are still there.
 *
 * @throws {SourceError} `source-unreadable` for an encoding that is not known.
 */
export async function* readXmlText(file: OpenedFile): AsyncGenerator<string> {
  let decode: ((bytes: Buffer, isEnd: boolean) => string) | undefined;
  let start: Buffer = Buffer.alloc(0);
  for await (const chunk of file.chunks) {
    if (decode === undefined) {
      start = Buffer.concat([start, chunk]);
      if (start.length < SNIFFED_BYTES) continue;
      decode = createDecoder(file, start);
      yield decode(start, false);
    } else {
      yield decode(chunk, false);
    }
  }
  decode ??= createDecoder(file, start);
  const isShort = start.length < SNIFFED_BYTES;
  yield decode(isShort ? start : Buffer.alloc(0), true);
}

function createDecoder(file: OpenedFile, start: Buffer): (bytes: Buffer, isEnd: boolean) => string {
  const encoding = findEncoding(start);
  if (SINGLE_BYTE.includes(encoding)) return (bytes) => decodeWindows1252(bytes);
  if (UTF_8.includes(encoding) || UTF_16.includes(encoding)) {
    const decoder = new TextDecoder(encoding);
    return (bytes, isEnd) => decoder.decode(bytes, { stream: !isEnd });
  }
  throw new SourceError({
    code: 'source-unreadable',
    source: file.source,
    file: file.path,
    line: 1,
    message: `${file.path}:1: expected the encoding UTF-8, UTF-16 or windows-1252, got ${JSON.stringify(encoding)}; save the file as UTF-8`,
  });
}

function findEncoding(start: Buffer): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return 'utf-8';
  const declared = DECLARATION.exec(start.toString('latin1', 0, SNIFFED_BYTES))?.[1]?.toLowerCase();
  // Whoever declares UTF-16 in single bytes has written UTF-8.
  return declared === undefined || UTF_16.includes(declared) ? 'utf-8' : declared;
}
