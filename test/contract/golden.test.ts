import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withServer } from '../harness.ts';
import { answerOf } from '../oracle.ts';
import { FIXTURE } from './fixture-catalogue.ts';

const server = await withServer();

/** The documented kinds of request, and the file that holds the answer to each, byte for byte. */
const GOLDEN = [
  ['products', '/deals/v1/products/'],
  ['products-expanded', '/deals/v1/products/?expand=products(content,meta-data,specs,images,deals)&limit=3'],
  ['products-grouped-cheapest-deal', '/deals/v1/products/?expand=products(grouped,cheapestDeal)'],
  ['products-page-content', '/deals/v1/products/?expand=page-content&limit=5'],
  [
    'products-free-sorted',
    '/deals/v1/products/?expand=products(deals)&filter[upfrontCost]=eq{0}&sort=deals(data-allowance-desc)',
  ],
  ['product', '/deals/v1/products/101/?filter[condition]=eq{refurbished}'],
  [
    'product-combined',
    '/deals/v1/products/101/?expand=products(content,deals)&filter[upfrontCost]=eq{49.99}&filter[condition]=eq{new}' +
      '&filter[networks]=eq{o2}&filter[offers]=eq{cashback}&fields=products(front,large,png)',
  ],
  [
    'product-fields',
    '/deals/v1/products/101/?filter[condition]=eq{new}&fields=products(heading,meta-data-title,battery-capacity,4g,front,large,jpg,png)',
  ],
  ['product-price-history', '/deals/v1/products/101/?expand=products(priceHistory)&filter[networks]=eq{o2}'],
  ['gift-categories', '/deals/v1/gifts/categories/?expand=giftcategories(content,meta-data,images,gifts,page-content)'],
  ['gifts', '/deals/v1/gifts/?fields=gifts(heading,introduction,meta-data-keywords,front,large,webp)'],
  ['networks', '/deals/v1/networks/'],
  ['retailers', '/deals/v1/retailers/'],
  ['manufacturers', '/deals/v1/manufacturers/'],
] as const;

describe('golden answers', () => {
  it.each(GOLDEN)('%s are the bytes on file', async (name, target) => {
    const { status, text } = await server.ask(target);
    const file = join(import.meta.dirname, 'golden', `${name}.json`);
    // `GOLDEN=write` puts down what the server says; the difference is then for a reviewer.
    if (process.env['GOLDEN'] === 'write') writeFileSync(file, text);
    expect([status, text]).toEqual([200, readFileSync(file, 'utf8')]);
    expect(answerOf(FIXTURE, target)).toMatchObject({ status: 200, body: JSON.parse(text) });
  });
});
