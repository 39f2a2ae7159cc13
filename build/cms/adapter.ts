import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Format } from '../../data/field/image.ts';
import { isWebUrl } from '../../data/record/product.ts';
import type { SourceFile } from '../source/find-files.ts';
import type { OpenedFile } from '../source/open-file.ts';
import type { RecordCollector } from './catalogue.ts';

/** The files of a CMS source, and what an adapter may do with them. */
export interface CmsInput {
  readonly source: string;
  readonly folder: string;
  /** The files that match the globs, sorted by path; at least one. */
  readonly files: readonly SourceFile[];
  /** Opens a file to be read once. It may be one that no glob names, in the folder of one that is named. */
  readonly open: (file: SourceFile) => OpenedFile;
  /** Takes the source images in archives, if they are rendered. */
  readonly unpacked?: UnpackedImages | undefined;
}

/**
 * Reads a CMS source. A malformed record does not affect the others.
 *
 * @throws {SourceError} when a file cannot be read to its end, or is not in the adapter's format.
 */
export type CmsAdapter = (input: CmsInput, collector: RecordCollector) => Promise<void>;

/**
 * The source images of archives, unpacked into temporary files until they are rendered. An archive counts as a folder:
 * `cms/export.tar.gz/assets/uploads/front.png` is the path of a picture in it. The files have generated names: a name in
 * an archive never becomes a path on the disk.
 */
export class UnpackedImages {
  #folder: Promise<string> | undefined;
  readonly #files = new Map<string, string>();

  async keep(path: string, bytes: AsyncIterable<Buffer>): Promise<void> {
    this.#folder ??= mkdtemp(join(tmpdir(), 'deals-originals-'));
    const file = join(await this.#folder, String(this.#files.size));
    this.#files.set(path, file);
    await pipeline(Readable.from(bytes), createWriteStream(file));
  }

  /** The file of a source image; `path` is relative to the file that names it. */
  find(namingFile: string, path: string): string | undefined {
    return this.#files.get(posix.join(posix.dirname(namingFile), path));
  }

  async remove(): Promise<void> {
    if (this.#folder !== undefined) await rm(await this.#folder, { recursive: true, force: true });
  }
}

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

/** A link to an entry or asset that the export lacks, or has unpublished. */
export class BrokenReference {
  /** `asset 7orLdboQ` */
  readonly target: string;

  constructor(target: string) {
    this.target = target;
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

/** `//images.ctfassets.net/…` has no scheme: a page supplies it, a catalogue cannot. */
export function toAbsoluteUrl(url: string): string {
  return url.startsWith('//') ? `https:${url}` : url;
}

/** A picture that has a URL only. */
export function findImageByUrl(text: string): CmsImage | undefined {
  const url = toAbsoluteUrl(text);
  return isWebUrl(url) && url.length <= 2_000 ? new CmsImage(undefined, () => url) : undefined;
}
