import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FILTER_OPERATORS, FILTERS, operatorsOf, type FilterKind } from '../../../../data/query/filter.ts';
import {
  FOREIGN_FILTER_VALUES,
  FOREIGN_INTERVALS,
  FOREIGN_OPERATORS,
  FOREIGN_PARAMETERS,
  FOREIGN_PATHS,
  FOREIGN_SORT_KEYS,
  FOREIGN_VALUES,
  joinWords,
} from '../../../../data/query/foreign-word.ts';
import type { CatalogueIndex } from '../../../../data/snapshot/catalogue-index.ts';
import { createApiKey } from '../../../../server/keys/api-key.ts';
import { parseQuery } from '../../../../server/query/parse-query.ts';
import { describeQueryIssue, type QueryIssue } from '../../../../server/query/query-issue.ts';
import { parseQueryString, splitTarget } from '../../../../server/query/query-string.ts';
import { findRoute } from '../../../../server/routes/resolve-request.ts';
import { serve, type TestServer } from '../../../contract/serve.ts';
import { openCatalogue } from '../open-catalogue.ts';

const PRODUCTS = '/deals/v1/products/';

let index: CatalogueIndex;
let server: TestServer;
beforeAll(async () => {
  ({ index } = await openCatalogue());
  server = await serve();
});
afterAll(() => server?.close());

/** What is wrong with a request, as the parser of a server tells it. */
function faultsOf(target: string): readonly (QueryIssue & { readonly detail: string })[] {
  const { path, query } = splitTarget(target);
  const route = findRoute(path);
  if (route === undefined) throw new Error(`${path} is no path of the interface`);
  const limits = { defaultProducts: 20, maxProducts: 100 };
  const { issues } = parseQuery({ ...route, query: parseQueryString(query) }, index, limits);
  return issues.map((issue) => ({ ...issue, detail: describeQueryIssue(issue) }));
}

/** What a request is told to do instead: the end of the sentence. */
function helpOf(target: string): string {
  const [fault] = faultsOf(target);
  return fault?.detail.split('; ').slice(1).at(-1) ?? '';
}

/** The queries that a sentence offers. */
function queriesIn(help: string): readonly string[] {
  return [...help.matchAll(/(?:use|or) ((?:filter\[\w+\]|[a-z]+)=.*?)(?=, (?![a-z-]+\))| or |$)/g)].map(
    ([, query = '']) => query,
  );
}

/** A word for each `<…>` of the tables. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  '<number of products>': '5',
  '<number of deals>': '5',
  '<key>': 'total-cost',
  '<word>': 'images',
  '<slug of /deals/v1/manufacturers/>': 'nokia',
  '<slug of /deals/v1/networks/>': 'o2',
  '<slug of /deals/v1/retailers/>': 'corner-shop',
  '<product slug>': 'any-phone',
  '<product id>': '101',
  '<amount>': '29.99',
  '<months>': '24',
  '<gigabytes>': '10',
  '<new|refurbished>': 'new',
  '<cashback|gift>': 'gift',
};

function fillPlaceholders(query: string): string {
  const words = query.startsWith('fields=') ? { ...PLACEHOLDERS, '<word>': 'heading' } : PLACEHOLDERS;
  return query.replaceAll(/<[^>]*>/g, (placeholder) => words[placeholder] ?? placeholder);
}

function expectWorks(target: string): void {
  expect([target, faultsOf(target)]).toEqual([target, []]);
}

/** Two values that the fixture knows; of other kinds, any values. */
const VALUES: Readonly<Partial<Record<FilterKind, readonly string[]>>> = {
  condition: ['new', 'refurbished'],
  network: ['o2', 'ee'],
  offer: ['gift', 'cashback'],
  retailer: ['corner-shop', 'o2-mobiles'],
  manufacturer: ['nokia', 'google'],
};

