import { compileColumnRule, type Notation, type ReadCell } from './column-rule.ts';
import type { DealsColumn } from './deals-column.ts';
import type { ColumnSettings } from './feed-settings.ts';

/** The column, or attribute, that fills a field. */
export interface FieldColumn {
  readonly field: DealsColumn;
  readonly column: string;
  readonly read: ReadCell;
}

/** Compiles what the configuration says of each field: the name of a column, or a rule for it. */
export function compileColumns(settings: ColumnSettings, notation: Notation): readonly FieldColumn[] {
  return (Object.entries(settings) as [DealsColumn, ColumnSettings[DealsColumn]][]).flatMap(([field, setting]) => {
    if (setting === undefined) return [];
    const rule =
      typeof setting === 'string' ? { column: setting, strip: [], unit: 'GB' as const, values: {} } : setting;
    return [{ field, column: rule.column, read: compileColumnRule(field, rule, notation) }];
  });
}

/** What the file calls each field that has a column of its own. */
export function namesOf(columns: readonly FieldColumn[]): Readonly<Partial<Record<DealsColumn, string>>> {
  return Object.fromEntries(columns.map(({ field, column }) => [field, column]));
}
