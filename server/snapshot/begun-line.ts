/**
 * The beginning of a line, copied out of the chunks before. It is kept in one run of memory: while V8 is marking, as it
 * does when a snapshot is loaded, each further allocation of bytes may cost 10 ms of it.
 */
export class BegunLine {
  #bytes = Buffer.allocUnsafeSlow(512 * 1024);
  #byteLength = 0;

  get isEmpty(): boolean {
    return this.#byteLength === 0;
  }

  add(part: Buffer): void {
    const byteLength = this.#byteLength + part.length;
    if (byteLength > this.#bytes.length) {
      const wider = Buffer.allocUnsafeSlow(byteLength * 2);
      this.#bytes.copy(wider, 0, 0, this.#byteLength);
      this.#bytes = wider;
    }
    part.copy(this.#bytes, this.#byteLength);
    this.#byteLength = byteLength;
  }

  /** The whole line, which lasts until another is begun. */
  finish(end: Buffer): Buffer {
    if (this.isEmpty) return end;
    this.add(end);
    const line = this.#bytes.subarray(0, this.#byteLength);
    this.#byteLength = 0;
    return line;
  }
}
