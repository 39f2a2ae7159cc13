/** A number, a share, or nothing. */
const NUMERIC_CELL = /^(?:[0-9]+(?:\.[0-9]+%)?)?$/;

/** Lays rows out in columns as wide as their widest cell. Columns of numbers stand to the right. */
export function formatTable(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = [header, ...rows];
  const columns = header.map((_, column) => ({
    width: Math.max(...lines.map((line) => String(line[column]).length)),
    isNumeric: rows.every((row) => NUMERIC_CELL.test(String(row[column]))),
  }));
  return lines
    .map((line) =>
      columns
        .map(({ width, isNumeric }, column) => {
          const cell = String(line[column]);
          return isNumeric ? cell.padStart(width) : cell.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}
