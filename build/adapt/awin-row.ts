import type { AwinColumn } from './awin-column.ts';
import { cleanText } from './clean-text.ts';

/** A row of an Awin download: cells by name, texts repaired, JSON parsed when it is asked for. */
export class AwinRow {
  /** The first cell that was asked for as JSON and is none. */
  brokenJson: { readonly column: AwinColumn; readonly found: string } | undefined;
  readonly #parsed = new Map<AwinColumn, unknown>();
  readonly #cells: readonly string[];
  readonly #positions: ReadonlyMap<AwinColumn, number>;

  constructor(cells: readonly string[], positions: ReadonlyMap<AwinColumn, number>) {
    this.#cells = cells;
    this.#positions = positions;
  }

  /** The text of a cell; undefined when it is blank, or says `null`, or the download has no such column. */
  text(column: AwinColumn): string | undefined {
    return cleanText(this.#cell(column));
  }

  /** The value of a JSON cell; undefined when the cell is blank or broken. */
  json(column: AwinColumn): unknown {
    if (!this.#parsed.has(column)) this.#parsed.set(column, this.#parse(column));
    return this.#parsed.get(column);
  }

  #parse(column: AwinColumn): unknown {
    const text = this.#cell(column).trim();
    if (text === '') return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      this.brokenJson ??= { column, found: text };
      return undefined;
    }
  }

  #cell(column: AwinColumn): string {
    const position = this.#positions.get(column);
    return position === undefined ? '' : (this.#cells[position] ?? '');
  }
}

/**
 * The text at `path` in a JSON value; undefined when it is blank or not there. Values are texts, and numbers after a
 * re-export.
 */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  let inner = value;
  for (const key of path) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, key)) return undefined;
    inner = (inner as Record<string, unknown>)[key];
  }
  return typeof inner === 'string' || typeof inner === 'number' ? cleanText(String(inner)) : undefined;
}
