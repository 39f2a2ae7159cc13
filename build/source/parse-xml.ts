import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { SourceError, sourceMalformed } from './errors.ts';
import type { OpenedFile } from './open-file.ts';
import { quote } from './quote.ts';
import { decodeWindows1252, refuseUtf16 } from './text-lines.ts';

/** An element with everything in it. CDATA is text; comments and processing instructions are skipped. */
export interface XmlElement {
  /** As it is written, with its prefix. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Its own text, without that of its children. */
  text: string;
  readonly children: XmlElement[];
}

export interface XmlItem {
  readonly element: XmlElement;
  /** 1-based. */
  readonly line: number;
  /** Why the item is not well-formed. */
  error: string | undefined;
  characters: number;
}

/** A format whose files are lists of items. */
export interface XmlFormat {
  /** `an RSS or Atom feed, <rss> or <feed>` */
  readonly expectedRoot: string;
  isRoot(element: XmlElement): boolean;
  /** @param depth that of the root is 1 */
  isItem(element: XmlElement, depth: number): boolean;
  /** Corrects frequent errors in a piece of the file. */
  readonly repair?: (text: string) => string;
}

/** No format comes near these limits; without them a file could fill the memory. */
const MAX_DEPTH = 64;
const MAX_TOKEN_CHARACTERS = 1_000_000;
const MAX_ITEM_CHARACTERS = 4_000_000;

/** An empty element takes memory, too. */
const ELEMENT_CHARACTERS = 16;

/** Errors after which the parser's position in the tree is unknown. */
const FATAL_ERRORS =
  /^(?:unmatched closing tag|unclosed tag|unexpected end|document must contain|documents may contain only one root)/;

/** An outer element ends while an inner one is open. The parser closes the inner one before it reports the error. */
const NOT_CLOSED = 'unexpected close tag';

/** An element on the way to the current one, with the innermost item around it, which may be the element itself. */
interface Place {
  readonly element: XmlElement;
  readonly item: XmlItem | undefined;
}

/**
 * The items of an XML file, in batches. Malformed XML within an item is an error of that item; outside of items it
 * rejects the file. Entities other than the five of XML and character references are errors: nothing is expanded or
 * fetched.
 *
 * @throws {SourceError} `source-malformed` when the root is another one, the file is not XML to its end, or it is deeper or
 * has a longer item, text, tag or comment than any feed.
 */
