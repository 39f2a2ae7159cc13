import { SPEC_FIELDS } from '../../data/field/field.ts';
import { VIEWS } from '../../data/field/image.ts';
import { htmlToText, looksLikeHtml } from '../source/clean-text.ts';
import { locationIn, noticeAt, sourceMalformed } from '../source/errors.ts';
import type { OpenedFile } from '../source/open-file.ts';
import { readXmlItems, type XmlElement } from '../source/parse-xml.ts';
import type { SourceLocation } from '../source/record.ts';
import { fillPlaceholders } from '../feed/text-pattern.ts';
import { BrokenReference, CmsEntry, findImageByUrl, type CmsAdapter, type CmsImage } from './adapter.ts';
import { EntryMapper, type EntryState } from './map-entries.ts';
import { compileMapping, MAPPING_SCHEMA, type MappingSettings } from './mapping.ts';

/** With the keys of three SEO plugins: Yoast, Rank Math and SEOPress. */
const CONVENTION = {
  typeOf: (noun: string) => noun.replace('-', '_'),
  fields: {
    id: ['id'],
    name: ['title'],
    slug: ['slug'],
    condition: ['meta.condition', 'terms.condition.slug'],
    model: ['meta.model', 'terms.model.slug'],
    manufacturer: ['meta.manufacturer', 'terms.manufacturer.slug', 'terms.brand.slug'],
    'content.heading': ['meta.heading'],
    'content.introduction': ['excerpt', 'content'],
    'pageContent.heading': ['meta.page_heading'],
    'pageContent.introduction': ['meta.page_introduction'],
    'metaData.title': ['meta._yoast_wpseo_title', 'meta.rank_math_title', 'meta._seopress_titles_title'],
    'metaData.description': ['meta._yoast_wpseo_metadesc', 'meta.rank_math_description', 'meta._seopress_titles_desc'],
    'metaData.keywords': [
      'meta._yoast_wpseo_focuskw',
      'meta.rank_math_focus_keyword',
      'meta._seopress_analysis_target_kw',
    ],
    ...Object.fromEntries(
      SPEC_FIELDS.map(({ word, key }) => [`specs.${key}`, [`meta.specs_${word.replaceAll('-', '_')}`]]),
    ),
    ...Object.fromEntries(VIEWS.map((view) => [`images.${view}`, [`meta.image_${view}`]])),
    'images.front': ['thumbnail', 'meta.image_front'],
    'matches.names': ['meta.match_names'],
    'matches.gtins': ['meta._global_unique_id', 'meta.gtin'],
    gifts: ['meta.gifts', 'posts'],
    aliases: ['meta.aliases'],
    logo: ['thumbnail', 'meta.logo'],
    updatedAt: ['modified'],
  },
  texts: 'plain',
} as const;

/**
 * Exports of WordPress (WXR). All files of a source are parts of one site, since WordPress splits a large export and a
 * post and its picture may come in different parts.
 */
export const wordpress = {
  settings: { mapping: MAPPING_SCHEMA },
  create: (settings: { mapping: MappingSettings }): CmsAdapter => {
    const mapping = compileMapping(settings.mapping, CONVENTION);
    const mappedTypes = new Set(mapping.lists.map(({ type }) => type));
    return async ({ source, files, open }, collector) => {
      const site = new WordpressSite();
      const mapper = new EntryMapper(mapping, collector, site.findImage);
      for (const file of files) await readExport(open(file), site, mappedTypes, mapper);
      mapper.finish(source, files.length === 1 ? files[0]?.path : undefined);
    };
  },
};

/** A post or a term of the export. Of a repeated field the first text counts. */
interface WordpressItem {
  readonly isTerm: boolean;
  /** The type of a post, the taxonomy of a term. */
  readonly type: string;
  /** The texts of its elements, `title` or `wp:post_id`. */
  readonly fields: ReadonlyMap<string, string>;
  readonly meta: ReadonlyMap<string, readonly string[]>;
  readonly terms: readonly { readonly taxonomy: string; readonly slug: string; readonly name: string }[];
}

/** The elements of the channel that are terms, with the taxonomy where the element implies it. */
const TERM_ELEMENTS: Readonly<Record<string, string>> = {
  'wp:term': '',
  'wp:category': 'category',
  'wp:tag': 'post_tag',
};

