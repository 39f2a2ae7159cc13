import { readdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import sirv, { type RequestHandler } from 'sirv';
import type { PictureLine } from '../../data/snapshot/format.ts';
import { CATALOGUE_PAGE_HEADERS, matchesTag, PAGE_HEADERS, PICTURE_HEADERS } from '../http/headers.ts';
import type { FileResponse } from '../http/response.ts';
import { describeError, type Log } from '../log.ts';
import type { Route, RouteContext } from './context.ts';

/** The folder of the pages also has files that are not served: READMEs, types and pictures. */
const SERVED_EXTENSIONS = new Set(['.html', '.css', '.js', '.svg']);

/** The files of the pages, by sirv. */
export function pageRoute({ pageFolder, log }: RouteContext): Route {
  // A browser revalidates each file, so that it never mixes modules of two versions.
  const serve = sirv(pageFolder, { etag: true, maxAge: 0 });
  const paths = listPagePaths(pageFolder);
  return {
    path: '/*',
    has: (path) => paths.has(path) || paths.has(`${path}/`),
    label: 'page',
    access: 'open',
    handle({ path, query }) {
      if (paths.has(path))
        return fileResponse(path === '/explore/' ? CATALOGUE_PAGE_HEADERS : PAGE_HEADERS, serve, log);
      // Links within a page start from its folder.
      return { status: 308, headers: { Location: `${path}/${query === '' ? '' : `?${query}`}` }, body: [] };
    },
  };
}

/** The pictures of the loaded snapshots (D19), by sirv: immutable, because a path names its content. */
export function pictureRoute({ store, snapshots, log }: RouteContext): Route {
  // The folder grows: each file is looked up.
  const serve = sirv(store, { dev: true });
  const find = (path: string): PictureLine | undefined =>
    snapshots.loaded.map(({ index }) => index.pictures.get(path)).find((found) => found !== undefined);
  return {
    path: '/images/*',
    has: (path) => find(path) !== undefined,
    label: 'image',
    access: 'open',
    async handle({ path, ifNoneMatch }) {
      const picture = find(path);
      const file = await stat(join(store, path)).catch(() => undefined);
      if (picture === undefined || file?.isFile() !== true || file.size !== picture.bytes) {
        log({ event: 'picture-missing', path });
        return undefined;
      }
      const tag = `"${picture.sha256.slice(0, 22)}"`;
      const headers = { ETag: tag, 'Cache-Control': 'public, max-age=31536000, immutable', ...PICTURE_HEADERS };
      return matchesTag(ifNoneMatch, tag) ? { status: 304, headers, body: [] } : fileResponse(headers, serve, log);
    },
  };
}

function fileResponse(headers: FileResponse['headers'], serve: RequestHandler, log: Log): FileResponse {
  return {
    headers,
    send(req, res) {
      // Some ranges end the process.
      delete req.headers.range;
      res.once('pipe', (file: Readable) => watchFile(file, req, res, log));
      serve(req, res);
    },
  };
}

/**
 * Ends the response with the last byte that it says, and the connection when the file cannot be read or has another length.
 * sirv ends it when the file has ended, and by then a client may have sent its next request; an error without a listener
 * would end the process.
 */
function watchFile(file: Readable, { method, url: path }: IncomingMessage, res: ServerResponse, log: Log): void {
  const length = Number(res.getHeader('content-length'));
  let byteCount = 0;
  const fail = (cause: string): void => {
    log({ event: 'file-unreadable', path, cause });
    res.destroy();
  };
  file.once('error', (error) => fail(describeError(error)));
  file.on('data', (chunk: Buffer) => {
    byteCount += chunk.byteLength;
    // The client would take the excess for the start of the next response.
    if (byteCount > length) file.destroy(new Error(`the file has more than ${length} bytes`));
    if (byteCount < length && method !== 'HEAD') return;
    file.unpipe(res);
    res.end();
  });
  file.once('end', () => {
    if (byteCount < length) fail(`the file has ${byteCount} bytes, not ${length}`);
  });
  res.once('close', () => file.destroy());
}

/** The paths of the files in a folder; `index.html` is the path of its folder, with the last slash. */
function listPagePaths(folder: string): ReadonlySet<string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && SERVED_EXTENSIONS.has(extname(entry.name)),
  );
  return new Set(
    files.map((file) => `/${relative(folder, join(file.parentPath, file.name))}`.replace(/\/index\.html$/, '/')),
  );
}
