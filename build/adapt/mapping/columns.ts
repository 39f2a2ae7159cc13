import type { FeedField } from '../deal/fields.ts';
import { compileColumnRule, suggestRule, type ColumnRule, type Notation, type ReadColumn } from './column-rule.ts';
import type { ColumnSettings } from './feed-settings.ts';
import { parseJoinedText, type JoinedText } from './placeholders.ts';

/** The columns, or attributes, that fill a field. */
export interface FieldColumn {
  readonly field: FeedField;
  readonly text: JoinedText;
  /** As the configuration spells them. */
  readonly column: string;
  readonly read: ReadColumn;
  /** The remedy for a value that cannot be read. */
  suggest(found: string): string;
}

/**
 * Compiles the columns, or the rule for them, of each field.
 *
 * @param section the setting that has them
 */
export function compileColumns(
  section: 'columns' | 'mapping',
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
        suggest: (found) => suggestRule(section, field, rule, notation, found),
      },
    ];
  });
}

/** The name of each field in the file. */
export function columnNames(columns: readonly FieldColumn[]): Readonly<Partial<Record<FeedField, string>>> {
  return Object.fromEntries(columns.map(({ field, column }) => [field, column]));
}

/** The remedy for a value that cannot be read, by field. */
export function columnSuggestions(
  columns: readonly FieldColumn[],
): (field: FeedField, found: string) => string | undefined {
  return (field, found) => columns.find((column) => column.field === field)?.suggest(found);
}