describe('a repeated parameter is told of a comma only where a comma helps (D4)', () => {
  it.each([
    ['limit=10&limit=20', 'limit: given more than once; expected it once'],
    ['limit=5&limit=deals(3)', 'limit: given more than once; expected it once; use limit=5,deals(3)'],
    ['cursor=a&cursor=b', 'cursor: given more than once; expected it once'],
    ['sort=products(name-asc)&sort=products(name-desc)', 'sort: given more than once; expected it once'],
    [
      'sort=products(name-asc)&sort=deals(total-cost-asc)',
      'sort: given more than once; expected it once; use sort=products(name-asc),deals(total-cost-asc)',
    ],
    [
      'expand=deals&expand=products(content)',
      'expand: given more than once; expected it once; use expand=products(deals,content)',
    ],
    ['fields=os&fields=nfc', 'fields: given more than once; expected it once; use fields=products(os,nfc)'],
  ])('%s', (query, detail) => {
    expect(faultsOf(`${PRODUCTS}?${query}`)[0]?.detail).toBe(detail);
  });

  it.each(FILTERS)('filter[$name]: a list of eq has one, a range has none', ({ name, kind }) => {
    const [a, b] = VALUES[kind] ?? ['1', '2'];
    for (const operator of operatorsOf(kind)) {
      const parameter = `filter[${name}]`;
      const [fault] = faultsOf(`${PRODUCTS}?${parameter}=${operator}{${a}}&${parameter}=${operator}{${b}}`);
      const help = operator === 'eq' || operator === 'ne' ? `; use ${parameter}=${operator}{${a},${b}}` : '';
      expect(fault?.detail).toBe(`${parameter}: given more than once; expected each operator once${help}`);
    }
  });
});

