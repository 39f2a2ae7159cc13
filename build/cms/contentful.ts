import { z } from 'zod';
import { isWebUrl } from '../../data/record/product.ts';
import { richTextToText } from '../source/clean-text.ts';
import { noticeAt, shownValue, sourceMalformed } from '../source/errors.ts';
import { isJsonObject, readJson, valueAt, type JsonObject } from '../source/json.ts';
import type { OpenedFile } from '../source/open-file.ts';
import { quote } from '../source/quote.ts';
import { BrokenReference, CmsEntry, CmsImage, toAbsoluteUrl, type CmsAdapter } from './adapter.ts';
import { MODELLED_FIELDS } from './fields.ts';
import { EntryMapper } from './map-entries.ts';
import { compileMapping, MAPPING_SCHEMA, type MappingSettings } from './mapping.ts';

const CONVENTION = {
  typeOf: (noun: string) => noun.replace('-c', 'C'),
  fields: { ...MODELLED_FIELDS, updatedAt: ['sys.updatedAt'] },
  createdAt: 'sys.createdAt',
  texts: 'markup',
} as const;

/** Space exports of Contentful: one JSON file for each space. */
export const contentful = {
  settings: {
    mapping: MAPPING_SCHEMA,
    locale: z
      .string()
      .min(1)
      .max(50)
      .optional()
      .meta({ description: "the space's own default if absent", examples: ['en-GB'] }),
  },
  create: ({ mapping: settings, locale }: { mapping: MappingSettings; locale?: string | undefined }): CmsAdapter => {
    const mapping = compileMapping(settings, CONVENTION);
    return async ({ source, files, open }, collector) => {
      for (const found of files) {
        const file = open(found);
        const mapper = new EntryMapper(mapping, collector);
        mapSpace(file, await readJson(file), locale, mapper);
        mapper.finish(source, file.path);
      }
    };
  },
};

/**
 * `changed`: published, and edited since; the export holds the edits. An export by the delivery API holds only entries
 * that are `published`.
 */
type EntryState = 'published' | 'changed' | 'draft' | 'archived';

/**
 * Maps the entries of an export of a space in one locale, by default that of the space.
 *
 * @throws {SourceError} when the value is not an export of a space, or has no such locale.
 */
