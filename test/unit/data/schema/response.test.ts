import { describe, expect, it } from 'vitest';
import { FIXTURE } from '../../../contract/fixture-catalogue.ts';
import { answerOf } from '../../../oracle.ts';
import { RESPONSE_SCHEMAS, schemaFaults } from '../../../oracle/check-answer.ts';

type Json = Record<string, unknown>;

describe('the JSON Schemas of responses', () => {
  it.each(Object.entries(RESPONSE_SCHEMAS))('close every object of %s to further keys', (_, schema) => {
    const objects = subschemas(schema).filter(({ type }) => type === 'object');
    expect(objects.length).toBeGreaterThan(0);
    expect(objects.filter(({ additionalProperties }) => additionalProperties !== false)).toEqual([]);
  });

  it.each([
    ['totalDealCost', '29.9'],
    ['totalDealCost', '£29.99'],
    ['totalDealCost', '029.99'],
    ['totalDealCost', '-1.00'],
    ['productUpfrontCost', 0],
    ['contractLength', '0'],
    ['contractLength', '24 months'],
    ['friendlyContractLength', '1 months'],
    ['dataAllowance', '4GB'],
    ['dataAllowance', '0.50'],
    ['friendlyDataAllowance', '1000MB'],
    ['friendlyDataAllowance', 'unlimited'],
    ['friendlyCallAllowance', '1 minutes'],
    ['friendlyTextAllowance', '2 text'],
    ['condition', 'new'],
    ['dealLink', 'javascript:alert(1)'],
    ['dealLink', ''],
    ['productImg', '/images/phone.webp'],
    ['cashbackValue', undefined],
    ['surprise', 'a key that is not documented'],
  ])('refuse a deal whose %s is %j', (key, value) => {
    const answer = answerOf(FIXTURE, '/deals/v1/products/?expand=deals');
    const body = JSON.parse(JSON.stringify('body' in answer ? answer.body : {})) as { deals: Json[] };
    const deal = body.deals.find((candidate) => 'cashbackValue' in candidate);
    if (deal === undefined) throw new Error('the fixture has a deal with cashback');
    deal[key] = value;
    if (value === undefined) delete deal[key];
    expect(schemaFaults('products', body)).not.toEqual([]);
  });
});

/** Every object and array schema within a schema, itself included. */
function subschemas(schema: unknown): Json[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return [schema as Json, ...Object.values(schema).flatMap(subschemas)];
}
