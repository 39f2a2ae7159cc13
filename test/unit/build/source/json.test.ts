import { assert, constantFrom, json, nat, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonFault } from '../../../../build/source/json.ts';

describe('the first error of a text that is not JSON', () => {
  it.each([
    ['{"a": x}', '1: expected JSON, got "x" in column 7: invalid symbol'],
    ['{"a": 1\n "b": 2}', '2: expected JSON, got "\\"b\\"" in column 2: comma expected'],
    ['[1, 2', '1: expected JSON, got the end of the file in column 6: close bracket expected'],
    ['{"a": 1,}', '1: expected JSON, got "}" in column 9: property name expected'],
    ['"a\nb"', '1: expected JSON, got "\\"a" in column 1: unexpected end of string'],
    ['[1] // x', '1: expected JSON, got "// x" in column 5: invalid comment token'],
    ['['.repeat(100_000), '1: expected JSON that nests less deeply'],
  ])('of %.30s', (text, sentence) => {
    expect(errorOf(text)).toBe(sentence);
  });

  it('is found, with what was expected, in every text that JSON.parse refuses', () => {
    const mangled = tuple(json(), nat(), constantFrom('', ',', '"', '}', ']', '{', '\\', '0', '-', 'e', '\n', ':')).map(
      ([text, at, insert]) => {
        const cut = at % (text.length + 1);
        return text.slice(0, cut) + insert + text.slice(cut + (at % 2));
      },
    );
    assert(
      property(mangled, (text) => {
        expect(errorOf(text) ?? '').not.toMatch(/unknown|deeply/);
      }),
      { numRuns: 3_000 },
    );
  });
});

function errorOf(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    const { line, sentence } = findJsonFault(text);
    return `${line}: ${sentence}`;
  }
}
