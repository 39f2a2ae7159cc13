import { isWebUrl } from '../../../data/record/product.ts';
import { sourceMalformed } from '../../source/errors.ts';
import { isJsonObject, readJson, valueAt, type JsonObject } from '../../source/json.ts';
import type { OpenedFile } from '../../source/open-file.ts';
import {
  hasHtmlTag,
  htmlToText,
  isRichTextDocument,
  looksLikeMarkdown,
  markdownToText,
  richTextToText,
} from '../../source/plain-text.ts';
import { quote } from '../../source/quote.ts';
import { noticeAt, shownValue } from '../../feed/adapter.ts';
import { compileMapping, CONTENTFUL_CONVENTION } from '../mapping/cms-mapping.ts';
import type { ContentfulSettings } from '../mapping/cms-settings.ts';
import {
  createBrokenReference,
  createEntry,
  createMarkup,
  createUrlImage,
  type CmsEntry,
  type CmsImage,
} from '../mapping/cms-value.ts';
import { findImageByUrl, toAbsoluteUrl } from '../mapping/map-entry.ts';
import type { CmsExport } from './adapter.ts';
import { collectRecords, type CmsItem } from './collect-records.ts';
/** The adapter of a space export of Contentful: one JSON file for each space. */
export function createContentfulAdapter(settings: ContentfulSettings): (file: OpenedFile) => Promise<CmsExport> {
  const mapping = compileMapping(settings.mapping, CONTENTFUL_CONVENTION);
  return async (file) => {
    const space = new ContentfulSpace(file, await readJson(file), settings.locale);
    return collectRecords(listItems(file, space), {
      source: file.source,
      path: file.path,
      mapping,
      findImage: findImageByUrl,
    });
  };
}

function* listItems(file: OpenedFile, space: ContentfulSpace): Generator<CmsItem> {
  for (const [index, value] of space.entries.entries()) {
    const origin = { source: file.source, file: file.path, line: index + 1, list: 'entries' };
    const entry = space.describe(value);
    if (entry === undefined) {
      const facts = { field: 'entries', expected: 'an entry with sys.id and a content type', ...shownValue(value) };
      yield { kind: 'broken', type: undefined, notice: noticeAt(origin, 'malformed-record', facts) };
      continue;
    }
    const { state } = entry;
    yield {
      kind: 'entry',
      entry: entry.open(),
      origin,
      isChanged: state === 'changed',
      unpublished:
        state === 'draft' || state === 'archived'
          ? { field: 'sys.publishedVersion', expected: 'a published entry', found: state }
          : undefined,
    };
  }
}

/**
 * `changed`: published, and edited since; the export holds the edits. An export by the delivery API holds only entries
 * that are `published`.
 */
type EntryState = 'published' | 'changed' | 'draft' | 'archived';

type TextForm = 'markdown' | 'lines';

/** The editors of Contentful that write no markup. */
const PLAIN_EDITORS: readonly string[] = ['singleLine', 'multipleLine', 'dropdown', 'radio', 'urlEditor', 'slugEditor'];

interface DescribedEntry {
  readonly state: EntryState;
  open(): CmsEntry;
}

/** An export of a space in one locale, by default that of the space. Entries are opened on demand. */
class ContentfulSpace {
  /** As the file has them. */
  readonly entries: readonly unknown[];
  readonly #entries: ReadonlyMap<string, JsonObject>;
  readonly #assets: ReadonlyMap<string, JsonObject>;
  /** The locale, and those that it falls back to. */
  readonly #locales: readonly string[];
  /** The localized fields of each content type. */
  readonly #localizedFields: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #textForms: ReadonlyMap<string, ReadonlyMap<string, TextForm>>;
  readonly #defaultLocale: string;

  /** @throws {SourceError} when the value is not an export of a space, or has no such locale. */
  constructor(file: OpenedFile, value: unknown, locale: string | undefined) {
    if (!isJsonObject(value) || !Array.isArray(value['entries'])) {
      const expected = 'the export of a space, an object with entries, assets and locales';
      throw sourceMalformed(file, undefined, `expected ${expected}, got ${quote(value)}`);
    }
    this.entries = listAt(file, value, 'entries');
    this.#entries = indexById(this.entries);
    this.#assets = indexById(listAt(file, value, 'assets'));
    const locales = listAt(file, value, 'locales').filter(isJsonObject);
    const defaultLocale = codeOf(locales.find((each) => each['default'] === true)) ?? codeOf(locales[0]) ?? locale;
    if (defaultLocale === undefined) {
      throw sourceMalformed(
        file,
        undefined,
        'expected the locales of the space, or one that `locale` of the configuration names, got neither',
      );
    }
    this.#defaultLocale = defaultLocale;
    this.#locales = localeChain(file, locales, locale ?? defaultLocale);
    const contentTypes = listAt(file, value, 'contentTypes');
    this.#localizedFields = findLocalizedFields(contentTypes);
    this.#textForms = findTextForms(contentTypes, listAt(file, value, 'editorInterfaces'));
  }

