import { describe, expect, it } from 'vitest';
import { readTextLines } from '../../../../build/source/text-lines.ts';
import { memoryFile } from './memory-file.ts';

async function textOf(content: string | Buffer, chunkBytes?: number): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of readTextLines(memoryFile(content, chunkBytes))) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

const WINDOWS_LINE = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x20, 0x80, 0x35, 0x92, 0x0a]);

describe('the text of a file', () => {
  it.each([
    ['UTF-8', Buffer.from('café €5\nthe end'), 'café €5\nthe end'],
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFid\n1\n'), 'id\n1\n'],
    ['windows-1252', WINDOWS_LINE, 'café €5’\n'],
    [
      'one line of windows-1252 in a file of UTF-8',
      Buffer.concat([Buffer.from('né\n'), WINDOWS_LINE, Buffer.from('né\n')]),
      'né\ncafé €5’\nné\n',
    ],
    [
      'a damaged line of UTF-8',
      Buffer.concat([Buffer.from('né '), Buffer.from([0xff]), Buffer.from('\nok\n')]),
      'né \uFFFD\nok\n',
    ],
    ['NUL inside', Buffer.from('29\0.99\0\n'), '29.99\n'],
    ['line ends of Windows', Buffer.from('a\r\nb\r\n'), 'a\nb\n'],
    ['a stray carriage return', Buffer.from('a\rb\n'), 'a b\n'],
    ['nothing', Buffer.from(''), ''],
  ])('reads %s', async (_, content, text) => {
    expect(await textOf(content)).toBe(text);
  });

  it.each([1, 2, 3, 5, 7])('is the same in chunks of %i bytes', async (chunkBytes) => {
    const content = Buffer.concat([Buffer.from('\uFEFFné€😀\r\n'), WINDOWS_LINE, Buffer.from('😀\r\nné')]);
    expect(await textOf(content, chunkBytes)).toBe('né€😀\ncafé €5’\n😀\nné');
  });

  it.each([
    ['little endian with a mark', Buffer.from('\uFEFFid,name\n', 'utf16le'), 'got UTF-16 or no text at all;'],
    ['without a mark', Buffer.from('id,name\n', 'utf16le'), 'got UTF-16 or no text at all;'],
  ])('refuses UTF-16 %s', async (_, content, message) => {
    await expect(textOf(content)).rejects.toMatchObject({
      code: 'source-unreadable',
      line: 1,
      message: expect.stringContaining(message) as string,
    });
  });

  it('refuses a line that never ends', async () => {
    const reading = readTextLines(memoryFile(`a\nb\n${'x'.repeat(5_000)}`, 1_000), 2_000);
    await expect(reading.next().then(() => reading.next())).rejects.toMatchObject({
      code: 'source-malformed',
      line: 3,
    });
  });

  it('is not read with a block of NUL in place of text, wherever a chunk ends', async () => {
    const content = Buffer.concat([
      Buffer.from(`${'29.99\n'.repeat(1_000)}18.50,`),
      Buffer.alloc(4_096),
      Buffer.from('\n7.00\n'),
    ]);
    await expect(textOf(content)).rejects.toMatchObject({ code: 'source-malformed' });
  });
});
