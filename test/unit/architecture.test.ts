import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import fg from 'fast-glob';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** Which folder may import which others. A folder may always import itself; no other folder imports `cli`. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  data: [],
  build: ['data'],
  server: ['data'],
  cli: ['build', 'server', 'data'],
};

const SOURCES = new Map(
  fg
    .sync('{cli,server,data,build}/**/*.ts', { cwd: ROOT })
    .map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]),
);

describe('imports', () => {
  it('point one way', () => {
    const forbidden = pairs((file, target) => {
      const [from, to] = [areaOf(file), areaOf(target)];
      return from !== to && MAY_IMPORT[from]?.includes(to) !== true;
    });
    expect(forbidden).toEqual([]);
  });

  it('of folders form no circle, type imports counted', () => {
    // A file directly in an area composes the folders there, so it is a node by itself.
    const nodeOf = (file: string): string => (file.split('/').length === 2 ? file : dirname(file));
    const edges = new Map<string, Set<string>>();
    for (const file of SOURCES.keys()) {
      const targets = importsOf(file).map(nodeOf);
      edges.set(nodeOf(file), new Set([...(edges.get(nodeOf(file)) ?? []), ...targets]));
    }
    // Nodes that import nothing that is left are taken away; a circle stays.
    for (let found = true; found;) {
      found = false;
      for (const [node, targets] of edges) {
        if ([...targets].some((target) => target !== node && edges.has(target))) continue;
        found = edges.delete(node);
      }
    }
    expect([...edges.keys()]).toEqual([]);
  });
});

it('only cli reads the command line, prints and exits', () => {
  const global = /\bprocess\.(?:argv|exit|exitCode|env|stdout|stderr|cwd)\b|\bconsole\./;
  const found = [...SOURCES].filter(([file, text]) => areaOf(file) !== 'cli' && global.test(text));
  expect(found.map(([file]) => file)).toEqual([]);
});

function pairs(isForbidden: (file: string, target: string) => boolean): readonly string[] {
  return [...SOURCES.keys()].flatMap((file) => {
    const targets = importsOf(file).filter((target) => isForbidden(file, target));
    return targets.map((target) => `${file} > ${target}`);
  });
}

/** The files of the project that a file imports. */
function importsOf(file: string): readonly string[] {
  const imports = (SOURCES.get(file) ?? '').matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^'\n]+)'/g);
  return Array.from(imports, ([, path = '']) => relative(ROOT, resolve(ROOT, dirname(file), path)));
}

function areaOf(file: string): string {
  return file.split('/')[0] ?? '';
}
