import { createSourceError } from '../../source/errors.ts';
import type { OpenedFile } from '../../source/open-file.ts';
import { findDelimiter } from '../../source/parse-csv.ts';
import { quote } from '../../source/quote.ts';
import type { ReadResult } from '../../source/record.ts';
import {
  attributeName,
  isStructuredAttribute,
  STRUCTURED_ATTRIBUTES,
  type GoogleRecord,
  type GoogleValues,
} from './google-item.ts';
import { readTable } from './read-table.ts';

/** Without these columns no row could become a deal. */
export const REQUIRED_ATTRIBUTES = ['id', 'title', 'link', 'price'];

/**
 * Reads a table whose header names the attributes. The header also tells the delimiter.
 *
 * @throws {SourceError} `missing-column`, or when the file cannot be read to its end.
 */
export function readGoogleTable(
  file: OpenedFile,
  first: Buffer,
  lines: AsyncIterable<Buffer>,
  required: readonly string[],
  readRecord: (record: GoogleRecord) => ReadResult,
): AsyncGenerator<readonly ReadResult[]> {
  return readTable(
    file,
    lines,
    {
      readHeader: (names, line) => readHeader(file, names, line, required),
      readRow: (cells, names, line) => readRecord({ kind: 'item', line, values: readValues(cells, names) }),
    },
    { delimiter: findDelimiter(first.toString('utf8').split('\n', 1)[0] ?? '') },
  );
}

/** The attribute of every column; `subscription_cost(period:period_length:amount)` lists its sub-attributes. */
function readHeader(
  file: OpenedFile,
  names: readonly string[],
  line: number,
  required: readonly string[],
): readonly string[] {
  const attributes = names.map((name) => {
    const [, bare = name, order] = /^([^(]*)\(([^)]*)\)$/.exec(name) ?? [];
    const attribute = attributeName(bare);
    const parts = isStructuredAttribute(attribute) ? STRUCTURED_ATTRIBUTES[attribute] : undefined;
    const given = order?.split(':').map(attributeName);
    if (parts !== undefined && given !== undefined && given.some((part, index) => part !== parts[index])) {
      const sentence = `expected ${attribute}(${parts.join(':')}), got ${quote(name)}`;
      throw createSourceError('source-malformed', file, line, sentence);
    }
    return attribute;
  });
  const missing = [...REQUIRED_ATTRIBUTES, ...required].filter((name) => !attributes.includes(name));
  if (missing.length === 0) return attributes;
  const expected = `expected the columns ${missing.join(', ')}, got ${quote(names.join(','))}`;
  throw createSourceError('missing-column', file, line, `${expected}; ask the feed for them, or map other columns`);
}

function readValues(cells: readonly string[], names: readonly string[]): GoogleValues {
  const values = new Map<string, string[]>();
  for (const [position, name] of names.entries()) {
    const cell = cells[position] ?? '';
    const others = values.get(name);
    if (others === undefined) values.set(name, [cell]);
    else others.push(cell);
  }
  return values;
}
