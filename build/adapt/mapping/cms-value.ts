import type { Format } from '../../../data/field/image.ts';

/** Distinguishes our values from the JSON of the export, which has no symbols. */
const CMS_KIND = Symbol('kind of CMS value');

/** A record of a CMS, or a part of one, that a path steps into. `get` follows links. */
export interface CmsEntry {
  readonly [CMS_KIND]: 'entry';
  /** `api::phone.phone` */
  readonly type: string;
  /** The value of a field: JSON, a value of this file, or a list of them. */
  get(key: string): unknown;
}

export interface CmsImage {
  readonly [CMS_KIND]: 'picture';
  /** A source image in the export, relative to the file that names it; undefined when there is only a URL. */
  readonly file: string | undefined;
  /** The URL of the picture in a box of pixels, where the CMS can resize it. */
  urlOf(box: { readonly width: number; readonly height: number }, format: Format): string;
}

export interface CmsMarkup {
  readonly [CMS_KIND]: 'markup';
  readonly raw: string;
  toText(): string;
}

/** A link to an entry or asset that the export lacks, or has unpublished. */
export interface BrokenReference {
  readonly [CMS_KIND]: 'broken-reference';
  /** `asset 7orLdboQ` */
  readonly target: string;
}

export function createEntry(type: string, get: (key: string) => unknown): CmsEntry {
  return { [CMS_KIND]: 'entry', type, get };
}

export function createFileImage(file: string): CmsImage {
  return { [CMS_KIND]: 'picture', file, urlOf: () => file };
}

export function createUrlImage(urlOf: CmsImage['urlOf']): CmsImage {
  return { [CMS_KIND]: 'picture', file: undefined, urlOf };
}

export function createBrokenReference(target: string): BrokenReference {
  return { [CMS_KIND]: 'broken-reference', target };
}

export function createMarkup(raw: string, toPlain: (raw: string) => string): CmsMarkup {
  return { [CMS_KIND]: 'markup', raw, toText: () => toPlain(raw) };
}

export function isEntry(value: unknown): value is CmsEntry {
  return kindOf(value) === 'entry';
}

export function isImage(value: unknown): value is CmsImage {
  return kindOf(value) === 'picture';
}

export function isMarkup(value: unknown): value is CmsMarkup {
  return kindOf(value) === 'markup';
}

export function isBrokenReference(value: unknown): value is BrokenReference {
  return kindOf(value) === 'broken-reference';
}

function kindOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !(CMS_KIND in value)) return undefined;
  return value[CMS_KIND] as string;
}
