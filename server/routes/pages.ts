import { readdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { extname, join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import sirv from 'sirv';
import { CATALOGUE_PAGE_HEADERS, MODULE_PAGE_HEADERS, PAGE_HEADERS } from '../http/headers.ts';
import { sendResponse } from '../http/send.ts';
import { describeError } from '../log.ts';
import type { Route, RouteContext } from './context.ts';

/** The folder also has files that are not served: READMEs, types and pictures. */
const SERVED_EXTENSIONS = new Set(['.html', '.css', '.js', '.svg']);

/**
 * The files of the pages, by sirv.
 * @param folder immutable while the server runs
 */
export function findPage(folder: string, { log }: Pick<RouteContext, 'log'>): Route['find'] {
  // A browser revalidates each file, so that it never mixes modules of two versions.
  const pages = sirv(folder, { etag: true, maxAge: 0 });
  const pagePaths = listPagePaths(folder);
  return ({ path, query, id }) => {
    // Only known paths reach sirv: it answers any method and other spellings, and some ranges end the process.
    if (!pagePaths.has(path)) {
      // A target without a path is not the first page.
      if (path === '' || !pagePaths.has(`${path}/`)) return undefined;
      // Links within a page start from its folder.
      const moved = { status: 308, headers: { Location: `${path}/${query === '' ? '' : `?${query}`}` }, body: [] };
      return (req, res) => sendResponse(req, res, moved);
    }
    return (req, res, next) => {
      for (const [name, value] of Object.entries(findPageHeaders(path))) res.setHeader(name, value);
      delete req.headers.range;
      res.once('pipe', (file) => {
        watchFile(file, res, (cause) => log({ event: 'page-unreadable', requestId: id, path, cause }));
      });
      return pages(req, res, next);
    };
  };
}

/**
 * Ends the connection when a file cannot be read or has another length than the one sent, and closes the file when the
 * connection ends. sirv does neither, and an error without a listener would end the process.
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
    // The client would take the excess for the start of the next response.
    file.destroy();
    fail(`the file has more than the ${length} bytes of the start`);
  });
  file.once('end', () => {
    if (byteCount < length) fail(`the file has ${byteCount} bytes, at the start it had ${length}`);
  });
  res.once('close', () => file.destroy());
}

/** The first page has no script; the pages in folders ask the interface. */
function findPageHeaders(path: string): Readonly<Record<string, string>> {
  if (path === '/explore/') return CATALOGUE_PAGE_HEADERS;
  return path.lastIndexOf('/') === 0 ? PAGE_HEADERS : MODULE_PAGE_HEADERS;
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
