import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import type { PictureLine } from '../../data/snapshot/format.ts';
import { findPackageRoot, openRegularHandle } from '../../data/store/regular-file.ts';
import { CATALOGUE_PAGE_HEADERS, createTag, PAGE_HEADERS, PICTURE_HEADERS } from '../http/headers.ts';
import { IncompleteInstallationError } from '../start-error.ts';
import type { Route, RouteContext } from './context.ts';

/** The types of the files that are served. The folder of the pages has others: READMEs, types and screenshots. */
const PAGE_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html;charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};
const PICTURE_TYPES: Readonly<Record<string, string>> = {
  '.webp': 'image/webp',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
};

/** The files of the pages, which are read once. A browser revalidates each, so that it never mixes modules of two versions. */
export function pageRoute(): Route {
  const files = readPages(join(findPackageRoot(), 'server/page'));
  return {
    path: '/*',
    has: (path) => files.has(path) || files.has(`${path}/`),
    label: 'page',
    access: 'open',
    handle({ path, query, encoding }) {
      const file = files.get(path);
      if (file === undefined) {
        // Links within a page start from its folder.
        return { status: 308, headers: { Location: `${path}/${query === '' ? '' : `?${query}`}` }, body: [] };
      }
      const headers = {
        'Content-Type': file.type,
        ETag: createTag(file.digest, encoding),
        'Cache-Control': 'public,max-age=0,must-revalidate',
        Vary: 'Accept-Encoding',
        ...(path === '/explore/' ? CATALOGUE_PAGE_HEADERS : PAGE_HEADERS),
      };
      return { status: 200, headers, body: [file.text], encoding };
    },
  };
}

interface PageFile {
  readonly type: string;
  readonly text: string;
  readonly digest: string;
}

/**
 * The files of a folder by their paths; `index.html` is at the path of its folder, with the last slash.
 * @throws {IncompleteInstallationError}
 */
function readPages(folder: string): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  // A folder that may not be read throws the error of the system.
  if (!existsSync(join(folder, 'index.html'))) throw new IncompleteInstallationError(folder);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = PAGE_TYPES[extname(entry.name)];
    if (type === undefined || !entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const text = readFileSync(file, 'utf8');
    const digest = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    files.set(`/${relative(folder, file)}`.replace(/\/index\.html$/, '/'), { type, text, digest });
  }
  return files;
}

/** The pictures of the loaded snapshots (D19): immutable, because a path names its content. */
export function pictureRoute({ store, snapshots, log }: RouteContext): Route {
  const find = (path: string): PictureLine | undefined =>
    snapshots.loaded.map(({ index }) => index.pictures.get(path)).find((found) => found !== undefined);
  return {
    path: '/images/*',
    has: (path) => find(path) !== undefined,
    label: 'image',
    access: 'open',
    async handle({ path }) {
      const picture = find(path);
      const file = join(store, path);
      const stats = await stat(file).catch(() => undefined);
      if (picture === undefined || stats?.isFile() !== true || stats.size !== picture.bytes) {
        log({ event: 'picture-missing', path });
        return undefined;
      }
      const headers = {
        'Content-Type': PICTURE_TYPES[extname(path)] ?? 'application/octet-stream',
        'Content-Length': String(picture.bytes),
        ETag: `"${picture.sha256.slice(0, 22)}"`,
        'Cache-Control': 'public, max-age=31536000, immutable',
        ...PICTURE_HEADERS,
      };
      return { status: 200, headers, file: readChunks(file, picture.bytes) };
    },
  };
}

const CHUNK_BYTES = 64 * 1024;

/** The bytes of a file of a known length. @throws {Error} when it cannot be read, or is shorter */
async function* readChunks(file: string, byteLength: number): AsyncGenerator<Buffer> {
  const handle = await openRegularHandle(file);
  try {
    for (let offset = 0; offset < byteLength;) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, byteLength - offset));
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, offset);
      if (bytesRead === 0) throw new Error(`${file}: expected ${byteLength} bytes, got ${offset}`);
      offset += bytesRead;
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    // Not awaited: the response ends with its last byte, after which a client may send its next request.
    void handle.close();
  }
}
