import type { Middleware } from 'polka';
import { answerOtherMethod } from '../http/check-request.ts';
import { PAGE_HEADERS } from '../http/security-headers.ts';
import { sendAnswer } from '../http/send-answer.ts';
import { isProblemCode, writeProblemList, writeProblemPage } from './problem-page.ts';
import type { SiteContext } from './site-context.ts';

const PREFIX = '/problems/';

/** `/problems/<code>`: what an error means (D17, D19); `/problems/` lists all. */
export function createProblemHandler({ incomingOf }: SiteContext): Middleware {
  return (req, res, next) => {
    const request = incomingOf(req);
    const { path, id } = request;
    const page = findPage(path);
    if (page === undefined) return next();
    request.label = 'problem';
    const headers = {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'public, max-age=3600',
      ...PAGE_HEADERS,
    };
    const answer = { status: 200, headers, body: [page] };
    return sendAnswer(req, res, answerOtherMethod(req, id) ?? answer);
  };
}

/** The page at a path; the last slash after a code may be missing. */
function findPage(path: string): string | undefined {
  if (path === PREFIX) return writeProblemList();
  const code = path.slice(PREFIX.length).replace(/\/$/, '');
  return path.startsWith(PREFIX) && isProblemCode(code) ? writeProblemPage(code) : undefined;
}
