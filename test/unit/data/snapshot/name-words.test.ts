import { describe, expect, it } from 'vitest';
import { compileNameSearch, createNameKey, splitNameWords } from '../../../../data/snapshot/catalogue-index.ts';

const isFound = (text: string, name: string): boolean =>
  compileNameSearch(splitNameWords(text).join(' '), [createNameKey(name)])(0);

describe('a search by name (D23)', () => {
  it.each([
    ['galaxy s24', 'Galaxy S24 Ultra'],
    ['s24 galaxy', 'Galaxy S24 Ultra'],
    ['GAL ult', 'galaxy s24 ultra'],
    ['s24+', 'Galaxy S24'],
    ['s24', 'Galaxy S24+'],
    ['s24-ultra', 'Galaxy (S24) Ultra'],
    ["o'neil", 'O’Neil & Sons'],
    ['5g', 'Moto G84/5G'],
    ['cafe', 'Caf\u00e9 Phone'],
    ['caf\u00e9', 'Cafe\u0301 Phone'],
    ['cafe\u0301', 'CAFE Phone'],
    ['strasse', 'Straße 5'],
    ['STRAẞE', 'strasse 5'],
    ['istanbul', 'İstanbul'],
    ['ISPARTA', 'ısparta'],
    ['οδοσ', 'ΟΔΟΣ 1'],
    ['οδος', 'Οδοσφα'],
    ['ＧＡＬＡＸＹ', 'Galaxy'],
    ['galaxy', 'Ｇａｌａｘｙ Ｓ２４'],
    ['fi', 'ﬁber'],
    ['128gb', 'Galaxy™ 128GB®'],
    ['phone', 'phone 📱 and 👩‍👩‍👧'],
    ['галакси', 'Галакси С24'],
    ['银河', '银河手机'],
  ])('of %s finds %s', (text, name) => {
    expect(isFound(text, name)).toBe(true);
  });

  it.each([
    ['alaxy', 'Galaxy S24', 'it stands within a word'],
    ['galaxy s25', 'Galaxy S24', 'one word of two is missing'],
    ['galaxys24', 'Galaxy S24', 'two words are not one'],
    ['s2 4', 'Galaxy S24', 'the second is no beginning'],
    ['+', 'Galaxy S24+', 'there is no letter or digit'],
    ['📱', 'phone 📱', 'there is no letter or digit'],
    ['\u0301', 'Café', 'an accent is no letter'],
    ['phone', '📱', 'the name has no word'],
  ])('of %s does not find %s: %s', (text, name) => {
    expect(isFound(text, name)).toBe(false);
  });
});
