import { describe, expect, it } from 'vitest';
import { findExceededJsonLimit } from '../../../../build/source/json.ts';

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
