import { compareCodeUnits } from '../../data/record/id.ts';
import type { FieldCount } from '../../data/report/report.ts';

/** Counts the records of a source that fill a field (INPUTS "A field that is gone"), excluded ones too. */
export class FieldCounts {
  readonly #counts = new Map<string, { name: string; filled: number; records: number }>();

  /** @param name what the file calls a field that is filled */
  count(field: string, isFilled: boolean, name = field): void {
    let count = this.#counts.get(field);
    if (count === undefined) {
      count = { name: field, filled: 0, records: 0 };
      this.#counts.set(field, count);
    }
    count.records++;
    if (!isFilled) return;
    count.filled++;
    count.name = name;
  }

  /** Every counted field, filled or not, sorted by name. */
  list(): readonly FieldCount[] {
    return [...this.#counts]
      .map(([field, { name, ...count }]) => (name === field ? { field, ...count } : { field, name, ...count }))
      .sort((a, b) => compareCodeUnits(a.field, b.field));
  }
}
