import { createDeadLink, createEntry, type CmsEntry, type CmsPicture } from './cms-value.ts';
import { htmlToPlain, looksLikeHtml } from './html-to-plain.ts';
import { findPictureByUrl, type FindPicture } from './map-entry.ts';
import { fillSeoTemplate } from './seo-template.ts';
import type { WordpressItem } from './wordpress-export.ts';

/** What PHP writes for a list, an object or anything else that is no text: of no use without PHP. */
const SERIALISED =
  /^(?:a:[0-9]+:\{.*\}|O:[0-9]+:".*\}|C:[0-9]+:".*\}|s:[0-9]+:".*";|b:[01];|i:-?[0-9]+;|d:[0-9.eE+-]+;|N;)$/s;

/** The keys of the SEO plugins whose texts are templates. */
const TEMPLATE_KEY =
  /^(?:_yoast_wpseo_(?:title|metadesc)|rank_math_(?:title|description)|_seopress_titles_(?:title|desc))$/;

/** A site as its exports show it: pictures by number, posts by term. */
export class WordpressSite {
  #name = '';
  readonly #attachments = new Map<string, string>();
  readonly #postsOfTerm = new Map<string, WordpressItem[]>();

  /** The first name wins: every part of an export says it. */
  nameIt(name: string): void {
    if (this.#name === '') this.#name = htmlToPlain(name);
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

  /** A picture by the number of its attachment, or by its address. */
  readonly findPicture: FindPicture = (text) => {
    return findPictureByUrl(/^[0-9]{1,20}$/.test(text) ? (this.#attachments.get(text) ?? '') : text);
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

  #thumbnail({ meta }: WordpressItem): CmsPicture | ReturnType<typeof createDeadLink> | undefined {
    const id = meta.get('_thumbnail_id')?.find((value) => value !== '' && value !== '0');
    if (id === undefined) return undefined;
    return this.findPicture(id) ?? createDeadLink(`attachment ${id}`);
  }

  #readMeta(item: WordpressItem, key: string): unknown {
    const texts = readTexts(item.meta.get(key));
    if (typeof texts !== 'string' || !TEMPLATE_KEY.test(key)) return texts;
    return fillSeoTemplate(texts, {
      title: htmlToPlain(item.fields.get('title') ?? ''),
      excerpt: htmlToPlain(item.fields.get('excerpt') ?? ''),
      siteName: this.#name,
    });
  }
}

/** One text, or a list where a key is there several times. */
function readTexts(values: readonly string[] = []): unknown {
  const texts = values
    .filter((value) => value !== '' && !SERIALISED.test(value))
    .map((value) => (looksLikeHtml(value) ? htmlToPlain(value) : value));
  return texts.length > 1 ? texts : texts[0];
}

function plainText(html: string | undefined): string | undefined {
  return html === undefined ? undefined : htmlToPlain(html);
}

function listTerms({ terms }: WordpressItem, taxonomy: string): unknown {
  const found = terms.filter((term) => term.taxonomy === taxonomy).map(({ slug, name }) => ({ slug, name }));
  return found.length > 0 ? found : undefined;
}

function termKey(taxonomy: string, slug: string): string {
  return `${taxonomy}\n${slug}`;
}

/** `2026-11-20 10:00:00`, which is UTC; WordPress writes zeros for never. */
function toInstant(text: string | undefined): string | undefined {
  const match = /^([0-9]{4}-[0-9]{2}-[0-9]{2}) ([0-9]{2}:[0-9]{2}:[0-9]{2})$/.exec(text ?? '');
  return match === null || text?.startsWith('0000') === true ? undefined : `${match[1]}T${match[2]}Z`;
}
