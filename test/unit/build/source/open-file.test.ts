import { createHash } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { SourceError } from '../../../../build/source/errors.ts';
import { HashedFile } from '../../../../build/source/open-file.ts';
import { zipArchive } from './zip-archive.ts';

const TEXT = `a,b\n${'1,2\n'.repeat(50_000)}`;
const GIGABYTE = 1_000_000_000;

async function readBack(name: string, content: Buffer | string, maxBytes = GIGABYTE) {
  const absolutePath = join(await mkdtemp(join(tmpdir(), 'deals-open-')), name);
  await writeFile(absolutePath, content);
  const file = new HashedFile({ source: 'feed', path: `feeds/${name}`, absolutePath }, maxBytes);
  const chunks: Buffer[] = [];
  for await (const chunk of file.chunks) chunks.push(chunk);
  return { text: Buffer.concat(chunks).toString(), digest: file.digest };
}

function corrupt(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const middle = copy.length >> 1;
  copy.fill(0x55, middle, middle + 20);
  return copy;
}

describe('a file of a source', () => {
  it.each([
    ['plain.csv', Buffer.from(TEXT)],
    ['packed.csv.gz', gzipSync(TEXT)],
    ['two-members.csv.gz', Buffer.concat([gzipSync(TEXT.slice(0, 9)), gzipSync(TEXT.slice(9))])],
    ['inflated-on-the-way.csv.gz', Buffer.from(TEXT)],
    ['packed-without-saying.csv', gzipSync(TEXT)],
    ['packed.csv.zip', zipArchive({ 'datafeed.csv': TEXT })],
    [
      'from-a-mac.zip',
      zipArchive({ 'feed/': '', 'feed/datafeed.csv': TEXT, '__MACOSX/feed/._datafeed.csv': 'x', '.DS_Store': 'x' }),
    ],
    ['packed.csv.br', brotliCompressSync(TEXT)],
  ])('%s is unpacked, and hashed as it lies on the disk', async (name, content) => {
    const { text, digest } = await readBack(name, content);
    expect(text === TEXT).toBe(true);
    expect(digest).toEqual({
      path: `feeds/${name}`,
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
  });

  it.each([
    [
      'short.csv.gz',
      gzipSync(TEXT).subarray(0, -200),
      'source-malformed',
      /feeds\/short\.csv\.gz: expected the rest of the packed file, got its end/,
    ],
    ['short.csv.br', brotliCompressSync(TEXT).subarray(0, -10), 'source-malformed', /got its end/],
    [
      'short.zip',
      zipArchive({ 'a.csv': TEXT }).subarray(0, -30),
      'source-malformed',
      /list of files at the end of the archive/,
    ],
    ['damaged.csv.gz', corrupt(gzipSync(TEXT)), 'source-unreadable', /feeds\/damaged\.csv\.gz: cannot be read: /],
    ['damaged.csv.br', Buffer.from('not brotli, in spite of its name'), 'source-unreadable', /cannot be read: /],
    ['damaged.zip', zipArchive({ 'a.csv': TEXT }, 1), 'source-unreadable', /expected the checksum 1, got /],
    [
      'two.zip',
      zipArchive({ 'a.csv': 'a', 'b.csv': 'b' }),
      'source-malformed',
      /expected one file in the archive, got 2 "a\.csv, b\.csv"/,
    ],
    ['none.zip', zipArchive({}), 'source-malformed', /expected one file in the archive, got 0/],
  ])('%s is refused', async (name, content, code, message) => {
    const reading = readBack(name, content);
    await expect(reading).rejects.toThrow(SourceError);
    await expect(reading).rejects.toMatchObject({ code, source: 'feed', file: `feeds/${name}` });
    await expect(reading).rejects.toThrow(message);
  });

  it.each([
    ['plain.csv', Buffer.from(TEXT)],
    ['packed.csv.gz', gzipSync(TEXT)],
    ['packed.csv.br', brotliCompressSync(TEXT)],
    ['packed.zip', zipArchive({ 'a.csv': TEXT })],
  ])('%s may not inflate beyond its limit', async (name, content) => {
    await expect(readBack(name, content, 1_000)).rejects.toMatchObject({
      code: 'source-too-large',
      message: `feeds/${name}: expected at most 1000 bytes when unpacked, got more; check the file, or raise \`maxMegabytes\` of feed`,
    });
  });

  it('that does not exist, or is a folder, is unreadable', async () => {
    for (const absolutePath of ['/nowhere/x.csv', '/tmp']) {
      const file = new HashedFile({ source: 'feed', path: 'x.csv', absolutePath }, 1);
      await expect(file.chunks[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'source-unreadable' });
      expect(file.digest).toBeUndefined();
    }
  });

  it('that changes while it is read is not trusted', async () => {
    const absolutePath = join(await mkdtemp(join(tmpdir(), 'deals-open-')), 'a.csv');
    await writeFile(absolutePath, TEXT);
    const reading = (async () => {
      for await (const chunk of new HashedFile({ source: 'feed', path: 'a.csv', absolutePath }, GIGABYTE).chunks) {
        void chunk;
        await writeFile(absolutePath, TEXT.replace('1,2', '3,4'));
      }
    })();
    await expect(reading).rejects.toMatchObject({
      code: 'source-malformed',
      message:
        'a.csv: expected a file that stays as it is while it is read, got one that is being written; write it under another name and rename it',
    });
  });
});
