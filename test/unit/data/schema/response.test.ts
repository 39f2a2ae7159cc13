import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../../../data/query/endpoint.ts';
import { RESPONSES, type ResponseName } from '../../../../data/schema/response.ts';
import { FIXTURE } from '../../../contract/fixture-catalogue.ts';
import { answerOf } from '../../../oracle.ts';
import { RESPONSE_SCHEMAS, schemaFaults } from '../../../oracle/check-answer.ts';

type Json = Record<string, unknown>;

const EVERYTHING: readonly (readonly [ResponseName, string])[] = [
  ['products', '/deals/v1/products/?expand=content,page-content,meta-data,specs,images,deals,cheapestDeal'],
  ['product', '/deals/v1/products/101/?expand=content,page-content,meta-data,specs,images,deals,cheapestDeal'],
  ['giftCategories', '/deals/v1/gifts/categories/?expand=content,page-content,meta-data,images,gifts'],
  ['gifts', '/deals/v1/gifts/?fields=heading,introduction,front,large,webp'],
  ['networks', '/deals/v1/networks/'],
  ['retailers', '/deals/v1/retailers/'],
  ['manufacturers', '/deals/v1/manufacturers/'],
];

describe('the JSON Schemas of responses', () => {
  it('are there for every endpoint and for refusals', () => {
    expect(Object.keys(RESPONSE_SCHEMAS).sort()).toEqual([...ENDPOINTS.map(({ name }) => name), 'problem'].sort());
  });

  it.each(Object.entries(RESPONSE_SCHEMAS))('close every object of %s to further keys', (_, schema) => {
    const objects = subschemas(schema).filter(({ type }) => type === 'object');
    expect(objects.length).toBeGreaterThan(0);
    expect(objects.filter(({ additionalProperties }) => additionalProperties !== false)).toEqual([]);
  });

  it.each(EVERYTHING)('say the same as the zod schemas about %s with any one text changed', (name, target) => {
    const body = bodyOf(target);
    for (const [holder, key] of textsOf(body)) {
      const kept = holder[key];
      for (const nonsense of ['', 'NONSENSE', '-1', '1.234', 'http://', 7, null]) {
        holder[key] = nonsense;
        const isRefused = schemaFaults(name, body).length > 0;
        expect([key, nonsense, isRefused]).toEqual([key, nonsense, !RESPONSES[name].safeParse(body).success]);
      }
      holder[key] = kept;
    }
    expect(schemaFaults(name, body)).toEqual([]);
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
    const body = JSON.parse(JSON.stringify(bodyOf('/deals/v1/products/?expand=deals'))) as { deals: Json[] };
    const deal = body.deals.find((candidate) => 'cashbackValue' in candidate);
    if (deal === undefined) throw new Error('the fixture has a deal with cashback');
    deal[key] = value;
    if (value === undefined) delete deal[key];
    expect(schemaFaults('products', body)).not.toEqual([]);
  });
});

function bodyOf(target: string): unknown {
  const answer = answerOf(FIXTURE, target);
  if (!('body' in answer)) throw new Error(`${target} is refused with ${answer.code}`);
  return answer.body;
}

/** Every object and array schema within a schema, itself included. */
function subschemas(schema: unknown): Json[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return [schema as Json, ...Object.values(schema).flatMap(subschemas)];
}

/** The holder and key of each distinct text attribute: one of a kind is enough. */
function textsOf(body: unknown): [Json, string][] {
  const found = new Map<string, [Json, string]>();
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      const inside = Array.isArray(value) ? path : `${path}.${key}`;
      if (typeof inner === 'string') found.set(inside, [value as Json, key]);
      else visit(inner, inside);
    }
  };
  visit(body, '');
  return [...found.values()];
}
