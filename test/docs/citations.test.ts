import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fg from 'fast-glob';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const TEXTS = fg.sync(['*.md', '{cli,server,data,build,test}/**/*.{ts,js,css,html,sh,conf,yml,md}'], {
  cwd: ROOT,
  ignore: ['**/node_modules/**', 'data/sample/**/*.html'],
});

/** Rules are cited as `spec §4.2`, `D11` and `INPUTS "Matching"`: each names a heading of `data/spec/`. */
it.each([
  ['interface.md', /(?<![0-9]{4}[ *\n/]{1,5}(?:§[0-9.]+(?:,\s|\sand\s|\sto\s))*)§([0-9]+(?:\.[0-9]+)*)/g, /^[0-9.]+/],
  ['decisions.md', /\b(D[0-9]+)\b/g, /^D[0-9]+/],
  ['inputs.md', /\bINPUTS[ *\n/]+"([^"]{1,80})"/g, /^.+/],
])('what is cited of %s is there', (page, citation, heading) => {
  const text = readFileSync(join(ROOT, 'data/spec', page), 'utf8');
  const headings = Array.from(text.matchAll(/^##+ (.+)$/gm), ([, title = '']) =>
    heading.exec(title.replaceAll('`', ''))?.[0].replace(/\.$/, ''),
  );
  const cited = TEXTS.flatMap((file) =>
    Array.from(readFileSync(join(ROOT, file), 'utf8').matchAll(citation), ([, rule = '']) => ({
      file,
      rule: rule.replaceAll(/\s*\n[\s*/]*/g, ' '),
    })),
  );
  expect(cited.length).toBeGreaterThan(20);
  expect(cited.filter(({ rule }) => !headings.includes(rule))).toEqual([]);
});
