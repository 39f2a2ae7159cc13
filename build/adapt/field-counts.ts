import { compareCodeUnits } from '../../data/record/code-unit.ts';
import type { FieldCount } from '../../data/report/summary.ts';
import { DEALS_COLUMNS, type DealsColumn } from './deals-column.ts';

interface CountedFields {
  /** Undefined when the file has nothing for the field. */
  cell(field: DealsColumn): object | undefined;
  /** The same question, where it can be answered without reading the field. */
  isFilled?(field: DealsColumn): boolean;
  nameOf(field: DealsColumn): string;
}

/**
 * Counts the records of a source that have something in a field (INPUTS "A field that is gone"), served or left out: a
 * column that only sold-out deals fill is missed as much as any.
 */
export class FieldCounts {
  readonly #deals = new Uint32Array(DEALS_COLUMNS.length);
  readonly #dealNames = new Map<DealsColumn, string>();
  readonly #others = new Map<string, { filled: number; records: number }>();
  #dealCount = 0;

  /** Counts the fields of our own feed in a deal, wherever its format has them. */
  countDeal(fields: CountedFields): void {
    this.#dealCount++;
    for (let i = 0; i < DEALS_COLUMNS.length; i++) {
      const field = DEALS_COLUMNS[i] as DealsColumn;
      const isFilled = fields.isFilled?.(field) ?? fields.cell(field) !== undefined;
      if (!isFilled) continue;
      if (this.#deals[i] === 0) this.#dealNames.set(field, fields.nameOf(field));
      (this.#deals[i] as number)++;
    }
  }

  /** Counts a field of a format that our own feed does not have. */
  count(field: string, isFilled: boolean): void {
    let count = this.#others.get(field);
    if (count === undefined) {
      count = { filled: 0, records: 0 };
      this.#others.set(field, count);
    }
    count.records++;
    if (isFilled) count.filled++;
  }

  /** Adds what was counted in another file of the source. */
  addAll(counts: readonly FieldCount[]): void {
    for (const { field, filled, records } of counts) {
      const { filled: filledBefore, records: recordsBefore } = this.#others.get(field) ?? { filled: 0, records: 0 };
      this.#others.set(field, { filled: filledBefore + filled, records: recordsBefore + records });
    }
  }

  /** Every field that was counted, filled or not, by code unit. */
  list(): readonly FieldCount[] {
    const deals = this.#dealCount === 0 ? [] : DEALS_COLUMNS.map((field, i) => this.#listDeal(field, i));
    const others = [...this.#others].map(([field, count]) => ({ field, ...count }));
    return [...deals, ...others].sort((a, b) => compareCodeUnits(a.field, b.field));
  }

  #listDeal(field: DealsColumn, i: number): FieldCount {
    const name = this.#dealNames.get(field) ?? field;
    const count = { filled: this.#deals[i] as number, records: this.#dealCount };
    return name === field ? { field, ...count } : { field, name, ...count };
  }
}
