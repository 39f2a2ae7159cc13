import { expect, it } from 'vitest';
import { ColumnArena, columnByteLength } from '../../../../data/snapshot/deal-columns.ts';

it('the columns of a snapshot have the narrowest width for their numbers, beside each other in one memory', () => {
  const limits = [0, 255, 256, 65_535, 65_536, 0xffff_ffff, 3];
  const byteLength = limits.reduce((sum, max) => sum + columnByteLength(5, max), 0);
  const space = new ColumnArena(byteLength + 7);
  const columns = limits.map((max) => space.allocateValues(5, max).fill(max));
  const bytes = space.allocateBytes(7).fill(1);
  expect(columns.map((cells) => cells.BYTES_PER_ELEMENT)).toEqual([1, 1, 2, 2, 4, 4, 1]);
  expect(columns.map((cells) => Array.from(cells))).toEqual(limits.map((max) => Array.from({ length: 5 }, () => max)));
  expect([...bytes]).toEqual([1, 1, 1, 1, 1, 1, 1]);
  expect(() => space.allocateBytes(1)).toThrow(RangeError);
});
