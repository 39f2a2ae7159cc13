import { readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import fg from 'fast-glob';
import { parseSync, Visitor } from 'oxc-parser';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** Which folder may import which others. A folder may always import itself; no other folder imports `cli`. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  data: [],
  build: ['data'],
  server: ['data'],
  cli: ['build', 'server', 'data'],
};

/** Files outside 40 to 400 lines, and why. An entry that is no exception any more fails. */
const FILE_SIZE_EXCEPTIONS: Readonly<Record<string, string>> = {
  'build/feeds/feed-worker.ts': 'the entry of a thread: it only answers messages',
  'cli/main.ts': 'the executable: it only runs the program',
  'cli/verify.ts': 'each command has a file',
  'data/record/id.ts': 'every area imports the ids',
  'data/snapshot/incremental-task.ts': 'all indexes share it, and no index owns it',
  'data/store/map-concurrently.ts': 'the rendering of pictures and the transfer of a snapshot share it',
  'server/log.ts': 'every folder of the server imports the type of an entry',
  'server/page/explore/answer-types.ts': 'types for the pages, which are JavaScript',
  'server/start-error.ts': 'the command and the server share it',
};

/** Folders of fewer than 3 or more than 16 files, and why. */
const FOLDER_SIZE_EXCEPTIONS: Readonly<Record<string, string>> = {
  'build/ledger': 'the ledger and the share of a source; every stage imports them',
  'server/page/explore': 'a page in JavaScript with one file of types',
};

/** Files under 60 lines that only their own folder imports, and why they are not part of the importer. */
const SMALL_FILE_EXCEPTIONS: Readonly<Record<string, string>> = {
  'cli/query.ts': 'each command has a file',
  'cli/verify.ts': 'each command has a file',
};

/** Words of riddles and dummy persons, which a plain sentence does without. */
const RIDDLES = /\b(?:whoever|whatever|nobody|anybody|somebody|anew|at\s+hand|in\s+vain|such\s+as\s+are)\b/gi;

const README_MAX_BYTES = 12 * 1024;

const FILES = fg.sync('{cli,server,data,build}/**/*.ts', { cwd: ROOT }).sort();
const SOURCES: ReadonlyMap<string, string> = new Map(FILES.map((file) => [file, readText(file)]));
/** The files of the project that each file imports. */
const IMPORTS: ReadonlyMap<string, readonly string[]> = new Map(
  FILES.map((file) => [
    file,
    importsOf(file)
      .filter(isRelative)
      .map((path) => relative(ROOT, resolve(ROOT, dirname(file), path)))
      .filter((path) => SOURCES.has(path)),
  ]),
);

describe('imports', () => {
  it('point one way', () => {
    const forbidden = [...IMPORTS].flatMap(([file, targets]) =>
      targets
        .filter((target) => areaOf(target) !== areaOf(file) && !MAY_IMPORT[areaOf(file)]?.includes(areaOf(target)))
        .map((target) => `${file} > ${target}`),
    );
    expect(forbidden).toEqual([]);
  });

  it('of data are zod, and modules of Node in its store', () => {
    const forbidden = FILES.filter((file) => areaOf(file) === 'data').flatMap((file) =>
      importsOf(file)
        .filter((path) => !isRelative(path) && path !== 'zod')
        .filter((path) => !(file.startsWith('data/store/') && path.startsWith('node:')))
        .map((path) => `${file} > ${path}`),
    );
    expect(forbidden).toEqual([]);
  });

  it('of folders form no circle, type imports counted', () => {
    const edges = new Map<string, Set<string>>();
    for (const [file, targets] of IMPORTS) {
      const from = nodeOf(file);
      const to = edges.get(from) ?? edges.set(from, new Set()).get(from);
      for (const target of targets) if (nodeOf(target) !== from) to?.add(nodeOf(target));
    }
    expect(findCircle(edges)).toEqual([]);
  });

  it.each([
    [{ a: ['b'], b: ['c'], c: [] }, []],
    [{ a: ['b'], b: ['c'], c: ['b'] }, ['b', 'c', 'b']],
  ])('with a circle are seen: %j', (graph, circle) => {
    expect(findCircle(new Map(Object.entries(graph).map(([from, to]) => [from, new Set(to)])))).toEqual(circle);
  });

  it('are found in every way that they are written', () => {
    const source = [
      `import type { A } from './a.ts';`,
      `import {\n  b,\n} from "../b/b.ts";`,
      `import './c.ts';`,
      `export { d } from '../../d.ts';`,
      `const e = await import('./e.ts');`,
      `type F = import('./f.ts').F;`,
    ].join('\n');
    expect(findImports(source)).toEqual(['./a.ts', '../b/b.ts', './c.ts', '../../d.ts', './e.ts', './f.ts']);
  });

  it('are checked in every folder that is compiled', () => {
    expect(new Set(FILES.map(areaOf))).toEqual(new Set(Object.keys(MAY_IMPORT)));
  });
});