/** The depth of posts, terms and the title of the site: `rss`, `channel`, `item`. */
const ITEM_DEPTH = 3;

const FORMAT = {
  expectedRoot: 'an export of WordPress (WXR), <rss>',
  isRoot: ({ name }: XmlElement) => name === 'rss',
  isItem: (_: XmlElement, depth: number) => depth === ITEM_DEPTH,
};

/**
 * Reads a file of a site. Malformed XML within an item excludes that item.
 *
 * @throws {SourceError} `source-malformed` when the file is not XML to its end, or not an export of WordPress.
 */
async function readExport(
  file: OpenedFile,
  site: WordpressSite,
  mappedTypes: ReadonlySet<string>,
  mapper: EntryMapper,
): Promise<void> {
  let hasWordpress = false;
  for await (const items of readXmlItems(file, FORMAT)) {
    for (const { element, line, error } of items) {
      const { name, children } = element;
      hasWordpress ||= [element, ...children].some((each) => each.name.startsWith('wp:'));
      const isTerm = Object.hasOwn(TERM_ELEMENTS, name);
      if (isTerm || name === 'item') {
        addItem(readItem(isTerm, element), locationIn(file, line), error);
      } else if (error !== undefined) {
        throw sourceMalformed(file, line, `expected well-formed XML, got ${error}; export the site again`);
      } else if (name === 'title') {
        // Every part of an export says the name.
        site.name ||= htmlToText(element.text.trim());
      }
    }
  }
  if (!hasWordpress) {
    throw sourceMalformed(
      file,
      1,
      `expected an export of WordPress (WXR), got another RSS feed; export the site again`,
    );
  }

  function addItem(item: WordpressItem, origin: SourceLocation, error: string | undefined): void {
    const { isTerm, type } = item;
    const isMapped = mappedTypes.has(type);
    if (type === 'attachment') site.addAttachment(item);
    if (!isMapped && (isTerm || type === 'attachment')) return;
    if (error !== undefined) {
      const facts = { expected: 'a well-formed item', found: error };
      mapper.exclude(type || undefined, noticeAt(origin, { code: 'malformed-record', ...facts }));
    } else if (type !== '') {
      // Posts of other types are only counted.
      const entry = isMapped ? site.open(item) : new CmsEntry(type, () => undefined);
      mapper.add(entry, origin, { unpublished: unpublishedReason(item) });
    }
  }
}

function readItem(isTerm: boolean, element: XmlElement): WordpressItem {
  const fields = new Map<string, string>();
  const meta = new Map<string, string[]>();
  const terms: WordpressItem['terms'][number][] = [];
  for (const child of element.children) {
    const { name, attributes } = child;
    const text = child.text.trim();
    if (name === 'category' && !isTerm) {
      terms.push({ taxonomy: attributes.get('domain') ?? '', slug: attributes.get('nicename') ?? '', name: text });
    } else if (name === 'wp:postmeta' || name === 'wp:termmeta') {
      const textsOf = (part: string): readonly string[] =>
        child.children.filter((each) => each.name === part).map((each) => each.text.trim());
      const [key] = textsOf('wp:meta_key');
      if (key !== undefined) meta.set(key, [...(meta.get(key) ?? []), ...textsOf('wp:meta_value')]);
    } else if (!fields.has(name)) {
      fields.set(name, text);
    }
  }
  const taxonomy = TERM_ELEMENTS[element.name] || fields.get('wp:term_taxonomy');
  return { isTerm, type: (isTerm ? taxonomy : fields.get('wp:post_type')) ?? '', fields, meta, terms };
}

/** A list or an object as PHP serialises it. */
const PHP_SERIALISED =
  /^(?:a:[0-9]+:\{.*\}|O:[0-9]+:".*\}|C:[0-9]+:".*\}|s:[0-9]+:".*";|b:[01];|i:-?[0-9]+;|d:[0-9.eE+-]+;|N;)$/s;

/** The keys of the SEO plugins, whose texts have variables. */
const SEO_KEY = /^(?:_yoast_wpseo|rank_math|_seopress)_/;

/** A site: pictures by id, posts by term. */
class WordpressSite {
  name = '';
  readonly #attachments = new Map<string, string>();
  readonly #postsOfTerm = new Map<string, CmsEntry[]>();

