import { htmlToText, looksLikeHtml } from '../source/plain-text.ts';
import { noticeAt } from '../source/notice-at.ts';
import { compileMapping, WORDPRESS_CONVENTION } from './mapping.ts';
import type { WordpressSettings } from './settings.ts';
import { BrokenReference, CmsEntry, type CmsImage } from './value.ts';
import { findImageByUrl } from './convert-value.ts';
import { fillPlaceholders } from '../feed/placeholders.ts';
import type { CmsAdapter } from './adapter.ts';
import { EntryMapper, type EntryState } from './map-entries.ts';
import { readWordpressExport, type WordpressItem } from './wordpress-export.ts';

/**
 * The adapter of WordPress exports (WXR). All files of a source are parts of one site, since WordPress splits a large
 * export and a post and its picture may come in different parts.
 */
export function createWordpressAdapter(settings: WordpressSettings): CmsAdapter {
  const mapping = compileMapping(settings.mapping, WORDPRESS_CONVENTION);
  const mappedTypes = new Set(mapping.lists.map(({ type }) => type));
  return async ({ source, files, open }, collector) => {
    const site = new WordpressSite();
    for (const file of files) {
      for await (const item of readWordpressExport(open(file))) site.add(item, mappedTypes.has(item.type));
    }
    const path = files.length === 1 ? files[0]?.path : undefined;
    const mapper = new EntryMapper(mapping, collector, site.findImage);
    site.mapTo(mapper);
    mapper.finish(source, path);
  };
}

/** A list or an object as PHP serialises it. */
const PHP_SERIALISED =
  /^(?:a:[0-9]+:\{.*\}|O:[0-9]+:".*\}|C:[0-9]+:".*\}|s:[0-9]+:".*";|b:[01];|i:-?[0-9]+;|d:[0-9.eE+-]+;|N;)$/s;

/** The keys of the SEO plugins whose texts have variables. */
const SEO_TEMPLATE_KEY =
  /^(?:_yoast_wpseo_(?:title|metadesc)|rank_math_(?:title|description)|_seopress_titles_(?:title|desc))$/;

/** A site: its items, pictures by id, posts by term. */
class WordpressSite {
  #name = '';
  readonly #items: WordpressItem[] = [];
  readonly #attachments = new Map<string, string>();
  readonly #postsOfTerm = new Map<string, WordpressItem[]>();

