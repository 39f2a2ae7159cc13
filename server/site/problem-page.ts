import { PROBLEMS, type ProblemCode } from '../../data/query/problem.ts';

export function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(PROBLEMS, text);
}

/** A short page that explains an error code: what it means, its cause and its cure (D17, D19). */
export function writeProblemPage(code: ProblemCode): string {
  const { status, title, cause, cure } = PROBLEMS[code];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${code}</title>
<link rel="stylesheet" href="/page.css">
<main>
<h1>${title}</h1>
<p><code>${code}</code>, status ${status}</p>
<h2>Cause</h2>
<p>${cause}</p>
<h2>Cure</h2>
<p>${cure.replaceAll(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`)}</p>
</main>
</html>
`;
}
