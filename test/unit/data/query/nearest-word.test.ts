import { describe, expect, it } from 'vitest';
import { findNearestWord } from '../../../../data/query/edit-distance.ts';
import { createRandom, type Random } from '../../../support/random.ts';

const WORDS = ['maxLostDeals', 'maxLostProducts', 'battery-capacity', 'battery-type', 'gpu', 'cpu', 'os'];

describe('the nearest word', () => {
  it.each([
    ['maxLostDeal', 'maxLostDeals', 'a letter missing'],
    ['battery-capcity', 'battery-capacity', 'a letter missing inside'],
    ['battery-tpye', 'battery-type', 'two letters changed about'],
    ['batery_type', 'battery-type', 'a letter missing and one wrong'],
    ['MAXLOSTDEALS', 'maxLostDeals', 'another case'],
    ['gpus', 'gpu', 'a letter too many'],
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

  it('is the earlier of two as near', () => {
    expect(findNearestWord('xpu', ['gpu', 'cpu'])).toBe('gpu');
    expect(findNearestWord('xpu', ['cpu', 'gpu'])).toBe('cpu');
  });

  it('is found in no time however many words there are', () => {
    const words = Array.from({ length: 5_000 }, (_, index) => `${'manufacturer-'.repeat(4)}${index}`);
    const start = performance.now();
    findNearestWord('z'.repeat(56), words);
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it('is the one that a table of distances finds, in words of every length', () => {
    const random = createRandom(1);
    const draw = (length: number): string =>
      Array.from({ length: 1 + random.below(length) }, () => random.pick(['a', 'b', 'c'])).join('');
    for (let i = 0; i < 500; i++) {
      const word = draw(random.pick([3, 8, 31, 33, 64]));
      const words = Array.from({ length: 5 }, () => (random.isLikely(0.3) ? draw(64) : withSlips(word, random)));
      expect([word, words, findNearestWord(word, words)]).toEqual([word, words, findByTable(word, words)]);
    }
  });
});

function withSlips(word: string, random: Random): string {
  let text = word;
  for (let slips = random.below(6); slips > 0; slips--) {
    const at = random.below(text.length + 1);
    const [before, letter, next, after] = [text.slice(0, at), text.charAt(at), text.charAt(at + 1), text.slice(at + 2)];
    text = random.pick([before + next + letter + after, `${before}d${letter}${next}${after}`, before + next + after]);
  }
  return text.slice(0, 64) || 'd';
}

/** The same by the plain table of Damerau and Levenshtein. */
function findByTable(word: string, words: readonly string[]): string | undefined {
  if (words.includes(word)) return word;
  let nearest: string | undefined;
  let fewest = Infinity;
  for (const candidate of words) {
    const slips = countByTable(word, candidate);
    if (slips >= fewest || slips > Math.floor(Math.max(word.length, candidate.length) / 3)) continue;
    nearest = candidate;
    fewest = slips;
  }
  return nearest;
}

function countByTable(a: string, b: string): number {
  const rows: number[][] = [];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
  for (let row = 0; row <= a.length; row++) {
    const current: number[] = [];
    rows.push(current);
    for (let column = 0; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isChanged = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(
        row === 0 || column === 0
          ? row + column
          : Math.min(
              at(row - 1, column) + 1,
              at(row, column - 1) + 1,
              at(row - 1, column - 1) + (isSame ? 0 : 1),
              isChanged ? at(row - 2, column - 2) + 1 : Infinity,
            ),
      );
    }
  }
  return at(a.length, b.length);
}
