import type { FeedField } from '../deal/fields.ts';
import { compileColumnRule, suggestRule, type ColumnRule, type Notation, type ReadCell } from './column-rule.ts';
import type { ColumnSettings } from './feed-settings.ts';
import { parseJoinedText, type JoinedText } from './placeholders.ts';

/** The columns, or attributes, that fill a field. */
export interface FieldColumn {
  readonly field: FeedField;
  readonly text: JoinedText;
  /** As the configuration writes them. */
  readonly column: string;
  readonly read: ReadCell;
  /** What the configuration may say of a cell that cannot be read. */
  suggest(found: string): string;
}

/**
 * Compiles what the configuration says of each field: columns, or a rule for them.
 *
 * @param place the setting that says it
 */
export function compileColumns(
  place: 'columns' | 'mapping',
  settings: ColumnSettings,
  notation: Notation,
): readonly FieldColumn[] {
  return (Object.entries(settings) as [FeedField, ColumnSettings[FeedField]][]).flatMap(([field, setting]) => {
    if (setting === undefined) return [];
    const rule: ColumnRule =
      typeof setting === 'string' ? { column: setting, strip: [], unit: 'GB' as const, values: {} } : setting;
    const text = parseJoinedText(rule.column);
    if (text === undefined) throw new Error(`column ${rule.column}: expected braces that fit`);
    return [
      {
        field,
        text,
        column: rule.column,
        read: compileColumnRule(field, rule, notation),
        suggest: (found) => suggestRule(place, field, rule, notation, found),
      },
    ];
  });
}

/** What the file calls each field that has a column of its own. */
export function columnNames(columns: readonly FieldColumn[]): Readonly<Partial<Record<FeedField, string>>> {
  return Object.fromEntries(columns.map(({ field, column }) => [field, column]));
}

/** What to do about a cell that cannot be read, by its field. */
export function columnSuggestions(
  columns: readonly FieldColumn[],
): (field: FeedField, found: string) => string | undefined {
  return (field, found) => columns.find((column) => column.field === field)?.suggest(found);
}
