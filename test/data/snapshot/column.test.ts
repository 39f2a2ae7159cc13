import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCells, NumberColumnBuilder, TextColumnBuilder } from '../../../data/snapshot/column.ts';
import { rowAt } from '../../../data/snapshot/row.ts';

describe('a column of numbers', () => {
  it.each([
    [0, 1],
    [255, 1],
    [256, 2],
    [65_535, 2],
    [65_536, 4],
    [0xffff_ffff, 4],
  ])('up to %d takes %d bytes a row', (max, bytes) => {
    expect(createCells(1, max).BYTES_PER_ELEMENT).toBe(bytes);
    const builder = new NumberColumnBuilder<'deal'>('rank', max);
    builder.push(max);
    const column = builder.finish();
    expect([column.at(rowAt(0)), column.byteLength, column.rowCount]).toEqual([max, bytes, 1]);
  });

  it.each([-1, 256, 0.5, Number.NaN, Infinity, 2 ** 32])('refuses %s, which would wrap', (value) => {
    const builder = new NumberColumnBuilder<'deal'>('plan', 255);
    builder.push(7);
    expect(() => builder.push(value)).toThrow(new RangeError(`column plan, row 1: expected 0 to 255, got ${value}`));
  });

  it('of an empty dictionary refuses every number', () => {
    expect(() => new NumberColumnBuilder<'deal'>('plan', -1).push(0)).toThrow(RangeError);
  });

  it('gives back what was pushed, however many there were', () => {
    for (const count of [0, 1, 1_023, 1_024, 1_025, 5_000]) {
      const builder = new NumberColumnBuilder<'deal'>('rank', 70_000);
      for (let i = 0; i < count; i++) builder.push((i * 37) % 70_001);
      const column = builder.finish();
      expect(column.rowCount).toBe(count);
      for (let i = 0; i < count; i++) expect(column.at(rowAt(i))).toBe((i * 37) % 70_001);
    }
  });
});

describe('a column of texts', () => {
  it('gives back what was pushed, byte for byte', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 50 }), { maxLength: 50 }), (texts) => {
        const builder = new TextColumnBuilder<'deal'>();
        for (const text of texts) builder.push(text);
        const column = builder.finish();
        expect(texts.map((_text, position) => column.at(rowAt(position)))).toEqual(texts);
      }),
      { seed: 1 },
    );
  });

  it('grows beyond its first run, also by one long text', () => {
    const texts = [...Array.from({ length: 3_000 }, (_, i) => `link-${i}`), '📱'.repeat(50_000), ''];
    const builder = new TextColumnBuilder<'deal'>();
    for (const text of texts) builder.push(text);
    const column = builder.finish();
    expect(texts.every((text, position) => column.at(rowAt(position)) === text)).toBe(true);
  });

  it('may be empty', () => {
    expect(new TextColumnBuilder<'deal'>().finish().byteLength).toBe(4);
  });
});
