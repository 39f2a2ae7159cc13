import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import fg from 'fast-glob';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** Who may import whom. A folder may always import itself; nobody imports `cli`. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  data: [],
  build: ['data'],
  server: ['data'],
  cli: ['build', 'server', 'data'],
};

const FILES = fg.sync('{cli,server,data,build}/**/*.ts', { cwd: root }).sort();

describe('imports point one way', () => {
  it.each(FILES)('%s', (file) => {
    const folder = folderOf(file);
    const targets = importsOf(file)
      .filter(isRelative)
      .map((path) => folderOf(relative(root, resolve(root, dirname(file), path))));
    const forbidden = targets.filter((target) => target !== folder && !MAY_IMPORT[folder]?.includes(target));
    expect(forbidden).toEqual([]);
  });
});

describe('data imports no package but zod, and its store what Node has', () => {
  it.each(FILES.filter((file) => folderOf(file) === 'data'))('%s', (file) => {
    const mayDoInput = file.startsWith('data/store/');
    const packages = importsOf(file).filter((path) => !isRelative(path) && path !== 'zod');
    expect(packages.filter((path) => !(mayDoInput && path.startsWith('node:')))).toEqual([]);
  });
});

describe('only cli reads the command line, prints or exits', () => {
  it.each(FILES.filter((file) => folderOf(file) !== 'cli'))('%s', (file) => {
    expect(sourceOf(file)).not.toMatch(/\bprocess\.(?:argv|exit|exitCode|env|stdout|stderr|cwd)\b|\bconsole\./);
  });
});

describe('the rule', () => {
  it('sees every way of importing a module', () => {
    const source = [
      `import type { A } from './a.ts';`,
      `import {\n  b,\n} from "../b/b.ts";`,
      `import './c.ts';`,
      `export { d } from '../../d.ts';`,
      `const e = await import('./e.ts');`,
    ].join('\n');
    expect(findImports(source)).toEqual(['./a.ts', '../b/b.ts', './c.ts', '../../d.ts', './e.ts']);
  });

  it('covers every folder that is compiled', () => {
    expect(new Set(FILES.map(folderOf))).toEqual(new Set(Object.keys(MAY_IMPORT)));
  });
});

function importsOf(file: string): readonly string[] {
  return findImports(sourceOf(file));
}

function findImports(source: string): readonly string[] {
  return [...source.matchAll(/\b(?:from|import)\s*\(?\s*(['"])([^'"\n]+)\1/g)].map(([, , path]) => path ?? '');
}

function sourceOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function folderOf(file: string): string {
  return file.split('/')[0] ?? '';
}

function isRelative(path: string): boolean {
  return path.startsWith('.');
}
