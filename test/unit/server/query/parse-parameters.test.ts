import { describe, expect, it } from 'vitest';
import { FORMATS, SIZES, VIEWS } from '../../../../data/field/image.ts';
import type { ResourceWord } from '../../../../data/query/endpoint.ts';
import { DEAL_SORT_KEYS, PRODUCT_SORT_KEYS, SORT_DIRECTIONS } from '../../../../data/query/vocabulary.ts';
import { parseFields } from '../../../../server/query/parse-projection.ts';
import { parseLimit, parseSort } from '../../../../server/query/parse-sort-limit.ts';
import { parseWords, unknownWord } from '../../../../server/query/parse-words.ts';
import { describeQueryIssue, type QueryIssue } from '../../../../server/query/query-issue.ts';
import { parsed, sentences } from './parsed.ts';

const VOCABULARY = new Map([
  ['content', 'content'],
  ['images', 'images'],
  ['product-content', 'content'],
]);
const parseList = (text: string) => (issues: QueryIssue[]) => [
  ...parseWords('expand', text, 'products', VOCABULARY, issues),
];

describe('a list of words (spec §4.1, D4, D5)', () => {
  it.each<[string, string[]]>([
    ['products(content)', ['content']],
    ['products(content,images)', ['content', 'images']],
    ['products{content,images}', ['content', 'images']],
    ['content', ['content']],
    ['images,content', ['images', 'content']],
    ['  products( content ,  images )  ', ['content', 'images']],
    [' content , images ', ['content', 'images']],
    ['products(content,content)', ['content']],
    ['products(product-content,content)', ['content']],
  ])('reads %j', (text, words) => {
    expect(parsed(parseList(text))).toEqual({ value: words, refusals: [] });
  });

  it.each<[string, string[], string[]]>([
    ['products(content', [], ['malformed-value products(content']],
    ['products(content}', [], ['malformed-value products(content}']],
    ['products{content)', [], ['malformed-value products{content)']],
    ['products(', [], ['malformed-value products(']],
    ['products)', [], ['malformed-value products)']],
    ['content)', [], ['malformed-value content)']],
    ['(content)', [], ['malformed-value (content)']],
    ['products((content))', [], ['malformed-value products((content))']],
    ['products(content)images', [], ['malformed-value products(content)images']],
    ['products(content),images', [], ['malformed-value products(content),images']],
    ['content,products(images)', [], ['malformed-value content,products(images)']],
    ['products(content)products(images)', [], ['malformed-value products(content)products(images)']],
    ['products()', [], ['malformed-value products()']],
    ['products(content,)', ['content'], ['malformed-value products(content,)']],
    [',content', ['content'], ['malformed-value ,content']],
    ['content,,images', ['content', 'images'], ['malformed-value content,,images']],
    ['products(contents)', [], ['unknown-value contents']],
    ['products(Content,images)', ['images'], ['unknown-value Content']],
    ['a,b,content', ['content'], ['unknown-value a', 'unknown-value b']],
    // One slip made twice is one slip.
    ['imags,content,imags', ['content'], ['unknown-value imags']],
    ['Products(content)', ['content'], ['unknown-value Products']],
    ['phones(content)', ['content'], ['unknown-value phones']],
    // Words of another resource are not blamed one by one.
    ['gifts(heading)', [], ['unknown-value gifts']],
    ['giftcategories(anything)', [], ['unknown-value giftcategories']],
  ])('refuses %j', (text, words, refusals) => {
    expect(parsed(parseList(text))).toEqual({
      value: words,
      refusals: refusals.map((refusal) => `expand: ${refusal}`),
    });
  });

  it('offers the word that was meant, and lists those allowed', () => {
    expect(unknownWord('expand', 'imags', ['content', 'images'], 'a word', 0)).toEqual({
      code: 'unknown-value',
      parameter: 'expand',
      expected: 'a word',
      value: 'imags',
      allowed: ['content', 'images'],
      suggestion: 'images',
    });
    expect(unknownWord('expand', 'xyzzy', ['content'], 'a word', 0)).not.toHaveProperty('suggestion');
  });

  it('says what was expected and what arrived, one sentence for each code', () => {
    expect(sentences(parseList('products(content'))).toEqual([
      'expand: expected products(<word>,<word>,…), got "products(content"',
    ]);
    expect(sentences(parseList('imags'))).toEqual([
      'expand: expected one of the words of expand, got "imags"; did you mean "images"?',
    ]);
    expect(sentences(parseList('gifts(content)'))).toEqual([
      'expand: expected the wrapper products(…), got "gifts"; did you mean "products"?',
    ]);
  });

  it('takes time in proportion to the text, regardless of what it is', () => {
    const startedAt = performance.now();
    for (const text of [`products(${'a,'.repeat(4_000)}`, '('.repeat(8_000), `products(${'content,'.repeat(1_000)}`]) {
      parsed(parseList(text));
    }
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});

const parseFieldsOf = (text: string, resource: ResourceWord = 'products') =>
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
    expect(parseFieldsOf(text)).toEqual({ value, refusals: [] });
  });

  it('narrows a group in the order in which it is written, however the words are ordered', () => {
    expect(parseFieldsOf('webp,png,small,large,back,front').value).toEqual({
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
    expect(parseFieldsOf(word, resource).refusals).toEqual([`fields: unknown-value ${word}`]);
  });
});

