import type { Notice } from '../../../data/report/notice.ts';
import { htmlToText, looksLikeHtml } from '../../source/plain-text.ts';
import { noticeAt } from '../../feed/adapter.ts';
import { compileMapping, WORDPRESS_CONVENTION } from '../mapping/cms-mapping.ts';
import type { WordpressSettings } from '../mapping/cms-settings.ts';
import { createBrokenReference, createEntry, type CmsEntry, type CmsImage } from '../mapping/cms-value.ts';
import { findImageByUrl, type FindImage } from '../mapping/map-entry.ts';
import { fillPlaceholders } from '../../feed/placeholders.ts';
import type { CmsAdapter } from './adapter.ts';
import { collectRecords, type CmsItem } from './collect-records.ts';
import { readWordpressExport, type WordpressItem } from './wordpress-export.ts';

/**
 * The adapter of WordPress exports (WXR). All files of a source are parts of one site, since WordPress splits a large
 * export and a post and its picture may come in different parts.
 */
export function createWordpressAdapter(settings: WordpressSettings): CmsAdapter {
  const mapping = compileMapping(settings.mapping, WORDPRESS_CONVENTION);
  return async ({ source, files, open }) => {
    const site = new WordpressSite();
    const items: WordpressItem[] = [];
    for (const file of files) {
      await readWordpressExport(open(file), {
        item: (item) => {
          const isMapped = mapping.lists.some(({ type }) => type === item.type);
          if (isMapped || item.type === 'attachment') site.add(item);
          if (isMapped) items.push(item);
          else if (item.kind === 'post' && item.type !== 'attachment') items.push(withoutContent(item));
        },
        siteName: (name) => site.setName(name),
      });
    }
    const path = files.length === 1 ? files[0]?.path : undefined;
    return [collectRecords(listItems(items, site), { source, path, mapping, findImage: site.findImage })];
  };
}

/** Items of unmapped types are only counted. */
function withoutContent(item: WordpressItem): WordpressItem {
  return { ...item, fields: new Map(), meta: new Map(), terms: [] };
}

function* listItems(items: readonly WordpressItem[], site: WordpressSite): Generator<CmsItem> {
  for (const item of items) {
    if (item.error !== undefined) {
      const facts = { expected: 'a well-formed item', found: item.error.slice(0, 80) };
      yield { kind: 'broken', type: item.type || undefined, notice: noticeAt(item.origin, 'malformed-record', facts) };
      continue;
    }
    // An item without a post type belongs to an unknown namespace.
    if (item.type === '') continue;
    yield { kind: 'entry', entry: site.open(item), origin: item.origin, unpublished: unpublishedReason(item) };
  }
}

/** A term has no status. */
function unpublishedReason({ kind, fields }: WordpressItem): Pick<Notice, 'field' | 'found' | 'expected'> | undefined {
  if (kind === 'term') return undefined;
  const status = fields.get('status');
  if (status !== 'publish')
    return { field: 'status', expected: 'publish', ...(status !== undefined && { found: status.slice(0, 80) }) };
  const hasPassword = (fields.get('post_password') ?? '') !== '';
  return hasPassword ? { field: 'post_password', expected: 'a post without a password' } : undefined;
}

/** A list or an object as PHP serialises it. */
const PHP_SERIALISED =
  /^(?:a:[0-9]+:\{.*\}|O:[0-9]+:".*\}|C:[0-9]+:".*\}|s:[0-9]+:".*";|b:[01];|i:-?[0-9]+;|d:[0-9.eE+-]+;|N;)$/s;

/** The keys of the SEO plugins whose texts have variables. */
const SEO_TEMPLATE_KEY =
  /^(?:_yoast_wpseo_(?:title|metadesc)|rank_math_(?:title|description)|_seopress_titles_(?:title|desc))$/;

/** A site: pictures by id, posts by term. */
class WordpressSite {
  #name = '';
  readonly #attachments = new Map<string, string>();
  readonly #postsOfTerm = new Map<string, WordpressItem[]>();

