import { listSourceImages, MAX_SOURCE_IMAGE_BYTES } from '../image/source-image.ts';
import { isJsonObject, valueAt } from '../source/json.ts';
import { showFound } from '../source/quote.ts';
import { groupBy } from '../source/record.ts';
import { compileMapping, STRAPI_CONVENTION } from './mapping.ts';
import type { StrapiSettings } from './settings.ts';
import { BrokenReference, CmsEntry, CmsImage, openValue } from './value.ts';
import { findImageByUrl } from './convert-value.ts';
import type { CmsAdapter, UnpackedImages } from './adapter.ts';
import { EntryMapper, type EntryState } from './map-entries.ts';
import { findStrapiExports, type StrapiExport } from './strapi-export.ts';
import { rowKey, StrapiRows, type StrapiRow } from './strapi-rows.ts';

/** The adapter of a Strapi export, version 4 or 5, in a folder or in an archive. */
export function createStrapiAdapter(settings: StrapiSettings): CmsAdapter {
  const mapping = compileMapping(settings.mapping, STRAPI_CONVENTION);
  return async (input, collector) => {
    const { source } = input;
    for (const parts of findStrapiExports(input)) {
      const { path } = parts;
      const rows = new StrapiRows();
      const assets = new Set<string>();
      for await (const found of parts.files()) {
        if ('asset' in found) assets.add(found.asset);
        else await rows.read(found.part, found.file);
      }
      const content = rows.contentRows();
      const documents = groupBy(content, (row) => [documentKey(row)]);
      for (const notice of rows.notices) collector.note(notice);
      // Version 5 has documents: each row is one locale of a document, as a draft or published.
      const hasDocuments = content.some(({ data }) => typeof data['documentId'] === 'string');
      for (const { list, fields } of hasDocuments ? mapping.lists : []) {
        // Strapi 5 makes a new row, with a new id, whenever a document is published.
        const id = fields.find(({ name }) => name === 'id')?.rule;
        if (id?.texts.includes('id') !== true || id.isHashed) continue;
        const field = `mapping.${list}.fields.id`;
        collector.note({ code: 'unstable-id', source, file: path, field, found: 'id' });
      }
      const mapper = new EntryMapper(mapping, collector);
      for (const { type, notice } of rows.broken) mapper.exclude(type, notice);
      mapDocuments(rows, documents, assets, settings, mapper);
      mapper.finish(source, path);
      if (parts.isArchive) await unpackImages(parts, new Set(listSourceImages(collector.records)), input.unpacked);
    }
  };
}

/** Reads an archive a second time: its pictures come before the links that show which of them the records name. */
async function unpackImages(
  { path, files }: StrapiExport,
  needed: Set<string>,
  unpacked: UnpackedImages,
): Promise<void> {
  if (needed.size === 0) return;
  for await (const found of files()) {
    if (!('asset' in found) || found.entry === undefined || found.entry.size > MAX_SOURCE_IMAGE_BYTES) continue;
    const image = `${path}/assets/uploads/${found.asset}`;
    if (needed.delete(image)) await unpacked.keep(image, found.entry.bytes);
  }
}

const ASSET_NAME = /^[^/\\\0]{1,300}$/;

/**
 * Maps the documents of the site's own content types in one locale, in the order of the export.
 *
 * @param documents the rows of each document, by the type and the id of the document
 * @param assets the names of the pictures that the export holds
 */
