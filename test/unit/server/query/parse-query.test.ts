import { beforeAll, describe, expect, it } from 'vitest';
import { FORMATS, SIZES, VIEWS } from '../../../../data/field/image.ts';
import type { EndpointName } from '../../../../data/query/endpoint.ts';
import { FILTER_OPERATORS, FILTERS } from '../../../../data/query/filter.ts';
import { DEAL_SORT_KEYS, PRODUCT_SORT_KEYS, SORT_DIRECTIONS } from '../../../../data/query/vocabulary.ts';
import type { CatalogueIndex } from '../../../../data/snapshot/catalogue-index.ts';
import { createCursors } from '../../../../server/query/pagination.ts';
import { parseQuery, type ParsedQuery } from '../../../../server/query/parse-query.ts';
import { describeQueryIssue } from '../../../../server/query/query-issue.ts';
import { parseQueryString } from '../../../../server/query/query-string.ts';
import { openCatalogue } from '../open-catalogue.ts';

let index: CatalogueIndex;
beforeAll(async () => ({ index } = await openCatalogue()));

const CURSOR = createCursors({ content: '0123456789ab', sequence: 1 }, 'walk')(20);
const PLAIN = {
  kind: 'products',
  filters: [],
  projection: {},
  hasCheapestDeal: false,
  hasPriceHistory: false,
  isGrouped: false,
  pageLimit: 20,
};
const BY_COST = { key: 'total-cost', direction: 'asc' };

const parse = (endpoint: EndpointName, query: string, id?: string): ParsedQuery =>
  parseQuery({ endpoint, query: parseQueryString(query), ...(id === undefined ? {} : { id }) }, index);
/** One parameter, as it is after decoding. */
const parseOne = (name: string, value: string, endpoint: EndpointName = 'products'): ParsedQuery =>
  parseQuery({ endpoint, query: { pairs: [{ name, value, raw: '' }], issues: [] } }, index);
const refusalsOf = ({ issues }: ParsedQuery): string[] =>
  issues.map(({ code, parameter, value }) => `${parameter}: ${code} ${value}`);
const sentencesOf = ({ issues }: ParsedQuery): string[] => issues.map(describeQueryIssue);

