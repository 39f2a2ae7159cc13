import type { OpenedFile } from '../../../../build/source/open-file.ts';

/** A file that is never on a disk, handed out in pieces of `chunkBytes`. */
export function memoryFile(content: string | Buffer, chunkBytes = 1 << 16): OpenedFile {
  return { source: 'feed', path: 'feed.csv', chunks: split(Buffer.from(content as string), chunkBytes) };
}

async function* split(bytes: Buffer, chunkBytes: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    await Promise.resolve();
    yield bytes.subarray(start, start + chunkBytes);
  }
}

/** All items of batches. */
export async function collect<Item>(batches: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const batch of batches) items.push(...batch);
  return items;
}
