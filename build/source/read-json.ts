import { findJsonExcess, type JsonBounds, type JsonExcess } from './json-bounds.ts';
import { findJsonFault } from './json-fault.ts';
import type { OpenedFile } from './open-file.ts';
import { SourceError } from './source-error.ts';
import { readTextLines } from './text-lines.ts';

/** No export comes near them. */
const BOUNDS: JsonBounds = { containers: 3_000_000, items: 15_000_000 };

const LINE_FEED = 0x0a;

/**
 * The value of a JSON file, which is held in memory whole.
 *
 * @throws {SourceError} `source-malformed` with line and column when it is not JSON, `source-too-large` when it is made of
 * more values than any export.
 */
export async function readJson(file: OpenedFile): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of readTextLines(file, Infinity)) chunks.push(chunk);
  const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
  chunks.length = 0;
  const excess = findJsonExcess(bytes, BOUNDS);
  if (excess !== undefined) throw excessive(file, bytes, excess);
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const fault = findJsonFault(text);
    if (fault === undefined) throw cause;
    throw new SourceError({
      code: 'source-malformed',
      source: file.source,
      file: file.path,
      line: fault.line,
      message: `${file.path}:${fault.line}:${fault.column}: expected ${fault.expected}, got ${fault.found}`,
      cause,
    });
  }
}

function excessive(file: OpenedFile, bytes: Buffer, { bound, offset }: JsonExcess): SourceError {
  const line = countLines(bytes, offset);
  const most = BOUNDS[bound];
  const expected = {
    containers: `at most ${most} objects and lists`,
    items: `at most ${most} values`,
  } satisfies Record<keyof JsonBounds, string>;
  return new SourceError({
    code: 'source-too-large',
    source: file.source,
    file: file.path,
    line,
    message: `${file.path}:${line}: expected ${expected[bound]}, got more; check that it is an export of the site`,
  });
}

/** The line of an offset, 1-based. */
function countLines(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1 && at < offset; at = bytes.indexOf(LINE_FEED, at + 1)) line++;
  return line;
}
