import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeWindows1252, fixMojibake, hasLostCharacters } from '../../../../build/source/clean-text.ts';

/** UTF-8 read as windows-1252 and written again, so many times. */
function mangle(text: string, times = 1): string {
  return times === 0 ? text : mangle(decodeWindows1252(Buffer.from(text)), times - 1);
}

describe('mojibake', () => {
  it.each([
    '£10 a month',
    'café',
    'Señor Öl',
    'Zażółć “Plus” – 5€',
    'iPhone™ 📱',
    'ESPAÑA',
    '\ufeffPlan',
    'Ünlimited°',
  ])('is repaired, once and several times over: %s', (text) => {
    for (const times of [1, 2, 3]) expect(fixMojibake(mangle(text, times))).toBe(text);
  });

  it.each([
    'café',
    'CAFÉ®',
    'CAFÉ™',
    'CAFÉ’S',
    'Jalapeño',
    '“Plus” – 5€',
    '£10 or €12',
    'àéîõü ÀÉÎÕÜ',
    'le café»…',
    'maçã”…',
    'É“clair”',
    'Straße 5½',
    'ł ż Ж ω 中文 📱',
    'Vodafone Red™',
    'AT&T',
    '±5 °C',
  ])('is not what a sound text is taken for: %s', (text) => {
    expect([fixMojibake(text), hasLostCharacters(text)]).toEqual([text, false]);
  });

  it('of any text of letters, signs and emoji that people write is undone', () => {
    const signs = Array.from('abc 019 £€éèüöñçßÉÀŁłŹž“”‘’–—…•™®©½°📱🎁');
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...signs)), (characters) => {
        const text = characters.join('');
        expect(fixMojibake(mangle(text))).toBe(fixMojibake(text));
      }),
    );
  });

  it.each(['Caf\ufffd 4GB', 'Caf� \ufffd', 'Â£10 – Ж', 'cafÃ© – é', 'itâ€\ufffds', 'itâ€?s Ж'])(
    'that cannot be repaired is left as it is, and is told: %s',
    (text) => {
      expect([fixMojibake(text), hasLostCharacters(text)]).toEqual([text, true]);
    },
  );
});