describe('a request as a whole (spec §4)', () => {
  it.each<[EndpointName, string, object]>([
    ['products', '', PLAIN],
    ['products', '&&', PLAIN],
    ['products', 'expand=products(priceHistory)', { ...PLAIN, hasPriceHistory: true }],
    ['products', 'expand=products(cheapestDeal,grouped)', { ...PLAIN, hasCheapestDeal: true, isGrouped: true }],
    ['products', 'expand=deals', { ...PLAIN, dealSort: BY_COST }],
    [
      'products',
      'limit=deals(3)&expand=deals&sort=deals(data-allowance-desc),products(name-asc)',
      {
        ...PLAIN,
        dealSort: { key: 'data-allowance', direction: 'desc' },
        dealsPerProduct: 3,
        productSort: { key: 'name', direction: 'asc' },
      },
    ],
    // Where no deals are expanded, their sort and limit change nothing (D14).
    ['products', 'limit=deals(3)&sort=deals(data-allowance-desc)', PLAIN],
    [
      'products',
      'fields=products(front,large,png)&expand=products(content,deals)',
      { ...PLAIN, projection: { content: 'whole', images: ['largeFrontImagePng'] }, dealSort: BY_COST },
    ],
    [
      'products',
      'filter[totalCost]=gte{100}&filter[condition]=eq{new}&filter[totalCost]=lt{500}',
      {
        ...PLAIN,
        filters: [
          { name: 'condition', operator: 'eq', values: ['new'] },
          { name: 'totalCost', operator: 'lt', values: [50_000] },
          { name: 'totalCost', operator: 'gte', values: [10_000] },
        ],
      },
    ],
    [
      'giftCategories',
      'expand=gifts,content',
      { kind: 'giftCategories', projection: { content: 'whole' }, hasGifts: true },
    ],
    ['gifts', 'fields=gifts(heading)', { kind: 'gifts', projection: { content: ['heading'] }, hasGifts: false }],
    ['networks', '', { kind: 'networks', projection: {}, hasGifts: false }],
  ])('%s?%s', (endpoint, query, expected) => {
    expect(parse(endpoint, query)).toEqual({ query: expected, issues: [] });
  });

  it('takes the id of the path, and the cursor', () => {
    expect(parse('product', '', '101')).toEqual({ query: { ...PLAIN, id: '101' }, issues: [] });
    expect(refusalsOf(parse('product', '', 'x1'))).toEqual(['id: malformed-value x1']);
    expect(parse('products', `cursor=${CURSOR}`)).toEqual({ query: PLAIN, cursor: CURSOR, issues: [] });
  });

  it.each<[EndpointName, string, string[]]>([
    ['products', 'page=2&page=3&page', ['page: unknown-parameter page']],
    ['products', '=2', [': unknown-parameter ']],
    ['products', 'Expand=content', ['Expand: unknown-parameter Expand']],
    ['products', 'limit=', ['limit: malformed-value ']],
    ['products', 'sort', ['sort: malformed-value ']],
    ['products', 'cursor=+', ['cursor: malformed-value  ']],
    ['products', 'cursor=2&limit=0', ['limit: out-of-range 0', 'cursor: invalid-cursor 2']],
    ['products', `cursor=${CURSOR.toUpperCase()}`, [`cursor: invalid-cursor ${CURSOR.toUpperCase()}`]],
    ['gifts', 'cursor=2', ['cursor: unknown-parameter cursor']],
    ['products', 'limit=5&limit=6&limit=7', ['limit: repeated-parameter 7']],
    ['products', 'expand=content&expand=specs', ['expand: repeated-parameter specs']],
    ['products', 'filter[id]=eq{1}&filter[id]=eq{1}', ['filter[id]: repeated-parameter eq{1}']],
    // One filter with different operators is a range, not a repetition (D4).
    ['products', 'filter[totalCost]=lt{5}&filter[totalCost]=gt{1}', []],
    [
      'products',
      'filter[totalCost]=lt{5}&filter[totalCost]=gt{1}&filter[totalCost]=lt{6}',
      ['filter[totalCost]: repeated-parameter lt{6}'],
    ],
    ['gifts', 'filter[condition]=eq{new}', ['filter[condition]: unknown-parameter filter[condition]']],
    ['networks', 'fields=heading', ['fields: unknown-parameter fields']],
    [
      'products',
      'limit=0&sort=x&a=%zz&page=1&expand=foo',
      [
        'a: malformed-value %zz',
        'page: unknown-parameter page',
        'expand: unknown-value foo',
        'sort: malformed-value x',
        'limit: out-of-range 0',
      ],
    ],
  ])('refuses %s?%s, naming every fault (D4)', (endpoint, query, expected) => {
    expect(refusalsOf(parse(endpoint, query))).toEqual(expected);
  });
});

