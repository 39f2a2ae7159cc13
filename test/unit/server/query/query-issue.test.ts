import { beforeAll, describe, expect, it } from 'vitest';
import { FILTER_OF_PARAMETER } from '../../../../data/query/filter.ts';
import type { CatalogueIndex } from '../../../../data/snapshot/catalogue-index.ts';
import { parseQuery } from '../../../../server/query/parse-query.ts';
import { didYouMean, findNearestParameter } from '../../../../server/query/query-issue.ts';
import { parseQueryString } from '../../../../server/query/query-string.ts';
import { openCatalogue } from '../open-catalogue.ts';

const ALLOWED = [...FILTER_OF_PARAMETER.keys(), 'expand', 'fields', 'limit', 'sort', 'cursor'];

describe('the parameter that was probably meant (D4)', () => {
  it.each([
    ['networks', 'filter[networks]'],
    ['network', 'filter[networks]'],
    ['id', 'filter[id]'],
    ['monthlycost', 'filter[monthlyCost]'],
    ['filter[network]', 'filter[networks]'],
    ['filter[Networks]', 'filter[networks]'],
    ['filters[networks]', 'filter[networks]'],
    ['filter[conditon]', 'filter[condition]'],
    ['expnd', 'expand'],
    ['Limit', 'limit'],
  ])('of %s is %s', (word, meant) => {
    expect(findNearestParameter(word, ALLOWED)).toBe(meant);
  });

  it.each(['filter[model]', 'filter[]', 'filter[constructor]', 'x', 'model', 'filter[xx]'])('of %s is none', (word) => {
    expect(findNearestParameter(word, ALLOWED)).toBeUndefined();
  });

  it('is no filter where there are none', () => {
    expect(findNearestParameter('networks', ['expand', 'fields'])).toBeUndefined();
    expect(findNearestParameter('networks', [])).toBeUndefined();
  });
});

let index: CatalogueIndex;
beforeAll(async () => ({ index } = await openCatalogue()));

const many = (count: number, write: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => write(at)).join('');

describe('the words offered with a fault', () => {
  it('are those allowed, and the nearest', () => {
    expect(didYouMean('imags', ['content', 'images'], 19)).toEqual({
      allowed: ['content', 'images'],
      suggestion: 'images',
    });
    expect(didYouMean('xyzzy', ['content'], 0)).toEqual({ allowed: ['content'] });
  });

  it('come with the first faults only, with fewer where there are many words to compare', () => {
    expect(didYouMean('imags', ['content', 'images'], 20)).toEqual({});
    const slugs = Array.from({ length: 1_001 }, (_, at) => `retailer-${at}`);
    expect(didYouMean('retailer-0x', slugs, 0).suggestion).toBe('retailer-0');
    expect(didYouMean('retailer-0x', slugs, 1).suggestion).toBe('retailer-0');
    expect(didYouMean('retailer-0x', slugs, 2)).toEqual({});
  });

  it.each([
    ['unknown parameters', many(500, (at) => `expnd${at}=x&`)],
    ['unknown filters', many(300, (at) => `filter[upfrontCst${at}]=eq{1}&`)],
    ['unknown operators', many(300, (at) => `filter[id]=x${at}{1}&`)],
    ['unknown networks', `filter[networks]=eq{${many(500, (at) => `thre${at},`)}o2}`],
    ['unknown data', `filter[dataAllowance]=eq{${many(26, (at) => `unlimitd${String.fromCodePoint(97 + at)},`)}4}`],
    ['unknown expansions', `expand=${many(500, (at) => `contnt${at},`)}content`],
    ['unknown attributes', `fields=${many(500, (at) => `headng${at},`)}heading`],
    ['unknown sort keys', `sort=${many(300, (at) => `deals(totl-cost${at}-asc),`)}products(name-asc)`],
    ['unknown sorts', `sort=${many(300, (at) => `dels${at}(total-cost-asc),`)}products(name-asc)`],
    ['unknown limits', `limit=${many(300, (at) => `dels${at}(3),`)}4`],
  ])('come with twenty of many %s', (_, query) => {
    const limits = { defaultProducts: 20, maxProducts: 100 };
    const { issues } = parseQuery({ endpoint: 'products', query: parseQueryString(query) }, index, limits);
    expect(issues.length).toBeGreaterThan(20);
    expect(issues.filter(({ allowed }) => allowed !== undefined).length).toBe(20);
  });
});
