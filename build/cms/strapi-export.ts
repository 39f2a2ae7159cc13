import { join, posix } from 'node:path';
import fastGlob from 'fast-glob';
import { MAX_SOURCE_IMAGE_BYTES } from '../image/source-image.ts';
import { createSourceError, sourceMalformed } from '../source/errors.ts';
import { findSourceFiles, runGlob, type SourceFile } from '../source/find-files.ts';
import { readTar } from '../source/read-tar.ts';
import type { OpenedFile } from '../source/open-file.ts';
import type { CmsInput } from './adapter.ts';

export interface StrapiExport {
  /** The file in notices about the whole export. */
  readonly path: string;
  /** Reads rows, links and schemas, and returns the names of the pictures that the export holds. */
  read(readPart: ReadPart): Promise<ReadonlySet<string>>;
  /** Makes these source images available to the image stage, by their paths. */
  unpack(images: ReadonlySet<string>): Promise<void>;
}

export type StrapiPart = 'entities' | 'links' | 'schemas';

type ReadPart = (part: StrapiPart, file: OpenedFile) => Promise<void>;

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
    if (/\.enc$/i.test(file.path)) {
      const sentence = 'expected an export that is not encrypted; export again with `strapi export --no-encrypt`';
      throw createSourceError('source-unreadable', file, undefined, sentence);
    }
    const within = EXPORT_MEMBER.exec(file.path);
    const root = within === null ? file.path : file.path.slice(0, within.index);
    if (exports.has(root)) continue;
    exports.set(root, within === null ? createArchiveExport(input, file) : createFolderExport(input, file, root));
  }
  return [...exports.values()];
}

function createFolderExport({ source, folder, open }: CmsInput, file: SourceFile, root: string): StrapiExport {
  const path = posix.join(root, 'metadata.json');
  return {
    path,
    read: async (readPart) => {
      const glob = posix.join(fastGlob.escapePath(root), '{entities,links,schemas}/*.jsonl');
      const files = await findSourceFiles(folder, { name: source, files: [glob] });
      if (!files.some((each) => partOf(each.path) === 'entities')) throw noEntities(file, posix.dirname(path));
      for (const each of files) await readPart(partOf(each.path) as StrapiPart, open(each));
      const assets = await runGlob(source, 'assets/uploads/*', { cwd: join(folder, root) });
      return new Set(assets.map((name) => posix.basename(name)));
    },
    // The files are already where the records say.
    unpack: async () => {},
  };
}

function createArchiveExport({ source, open, unpacked }: CmsInput, file: SourceFile): StrapiExport {
  const { path } = file;
  return {
    path,
    read: async (readPart) => {
      const assets = new Set<string>();
      let hasEntities = false;
      for await (const { name, bytes } of readTar(open(file))) {
        const asset = ASSET_FILE.exec(name)?.[1];
        if (asset !== undefined) assets.add(asset);
        const part = partOf(name);
        if (part === undefined) continue;
        hasEntities ||= part === 'entities';
        // The path starts at the part's folder, without the folders above it in the archive.
        await readPart(part, { source, path: `${path}/${part}/${posix.basename(name)}`, chunks: bytes });
      }
      if (!hasEntities) throw noEntities(file, path);
      return assets;
    },
    // Reads the archive a second time: its pictures come before the links that show which ones are needed.
    unpack: async (images) => {
      const needed = new Set(images);
      if (needed.size === 0) return;
      for await (const { name, size, bytes } of readTar(open(file))) {
        const asset = ASSET_FILE.exec(name)?.[1];
        const assetPath = `${path}/assets/uploads/${asset}`;
        if (asset === undefined || size > MAX_SOURCE_IMAGE_BYTES || !needed.delete(assetPath)) continue;
        await unpacked.keep(assetPath, bytes);
      }
    },
  };
}

function partOf(path: string): StrapiPart | undefined {
  return PART_FILE.exec(path)?.[1] as StrapiPart | undefined;
}

function noEntities(file: SourceFile, folder: string): Error {
  const expected = `the export of a Strapi, with files entities/*.jsonl in ${folder}`;
  return sourceMalformed(file, undefined, `expected ${expected}; name its metadata.json or its archive in \`files\``);
}
