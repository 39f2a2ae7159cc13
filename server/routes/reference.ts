import { PROBLEMS, type ProblemCode } from '../../data/query/problem.ts';
import { createTag } from '../http/send.ts';
import { toUtf8 } from '../json/write-body.ts';
import { createOpenApi } from '../openapi/create-openapi.ts';
import { digest } from '../query/pagination.ts';
import type { Route, RouteContext } from './routes.ts';
import { PAGE_HEADERS } from './files.ts';

const OPENAPI_MAX_AGE_SECONDS = 300;

/** `/openapi.json` (D19): made once, because it depends on the settings only. */
export function openApiRoute({ settings }: RouteContext): Route {
  const text = toUtf8(JSON.stringify(createOpenApi(settings)));
  const content = digest(text).slice(0, 22);
  return {
    path: '/openapi.json',
    has: (path) => path === '/openapi.json',
    label: 'openapi',
    access: 'open',
    handle: ({ encoding }) => ({
      status: 200,
      headers: {
        'Content-Type': 'application/json',
        ETag: createTag(content, encoding),
        'Cache-Control': `public, max-age=${OPENAPI_MAX_AGE_SECONDS}`,
        Vary: 'Accept-Encoding',
      },
      body: [text],
      encoding,
    }),
  };
}

const CODES = Object.keys(PROBLEMS) as readonly ProblemCode[];

/** What is explained at each path; the last slash after a code may be missing. */
const EXPLAINED: ReadonlyMap<string, readonly ProblemCode[]> = new Map([
  ['/problems/', CODES],
  ...CODES.flatMap((code) => [`/problems/${code}`, `/problems/${code}/`].map((path) => [path, [code]] as const)),
]);

/** `/problems/<code>`: what an error means (D17, D19); `/problems/` lists all. */
export function problemRoute(): Route {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'public, max-age=3600',
    ...PAGE_HEADERS,
  };
  return {
    path: '/problems/*',
    has: (path) => EXPLAINED.has(path),
    label: 'problem',
    access: 'open',
    handle: ({ path }) => ({ status: 200, headers, body: [toUtf8(writeProblemPage(EXPLAINED.get(path) ?? []))] }),
  };
}

/** A page that explains one error code, or all: causes and cures (D17, D19). */
function writeProblemPage(codes: readonly ProblemCode[]): string {
  const [code, second] = codes;
  if (code === undefined || second !== undefined) {
    return writePage('Errors', `${INTRODUCTION}${codes.map((each) => describeProblem(each, 'h2')).join('')}`);
  }
  return writePage(code, `${describeProblem(code, 'h1')}<p class="muted"><a href="/problems/">All errors</a></p>`);
}

const INTRODUCTION = `<h1>Errors</h1>
<p class="lead">Every refusal is <code>application/problem+json</code>, and its <code>code</code> is one of these. Codes never change.</p>
`;

function describeProblem(code: ProblemCode, heading: 'h1' | 'h2'): string {
  const { status, title, cause, cure } = PROBLEMS[code];
  return `<${heading}>${escapeHtml(title)}</${heading}>
<p><a href="/problems/${code}"><code>${code}</code></a>, status ${status}</p>
<p>${escapeHtml(cause)}</p>
<p>${escapeHtml(cure)}</p>
`;
}

function writePage(title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Mobile deals</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page.css">
<script type="module" src="/lib/key.js"></script>
</head>
<body>
<header class="site-header">
<a class="brand" href="/">Mobile deals</a>
<nav aria-label="Pages">
<a href="/explore/">Explore</a>
<a href="/docs/">Reference</a>
<a href="/status/">Status</a>
</nav>
</header>
<main>
${main}
</main>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
