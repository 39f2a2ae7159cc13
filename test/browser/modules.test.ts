import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import fg from 'fast-glob';
import { describe, expect, it } from 'vitest';
import { FILTERS } from '../../data/query/filter.ts';
import { DEAL_SORT_KEYS, PRODUCT_SORT_KEYS } from '../../data/query/vocabulary.ts';

const FOLDER = join(import.meta.dirname, '../../server/page');
const MODULES = fg.sync('**/*.js', { cwd: FOLDER }).sort();
const FILES = fg.sync('**/*.{js,css,html}', { cwd: FOLDER }).sort();

const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');

describe('the modules of the pages', () => {
  it.each(MODULES)('%s imports what is shared and what is in its folder, and nothing else', (file) => {
    const imports = [...read(file).matchAll(/^import [^;]*?from '([^']+)';$/gm)].map(([, path = '']) => path);
    const folders = imports.map((path) => dirname(relative(FOLDER, join(FOLDER, dirname(file), path))));
    expect(folders.filter((folder) => folder !== 'lib' && folder !== dirname(file))).toEqual([]);
    expect(imports.filter((path) => !/^\.\.?\//.test(path))).toEqual([]);
  });

  it.each(MODULES)('%s parses no HTML', (file) => {
    expect(read(file)).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment/,
    );
  });
});

describe('the files of the pages', () => {
  it.each(FILES)('%s names no other host', (file) => {
    // The name of the language of drawings is no place.
    const hosts =
      read(file)
        .replaceAll('http://www.w3.org/2000/svg', '')
        .match(/\b(?:https?:)?\/\/[\w-]+\.[\w.-]+/g) ?? [];
    expect(hosts).toEqual([]);
  });
});

describe('the page of the catalogue', () => {
  it('filters by what the interface filters by', async () => {
    const { FILTERS: shown } = (await import(join(FOLDER, 'explore/view.js'))) as {
      readonly FILTERS: readonly { readonly filter: string; readonly of: string }[];
    };
    for (const { filter, of } of shown) {
      const known = FILTERS.find(({ name }) => name === filter);
      expect([filter, known?.on]).toEqual([filter, of === 'deal' ? 'deal' : 'product']);
    }
  });

  it('sorts by keys of the interface', () => {
    const products = [...read('explore/phone-list.js').matchAll(/value: '([a-z-]+)-(?:asc|desc)'/g)].map(
      ([, key]) => key,
    );
    const deals = [...read('explore/deal-table.js').matchAll(/sort: '([a-z-]+)'/g)].map(([, key]) => key);
    expect(new Set(products)).toEqual(new Set(PRODUCT_SORT_KEYS));
    expect(new Set(deals)).toEqual(new Set(DEAL_SORT_KEYS));
  });
});
