import type { Notice } from '../../data/report/notice.ts';
import { createSourceError, sourceMalformed } from './errors.ts';
import { findNearestName, type UsualNames } from './nearest-name.ts';
import { noticeAt } from './notice-at.ts';
import type { OpenedFile } from './open-file.ts';
import { findDelimiter, type Delimiter } from './parse-csv.ts';
import { quote } from './quote.ts';
import type { SourceLocation } from './record.ts';

/** The names of the columns of a table. */
export interface TableHeader {
  readonly file: OpenedFile;
  readonly line: number;
  readonly names: readonly string[];
}

/**
 * The position of each column that `columnOf` knows.
 *
 * @throws {SourceError} `source-malformed` for a repeated column
 */
export function findPositions<Column extends string>(
  { file, line, names }: TableHeader,
  columnOf: (name: string) => Column | undefined,
): ReadonlyMap<Column, number> {
  const positions = new Map<Column, number>();
  for (const [position, name] of names.entries()) {
    const column = columnOf(name);
    if (column !== undefined && positions.has(column)) {
      throw sourceMalformed(file, line, `expected the column ${quote(column)} once, got it twice`);
    }
    if (column !== undefined) positions.set(column, position);
  }
  return positions;
}

/**
 * Checks that a header has the columns that are needed.
 *
 * @param needed of each, one is needed
 * @param has whether the header has a column
 * @throws {SourceError} `missing-column` with all that are missing, each with the unread column that may be it
 */
export function checkColumns(
  { file, line, names }: TableHeader,
  needed: readonly (readonly string[])[],
  has: (column: string) => boolean,
  options: {
    readonly remedy: string;
    /** The columns that are not read, among which a missing one may be. */
    readonly unread?: readonly string[];
    readonly usualNames?: UsualNames;
    /** The delimiter by which the header was split, and what to do where it has another. */
    readonly delimiter?: readonly [sign: Delimiter, remedyFor: (other: Delimiter) => string];
  },
): void {
  const missing = needed.filter((alternatives) => !alternatives.some(has));
  if (missing.length === 0) return;
  const { remedy, unread = [], usualNames, delimiter } = options;
  const [whole = ''] = names;
  const other = findDelimiter(whole);
  // With another delimiter one name is the whole header.
  if (delimiter !== undefined && names.length === 1 && whole.includes(other) && other !== delimiter[0]) {
    const sentence = `expected columns with ${quote(delimiter[0])} between them, got ${quote(other)}; ${delimiter[1](other)}`;
    throw createSourceError('missing-column', file, line, sentence);
  }
  const described = missing.map((alternatives) => {
    const [first = ''] = alternatives;
    const nearest = alternatives.length > 1 ? undefined : findNearestName(first, unread, usualNames);
    const hint = nearest === undefined ? '' : ` (perhaps ${quote(nearest)})`;
    return alternatives.map((name) => quote(name)).join(' or ') + hint;
  });
  const found = quote(names.join(delimiter?.[0] ?? ','));
  throw createSourceError(
    'missing-column',
    file,
    line,
    `expected the columns ${[...new Set(described)].join(', ')}, got ${found}; ${remedy}`,
  );
}

/** The notice of a column that is not read. */
export function unknownColumn(
  location: SourceLocation,
  name: string,
  nearest: string | undefined,
  expected?: string,
): Notice {
  return noticeAt(location, {
    code: 'unknown-column',
    field: name.slice(0, 80),
    ...(nearest === undefined
      ? expected !== undefined && { expected }
      : { expected: `perhaps ${nearest}`, remedy: `if it should be read, call it ${quote(nearest)}` }),
  });
}