function mapDocuments(
  rows: StrapiRows,
  documents: ReadonlyMap<string, readonly StrapiRow[]>,
  assets: ReadonlySet<string>,
  { locale, assetsUrl }: Pick<StrapiSettings, 'locale' | 'assetsUrl'>,
  mapper: EntryMapper,
): void {
  for (const versions of documents.values()) {
    const local = versions.filter(isInLocale);
    const row = local.find((each) => !isDraft(each)) ?? local[0] ?? versions[0];
    if (row === undefined || (local.length === 0 && isTranslation(row))) continue;
    mapper.add(open(row), row.origin, { unpublished: unpublishedReason(row) });
  }

  function unpublishedReason(row: StrapiRow): EntryState['unpublished'] {
    if (!isInLocale(row)) return { field: 'locale', expected: locale, found: showFound(row.data['locale']) };
    return isDraft(row) ? { field: 'publishedAt', expected: 'a published row', found: 'draft' } : undefined;
  }

  function open(row: StrapiRow): CmsEntry {
    return new CmsEntry(row.type, (key) => {
      if (key === 'id') return row.id;
      const own = valueAt(row.data, key);
      return own === undefined || own === null ? follow(row, key) : openOwn(row, key, own);
    });
  }

  function openOwn(row: StrapiRow, key: string, own: unknown): unknown {
    const attribute = rows.attribute(row.type, key);
    switch (valueAt(attribute, 'type')) {
      case 'component':
      case 'dynamiczone':
        return Array.isArray(own)
          ? own.map((item) => openComponent(row, item, attribute))
          : openComponent(row, own, attribute);
      case 'password':
        return undefined;
      default:
        return openValue(own);
    }
  }

  /** Components lie within the row, but links refer to their own ids. */
  function openComponent(row: StrapiRow, value: unknown, attribute: unknown): unknown {
    if (!isJsonObject(value)) return value;
    const type = [valueAt(attribute, 'component'), value['__component']].find((each) => typeof each === 'string') ?? '';
    return open({ type, id: String(value['id']), data: value, origin: row.origin });
  }

  function follow(row: StrapiRow, field: string): unknown {
    const values = rows.targetsOf(row, field).map(openTarget);
    return values.length > 1 ? values : values[0];
  }

  function openTarget(key: string): unknown {
    const target = rows.find(key);
    if (target === undefined) return new BrokenReference(key.replace('\n', ' '));
    if (target.type === 'plugin::upload.file') return openFile(target);
    if (!target.type.startsWith('api::') || !isDraft(target)) return open(target);
    // A link may point to the draft of a document that has been published since.
    const versions = documents.get(documentKey(target)) ?? [];
    const published = versions.find((row) => !isDraft(row) && row.data['locale'] === target.data['locale']);
    if (published !== undefined) return open(published);
    return new BrokenReference(`${key.replace('\n', ' ')}, which is a draft`);
  }

  /** A source image in the export is rendered; without one the picture is served from the URL of the CMS. */
  function openFile({ id, data: { hash, ext, url } }: StrapiRow): CmsImage | BrokenReference {
    const name = typeof hash === 'string' ? `${hash}${typeof ext === 'string' ? ext : ''}` : '';
    if (!ASSET_NAME.test(name)) return new BrokenReference(`file ${id}`);
    const file = new CmsImage(`../assets/uploads/${name}`);
    if (assets.has(name) || typeof url !== 'string') return file;
    const served = url.startsWith('/') && !url.startsWith('//') ? assetsUrl && new URL(url, assetsUrl).href : url;
    return (served === undefined ? undefined : findImageByUrl(served)) ?? file;
  }

  function isInLocale({ data }: StrapiRow): boolean {
    const own = data['locale'] ?? '';
    return own === '' || own === locale;
  }

  /** In version 4 translations are entries that link to each other. */
  function isTranslation(row: StrapiRow): boolean {
    const others = rows.targetsOf(row, 'localizations').map((key) => rows.find(key));
    return others.some((other) => other !== undefined && isInLocale(other));
  }
}

/** Version 4 has one row for each entry and locale. */
function documentKey({ type, id, data }: StrapiRow): string {
  const { documentId } = data;
  return rowKey(type, typeof documentId === 'string' ? `document ${documentId}` : id);
}

/** A type without drafts has no such column; in version 5 the column always has a time. */
function isDraft({ data }: StrapiRow): boolean {
  return Object.hasOwn(data, 'publishedAt') && data['publishedAt'] === null;
}
