import { join, posix } from 'node:path';
import fastGlob from 'fast-glob';
import type { Notice } from '../../../data/report/notice.ts';
import { MAX_SOURCE_IMAGE_BYTES } from '../../image/source-image.ts';
import { createSourceError, sourceMalformed, type SourceError } from '../../source/errors.ts';
import { findSourceFiles, runGlob, type SourceFile } from '../../source/find-files.ts';
import { isJsonObject, splitJsonLines, tryParseJson, type JsonLine, type JsonObject } from '../../source/json.ts';
import type { OpenedFile } from '../../source/open-file.ts';
import { readTar } from '../../source/read-tar.ts';
import type { SourceLocation } from '../../source/record.ts';
import { readTextLines } from '../../source/text-lines.ts';
import { noticeAt } from '../../feed/adapter.ts';
import type { CmsInput } from './adapter.ts';

export type StrapiPart = 'entities' | 'links' | 'schemas';

/** A row of a content type, or a component within one. */
export interface StrapiRow {
  /** `api::phone.phone`, `shared.seo` */
  readonly type: string;
  readonly id: string;
  readonly data: JsonObject;
  readonly origin: SourceLocation;
}

interface LinkTarget {
  readonly key: string;
  readonly position: number;
}

export interface StrapiAttribute {
  readonly type: string;
  readonly component: string | undefined;
}

/** Finds the type of a line without parsing it: most lines of an export may be irrelevant. */
const LINE_TYPE = /^\{\s*"type"\s*:\s*"([^"\\]{1,200})"/;

/**
 * The content of an export: the rows of the site's own content types and components, and the files they show. Users with
 * their passwords, sessions and tokens are skipped, most of them unparsed, and no notice quotes a line.
 */
export class StrapiRows {
  readonly broken: { readonly type: string | undefined; readonly notice: Notice }[] = [];
  readonly notes: Notice[] = [];
  readonly #rows = new Map<string, StrapiRow>();
  readonly #targets = new Map<string, LinkTarget[]>();
  readonly #attributes = new Map<string, ReadonlyMap<string, StrapiAttribute>>();

  /** Version 5 has documents: each row is one locale of a document, as a draft or published. */
  get hasDocuments(): boolean {
    return [...this.#rows.values()].some(({ data }) => typeof data['documentId'] === 'string');
  }

  async read(part: StrapiPart, file: OpenedFile): Promise<void> {
    for await (const lines of splitJsonLines(file, readTextLines(file))) {
      for (const line of lines) this.#readLine(part, file, line);
    }
  }

  /** All rows of the site's own content types. */
  *contentRows(): Generator<StrapiRow> {
    for (const row of this.#rows.values()) {
      if (row.type.startsWith('api::')) yield row;
    }
  }

  find(key: string): StrapiRow | undefined {
    return this.#rows.get(key);
  }

  /** The keys of the rows that a field links to, in the editor's order. */
  targetsOf(type: string, id: string, field: string): readonly string[] {
    const targets = this.#targets.get(fieldKey(rowKey(type, id), field)) ?? [];
    return [...new Set(targets.toSorted((a, b) => a.position - b.position).map(({ key }) => key))];
  }

  attribute(type: string, name: string): StrapiAttribute | undefined {
    return this.#attributes.get(type)?.get(name);
  }

  #readLine(part: StrapiPart, file: OpenedFile, { line, text }: JsonLine): void {
    const type = part === 'entities' ? LINE_TYPE.exec(text)?.[1] : undefined;
    if (type !== undefined && !isOurs(type)) return;
    const value = tryParseJson(text);
    const origin = { source: file.source, file: file.path, line };
    switch (part) {
      case 'entities':
        this.#addEntity(value, type, origin);
        return;
      case 'links':
        if (!this.#addLink(value)) this.notes.push(noticeAt(origin, 'malformed-link', { expected: 'a link as JSON' }));
        return;
      case 'schemas':
        this.#addSchema(value);
    }
  }

  #addEntity(value: unknown, type: string | undefined, origin: SourceLocation): void {
    const { type: ownType, id, data } = isJsonObject(value) ? value : {};
    if (typeof ownType === 'string' && !isOurs(ownType)) return;
    if (typeof ownType !== 'string' || !isId(id) || !isJsonObject(data)) {
      const notice = noticeAt(origin, 'malformed-record', { expected: 'a row as JSON, with type, id and data' });
      this.broken.push({ type, notice });
      return;
    }
    this.#rows.set(rowKey(ownType, String(id)), { type: ownType, id: String(id), data, origin });
  }

