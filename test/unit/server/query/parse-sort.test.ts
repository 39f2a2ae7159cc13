import { describe, expect, it } from 'vitest';
import { DEAL_SORT_KEYS, PRODUCT_SORT_KEYS, SORT_DIRECTIONS } from '../../../../data/query/vocabulary.ts';
import { parseSort } from '../../../../server/query/parse-sort-limit.ts';
import { parsed, sentences } from './parsed.ts';

const parse = (text: string) => parsed((issues) => parseSort(text, issues));
const EVERY = [
  ...DEAL_SORT_KEYS.map((key) => ['deals', key] as const),
  ...PRODUCT_SORT_KEYS.map((key) => ['products', key] as const),
].flatMap(([resource, key]) => SORT_DIRECTIONS.map((direction) => [resource, key, direction] as const));

describe('sort (spec §4.4, D14)', () => {
  it.each(EVERY)('reads %s(%s-%s)', (resource, key, direction) => {
    expect(parse(`${resource}(${key}-${direction})`)).toEqual({
      value: { [resource]: { key, direction } },
      refusals: [],
    });
  });

  it.each([
    'deals(total-cost-asc),products(name-desc)',
    'products(name-desc),deals(total-cost-asc)',
    ' products( name-desc ) , deals( total-cost-asc ) ',
  ])('reads %j as one sort of each', (text) => {
    expect(parse(text)).toEqual({
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
    expect(parse(text).refusals).toEqual([`sort: ${refusal}`]);
  });

  it('names every fault of a sort', () => {
    expect(parse('deals(price-asc),products(data-asc)').refusals).toEqual([
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
