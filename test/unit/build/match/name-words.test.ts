import { describe, expect, it } from 'vitest';
import { keyOfWords, parseNameWords } from '../../../../build/match/name-words.ts';

describe('the words of a name', () => {
  it.each([
    ['Google Pixel 9 128GB', 'google pixel 9 128gb'],
    ['GOOGLE  PIXEL 9 (128 GB)', 'google pixel 9 128gb'],
    ['Google Pixel 9, 128gb', 'google pixel 9 128gb'],
    ['Google-Pixel-9-128GB', 'google pixel 9 128gb'],
    ['Ｇｏｏｇｌｅ\u00a0Pixel\u2122 9', 'google pixel 9'],
    ['Pixel\u200b 9', 'pixel 9'],
    ['Galaxy S24 Ultra 1 TB', 'galaxy s24 ultra 1tb'],
    ['Galaxy S10+', 'galaxy s10 plus'],
    ['Galaxy S10 +', 'galaxy s10 +'],
    ['Galaxy S10 + 128GB', 'galaxy s10 + 128gb'],
    ['Galaxy S10 512GB + Black', 'galaxy s10 512gb black'],
    ['Galaxy S10 512 + Black', 'galaxy s10 512 black'],
    ['Galaxy S10+ 8GB + 512GB', 'galaxy s10 plus 512gb'],
    ['Nothing Phone (2a)+', 'nothing phone 2a plus'],
    ['Galaxy A6 (2018)+', 'galaxy a6 2018 +'],
    ['Galaxy S21FE', 'galaxy s21 fe'],
    ['Xperia 1III', 'xperia 1 iii'],
    ['Mate 40 1024GB', 'mate 40 1tb'],
    ['Redmi Note 12 Pro+ 5G', 'redmi note 12 pro plus 5g'],
    ['Galaxy Z Flip5', 'galaxy z flip 5'],
    ['iPhone13', 'iphone 13'],
    ['Moto G 54 5G', 'moto g54 5g'],
    ['Moto G 5G', 'moto g 5g'],
    ['Honor X 8a', 'honor x8a'],
    ['Honor X 8 a', 'honor x8a'],
    ['Xiaomi 12 T Pro', 'xiaomi 12t pro'],
    ['iPhone X 64GB', 'iphone x 64gb'],
    ['Nokia C 02', 'nokia c02'],
    ['Galaxy A5 2017', 'galaxy a5 2017'],
    ['Pixel 7 5 G', 'pixel 7 5g'],
    ['iPad 10.2" (2021)', 'ipad 10.2inch 2021'],
    ["iPad 10.2'' (2021)", 'ipad 10.2inch 2021'],
    ['iPad 10.2-inch', 'ipad 10.2inch'],
    ['iPad 10.2 inches', 'ipad 10.2inch'],
    ['"Nokia 3.2" 32GB', 'nokia 3.2 32gb'],
    ["Editor's Phone", 'editors phone'],
    ['P30 Pro New Edition', 'p30 pro newedition'],
    ['Nokia 5.1 Plus.', 'nokia 5.1 plus'],
    ['iPhone SE (2nd Generation)', 'iphone se 2020'],
    ['Moto G Second Generation', 'moto g 2nd gen'],
    ['Moto G Gen 2', 'moto g 2nd gen'],
    ['iPhone 14 Dual-SIM', 'iphone 14 dualsim'],
    ['iPhone 14 DualSIM e-SIM', 'iphone 14 dualsim esim'],
    ['  ', ''],
  ])('of %s', (name, words) => {
    expect(parseNameWords(name).words.join(' ')).toBe(words);
  });

  it.each([
    ['Refurbished Google Pixel 9', 'refurbished'],
    ['Google Pixel 9 - Good As New', 'refurbished'],
    ['Google Pixel 9 (As Good as New)', 'refurbished'],
    ['Google Pixel 9 Like New', 'refurbished'],
    ['Google Pixel 9 Pre-Owned', 'refurbished'],
    ['Google Pixel 9 (Certified Pre-owned)', 'refurbished'],
    ['Google Pixel 9 Used Grade A', 'refurbished'],
    ['Google Pixel 9 A Grade', 'refurbished'],
    ['Google Pixel 9 Grade A+', 'refurbished'],
    ['Google Pixel 9 Renewed, Excellent Condition', 'refurbished'],
    ['Google Pixel 9 Open Box', 'refurbished'],
    ['Google Pixel 9 Used - Good', 'refurbished'],
    ['Google Pixel 9 Used - Very Good', 'refurbished'],
    ['Google Pixel 9 Refurbished (Good)', 'refurbished'],
    ['Pre Owned - Fair Google Pixel 9', 'refurbished'],
    ['New Google Pixel 9', 'new'],
    ['Google Pixel 9 Brand New & Sealed', 'new'],
    ['Brand New Google Pixel 9', 'new'],
    ['New Google Pixel 9 Refurbished', 'both'],
    ['Google Pixel 9 Pristine', 'refurbished'],
    ['Google Pixel 9 Good', 'refurbished'],
    ['Google Pixel 9', undefined],
  ])('%s says of the condition: %s', (name, condition) => {
    const parsed = parseNameWords(name);
    expect(parsed.condition).toBe(condition);
    expect(parsed.words).toEqual(['google', 'pixel', '9']);
  });

  it('two lists of the same words have one key, but numbers must be in the same order', () => {
    expect(keyOfWords(['128gb', 'galaxy', 's21'])).toBe(keyOfWords(['galaxy', 's21', '128gb']));
    expect(keyOfWords(['nokia', '6', '2'])).not.toBe(keyOfWords(['nokia', '2', '6']));
    expect(keyOfWords(['a', '1'])).not.toBe(keyOfWords(['a']));
  });
});