  add(item: WordpressItem, isMapped: boolean): void {
    const { kind, type, fields, terms } = item;
    if (kind === 'site') {
      // Every part of an export says the name.
      if (this.#name === '') this.#name = htmlToText(fields.get('title') ?? '');
      return;
    }
    if (isMapped) this.#items.push(item);
    // Posts of unmapped types are only counted.
    else if (kind === 'post' && type !== 'attachment')
      this.#items.push({ ...item, fields: new Map(), meta: new Map() });
    if (type === 'attachment') {
      const id = fields.get('post_id');
      const url = fields.get('attachment_url');
      if (id !== undefined && url !== undefined) this.#attachments.set(id, url);
    } else if (isMapped && fields.get('status') === 'publish') {
      for (const { taxonomy, slug } of terms) {
        const key = termKey(taxonomy, slug);
        const posts = this.#postsOfTerm.get(key) ?? [];
        posts.push(item);
        this.#postsOfTerm.set(key, posts);
      }
    }
  }

  mapTo(mapper: EntryMapper): void {
    for (const item of this.#items) {
      const { type, origin, error } = item;
      if (error !== undefined) {
        const facts = { expected: 'a well-formed item', found: error.slice(0, 80) };
        mapper.exclude(type || undefined, noticeAt(origin, { code: 'malformed-record', ...facts }));
      } else if (type !== '') {
        // An item without a post type belongs to an unknown namespace.
        mapper.add(this.#open(item), origin, { unpublished: unpublishedReason(item) });
      }
    }
  }

  /** Finds a picture by the id of its attachment, or by its URL. */
  readonly findImage = (text: string): CmsImage | undefined => {
    return findImageByUrl(/^[0-9]{1,20}$/.test(text) ? (this.#attachments.get(text) ?? '') : text);
  };

  #open(item: WordpressItem): CmsEntry {
    const { kind, type, fields, meta } = item;
    return new CmsEntry(type, (key) => {
      switch (key) {
        case 'meta':
          return new CmsEntry('meta', (name) => this.#readMeta(item, name));
        case 'terms':
          return new CmsEntry('terms', (taxonomy) => listTerms(item, taxonomy));
        case 'posts':
          return kind === 'term'
            ? this.#postsOfTerm.get(termKey(type, textOf(item, 'slug')))?.map((post) => this.#open(post))
            : undefined;
        case 'thumbnail': {
          const id = meta.get('_thumbnail_id')?.find((value) => value !== '' && value !== '0');
          return id === undefined ? undefined : (this.findImage(id) ?? new BrokenReference(`attachment ${id}`));
        }
        case 'modified':
          return toInstant(fields.get('post_modified_gmt')) ?? toInstant(fields.get('post_date_gmt'));
        default:
          return textOf(item, key);
      }
    });
  }

  #readMeta(item: WordpressItem, key: string): unknown {
    const texts = readTexts(item.meta.get(key));
    if (typeof texts !== 'string' || !SEO_TEMPLATE_KEY.test(key)) return texts;
    return fillSeoTemplate(texts, textOf(item, 'title'), textOf(item, 'excerpt'), this.#name);
  }
}

/** Where the texts of a post or a term are: the first element that is there counts. */
const TEXT_ELEMENTS: Readonly<Record<string, readonly string[]>> = {
  id: ['post_id', 'term_id'],
  slug: ['post_name', 'term_slug', 'category_nicename', 'tag_slug'],
  title: ['title', 'term_name', 'cat_name', 'tag_name'],
  content: ['content', 'term_description', 'category_description', 'tag_description'],
  excerpt: ['excerpt'],
  link: ['link'],
};

const HTML_TEXTS: readonly string[] = ['title', 'content', 'excerpt'];

/** A text of a post or a term, as plain text; empty when it has none. */
function textOf({ fields }: WordpressItem, key: string): string {
  const elements = Object.hasOwn(TEXT_ELEMENTS, key) ? (TEXT_ELEMENTS[key] ?? []) : [];
  const text = elements.map((name) => fields.get(name)).find((found) => found !== undefined) ?? '';
  return HTML_TEXTS.includes(key) ? htmlToText(text) : text;
}

/** A term has no status. */
function unpublishedReason({ kind, fields }: WordpressItem): EntryState['unpublished'] {
  if (kind === 'term') return undefined;
  const status = fields.get('status');
  if (status !== 'publish')
    return { field: 'status', expected: 'publish', ...(status !== undefined && { found: status.slice(0, 80) }) };
  const hasPassword = (fields.get('post_password') ?? '') !== '';
  return hasPassword ? { field: 'post_password', expected: 'a post without a password' } : undefined;
}

/** One text, or a list when the key is repeated. */
function readTexts(values: readonly string[] = []): unknown {
  const texts = values
    .filter((value) => value !== '' && !PHP_SERIALISED.test(value))
    .map((value) => (looksLikeHtml(value) ? htmlToText(value) : value));
  return texts.length > 1 ? texts : texts[0];
}

function listTerms({ terms }: WordpressItem, taxonomy: string): unknown {
  const found = terms.filter((term) => term.taxonomy === taxonomy).map(({ slug, name }) => ({ slug, name }));
  return found.length > 0 ? found : undefined;
}

function termKey(taxonomy: string, slug: string): string {
  return `${taxonomy}\n${slug}`;
}

/** Reads `2026-11-20 10:00:00` as UTC; WordPress writes zeros for never. */
function toInstant(text: string | undefined): string | undefined {
  const match = /^([0-9]{4}-[0-9]{2}-[0-9]{2}) ([0-9]{2}:[0-9]{2}:[0-9]{2})$/.exec(text ?? '');
  return match === null || text?.startsWith('0000') === true ? undefined : `${match[1]}T${match[2]}Z`;
}

/** `%%title%%` of Yoast and SEOPress, `%title%` of Rank Math. */
const VARIABLE = /%%([a-z_]{1,40})%%|%([a-z_]{1,40})%/g;

/**
 * Fills the variables of a title or a description as the plugins do. Undefined when the text has an unknown variable: a
 * text with `%%primary_category%%` in it is worse than none.
 */
function fillSeoTemplate(text: string, title: string, excerpt: string, siteName: string): string | undefined {
  const values: Readonly<Record<string, string>> = {
    title,
    post_title: title,
    excerpt,
    excerpt_only: excerpt,
    post_excerpt: excerpt,
    sitename: siteName,
    sitetitle: siteName,
    sep: '-',
    page: '',
  };
  return fillPlaceholders(text, VARIABLE, (name) => (Object.hasOwn(values, name) ? values[name] : undefined))
    ?.replaceAll(/ {2,}/g, ' ')
    .trim();
}
