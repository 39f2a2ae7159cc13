import { assert, constantFrom, json, nat, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findExcessValue, findJsonFault } from '../../../../build/source/json.ts';

describe('the number of values of a JSON text, where an object or list counts as five', () => {
  it.each([
    ['[[{}]]', undefined],
    ['[[{}],[]]', 5],
    ['[1,2,3]', undefined],
    ['[1,2,3,4,5,6,7,8,9,10,11,12]', 24],
    ['["[[[[,,,,{{{{"]', undefined],
    ['["\\"[[[[,,,,", "\\\\"]', undefined],
    ['["\\\\",[],[],[]]', 9],
    ['["never closed [[[[', undefined],
    ['["never closed \\', undefined],
    ['', undefined],
  ])('%s', (text, offset) => {
    expect(findExcessValue(Buffer.from(text), 15)).toBe(offset);
  });
});

describe('the first error of a text that is not JSON', () => {
  it.each([
    ['{"a": x}', '1:7: expected a value, or a key in double quotes, got "x"'],
    ['{"a": 1\n "b": 2}', '2:2: expected a comma, or the end of the object or list, got "\\"b\\""'],
    ['[1, 2', '1:6: expected the end of the list, "]", got the end of the file'],
    ['[1,]', '1:4: expected a value, got "]"'],
    ['{"a": 1,}', '1:9: expected a key in double quotes, got "}"'],
    ['{"a" 1}', '1:6: expected ":", got "1"'],
    ["{'a': 1}", '1:2: expected a value, or a key in double quotes, got "\'a\'"'],
    ['{} {}', '1:4: expected the end of the file, got "{"'],
    ['"a\nb"', '1:1: expected a text that ends on its line, in double quotes, got "\\"a"'],
    ['"\\x"', '1:1: expected the escapes of JSON, got "\\"\\\\x\\""'],
    ['01', '1:2: expected the end of the file, got "1"'],
    ['tru', '1:1: expected a value, or a key in double quotes, got "tru"'],
    ['[1] // x', '1:5: expected JSON without comments, got "// x"'],
    ['['.repeat(100_000), '1:1: expected JSON that nests less deeply'],
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
        expect(errorOf(text) ?? '').not.toMatch(/undefined|deeply/);
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
    const { line, column, sentence } = findJsonFault(text);
    return `${line}:${column}: ${sentence}`;
  }
}
