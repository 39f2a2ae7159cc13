import type { OpenedFile } from './open-file.ts';
import type { FormatCheck } from './other-file.ts';
import { brokenOff } from './source-error.ts';

export interface JsonLine {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

/**
 * The lines of an NDJSON file that hold anything, in batches, from its text lines. `check` has taken those before.
 *
 * @throws {SourceError} `source-malformed` when the last line has no line end and is not JSON: the file breaks off in it
 */
export async function* splitJsonLines(
  file: OpenedFile,
  lines: AsyncIterable<Buffer>,
  check?: FormatCheck,
): AsyncGenerator<readonly JsonLine[]> {
  let line = 0;
  for await (const chunk of lines) {
    const batch: JsonLine[] = [];
    const texts = chunk.toString('utf8').split('\n');
    const open = texts.at(-1) ?? '';
    if (open === '') texts.pop();
    for (const text of texts) {
      line++;
      if (text.trim() !== '') batch.push({ line, text });
    }
    if (open.trim() !== '' && !isJson(open)) {
      check?.finish();
      throw brokenOff(file, line, 'a line of JSON to its end');
    }
    if (batch.length > 0) yield batch;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
