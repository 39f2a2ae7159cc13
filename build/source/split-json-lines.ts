export interface JsonLine {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

/** The lines of an NDJSON file that hold anything, in batches, from its text lines. */
export async function* splitJsonLines(lines: AsyncIterable<Buffer>): AsyncGenerator<readonly JsonLine[]> {
  let line = 0;
  for await (const chunk of lines) {
    const batch: JsonLine[] = [];
    const texts = chunk.toString('utf8').split('\n');
    if (texts.at(-1) === '') texts.pop();
    for (const text of texts) {
      line++;
      if (text.trim() !== '') batch.push({ line, text });
    }
    if (batch.length > 0) yield batch;
  }
}
