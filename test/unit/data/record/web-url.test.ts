import { expect, it } from 'vitest';
import { isWebUrl } from '../../../../data/record/product.ts';

/** So many links that what checks them is optimised. */
const MANY = 20_000;

it.each([
  ['https://shop.example/deal/1?a=b#c', true],
  ['HTTP://SHOP.EXAMPLE', true],
  ['https://shöp.example/ä', true],
  ['https://xn--shp-rna.example/', true],
  ['//shop.example/', false],
  ['ftp://shop.example/', false],
  ['javascript:alert(1)', false],
  ['https://', false],
  ['https://shop.example/a b', false],
  ['https://shop.example/a\u0007', false],
  ['https://sh%op.example/', false],
])('%j is an address of the web: %j, however many there are', (text, expected) => {
  const others = Array.from({ length: MANY }, () => isWebUrl(text)).filter((each) => each !== expected);
  expect(others).toEqual([]);
});