export async function* readXmlItems(file: OpenedFile, format: XmlFormat): AsyncGenerator<readonly XmlItem[]> {
  const parser = new SaxesParser<{ xmlns: false; position: true }>({ xmlns: false, position: true });
  const places: Place[] = [];
  const state: { lastClosed?: Place | undefined; errorOutside?: SourceError } = {};
  let items: XmlItem[] = [];
  let tokenCharacters = 0;
  parser.on('opentag', open);
  parser.on('closetag', close);
  parser.on('text', addText);
  parser.on('cdata', (text) => {
    tokenCharacters = 0;
    addText(text);
  });
  parser.on('error', ({ message }) => report(message.replace(/^[0-9]+:[0-9]+: /, '').replace(/\.$/, '')));

  for await (const text of readXmlText(file)) {
    tokenCharacters += text.length;
    // NUL is dropped here, so that the limit of a text counts it.
    const whole = text.includes('\0') ? text.replaceAll('\0', '') : text;
    parser.write(format.repair?.(whole) ?? whole);
    if (tokenCharacters > MAX_TOKEN_CHARACTERS + text.length) {
      throw malformed(`texts and tags of at most ${MAX_TOKEN_CHARACTERS} characters`, 'a longer one');
    }
    const ended = takeItems();
    if (ended.length > 0) yield ended;
  }
  parser.close();
  yield takeItems();

  function takeItems(): readonly XmlItem[] {
    // Not thrown at once: a fatal error that follows says more.
    if (state.errorOutside !== undefined) throw state.errorOutside;
    const taken = items;
    items = [];
    return taken;
  }

  function open({ name, attributes }: SaxesTagPlain): void {
    tokenCharacters = 0;
    const depth = places.length + 1;
    if (depth > MAX_DEPTH) throw malformed(`elements at most ${MAX_DEPTH} deep`, 'deeper ones');
    const pairs = Object.entries(attributes);
    const element: XmlElement = { name, attributes: new Map(pairs), text: '', children: [] };
    if (depth === 1 && !format.isRoot(element)) throw malformed(format.expectedRoot, quote(`<${name}>`));
    const outer = places.at(-1);
    let item = outer?.item;
    if (depth > 1 && format.isItem(element, depth)) {
      if (item !== undefined) item.error ??= `another <${name}> within it`;
      item = { element, line: parser.line, error: undefined, characters: 0 };
    } else if (item !== undefined) {
      outer?.element.children.push(element);
    }
    places.push({ element, item });
    const inAttributes = pairs.reduce((sum, [key, value]) => sum + key.length + value.length, 0);
    count(item, name.length + ELEMENT_CHARACTERS + inAttributes);
  }

  function addText(text: string): void {
    const { element, item } = places.at(-1) ?? {};
    if (element === undefined || item === undefined) return;
    count(item, text.length);
    element.text += text;
  }

  function count(item: XmlItem | undefined, characters: number): void {
    if (item === undefined) return;
    item.characters += characters;
    if (item.characters <= MAX_ITEM_CHARACTERS) return;
    throw malformed(`an item of at most ${MAX_ITEM_CHARACTERS} characters`, 'a longer one', item.line);
  }

  function close(): void {
    tokenCharacters = 0;
    const place = places.pop();
    state.lastClosed = place;
    if (place?.item !== undefined && place.item.element === place.element) items.push(place.item);
  }

  function report(error: string): void {
    const place = error === NOT_CLOSED ? state.lastClosed : places.at(-1);
    if (place?.item !== undefined) place.item.error ??= `${error} in line ${parser.line}`;
    else state.errorOutside ??= malformed('well-formed XML', error);
    if (FATAL_ERRORS.test(error)) throw malformed('well-formed XML', error);
  }

  function malformed(expected: string, found: string, line = parser.line): SourceError {
    return sourceMalformed(file, line, `expected ${expected}, got ${found}; have the file written again`);
  }
}

/** The encodings of an XML declaration that are read as windows-1252. */
const SINGLE_BYTE = /^(?:windows-1252|iso-8859-1|latin1|us-ascii)$/;

const DECLARATION = /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']/;
const SNIFFED_BYTES = 512;

/**
 * The text of an XML file in chunks, decoded by its declaration. Without one, and after a byte order mark, it is UTF-8.
 *
 * @throws {SourceError} `source-unreadable` for UTF-16 and for an unknown encoding.
 */
async function* readXmlText(file: OpenedFile): AsyncGenerator<string> {
  let decode: ((bytes: Buffer, isEnd: boolean) => string) | undefined;
  for await (const chunk of file.chunks) {
    decode ??= createDecoder(file, chunk);
    yield decode(chunk, false);
  }
  if (decode !== undefined) yield decode(Buffer.alloc(0), true);
}

function createDecoder(file: OpenedFile, start: Buffer): (bytes: Buffer, isEnd: boolean) => string {
  refuseUtf16(file, start);
  const encoding = findEncoding(start);
  if (SINGLE_BYTE.test(encoding)) return decodeWindows1252;
  try {
    const decoder = new TextDecoder(encoding);
    return (bytes, isEnd) => decoder.decode(bytes, { stream: !isEnd });
  } catch (cause) {
    const sentence = `expected an encoding such as UTF-8, got ${quote(encoding)}; save the file as UTF-8`;
    throw new SourceError('source-unreadable', file, 1, sentence, cause);
  }
}

function findEncoding(start: Buffer): string {
  const declared = DECLARATION.exec(start.toString('latin1', 0, SNIFFED_BYTES))?.[1]?.toLowerCase() ?? 'utf-8';
  // A declaration of UTF-16 that can be read is wrong: the file is UTF-8.
  return declared.startsWith('utf-16') ? 'utf-8' : declared;
}