  /** Undefined when the value is not an entry. */
  describe(value: unknown): DescribedEntry | undefined {
    const sys = valueAt(value, 'sys');
    const type = valueAt(sys, 'contentType', 'sys', 'id');
    if (!isJsonObject(value) || typeof valueAt(sys, 'id') !== 'string' || typeof type !== 'string') return undefined;
    return { state: stateOf(sys), open: () => this.#open(value, type) };
  }

  #open(value: JsonObject, type: string): CmsEntry {
    const localized = this.#localizedFields.get(type);
    return createEntry(type, (key) => {
      if (key === 'sys') return valueAt(value, 'sys');
      const texts = valueAt(value, 'fields', key);
      const isLocalized = localized?.has(key) ?? false;
      const found = this.#inLocale(texts, isLocalized);
      const resolved = Array.isArray(found) ? found.map((item) => this.#resolve(item)) : this.#resolve(found);
      return typeof resolved === 'string' ? this.#openText(type, key, resolved) : resolved;
    });
  }

  /** Finds the markup by content type and editor; without a content type in the export, by the text itself. */
  #openText(type: string, key: string, text: string): unknown {
    const forms = this.#textForms.get(type);
    switch (forms === undefined ? 'unknown' : forms.get(key)) {
      case 'markdown':
        return createMarkup(text, markdownToText);
      case 'lines':
        return hasHtmlTag(text) ? createMarkup(text, htmlToText) : text;
      case 'unknown':
        return hasHtmlTag(text) || looksLikeMarkdown(text) ? createMarkup(text, markdownToText) : text;
      case undefined:
        return text;
    }
  }

  /** A field that is not localized has its value in the default locale only. */
  #inLocale(texts: unknown, isLocalized: boolean): unknown {
    const locales = isLocalized ? this.#locales : [...this.#locales, this.#defaultLocale];
    for (const locale of locales) {
      const value = valueAt(texts, locale);
      if (value !== undefined && value !== null) return value;
    }
    return undefined;
  }

  #resolve(value: unknown): unknown {
    if (isRichTextDocument(value)) return richTextToText(value);
    const sys = valueAt(value, 'sys');
    const id = valueAt(sys, 'id');
    if (valueAt(sys, 'type') !== 'Link' || typeof id !== 'string') return value;
    return valueAt(sys, 'linkType') === 'Asset' ? this.#resolveAsset(id) : this.#resolveEntry(id);
  }

  #resolveEntry(id: string): unknown {
    const entry = this.describe(this.#entries.get(id));
    if (entry === undefined) return createBrokenReference(`entry ${id}`);
    const isServed = entry.state === 'published' || entry.state === 'changed';
    return isServed ? entry.open() : createBrokenReference(`entry ${id}, which is ${entry.state}`);
  }

  #resolveAsset(id: string): unknown {
    const asset = this.#assets.get(id);
    if (asset === undefined) return createBrokenReference(`asset ${id}`);
    const state = stateOf(valueAt(asset, 'sys'));
    if (state === 'draft' || state === 'archived') return createBrokenReference(`asset ${id}, which is ${state}`);
    const file = this.#inLocale(valueAt(asset, 'fields', 'file'), false);
    return (
      contentfulImage(valueAt(file, 'url'), valueAt(file, 'contentType')) ??
      createBrokenReference(`asset ${id}, which is no picture`)
    );
  }
}

function listAt(file: OpenedFile, value: JsonObject, key: string): readonly unknown[] {
  const list = valueAt(value, key) ?? [];
  if (!Array.isArray(list)) throw sourceMalformed(file, undefined, `expected ${key} to be a list, got ${quote(list)}`);
  return list as readonly unknown[];
}

function indexById(values: readonly unknown[]): ReadonlyMap<string, JsonObject> {
  return new Map(
    values.flatMap((value): [string, JsonObject][] => {
      const id = valueAt(value, 'sys', 'id');
      return typeof id === 'string' && isJsonObject(value) ? [[id, value]] : [];
    }),
  );
}