describe('a word of another interface is told what to use here', () => {
  it.each([
    ['page=2', 'use limit=20, and follow rel="next" of the Link header from page to page'],
    ['offset=20', 'use limit=20, and follow rel="next" of the Link header from page to page'],
    ['page[number]=2', 'use limit=20, and follow rel="next" of the Link header from page to page'],
    ['per_page=10', 'use limit=10'],
    ['pagination[pageSize]=10', 'use limit=10'],
    ['$top=5', 'use limit=5'],
    ['perPage=500', 'use limit=<number of products>'],
    [
      'q=google',
      'use filter[manufacturers]=eq{google}, or filter[slug]=eq{<product slug>}, since nothing searches by words',
    ],
    [
      'search=x',
      'use filter[manufacturers]=eq{<slug of /deals/v1/manufacturers/>}, or filter[slug]=eq{<product slug>}, since nothing searches by words',
    ],
    ['price=30', 'use filter[monthlyCost]=lte{30}'],
    ['minPrice=10', 'use filter[monthlyCost]=gte{10}'],
    ['price_max=30', 'use filter[monthlyCost]=lte{30}'],
    ['price[gt]=30', 'use filter[monthlyCost]=gt{30}'],
    ['filters[monthlyCost][$lte]=30', 'use filter[monthlyCost]=lte{30}'],
    ['monthlyCost=30', 'use filter[monthlyCost]=eq{30}'],
    ['filter[price]=lte{30}', 'use filter[monthlyCost]=lte{30}'],
    ['brand=Google', 'use filter[manufacturers]=eq{google}'],
    ['brand=motorola', 'use filter[manufacturers]=eq{<slug of /deals/v1/manufacturers/>}'],
    ['brand_not=nokia', 'use filter[manufacturers]=ne{nokia}'],
    ['network=o2,ee', 'use filter[networks]=eq{o2,ee}'],
    ['shop=corner-shop', 'use filter[retailers]=eq{corner-shop}'],
    ['slug=pixel', 'use filter[slug]=eq{pixel}'],
    ['sort_by=-price', 'use sort=products(total-cost-desc)'],
    ['$orderby=price+desc', 'use sort=products(total-cost-desc)'],
    ['include=deals', 'use expand=deals'],
    ['populate=*', 'use expand=products(content,page-content,meta-data,specs,images,deals)'],
    ['fields[products]=heading', 'use fields=heading'],
    ['_=1', 'leave it out: an ETag tells whether an answer has changed'],
    ['sort=price', 'use sort=products(total-cost-asc)'],
    ['sort=price:desc', 'use sort=products(total-cost-desc)'],
    ['sort=products(price-asc)', 'use sort=products(total-cost-asc)'],
    ['sort=products(data-allowance-desc)', 'use sort=deals(data-allowance-desc)'],
    ['sort=total-cost-asc', 'use sort=products(total-cost-asc)'],
    ['expand=*', 'use expand=products(content,page-content,meta-data,specs,images,deals)'],
    ['expand=heading', 'use fields=products(heading)'],
    [
      'fields=products(images)',
      'use fields=products(front,large,webp) or expand=products(images), since fields names pictures by a view, a size and a format',
    ],
    ['fields=name,price', 'use expand=products(cheapestDeal) or expand=products(deals)'],
    ['filter[monthlyCost]=30', 'use filter[monthlyCost]=eq{30}'],
    ['filter[monthlyCost]=<30', 'use filter[monthlyCost]=lt{30}'],
    ['filter[monthlyCost]=lte(30)', 'use filter[monthlyCost]=lte{30}'],
    ['filter[monthlyCost]=lte{29,99}', 'use filter[monthlyCost]=lte{29.99}'],
    ['filter[monthlyCost]=lte{%C2%A330}', 'use filter[monthlyCost]=lte{30}'],
    ['filter[monthlyCost]=20-30', 'use filter[monthlyCost]=gte{20}&filter[monthlyCost]=lte{30}'],
    ['filter[monthlyCost]=between{20,30}', 'use filter[monthlyCost]=gte{20}&filter[monthlyCost]=lte{30}'],
    ['filter[networks]=in{o2,ee}', 'use filter[networks]=eq{o2,ee}'],
    ['filter[networks]=neq{o2}', 'use filter[networks]=ne{o2}'],
    ['filter[networks]=O2', 'use filter[networks]=eq{o2}'],
    ['filter[condition]=eq{used}', 'use filter[condition]=eq{refurbished}'],
    ['filter[dataAllowance]=gte{10GB}', 'use filter[dataAllowance]=gte{10}'],
    ['filter[dataAllowance]=gte{500mb}', 'use filter[dataAllowance]=gte{0.5}'],
    ['filter[contractLength]=2+years', 'use filter[contractLength]=eq{24}'],
    ['filter[contractLength]=eq{24+months}', 'use filter[contractLength]=eq{24}'],
    ['filter[monthlyCost]={"lte":30}', ''],
    ['filter[retailers]=Corner+Shop', 'use filter[retailers]=eq{corner-shop}'],
    ['filter[retailers]=eq{O2+Mobiles}', 'did you mean "o2-mobiles"?'],
    ['filter[networks]=eq{o2;ee}', 'use filter[networks]=eq{o2,ee}'],
    [
      'filter[storage]=eq{128}',
      'use expand=products(specs), since specifications are shown and nothing filters by them',
    ],
    ['expand=content;deals', 'use expand=products(content,deals)'],
    ['expand=products(content', 'use expand=products(content)'],
    ['fields=products(os),products(nfc)', 'use fields=products(os,nfc)'],
    ['fields=products.os', 'use fields=products(os)'],
    ['fields=largeFrontImageWebp', 'use fields=products(large,front,webp)'],
    ['sort=deals(name-asc)', 'use sort=products(name-asc)'],
    ['limit=5;deals(3)', 'use limit=5,deals(3)'],
    ['limit=products(5)', 'use limit=5'],
    ['filter[upfrontCost]=free', 'use filter[upfrontCost]=eq{0}'],
    ['limit=10,20', 'use limit=20, and follow rel="next" of the Link header from page to page'],
    ['limit=all', 'use limit=20, and follow rel="next" of the Link header from page to page'],
    // A parameter of this interface, spelled as elsewhere.
    ['expand[]=deals', 'use expand=deals'],
    ['expand[]=deals&expand[]=images', 'use expand=deals,images'],
    ['expand[]=price', 'use expand=products(cheapestDeal)'],
    ['fields[0]=os', 'use fields=os'],
    ['limit[]=5', 'use limit=5'],
    ['Sort=price', 'use sort=products(total-cost-asc)'],
    ['sort[]=-price', 'use sort=products(total-cost-desc)'],
    ['sort[price]=asc', 'use sort=products(total-cost-asc)'],
    ['sort[price]=-1', 'use sort=products(total-cost-desc)'],
    // What was sent is known here in another spelling.
    ['order=desc', 'use sort=products(<key>-desc)'],
    ['direction=descending', 'use sort=products(<key>-desc)'],
    ['desc=price', 'use sort=products(total-cost-desc)'],
    ['refurbished=true', 'use filter[condition]=eq{refurbished}'],
    ['used', 'use filter[condition]=eq{refurbished}'],
    ['refurbished=false', 'use filter[condition]=ne{refurbished}'],
    ['newOnly=1', 'use filter[condition]=eq{new}'],
    ['gift=true', 'use filter[offers]=eq{gift}'],
    ['cashback=yes', 'use filter[offers]=eq{cashback}'],
    ['filter[hasGift]=eq{true}', 'use filter[offers]=eq{gift}'],
    ['isRefurbished=true', 'use filter[condition]=eq{refurbished}'],
    ['state=used', 'use filter[condition]=eq{refurbished}'],
    ['data=10GB', 'use filter[dataAllowance]=gte{10}'],
    ['minData=10GB', 'use filter[dataAllowance]=gte{10}'],
    ['filter[data]=lte{10GB}', 'use filter[dataAllowance]=lte{10}'],
    ['maxPrice=%C2%A330', 'use filter[monthlyCost]=lte{30}'],
    ['contract=2+years', 'use filter[contractLength]=eq{24}'],
    ['term=24', 'use filter[contractLength]=eq{24}'],
    ['filter[term]=eq{24}', 'use filter[contractLength]=eq{24}'],
    // A name as the lists have it, and a product or a model that the catalogue has.
    ['network=Zeta+Mobile', 'use filter[networks]=eq{zeta-mobile}'],
    ['filter[networks]=eq{Zeta+Mobile}', 'did you mean "zeta-mobile"?'],
    ['filter[networks]=eq{o2,Zeta+Mobile}', 'did you mean "zeta-mobile"?'],
    ['filter[networks]=o2,Zeta+Mobile', 'use filter[networks]=eq{o2,zeta-mobile}'],
    ['filter[retailers]=buy+%26+go', 'use filter[retailers]=eq{buy-and-go}'],
    ['filter[networks]=Zeta+Mobile', 'use filter[networks]=eq{zeta-mobile}'],
    ['filter[retailers]=ne{buy+%26+go}', 'did you mean "buy-and-go"?'],
    ['filter[slug]=eq{Google+Pixel+8}', 'use filter[slug]=eq{google-pixel-8}'],
    ['product=Google+Pixel+8', 'use filter[slug]=eq{google-pixel-8}'],
    ['model=nokia-3310', 'use filter[slug]=eq{refurbished-nokia-3310,nokia-3310}, since nothing filters by a model'],
    ['model=kestrel-k9', 'use filter[slug]=eq{<product slug>}, since nothing filters by a model'],
    ['phone=kestrel', 'use filter[slug]=eq{<product slug>}'],
    // Numbers outside their bounds, several keys, and what is left empty.
    ['limit=0', 'use limit=1'],
    ['limit=1000', 'use limit=100, and follow rel="next" of the Link header from page to page'],
    ['limit=-1', 'use limit=100, and follow rel="next" of the Link header from page to page'],
    ['limit=5,deals(5000)', 'use limit=5,deals(1000)'],
    ['limit=deals(0)', 'use limit=deals(1)'],
    ['limit=products(5),deals(2)', 'use limit=5,deals(2)'],
    ['expand=', 'leave it out, or use expand=products(<word>)'],
    ['limit=', 'leave it out, or use limit=<number of products>'],
    ['filter[networks]=', 'leave it out'],
    ['sort=name,-price', 'use sort=products(name-asc), with one key for products'],
    ['sort=price,data', 'use sort=products(total-cost-asc),deals(data-allowance-asc)'],
    ['fields=-os', 'leave it out: fields lists what to have'],
    ['fields=products(heading,!os)', 'leave it out: fields lists what to have'],
    ['expand=-deals', 'leave it out: expand lists what to have'],
    ['exclude=os', 'leave it out: fields lists what to have'],
  ])('?%s', (query, help) => {
    expect(helpOf(`${PRODUCTS}?${query}`)).toBe(help);
    for (const offered of queriesIn(help)) expectWorks(`${PRODUCTS}?${fillPlaceholders(offered)}`);
  });

  it.each([
    ['/deals/v1/gifts/?page=2', 'leave it out: everything comes in one answer'],
    ['/deals/v1/networks/?q=a', 'leave it out: everything comes in one answer'],
    ['/deals/v1/networks/?limit=5', 'leave it out: everything comes in one answer'],
    ['/deals/v1/gifts/categories/?include=gifts', 'use expand=gifts'],
    [
      '/deals/v1/gifts/?fields=gifts(images)',
      'use fields=gifts(front,large,webp), since fields names pictures by a view, a size and a format',
    ],
    ['/deals/v1/gifts/?expand[]=images', 'use fields=gifts(front,large,webp)'],
    ['/deals/v1/gifts/?expand=content', 'use fields=gifts(heading,introduction)'],
    ['/deals/v1/gifts/?include=gifts', 'use fields=gifts(<word>)'],
    ['/deals/v1/gifts/categories/?expand[]=gifts', 'use expand=gifts'],
    [
      '/deals/v1/gifts/?category=audio',
      'leave it out: /deals/v1/gifts/categories/?expand=gifts has the gifts of each category',
    ],
    // The limit of products cuts nothing off one product (D15).
    ['/deals/v1/products/101/?per_page=5', 'use limit=deals(5)'],
    ['/deals/v1/products/101/?perPage=5000', 'use limit=deals(<number of deals>)'],
    ['/deals/v1/products/101/?page=2', 'leave it out: everything comes in one answer'],
    ['/deals/v1/products/101/?limit=all', 'leave it out: everything comes in one answer'],
    ['/deals/v1/products/101/?limit=1000', 'use limit=deals(1000)'],
    ['/deals/v1/products/101/?limit=', 'leave it out, or use limit=deals(<number of deals>)'],
    ['/deals/v1/products/101/?sort=price', 'use sort=deals(total-cost-asc)'],
    ['/deals/v1/products/101/?order=desc', 'use sort=deals(<key>-desc)'],
    ['/deals/v1/products/101/?orderby=name', 'use sort=products(name-asc)'],
    ['/deals/v1/products/pixel-9/', 'a slug is asked for by /deals/v1/products/?filter[slug]=eq{pixel-9}'],
    ['/deals/v1/products/Pixel%209', 'a slug is asked for by /deals/v1/products/?filter[slug]=eq{<product slug>}'],
    ['/deals/v1/products/101.json', 'use /deals/v1/products/101/'],
  ])('%s', (target, help) => {
    expect(helpOf(target)).toBe(help);
    const { path } = splitTarget(target);
    for (const offered of queriesIn(help)) expectWorks(`${path}?${fillPlaceholders(offered)}`);
  });

  it('a suggestion is a word that may stand in place of the one that was sent', () => {
    const suggestionOf = (query: string) => faultsOf(`${PRODUCTS}?${query}`)[0]?.suggestion;
    expect(suggestionOf('per_page=10')).toBe('limit');
    expect(suggestionOf('brand=nokia')).toBe('filter[manufacturers]');
    expect(suggestionOf('filter[networks]=in{o2,ee}')).toBe('eq');
    expect(suggestionOf('_=1')).toBeUndefined();
    expect(suggestionOf('fields=products(images)')).toBeUndefined();
  });

  it('a slip is still told the nearest word, and what means nothing is told no more than what is allowed', () => {
    expect(helpOf(`${PRODUCTS}?limits=5`)).toBe('did you mean "limit"?');
    expect(helpOf(`${PRODUCTS}?expand=cheapest_deal`)).toBe('did you mean "cheapestDeal"?');
    const [unknown, order] = faultsOf(`${PRODUCTS}?frobnicate=5&sort=newest`);
    expect(unknown?.detail).toMatch(/expected one of filter\[<name>\], expand, fields, limit, sort, cursor$/);
    expect(order?.allowed).toContain('products(total-cost-asc)');
  });

  it('a key that was sent as a value is not repeated', async () => {
    const key = createApiKey();
    for (const query of [
      `slug=${key.toLowerCase()}`,
      `filter[slug]=${key.toLowerCase()}`,
      `order=${key}`,
      `q=${key}`,
    ]) {
      const { text } = await server.ask(`${PRODUCTS}?${query}`);
      expect([query, text.toLowerCase().includes(key.slice(6, 20).toLowerCase())]).toEqual([query, false]);
    }
  });
});