describe('expand and fields (spec §4.1, §4.2, D5, D7)', () => {
  it.each<[string, object]>([
    ['products(content)', { content: 'whole' }],
    ['products{content,images}', { content: 'whole', images: 'whole' }],
    ['images,content', { content: 'whole', images: 'whole' }],
    ['  products( content ,  images )  ', { content: 'whole', images: 'whole' }],
    ['products(product-content,content,product-page-content)', { content: 'whole', pageContent: 'whole' }],
    ['product-specs,product-images,product-meta-data', { specs: 'whole', images: 'whole', metaData: 'whole' }],
  ])('expand=%j reads', (text, projection) => {
    expect(parseOne('expand', text)).toMatchObject({ query: { projection }, issues: [] });
  });

  it.each<[string, object]>([
    ['id,name,slug', {}],
    ['products(introduction,heading)', { content: ['heading', 'introduction'] }],
    ['meta-data-keywords,meta-data-description', { metaData: ['description', 'keywords'] }],
    ['deal-count,condition', { attributes: ['condition', 'dealCount'] }],
    ['front,large,jpg,png', { images: ['largeFrontImagePng', 'largeFrontImageJpg'] }],
    ['products{4g,os,heading}', { content: ['heading'], specs: ['os', '4g'] }],
    [
      'webp,small,large,back,front',
      { images: ['largeFrontImageWebp', 'smallFrontImageWebp', 'largeBackImageWebp', 'smallBackImageWebp'] },
    ],
  ])('fields=%j reads', (text, projection) => {
    expect(parseOne('fields', text)).toEqual({ query: { ...PLAIN, projection }, issues: [] });
  });

  it.each<[string, string[]]>([
    ['products(content', ['malformed-value products(content']],
    ['products(content}', ['malformed-value products(content}']],
    ['products{content)', ['malformed-value products{content)']],
    ['products(', ['malformed-value products(']],
    ['content)', ['malformed-value content)']],
    ['(content)', ['malformed-value (content)']],
    ['products((content))', ['malformed-value products((content))']],
    ['products{(content)}', ['malformed-value products{(content)}']],
    ['products(content)images', ['malformed-value products(content)images']],
    ['products(content),images', ['malformed-value products(content),images']],
    ['content,products(images)', ['malformed-value content,products(images)']],
    ['products(content)products(images)', ['malformed-value products(content)products(images)']],
    ['products()', ['malformed-value products()']],
    ['products(content,)', ['malformed-value products(content,)']],
    [',content', ['malformed-value ,content']],
    ['content,,images', ['malformed-value content,,images']],
    ['products(Content,images)', ['unknown-value Content']],
    ['a,b,content', ['unknown-value a', 'unknown-value b']],
    // A slip made twice is one slip.
    ['imags,content,imags', ['unknown-value imags']],
    ['Products(content)', ['unknown-value Products']],
    ['phones(contents)', ['unknown-value phones', 'unknown-value contents']],
    // Words of another resource are not blamed one by one.
    ['gifts(heading)', ['unknown-value gifts']],
    ['giftcategories(anything)', ['unknown-value giftcategories']],
  ])('expand=%j is refused', (text, refusals) => {
    expect(refusalsOf(parseOne('expand', text))).toEqual(refusals.map((refusal) => `expand: ${refusal}`));
  });

  it.each<[EndpointName, string]>([
    ['gifts', 'back'],
    ['gifts', 'os'],
    ['giftCategories', 'medium'],
    ['giftCategories', 'deal-count'],
    ['products', 'title'],
    ['products', 'images'],
    ['products', 'product-content'],
  ])('%s have no field %s', (endpoint, word) => {
    expect(refusalsOf(parseOne('fields', word, endpoint))).toEqual([`fields: unknown-value ${word}`]);
  });

  it.each<[string, string, readonly string[]]>([
    ['front', `a size (${SIZES.join(', ')}) and a format (${FORMATS.join(', ')})`, [...SIZES, ...FORMATS]],
    ['large', `a view (${VIEWS.join(', ')}) and a format (${FORMATS.join(', ')})`, [...VIEWS, ...FORMATS]],
    ['webp', `a view (${VIEWS.join(', ')}) and a size (${SIZES.join(', ')})`, [...VIEWS, ...SIZES]],
    ['back,jpg,os', `a size (${SIZES.join(', ')})`, SIZES],
    ['small,png,heading', `a view (${VIEWS.join(', ')})`, VIEWS],
  ])('a selection needs a view, a size and a format: refuses %s', (value, axes, allowed) => {
    const parsed = parseOne('fields', value);
    expect(parsed.issues).toMatchObject([{ code: 'incomplete-image-selection', parameter: 'fields', value, allowed }]);
    expect(sentencesOf(parsed)).toEqual([
      `fields: expected at least one view, one size and one format for images; missing: ${axes}, got "${value}"`,
    ]);
  });
});

