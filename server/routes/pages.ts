import { readdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { extname, join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import type { Middleware } from 'polka';
import sirv from 'sirv';
import { handleMethod } from '../http/checks.ts';
import { CATALOGUE_PAGE_HEADERS, MODULE_PAGE_HEADERS, PAGE_HEADERS } from '../http/headers.ts';
import { sendResponse } from '../http/send.ts';
import { describeError } from '../log.ts';
import type { RouteContext } from './context.ts';

/** What a browser loads. Beside it lie texts and settings for those who change the pages. */
const SERVED_EXTENSIONS = new Set(['.html', '.css', '.js', '.svg']);

/**
 * The files of the pages, by sirv.
 * @param folder immutable while the server runs
 */
export function createPageHandler(folder: string, { contextOf, log }: RouteContext): Middleware {
  // Asked for anew each time, which costs a 304: modules of two versions must never meet in a browser.
  const pages = sirv(folder, { etag: true, maxAge: 0 });
  const pagePaths = listPagePaths(folder);
  return (req, res, next) => {
    const request = contextOf(req);
    const { path, query, id } = request;
    // sirv answers any method, other spellings of a path, and ends the process on some ranges.
    if (!pagePaths.has(path)) {
      // A target without a path is none of the first page.
      if (path === '' || !pagePaths.has(`${path}/`)) return next();
      request.label = 'page';
      // Links within a page start from its folder.
      const moved = { status: 308, headers: { Location: `${path}/${query === '' ? '' : `?${query}`}` }, body: [] };
      return sendResponse(req, res, handleMethod(req, id) ?? moved);
    }
    request.label = 'page';
    const otherMethod = handleMethod(req, id);
    if (otherMethod !== undefined) return sendResponse(req, res, otherMethod);
    for (const [name, value] of Object.entries(findPageHeaders(path))) res.setHeader(name, value);
    delete req.headers.range;
    res.once('pipe', (file) => {
      watchFile(file, res, (cause) => log({ event: 'page-unreadable', requestId: id, path, cause }));
    });
    return pages(req, res, next);
  };
}

/**
 * Ends the connection when a file cannot be read or is no longer the one whose length was sent, and closes the file when
 * the connection ends: sirv opens a stream and leaves it to itself, and an error without a listener would end the process.
 */
function watchFile(file: Readable, res: ServerResponse, tell: (cause: string) => void): void {
  const length = Number(res.getHeader('content-length'));
  let byteCount = 0;
  const fail = (cause: string): void => {
    tell(cause);
    res.destroy();
  };
  file.once('error', (error) => fail(describeError(error)));
  file.on('data', (chunk: Buffer) => {
    byteCount += chunk.byteLength;
    if (byteCount <= length) return;
    // Before what is too much goes out: it would be taken for the next answer.
    file.destroy();
    fail(`the file has more than the ${length} bytes of the start`);
  });
  file.once('end', () => {
    if (byteCount < length) fail(`the file has ${byteCount} bytes, at the start it had ${length}`);
  });
  res.once('close', () => file.destroy());
}

/** The first page has no script; those in folders of their own ask the interface. */
function findPageHeaders(path: string): Readonly<Record<string, string>> {
  if (path === '/explore/') return CATALOGUE_PAGE_HEADERS;
  return path.lastIndexOf('/') === 0 ? PAGE_HEADERS : MODULE_PAGE_HEADERS;
}

/** The paths of the pages in a folder; `index.html` is that of its folder, with the last slash. */
function listPagePaths(folder: string): ReadonlySet<string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && SERVED_EXTENSIONS.has(extname(entry.name)),
  );
  return new Set(
    files.map((file) => `/${relative(folder, join(file.parentPath, file.name))}`.replace(/\/index\.html$/, '/')),
  );
}
