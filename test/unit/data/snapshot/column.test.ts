import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allocateValues,
  ColumnArena,
  columnByteLength,
  NumberColumnBuilder,
  rowAt,
  TextColumnBuilder,
} from '../../../../data/snapshot/column.ts';

describe('a column of numbers', () => {
  it.each([
    [0, 1],
    [255, 1],
    [256, 2],
    [65_535, 2],
    [65_536, 4],
    [0xffff_ffff, 4],
  ])('up to %d takes %d bytes a row', (max, bytes) => {
    expect(allocateValues(1, max).BYTES_PER_ELEMENT).toBe(bytes);
    const builder = new NumberColumnBuilder<'deal'>('rank', max, allocateValues(1, max));
    builder.append([max]);
    const column = builder.finish();
    expect([column.at(rowAt(0)), column.byteLength, column.rowCount]).toEqual([max, bytes, 1]);
  });

  it.each([-1, 256, 0.5, Number.NaN, Infinity, 2 ** 32])('refuses %s, which would wrap', (value) => {
    const builder = new NumberColumnBuilder<'deal'>('plan', 255, allocateValues(8, 255));
    builder.append([7]);
    const fault = new RangeError(`column plan, row 2: expected 0 to 255, got ${value}`);
    expect(() => builder.append([8, value])).toThrow(fault);
    expect(builder.finish().rowCount).toBe(1);
  });

  it('refuses to repeat what would wrap', () => {
    const builder = new NumberColumnBuilder<'deal'>('product', 3, allocateValues(8, 3));
    expect(() => builder.appendRepeated(4, 2)).toThrow(new RangeError('column product, row 0: expected 0 to 3, got 4'));
  });

  it('of an empty dictionary refuses every number', () => {
    expect(() => new NumberColumnBuilder<'deal'>('plan', -1, allocateValues(1, -1)).append([0])).toThrow(RangeError);
  });

  it('gives back what was added, in room for more', () => {
    const builder = new NumberColumnBuilder<'deal'>('rank', 70_000, allocateValues(8, 70_000));
    builder.append([7, 70_000]);
    builder.appendRepeated(3, 2);
    expect([...builder.finish().values]).toEqual([7, 70_000, 3, 3]);
  });
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

it('a column of texts gives back what was added, byte for byte', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.string({ unit: 'grapheme', maxLength: 50 }))), (lines) => {
      const texts = lines.flat();
      const room = Buffer.alloc(Buffer.byteLength(texts.join('')) + 3);
      const builder = new TextColumnBuilder<'deal'>(room, new Uint32Array(texts.length + 4));
      for (const line of lines) builder.append(line);
      const column = builder.finish();
      expect(texts.map((_text, position) => column.at(rowAt(position)))).toEqual(texts);
    }),
    { seed: 1 },
  );
});