describe('sort and limit (spec §4.4, §4.5, D14, D15)', () => {
  const withDeals = (query: string) => parse('products', `expand=deals&${query}`);

  it.each([
    ...DEAL_SORT_KEYS.map((key) => ['deals', 'dealSort', key] as const),
    ...PRODUCT_SORT_KEYS.map((key) => ['products', 'productSort', key] as const),
  ])('sort=%s has %s by %s', (wrapper, member, key) => {
    for (const direction of SORT_DIRECTIONS) {
      const parsed = withDeals(`sort=${wrapper}(${key}-${direction})`);
      expect(parsed).toMatchObject({ query: { [member]: { key, direction } }, issues: [] });
    }
  });

  it.each(['deals(total-cost-asc),products(name-desc)', ' products( name-desc ) , deals( total-cost-asc ) '])(
    'sort=%j is one sort of each',
    (text) => {
      const productSort = { key: 'name', direction: 'desc' };
      expect(withDeals(`sort=${text}`)).toMatchObject({ query: { productSort, dealSort: BY_COST }, issues: [] });
    },
  );

  it.each<[string, object]>([
    ['1', { pageLimit: 1 }],
    [' 100 ', { pageLimit: 100 }],
    ['deals(1000)', { pageLimit: 20, dealsPerProduct: 1000 }],
    ['10,deals(3)', { pageLimit: 10, dealsPerProduct: 3 }],
    ['deals( 3 ) , 10', { pageLimit: 10, dealsPerProduct: 3 }],
  ])('limit=%j reads', (text, query) => {
    expect(withDeals(`limit=${text}`)).toMatchObject({ query, issues: [] });
  });

  it.each<[string, string[]]>([
    ['total-cost-asc', ['malformed-value total-cost-asc']],
    ['deals(total-cost)', ['malformed-value total-cost']],
    ['deals(total-cost-up)', ['malformed-value total-cost-up']],
    ['deals()', ['malformed-value ']],
    ['deals(asc)', ['malformed-value asc']],
    ['deals(-asc)', ['malformed-value -asc']],
    ['deals(total-cost-asc', ['malformed-value deals(total-cost-asc']],
    ['deals{total-cost-asc}', ['malformed-value deals{total-cost-asc}']],
    ['(total-cost-asc)', ['malformed-value (total-cost-asc)']],
    ['deals(total-cost-asc),', ['malformed-value deals(total-cost-asc),']],
    ['deals(total-cost-asc,upfront-cost-asc)', ['malformed-value deals(total-cost-asc,upfront-cost-asc)']],
    ['deals(name-asc),deals()', ['malformed-value deals(name-asc),deals()']],
    ['products(name-asc),products(name-asc)', ['malformed-value products(name-asc),products(name-asc)']],
    ['products(data-allowance-asc)', ['unknown-value data-allowance']],
    ['deals(Total-Cost-asc)', ['unknown-value Total-Cost']],
    ['gifts(name-asc)', ['unknown-value gifts']],
    ['deals(price-asc),products(data-asc)', ['unknown-value price', 'unknown-value data']],
  ])('sort=%s is refused', (text, refusals) => {
    expect(refusalsOf(parseOne('sort', text))).toEqual(refusals.map((refusal) => `sort: ${refusal}`));
  });

  it.each<[string, string[]]>([
    ['0', ['out-of-range 0']],
    ['-1', ['out-of-range -1']],
    ['101', ['out-of-range 101']],
    ['9'.repeat(400), [`out-of-range ${'9'.repeat(400)}`]],
    ['0,deals(0)', ['out-of-range 0', 'out-of-range 0']],
    ['deals(1001)', ['out-of-range 1001']],
    ['1.5', ['malformed-value 1.5']],
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
  ])('limit=%s is refused, never clamped', (text, refusals) => {
    expect(refusalsOf(parseOne('limit', text))).toEqual(refusals.map((refusal) => `limit: ${refusal}`));
  });
});

