import { sourceMalformed, type SourceError } from '../../source/errors.ts';
import type { OpenedFile } from '../../source/open-file.ts';
import { parseXml, type XmlEvent } from '../../source/parse-xml.ts';
import { quote } from '../../source/quote.ts';
import type { SourceLocation } from '../../source/record.ts';

interface PostTerm {
  readonly taxonomy: string;
  readonly slug: string;
  readonly name: string;
}

/** A post or a term of the export. Of a repeated field the first text counts. */
export interface WordpressItem {
  readonly kind: 'post' | 'term';
  /** The type of a post, the taxonomy of a term. */
  readonly type: string;
  /** `post_id`, `post_name`, `title`, `content`, `excerpt` */
  readonly fields: ReadonlyMap<string, string>;
  readonly meta: ReadonlyMap<string, readonly string[]>;
  readonly terms: readonly PostTerm[];
  readonly origin: SourceLocation;
  readonly error: string | undefined;
}

/** The fields that are read, by namespace. The fields of a term have names that depend on its taxonomy. */
const FIELD_ELEMENTS: Readonly<Record<WordpressNamespace, readonly string[]>> = {
  rss: ['title', 'link'],
  wp: [
    'post_id',
    'post_type',
    'post_name',
    'post_password',
    'post_date_gmt',
    'post_modified_gmt',
    'status',
    'attachment_url',
    'term_id',
    'term_taxonomy',
    'term_slug',
    'category_nicename',
    'tag_slug',
    'term_name',
    'cat_name',
    'tag_name',
    'term_description',
    'category_description',
    'tag_description',
  ],
  excerpt: ['encoded'],
  content: ['encoded'],
  other: [],
};

/** The elements of the channel that are terms, with the taxonomy where the element implies it. */
const TERM_ELEMENTS: Readonly<Record<string, string>> = { term: '', category: 'category', tag: 'post_tag' };

const META_ELEMENTS = ['postmeta', 'termmeta'];

/** The texts and element names of one item. No post comes near it; without a limit an item could fill the memory. */
const MAX_ITEM_CHARACTERS = 4_000_000;

interface ItemInProgress {
  readonly kind: 'post' | 'term';
  readonly taxonomy: string;
  readonly line: number;
  readonly depth: number;
  readonly fields: Map<string, string>;
  readonly meta: Map<string, string[]>;
  readonly terms: PostTerm[];
  metaKey: string | undefined;
  error: string | undefined;
}

/** Gets the contents of an export while it is read. */
export interface WordpressVisitor {
  item(item: WordpressItem): void;
  siteName(name: string): void;
}

/**
 * Reads a WordPress export (WXR) item by item. Malformed XML within an item excludes that item.
 *
 * @throws {SourceError} `source-malformed` when the file is not XML to its end, or not an export of WordPress.
 */
export async function readWordpressExport(file: OpenedFile, visitor: WordpressVisitor): Promise<void> {
  const reader = new ExportReader(file, visitor);
  for await (const events of parseXml(file)) {
    for (const event of events) reader.take(event);
  }
  reader.end();
}

interface OpenElement {
  readonly space: WordpressNamespace;
  readonly local: string;
  readonly attributes: Readonly<Record<string, string>>;
}

class ExportReader {
  readonly #file: OpenedFile;
  readonly #visitor: WordpressVisitor;
  readonly #scopes = new NamespaceScopes();
  readonly #elements: OpenElement[] = [];
  #item: ItemInProgress | undefined;
  #text = '';
  /** The characters of the current item, or of the current element outside of items. */
  #characters = 0;
  #hasWordpress = false;

  constructor(file: OpenedFile, visitor: WordpressVisitor) {
    this.#file = file;
    this.#visitor = visitor;
  }

