import { posix } from 'node:path';
import { z } from 'zod';
import { isWebUrl } from '../../data/record/product.ts';
import { MAX_SOURCE_IMAGE_BYTES } from '../image/source-image.ts';
import { richTextToText } from '../source/clean-text.ts';
import { locationIn, noticeAt, sourceMalformed } from '../source/errors.ts';
import { isJsonObject, splitJsonLines, tryParseJson, valueAt, type JsonObject } from '../source/json.ts';
import type { OpenedFile } from '../source/open-file.ts';
import { showFound } from '../source/quote.ts';
import { groupBy, type SourceLocation } from '../source/record.ts';
import { readTextLines } from '../source/text-lines.ts';
import {
  BrokenReference,
  CmsEntry,
  CmsImage,
  findImageByUrl,
  type CmsAdapter,
  type UnpackedImages,
} from './adapter.ts';
import type { RecordCollector } from './catalogue.ts';
import { MODELLED_FIELDS } from './fields.ts';
import { EntryMapper, type EntryState } from './map-entries.ts';
import { compileMapping, MAPPING_SCHEMA } from './mapping.ts';
import { findStrapiExports, type StrapiExport, type StrapiPart } from './strapi-export.ts';

const CONVENTION = {
  typeOf: (noun: string) => `api::${noun}.${noun}`,
  fields: { ...MODELLED_FIELDS, updatedAt: ['updatedAt'] },
  createdAt: 'createdAt',
  texts: 'markup',
} as const;

const settings = {
  mapping: MAPPING_SCHEMA,
  locale: z.string().min(1).max(50).default('en').describe('rows of this locale, and of none, are read'),
  assetsUrl: z
    .string()
    .refine((text) => isWebUrl(text), 'an http or https URL')
    .optional()
    .meta({
      description: 'where the pictures of /uploads/ are served, for an export without them',
      examples: ['https://cms.example.com'],
    }),
};

type StrapiSettings = z.infer<z.ZodObject<typeof settings>>;

/** Exports of Strapi, version 4 or 5, in a folder or in an archive. */
export const strapi = { settings, create: createStrapiAdapter };

function createStrapiAdapter(settings: StrapiSettings): CmsAdapter {
  const mapping = compileMapping(settings.mapping, CONVENTION);
  return async (input, collector) => {
    for (const each of findStrapiExports(input)) {
      const { folder, isArchive, files } = each;
      const file = isArchive ? folder : posix.join(folder, 'metadata.json');
      const mapper = new EntryMapper(mapping, collector);
      const site = new StrapiSite(settings, mapper, collector);
      let hasEntities = false;
      for await (const found of files()) {
        if ('asset' in found) site.assets.add(found.asset);
        else await site.read(found.part, found.file);
        hasEntities ||= 'part' in found && found.part === 'entities';
      }
      if (!hasEntities) {
        const expected = `the export of a Strapi, with files entities/*.jsonl in ${folder || '.'}`;
        const sentence = `expected ${expected}; name its metadata.json or its archive in \`files\``;
        throw sourceMalformed({ source: input.source, path: file }, undefined, sentence);
      }
      const hasDocuments = site.mapDocuments();
      for (const { list, fields } of hasDocuments ? mapping.lists : []) {
        // Strapi 5 makes a new row, with a new id, whenever a document is published.
        const id = fields.find(({ name }) => name === 'id')?.rule;
        if (id?.paths.some(({ text }) => text === 'id') !== true) continue;
        collector.note({
          code: 'unstable-id',
          source: input.source,
          file,
          field: `mapping.${list}.fields.id`,
          found: 'id',
        });
      }
      mapper.finish(input.source, file);
      if (isArchive && input.unpacked !== undefined) await unpackImages(each, site.shown, input.unpacked);
    }
  };
}

/** Reads an archive a second time: its pictures come before the links that say which of them the entries show. */
async function unpackImages(
  { folder, files }: StrapiExport,
  shown: Set<string>,
  unpacked: UnpackedImages,
): Promise<void> {
  if (shown.size === 0) return;
  for await (const found of files()) {
    if (!('asset' in found) || found.entry === undefined || found.entry.size > MAX_SOURCE_IMAGE_BYTES) continue;
    if (shown.delete(found.asset)) await unpacked.keep(`${folder}/assets/uploads/${found.asset}`, found.entry.bytes);
  }
}

/** A row of a content type, or a component within one. */
interface StrapiRow {
  /** `api::phone.phone`, `shared.seo` */
  readonly type: string;
  readonly id: string;
  readonly data: JsonObject;
  readonly origin: SourceLocation;
}

