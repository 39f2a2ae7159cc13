import { SaxesParser } from 'saxes';
import { decodeWindows1252 } from './clean-text.ts';
import { createSourceError, sourceMalformed, type SourceError } from './errors.ts';
import type { OpenedFile } from './open-file.ts';

/** An event of an XML file. CDATA is text; comments and processing instructions are skipped. */
export type XmlEvent =
  | {
      readonly kind: 'open';
      /** As it is written, with its prefix. */
      readonly name: string;
      readonly attributes: Readonly<Record<string, string>>;
      /** 1-based. */
      readonly line: number;
    }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'close'; readonly name: string; readonly line: number }
  /** A syntax error from which the parser has recovered. */
  | { readonly kind: 'error'; readonly message: string; readonly line: number };

/** No format comes near these limits; without them a file could fill the memory. */
const MAX_DEPTH = 64;
const MAX_TOKEN_CHARACTERS = 1_000_000;

/** Errors after which the parser's position in the tree is unknown. */
const FATAL_ERRORS =
  /^(?:unmatched closing tag|unclosed tag|unexpected end|document must contain|documents may contain only one root)/;

/** An outer element ends while an inner one is open: both end. */
export const NOT_CLOSED = 'unexpected close tag';

/**
 * The events of an XML file, in batches. Entities other than the five of XML and character references are errors: nothing
 * is expanded or fetched.
 *
 * @throws {SourceError} `source-malformed` when the elements do not nest, the file ends too early, or it is deeper or has
 * a longer text, tag or comment than any feed.
 */
export async function* parseXml(
  file: OpenedFile,
  repair: (text: string) => string = (text) => text,
): AsyncGenerator<readonly XmlEvent[]> {
  const parser = new SaxesParser<{ xmlns: false; position: true }>({ xmlns: false, position: true });
  let events: XmlEvent[] = [];
  let depth = 0;
  let tokenCharacters = 0;
  parser.on('opentag', ({ name, attributes }) => {
    tokenCharacters = 0;
    if (++depth > MAX_DEPTH) throw malformed(file, parser.line, `elements at most ${MAX_DEPTH} deep`, 'deeper ones');
    events.push({ kind: 'open', name, attributes, line: parser.line });
  });
  parser.on('closetag', ({ name }) => {
    tokenCharacters = 0;
    depth--;
    events.push({ kind: 'close', name, line: parser.line });
  });
  parser.on('text', (text) => events.push({ kind: 'text', text }));
  parser.on('cdata', (text) => {
    tokenCharacters = 0;
    events.push({ kind: 'text', text });
  });
  parser.on('error', (error) => {
    const message = error.message.replace(/^[0-9]+:[0-9]+: /, '').replace(/\.$/, '');
    if (FATAL_ERRORS.test(message)) throw malformed(file, parser.line, 'well-formed XML', message);
    const event = { kind: 'error', message, line: parser.line } as const;
    // The parser closes an unclosed element before it reports the error.
    if (message === NOT_CLOSED) events.splice(-1, 0, event);
    else events.push(event);
  });

  for await (const text of readXmlText(file)) {
    tokenCharacters += text.length;
    parser.write(repair(dropNul(text)));
    if (tokenCharacters > MAX_TOKEN_CHARACTERS + text.length) {
      const expected = `texts and tags of at most ${MAX_TOKEN_CHARACTERS} characters`;
      throw malformed(file, parser.line, expected, 'a longer one');
    }
    if (events.length > 0) yield events;
    events = [];
  }
  parser.close();
  if (events.length > 0) yield events;
}

/** Drops NUL here, so that the limit of a text counts it. */
function dropNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}

function malformed(file: OpenedFile, line: number, expected: string, found: string): SourceError {
  return sourceMalformed(file, line, `expected ${expected}, got ${found}; have the feed written again`);
}

/** The encodings of an XML declaration, in lower case. */
const SINGLE_BYTE = ['windows-1252', 'iso-8859-1', 'latin1', 'us-ascii'];
const UTF_8 = ['utf-8', 'utf8'];
const UTF_16 = ['utf-16', 'utf-16le', 'utf-16be'];

const DECLARATION = /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']/;
const SNIFFED_BYTES = 512;

/**
 * The text of an XML file in chunks, decoded by its byte order mark or its declaration, else as UTF-8.
 *
 * @throws {SourceError} `source-unreadable` for an unknown encoding.
 */
async function* readXmlText(file: OpenedFile): AsyncGenerator<string> {
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
  const found = JSON.stringify(encoding);
  const sentence = `expected the encoding UTF-8, UTF-16 or windows-1252, got ${found}; save the file as UTF-8`;
  throw createSourceError('source-unreadable', file, 1, sentence);
}

function findEncoding(start: Buffer): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return 'utf-8';
  const declared = DECLARATION.exec(start.toString('latin1', 0, SNIFFED_BYTES))?.[1]?.toLowerCase();
  // A readable declaration of UTF-16 is wrong: the file is UTF-8.
  return declared === undefined || UTF_16.includes(declared) ? 'utf-8' : declared;
}