describe('the tables of the words of other interfaces', () => {
  const PARAMETER_WORDS = FOREIGN_PARAMETERS.flatMap(({ words }) => words.split(' '));
  const VALUE_WORDS = FOREIGN_VALUES.flatMap(({ words }) => words.split(' '));

  it('hold words as they are looked up, and none that is a parameter here', () => {
    const all = [...PARAMETER_WORDS, ...VALUE_WORDS];
    expect(all.filter((word) => joinWords(word) !== word)).toEqual([]);
    const own = ['fields', 'limit', 'sort', 'cursor', ...FILTERS.map(({ name }) => name.toLowerCase())];
    expect(PARAMETER_WORDS.filter((word) => own.includes(word))).toEqual([]);
    expect(PARAMETER_WORDS.filter((word, at) => PARAMETER_WORDS.indexOf(word) !== at)).toEqual([]);
  });

  it('lead from every parameter to queries that are answered', () => {
    for (const word of PARAMETER_WORDS) {
      const target = word === 'expand' ? '/deals/v1/gifts/' : PRODUCTS;
      const help = helpOf(`${target}?${word}=1`);
      expect([word, help]).toEqual([word, expect.stringMatching(/^(?:use|leave it out:) /)]);
      for (const query of queriesIn(help)) expectWorks(`${target}?${fillPlaceholders(query)}`);
      expect([word, help.startsWith('use '), queriesIn(help)]).not.toEqual([word, true, []]);
    }
  });

  it.each(['expand', 'fields'])('lead from every value of %s to queries that are answered', (parameter) => {
    for (const word of VALUE_WORDS) {
      const [fault] = faultsOf(`${PRODUCTS}?${parameter}=${word}`);
      // One that is known here, a slip, and a view, a size or a format alone.
      if (fault === undefined || fault.suggestion !== undefined || fault.code === 'incomplete-image-selection')
        continue;
      const queries = queriesIn(fault.detail);
      expect([word, queries]).not.toEqual([word, []]);
      for (const query of queries) expectWorks(`${PRODUCTS}?${query}`);
    }
  });

  it('lead from every operator, sort key and value of a filter to queries that are answered', () => {
    const operators = [
      ...FILTER_OPERATORS.flatMap((operator) => FOREIGN_OPERATORS[operator].split(' ')),
      ...FOREIGN_INTERVALS.split(' '),
    ];
    const targets = [
      ...operators.map(
        (word) => `filter[monthlyCost]=${encodeURIComponent(word)}{20${FOREIGN_INTERVALS.includes(word) ? ',30' : ''}}`,
      ),
      ...Object.values(FOREIGN_SORT_KEYS).flatMap((words) => words.split(' ').map((word) => `sort=${word}`)),
      ...Object.entries(FOREIGN_FILTER_VALUES).flatMap(([value, words]) => {
        const name =
          value in { new: 1, refurbished: 1 } ? 'condition' : value === 'unlimited' ? 'dataAllowance' : 'offers';
        return words.split(' ').map((word) => `filter[${name}]=${word}`);
      }),
    ];
    for (const target of targets) {
      const queries = queriesIn(helpOf(`${PRODUCTS}?${target}`));
      expect([target, queries.length]).toEqual([target, 1]);
      for (const query of queries) expectWorks(`${PRODUCTS}?${query}`);
    }
  });

  it('lead from every path to one that is answered', async () => {
    for (const { words, use } of FOREIGN_PATHS) {
      expect([use, (await server.ask(use)).status]).toEqual([use, 200]);
      for (const word of words.split(' ')) {
        const { status, text } = await server.ask(`/deals/v1/${word}`);
        const { detail } = JSON.parse(text) as { readonly detail: string };
        expect([word, status, detail]).toEqual([word, 404, expect.stringContaining(`Did you mean ${use}?`)]);
      }
    }
  });
});