describe('filter (spec §4.3, D13, D23)', () => {
  it.each<[string, string, string, readonly unknown[]]>([
    ['upfrontCost', 'eq{0.0}', 'eq', [0]],
    ['upfrontCost', 'eq{-0.00}', 'eq', [0]],
    ['upfrontCost', 'ne{29.99,1,1.00}', 'ne', [100, 2999]],
    ['monthlyCost', 'lte{29.9}', 'lte', [2990]],
    ['totalCost', 'gt{999999999.99}', 'gt', [99_999_999_999]],
    ['totalCost', 'lt{1,1.00}', 'lt', [100]],
    ['totalCost', 'gte{007}', 'gte', [700]],
    ['contractLength', 'eq{24,12}', 'eq', [12, 24]],
    ['dataAllowance', 'eq{4,0.5}', 'eq', [500, 4000]],
    ['dataAllowance', 'gte{0.001}', 'gte', [1]],
    ['dataAllowance', 'eq{999999,unlimited,4}', 'eq', [4000, Infinity]],
    ['condition', 'ne{refurbished,new,new}', 'ne', ['new', 'refurbished']],
    ['offers', 'eq{gift,cashback}', 'eq', ['cashback', 'gift']],
    ['networks', 'eq{21,o2}', 'eq', ['o2']],
    ['retailers', 'ne{100}', 'ne', ['buy-and-go']],
    ['id', 'eq{101,9,012}', 'eq', ['012', '101', '9']],
    ['slug', 'ne{nobody-has-it}', 'ne', ['nobody-has-it']],
    ['name', 'has{S24 galaxy s24}', 'has', ['GALAXY S24']],
    ['name', 'has{galaxy,galaxy}', 'has', ['GALAXY']],
    ['name', `has{${'ab '.repeat(10)}}`, 'has', ['AB']],
    ['name', 'has{📱 (–) …}', 'has', ['']],
    ['condition', '  eq{ new , refurbished }  ', 'eq', ['new', 'refurbished']],
  ])('filter[%s]=%s reads', (name, text, operator, values) => {
    expect(parseOne(`filter[${name}]`, text)).toEqual({
      query: { ...PLAIN, filters: [{ name, operator, values }] },
      issues: [],
    });
  });

  it.each(FILTERS)('filter[$name] takes the operators of a $kind and no other', ({ name, kind }) => {
    const accepted = FILTER_OPERATORS.filter(
      (operator) =>
        !refusalsOf(parseOne(`filter[${name}]`, `${operator}{x}`)).includes(
          `filter[${name}]: unknown-value ${operator}`,
        ),
    );
    const isQuantity = ['money', 'months', 'gigabytes'].includes(kind);
    expect(accepted).toEqual(
      kind === 'name' ? ['has'] : isQuantity ? ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'] : ['eq', 'ne'],
    );
  });

  it.each<[string, string, string[]]>([
    ['condition', 'new', ['malformed-value new']],
    ['condition', 'eq{new', ['malformed-value eq{new']],
    ['condition', 'eq(new)', ['malformed-value eq(new)']],
    ['condition', '{new}', ['malformed-value {new}']],
    ['condition', 'eq{{new}}', ['malformed-value eq{{new}}']],
    ['condition', 'eq{new}}', ['malformed-value eq{new}}']],
    ['condition', 'eq{new},eq{new}', ['malformed-value eq{new},eq{new}']],
    ['condition', 'eq{}', ['malformed-value eq{}']],
    ['condition', 'eq{new,}', ['malformed-value eq{new,}']],
    ['condition', 'is{}', ['malformed-value is{}', 'unknown-value is']],
    ['condition', 'eq {new}', ['unknown-value eq ']],
    ['condition', 'eq{New,used,used}', ['unknown-value New', 'unknown-value used']],
    ['networks', 'eq{o3,999}', ['unknown-value o3', 'unknown-value 999']],
    ['manufacturers', 'eq{Apple}', ['unknown-value Apple']],
    ['retailers', 'ne{__proto__}', ['unknown-value __proto__']],
    ['upfrontCost', 'eq{£5}', ['malformed-value £5']],
    ['upfrontCost', 'eq{1.999}', ['malformed-value 1.999']],
    ['upfrontCost', 'eq{-1,1000000000}', ['out-of-range -1', 'out-of-range 1000000000']],
    ['totalCost', 'lt{1,2}', ['malformed-value lt{1,2}']],
    ['contractLength', 'eq{1.5}', ['malformed-value 1.5']],
    ['contractLength', 'eq{-1,1000}', ['out-of-range -1', 'out-of-range 1000']],
    ['dataAllowance', 'eq{Unlimited}', ['unknown-value Unlimited']],
    ['dataAllowance', 'eq{4GB,0.0001}', ['malformed-value 4GB', 'malformed-value 0.0001']],
    ['dataAllowance', 'eq{1000000,-1}', ['out-of-range 1000000', 'out-of-range -1']],
    ['id', 'eq{abc,-1}', ['malformed-value abc', 'malformed-value -1']],
    ['slug', 'eq{Pixel,a/b}', ['malformed-value Pixel', 'malformed-value a/b']],
    ['name', 'has{ }', ['malformed-value has{ }']],
    ['name', 'has{pixel,nokia}', ['malformed-value has{pixel,nokia}']],
    ['name', `has{${'x'.repeat(101)}}`, [`out-of-range ${'x'.repeat(101)}`]],
    ['name', 'has{½ ½ ½ ½ ½ ½}', ['out-of-range ½ ½ ½ ½ ½ ½']],
  ])('filter[%s]=%s is refused', (name, text, refusals) => {
    expect(refusalsOf(parseOne(`filter[${name}]`, text))).toEqual(
      refusals.map((refusal) => `filter[${name}]: ${refusal}`),
    );
  });

  it.each(['filter', 'filter[', 'filter[]', 'filter[price]', 'filter[condition', 'filter[Condition]', 'filter[id]x'])(
    'has no name %s',
    (parameter) => {
      expect(refusalsOf(parseOne(parameter, 'eq{new}'))).toEqual([`${parameter}: unknown-parameter ${parameter}`]);
    },
  );
});

