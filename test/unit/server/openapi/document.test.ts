import { createConfig, lintFromString } from '@redocly/openapi-core';
import { assert, property, stringMatching } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../../../data/query/endpoint.ts';
import { FILTERS } from '../../../../data/query/filter.ts';
import { parseQueryString } from '../../../../server/query/query-text.ts';
import { openCatalogue, parseAt } from '../open-catalogue.ts';
import { DOCUMENT, DOCUMENT_TEXT, objectsIn, parametersOf } from './document.ts';
import { findSchemaFaults } from './schema-faults.ts';

describe('the description of the interface', () => {
  it('passes the recommended rules of Redocly', async () => {
    // Paths of the interface end with a slash (spec §4).
    const config = await createConfig({ extends: ['recommended'], rules: { 'no-path-trailing-slash': 'off' } });
    const problems = await lintFromString({ source: DOCUMENT_TEXT, absoluteRef: '/openapi.json', config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });

  it.each(ENDPOINTS.map(({ path, parameters }) => [path, parameters] as const))(
    'has %s with each of its parameters',
    (path, parameters) => {
      const operation = DOCUMENT.paths[path.replace('<id>', '{id}')]?.get;
      const expected = (parameters as readonly string[]).flatMap((name) =>
        name === 'filter' ? FILTERS.map((filter) => `filter[${filter.name}]`) : [name],
      );
      expect(
        operation === undefined ? [] : parametersOf(operation).filter((each) => each.in === 'query'),
      ).toMatchObject(expected.map((name) => ({ name })));
    },
  );

  it('says of every property what it means', () => {
    const bare = Object.entries(DOCUMENT.components.schemas).flatMap(([name, schema]) =>
      objectsIn(schema)
        .flatMap(({ properties }) => Object.entries((properties ?? {}) as Readonly<Record<string, object>>))
        .filter(([, property]) => !('description' in property))
        .map(([key]) => `${name}.${key}`),
    );
    // The one member of an answer is what the answer is, as its response says.
    const isMember = (place: string): boolean => /^[A-Za-z]+Answer\.[a-zA-Z]+$|^GiftCategory\.gifts$/.test(place);
    expect(bare.filter((place) => !isMember(place))).toEqual([]);
  });

  it('has examples of fields that satisfy their schemas', () => {
    const withExamples = objectsIn(DOCUMENT.components.schemas).filter(
      ({ examples }) => Array.isArray(examples) && examples.length > 0,
    );
    expect(withExamples.length).toBeGreaterThan(150);
    for (const { examples, description, ...schema } of withExamples) {
      for (const example of examples as readonly unknown[]) {
        expect([description, example, findSchemaFaults(schema, example)]).toEqual([description, example, []]);
      }
    }
  });
});

/** Pieces of values. */
const SCRAPS = '( {} eq{ eq{} eq{a gte{1,2} , products( products() products(a} deals(total-cost)'.split(' ');

const { index } = await openCatalogue();

describe('the grammar of each parameter', () => {
  const codesOf = (endpoint: (typeof ENDPOINTS)[number]['name'], name: string, value: string): readonly string[] => {
    const query = parseQueryString(`${name}=${encodeURIComponent(value)}`);
    const { issues } = parseAt(endpoint, query, index);
    return issues.map(({ code }) => code);
  };
  const cases = ENDPOINTS.filter(({ name }) => name !== 'product').flatMap(({ name: endpoint, path }) => {
    const operation = DOCUMENT.paths[path]?.get;
    return (operation === undefined ? [] : parametersOf(operation))
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema }) => [endpoint, name, schema.items?.pattern ?? schema.pattern ?? ''] as const);
  });

  it.each(cases)('of %s %s lets nothing through that the parser cannot read', (endpoint, name, pattern) => {
    assert(
      property(stringMatching(new RegExp(pattern), { size: 'small' }), (value) => {
        expect([value, codesOf(endpoint, name, value)]).not.toEqual([
          value,
          expect.arrayContaining(['malformed-value']),
        ]);
      }),
      { seed: 7, numRuns: 100 },
    );
  });

  it.each(cases.filter(([, name]) => name !== 'cursor'))('of %s %s stops what it cannot', (endpoint, name, pattern) => {
    const malformed = SCRAPS.filter((value) => codesOf(endpoint, name, value).includes('malformed-value'));
    expect(malformed.length).toBeGreaterThan(5);
    expect(malformed.filter((value) => new RegExp(pattern).test(value))).toEqual([]);
  });

  it.each([
    ['giftCategories', 'expand', 'expand-giftCategories'],
    ['products', 'expand', 'expand-products'],
    ['products', 'fields', 'fields-products'],
    ['deals', 'fields', 'fields-deals'],
    ['giftCategories', 'fields', 'fields-giftCategories'],
    ['gifts', 'fields', 'fields-gifts'],
  ] as const)('of %s %s knows the words that the parser knows, and no others', (endpoint, name, component) => {
    const query = parseQueryString(`${name}=nobody-knows-this`);
    const { issues } = parseAt(endpoint, query, index);
    const words = DOCUMENT.components.parameters[component]?.['x-words']?.map(({ word }) => word);
    // Those of deals only stand in a wrapper of their own.
    const bare = words?.filter((word) => !word.startsWith('deals('));
    expect(issues[0]?.allowed?.toSorted()).toEqual(bare?.toSorted());
  });
});
