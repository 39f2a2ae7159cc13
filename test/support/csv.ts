/** A CSV file with a header, quoted only where it must be (RFC 4180), lines ended by a line feed. */
export function formatCsv<Column extends string>(
  columns: readonly Column[],
  rows: readonly Readonly<Partial<Record<Column, string>>>[],
  delimiter = ',',
): string {
  const cells = rows.map((row) => columns.map((column) => quote(row[column] ?? '', delimiter)));
  const lines = [columns, ...cells].map((line) => line.join(delimiter));
  return `${lines.join('\n')}\n`;
}

/** The line on which the row at `position` begins; the header is line 1. */
export function lineOf(position: number): number {
  return position + 2;
}

function quote(cell: string, delimiter: string): string {
  return cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
