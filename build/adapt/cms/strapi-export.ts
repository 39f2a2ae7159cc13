import { join, posix } from 'node:path';
import fastGlob from 'fast-glob';
import { MAX_SOURCE_IMAGE_BYTES } from '../../image/source-image.ts';
import { createSourceError, sourceMalformed, type SourceError } from '../../source/errors.ts';
import { findSourceFiles, runGlob, type SourceFile } from '../../source/find-files.ts';
import type { OpenedFile } from '../../source/open-file.ts';
import { readTar } from '../../source/read-tar.ts';
import type { CmsInput } from './adapter.ts';
import type { StrapiPart, StrapiRows } from './strapi-rows.ts';

interface ImageReference {
  readonly namingFile: string;
  readonly path: string;
}

export interface StrapiExport {
  /** The file in notices about the whole export. */
  readonly path: string;
  /** Reads rows, links and schemas, and returns the names of the pictures that the export holds. */
  readInto(rows: StrapiRows): Promise<ReadonlySet<string>>;
  /** Makes these source images available to the image stage. */
  unpack(images: readonly ImageReference[]): Promise<void>;
}

/** The parts of an export that are read. Others, such as the settings of the CMS, are skipped. */
const PART_FILE = /(?:^|\/)(entities|links|schemas)\/[^/]+\.jsonl$/;
const ASSET_FILE = /(?:^|\/)assets\/uploads\/([^/]+)$/;

/** Any file in the folder of an export. */
const EXPORT_MEMBER =
  /(?:^|\/)(?:metadata\.json|(?:entities|links|schemas|configuration)\/[^/]+\.jsonl|assets\/(?:uploads|metadata)\/[^/]+)$/;

/**
 * The exports of a source. Any file in a folder identifies its export: `strapi/metadata.json` names the same export as
 * `strapi/**`.
 *
 * @throws {SourceError} for an encrypted export
 */
export function findStrapiExports(input: CmsInput): readonly StrapiExport[] {
  const exports = new Map<string, StrapiExport>();
  for (const file of input.files) {
    if (/\.enc$/i.test(file.path)) throw encrypted(file);
    const within = EXPORT_MEMBER.exec(file.path);
    const root = within === null ? file.path : file.path.slice(0, within.index);
    if (exports.has(root)) continue;
    exports.set(root, within === null ? new ArchiveExport(input, file) : new FolderExport(input, file, root));
  }
  return [...exports.values()];
}

class FolderExport implements StrapiExport {
  readonly path: string;
  readonly #input: CmsInput;
  readonly #file: SourceFile;
  readonly #root: string;

  constructor(input: CmsInput, file: SourceFile, root: string) {
    this.#input = input;
    this.#file = file;
    this.#root = root;
    this.path = posix.join(root, 'metadata.json');
  }

  async readInto(rows: StrapiRows): Promise<ReadonlySet<string>> {
    const { source, folder } = this.#input;
    const glob = posix.join(fastGlob.escapePath(this.#root), '{entities,links,schemas}/*.jsonl');
    let entityFiles = 0;
    for (const file of await findSourceFiles(folder, { name: source, files: [glob] })) {
      const part = PART_FILE.exec(file.path)?.[1] as StrapiPart;
      if (part === 'entities') entityFiles++;
      await rows.read(part, this.#input.open(file));
    }
    if (entityFiles === 0) throw noEntities(this.#file, posix.dirname(this.path));
    const assets = await runGlob(source, 'assets/uploads/*', { cwd: join(folder, this.#root) });
    return new Set(assets.map((name) => posix.basename(name)));
  }

  async unpack(): Promise<void> {
    // The files are already where the records say.
  }
}

class ArchiveExport implements StrapiExport {
  readonly path: string;
  readonly #input: CmsInput;
  readonly #file: SourceFile;

  constructor(input: CmsInput, file: SourceFile) {
    this.#input = input;
    this.#file = file;
    this.path = file.path;
  }

  async readInto(rows: StrapiRows): Promise<ReadonlySet<string>> {
    const assets = new Set<string>();
    let entityFiles = 0;
    for await (const entry of this.#entries()) {
      const asset = ASSET_FILE.exec(entry.name)?.[1];
      if (asset !== undefined) assets.add(asset);
      const match = PART_FILE.exec(entry.name);
      if (match === null) continue;
      const part = match[1] as StrapiPart;
      if (part === 'entities') entityFiles++;
      // The path starts at the part's folder, without the folders above it in the archive.
      const path = `${this.path}/${entry.name.slice(match.index).replace(/^\//, '')}`;
      const file: OpenedFile = { source: this.#input.source, path, chunks: entry.bytes };
      await rows.read(part, file);
    }
    if (entityFiles === 0) throw noEntities(this.#file, this.path);
    return assets;
  }

  /** Reads the archive a second time: its pictures come before the links that show which ones are needed. */
  async unpack(images: readonly ImageReference[]): Promise<void> {
    const needed = new Set(images.map(({ namingFile, path }) => posix.join(posix.dirname(namingFile), path)));
    if (needed.size === 0) return;
    for await (const { name, size, bytes } of this.#entries()) {
      const asset = ASSET_FILE.exec(name)?.[1];
      const path = `${this.path}/assets/uploads/${asset}`;
      if (asset === undefined || size > MAX_SOURCE_IMAGE_BYTES || !needed.delete(path)) continue;
      await this.#input.unpacked.keep(path, bytes);
    }
  }

  #entries(): ReturnType<typeof readTar> {
    return readTar(this.#input.open(this.#file));
  }
}

function encrypted(file: SourceFile): SourceError {
  const sentence = 'expected an export that is not encrypted; export again with `strapi export --no-encrypt`';
  return createSourceError('source-unreadable', file, undefined, sentence);
}

function noEntities(file: SourceFile, folder: string): SourceError {
  const expected = `the export of a Strapi, with files entities/*.jsonl in ${folder}`;
  return sourceMalformed(file, undefined, `expected ${expected}; name its metadata.json or its archive in \`files\``);
}
