import { VIEWS } from '../../../data/field/image.ts';
import type { Notice } from '../../../data/report/notice.ts';
import { isJsonObject } from '../../source/json.ts';
import { hasHtmlTag, htmlToText, looksLikeMarkdown, markdownToText, richTextToText } from '../../source/plain-text.ts';
import { showFound } from '../../source/quote.ts';
import { groupBy } from '../../source/record.ts';
import { compileMapping, STRAPI_CONVENTION, type CmsMapping } from '../mapping/cms-mapping.ts';
import type { StrapiSettings } from '../mapping/cms-settings.ts';
import {
  createBrokenReference,
  createEntry,
  createFileImage,
  createMarkup,
  createUrlImage,
  type CmsEntry,
} from '../mapping/cms-value.ts';
import { findImageByUrl } from '../mapping/map-entry.ts';
import type { CmsAdapter, CmsExport } from './adapter.ts';
import { collectRecords, type CmsItem } from './collect-records.ts';
import { findStrapiExports, rowKey, StrapiRows, type StrapiExport, type StrapiRow } from './strapi-export.ts';

/** The adapter of a Strapi export, version 4 or 5, in a folder or in an archive. */
export function createStrapiAdapter(settings: StrapiSettings): CmsAdapter {
  const mapping = compileMapping(settings.mapping, STRAPI_CONVENTION);
  return async (input) => {
    const results: CmsExport[] = [];
    for (const parts of findStrapiExports(input)) {
      const result = await readExport(input.source, parts, mapping, settings);
      await parts.unpack(listImages(result));
      results.push(result);
    }
    return results;
  };
}

async function readExport(
  source: string,
  parts: StrapiExport,
  mapping: CmsMapping,
  settings: StrapiSettings,
): Promise<CmsExport> {
  const rows = new StrapiRows();
  const assets = await parts.readInto(rows);
  const view = new StrapiView(rows, assets, settings);
  return collectRecords(listItems(view, rows), {
    source,
    path: parts.path,
    mapping,
    findImage: findImageByUrl,
    notices: [...rows.notes, ...unstableIdNotices(source, parts.path, rows, mapping)],
  });
}

function* listItems(view: StrapiView, rows: StrapiRows): Generator<CmsItem> {
  for (const { type, notice } of rows.broken) yield { kind: 'broken', type, notice };
  for (const { row, unpublished } of view.documents()) {
    yield { kind: 'entry', entry: view.open(row), origin: row.origin, unpublished };
  }
}

/** Strapi 5 makes a new row, with a new id, whenever a document is published. */
function* unstableIdNotices(source: string, file: string, rows: StrapiRows, mapping: CmsMapping): Generator<Notice> {
  if (!rows.hasDocuments) return;
  for (const { list, fields } of mapping.lists) {
    const id = fields.find(({ name }) => name === 'id')?.rule;
    if (id?.texts.includes('id') !== true || id.isHashed) continue;
    yield { code: 'unstable-id', source, file, field: `mapping.${list}.fields.id`, found: 'id' };
  }
}

/** The source images that the records name, each with the file that names it. */
function listImages({ records }: CmsExport): readonly { readonly namingFile: string; readonly path: string }[] {
  const illustrated = [...records.products, ...records.gifts, ...records.giftCategories].flatMap(({ record, origin }) =>
    VIEWS.flatMap((view) => record.images?.[view] ?? []).map((path) => ({ namingFile: origin.file, path })),
  );
  const badged = [...records.networks, ...records.retailers].flatMap(({ record, origin }) =>
    record.logo === undefined ? [] : [{ namingFile: origin.file, path: record.logo }],
  );
  return [...illustrated, ...badged];
}

interface StrapiDocument {
  readonly row: StrapiRow;
  readonly unpublished: Pick<Notice, 'field' | 'found' | 'expected'> | undefined;
}

const ASSET_NAME = /^[^/\\\0]{1,300}$/;

/** The published documents of an export in one locale. Follows links. */
class StrapiView {
  readonly #rows: StrapiRows;
  readonly #assets: ReadonlySet<string>;
  readonly #locale: string;
  readonly #assetsUrl: string | undefined;
  /** The rows of each document, by the type and the id of the document. */
  readonly #documents: ReadonlyMap<string, readonly StrapiRow[]>;

  constructor(rows: StrapiRows, assets: ReadonlySet<string>, { locale, assetsUrl }: Omit<StrapiSettings, 'mapping'>) {
    this.#rows = rows;
    this.#assets = assets;
    this.#locale = locale;
    this.#assetsUrl = assetsUrl;
    this.#documents = groupBy([...rows.contentRows()], (row) => [documentKey(row)]);
  }

