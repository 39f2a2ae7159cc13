import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fg from 'fast-glob';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const IGNORED = ['**/node_modules/**', 'dist/**', 'test/docs/links.test.ts'];
const PAGES = fg.sync('**/*.md', { cwd: ROOT, ignore: IGNORED }).sort();
const CITING = fg.sync('{build,cli,data,server,test}/**/*.{ts,js,ndjson,jsonl,md}', { cwd: ROOT, ignore: IGNORED });

function read(name: string): string {
  return readFileSync(join(ROOT, name), 'utf8');
}

/** The anchor of each heading of a page. */
function anchorsOf(page: string): readonly string[] {
  return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** What every file cites with this pattern, and where. */
function citations(pattern: RegExp): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const name of CITING) {
    for (const [, cited = ''] of read(name)
      .replaceAll(/\n *(?:\/\/|\*)? */g, ' ')
      .matchAll(pattern)) {
      found.set(cited, name);
    }
  }
  return found;
}

describe('the pages', () => {
  it.each(PAGES)('%s links to what there is', (page) => {
    const text = read(page).replaceAll(/```[^]*?```/g, '');
    const broken = [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
      if (/^https?:/.test(target)) return [];
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : join(dirname(page), path);
      if (!existsSync(join(ROOT, file))) return [target];
      return anchor === undefined || anchorsOf(file).includes(anchor) ? [] : [target];
    });
    expect(broken).toEqual([]);
  });

  it.each([
    ['spec §<number>', /spec §([0-9]+(?:\.[0-9]+)?)/g, 'interface', /^#+ ([0-9.]*[0-9])/gm],
    ['D<number>', /\b(D[0-9]+)\b(?=[^0-9a-z"']|$)/g, 'decisions', /^## (D[0-9]+) /gm],
    ['INPUTS "<heading>"', /INPUTS "([^"]+)"/g, 'inputs', /^(?:#+ |\*\*)([^*\n]+?)\.?(?:\*\*|$)/gm],
  ] as const)('have what is cited as %s', (_form, pattern, page, headings) => {
    const known = [...read(`data/spec/${page}.md`).matchAll(headings)].map(([, heading = '']) => heading);
    const unknown = [...citations(pattern)].filter(([cited]) => !known.includes(cited));
    expect(unknown).toEqual([]);
  });
});
