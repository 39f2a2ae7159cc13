import { isWebUrl } from '../../data/record/product.ts';
import { sourceMalformed } from '../source/errors.ts';
import { isJsonObject, readJson, valueAt, type JsonObject } from '../source/json.ts';
import type { OpenedFile } from '../source/open-file.ts';
import {
  hasHtmlTag,
  htmlToText,
  isRichTextDocument,
  looksLikeMarkdown,
  markdownToText,
  richTextToText,
} from '../source/plain-text.ts';
import { quote } from '../source/quote.ts';
import { noticeAt, shownValue } from '../source/notice-at.ts';
import { compileMapping, CONTENTFUL_CONVENTION } from './mapping.ts';
import type { ContentfulSettings } from './settings.ts';
import { BrokenReference, CmsEntry, CmsImage, CmsMarkup } from './value.ts';
import { findImageByUrl, toAbsoluteUrl } from './convert-value.ts';
import { mapEntries, type CmsItem } from './map-entries.ts';
import type { RecordCollector } from './record-collector.ts';

/** The adapter of a space export of Contentful: one JSON file for each space. */
export function createContentfulAdapter(
  settings: ContentfulSettings,
): (file: OpenedFile, collector: RecordCollector) => Promise<void> {
  const mapping = compileMapping(settings.mapping, CONTENTFUL_CONVENTION);
  return async (file, collector) => {
    const items = new ContentfulSpace(file, await readJson(file), settings.locale).items();
    mapEntries({ source: file.source, path: file.path, items, findImage: findImageByUrl }, mapping, collector);
  };
}

/**
 * `changed`: published, and edited since; the export holds the edits. An export by the delivery API holds only entries
 * that are `published`.
 */
type EntryState = 'published' | 'changed' | 'draft' | 'archived';

interface FieldType {
  readonly isLocalized: boolean;
  /** How a long text is written: Markdown, unless Contentful shows it in a plain editor. */
  readonly form: 'markdown' | 'lines' | undefined;
}

/** An export of a space in one locale, by default that of the space. */
class ContentfulSpace {
  readonly #file: OpenedFile;
  readonly #export: JsonObject;
  readonly #entries: ReadonlyMap<string, JsonObject>;
  readonly #assets: ReadonlyMap<string, JsonObject>;
  /** The locale, and those that it falls back to. */
  readonly #locales: readonly string[];
  readonly #defaultLocale: string;
  readonly #fieldTypes: ReadonlyMap<string, ReadonlyMap<string, FieldType>>;

  /** @throws {SourceError} when the value is not an export of a space, or has no such locale. */
  constructor(file: OpenedFile, value: unknown, locale: string | undefined) {
    if (!isJsonObject(value) || !Array.isArray(value['entries'])) {
      const expected = 'the export of a space, an object with entries, assets and locales';
      throw sourceMalformed(file, undefined, `expected ${expected}, got ${quote(value)}`);
    }
    this.#file = file;
    this.#export = value;
    this.#entries = indexById(this.#list('entries'));
    this.#assets = indexById(this.#list('assets'));
    const locales = this.#list('locales').filter(isJsonObject);
    const defaultLocale = codeOf(locales.find((each) => each['default'] === true)) ?? codeOf(locales[0]) ?? locale;
    if (defaultLocale === undefined) {
      const expected = 'the locales of the space, or one that `locale` of the configuration names';
      throw sourceMalformed(file, undefined, `expected ${expected}, got neither`);
    }
    this.#defaultLocale = defaultLocale;
    this.#locales = localeChain(file, locales, locale ?? defaultLocale);
    this.#fieldTypes = findFieldTypes(this.#list('contentTypes'), this.#list('editorInterfaces'));
  }

