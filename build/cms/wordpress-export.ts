import { sourceMalformed } from '../source/errors.ts';
import type { OpenedFile } from '../source/open-file.ts';
import { readXmlItems, type XmlElement } from '../source/parse-xml.ts';
import type { SourceLocation } from '../source/record.ts';

interface PostTerm {
  readonly taxonomy: string;
  readonly slug: string;
  readonly name: string;
}

/** A post or a term of the export, or the title of the site. Of a repeated field the first text counts. */
export interface WordpressItem {
  readonly kind: 'post' | 'term' | 'site';
  /** The type of a post, the taxonomy of a term. */
  readonly type: string;
  /** `post_id`, `post_name`, `title`, `content`, `excerpt` */
  readonly fields: ReadonlyMap<string, string>;
  readonly meta: ReadonlyMap<string, readonly string[]>;
  readonly terms: readonly PostTerm[];
  readonly origin: SourceLocation;
  readonly error: string | undefined;
}

/** The elements of the channel that are terms, with the taxonomy where the element implies it. */
const TERM_ELEMENTS: Readonly<Record<string, string>> = { term: '', category: 'category', tag: 'post_tag' };

const META_ELEMENTS = ['postmeta', 'termmeta'];

/** No post comes near it. */
const MAX_ITEM_CHARACTERS = 4_000_000;

/** The depth of posts, terms and the title of the site: `rss`, `channel`, `item`. */
const ITEM_DEPTH = 3;

/**
 * Reads a WordPress export (WXR) item by item. Malformed XML within an item excludes that item.
 *
 * @throws {SourceError} `source-malformed` when the file is not XML to its end, or not an export of WordPress.
 */
export async function* readWordpressExport(file: OpenedFile): AsyncGenerator<WordpressItem> {
  const remedy = 'export the site again';
  let hasWordpress = false;
  const format = {
    expectedRoot: 'an export of WordPress (WXR), <rss>',
    isRoot: (element: XmlElement) => element.local === 'rss' && spaceOf(element) === 'rss',
    isItem: (_: XmlElement, depth: number) => depth === ITEM_DEPTH,
    maxItemCharacters: MAX_ITEM_CHARACTERS,
    remedy,
  };
  for await (const items of readXmlItems(file, format)) {
    for (const { element, line, error } of items) {
      const space = spaceOf(element);
      hasWordpress ||= space === 'wp' || element.children.some((child) => spaceOf(child) === 'wp');
      const origin = { source: file.source, file: file.path, line };
      if (space === 'wp' && Object.hasOwn(TERM_ELEMENTS, element.local)) {
        yield readItem('term', element, origin, error);
      } else if (space === 'rss' && element.local === 'item') {
        yield readItem('post', element, origin, error);
      } else if (error !== undefined) {
        throw sourceMalformed(file, line, `expected well-formed XML, got ${error}; ${remedy}`);
      } else if (space === 'rss' && element.local === 'title') {
        const fields = new Map([['title', element.text.trim()]]);
        yield { kind: 'site', type: '', fields, meta: new Map(), terms: [], origin, error };
      }
    }
  }
  if (hasWordpress) return;
  throw sourceMalformed(file, 1, `expected an export of WordPress (WXR), got another RSS feed; ${remedy}`);
}

function readItem(
  kind: WordpressItem['kind'],
  element: XmlElement,
  origin: SourceLocation,
  error: string | undefined,
): WordpressItem {
  const fields = new Map<string, string>();
  const meta = new Map<string, string[]>();
  const terms: PostTerm[] = [];
  for (const child of element.children) {
    const { local, attributes } = child;
    const space = spaceOf(child);
    const text = child.text.trim();
    if (space === 'rss' && local === 'category' && kind === 'post') {
      terms.push({ taxonomy: attributes.get('domain') ?? '', slug: attributes.get('nicename') ?? '', name: text });
    } else if (space === 'wp' && META_ELEMENTS.includes(local)) {
      addMeta(meta, child);
    } else {
      const name = fieldOf(space, local);
      if (name !== undefined && !fields.has(name)) fields.set(name, text);
    }
  }
  const taxonomy = TERM_ELEMENTS[element.local] || fields.get('term_taxonomy');
  const type = kind === 'post' ? fields.get('post_type') : taxonomy;
  return { kind, type: type ?? '', fields, meta, terms, origin, error };
}

/** The name of a field; undefined for an element that is none. */
function fieldOf(space: WordpressNamespace, local: string): string | undefined {
  if (space === 'wp' || (space === 'rss' && (local === 'title' || local === 'link'))) return local;
  return (space === 'excerpt' || space === 'content') && local === 'encoded' ? space : undefined;
}

function addMeta(meta: Map<string, string[]>, { children }: XmlElement): void {
  const textsOf = (local: string): readonly string[] =>
    children.filter((child) => child.local === local && spaceOf(child) === 'wp').map(({ text }) => text.trim());
  const [key] = textsOf('meta_key');
  if (key !== undefined) meta.set(key, [...(meta.get(key) ?? []), ...textsOf('meta_value')]);
}

type WordpressNamespace = 'rss' | 'wp' | 'excerpt' | 'content' | 'other';

const WP = /^https?:\/\/wordpress\.org\/export\/[0-9.]{1,10}\/(excerpt\/)?$/;
const CONTENT = /^https?:\/\/purl\.org\/rss\/1\.0\/modules\/content\/$/;

/** The namespace of an element. An export may choose other prefixes. */
function spaceOf({ name, uri }: XmlElement): WordpressNamespace {
  if (uri === '') return name.includes(':') ? 'other' : 'rss';
  const match = WP.exec(uri);
  if (match !== null) return match[1] === undefined ? 'wp' : 'excerpt';
  return CONTENT.test(uri) ? 'content' : 'other';
}
