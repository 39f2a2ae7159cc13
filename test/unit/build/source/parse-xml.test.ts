import { describe, expect, it } from 'vitest';
import { parseXml } from '../../../../build/source/parse-xml.ts';
import { collect, memoryFile } from './memory-file.ts';

async function read(content: string | Buffer, chunkBytes?: number): Promise<readonly object[]> {
  return collect(parseXml(memoryFile(content, chunkBytes)));
}

describe('parsing XML', () => {
  it('gives elements, texts and CDATA with their lines', async () => {
    const text = '<?xml version="1.0"?>\n<a x="1 &amp; 2"><!-- no --><b>\n&lt;&#65;</b><![CDATA[<c>]]></a>';
    expect(await read(text)).toEqual([
      { kind: 'text', text: '\n' },
      { kind: 'open', name: 'a', attributes: { x: '1 & 2' }, line: 2 },
      { kind: 'open', name: 'b', attributes: {}, line: 2 },
      { kind: 'text', text: '\n<A' },
      { kind: 'close', name: 'b', line: 3 },
      { kind: 'text', text: '<c>' },
      { kind: 'close', name: 'a', line: 3 },
    ]);
  });

  it.each([1, 2, 3, 7, 1_000])('gives the same for pieces of %d bytes', async (chunkBytes) => {
    const text = `<?xml version="1.0" encoding="UTF-8"?><a><b>£ and 😀</b>${' '.repeat(600)}<c/></a>`;
    expect(await read(text, chunkBytes)).toEqual(await read(text));
  });

  it('tells of what is not well-formed, and goes on', async () => {
    expect(await read('<a><b>&x;</a>')).toMatchObject([
      { kind: 'open', name: 'a' },
      { kind: 'open', name: 'b' },
      { kind: 'error', message: 'undefined entity', line: 1 },
      { kind: 'text', text: '&x;' },
      { kind: 'error', message: 'unexpected close tag', line: 1 },
      { kind: 'close', name: 'b' },
      { kind: 'close', name: 'a' },
    ]);
  });

  it.each([
    ['<a></b></a>', 'feed.csv:1: expected well-formed XML, got unmatched closing tag: b; have the feed written again'],
    ['<a>\n<b>', 'feed.csv:2: expected well-formed XML, got unclosed tag: b'],
    ['', 'expected well-formed XML, got document must contain a root element'],
    ['<a/><b/>', 'expected well-formed XML, got documents may contain only one root'],
    ['<a>'.repeat(65), 'expected elements at most 64 deep, got deeper ones'],
    [`<a>${'x'.repeat(2_200_000)}</a>`, 'expected texts and tags of at most 1000000 characters, got a longer one'],
    [
      `<!DOCTYPE a [${'<!ENTITY x "y">'.repeat(200_000)}]><a/>`,
      'expected texts and tags of at most 1000000 characters',
    ],
  ])('refuses %.30s', async (text, message) => {
    await expect(read(text)).rejects.toMatchObject({
      code: 'source-malformed',
      message: expect.stringContaining(message) as string,
    });
  });
});
