import { describe, expect, it } from 'vitest';
import { createApiKey, hashApiKey, isWellFormedKey, redactKeys } from '../../../../server/keys/api-key.ts';

describe('API keys (D16)', () => {
  it('have a prefix that tells what they are, and are well formed', () => {
    const keyText = createApiKey();
    expect(keyText).toMatch(/^deals_[0-9A-Za-z]{38}$/);
    expect(isWellFormedKey(keyText)).toBe(true);
  });

  it('are random: a thousand are a thousand different ones, and use the whole alphabet', () => {
    const keys = Array.from({ length: 1_000 }, createApiKey);
    expect(new Set(keys).size).toBe(1_000);
    const letters = new Set(keys.flatMap((keyText) => keyText.slice('deals_'.length, -6).split('')));
    expect(letters.size).toBe(62);
  });

  it('are told from a slip of any one character by their checksum', () => {
    const keyText = createApiKey();
    for (let i = 0; i < keyText.length; i++) {
      const other = keyText[i] === 'x' ? 'y' : 'x';
      expect(isWellFormedKey(keyText.slice(0, i) + other + keyText.slice(i + 1)), `character ${i}`).toBe(false);
    }
  });

  it('are told from a text of another form', () => {
    const keyText = createApiKey();
    for (const text of ['', 'secret', keyText.slice(6), keyText.slice(0, -1), `"${keyText}"`, `Bearer ${keyText}`]) {
      expect([text, isWellFormedKey(text)]).toEqual([text, false]);
    }
  });

  it('keep the same checksum for ever: a key that was issued stays well formed', () => {
    expect(isWellFormedKey('deals_0123456789ABCDEFGHIJKLMNOPQRSTUV03RiIu')).toBe(true);
  });

  it('are hashed with SHA-256', () => {
    expect(hashApiKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

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
