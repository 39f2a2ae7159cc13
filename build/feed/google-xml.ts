import { sourceMalformed, type SourceError } from '../source/errors.ts';
import type { OpenedFile } from '../source/open-file.ts';
import { NOT_CLOSED, parseXml, type XmlEvent } from '../source/parse-xml.ts';
import { attributeName, type GoogleRecord, type GoogleValue } from './google-item.ts';

const ITEM_NAMES = ['item', 'entry'];

/** The texts and element names of one item: as much as a row of a table may have. */
const MAX_ITEM_CHARACTERS = 1_000_000;

/**
 * Reads the `item`s of RSS and the `entry`s of Atom. Malformed XML within an item excludes that item; outside of an item
 * it rejects the file.
 *
 * @throws {SourceError} when the file is not XML to its end, or holds neither RSS nor Atom.
 */
export async function* readGoogleXml(file: OpenedFile): AsyncGenerator<readonly GoogleRecord[]> {
  const reader = new ItemReader(file);
  for await (const events of parseXml(file, createXmlRepair())) {
    const records = events.flatMap((event) => reader.take(event));
    if (records.length > 0) yield records;
  }
}

const TAG_PATTERN = /<(\/?)((?:[A-Za-z_][\w.-]*:)?[A-Za-z_][\w.-]*)/g;
const BARE_AMPERSAND = /&(?!#?\w{1,40};)/g;
const UNFINISHED_TAG = /(?:<\/?[\w.:-]{0,200}|&#?\w{0,40})$/;
const MAX_UNFINISHED_TAG = 202;

/**
 * Repairs two frequent errors: `<g:brand>` closed with `</brand>`, and an `&` that starts no reference, as in a link.
 * Well-formed XML keeps its meaning.
 */
function createXmlRepair(): (text: string) => string {
  const openPrefixed = new Map<string, string>();
  let pending = '';
  return (chunk) => {
    const text = pending + chunk;
    // A tag may continue in the next chunk.
    const cut = UNFINISHED_TAG.exec(text.slice(-MAX_UNFINISHED_TAG))?.[0] ?? '';
    pending = cut;
    const whole = text.slice(0, text.length - cut.length).replaceAll(BARE_AMPERSAND, '&amp;');
    return whole.replaceAll(TAG_PATTERN, (tag, slash: string, name: string) => {
      const local = name.slice(name.indexOf(':') + 1);
      const isPrefixed = local !== name;
      if (slash === '') {
        if (isPrefixed) openPrefixed.set(local, name);
        else openPrefixed.delete(local);
        return tag;
      }
      const opened = openPrefixed.get(local);
      openPrefixed.delete(local);
      return isPrefixed || opened === undefined ? tag : `</${opened}`;
    });
  };
}

interface OpenElement {
  readonly name: string;
  readonly isPrefixed: boolean;
  readonly href: string | undefined;
  readonly parts: Map<string, string>;
  text: string;
}

interface OpenItem {
  readonly line: number;
  readonly values: Map<string, GoogleValue[]>;
  readonly elements: OpenElement[];
  characters: number;
  error: string | undefined;
}

class ItemReader {
  readonly #file: OpenedFile;
  #item: OpenItem | undefined;
  #hasRoot = false;
  /** Items in which another item started: the parser will report their missing end tags. */
  #unclosedCount = 0;

  constructor(file: OpenedFile) {
    this.#file = file;
  }

  /** The records that end with the event. */
  take(event: XmlEvent): readonly GoogleRecord[] {
    switch (event.kind) {
      case 'open':
        return this.#open(event);
      case 'text':
        this.#addText(event.text);
        return [];
      case 'close':
        return this.#close(event.name);
      case 'error':
        if (event.message === NOT_CLOSED && this.#item === undefined && this.#unclosedCount > 0) {
          this.#unclosedCount--;
          return [];
        }
        if (this.#item === undefined) throw this.#malformed(event.line, 'well-formed XML', event.message);
        this.#item.error ??= `${event.message} in line ${event.line}`;
        return [];
    }
  }

  #open({ name, attributes, line }: Extract<XmlEvent, { kind: 'open' }>): readonly GoogleRecord[] {
    const local = attributeName(name);
    if (!this.#hasRoot) {
      this.#hasRoot = true;
      if (!['rss', 'feed', 'rdf'].includes(local)) {
        throw this.#malformed(line, 'an RSS or Atom feed, <rss> or <feed>', `<${name.slice(0, 80)}>`);
      }
      return [];
    }
    if (ITEM_NAMES.includes(local)) {
      const outer = this.#item;
      this.#item = { line, values: new Map(), elements: [], characters: 0, error: undefined };
      if (outer === undefined) return [];
      this.#unclosedCount++;
      return [endItem({ ...outer, error: outer.error ?? `another <${name}> within it` })];
    }
    this.#count(name.length);
    this.#item?.elements.push({
      name: local,
      isPrefixed: name.includes(':'),
      href: isMainLink(attributes) ? attributes.href : undefined,
      parts: new Map(),
      text: '',
    });
    return [];
  }

  #addText(text: string): void {
    const item = this.#item;
    const element = item?.elements.at(-1);
    if (item === undefined || element === undefined) return;
    this.#count(text.length);
    element.text += text;
  }

  #count(characters: number): void {
    const item = this.#item;
    if (item === undefined) return;
    item.characters += characters;
    if (item.characters > MAX_ITEM_CHARACTERS) {
      throw this.#malformed(item.line, `an item of at most ${MAX_ITEM_CHARACTERS} characters`, 'a longer one');
    }
  }

  #close(name: string): readonly GoogleRecord[] {
    const item = this.#item;
    if (item === undefined) return [];
    const element = item.elements.pop();
    if (element === undefined) {
      // Elements may follow an item that was closed early.
      if (!ITEM_NAMES.includes(attributeName(name))) return [];
      this.#item = undefined;
      return [endItem(item)];
    }
    const outer = item.elements.at(-1);
    if (outer !== undefined) {
      outer.parts.set(element.name, element.text);
    } else {
      const text = element.text.trim() === '' ? (element.href ?? '') : element.text;
      addValue(item.values, element, element.parts.size > 0 ? element.parts : text);
    }
    return [];
  }

  #malformed(line: number, expected: string, found: string): SourceError {
    return sourceMalformed(this.#file, line, `expected ${expected}, got ${found}; have the feed written again`);
  }
}

/** `g:id`, the id of the product, takes precedence over the `id` of Atom, which is a URL. */
function addValue(values: OpenItem['values'], { name, isPrefixed }: OpenElement, value: GoogleValue): void {
  const others = values.get(name);
  if (others === undefined) values.set(name, [value]);
  else if (isPrefixed) others.unshift(value);
  else others.push(value);
}

function isMainLink({ rel = 'alternate' }: Readonly<Record<string, string>>): boolean {
  return rel === 'alternate';
}

function endItem({ line, values, error }: OpenItem): GoogleRecord {
  if (error === undefined) return { kind: 'item', line, values };
  const [id] = values.get('id') ?? [];
  return {
    kind: 'broken',
    line,
    expected: 'a well-formed item',
    found: error,
    id: typeof id === 'string' ? id.trim() : undefined,
  };
}
