import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import fg from 'fast-glob';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** Which folder may import which others. A folder may always import itself; no other folder imports `cli`. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  data: [],
  build: ['data'],
  server: ['data'],
  cli: ['build', 'server', 'data'],
};

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

function readText(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

function isRelative(path: string): boolean {
  return path.startsWith('.');
}