const parseOneSort = (text: string) => parsed((issues) => parseSort(text, issues));
const EVERY = [
  ...DEAL_SORT_KEYS.map((key) => ['deals', key] as const),
  ...PRODUCT_SORT_KEYS.map((key) => ['products', key] as const),
].flatMap(([resource, key]) => SORT_DIRECTIONS.map((direction) => [resource, key, direction] as const));

describe('sort (spec §4.4, D14)', () => {
  it.each(EVERY)('reads %s(%s-%s)', (resource, key, direction) => {
    expect(parseOneSort(`${resource}(${key}-${direction})`)).toEqual({
      value: { [resource]: { key, direction } },
      refusals: [],
    });
  });

  it.each([
    'deals(total-cost-asc),products(name-desc)',
    'products(name-desc),deals(total-cost-asc)',
    ' products( name-desc ) , deals( total-cost-asc ) ',
  ])('reads %j as one sort of each', (text) => {
    expect(parseOneSort(text)).toEqual({
      value: {
        deals: { key: 'total-cost', direction: 'asc' },
        products: { key: 'name', direction: 'desc' },
      },
      refusals: [],
    });
  });

  it.each<[string, string]>([
    ['total-cost-asc', 'malformed-value total-cost-asc'],
    ['deals(total-cost)', 'malformed-value total-cost'],
    ['deals(total-cost-up)', 'malformed-value total-cost-up'],
    ['deals()', 'malformed-value '],
    ['deals(asc)', 'malformed-value asc'],
    ['deals(-asc)', 'malformed-value -asc'],
    ['deals(total-cost-asc', 'malformed-value deals(total-cost-asc'],
    ['deals{total-cost-asc}', 'malformed-value deals{total-cost-asc}'],
    ['(total-cost-asc)', 'malformed-value (total-cost-asc)'],
    ['deals((total-cost-asc))', 'malformed-value (total-cost-asc)'],
    ['deals(total-cost-asc),', 'malformed-value deals(total-cost-asc),'],
    ['deals(total-cost-asc,upfront-cost-asc)', 'malformed-value deals(total-cost-asc,upfront-cost-asc)'],
    ['deals(total-cost-asc),deals(total-cost-asc)', 'malformed-value deals(total-cost-asc),deals(total-cost-asc)'],
    // However often, since the fault quotes the whole text.
    ['deals(total-cost-asc),deals(),deals()', 'malformed-value deals(total-cost-asc),deals(),deals()'],
    ['products(name-asc),products(name-asc)', 'malformed-value products(name-asc),products(name-asc)'],
    ['deals(price-asc)', 'unknown-value price'],
    ['deals(name-asc)', 'unknown-value name'],
    ['products(data-allowance-asc)', 'unknown-value data-allowance'],
    ['deals(Total-Cost-asc)', 'unknown-value Total-Cost'],
    ['gifts(name-asc)', 'unknown-value gifts'],
    ['Deals(total-cost-asc)', 'unknown-value Deals'],
  ])('refuses %s', (text, refusal) => {
    expect(parseOneSort(text).refusals).toEqual([`sort: ${refusal}`]);
  });

  it('names every fault of a sort', () => {
    expect(parseOneSort('deals(price-asc),products(data-asc)').refusals).toEqual([
      'sort: unknown-value price',
      'sort: unknown-value data',
    ]);
  });

  it('says what was expected and what arrived', () => {
    const sentence = (text: string) => sentences((issues) => parseSort(text, issues));
    expect(sentence('total-cost')).toEqual([
      'sort: expected deals(<key>-asc|desc), products(<key>-asc|desc), or both separated by a comma, got "total-cost"',
    ]);
    expect(sentence('deals(total-cost)')).toEqual([
      'sort: expected a key with its direction, such as data-allowance-asc, got "total-cost"',
    ]);
    expect(sentence('deals(total-cots-asc)')).toEqual([
      'sort: expected one of data-allowance, total-cost, upfront-cost, contract-price, got "total-cots"; did you mean "total-cost"?',
    ]);
  });
});

