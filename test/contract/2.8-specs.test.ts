import { afterAll, describe, expect, it } from 'vitest';
import { SPEC_FIELDS } from '../../data/field/spec.ts';
import { serve } from './serve.ts';

const server = await serve();
afterAll(() => server.close());

describe('specifications (§2.8)', () => {
  it('are all 25 attributes of a product that has them', async () => {
    const { products } = await server.read('/deals/v1/products/101/?filter[condition]=eq{new}&expand=specs');
    expect(products[0]?.['specs']).toEqual(
      Object.fromEntries(SPEC_FIELDS.map(({ word, key }) => [key, `the ${word} of a Pixel 9`])),
    );
    expect(Object.keys(products[0]?.['specs'] ?? {})).toHaveLength(25);
  });

  it('are optional: an attribute that a product lacks is absent', async () => {
    const { products } = await server.read('/deals/v1/products/9/?expand=specs');
    expect(products[0]?.['specs']).toEqual({ fmRadio: 'Yes', '4g': 'No' });
  });
});
