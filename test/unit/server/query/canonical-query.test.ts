import { beforeAll, describe, expect, it } from 'vitest';
import { canonicalQuery, digest } from '../../../../server/query/canonical-query.ts';
import { createCursors } from '../../../../server/query/pagination.ts';
import { parseQuery } from '../../../../server/query/parse-query.ts';
import { parseQueryString, splitTarget } from '../../../../server/query/query-string.ts';
import { findRoute } from '../../../../server/routes/resolve-request.ts';
import type { LoadedSnapshot } from '../../../../server/snapshot/load-snapshot.ts';
import { FIXTURE } from '../../../contract/fixture-catalogue.ts';
import { randomQuery, spell } from '../../../oracle/random-query.ts';
import { createRandom } from '../../../support/random.ts';
import { openCatalogue } from '../open-catalogue.ts';

const CURSOR = `cursor=${createCursors('0123456789ab', 'walk')(20)}`;
const LIMITS = { defaultProducts: 20, maxProducts: 100 };

let snapshot: LoadedSnapshot;
beforeAll(async () => {
  snapshot = await openCatalogue();
});

function resolve(target: string) {
  const { path, query } = splitTarget(target);
  const route = findRoute(path);
  if (route === undefined) throw new Error(`${target}: no route`);
  const parsed = parseQuery({ ...route, query: parseQueryString(query) }, snapshot.index, LIMITS);
  expect([target, ...parsed.issues]).toEqual([target]);
  return parsed.query;
}
const cacheKeyOf = (target: string): string => canonicalQuery(resolve(target), snapshot.index).cacheKey;
const scopeOf = (query: string): string =>
  canonicalQuery(resolve(`/deals/v1/products/?${query}`), snapshot.index).cursorScope;

