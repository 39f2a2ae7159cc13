import { pack } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { readTar } from '../../../../build/cms/strapi-export.ts';
import { memoryFile } from '../source/memory-file.ts';
import { tarOf } from '../source/tar-archive.ts';

async function read(content: Buffer, chunkBytes?: number): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for await (const { name, bytes } of readTar(memoryFile(content, chunkBytes))) {
    const chunks: Buffer[] = [];
    for await (const chunk of bytes) chunks.push(chunk);
    files[name] = Buffer.concat(chunks).toString('utf8');
  }
  return files;
}

async function names(content: Buffer): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of readTar(memoryFile(content, 100))) found.push(name);
  return found;
}

describe('a tar', () => {
  it.each([1, 7, 512, 65_536])('is read in pieces of %i bytes', async (chunkBytes) => {
    const files = { 'a/1.txt': 'one', [`${'long/'.repeat(40)}2.txt`]: 'two', 'empty.txt': '' };
    expect(await read(await tarOf(files), chunkBytes)).toEqual(files);
  });

  it('has forward slashes, from every packer', async () => {
    expect(await names(await tarOf({ 'entities\\entities_00001.jsonl': '{}' }))).toEqual([
      'entities/entities_00001.jsonl',
    ]);
  });

  it('has neither folders nor links', async () => {
    const archive = pack();
    archive.entry({ name: 'folder', type: 'directory' });
    archive.entry({ name: 'link', type: 'symlink', linkname: '/etc/passwd' });
    archive.entry({ name: 'hard', type: 'link', linkname: '/etc/passwd' });
    archive.entry({ name: 'file' }, 'x');
    archive.finalize();
    const chunks: Buffer[] = [];
    for await (const chunk of archive) chunks.push(chunk);
    expect(await names(Buffer.concat(chunks))).toEqual(['file']);
  });

  it.each([
    [700, 'in a file that is read'],
    [100, 'in a header'],
  ])('that ends after %i bytes, %s, is refused', async (length) => {
    const content = (await tarOf({ a: 'x'.repeat(2_000) })).subarray(0, length);
    const expected = {
      code: 'source-malformed',
      message: expect.stringContaining('feed.csv: expected a whole tar archive') as string,
    };
    await expect(read(content)).rejects.toMatchObject(expected);
    await expect(names(content)).rejects.toMatchObject(expected);
  });

  it('that is none is refused', async () => {
    await expect(read(Buffer.from('not an archive\n'.repeat(100)))).rejects.toMatchObject({
      code: 'source-malformed',
      message: expect.stringContaining('feed.csv: expected a whole tar archive') as string,
    });
  });
});
