import { describe, expect, it } from 'vitest';
import { FILTER_OF_PARAMETER } from '../../../../data/query/filter.ts';
import { findNearestParameter } from '../../../../server/query/query-issue.ts';

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

  it.each(['filter[name]', 'filter[]', 'filter[constructor]', 'x', 'name', 'filter[xx]'])('of %s is none', (word) => {
    expect(findNearestParameter(word, ALLOWED)).toBeUndefined();
  });

  it('is no filter where there are none', () => {
    expect(findNearestParameter('networks', ['expand', 'fields'])).toBeUndefined();
    expect(findNearestParameter('networks', [])).toBeUndefined();
  });
});