describe('the cache key of a query (D15, D18)', () => {
  it('is the same in every spelling', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const random = createRandom(seed);
      const query = randomQuery(random, FIXTURE);
      const target = spell(random, query);
      for (let i = 0; i < 4; i++) {
        const respelled = spell(random, query);
        expect([seed, respelled, cacheKeyOf(respelled)]).toEqual([seed, respelled, cacheKeyOf(target)]);
      }
    }
  });

  // All of these differ from one another.
  const DISTINCT = [
    '/deals/v1/products/',
    '/deals/v1/products/101/',
    '/deals/v1/products/10/',
    '/deals/v1/products/?filter[id]=eq{101}',
    '/deals/v1/products/?filter[id]=ne{101}',
    '/deals/v1/products/?filter[id]=eq{101,10}',
    '/deals/v1/products/?filter[slug]=eq{a101}',
    '/deals/v1/products/?limit=1',
    '/deals/v1/products/?limit=2',
    '/deals/v1/products/?expand=deals',
    '/deals/v1/products/?expand=deals&limit=deals(1)',
    '/deals/v1/products/?expand=deals&limit=deals(2)',
    '/deals/v1/products/?expand=deals&sort=deals(total-cost-desc)',
    '/deals/v1/products/?expand=deals&sort=deals(upfront-cost-asc)',
    '/deals/v1/products/?sort=products(total-cost-asc)',
    '/deals/v1/products/?sort=products(total-cost-desc)',
    '/deals/v1/products/?sort=products(name-asc)',
    '/deals/v1/products/?expand=grouped',
    '/deals/v1/products/?expand=cheapestDeal',
    '/deals/v1/products/?expand=content',
    '/deals/v1/products/?expand=page-content',
    '/deals/v1/products/?expand=meta-data',
    '/deals/v1/products/?expand=specs',
    '/deals/v1/products/?expand=images',
    '/deals/v1/products/?fields=heading',
    '/deals/v1/products/?fields=introduction',
    '/deals/v1/products/?fields=os',
    '/deals/v1/products/?fields=os,4g',
    '/deals/v1/products/?fields=front,large,png',
    '/deals/v1/products/?fields=front,large,png,jpg',
    '/deals/v1/products/?filter[condition]=eq{new}',
    '/deals/v1/products/?filter[condition]=ne{new}',
    '/deals/v1/products/?filter[condition]=eq{refurbished}',
    '/deals/v1/products/?filter[upfrontCost]=eq{1}',
    '/deals/v1/products/?filter[monthlyCost]=eq{1}',
    '/deals/v1/products/?filter[totalCost]=eq{1}',
    '/deals/v1/products/?filter[totalCost]=lt{1}',
    '/deals/v1/products/?filter[totalCost]=lte{1}',
    '/deals/v1/products/?filter[totalCost]=gt{1}',
    '/deals/v1/products/?filter[totalCost]=gte{1}',
    '/deals/v1/products/?filter[totalCost]=ne{1}',
    '/deals/v1/products/?filter[totalCost]=gte{1}&filter[totalCost]=lt{2}',
    '/deals/v1/products/?filter[contractLength]=eq{1}',
    '/deals/v1/products/?filter[dataAllowance]=eq{1}',
    '/deals/v1/products/?filter[dataAllowance]=eq{unlimited}',
    '/deals/v1/products/?filter[dataAllowance]=eq{999998}',
    '/deals/v1/products/?filter[networks]=eq{o2}',
    '/deals/v1/products/?filter[networks]=eq{ee}',
    '/deals/v1/products/?filter[networks]=eq{ee,o2}',
    '/deals/v1/products/?filter[retailers]=eq{100}',
    '/deals/v1/products/?filter[networks]=eq{100}&filter[retailers]=eq{100}',
    '/deals/v1/products/?filter[manufacturers]=eq{apple}',
    '/deals/v1/products/?filter[offers]=eq{gift}',
    '/deals/v1/products/?filter[offers]=eq{cashback}',
    '/deals/v1/products/?filter[offers]=eq{cashback,gift}',
    '/deals/v1/gifts/',
    '/deals/v1/gifts/?fields=heading',
    '/deals/v1/gifts/categories/',
    '/deals/v1/gifts/categories/?fields=heading',
    '/deals/v1/gifts/categories/?expand=content',
    '/deals/v1/gifts/categories/?expand=gifts',
    '/deals/v1/networks/',
    '/deals/v1/retailers/',
    '/deals/v1/manufacturers/',
  ];
  const SAME: readonly string[] = [
    '/deals/v1/products/?filter[networks]=eq{ee}',
    '/deals/v1/products/?filter[networks]=eq{100}',
  ];

  it('differs for queries that ask for different things', () => {
    const byKey = new Map(DISTINCT.map((target) => [cacheKeyOf(target), target]));
    expect([...byKey.values()]).toEqual(DISTINCT);
    expect(new Set(SAME.map(cacheKeyOf)).size).toBe(1);
  });

  it('is the same for two queries exactly when they are equal in everything but the cursor', () => {
    const byKey = new Map<string, string>();
    const byQuery = new Map<string, string>();
    for (let seed = 1; seed <= 4_000; seed++) {
      const random = createRandom(seed);
      const target = spell(random, randomQuery(random, FIXTURE));
      const query = JSON.stringify(resolve(target), (key, value: unknown) => {
        if (key === 'cursor') return undefined;
        if (typeof value === 'number') return String(value);
        if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
        // In any order of the properties.
        return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
      });
      const cacheKey = cacheKeyOf(target);
      expect([target, byKey.get(cacheKey) ?? query, byQuery.get(query) ?? cacheKey]).toEqual([target, query, cacheKey]);
      byKey.set(cacheKey, query);
      byQuery.set(query, cacheKey);
    }
    expect(byKey.size).toBeGreaterThan(2_000);
  });

  it('reads like the query in its plainest spelling', () => {
    const query = 'fields=front,large,png&sort=products(name-desc)&limit=deals(3),5&expand=deals,content,grouped';
    const filters = 'filter[totalCost]=lt{500.50}&filter[networks]=eq{o2,ee}&filter[dataAllowance]=gte{unlimited}';
    expect(cacheKeyOf(`/deals/v1/products/101/?${filters}&${query}`)).toBe(
      'products/101 content(whole) images(largeFrontImagePng) grouped deals(total-cost-asc) sort(name-desc) ' +
        'networks=eq{21,100} totalCost=lt{50050} dataAllowance=gte{Infinity} limit=5,deals(3)',
    );
    expect(cacheKeyOf('/deals/v1/gifts/categories/?expand=gifts&fields=heading')).toBe(
      'giftCategories content(heading) gifts',
    );
  });

  it('does not hold parameters without effect', () => {
    const plain = cacheKeyOf('/deals/v1/products/');
    for (const query of ['limit=20', 'fields=id,name', 'sort=deals(total-cost-desc)', 'limit=deals(3)', CURSOR]) {
      expect([query, cacheKeyOf(`/deals/v1/products/?${query}`)]).toEqual([query, plain]);
    }
    expect(cacheKeyOf('/deals/v1/products/?expand=deals&sort=deals(total-cost-asc)')).toBe(
      cacheKeyOf('/deals/v1/products/?expand=deals'),
    );
  });

  it('without the numbers of limit is the scope of a cursor', () => {
    const scope = scopeOf('expand=deals');
    expect(scopeOf('expand=deals&limit=3,deals(2)')).toBe(scope);
    expect(scopeOf(`expand=deals&${CURSOR}`)).toBe(scope);
    const others = ['', 'expand=deals&sort=deals(upfront-cost-asc)', 'expand=deals,content', 'filter[id]=eq{1}'];
    expect(new Set([scope, ...others.map(scopeOf)]).size).toBe(others.length + 1);
  });

  it('names networks, retailers and manufacturers as every snapshot names them, not by row', async () => {
    const { index } = await openCatalogue({
      ...FIXTURE,
      networks: [...FIXTURE.networks, { id: '1', name: 'First', slug: 'first', logos: FIXTURE.networks[2]!.logos }],
    });
    const query = 'filter[networks]=eq{o2,ee}&filter[retailers]=ne{3}&filter[manufacturers]=eq{apple}';
    const later = parseQuery({ endpoint: 'products', query: parseQueryString(query) }, index, LIMITS).query;
    expect(canonicalQuery(later, index).cacheKey).toBe(cacheKeyOf(`/deals/v1/products/?${query}`));
  });

  it('is digested so that parts cannot run into one another', () => {
    expect(digest('ab', 'c')).not.toBe(digest('a', 'bc'));
    expect(digest('a', '')).not.toBe(digest('a'));
    expect(digest('a')).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });
});
