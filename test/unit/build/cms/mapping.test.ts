import { describe, expect, it } from 'vitest';
import { BrokenReference, CmsEntry } from '../../../../build/cms/adapter.ts';
import { parsePath, readPath } from '../../../../build/cms/mapping.ts';

describe('a path into an entry', () => {
  it.each([
    ['title', ['title']],
    ['seo.metaTitle', ['seo', 'metaTitle']],
    ['gallery[0]', ['gallery', 0]],
    ['gallery[10].file[2].url', ['gallery', 10, 'file', 2, 'url']],
    ['meta._yoast_wpseo_title', ['meta', '_yoast_wpseo_title']],
    ['meta["a.b[0]"]', ['meta', 'a.b[0]']],
    ['meta.["a.b"].c', ['meta', 'a.b', 'c']],
    ['4g', ['4g']],
    ['__proto__', ['__proto__']],
  ])('is parsed: %s', (text, steps) => {
    expect(parsePath(text)).toEqual(steps);
  });

  it.each(['', '.', 'a.', '.a.', 'a..b', '[0]', 'a[', 'a[x]', 'a[-1]', 'a[0', 'a]', '["a'])(
    'is refused: %j',
    (text) => {
      expect(parsePath(text)).toBeUndefined();
    },
  );

  const dead = new BrokenReference('entry 7');
  const values: Readonly<Record<string, unknown>> = {
    title: 'Pixel',
    blank: '  ',
    nothing: null,
    none: [],
    zero: 0,
    no: false,
    one: { name: 'a' },
    many: [{ name: 'a' }, { name: 'b' }, {}],
    linked: new CmsEntry('brand', (key) => (key === 'slug' ? 'google' : undefined)),
    dead,
  };
  const entry = new CmsEntry('phone', (key) => values[key]);

  it.each([
    ['title', 'Pixel'],
    ['blank', undefined],
    ['nothing', undefined],
    ['none', undefined],
    ['zero', 0],
    ['no', false],
    ['missing', undefined],
    ['missing.deeper[0]', undefined],
    ['title.length', undefined],
    ['one.name', 'a'],
    ['one[0].name', 'a'],
    ['one[1].name', undefined],
    ['many.name', ['a', 'b']],
    ['many[1].name', 'b'],
    ['many[9].name', undefined],
    ['many.missing', undefined],
    ['one.toString', undefined],
    ['one.__proto__', undefined],
    ['linked.slug', 'google'],
    ['linked.name', undefined],
    ['dead.name', dead],
  ])('leads from %s to what is there', (text, found) => {
    expect(readPath(entry, parsePath(text) ?? [])).toEqual(found);
  });
});