/** An end of a link: a row, and the field in which it shows the other one. */
interface LinkEnd {
  readonly type: string;
  readonly row: string;
  readonly field: string | undefined;
  readonly position: number;
}

const ASSET_NAME = /^[^/\\\0]{1,300}$/;

/**
 * The content of an export in one locale: the rows of the site's own content types and components, and the files they
 * show. Users with their passwords, sessions and tokens are skipped, and no notice quotes a line.
 */
class StrapiSite {
  /** The names of the pictures that the export holds. */
  readonly assets = new Set<string>();
  /** Those of them that an entry shows. */
  readonly shown = new Set<string>();
  readonly #settings: StrapiSettings;
  readonly #mapper: EntryMapper;
  readonly #collector: RecordCollector;
  readonly #rows = new Map<string, StrapiRow>();
  /** The other ends of the links of a row's field. */
  readonly #links = new Map<string, LinkEnd[]>();
  /** The schemas of content types and components, by their names. */
  readonly #schemas = new Map<unknown, unknown>();
  /** The rows of each document: in version 5 each locale, as a draft or published; in version 4 one row. */
  #documents: ReadonlyMap<string, readonly StrapiRow[]> = new Map();

  constructor(settings: StrapiSettings, mapper: EntryMapper, collector: RecordCollector) {
    this.#settings = settings;
    this.#mapper = mapper;
    this.#collector = collector;
  }

  async read(part: StrapiPart, file: OpenedFile): Promise<void> {
    for await (const lines of splitJsonLines(file, readTextLines(file))) {
      for (const { line, text } of lines) {
        const value = tryParseJson(text);
        const origin = locationIn(file, line);
        if (part === 'entities') this.#addEntity(value, origin);
        else if (part === 'links') this.#addLink(value, origin);
        else this.#schemas.set(valueAt(value, 'uid'), value);
      }
    }
  }

