import { describe, expect, it } from 'vitest';
import { matchesTag } from '../../../../server/http/encoding.ts';

describe('If-None-Match (D18, RFC 9110 §13.1.2)', () => {
  it.each<[string | undefined, boolean]>([
    [undefined, false],
    ['', false],
    ['*', true],
    [' * ', true],
    ['"abc"', true],
    ['W/"abc"', true],
    ['"x", "abc"', true],
    ['"x",W/"abc","y"', true],
    ['"x"', false],
    ['abc', false],
    ['"ABC"', false],
    ['"abc', false],
    ['w/"abc"', false],
    ['"*"', false],
  ])('%j against "abc" is %s', (header, matches) => {
    expect(matchesTag(header, '"abc"')).toBe(matches);
  });
});