  take(event: XmlEvent): void {
    switch (event.kind) {
      case 'open':
        this.#open(event);
        return;
      case 'text':
        this.#count(event.text.length);
        this.#text += event.text;
        return;
      case 'close':
        this.#close();
        return;
      case 'error':
        if (this.#item === undefined) throw this.#malformed(event.line, 'well-formed XML', event.message);
        this.#item.error ??= `${event.message} in line ${event.line}`;
    }
  }

  #count(characters: number): void {
    this.#characters += characters;
    if (this.#characters <= MAX_ITEM_CHARACTERS) return;
    const line = this.#item?.line ?? 1;
    throw this.#malformed(line, `an item or a text of at most ${MAX_ITEM_CHARACTERS} characters`, 'a longer one');
  }

  end(): void {
    if (!this.#hasWordpress) throw this.#malformed(1, 'an export of WordPress (WXR)', 'another RSS feed');
  }

  #open({ name, attributes, line }: Extract<XmlEvent, { kind: 'open' }>): void {
    const { space, local } = this.#scopes.open(name, attributes);
    if (this.#elements.length === 0 && (space !== 'rss' || local !== 'rss')) {
      throw this.#malformed(line, 'an export of WordPress (WXR), <rss>', quote(`<${name}>`));
    }
    this.#elements.push({ space, local, attributes });
    this.#hasWordpress ||= space === 'wp';
    this.#text = '';
    if (this.#item === undefined) this.#characters = 0;
    this.#count(name.length);
    if (this.#elements.length !== 3) return;
    const isTerm = space === 'wp' && Object.hasOwn(TERM_ELEMENTS, local);
    if (!isTerm && (space !== 'rss' || local !== 'item')) return;
    this.#item = {
      kind: isTerm ? 'term' : 'post',
      taxonomy: isTerm ? (TERM_ELEMENTS[local] ?? '') : '',
      line,
      depth: this.#elements.length,
      fields: new Map(),
      meta: new Map(),
      terms: [],
      metaKey: undefined,
      error: undefined,
    };
  }

  #close(): void {
    const text = this.#text.trim();
    const element = this.#elements.pop();
    this.#scopes.close();
    this.#text = '';
    const item = this.#item;
    if (element === undefined) return;
    if (item === undefined) {
      const isTitle = this.#elements.length === 2 && element.space === 'rss' && element.local === 'title';
      if (isTitle) this.#visitor.siteName(text);
      return;
    }
    // The depth of the element within the item: 0 is the item itself.
    const depth = this.#elements.length + 1 - item.depth;
    if (depth === 0) this.#endItem(item);
    else if (depth === 1) addField(item, element, text);
    else if (depth === 2) addMeta(item, this.#elements.at(-1), element, text);
  }

  #endItem(item: ItemInProgress): void {
    this.#item = undefined;
    const { kind, taxonomy, line, fields, meta, terms, error } = item;
    const type = kind === 'post' ? fields.get('post_type') : taxonomy || fields.get('term_taxonomy');
    this.#visitor.item({
      kind,
      type: type ?? '',
      fields,
      meta,
      terms,
      origin: { source: this.#file.source, file: this.#file.path, line },
      error,
    });
  }

  #malformed(line: number, expected: string, found: string): SourceError {
    return sourceMalformed(this.#file, line, `expected ${expected}, got ${found}; export the site again`);
  }
}

function addField(item: ItemInProgress, { space, local, attributes }: OpenElement, text: string): void {
  if (space === 'rss' && local === 'category' && item.kind === 'post') {
    const { domain = '', nicename = '' } = attributes;
    item.terms.push({ taxonomy: domain, slug: nicename, name: text });
    return;
  }
  if (space === 'wp' && META_ELEMENTS.includes(local)) item.metaKey = undefined;
  if (!FIELD_ELEMENTS[space].includes(local)) return;
  const name = local === 'encoded' ? space : local;
  if (!item.fields.has(name)) item.fields.set(name, text);
}

function addMeta(
  item: ItemInProgress,
  outer: OpenElement | undefined,
  { space, local }: OpenElement,
  text: string,
): void {
  if (outer?.space !== 'wp' || !META_ELEMENTS.includes(outer.local) || space !== 'wp') return;
  if (local === 'meta_key') item.metaKey = text;
  if (local !== 'meta_value' || item.metaKey === undefined) return;
  const values = item.meta.get(item.metaKey);
  if (values === undefined) item.meta.set(item.metaKey, [text]);
  else values.push(text);
}

type WordpressNamespace = 'rss' | 'wp' | 'excerpt' | 'content' | 'other';

const WP = /^https?:\/\/wordpress\.org\/export\/[0-9.]{1,10}\/(excerpt\/)?$/;
const CONTENT = /^https?:\/\/purl\.org\/rss\/1\.0\/modules\/content\/$/;

/** The namespaces of the open elements. An export may choose other prefixes for them. */
class NamespaceScopes {
  /** The namespace of each prefix, for every open element. */
  readonly #scopes: ReadonlyMap<string, string>[] = [new Map()];

  /** Opens an element, and returns the namespace and the local part of its name. */
  open(name: string, attributes: Readonly<Record<string, string>>): { space: WordpressNamespace; local: string } {
    this.#scopes.push(this.#scopeOf(attributes));
    const colon = name.indexOf(':');
    const uri = this.#scopes.at(-1)?.get(name.slice(0, Math.max(colon, 0))) ?? '';
    return { space: colon === -1 && uri === '' ? 'rss' : spaceOf(uri), local: name.slice(colon + 1) };
  }

  close(): void {
    this.#scopes.pop();
  }

  #scopeOf(attributes: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
    const outer = this.#scopes.at(-1) ?? new Map<string, string>();
    const declared = Object.entries(attributes).filter(([key]) => key === 'xmlns' || key.startsWith('xmlns:'));
    if (declared.length === 0) return outer;
    return new Map([...outer, ...declared.map(([key, uri]) => [key.slice('xmlns:'.length), uri] as const)]);
  }
}

function spaceOf(uri: string): WordpressNamespace {
  const match = WP.exec(uri);
  if (match !== null) return match[1] === undefined ? 'wp' : 'excerpt';
  return CONTENT.test(uri) ? 'content' : 'other';
}
