import { describe, expect, it } from 'vitest';
import { keyOfWords } from '../../../../build/match/phone-words.ts';
import { parseNameWords } from '../../../../build/match/name-words.ts';
import { readCases } from '../../../support/cases.ts';

const CASES = readCases(import.meta.dirname, 'words.json') as {
  readonly words: readonly [name: string, words: string][];
  readonly conditions: readonly [name: string, condition: string | null][];
};

describe('the words of a name', () => {
  it.each(CASES.words)('of %s', (name, words) => {
    expect(parseNameWords(name).words.join(' ')).toBe(words);
  });

  it.each(CASES.conditions)('%s says of the condition: %s', (name, condition) => {
    const parsed = parseNameWords(name);
    expect(parsed.condition ?? null).toBe(condition);
    expect(parsed.words).toEqual(['google', 'pixel', '9']);
  });

  it('two lists of the same words have one key, but numbers must be in the same order', () => {
    expect(keyOfWords(['128gb', 'galaxy', 's21'])).toBe(keyOfWords(['galaxy', 's21', '128gb']));
    expect(keyOfWords(['nokia', '6', '2'])).not.toBe(keyOfWords(['nokia', '2', '6']));
    expect(keyOfWords(['a', '1'])).not.toBe(keyOfWords(['a']));
  });
});