describe('what was expected and what arrived (D4, D17)', () => {
  it.each<[string, string, string]>([
    [
      'limits',
      '5',
      'not a parameter of this endpoint; expected one of filter[<name>], expand, fields, limit, sort, cursor; did you mean "limit"?',
    ],
    [
      'filter[conditon]',
      'eq{new}',
      'not a parameter of this endpoint; expected one of the filters; did you mean "filter[condition]"?',
    ],
    ['filter[condition]', 'new', 'expected eq{new} or eq{refurbished}, got "new"'],
    ['filter[condition]', 'eq{New}', 'expected one of new, refurbished, got "New"; did you mean "new"?'],
    ['filter[upfrontCost]', 'eq{-1}', 'expected an amount from 0 to 999999999.99, got "-1"'],
    ['filter[contractLength]', 'eq{x}', 'expected a whole number of months, got "x"'],
    ['filter[dataAllowance]', 'eq{lots}', 'expected gigabytes or unlimited, got "lots"'],
    ['filter[name]', 'eq{pixel}', 'expected the operator has, got "eq"; did you mean "has"?'],
    ['filter[name]', 'has{}', 'expected has{galaxy s24}, without an empty value, got "has{}"'],
    ['filter[name]', 'has{1 2 3 4 5 6 7 8 9 10 11}', 'expected at most 10 words, got "1 2 3 4 5 6 7 8 9 10 11"'],
    ['filter[networks]', 'eq{thre}', 'expected a network of this catalogue, got "thre"; did you mean "three"?'],
    ['filter[id]', `eq{${'x'.repeat(500)}}`, `expected a product id, decimal digits, got "${'x'.repeat(79)}…"`],
    ['expand', 'products(imags)', 'expected one of the words of expand, got "imags"; did you mean "images"?'],
    ['expand', 'gifts(images)', 'expected the wrapper products(…), got "gifts"; did you mean "products"?'],
    [
      'sort',
      'total-cost',
      'expected deals(<key>-asc|desc), products(<key>-asc|desc), or both separated by a comma, got "total-cost"',
    ],
    ['sort', 'deals(total-cost)', 'expected a key with its direction, such as data-allowance-asc, got "total-cost"'],
    [
      'sort',
      'deals(total-cots-asc)',
      'expected one of data-allowance, total-cost, upfront-cost, contract-price, got "total-cots"; did you mean "total-cost"?',
    ],
    ['sort', '', 'expected a value, got ""'],
    ['limit', 'many', 'expected a whole number, deals(<n>), or both separated by a comma, got "many"'],
    ['limit', '101', 'expected 1 to 100 products per page, got "101"'],
    ['limit', 'deals(0)', 'expected 1 to 1000 deals per product, got "0"'],
    ['limit', 'deal(3)', 'expected <n> products, or deals(<n>) of each product, got "deal"; did you mean "deals"?'],
  ])('%s=%s', (name, value, sentence) => {
    expect(sentencesOf(parseOne(name, value))).toEqual([`${name}: ${sentence}`]);
  });
});
