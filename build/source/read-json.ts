import { findJsonFault } from './json-fault.ts';
import type { OpenedFile } from './open-file.ts';
import { SourceError } from './source-error.ts';
import { readTextLines } from './text-lines.ts';

/**
 * The value of a JSON file, which is held in memory whole.
 *
 * @throws {SourceError} `source-malformed` with line and column when it is not JSON.
 */
export async function readJson(file: OpenedFile): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of readTextLines(file, Infinity)) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
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
