import { STATUS_CODES } from 'node:http';
import { headersOfExample, PROBLEM_EXAMPLES } from '../../data/query/problem-example.ts';
import { PROBLEMS, type ProblemCode } from '../../data/query/problem.ts';

export function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(PROBLEMS, text);
}

const CODES = Object.keys(PROBLEMS) as readonly ProblemCode[];

/** A page that explains an error code: its cause, its cure, a request that gets it and what is answered (D17, D19). */
export function writeProblemPage(code: ProblemCode): string {
  const { status, title, cause, cure } = PROBLEMS[code];
  const { given } = PROBLEM_EXAMPLES[code];
  return writePage(
    code,
    `<p class="muted"><a href="/problems/">All errors</a></p>
<h1>${escapeHtml(title)}</h1>
<p><code>${code}</code>, status ${status}</p>
<h2>Cause</h2>
<p>${escapeHtml(cause)}</p>
<h2>Cure</h2>
<p>${escapeHtml(cure)}</p>
<h2>For example</h2>
<p>${given === undefined ? 'On the sample catalogue the request' : `Where ${escapeHtml(given)}, the request`}</p>
<pre tabindex="0"><code>${escapeHtml(writeRequest(code))}</code></pre>
<p>is answered with</p>
<pre tabindex="0"><code>${escapeHtml(writeAnswer(code))}</code></pre>`,
  );
}

/** A page that lists every error code, by status. */
export function writeProblemList(): string {
  const statuses = [...new Set(CODES.map((code): number => PROBLEMS[code].status))].sort((a, b) => a - b);
  const sections = statuses.map(
    (status) => `<h2>${status} ${STATUS_CODES[status] ?? ''}</h2>
<dl class="places">
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

/** The request of the example, as it is sent; `$KEY` is a good key. */
function writeRequest(code: ProblemCode): string {
  const example = PROBLEM_EXAMPLES[code];
  return [`${example.method ?? 'GET'} ${example.target}`, ...headersOfExample(example)].join('\n');
}

/** Its answer; the request id stands for that of the request. */
function writeAnswer(code: ProblemCode): string {
  const { status, title } = PROBLEMS[code];
  const { detail, errors } = PROBLEM_EXAMPLES[code];
  const body = { type: `/problems/${code}`, title, status, detail, instance: '<request id>', code, errors };
  return JSON.stringify(body, undefined, 2);
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