const parseOneLimit = (text: string) => parsed((issues) => parseLimit(text, 100, issues));

describe('limit (spec §4.5, D15)', () => {
  it.each<[string, object]>([
    ['1', { products: 1 }],
    ['100', { products: 100 }],
    [' 10 ', { products: 10 }],
    ['deals(1)', { deals: 1 }],
    ['deals(1000)', { deals: 1000 }],
    ['10,deals(3)', { products: 10, deals: 3 }],
    ['deals(3),10', { products: 10, deals: 3 }],
    ['deals( 3 ) , 10', { products: 10, deals: 3 }],
  ])('reads %j', (text, value) => {
    expect(parseOneLimit(text)).toEqual({ value, refusals: [] });
  });

  it.each<[string, string[]]>([
    ['0', ['out-of-range 0']],
    ['-1', ['out-of-range -1']],
    ['101', ['out-of-range 101']],
    ['9'.repeat(400), [`out-of-range ${'9'.repeat(400)}`]],
    ['deals(0)', ['out-of-range 0']],
    ['deals(1001)', ['out-of-range 1001']],
    ['0,deals(0)', ['out-of-range 0', 'out-of-range 0']],
    ['abc', ['malformed-value abc']],
    ['1.5', ['malformed-value 1.5']],
    ['1e2', ['malformed-value 1e2']],
    ['0x10', ['malformed-value 0x10']],
    ['10,', ['malformed-value 10,']],
    ['10,20', ['malformed-value 10,20']],
    ['deals', ['malformed-value deals']],
    ['deals()', ['malformed-value ']],
    ['deals(3', ['malformed-value deals(3']],
    ['(3)', ['malformed-value (3)']],
    ['deals{3}', ['malformed-value deals{3}']],
    ['deals(3),deals(3)', ['malformed-value deals(3),deals(3)']],
    ['products(10)', ['unknown-value products']],
    ['Deals(3)', ['unknown-value Deals']],
  ])('refuses %s, and never clamps', (text, refusals) => {
    expect(parseOneLimit(text).refusals).toEqual(refusals.map((refusal) => `limit: ${refusal}`));
  });

  it('says what was expected and what arrived', () => {
    const sentence = (text: string) => sentences((issues) => parseLimit(text, 50, issues));
    expect(sentence('many')).toEqual([
      'limit: expected a whole number, deals(<n>), or both separated by a comma, got "many"',
    ]);
    expect(sentence('51')).toEqual(['limit: expected 1 to 50 products per page, got "51"']);
    expect(sentence('deals(0)')).toEqual(['limit: expected 1 to 1000 deals per product, got "0"']);
    expect(sentence('deal(3)')).toEqual(['limit: expected a number or deals(<n>), got "deal"; did you mean "deals"?']);
  });
});