describe('the source', () => {
  it('reads the command line, prints and exits in cli alone', () => {
    const global = /\bprocess\.(?:argv|exit|exitCode|env|stdout|stderr|cwd)\b|\bconsole\./;
    expect(FILES.filter((file) => areaOf(file) !== 'cli' && global.test(SOURCES.get(file) ?? ''))).toEqual([]);
  });

  it('exports no name twice', () => {
    const places = new Map<string, string[]>();
    for (const file of FILES) {
      for (const name of new Set(exportsOf(file))) places.set(name, [...(places.get(name) ?? []), file]);
    }
    const twice = [...places].filter(([, files]) => files.length > 1);
    expect(twice.map(([name, files]) => `${name}: ${files.join(', ')}`)).toEqual([]);
  });

  it('has files of 40 to 400 lines', () => {
    const outside = FILES.filter((file) => linesOf(file) < 40 || linesOf(file) > 400);
    expect(outside.sort()).toEqual(Object.keys(FILE_SIZE_EXCEPTIONS).sort());
  });

  it('has folders of 3 to 16 files', () => {
    const counts = new Map<string, number>();
    for (const file of FILES) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    const outside = [...counts].filter(([folder, count]) => folder.includes('/') && (count < 3 || count > 16));
    expect(outside.map(([folder]) => folder).sort()).toEqual(Object.keys(FOLDER_SIZE_EXCEPTIONS).sort());
  });

  it('has no small file that is only part of another file', () => {
    const importers = new Map<string, Set<string>>();
    for (const [file, targets] of IMPORTS) {
      for (const target of targets) importers.set(target, (importers.get(target) ?? new Set()).add(file));
    }
    const parts = FILES.filter((file) => {
      const [importer, ...others] = importers.get(file) ?? [];
      return linesOf(file) < 60 && importer !== undefined && others.length === 0 && dirname(importer) === dirname(file);
    });
    expect(parts.sort()).toEqual(Object.keys(SMALL_FILE_EXCEPTIONS).sort());
  });
});

describe('prose', () => {
  const pages = fg.sync(['*.md', '{cli,server,data,build,test}/**/*.md'], {
    cwd: ROOT,
    ignore: ['**/node_modules/**'],
  });

  it('of a README is under 12 KB', () => {
    const long = pages.filter(
      (file) => file.endsWith('README.md') && statSync(join(ROOT, file)).size > README_MAX_BYTES,
    );
    expect(long.sort()).toEqual([]);
  });

  it.each(['cli', 'server', 'data', 'build', 'test', 'pages'])('of %s has none of the words of riddles', (area) => {
    const own = new Set([relative(ROOT, import.meta.filename)]);
    const code =
      area === 'pages' ? [] : fg.sync(`${area}/**/*.{ts,js,mjs}`, { cwd: ROOT, ignore: ['**/node_modules/**'] });
    const files = [...code, ...(area === 'pages' ? pages.filter((file) => file !== 'CHANGELOG.md') : [])];
    const found = files
      .filter((file) => !own.has(file))
      .sort()
      .flatMap((file) => findRiddles(file, readText(file)));
    expect(found).toEqual([]);
  });

  it.each([
    ['a.ts', '// Whoever asks', ['a.ts:1 Whoever']],
    ['a.ts', '\n/** What is at\n * hand is read anew. */', ['a.ts:2 at hand', 'a.ts:3 anew']],
    ['a.ts', 'const nobody = "nobody"; const text = `eq{nobody}`;', []],
    ['a.ts', 'throw new Error("nobody has it"); log(`${1} in vain`);', ['a.ts:1 nobody', 'a.ts:1 in vain']],
    ['a.md', 'first\nfor anybody', ['a.md:2 anybody']],
  ])('is searched in comments, sentences and pages: %s %j', (file, text, found) => {
    expect(findRiddles(file, text)).toEqual(found);
  });
});

