import { describe, expect, it } from 'vitest';
import { createApiKey, redactKeys } from '../../../server/keys/api-key.ts';

const KEY = createApiKey();
const BARE = KEY.slice('deals_'.length);

describe('a text from outside (D16)', () => {
  it.each([
    ['a key', KEY, 'deals_[hidden]'],
    ['a key in a path', `/deals/v1/products/${KEY}/`, '/deals/v1/products/deals_[hidden]/'],
    ['a key with a slip', `x=${KEY.slice(0, -1)}`, 'x=deals_[hidden]'],
    ['the beginning of one, which was cut', `"${KEY.slice(0, 20)}…"`, '"deals_[hidden]…"'],
    ['two in a row', KEY + KEY, 'deals_[hidden]'],
    ['two with a comma', `${KEY},${KEY}`, 'deals_[hidden],deals_[hidden]'],
    ['a key without its prefix', `?x=${BARE}&y=1`, '?x=deals_[hidden]&y=1'],
    ['a key whose line is encoded', `/deals%5F${BARE}/`, '/deals_[hidden]/'],
  ])('holds no key: %s', (_, text, expected) => {
    expect(redactKeys(text)).toBe(expected);
    expect(redactKeys(text)).not.toContain(KEY.slice(10, 34));
  });

  it.each([
    '/deals/v1/products/?expand=products(cheapestDeal)',
    '/images/0123456789abcdef0123456789abcdef01234567/front-large.webp',
    'deals_x',
    '',
    'a'.repeat(38),
    'a'.repeat(1_000),
  ])('is left as it is without one: %s', (text) => {
    expect(redactKeys(text)).toBe(text);
  });
});
