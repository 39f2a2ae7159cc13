import { describe, expect, it } from 'vitest';
import { FORMATS, IMAGE_KEYS, SIZES, VIEWS } from '../../../../data/field/image.ts';
import { SPEC_FIELDS } from '../../../../data/field/spec.ts';
import type { ResourceWord } from '../../../../data/query/endpoint.ts';
import { parseFields } from '../../../../server/query/parse-projection.ts';
import { describeQueryIssue, type QueryIssue } from '../../../../server/query/query-issue.ts';
import { parsed } from './parsed.ts';

const parse = (text: string, resource: ResourceWord = 'products') =>
  parsed((issues) => parseFields(text, resource, issues));

describe('fields (spec §4.2)', () => {
  it.each<[string, object]>([
    ['id,name,slug', {}],
    ['heading', { content: ['heading'] }],
    ['products(introduction,heading)', { content: ['heading', 'introduction'] }],
    ['meta-data-title', { metaData: ['title'] }],
    ['meta-data-keywords,meta-data-description', { metaData: ['description', 'keywords'] }],
    ['front,large,png', { images: ['largeFrontImagePng'] }],
    ['front,large,jpg,png', { images: ['largeFrontImagePng', 'largeFrontImageJpg'] }],
    ['products{4g,os,heading}', { content: ['heading'], specs: ['os', '4g'] }],
  ])('reads %s', (text, value) => {
    expect(parse(text)).toEqual({ value, refusals: [] });
  });

  it.each(SPEC_FIELDS)('reads $word as specs.$key', ({ word, key }) => {
    expect(parse(word)).toEqual({ value: { specs: [key] }, refusals: [] });
  });

  it('gives all 36 keys, in their order, for every view, size and format (§2.9)', () => {
    const { value } = parse('jpg,png,webp,small,medium,large,right,left,back,front');
    expect(value).toEqual({ images: IMAGE_KEYS });
  });

  it('narrows a group in the order in which it is written, however the words are ordered', () => {
    expect(parse('webp,png,small,large,back,front').value).toEqual({
      images: [
        'largeFrontImageWebp',
        'largeFrontImagePng',
        'smallFrontImageWebp',
        'smallFrontImagePng',
        'largeBackImageWebp',
        'largeBackImagePng',
        'smallBackImageWebp',
        'smallBackImagePng',
      ],
    });
  });

  it.each(['gifts', 'giftcategories'] as const)(
    'a selection of %s is told the words of its pictures alone (D7)',
    (resource) => {
      const issues: QueryIssue[] = [];
      parseFields('front', resource, issues);
      expect(issues).toMatchObject([{ code: 'incomplete-image-selection', allowed: ['large', ...FORMATS] }]);
    },
  );

  it.each<[string, string, readonly string[]]>([
    ['front', 'size and format', [...SIZES, ...FORMATS]],
    ['large', 'view and format', [...VIEWS, ...FORMATS]],
    ['webp', 'view and size', [...VIEWS, ...SIZES]],
    ['front,large', 'format', FORMATS],
    ['back,jpg,os', 'size', SIZES],
    ['small,png,heading', 'view', VIEWS],
  ])('a selection needs a view, a size and a format: refuses %s (D7)', (text, axes, allowed) => {
    const issues: QueryIssue[] = [];
    parseFields(text, 'products', issues);
    expect(issues).toMatchObject([{ code: 'incomplete-image-selection', parameter: 'fields', value: text, allowed }]);
    expect(issues.map(describeQueryIssue)).toEqual([
      `fields: expected at least one view, one size and one format for images; missing: ${axes}, got "${text}"`,
    ]);
  });

  it.each<[ResourceWord, string]>([
    ['gifts', 'front,large,webp,png,jpg'],
    ['giftcategories', 'front,large,webp,png,jpg'],
  ])('%s have the large front picture in three formats (§2.11)', (resource, text) => {
    expect(parse(text, resource)).toEqual({
      value: { images: ['largeFrontImageWebp', 'largeFrontImagePng', 'largeFrontImageJpg'] },
      refusals: [],
    });
  });

  it.each<[ResourceWord, string]>([
    ['gifts', 'back'],
    ['gifts', 'small'],
    ['gifts', 'os'],
    ['giftcategories', 'medium'],
    ['giftcategories', '4g'],
    ['products', 'title'],
    ['products', 'images'],
    ['products', 'productName'],
    ['products', 'product-content'],
  ])('%s refuse %s', (resource, word) => {
    expect(parse(word, resource).refusals).toEqual([`fields: unknown-value ${word}`]);
  });
});