/** The first circle of a graph as the nodes on its way; empty when there is none. */
function findCircle(edges: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): readonly string[] => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return [];
    for (const next of edges.get(node) ?? []) {
      const circle = visit(next, [...path, node]);
      if (circle.length > 0) return circle;
    }
    done.add(node);
    return [];
  };
  for (const node of edges.keys()) {
    const circle = visit(node, []);
    if (circle.length > 0) return circle;
  }
  return [];
}

/** `file:line word` for each word of riddles in comments and in texts that hold a space; a page is prose throughout. */
function findRiddles(file: string, text: string): readonly string[] {
  const lineAt = (position: number): number => text.slice(0, position).split('\n').length;
  return proseOf(file, text).flatMap(({ start, text: prose }) =>
    // The star of a comment's line stays a place, so that positions hold.
    [...prose.replaceAll(/\n\s*\*/g, (gap) => `\n${' '.repeat(gap.length - 1)}`).matchAll(RIDDLES)].map(
      (match) => `${file}:${lineAt(start + match.index)} ${match[0].replaceAll(/\s+/g, ' ')}`,
    ),
  );
}

interface Prose {
  readonly start: number;
  readonly text: string;
}

function proseOf(file: string, text: string): readonly Prose[] {
  if (file.endsWith('.md')) return [{ start: 0, text }];
  // Most files hold none of the words: only the others are parsed.
  if (text.search(RIDDLES) === -1 && !/\b(?:at|in|such)\s*\n\s*\*/i.test(text)) return [];
  const { program, comments } = parseSync(file, text);
  const found: Prose[] = comments.map(({ start, end }) => ({ start, text: text.slice(start, end) }));
  const addText = ({ start, end }: { readonly start: number; readonly end: number }): void => {
    const literal = text.slice(start, end);
    if (/\s/.test(literal)) found.push({ start, text: literal });
  };
  new Visitor({
    Literal: (literal) => {
      if (typeof literal.value === 'string') addText(literal);
    },
    TemplateLiteral: (template) => template.quasis.forEach(addText),
  }).visit(program);
  return found;
}

function exportsOf(file: string): readonly string[] {
  const { module } = parseSync(file, SOURCES.get(file) ?? '');
  return module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, exportName: { name } }) => (moduleRequest === null && name ? [name] : [])),
  );
}

function importsOf(file: string): readonly string[] {
  return findImports(SOURCES.get(file) ?? '');
}

function findImports(source: string): readonly string[] {
  return [...source.matchAll(/\b(?:from|import)\s*\(?\s*(['"])([^'"\n]+)\1/g)].map(([, , path]) => path ?? '');
}

/** The folder of a file. A file directly in an area composes the folders there, so it is a node by itself. */
function nodeOf(file: string): string {
  return file.split('/').length === 2 ? file : dirname(file);
}

function areaOf(file: string): string {
  return file.split('/')[0] ?? '';
}

function linesOf(file: string): number {
  return (SOURCES.get(file) ?? '').split('\n').length - 1;
}

function readText(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

function isRelative(path: string): boolean {
  return path.startsWith('.');
}