  /** The first name wins: every part of an export says it. */
  setName(name: string): void {
    if (this.#name === '') this.#name = htmlToText(name);
  }

  add(item: WordpressItem): void {
    const id = item.fields.get('post_id');
    if (item.type === 'attachment') {
      const url = item.fields.get('attachment_url');
      if (id !== undefined && url !== undefined) this.#attachments.set(id, url);
      return;
    }
    if (item.fields.get('status') !== 'publish') return;
    for (const { taxonomy, slug } of item.terms) {
      const key = termKey(taxonomy, slug);
      const posts = this.#postsOfTerm.get(key);
      if (posts === undefined) this.#postsOfTerm.set(key, [item]);
      else posts.push(item);
    }
  }

  /** Finds a picture by the id of its attachment, or by its URL. */
  readonly findImage: FindImage = (text) => {
    return findImageByUrl(/^[0-9]{1,20}$/.test(text) ? (this.#attachments.get(text) ?? '') : text);
  };

  open(item: WordpressItem): CmsEntry {
    return createEntry(item.type, (key) =>
      item.kind === 'post' ? this.#readPost(item, key) : this.#readTerm(item, key),
    );
  }

  #readPost(item: WordpressItem, key: string): unknown {
    const { fields } = item;
    switch (key) {
      case 'id':
        return fields.get('post_id');
      case 'slug':
        return fields.get('post_name');
      case 'title':
        return plainText(fields.get('title'));
      case 'content':
      case 'excerpt':
        return plainText(fields.get(key));
      case 'link':
        return fields.get('link');
      case 'modified':
        return toInstant(fields.get('post_modified_gmt')) ?? toInstant(fields.get('post_date_gmt'));
      case 'thumbnail':
        return this.#thumbnail(item);
      case 'meta':
        return createEntry('meta', (metaKey) => this.#readMeta(item, metaKey));
      case 'terms':
        return createEntry('terms', (taxonomy) => listTerms(item, taxonomy));
      default:
        return undefined;
    }
  }

  #readTerm({ type, fields, meta }: WordpressItem, key: string): unknown {
    const slug = fields.get('term_slug') ?? fields.get('category_nicename') ?? fields.get('tag_slug') ?? '';
    switch (key) {
      case 'id':
        return fields.get('term_id');
      case 'slug':
        return slug;
      case 'title':
        return plainText(fields.get('term_name') ?? fields.get('cat_name') ?? fields.get('tag_name'));
      case 'content':
        return plainText(
          fields.get('term_description') ?? fields.get('category_description') ?? fields.get('tag_description'),
        );
      case 'meta':
        return createEntry('meta', (metaKey) => readTexts(meta.get(metaKey)));
      case 'posts':
        return (this.#postsOfTerm.get(termKey(type, slug)) ?? []).map((post) => this.open(post));
      default:
        return undefined;
    }
  }

  #thumbnail({ meta }: WordpressItem): CmsImage | ReturnType<typeof createBrokenReference> | undefined {
    const id = meta.get('_thumbnail_id')?.find((value) => value !== '' && value !== '0');
    if (id === undefined) return undefined;
    return this.findImage(id) ?? createBrokenReference(`attachment ${id}`);
  }

  #readMeta(item: WordpressItem, key: string): unknown {
    const texts = readTexts(item.meta.get(key));
    if (typeof texts !== 'string' || !SEO_TEMPLATE_KEY.test(key)) return texts;
    return fillSeoTemplate(texts, {
      title: htmlToText(item.fields.get('title') ?? ''),
      excerpt: htmlToText(item.fields.get('excerpt') ?? ''),
      siteName: this.#name,
    });
  }
}

/** One text, or a list when the key is repeated. */
function readTexts(values: readonly string[] = []): unknown {
  const texts = values
    .filter((value) => value !== '' && !PHP_SERIALISED.test(value))
    .map((value) => (looksLikeHtml(value) ? htmlToText(value) : value));
  return texts.length > 1 ? texts : texts[0];
}

function plainText(html: string | undefined): string | undefined {
  return html === undefined ? undefined : htmlToText(html);
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

/** The values of the variables of the SEO plugins. */
export interface SeoFacts {
  readonly title: string;
  readonly excerpt: string;
  readonly siteName: string;
}

/**
 * Fills the variables of a title or a description as the plugin does. Undefined when the text has an unknown variable: a
 * text with `%%primary_category%%` in it is worse than none.
 */
export function fillSeoTemplate(text: string, { title, excerpt, siteName }: SeoFacts): string | undefined {
  const values: ReadonlyMap<string, string> = new Map([
    ...['title', 'post_title'].map((name) => [name, title] as const),
    ...['excerpt', 'excerpt_only', 'post_excerpt'].map((name) => [name, excerpt] as const),
    ...['sitename', 'sitetitle'].map((name) => [name, siteName] as const),
    ['sep', '-'],
    ['page', ''],
  ]);
  return fillPlaceholders(text, VARIABLE, (name) => values.get(name))
    ?.replaceAll(/ {2,}/g, ' ')
    .trim();
}
