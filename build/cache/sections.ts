/** How much of a section of JSON is text at a time. */
export const CHUNK_BYTES = 1 << 20;

/** Writes sections, one after the other. */
export abstract class SectionWriter {
  numbers(values: Uint32Array): void {
    this.bytes(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  }

  bytes(bytes: Uint8Array): void {
    this.section([bytes]);
  }

  /** Writes each value as a line of JSON, so that only a part of them is text at a time. */
  values(values: Iterable<unknown>): void {
    this.section(encodeJsonLines(values));
  }

  protected abstract section(pieces: Iterable<Uint8Array>): void;
}

function* encodeJsonLines(values: Iterable<unknown>): Generator<Buffer> {
  let waiting = '';
  for (const value of values) {
    waiting += `${JSON.stringify(value)}\n`;
    if (waiting.length < CHUNK_BYTES) continue;
    yield Buffer.from(waiting);
    waiting = '';
  }
  yield Buffer.from(waiting);
}

/** Reads sections in the order in which they were written. */
export abstract class SectionReader {
  /** The bytes of a section; they belong to the caller, and begin an `ArrayBuffer` of their own. */
  abstract bytes(): Buffer;

  numbers(): Uint32Array {
    const { buffer, byteLength } = this.bytes();
    return new Uint32Array(buffer, 0, byteLength / 4);
  }

  *values(): Generator {
    let rest: Buffer = Buffer.alloc(0);
    for (const piece of this.pieces()) {
      let start = 0;
      const lines = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
      for (let end = lines.indexOf(LINE_FEED); end !== -1; end = lines.indexOf(LINE_FEED, start)) {
        yield JSON.parse(lines.toString('utf8', start, end)) as unknown;
        start = end + 1;
      }
      rest = lines.subarray(start);
    }
  }

  /** The bytes of a section, in parts. */
  protected abstract pieces(): Iterable<Buffer>;
}

const LINE_FEED = 0x0a;

/** Writes sections into memory, each into an `ArrayBuffer` that can be handed to another thread. */
export class MemoryWriter extends SectionWriter {
  readonly sections: ArrayBuffer[] = [];

  protected override section(pieces: Iterable<Uint8Array>): void {
    const parts = [...pieces];
    const section = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    let end = 0;
    for (const part of parts) {
      section.set(part, end);
      end += part.length;
    }
    this.sections.push(section.buffer);
  }
}

export class MemoryReader extends SectionReader {
  readonly #sections: Iterator<ArrayBuffer>;

  constructor(sections: readonly ArrayBuffer[]) {
    super();
    this.#sections = sections.values();
  }

  override bytes(): Buffer {
    const { done, value } = this.#sections.next();
    if (done === true) throw new Error('expected another section');
    return Buffer.from(value);
  }

  protected override pieces(): Iterable<Buffer> {
    return [this.bytes()];
  }
}
