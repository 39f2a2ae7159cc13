import { beforeAll, describe, expect, it } from 'vitest';
import { FILTER_OPERATORS, FILTERS } from '../../../../data/query/filter.ts';
import type { CatalogueIndex } from '../../../../data/snapshot/catalogue-index.ts';
import { isFilterParameter, parseFilter } from '../../../../server/query/parse-filter.ts';
import { openCatalogue } from '../open-catalogue.ts';
import { parsed, sentences } from './parsed.ts';

let index: CatalogueIndex;
beforeAll(async () => ({ index } = await openCatalogue()));

const parse = (name: string, text: string) => parsed((issues) => parseFilter(`filter[${name}]`, text, index, issues));

describe('filter (spec §4.3, D13)', () => {
  it.each<[string, string, object]>([
    ['upfrontCost', 'eq{0}', { operator: 'eq', quantities: [0] }],
    ['upfrontCost', 'eq{0.0}', { operator: 'eq', quantities: [0] }],
    ['upfrontCost', 'eq{-0.00}', { operator: 'eq', quantities: [0] }],
    ['upfrontCost', 'ne{29.99,1,1.00}', { operator: 'ne', quantities: [100, 2999] }],
    ['monthlyCost', 'lt{30}', { operator: 'lt', quantities: [3000] }],
    ['monthlyCost', 'lte{29.9}', { operator: 'lte', quantities: [2990] }],
    ['totalCost', 'gt{999999999.99}', { operator: 'gt', quantities: [99_999_999_999] }],
    ['totalCost', 'lt{1,1.00}', { operator: 'lt', quantities: [100] }],
    ['totalCost', 'gte{007}', { operator: 'gte', quantities: [700] }],
    ['contractLength', 'eq{24,12}', { operator: 'eq', quantities: [12, 24] }],
    ['contractLength', 'lte{999}', { operator: 'lte', quantities: [999] }],
    ['dataAllowance', 'eq{4,0.5}', { operator: 'eq', quantities: [500, 4000] }],
    ['dataAllowance', 'gte{0.001}', { operator: 'gte', quantities: [1] }],
    ['dataAllowance', 'eq{unlimited}', { operator: 'eq', quantities: [Infinity] }],
    ['dataAllowance', 'eq{999999,unlimited,4}', { operator: 'eq', quantities: [4000, Infinity] }],
    ['condition', 'eq{new}', { operator: 'eq', texts: ['new'] }],
    ['condition', 'ne{refurbished,new,new}', { operator: 'ne', texts: ['new', 'refurbished'] }],
    ['offers', 'eq{gift,cashback}', { operator: 'eq', texts: ['cashback', 'gift'] }],
    ['id', 'eq{101,9}', { operator: 'eq', texts: ['101', '9'] }],
    ['id', 'eq{012}', { operator: 'eq', texts: ['012'] }],
    ['slug', 'eq{101}', { operator: 'eq', texts: ['101'] }],
    ['slug', 'ne{nobody-has-it}', { operator: 'ne', texts: ['nobody-has-it'] }],
    ['name', 'has{S24 galaxy s24}', { operator: 'has', words: ['GALAXY', 'S24'] }],
    ['name', 'has{galaxy,galaxy}', { operator: 'has', words: ['GALAXY'] }],
    ['name', `has{${'ab '.repeat(10)}}`, { operator: 'has', words: ['AB'] }],
    ['name', `has{${'x'.repeat(100)}}`, { operator: 'has', words: ['X'.repeat(100)] }],
    ['name', 'has{+}', { operator: 'has', words: [] }],
    ['name', 'has{📱 (–) …}', { operator: 'has', words: [] }],
    ['condition', '  eq{ new , refurbished }  ', { operator: 'eq', texts: ['new', 'refurbished'] }],
  ])('reads filter[%s]=%s', (name, text, filter) => {
    expect(parse(name, text)).toEqual({ value: { name, ...filter }, refusals: [] });
  });

  it.each([
    ['networks', 'o2', '21', 'O2'],
    ['retailers', 'buy-and-go', '100', 'buy & go'],
  ] as const)('finds %s by slug and by id', (name, slug, id, found) => {
    const bySlug = parse(name, `eq{${slug}}`);
    expect(bySlug.refusals).toEqual([]);
    expect(parse(name, `eq{${id},${slug}}`)).toEqual(bySlug);
    const { rows } = bySlug.value as { rows: readonly number[] };
    expect(rows.map((row) => index[name][row]?.name)).toEqual([found]);
  });

  it.each(FILTERS.filter(({ kind }) => !['money', 'months', 'gigabytes', 'name'].includes(kind)))(
    'filter[$name] takes eq and ne, and no range',
    ({ name }) => {
      const accepted = FILTER_OPERATORS.filter(
        (operator) => !parse(name, `${operator}{x}`).refusals.includes(`filter[${name}]: unknown-value ${operator}`),
      );
      expect(accepted).toEqual(['eq', 'ne']);
    },
  );

  it.each<[string, string, string[]]>([
    ['condition', 'new', ['malformed-value new']],
    ['condition', 'eq', ['malformed-value eq']],
    ['condition', 'eq{new', ['malformed-value eq{new']],
    ['condition', 'eq(new)', ['malformed-value eq(new)']],
    ['condition', '{new}', ['malformed-value {new}']],
    ['condition', 'eq{{new}}', ['malformed-value eq{{new}}']],
    ['condition', 'eq{new}}', ['malformed-value eq{new}}']],
    ['condition', 'eq{}', ['malformed-value eq{}']],
    ['condition', 'eq{new,}', ['malformed-value eq{new,}']],
    ['condition', 'is{}', ['malformed-value is{}', 'unknown-value is']],
    ['condition', 'EQ{new}', ['unknown-value EQ']],
    ['condition', 'lt{new}', ['unknown-value lt']],
    ['condition', 'eq{used,used}', ['unknown-value used']],
    ['condition', 'eq{New,used}', ['unknown-value New', 'unknown-value used']],
    ['offers', 'eq{discount}', ['unknown-value discount']],
    ['networks', 'eq{o3}', ['unknown-value o3']],
    ['networks', 'eq{999}', ['unknown-value 999']],
    ['manufacturers', 'eq{Apple}', ['unknown-value Apple']],
    ['retailers', 'ne{__proto__}', ['unknown-value __proto__']],
    ['upfrontCost', 'eq{free}', ['malformed-value free']],
    ['upfrontCost', 'eq{£5}', ['malformed-value £5']],
    ['upfrontCost', 'eq{1.999}', ['malformed-value 1.999']],
    ['upfrontCost', 'eq{-1}', ['out-of-range -1']],
    ['upfrontCost', 'eq{1000000000}', ['out-of-range 1000000000']],
    ['totalCost', 'lt{1,2}', ['malformed-value lt{1,2}']],
    ['contractLength', 'eq{1.5}', ['malformed-value 1.5']],
    ['contractLength', 'eq{-1,1000}', ['out-of-range -1', 'out-of-range 1000']],
    ['dataAllowance', 'eq{Unlimited}', ['unknown-value Unlimited']],
    ['dataAllowance', 'eq{4GB}', ['malformed-value 4GB']],
    ['dataAllowance', 'eq{0.0001}', ['malformed-value 0.0001']],
    ['dataAllowance', 'eq{1000000}', ['out-of-range 1000000']],
    ['dataAllowance', 'eq{-1}', ['out-of-range -1']],
    ['id', 'eq{abc,-1}', ['malformed-value abc', 'malformed-value -1']],
    ['name', 'has{}', ['malformed-value has{}']],
    ['name', 'has{ }', ['malformed-value has{ }']],
    ['name', 'has{pixel,}', ['malformed-value has{pixel,}']],
    ['name', 'has{pixel,nokia}', ['malformed-value has{pixel,nokia}']],
    ['name', 'has{pixel{9}}', ['malformed-value has{pixel{9}}']],
    ['name', 'pixel', ['malformed-value pixel']],
    ['name', 'eq{pixel}', ['unknown-value eq']],
    ['name', 'HAS{pixel}', ['unknown-value HAS']],
    ['name', `has{${'x'.repeat(101)}}`, [`out-of-range ${'x'.repeat(101)}`]],
    ['name', 'has{1 2 3 4 5 6 7 8 9 10 11}', ['out-of-range 1 2 3 4 5 6 7 8 9 10 11']],
    ['name', 'has{½ ½ ½ ½ ½ ½}', ['out-of-range ½ ½ ½ ½ ½ ½']],
    ['slug', 'eq{Pixel,a/b}', ['malformed-value Pixel', 'malformed-value a/b']],
  ])('refuses filter[%s]=%s', (name, text, refusals) => {
    expect(parse(name, text)).toEqual({
      value: undefined,
      refusals: refusals.map((refusal) => `filter[${name}]: ${refusal}`),
    });
  });

  it.each(['filter', 'filter[', 'filter[]', 'filter[price]', 'filter[condition', 'filter[Condition]', 'filter[id]x'])(
    'refuses the name %s',
    (parameter) => {
      expect(isFilterParameter(parameter)).toBe(true);
      expect(parsed((issues) => parseFilter(parameter, 'eq{new}', index, issues))).toEqual({
        value: undefined,
        refusals: [`${parameter}: unknown-parameter ${parameter}`],
      });
    },
  );

  it('says what was expected and what arrived', () => {
    const sentence = (name: string, text: string) =>
      sentences((issues) => parseFilter(`filter[${name}]`, text, index, issues));
    expect(sentence('conditon', 'eq{new}')).toEqual([
      'filter[conditon]: not a parameter of this endpoint; expected one of the filters; did you mean "filter[condition]"?',
    ]);
    expect(sentence('condition', 'new')).toEqual(['filter[condition]: expected eq{new} or eq{refurbished}, got "new"']);
    expect(sentence('condition', 'eq{New}')).toEqual([
      'filter[condition]: expected one of new, refurbished, got "New"; did you mean "new"?',
    ]);
    expect(sentence('upfrontCost', 'eq{-1}')).toEqual([
      'filter[upfrontCost]: expected an amount from 0 to 999999999.99, got "-1"',
    ]);
    expect(sentence('name', 'eq{pixel}')).toEqual([
      'filter[name]: expected the operator has, got "eq"; did you mean "has"?',
    ]);
    expect(sentence('name', 'has{}')).toEqual([
      'filter[name]: expected has{galaxy s24}, without an empty value, got "has{}"',
    ]);
    expect(sentence('name', 'has{1 2 3 4 5 6 7 8 9 10 11}')).toEqual([
      'filter[name]: expected at most 10 words, got "1 2 3 4 5 6 7 8 9 10 11"',
    ]);
    expect(sentence('networks', 'eq{thre}')).toEqual([
      'filter[networks]: expected a network of this catalogue, got "thre"; did you mean "three"?',
    ]);
  });

  it('cuts what arrived to 80 characters', () => {
    const [sentence = ''] = sentences((issues) => parseFilter('filter[id]', `eq{${'x'.repeat(500)}}`, index, issues));
    expect(sentence).toBe(`filter[id]: expected a product id, decimal digits, got "${'x'.repeat(79)}…"`);
  });
});
