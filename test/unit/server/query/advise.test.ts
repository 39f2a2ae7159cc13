import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FILTERS, operatorsOf, QUANTITY_OPERATORS, type FilterKind } from '../../../../data/query/filter.ts';
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
import { readTable } from '../../../support/table.ts';
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
  '<words>': 'pixel 9',
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
  it.each(readTable<[query: string, detail: string]>(import.meta.url, 'fixture/repeated-parameters.ndjson'))(
    '%s',
    (query, detail) => {
      expect(faultsOf(`${PRODUCTS}?${query}`)[0]?.detail).toBe(detail);
    },
  );

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
  it.each(readTable<[target: string, help: string]>(import.meta.url, 'fixture/foreign-words.ndjson'))(
    '%s',
    (target, help) => {
      expect(helpOf(target)).toBe(help);
      const { path } = splitTarget(target);
      for (const offered of queriesIn(help)) expectWorks(`${path}?${fillPlaceholders(offered)}`);
    },
  );

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
      `filter[name]=${key}`,
      `name=${key.slice('deals_'.length)}+phone`,
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
      ...QUANTITY_OPERATORS.flatMap((operator) => FOREIGN_OPERATORS[operator].split(' ')),
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
