import { describe, expect, it } from 'vitest';
import type { ParsedQuery } from '../../../../server/query/parse-query.ts';
import { describeQueryIssue, parseQueryString } from '../../../../server/query/query-text.ts';
import { openCatalogue, parseAt } from '../open-catalogue.ts';

const { index } = await openCatalogue();

/** One parameter, as it is after decoding. */
const parseOne = (name: string, value: string): ParsedQuery =>
  parseAt('products', { pairs: [{ name, value, raw: '' }], issues: [] }, index);

describe('a request with several faults', () => {
  // The oracle has those of one fault each, in `fixture/faults.ndjson`.
  it.each<[string, string[]]>([
    ['page=2&page=3&page', ['page: unknown-parameter page']],
    ['=2', [': unknown-parameter ']],
    ['cursor=2&limit=0', ['limit: out-of-range 0', 'cursor: invalid-cursor 2']],
    ['limit=5&limit=6&limit=7', ['limit: repeated-parameter 7']],
    ['filter[id]=eq{1}&filter[id]=eq{1}', ['filter[id]: repeated-parameter eq{1}']],
    // A slip made twice is one slip, and words of another resource are not blamed one by one.
    ['expand=imags,content,imags', ['expand: unknown-value imags']],
    ['expand=gifts(heading,price)', ['expand: unknown-value gifts']],
    ['expand=phones(contents)', ['expand: unknown-value phones', 'expand: unknown-value contents']],
    ['sort=deals(name-asc),deals()', ['sort: malformed-value deals(name-asc),deals()']],
    ['limit=10,20', ['limit: malformed-value 10,20']],
    ['limit=0,deals(0)', ['limit: out-of-range 0', 'limit: out-of-range 0']],
    ['filter[condition]=is{}', ['filter[condition]: malformed-value is{}', 'filter[condition]: unknown-value is']],
    ['filter[networks]=eq{o3,999}', ['filter[networks]: unknown-value o3', 'filter[networks]: unknown-value 999']],
    [
      'limit=0&sort=x&a=%zz&page=1&expand=foo',
      [
        'a: malformed-value %zz',
        'page: unknown-parameter page',
        'expand: unknown-value foo',
        'sort: malformed-value x',
        'limit: out-of-range 0',
      ],
    ],
  ])('is refused for every fault of %s (D4)', (query, expected) => {
    const { issues } = parseAt('products', parseQueryString(query), index);
    expect(issues.map(({ code, parameter, value }) => `${parameter}: ${code} ${value}`)).toEqual(expected);
  });
});

describe('what was expected and what arrived (D4, D17)', () => {
  it.each<[string, string, string]>([
    [
      'limits',
      '5',
      'not a parameter of this endpoint; expected one of filter[<name>], expand, fields, limit, sort, facets, cursor; did you mean "limit"?',
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
    [
      'filter[contractLength]',
      'gte{12},lt{24}',
      'expected eq{24} or lte{12}; give each operator as a parameter of its own, got "gte{12},lt{24}"',
    ],
    ['filter[name]', 'eq{pixel}', 'expected the operator has, got "eq"; did you mean "has"?'],
    ['filter[name]', 'has{}', 'expected has{galaxy s24}, without an empty value, got "has{}"'],
    ['filter[name]', 'has{1 2 3 4 5 6 7 8 9 10 11}', 'expected at most 10 words, got "1 2 3 4 5 6 7 8 9 10 11"'],
    ['filter[networks]', 'eq{thre}', 'expected a network of this catalogue, got "thre"; did you mean "three"?'],
    ['filter[id]', `eq{${'x'.repeat(500)}}`, `expected a product id, decimal digits, got "${'x'.repeat(79)}…"`],
    ['expand', 'products(imags)', 'expected one of the words of expand, got "imags"; did you mean "images"?'],
    ['expand', 'gifts(images)', 'expected the wrapper products(…), got "gifts"; did you mean "products"?'],
    [
      'fields',
      'front,os',
      'expected at least one view, one size and one format for images; missing: a size (large, medium, small) and a format (webp, png, jpg), got "front,os"',
    ],
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
    expect(parseOne(name, value).issues.map(describeQueryIssue)).toEqual([`${name}: ${sentence}`]);
  });
});
