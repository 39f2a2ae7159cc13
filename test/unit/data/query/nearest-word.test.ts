import { describe, expect, it } from 'vitest';
import { findNearestWord } from '../../../../data/query/edit-distance.ts';

const WORDS = ['maxLostDeals', 'maxLostProducts', 'battery-capacity', 'battery-type', 'gpu', 'cpu', 'os'];

describe('the nearest word', () => {
  it.each([
    ['maxLostDeal', 'maxLostDeals', 'a letter missing'],
    ['battery-capcity', 'battery-capacity', 'a letter missing inside'],
    ['battery-tpye', 'battery-type', 'two letters changed about'],
    ['batery_type', 'battery-type', 'a letter missing and one wrong'],
    ['MAXLOSTDEALS', 'maxLostDeals', 'another case'],
    ['gpus', 'gpu', 'a letter too many'],
    ['abttery-caapcity', 'battery-capacity', 'two pairs of letters changed about'],
    ['Cpu', 'cpu', 'another case before a slip'],
  ])('of %s is %s: %s', (word, nearest) => {
    expect(findNearestWord(word, WORDS)).toBe(nearest);
  });

  it.each([
    ['', 'nothing was written'],
    ['price', 'nothing is near'],
    ['so', 'a word of two letters is no slip of another'],
    ['x'.repeat(10_000), 'no user misspells a word of that length'],
  ])('of %j is none: %s', (word) => {
    expect(findNearestWord(word, WORDS)).toBeUndefined();
  });

  it.each([
    ['xpu', ['gpu', 'cpu'], 'gpu'],
    ['xpu', ['cpu', 'gpu'], 'cpu'],
    ['neq', ['eq', 'ne'], 'ne'],
  ])('of %s among %j, all as near, is %s', (word, words, nearest) => {
    expect(findNearestWord(word, words)).toBe(nearest);
  });
});
