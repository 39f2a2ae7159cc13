import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * The originals of pictures that lie in an archive, kept as files until they are rendered. An archive counts as a folder:
 * `cms/export.tar.gz/assets/uploads/front.png` is the path of a picture in it. The files have names of our own, so that
 * no name in an archive ever becomes a path on the disk.
 */
export class UnpackedOriginals {
  #folder: Promise<string> | undefined;
  readonly #files = new Map<string, string>();

  /** Keeps the bytes of an original under its path in the archive. */
  async keep(path: string, bytes: AsyncIterable<Buffer>): Promise<void> {
    this.#folder ??= mkdtemp(join(tmpdir(), 'deals-originals-'));
    const file = join(await this.#folder, String(this.#files.size));
    this.#files.set(path, file);
    await pipeline(Readable.from(bytes), createWriteStream(file));
  }

  /** The file of an original, whose path is relative to the file that names it. */
  find(namingFile: string, path: string): string | undefined {
    return this.#files.get(posix.join(posix.dirname(namingFile), path));
  }

  /** Deletes what was kept. */
  async remove(): Promise<void> {
    if (this.#folder !== undefined) await rm(await this.#folder, { recursive: true, force: true });
  }
}
