import { describe, expect, it } from 'vitest';
import { createApiKey, describeKeyTypo, hashApiKey, isWellFormedKey } from '../../../../server/keys/api-key.ts';

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

  it('tell a slip from a text of another form, without a character of either', () => {
    const keyText = createApiKey();
    const slip = keyText.slice(0, 12) + (keyText[12] === 'x' ? 'y' : 'x') + keyText.slice(13);
    expect(describeKeyTypo(keyText)).toBeUndefined();
    expect(describeKeyTypo(slip)).toBe('is mistyped: its checksum does not fit. Copy it again, whole');
    for (const text of ['', 'secret', keyText.slice(6), keyText.slice(0, -1), `"${keyText}"`, `Bearer ${keyText}`]) {
      expect(isWellFormedKey(text)).toBe(false);
      expect([text, describeKeyTypo(text)]).toEqual([
        text,
        expect.stringMatching(/^is not of the form of a key: deals_ and 38 letters/),
      ]);
    }
  });

  it('keep the same checksum for ever: a key that was issued stays well formed', () => {
    expect(isWellFormedKey('deals_0123456789ABCDEFGHIJKLMNOPQRSTUV03RiIu')).toBe(true);
  });

  it('are hashed with SHA-256', () => {
    expect(hashApiKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
