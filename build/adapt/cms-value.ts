import type { Format } from '../../data/field/image.ts';

/** Tells what we made from what the export holds: no JSON has a symbol. */
const CMS_KIND = Symbol('kind of CMS value');

/** A record of a CMS, or a part of one, that a path steps into. Links are followed when they are stepped over. */
export interface CmsEntry {
  readonly [CMS_KIND]: 'entry';
  /** `api::phone.phone` */
  readonly type: string;
  /** The value of a field: JSON, one of the kinds of this file, or a list of them; undefined when there is none. */
  get(key: string): unknown;
}

/** A picture of a CMS. */
export interface CmsPicture {
  readonly [CMS_KIND]: 'picture';
  /** An original beside the export, relative to the file that names it; undefined when there is only a URL. */
  readonly file: string | undefined;
  /** The URL of the picture in a box of pixels, or as near to that as the CMS can. */
  urlOf(box: { readonly width: number; readonly height: number }, format: Format): string;
}

/** A text that is written in a markup, Markdown or HTML. */
export interface CmsMarkup {
  readonly [CMS_KIND]: 'markup';
  readonly raw: string;
  toPlain(): string;
}

/** A link to something that the export does not hold, or does not hold published. */
export interface DeadLink {
  readonly [CMS_KIND]: 'dead-link';
  /** What it leads to, as far as that is known: `asset 7orLdboQ`. */
  readonly target: string;
}

export function createEntry(type: string, get: (key: string) => unknown): CmsEntry {
  return { [CMS_KIND]: 'entry', type, get };
}

export function createFilePicture(file: string): CmsPicture {
  return { [CMS_KIND]: 'picture', file, urlOf: () => file };
}

export function createUrlPicture(urlOf: CmsPicture['urlOf']): CmsPicture {
  return { [CMS_KIND]: 'picture', file: undefined, urlOf };
}

export function createDeadLink(target: string): DeadLink {
  return { [CMS_KIND]: 'dead-link', target };
}

export function createMarkup(raw: string, toPlain: (raw: string) => string): CmsMarkup {
  return { [CMS_KIND]: 'markup', raw, toPlain: () => toPlain(raw) };
}

export function isEntry(value: unknown): value is CmsEntry {
  return kindOf(value) === 'entry';
}

export function isPicture(value: unknown): value is CmsPicture {
  return kindOf(value) === 'picture';
}

export function isMarkup(value: unknown): value is CmsMarkup {
  return kindOf(value) === 'markup';
}

export function isDeadLink(value: unknown): value is DeadLink {
  return kindOf(value) === 'dead-link';
}

function kindOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !(CMS_KIND in value)) return undefined;
  return value[CMS_KIND] as string;
}
