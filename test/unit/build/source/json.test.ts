import { assert, constantFrom, json, nat, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findExceededJsonLimit, findJsonSyntaxError } from '../../../../build/source/json.ts';

const find = (text: string) => findExceededJsonLimit(Buffer.from(text), { containers: 3, items: 2 });

describe('the bounds of a JSON text', () => {
  it.each([
    ['[[{}]]', undefined],
    ['[[{}],[]]', { bound: 'containers', offset: 6 }],
    ['[1,2,3]', undefined],
    ['[1,2,3,4]', { bound: 'items', offset: 6 }],
    ['["[[[[,,,,{{{{"]', undefined],
    ['["\\"[[[[,,,,", "\\\\"]', undefined],
    ['["\\\\",[],[],[]]', { bound: 'items', offset: 11 }],
    ['["never closed [[[[', undefined],
    ['["never closed \\', undefined],
    ['', undefined],
  ])('%s', (text, excess) => {
    expect(find(text)).toEqual(excess);
  });
});

describe('the first fault of a text that is not JSON', () => {
  it.each([
    ['{"a": x}', 1, 7, 'a value', '"x"'],
    ['{"a": 1\n "b": 2}', 2, 2, '"," or "}"', '"\\""'],
    ['[1, 2', 1, 6, '"," or "]"', 'the end of the file'],
    ['[1,]', 1, 4, 'a value', '"]"'],
    ['{"a" 1}', 1, 6, '":"', '"1"'],
    ["{'a': 1}", 1, 2, 'a key in double quotes', '"\'"'],
    ['{} {}', 1, 4, 'the end of the file', '"{"'],
    ['"a\nb"', 1, 3, 'the end of the text that begins on this line, or an escape', '"\\n"'],
    ['"\\x"', 1, 2, 'an escape of JSON', '"\\\\"'],
    ['"abc', 1, 5, 'a double quote', 'the end of the file'],
    ['01', 1, 2, 'the end of the file', '"1"'],
    ['tru', 1, 1, 'a value', '"t"'],
  ])('of %j is at %i:%i', (text, line, column, expected, found) => {
    expect(findJsonSyntaxError(text)).toEqual({ line, column, expected, found });
  });

  it('is found in exactly the texts that JSON.parse refuses', () => {
    const mangled = tuple(json(), nat(), constantFrom('', ',', '"', '}', ']', '{', '\\', '0', '-', 'e', '\n', ':')).map(
      ([text, at, insert]) => {
        const cut = at % (text.length + 1);
        return text.slice(0, cut) + insert + text.slice(cut + (at % 2));
      },
    );
    assert(
      property(mangled, (text) => {
        expect(findJsonSyntaxError(text) === undefined).toBe(isJson(text));
      }),
      { numRuns: 3_000 },
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
