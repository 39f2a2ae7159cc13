import { describe, expect, it } from 'vitest';
import { parseLimit } from '../../../../server/query/parse-sort-limit.ts';
import { parsed, sentences } from './parsed.ts';

const parse = (text: string) => parsed((issues) => parseLimit(text, 100, issues));

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
    expect(parse(text)).toEqual({ value, refusals: [] });
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
    expect(parse(text).refusals).toEqual(refusals.map((refusal) => `limit: ${refusal}`));
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
