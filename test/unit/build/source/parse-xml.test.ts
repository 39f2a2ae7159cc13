import { describe, expect, it } from 'vitest';
import { readXmlItems, type XmlElement, type XmlItem } from '../../../../build/source/parse-xml.ts';
import { collect, memoryFile } from './memory-file.ts';

const FORMAT = {
  expectedRoot: 'a list',
  isRoot: ({ name }: XmlElement) => name === 'a',
  isItem: ({ name }: XmlElement) => name === 'item',
};

async function read(content: string | Buffer, chunkBytes?: number): Promise<readonly XmlItem[]> {
  return (await collect(readXmlItems(memoryFile(content, chunkBytes), FORMAT))).flat();
}

const element = (name: string, text: string, rest: object = {}): object => ({
  name,
  attributes: new Map(),
  text,
  children: [],
  ...rest,
});

describe('reading the items of XML', () => {
  it('gives each as a tree with its line, texts and CDATA', async () => {
    const text =
      '<?xml version="1.0"?>\n<a>x\n<item x="1 &amp; 2"><!-- no --><b>\n&lt;&#65;</b><![CDATA[<c>]]></item></a>';
    const children = [element('b', '\n<A')];
    const item = element('item', '<c>', { attributes: new Map([['x', '1 & 2']]), children });
    expect(await read(text)).toMatchObject([{ element: item, line: 3, error: undefined }]);
  });

  it('knows elements by their whole name, declared or not', async () => {
    const [item] = await read('<a xmlns:p="urn:p"><item><p:b/><q:b/></item></a>');
    expect([item?.error, item?.element.children.map(({ name }) => name)]).toEqual([undefined, ['p:b', 'q:b']]);
  });

  it.each([1, 2, 3, 7, 1_000])('gives the same for pieces of %d bytes', async (chunkBytes) => {
    const text = `<?xml version="1.0" encoding="UTF-8"?><a><item><b>£ and 😀</b>${' '.repeat(600)}<c/></item></a>`;
    expect(await read(text, chunkBytes)).toEqual(await read(text));
  });

  it.each([
    ['<item><b>&x;</b></item><item/>', ['undefined entity in line 1', undefined]],
    ['<item><b></item><item/>', ['unexpected close tag in line 1', undefined]],
    ['<item><item/>', [undefined, 'another <item> within it']],
    ['<item/><item>', [undefined, 'unexpected close tag in line 1']],
  ])('of %s names the item that is broken', async (items, errors) => {
    expect((await read(`<a>${items}</a>`)).map(({ error }) => error)).toEqual(errors);
  });

  it.each([
    ['<a></b></a>', 'feed.csv:1: expected well-formed XML, got unmatched closing tag: b; have the file written again'],
    ['<a>&x;</a>', 'feed.csv:1: expected well-formed XML, got undefined entity'],
    ['<a>\n<b>', 'feed.csv:2: expected well-formed XML, got unclosed tag: b'],
    ['', 'expected well-formed XML, got document must contain a root element'],
    ['<b/>', 'expected a list, got "<b>"'],
    ['<a/><a/>', 'expected well-formed XML, got documents may contain only one root'],
    ['<a>'.repeat(65), 'expected elements at most 64 deep, got deeper ones'],
    [`<a>${'x'.repeat(2_200_000)}</a>`, 'expected texts and tags of at most 1000000 characters, got a longer one'],
    [`<a><item>${'<b/>'.repeat(300_000)}</item></a>`, 'expected an item of at most 4000000 characters'],
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