  #addEntity(value: unknown, origin: SourceLocation): void {
    const { type, id, data } = isJsonObject(value) ? value : {};
    if (typeof type === 'string' && !isOurs(type)) return;
    if (typeof type === 'string' && isId(id) && isJsonObject(data)) {
      this.#rows.set(keyOf(type, id), { type, id: String(id), data, origin });
      return;
    }
    const expected = 'a row as JSON, with type, id and data';
    this.#mapper.exclude(undefined, noticeAt(origin, { code: 'malformed-record', expected }));
  }

  /** Stores the link in both directions: one side owns it, but either may be mapped. */
  #addLink(value: unknown, origin: SourceLocation): void {
    const left = readLinkEnd(valueAt(value, 'left'));
    const right = readLinkEnd(valueAt(value, 'right'));
    if (left === undefined || right === undefined) {
      return this.#collector.note(noticeAt(origin, { code: 'malformed-link', expected: 'a link as JSON' }));
    }
    if (!isOurs(left.type) || !isOurs(right.type)) return;
    for (const [from, to] of [[left, right] as const, [right, left] as const]) {
      if (from.field === undefined) continue;
      const key = keyOf(from.row, from.field);
      const ends = this.#links.get(key) ?? [];
      ends.push({ ...to, position: from.position });
      this.#links.set(key, ends);
    }
  }

  /**
   * Maps the documents of the site's own content types, in the order of the export.
   *
   * @returns whether they have ids of their own, as in version 5
   */
  mapDocuments(): boolean {
    const content = [...this.#rows.values()].filter(({ type }) => type.startsWith('api::'));
    this.#documents = groupBy(content, (row) => [documentKey(row)]);
    for (const versions of this.#documents.values()) {
      const local = versions.filter((row) => this.#isInLocale(row));
      const row = local.find((each) => !isDraft(each)) ?? local[0] ?? versions[0];
      if (row === undefined || (local.length === 0 && this.#isTranslation(row))) continue;
      this.#mapper.add(this.#open(row), row.origin, { unpublished: this.#unpublishedReason(row) });
    }
    return content.some(({ data }) => typeof data['documentId'] === 'string');
  }

  #isInLocale({ data }: StrapiRow): boolean {
    const own = data['locale'] ?? '';
    return own === '' || own === this.#settings.locale;
  }

  /** In version 4 translations are entries that link to each other. */
  #isTranslation(row: StrapiRow): boolean {
    const others = this.#targetsOf(row, 'localizations').map((key) => this.#rows.get(key));
    return others.some((other) => other !== undefined && this.#isInLocale(other));
  }

  #unpublishedReason(row: StrapiRow): EntryState['unpublished'] {
    if (!this.#isInLocale(row)) {
      return { field: 'locale', expected: this.#settings.locale, found: showFound(row.data['locale']) };
    }
    return isDraft(row) ? { field: 'publishedAt', expected: 'a published row', found: 'draft' } : undefined;
  }

  #open(row: StrapiRow): CmsEntry {
    return new CmsEntry(row.type, (key) => {
      if (key === 'id') return row.id;
      const own = valueAt(row.data, key);
      if (own !== undefined && own !== null) return this.#openOwn(row, key, own);
      const values = this.#targetsOf(row, key).map((target) => this.#openTarget(target));
      return values.length > 1 ? values : values[0];
    });
  }

  #openOwn(row: StrapiRow, key: string, own: unknown): unknown {
    const attribute = valueAt(this.#schemas.get(row.type), 'attributes', key);
    const type = valueAt(attribute, 'type');
    if (type === 'password') return undefined;
    if (type !== 'component' && type !== 'dynamiczone') return richTextToText(own);
    // Components lie within the row, but links refer to their own ids.
    const openItem = (item: unknown): unknown => {
      if (!isJsonObject(item)) return item;
      const component = valueAt(attribute, 'component') ?? item['__component'];
      return this.#open({ type: String(component), id: String(item['id']), data: item, origin: row.origin });
    };
    return Array.isArray(own) ? own.map(openItem) : openItem(own);
  }

  /** The keys of the rows that a field links to, in the editor's order. */
  #targetsOf({ type, id }: StrapiRow, field: string): readonly string[] {
    const ends = this.#links.get(keyOf(keyOf(type, id), field)) ?? [];
    return [...new Set(ends.toSorted((a, b) => a.position - b.position).map(({ row }) => row))];
  }

  #openTarget(key: string): unknown {
    const target = this.#rows.get(key);
    if (target === undefined) return new BrokenReference(key);
    if (target.type === 'plugin::upload.file') return this.#openFile(target);
    if (!target.type.startsWith('api::') || !isDraft(target)) return this.#open(target);
    // A link may point to the draft of a document that has been published since.
    const versions = this.#documents.get(documentKey(target)) ?? [];
    const published = versions.find((row) => !isDraft(row) && row.data['locale'] === target.data['locale']);
    return published === undefined ? new BrokenReference(`${key}, which is a draft`) : this.#open(published);
  }

  /** A source image in the export is rendered; without one the picture is served from the URL of the CMS. */
  #openFile({ id, data: { hash, ext, url } }: StrapiRow): CmsImage | BrokenReference {
    const name = typeof hash === 'string' ? `${hash}${typeof ext === 'string' ? ext : ''}` : '';
    if (!ASSET_NAME.test(name)) return new BrokenReference(`file ${id}`);
    const file = new CmsImage(`../assets/uploads/${name}`);
    if (this.assets.has(name)) this.shown.add(name);
    if (this.assets.has(name) || typeof url !== 'string') return file;
    const { assetsUrl } = this.#settings;
    const served = url.startsWith('/') && !url.startsWith('//') ? assetsUrl && new URL(url, assetsUrl).href : url;
    return (served === undefined ? undefined : findImageByUrl(served)) ?? file;
  }
}

/** `api::phone.phone 17`: types, ids and fields have no spaces. */
function keyOf(...parts: readonly (string | number)[]): string {
  return parts.join(' ');
}

/** Version 4 has one row for each entry and locale. */
function documentKey({ type, id, data }: StrapiRow): string {
  const { documentId } = data;
  return keyOf(type, typeof documentId === 'string' ? `document ${documentId}` : id);
}

/** A type without drafts has no such column; in version 5 the column always has a time. */
function isDraft({ data }: StrapiRow): boolean {
  return Object.hasOwn(data, 'publishedAt') && data['publishedAt'] === null;
}

/** The site's own types, its components (no `::` in the name), and the files of the media library. */
function isOurs(type: string): boolean {
  return type.startsWith('api::') || type === 'plugin::upload.file' || !type.includes('::');
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function readLinkEnd(value: unknown): LinkEnd | undefined {
  const { type, ref, field, pos } = isJsonObject(value) ? value : {};
  if (typeof type !== 'string' || !isId(ref)) return undefined;
  return {
    type,
    row: keyOf(type, ref),
    field: typeof field === 'string' ? field : undefined,
    position: typeof pos === 'number' ? pos : 0,
  };
}
