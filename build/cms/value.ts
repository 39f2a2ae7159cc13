import type { Format } from '../../data/field/image.ts';
import { isRichText, looksLikeMarkup, markdownToText, richTextToText } from '../source/plain-text.ts';

/** An entry of a CMS, or a part of one. Its values are read on demand, since links may form a circle. */
export class CmsEntry {
  /** `api::phone.phone` */
  readonly type: string;
  /** The value of a field: JSON, a value of this file, or a list of them. */
  readonly get: (key: string) => unknown;

  constructor(type: string, get: CmsEntry['get']) {
    this.type = type;
    this.get = get;
  }
}

export class CmsImage {
  /** A source image in the export, relative to the file that names it; undefined when there is only a URL. */
  readonly file: string | undefined;
  /** The URL of the picture in a box of pixels, where the CMS can resize it. */
  readonly urlOf: (box: { readonly width: number; readonly height: number }, format: Format) => string;

  constructor(file: string | undefined, urlOf: CmsImage['urlOf'] = () => file ?? '') {
    this.file = file;
    this.urlOf = urlOf;
  }
}

/** A text with markup, which a text for people shows as plain text. */
export class CmsMarkup {
  readonly raw: string;

  constructor(raw: string) {
    this.raw = raw;
  }

  toPlain(): string {
    return markdownToText(this.raw);
  }
}

/** A value of an editor: rich text as plain text, a text that looks like markup as such, anything else as it is. */
export function openValue(value: unknown): unknown {
  if (typeof value === 'string') return looksLikeMarkup(value) ? new CmsMarkup(value) : value;
  return isRichText(value) ? richTextToText(value) : value;
}

/** A link to an entry or asset that the export lacks, or has unpublished. */
export class BrokenReference {
  /** `asset 7orLdboQ` */
  readonly target: string;

  constructor(target: string) {
    this.target = target;
  }
}