  /** The documents of the site's own content types, in the order of the export. */
  *documents(): Generator<StrapiDocument> {
    for (const rows of this.#documents.values()) {
      const local = rows.filter((row) => this.#isInLocale(row));
      const published = local.find((row) => !isDraft(row));
      const [first] = rows;
      if (published !== undefined) {
        yield { row: published, unpublished: undefined };
      } else if (local[0] !== undefined) {
        const unpublished = { field: 'publishedAt', expected: 'a published row', found: 'draft' };
        yield { row: local[0], unpublished };
      } else if (first !== undefined && !this.#isTranslation(first)) {
        const found = showFound(first.data['locale']);
        yield { row: first, unpublished: { field: 'locale', expected: this.#locale, found } };
      }
    }
  }

  open(row: StrapiRow): CmsEntry {
    return createEntry(row.type, (key) => this.#read(row, key));
  }

  #read(row: StrapiRow, key: string): unknown {
    if (key === 'id') return row.id;
    const own = Object.hasOwn(row.data, key) ? row.data[key] : undefined;
    if (own === undefined || own === null) return this.#follow(row, key);
    const attribute = this.#rows.attribute(row.type, key);
    switch (attribute?.type) {
      case 'component':
        return this.#openComponents(row, own, attribute.component);
      case 'dynamiczone':
        return this.#openComponents(row, own, undefined);
      case 'blocks':
        return richTextToText(own);
      // Markdown, or HTML where the site has another editor.
      case 'richtext':
      case 'customField':
        return typeof own === 'string' ? createMarkup(own, markdownToText) : own;
      case 'text':
        return typeof own === 'string' && hasHtmlTag(own) ? createMarkup(own, htmlToText) : own;
      case 'password':
        return undefined;
      case undefined:
        return openUndeclared(own);
      default:
        return own;
    }
  }

  /** Components lie within the row, but links refer to their own ids. */
  #openComponents(row: StrapiRow, value: unknown, type: string | undefined): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#openComponent(row, item, type));
    return this.#openComponent(row, value, type);
  }

  #openComponent(row: StrapiRow, value: unknown, type: string | undefined): unknown {
    if (!isJsonObject(value)) return value;
    const ownType = type ?? (typeof value['__component'] === 'string' ? value['__component'] : '');
    return this.open({ type: ownType, id: String(value['id']), data: value, origin: row.origin });
  }

  #follow(row: StrapiRow, field: string): unknown {
    const values = this.#rows.targetsOf(row.type, row.id, field).map((key) => this.#openTarget(key));
    return values.length > 1 ? values : values[0];
  }

  #openTarget(key: string): unknown {
    const target = this.#rows.find(key);
    if (target === undefined) return createBrokenReference(key.replace('\n', ' '));
    if (target.type === 'plugin::upload.file') return this.#openFile(target);
    if (!target.type.startsWith('api::') || !isDraft(target)) return this.open(target);
    // A link may point to the draft of a document that has been published since.
    const rows = this.#documents.get(documentKey(target)) ?? [];
    const published = rows.find((row) => !isDraft(row) && row.data['locale'] === target.data['locale']);
    return published === undefined
      ? createBrokenReference(`${key.replace('\n', ' ')}, which is a draft`)
      : this.open(published);
  }

  /** A source image in the export is rendered; without one the picture is served from the URL of the CMS. */
  #openFile({ id, data }: StrapiRow): unknown {
    const { hash, ext, url } = data;
    const name = typeof hash === 'string' ? `${hash}${typeof ext === 'string' ? ext : ''}` : '';
    if (!ASSET_NAME.test(name)) return createBrokenReference(`file ${id}`);
    const file = createFileImage(`../assets/uploads/${name}`);
    if (this.#assets.has(name) || typeof url !== 'string') return file;
    const served = findImageByUrl(url);
    if (served !== undefined) return served;
    if (this.#assetsUrl === undefined || !url.startsWith('/')) return file;
    const address = new URL(url, this.#assetsUrl).href;
    return createUrlImage(() => address);
  }

  #isInLocale({ data: { locale } }: StrapiRow): boolean {
    return locale === undefined || locale === null || locale === '' || locale === this.#locale;
  }

  /** In version 4 translations are entries that link to each other. */
  #isTranslation(row: StrapiRow): boolean {
    return this.#rows.targetsOf(row.type, row.id, 'localizations').some((key) => {
      const target = this.#rows.find(key);
      return target !== undefined && this.#isInLocale(target);
    });
  }
}

/** A field without a schema in the export: its text shows whether it is markup. */
function openUndeclared(value: unknown): unknown {
  const isMarkup = typeof value === 'string' && (hasHtmlTag(value) || looksLikeMarkdown(value));
  return isMarkup ? createMarkup(value, markdownToText) : value;
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