  /** Stores the link in both directions: one side owns it, but either may be mapped. */
  #addLink(value: unknown): boolean {
    if (!isJsonObject(value)) return false;
    const [left, right] = [readLinkEnd(value['left']), readLinkEnd(value['right'])];
    if (left === undefined || right === undefined) return false;
    if (!isOurs(left.type) || !isOurs(right.type)) return true;
    this.#addTarget(left, right);
    this.#addTarget(right, left);
    return true;
  }

  #addTarget(from: LinkEnd, to: LinkEnd): void {
    if (from.field === undefined) return;
    const key = fieldKey(rowKey(from.type, from.ref), from.field);
    const targets = this.#targets.get(key) ?? [];
    targets.push({ key: rowKey(to.type, to.ref), position: from.position });
    this.#targets.set(key, targets);
  }

  #addSchema(value: unknown): void {
    if (!isJsonObject(value) || typeof value['uid'] !== 'string' || !isJsonObject(value['attributes'])) return;
    const attributes = Object.entries(value['attributes']).flatMap(([name, attribute]): [string, StrapiAttribute][] => {
      if (!isJsonObject(attribute) || typeof attribute['type'] !== 'string') return [];
      const { type, component } = attribute;
      return [[name, { type, component: typeof component === 'string' ? component : undefined }]];
    });
    this.#attributes.set(value['uid'], new Map(attributes));
  }
}

export function rowKey(type: string, id: string): string {
  return `${type}\n${id}`;
}

function fieldKey(row: string, field: string): string {
  return `${row}\n${field}`;
}

/** The site's own types, its components (no `::` in the name), and the files of the media library. */
function isOurs(type: string): boolean {
  return type.startsWith('api::') || type === 'plugin::upload.file' || !type.includes('::');
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

interface LinkEnd {
  readonly type: string;
  readonly ref: string;
  readonly field: string | undefined;
  readonly position: number;
}

function readLinkEnd(value: unknown): LinkEnd | undefined {
  if (!isJsonObject(value) || typeof value['type'] !== 'string' || !isId(value['ref'])) return undefined;
  const { type, ref, field, pos } = value;
  return {
    type,
    ref: String(ref),
    field: typeof field === 'string' ? field : undefined,
    position: typeof pos === 'number' ? pos : 0,
  };
}

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
    exports.set(root, within === null ? createArchiveExport(input, file) : createFolderExport(input, file, root));
  }
  return [...exports.values()];
}

function createFolderExport({ source, folder, open }: CmsInput, file: SourceFile, root: string): StrapiExport {
  const path = posix.join(root, 'metadata.json');
  return {
    path,
    readInto: async (rows) => {
      const glob = posix.join(fastGlob.escapePath(root), '{entities,links,schemas}/*.jsonl');
      let entityFiles = 0;
      for (const partFile of await findSourceFiles(folder, { name: source, files: [glob] })) {
        const part = PART_FILE.exec(partFile.path)?.[1] as StrapiPart;
        if (part === 'entities') entityFiles++;
        await rows.read(part, open(partFile));
      }
      if (entityFiles === 0) throw noEntities(file, posix.dirname(path));
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
    readInto: async (rows) => {
      const assets = new Set<string>();
      let entityFiles = 0;
      for await (const entry of readTar(open(file))) {
        const asset = ASSET_FILE.exec(entry.name)?.[1];
        if (asset !== undefined) assets.add(asset);
        const match = PART_FILE.exec(entry.name);
        if (match === null) continue;
        const part = match[1] as StrapiPart;
        if (part === 'entities') entityFiles++;
        // The path starts at the part's folder, without the folders above it in the archive.
        const partPath = `${path}/${entry.name.slice(match.index).replace(/^\//, '')}`;
        await rows.read(part, { source, path: partPath, chunks: entry.bytes });
      }
      if (entityFiles === 0) throw noEntities(file, path);
      return assets;
    },
    // Reads the archive a second time: its pictures come before the links that show which ones are needed.
    unpack: async (images) => {
      const needed = new Set(images.map((image) => posix.join(posix.dirname(image.namingFile), image.path)));
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

function encrypted(file: SourceFile): SourceError {
  const sentence = 'expected an export that is not encrypted; export again with `strapi export --no-encrypt`';
  return createSourceError('source-unreadable', file, undefined, sentence);
}

function noEntities(file: SourceFile, folder: string): SourceError {
  const expected = `the export of a Strapi, with files entities/*.jsonl in ${folder}`;
  return sourceMalformed(file, undefined, `expected ${expected}; name its metadata.json or its archive in \`files\``);
}
