import { posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import fastGlob from 'fast-glob';
import { extract } from 'tar-stream';
import { SourceError, sourceMalformed } from '../source/errors.ts';
import { findSourceFiles, type SourceFile } from '../source/find-files.ts';
import type { OpenedFile } from '../source/open-file.ts';
import type { CmsInput } from './adapter.ts';

/** A file of an export, or a picture in it. Other files, such as the settings of the CMS, are skipped. */
type StrapiFile =
  | { readonly part: StrapiPart; readonly file: OpenedFile }
  | { readonly asset: string; readonly entry?: TarEntry };

export type StrapiPart = 'entities' | 'links' | 'schemas';

export interface StrapiExport {
  /** The folder of the export; an archive counts as one. */
  readonly folder: string;
  readonly isArchive: boolean;
  /** Reads the export, from its beginning each time. A picture in a folder has no entry. */
  readonly files: () => AsyncIterable<StrapiFile>;
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
  for (const named of input.files) {
    if (/\.enc$/i.test(named.path)) {
      const sentence = 'expected an export that is not encrypted; export again with `strapi export --no-encrypt`';
      throw new SourceError('source-unreadable', named, undefined, sentence);
    }
    const within = EXPORT_MEMBER.exec(named.path);
    const isArchive = within === null;
    const folder = isArchive ? named.path : named.path.slice(0, within.index);
    if (exports.has(folder)) continue;
    const files = () => (isArchive ? readArchive(input, named) : readFolder(input, folder));
    exports.set(folder, { folder, isArchive, files });
  }
  return [...exports.values()];
}

async function* readFolder({ source, folder, open }: CmsInput, root: string): AsyncGenerator<StrapiFile> {
  const globs = ['{entities,links,schemas}/*.jsonl', 'assets/uploads/*'];
  const files = globs.map((glob) => posix.join(fastGlob.escapePath(root), glob));
  for (const file of await findSourceFiles(folder, { name: source, files })) {
    const part = partOf(file.path);
    yield part === undefined ? { asset: posix.basename(file.path) } : { part, file: open(file) };
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

interface TarEntry {
  /** As in the archive, with forward slashes: to be compared, never to be opened as a path. */
  readonly name: string;
  readonly size: number;
  /** To be iterated before the next entry, or not at all. */
  readonly bytes: AsyncIterable<Buffer>;
}

/**
 * The files in a tar, without folders and links.
 *
 * @throws {SourceError} `source-malformed` when the file is not a tar, or ends within an entry.
 */
export async function* readTar(file: OpenedFile): AsyncGenerator<TarEntry> {
  const archive = extract();
  // An error of either side destroys `archive` with it, and so reaches the loop below.
  pipeline(file.chunks, archive).catch(() => {});
  try {
    for await (const entry of archive) {
      // An entry that is not read fails with its archive; without a listener that would end the process.
      entry.on('error', () => {});
      const { name, type, size = 0 } = entry.header;
      if (type === 'file' || type === 'contiguous-file') {
        yield { name: name.replaceAll('\\', '/'), size, bytes: readBytes(file, entry) };
      }
      entry.resume();
    }
  } catch (cause) {
    throw toTarError(file, cause);
  }
}

async function* readBytes(file: OpenedFile, entry: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* entry;
  } catch (cause) {
    throw toTarError(file, cause);
  }
}

function toTarError(file: OpenedFile, cause: unknown): SourceError {
  if (cause instanceof SourceError) return cause;
  const sentence = `expected a whole tar archive, packed with gzip or not: ${(cause as Error).message}; fetch it again`;
  return sourceMalformed(file, undefined, sentence, cause);
}