  *items(): Generator<CmsItem> {
    for (const [index, value] of this.#list('entries').entries()) {
      const origin = { source: this.#file.source, file: this.#file.path, line: index + 1, list: 'entries' };
      const entry = this.#open(value);
      if (entry === undefined) {
        const facts = { field: 'entries', expected: 'an entry with sys.id and a content type', ...shownValue(value) };
        yield { kind: 'broken', type: undefined, notice: noticeAt(origin, 'malformed-record', facts) };
        continue;
      }
      const state = stateOf(value);
      const facts = { field: 'sys.publishedVersion', expected: 'a published entry', found: state };
      yield {
        kind: 'entry',
        entry,
        origin,
        isChanged: state === 'changed',
        unpublished: isServed(state) ? undefined : facts,
      };
    }
  }

  #list(key: string): readonly unknown[] {
    const list = valueAt(this.#export, key) ?? [];
    if (Array.isArray(list)) return list;
    throw sourceMalformed(this.#file, undefined, `expected ${key} to be a list, got ${quote(list)}`);
  }

  /** Undefined when the value is not an entry. */
  #open(value: unknown): CmsEntry | undefined {
    const type = valueAt(value, 'sys', 'contentType', 'sys', 'id');
    if (typeof valueAt(value, 'sys', 'id') !== 'string' || typeof type !== 'string') return undefined;
    const fieldTypes = this.#fieldTypes.get(type);
    return new CmsEntry(type, (key) => {
      if (key === 'sys') return valueAt(value, 'sys');
      const fieldType = fieldTypes?.get(key);
      const found = this.#inLocale(valueAt(value, 'fields', key), fieldType?.isLocalized === true);
      const resolved = Array.isArray(found) ? found.map((item) => this.#resolve(item)) : this.#resolve(found);
      if (typeof resolved !== 'string') return resolved;
      return fieldTypes === undefined ? openUndeclared(resolved) : openText(resolved, fieldType?.form);
    });
  }

  /** A field that is not localized has its value in the default locale only. */
  #inLocale(texts: unknown, isLocalized: boolean): unknown {
    const locales = isLocalized ? this.#locales : [...this.#locales, this.#defaultLocale];
    return locales.map((locale) => valueAt(texts, locale)).find((value) => value !== undefined && value !== null);
  }

  #resolve(value: unknown): unknown {
    if (isRichTextDocument(value)) return richTextToText(value);
    const id = valueAt(value, 'sys', 'id');
    if (valueAt(value, 'sys', 'type') !== 'Link' || typeof id !== 'string') return value;
    const isAsset = valueAt(value, 'sys', 'linkType') === 'Asset';
    const name = `${isAsset ? 'asset' : 'entry'} ${id}`;
    const target = (isAsset ? this.#assets : this.#entries).get(id);
    const entry = isAsset ? undefined : this.#open(target);
    if (target === undefined || (!isAsset && entry === undefined)) return new BrokenReference(name);
    const state = stateOf(target);
    if (!isServed(state)) return new BrokenReference(`${name}, which is ${state}`);
    if (entry !== undefined) return entry;
    const file = this.#inLocale(valueAt(target, 'fields', 'file'), false);
    const image = contentfulImage(valueAt(file, 'url'), valueAt(file, 'contentType'));
    return image ?? new BrokenReference(`${name}, which is no picture`);
  }
}

function openText(text: string, form: FieldType['form']): unknown {
  if (form === 'markdown') return new CmsMarkup(text, markdownToText);
  return form === 'lines' && hasHtmlTag(text) ? new CmsMarkup(text, htmlToText) : text;
}

/** Without a content type in the export, the text itself shows whether it is markup. */
function openUndeclared(text: string): unknown {
  return hasHtmlTag(text) || looksLikeMarkdown(text) ? new CmsMarkup(text, markdownToText) : text;
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

/** The editors of Contentful that write no markup. */
const PLAIN_EDITORS: readonly unknown[] = [
  'singleLine',
  'multipleLine',
  'dropdown',
  'radio',
  'urlEditor',
  'slugEditor',
];

/** The fields of each content type. */
function findFieldTypes(
  contentTypes: readonly unknown[],
  editorInterfaces: readonly unknown[],
): ReadonlyMap<string, ReadonlyMap<string, FieldType>> {
  const plain = new Set<string>();
  for (const editors of editorInterfaces) {
    const type = valueAt(editors, 'sys', 'contentType', 'sys', 'id');
    for (const control of arrayOf(valueAt(editors, 'controls'))) {
      if (PLAIN_EDITORS.includes(valueAt(control, 'widgetId')))
        plain.add(`${String(type)}\n${String(valueAt(control, 'fieldId'))}`);
    }
  }
  return new Map(
    contentTypes.flatMap((contentType): [string, ReadonlyMap<string, FieldType>][] => {
      const type = valueAt(contentType, 'sys', 'id');
      const fields = valueAt(contentType, 'fields');
      if (typeof type !== 'string' || !Array.isArray(fields)) return [];
      const types = fields.map((field): [string, FieldType] => {
        const id = String(valueAt(field, 'id'));
        const form = plain.has(`${type}\n${id}`) ? 'lines' : 'markdown';
        const isText = valueAt(field, 'type') === 'Text';
        return [id, { isLocalized: valueAt(field, 'localized') === true, form: isText ? form : undefined }];
      });
      return [[type, new Map(types)]];
    }),
  );
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The management API counts versions: publishing version 3 makes it 4, and every edit adds one. */
function stateOf(value: unknown): EntryState {
  const sys = valueAt(value, 'sys');
  const [version, publishedVersion] = [valueAt(sys, 'version'), valueAt(sys, 'publishedVersion')];
  if (typeof valueAt(sys, 'archivedVersion') === 'number') return 'archived';
  if (typeof publishedVersion !== 'number') return typeof valueAt(sys, 'revision') === 'number' ? 'published' : 'draft';
  return typeof version === 'number' && version > publishedVersion + 1 ? 'changed' : 'published';
}

function isServed(state: EntryState): boolean {
  return state === 'published' || state === 'changed';
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
  const isConvertible = CONVERTIBLE.test(contentType) && IMAGE_HOST.test(hostname) && search === '';
  return new CmsImage(undefined, ({ width, height }, format) => {
    const background = format === 'jpg' ? '&bg=rgb:ffffff' : '';
    return isConvertible ? `${absolute}?w=${width}&h=${height}&fit=pad&fm=${format}${background}` : absolute;
  });
}