function mapSpace(file: OpenedFile, space: unknown, locale: string | undefined, mapper: EntryMapper): void {
  if (!isJsonObject(space) || !Array.isArray(space['entries'])) {
    const expected = 'the export of a space, an object with entries, assets and locales';
    throw sourceMalformed(file, undefined, `expected ${expected}, got ${quote(space)}`);
  }
  const values = listIn('entries');
  const entries = indexById(values);
  const assets = indexById(listIn('assets'));
  const locales = listIn('locales').filter(isJsonObject);
  const defaultLocale = (locales.find((each) => each['default'] === true) ?? locales[0])?.['code'];
  const chain = localeChain(file, locales, locale ?? defaultLocale);
  const localized = findLocalizedFields(listIn('contentTypes'));

  for (const [index, value] of values.entries()) {
    const origin = { source: file.source, file: file.path, line: index + 1, list: 'entries' };
    const entry = open(value);
    if (entry === undefined) {
      const facts = { field: 'entries', expected: 'an entry with sys.id and a content type' };
      mapper.exclude(undefined, noticeAt(origin, { code: 'malformed-record', ...facts, ...shownValue(value) }));
      continue;
    }
    const state = stateOf(value);
    const facts = { field: 'sys.publishedVersion', expected: 'a published entry', found: state };
    const notices = state === 'changed' ? [{ code: 'changed-since-published' } as const] : [];
    mapper.add(entry, origin, { notices, unpublished: SERVED.includes(state) ? undefined : facts });
  }

  function listIn(key: string): readonly unknown[] {
    const list = valueAt(space, key) ?? [];
    if (Array.isArray(list)) return list;
    throw sourceMalformed(file, undefined, `expected ${key} to be a list, got ${quote(list)}`);
  }

  /** Undefined when the value is not an entry. */
  function open(value: unknown): CmsEntry | undefined {
    const type = valueAt(value, 'sys', 'contentType', 'sys', 'id');
    if (typeof valueAt(value, 'sys', 'id') !== 'string' || typeof type !== 'string') return undefined;
    return new CmsEntry(type, (key) => {
      if (key === 'sys') return valueAt(value, 'sys');
      const found = inLocale(valueAt(value, 'fields', key), localized.has(`${type}.${key}`));
      return Array.isArray(found) ? found.map(resolve) : resolve(found);
    });
  }

  /** A field that is not localized has its value in the default locale only. */
  function inLocale(texts: unknown, isLocalized: boolean): unknown {
    const codes = isLocalized ? chain : [...chain, String(defaultLocale)];
    return codes.map((code) => valueAt(texts, code)).find((value) => value !== undefined && value !== null);
  }

  function resolve(value: unknown): unknown {
    const id = valueAt(value, 'sys', 'id');
    if (valueAt(value, 'sys', 'type') !== 'Link' || typeof id !== 'string') return richTextToText(value);
    const isAsset = valueAt(value, 'sys', 'linkType') === 'Asset';
    const name = `${isAsset ? 'asset' : 'entry'} ${id}`;
    const target = (isAsset ? assets : entries).get(id);
    const entry = isAsset ? undefined : open(target);
    if (target === undefined || (!isAsset && entry === undefined)) return new BrokenReference(name);
    const state = stateOf(target);
    if (!SERVED.includes(state)) return new BrokenReference(`${name}, which is ${state}`);
    if (entry !== undefined) return entry;
    const file = inLocale(valueAt(target, 'fields', 'file'), false);
    return (
      contentfulImage(valueAt(file, 'url'), valueAt(file, 'contentType')) ??
      new BrokenReference(`${name}, which is no picture`)
    );
  }
}

function indexById(values: readonly unknown[]): ReadonlyMap<unknown, unknown> {
  return new Map(values.map((value) => [valueAt(value, 'sys', 'id'), value]));
}

/** The locales in which a value is looked for. */
function localeChain(file: OpenedFile, locales: readonly JsonObject[], first: unknown): readonly string[] {
  const fallbacks = new Map(locales.map(({ code, fallbackCode }) => [code, fallbackCode]));
  if (typeof first !== 'string' || !fallbacks.has(first)) {
    const expected = first === undefined ? 'locales' : `the locale ${quote(first)} of the configuration`;
    throw sourceMalformed(file, undefined, `expected ${expected}, got ${quote([...fallbacks.keys()].join(', '))}`);
  }
  const chain = new Set<string>();
  for (let code: unknown = first; typeof code === 'string' && !chain.has(code); code = fallbacks.get(code))
    chain.add(code);
  return [...chain];
}

/** The fields that have a value for each locale: `phone.title`. */
function findLocalizedFields(contentTypes: readonly unknown[]): ReadonlySet<string> {
  const names = contentTypes.flatMap((contentType) => {
    const fields = valueAt(contentType, 'fields');
    const localized = Array.isArray(fields) ? fields.filter((field) => valueAt(field, 'localized') === true) : [];
    return localized.map((field) => `${String(valueAt(contentType, 'sys', 'id'))}.${String(valueAt(field, 'id'))}`);
  });
  return new Set(names);
}

/** The management API counts versions: publishing version 3 makes it 4, and every edit adds one. */
function stateOf(value: unknown): EntryState {
  const sys = valueAt(value, 'sys');
  const [version, publishedVersion] = [valueAt(sys, 'version'), valueAt(sys, 'publishedVersion')];
  if (typeof valueAt(sys, 'archivedVersion') === 'number') return 'archived';
  if (typeof publishedVersion !== 'number') return typeof valueAt(sys, 'revision') === 'number' ? 'published' : 'draft';
  return typeof version === 'number' && version > publishedVersion + 1 ? 'changed' : 'published';
}

const SERVED: readonly EntryState[] = ['published', 'changed'];

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