function localeChain(file: OpenedFile, locales: readonly JsonObject[], first: string): readonly string[] {
  const fallbacks = new Map(locales.map((each) => [codeOf(each), each['fallbackCode']]));
  if (fallbacks.size > 0 && !fallbacks.has(first)) {
    const known = [...fallbacks.keys()].join(', ');
    const expected = `the locale ${quote(first)} that the configuration names`;
    throw sourceMalformed(file, undefined, `expected ${expected}, got ${quote(known)}`);
  }
  const chain = new Set<string>();
  for (let code: unknown = first; typeof code === 'string' && !chain.has(code); code = fallbacks.get(code))
    chain.add(code);
  return [...chain];
}

/** What `read` makes of the fields of each content type. */
function mapContentTypes<Result>(
  contentTypes: readonly unknown[],
  read: (type: string, fields: readonly unknown[]) => Result,
): ReadonlyMap<string, Result> {
  return new Map(
    contentTypes.flatMap((type): [string, Result][] => {
      const id = valueAt(type, 'sys', 'id');
      const fields = valueAt(type, 'fields');
      return typeof id === 'string' && Array.isArray(fields) ? [[id, read(id, fields)]] : [];
    }),
  );
}

function findLocalizedFields(contentTypes: readonly unknown[]): ReadonlyMap<string, ReadonlySet<string>> {
  return mapContentTypes(contentTypes, (_type, fields) => {
    const localized = fields.filter((field) => valueAt(field, 'localized') === true);
    return new Set(localized.map((field) => String(valueAt(field, 'id'))));
  });
}

/** The fields of long text: Markdown, unless Contentful shows them in a plain editor. */
function findTextForms(
  contentTypes: readonly unknown[],
  editorInterfaces: readonly unknown[],
): ReadonlyMap<string, ReadonlyMap<string, TextForm>> {
  const plain = new Set<string>();
  for (const editors of editorInterfaces) {
    const type = valueAt(editors, 'sys', 'contentType', 'sys', 'id');
    const controls = valueAt(editors, 'controls');
    for (const control of Array.isArray(controls) ? (controls as readonly unknown[]) : []) {
      const widget = valueAt(control, 'widgetId') ?? 'markdown';
      const isPlain = typeof widget === 'string' && PLAIN_EDITORS.includes(widget);
      if (isPlain) plain.add(`${String(type)}\n${String(valueAt(control, 'fieldId'))}`);
    }
  }
  return mapContentTypes(contentTypes, (type, fields) => {
    const texts = fields
      .filter((field) => valueAt(field, 'type') === 'Text')
      .map((field) => String(valueAt(field, 'id')));
    return new Map(texts.map((key) => [key, plain.has(`${type}\n${key}`) ? 'lines' : 'markdown']));
  });
}

/** The management API counts versions: publishing version 3 makes it 4, and every edit adds one. */
function stateOf(sys: unknown): EntryState {
  const [version, publishedVersion] = [valueAt(sys, 'version'), valueAt(sys, 'publishedVersion')];
  if (typeof valueAt(sys, 'archivedVersion') === 'number') return 'archived';
  if (typeof publishedVersion !== 'number') return typeof valueAt(sys, 'revision') === 'number' ? 'published' : 'draft';
  return typeof version === 'number' && version > publishedVersion + 1 ? 'changed' : 'published';
}

function codeOf(locale: JsonObject | undefined): string | undefined {
  const code = locale?.['code'];
  return typeof code === 'string' ? code : undefined;
}

const CONVERTIBLE = /^image\/(?:jpeg|png|gif|webp|avif)$/;

const IMAGE_HOST = /^images\.(?:eu\.)?(?:ctfassets\.net|contentful\.com)$/;

/** The limit of a record's URL, less room for the parameters. */
const MAX_URL_LENGTH = 1_900;

/**
 * The picture of an asset; undefined when it is not a picture. The image service of Contentful converts size and format
 * by URL parameters, so every key gets the picture of the specification: fitted into the box, padded, white where the
 * format has no transparency (D7).
 */
function contentfulImage(url: unknown, contentType: unknown): CmsImage | undefined {
  if (typeof url !== 'string' || typeof contentType !== 'string' || !contentType.startsWith('image/')) return undefined;
  const absolute = toAbsoluteUrl(url);
  if (!isWebUrl(absolute) || absolute.length > MAX_URL_LENGTH) return undefined;
  const { hostname, search } = new URL(absolute);
  if (!CONVERTIBLE.test(contentType) || !IMAGE_HOST.test(hostname) || search !== '')
    return createUrlImage(() => absolute);
  return createUrlImage(({ width, height }, format) => {
    const background = format === 'jpg' ? '&bg=rgb:ffffff' : '';
    return `${absolute}?w=${width}&h=${height}&fit=pad&fm=${format}${background}`;
  });
}
