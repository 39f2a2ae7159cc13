import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { PROBLEMS, type ProblemCode } from '../../data/query/problem.ts';
import { createTag, PAGE_HEADERS } from '../http/headers.ts';
import { createOpenApi } from '../openapi/create-openapi.ts';
import type { Route, RouteContext } from './context.ts';

const OPENAPI_MAX_AGE_SECONDS = 300;

/** `/openapi.json` (D19): made once, because it depends on the settings only. */
export function openApiRoute({ settings }: RouteContext): Route {
  const text = JSON.stringify(createOpenApi(settings));
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  return {
    path: '/openapi.json',
    has: (path) => path === '/openapi.json',
    label: 'openapi',
    access: 'open',
    handle: ({ encoding }) => ({
      status: 200,
      headers: {
        'Content-Type': 'application/json',
        ETag: createTag(digest, encoding),
        'Cache-Control': `public, max-age=${OPENAPI_MAX_AGE_SECONDS}`,
        Vary: 'Accept-Encoding',
      },
      body: [text],
      encoding,
    }),
  };
}

const PROBLEMS_PATH = '/problems/';

/** `/problems/<code>`: what an error means (D17, D19); `/problems/` lists all. */
export function problemRoute(): Route {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'public, max-age=3600',
    ...PAGE_HEADERS,
  };
  return {
    path: '/problems/*',
    has: (path) => findProblemPage(path) !== undefined,
    label: 'problem',
    access: 'open',
    handle: ({ path }) => ({ status: 200, headers, body: [findProblemPage(path)?.() ?? ''] }),
  };
}

/** Writes the page at a path; the last slash after a code may be missing. */
function findProblemPage(path: string): (() => string) | undefined {
  if (path === PROBLEMS_PATH) return writeProblemList;
  const code = path.slice(PROBLEMS_PATH.length).replace(/\/$/, '');
  return path.startsWith(PROBLEMS_PATH) && isProblemCode(code) ? () => writeProblemPage(code) : undefined;
}

export function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(PROBLEMS, text);
}

const CODES = Object.keys(PROBLEMS) as readonly ProblemCode[];

/** A page that explains an error code: its cause and its cure (D17, D19). */
export function writeProblemPage(code: ProblemCode): string {
  const { status, title, cause, cure } = PROBLEMS[code];
  return writePage(
    code,
    `<p class="muted"><a href="/problems/">All errors</a></p>
<h1>${escapeHtml(title)}</h1>
<p><code>${code}</code>, status ${status}</p>
<h2>Cause</h2>
<p>${escapeHtml(cause)}</p>
<h2>Cure</h2>
<p>${escapeHtml(cure)}</p>`,
  );
}

/** A page that lists every error code, by status. */
function writeProblemList(): string {
  const statuses = [...new Set(CODES.map((code): number => PROBLEMS[code].status))].sort((a, b) => a - b);
  const sections = statuses.map(
    (status) => `<h2>${status} ${STATUS_CODES[status] ?? ''}</h2>
<dl class="places codes">
${CODES.filter((code) => PROBLEMS[code].status === status)
  .map(
    (code) =>
      `<dt><a href="/problems/${code}"><code>${code}</code></a></dt>\n<dd>${escapeHtml(PROBLEMS[code].cause)}</dd>`,
  )
  .join('\n')}
</dl>`,
  );
  return writePage(
    'Errors',
    `<h1>Errors</h1>
<p class="lead">Every refusal is <code>application/problem+json</code>, and its <code>code</code> is one of these. Codes never change.</p>
${sections.join('\n')}`,
  );
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
