import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import sirv from 'sirv';
import type { PictureLine } from '../../data/snapshot/format.ts';
import { findPackageRoot } from '../../data/package-root.ts';
import type { Route, RouteContext } from './routes.ts';

/** The folder of the pages also has files that are not served: READMEs, types and screenshots. */
const SERVED_EXTENSIONS: ReadonlySet<string> = new Set(['.html', '.css', '.js', '.svg']);

/** The files of the pages. A browser revalidates each, so that it never mixes modules of two versions. */
export function pageRoute(): Route {
  const folder = join(findPackageRoot(), 'server/page');
  const tags = tagPages(folder);
  const serve = sirv(folder, { maxAge: 0 });
  return {
    path: '/*',
    has: (path) => tags.has(path) || tags.has(`${path}/`),
    label: 'page',
    access: 'open',
    handle({ path, query }): ReturnType<Route['handle']> {
      const tag = tags.get(path);
      // Links within a page start from its folder.
      if (tag === undefined) {
        return { status: 308, headers: { Location: `${path}/${query === '' ? '' : `?${query}`}` }, body: [] };
      }
      return { status: 200, headers: { ETag: tag, ...PAGE_HEADERS }, file: serve };
    },
  };
}

/**
 * The tags of the files of a folder, by path; `index.html` is at the path of its folder, with the last slash. A package may
 * give all its files one time, so sirv, which tags by time and size, cannot tell versions apart.
 */
function tagPages(folder: string): ReadonlyMap<string, string> {
  const tags = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !SERVED_EXTENSIONS.has(extname(entry.name))) continue;
    const file = join(entry.parentPath, entry.name);
    const digest = createHash('sha256').update(readFileSync(file)).digest('base64url');
    tags.set(`/${relative(folder, file)}`.replace(/\/index\.html$/, '/'), `"${digest.slice(0, 22)}"`);
  }
  return tags;
}

/**
 * On pages, which have modules and requests of this server only. None of them parses HTML: a browser that supports trusted types
 * forbids it, so a text of a feed stays a text. Pictures may be on other hosts, where the CMS keeps them, but not over plain
 * HTTP, where they could be changed on the way. Those hosts get no referrer.
 */
export const PAGE_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' https:",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    // Other bases, sending forms, and frames of other sites are forbidden.
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/** The pictures of the loaded snapshots (D19): immutable, because a path names its content. Pages of other sites may show them. */
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
    async handle({ path }) {
      const picture = find(path);
      const stats = await stat(join(store, path)).catch(() => undefined);
      if (picture === undefined || stats?.isFile() !== true || stats.size !== picture.bytes) {
        log({ event: 'picture-missing', path });
        return undefined;
      }
      const tag = `"${picture.sha256.slice(0, 22)}"`;
      const headers = {
        ETag: tag,
        'Cache-Control': 'public, max-age=31536000, immutable',
        'Cross-Origin-Resource-Policy': 'cross-origin',
      };
      return { status: 200, headers, file: serve };
    },
  };
}
