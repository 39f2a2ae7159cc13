import { join, posix } from 'node:path';
import fastGlob from 'fast-glob';
import { createSourceError, sourceMalformed } from '../source/errors.ts';
import { findSourceFiles, runGlob, type SourceFile } from '../source/find-files.ts';
import { readTar, type TarEntry } from '../source/read-tar.ts';
import type { OpenedFile } from '../source/open-file.ts';
import type { CmsInput } from './adapter.ts';

export type StrapiPart = 'entities' | 'links' | 'schemas';

/** A part of an export, or a picture in it. Other files, such as the settings of the CMS, are skipped. */
type StrapiFile =
  | { readonly part: StrapiPart; readonly file: OpenedFile }
  | { readonly asset: string; readonly entry?: TarEntry };

export interface StrapiExport {
  /** The file in notices about the whole export. */
  readonly path: string;
  /**
   * Reads the export, from its beginning each time. A picture in a folder has no entry.
   *
   * @throws {SourceError} when it has no rows
   */
  readonly files: () => AsyncIterable<StrapiFile>;
  readonly isArchive: boolean;
}

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
    const isArchive = within === null;
    const path = isArchive ? root : posix.join(root, 'metadata.json');
    const readFiles = () => (isArchive ? readArchive(input, file) : readFolder(input, root));
    exports.set(root, {
      path,
      isArchive,
      files: () => checkEntities(file, isArchive ? root : posix.dirname(path), readFiles()),
    });
  }
  return [...exports.values()];
}

async function* checkEntities(
  file: SourceFile,
  folder: string,
  files: AsyncIterable<StrapiFile>,
): AsyncGenerator<StrapiFile> {
  let hasEntities = false;
  for await (const found of files) {
    hasEntities ||= 'part' in found && found.part === 'entities';
    yield found;
  }
  if (hasEntities) return;
  const expected = `the export of a Strapi, with files entities/*.jsonl in ${folder}`;
  throw sourceMalformed(file, undefined, `expected ${expected}; name its metadata.json or its archive in \`files\``);
}

async function* readFolder({ source, folder, open }: CmsInput, root: string): AsyncGenerator<StrapiFile> {
  const glob = posix.join(fastGlob.escapePath(root), '{entities,links,schemas}/*.jsonl');
  for (const file of await findSourceFiles(folder, { name: source, files: [glob] })) {
    yield { part: partOf(file.path) as StrapiPart, file: open(file) };
  }
  for (const asset of await runGlob(source, 'assets/uploads/*', { cwd: join(folder, root) })) {
    yield { asset: posix.basename(asset) };
  }
}

async function* readArchive({ source, open }: CmsInput, archive: SourceFile): AsyncGenerator<StrapiFile> {
  for await (const entry of readTar(open(archive))) {
    const asset = ASSET_FILE.exec(entry.name)?.[1];
    if (asset !== undefined) yield { asset, entry };
    const part = partOf(entry.name);
    if (part === undefined) continue;
    // The path starts at the part's folder, without the folders above it in the archive.
    const path = `${archive.path}/${part}/${posix.basename(entry.name)}`;
    yield { part, file: { source, path, chunks: entry.bytes } };
  }
}

function partOf(path: string): StrapiPart | undefined {
  return PART_FILE.exec(path)?.[1] as StrapiPart | undefined;
}
