import { describe, expect, it } from 'vitest';
import { allocateValues, ColumnArena, columnByteLength } from '../../../../data/snapshot/column.ts';

it.each([
  [0, 1],
  [255, 1],
  [256, 2],
  [65_535, 2],
  [65_536, 4],
  [0xffff_ffff, 4],
])('a column of numbers up to %d takes %d bytes a row', (max, bytes) => {
  expect(allocateValues(1, max).BYTES_PER_ELEMENT).toBe(bytes);
});

describe('the space of the columns of a snapshot', () => {
  it('holds columns of all widths beside each other', () => {
    const limits = [255, 65_535, 0xffff_ffff, 3, 70_000];
    const byteLength = limits.reduce((sum, max) => sum + columnByteLength(5, max), 0);
    const space = new ColumnArena(byteLength + 7);
    const columns = limits.map((max) => space.allocateValues(5, max).fill(max));
    const bytes = space.allocateBytes(7).fill(1);
    expect(columns.map((cells) => cells.BYTES_PER_ELEMENT)).toEqual([1, 2, 4, 1, 4]);
    expect(columns.map((cells) => Array.from(cells))).toEqual(
      limits.map((max) => Array.from({ length: 5 }, () => max)),
    );
    expect([...bytes]).toEqual([1, 1, 1, 1, 1, 1, 1]);
    expect(() => space.allocateBytes(1)).toThrow(RangeError);
  });
});
