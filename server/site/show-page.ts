import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Middleware } from 'polka';
import sirv from 'sirv';
import { answerOtherMethod } from '../http/check-request.ts';
import { PAGE_HEADERS } from '../http/security-headers.ts';
import { sendAnswer } from '../http/send-answer.ts';
import type { SiteContext } from './site-context.ts';

/**
 * The files of the pages, by sirv.
 * @param folder immutable while the server runs
 */
export function createPageHandler(folder: string, { incomingOf }: SiteContext): Middleware {
  const pages = sirv(folder, { etag: true });
  const pagePaths = listPagePaths(folder);
  return (req, res, next) => {
    const request = incomingOf(req);
    const { path, id } = request;
    // sirv answers any method, other spellings of a path, and ends the process on some ranges.
    if (!pagePaths.has(path)) return next();
    request.label = 'page';
    const otherMethod = answerOtherMethod(req, id);
    if (otherMethod !== undefined) return sendAnswer(req, res, otherMethod);
    for (const [name, value] of Object.entries(PAGE_HEADERS)) res.setHeader(name, value);
    delete req.headers.range;
    return pages(req, res, next);
  };
}

/** The paths of the pages in a folder; `index.html` is that of its folder, with the last slash. */
function listPagePaths(folder: string): ReadonlySet<string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Set(
    files.map((file) => `/${relative(folder, join(file.parentPath, file.name))}`.replace(/\/index\.html$/, '/')),
  );
}
