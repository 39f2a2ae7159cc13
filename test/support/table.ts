import { readFileSync } from 'node:fs';

/**
 * The rows of a data file with a row of JSON on each line.
 *
 * @param base `import.meta.url` of the test, to which `path` is relative
 */
export function readTable<Row>(base: string, path: string): Row[] {
  const lines = readFileSync(new URL(path, base), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Row);
}