  addAttachment({ fields }: WordpressItem): void {
    const id = fields.get('wp:post_id');
    const url = fields.get('wp:attachment_url');
    if (id !== undefined && url !== undefined) this.#attachments.set(id, url);
  }

  /** Finds a picture by the id of its attachment, or by its URL. */
  readonly findImage = (text: string): CmsImage | undefined => {
    return findImageByUrl(/^[0-9]{1,20}$/.test(text) ? (this.#attachments.get(text) ?? '') : text);
  };

  open(item: WordpressItem): CmsEntry {
    const { isTerm, type, fields, meta, terms } = item;
    const entry = new CmsEntry(type, (key) => {
      switch (key) {
        case 'meta':
          return new CmsEntry('meta', (name) => this.#readMeta(item, name));
        case 'terms':
          return new CmsEntry('terms', (taxonomy) => terms.filter((term) => term.taxonomy === taxonomy));
        case 'posts':
          return isTerm ? this.#postsOfTerm.get(termKey(type, textOf(item, 'slug'))) : undefined;
        case 'thumbnail': {
          const id = meta.get('_thumbnail_id')?.find((value) => value !== '' && value !== '0');
          return id === undefined ? undefined : (this.findImage(id) ?? new BrokenReference(`attachment ${id}`));
        }
        case 'modified':
          return toInstant(fields.get('wp:post_modified_gmt')) ?? toInstant(fields.get('wp:post_date_gmt'));
        default:
          return textOf(item, key);
      }
    });
    if (fields.get('wp:status') !== 'publish') return entry;
    for (const { taxonomy, slug } of terms) {
      const key = termKey(taxonomy, slug);
      const posts = this.#postsOfTerm.get(key) ?? [];
      posts.push(entry);
      this.#postsOfTerm.set(key, posts);
    }
    return entry;
  }

  /** One text, or a list when the key is repeated. */
  #readMeta(item: WordpressItem, key: string): unknown {
    const texts = (item.meta.get(key) ?? [])
      .filter((value) => value !== '' && !PHP_SERIALISED.test(value))
      .map((value) => (looksLikeHtml(value) ? htmlToText(value) : value));
    const [text, ...others] = texts;
    if (others.length > 0) return texts;
    if (text === undefined || !SEO_KEY.test(key)) return text;
    return fillSeoTemplate(text, textOf(item, 'title'), textOf(item, 'excerpt'), this.name);
  }
}

/** Where the texts of a post or a term are: the first element that is there counts. */
const TEXT_ELEMENTS: Readonly<Record<string, readonly string[]>> = {
  id: ['wp:post_id', 'wp:term_id'],
  slug: ['wp:post_name', 'wp:term_slug', 'wp:category_nicename', 'wp:tag_slug'],
  title: ['title', 'wp:term_name', 'wp:cat_name', 'wp:tag_name'],
  content: ['content:encoded', 'wp:term_description', 'wp:category_description', 'wp:tag_description'],
  excerpt: ['excerpt:encoded'],
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
function unpublishedReason({ isTerm, fields }: WordpressItem): EntryState['unpublished'] {
  if (isTerm) return undefined;
  const status = fields.get('wp:status');
  if (status !== 'publish') return { field: 'status', expected: 'publish', found: status };
  const hasPassword = (fields.get('wp:post_password') ?? '') !== '';
  return hasPassword ? { field: 'post_password', expected: 'a post without a password' } : undefined;
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
const VARIABLE = /%%?([a-z_]{1,40})%%?/g;

/**
 * Fills the variables of a title or a description as the plugins do. Undefined when the text has an unknown variable: a
 * text with `%%primary_category%%` in it is worse than none.
 */
function fillSeoTemplate(text: string, title: string, excerpt: string, siteName: string): string | undefined {
  const values: readonly (readonly [names: RegExp, value: string])[] = [
    [/^(?:post_)?title$/, title],
    [/^(?:post_)?excerpt(?:_only)?$/, excerpt],
    [/^site(?:name|title)$/, siteName],
    [/^sep$/, '-'],
    [/^page$/, ''],
  ];
  const filled = fillPlaceholders(text, (name) => values.find(([names]) => names.test(name))?.[1], VARIABLE);
  return filled?.replaceAll(/ {2,}/g, ' ').trim();
}
