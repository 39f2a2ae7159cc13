import { describe, expect, it } from 'vitest';
import { readTable } from '../../../../build/source/table.ts';
import { readTextLines } from '../../../../build/source/text-lines.ts';
import { collect, memoryFile } from './memory-file.ts';

/** The header and the rows, `2: a|b`; of a row that is left out the code of its notice. */
async function shown(content: string, chunkBytes?: number): Promise<string[]> {
  const file = memoryFile(content, chunkBytes);
  const header: string[] = [];
  const table = readTable(file, readTextLines(file), ({ line, names }) => {
    header.push(`${line}: ${names.join('|')}`);
    return (cells, location) => `${location.line}: ${cells.join('|')}`;
  });
  const rows = await collect(table);
  return [...header, ...rows.map((row) => (typeof row === 'string' ? row : `${row.notice.line}: ${row.notice.code}`))];
}

describe('CSV', () => {
  it.each([
    ['a,b\n1,2\n', ['1: a|b', '2: 1|2']],
    ['a,b\r\n1,2', ['1: a|b', '2: 1|2']],
    ['a,b\n"x, y","5.1"""\n', ['1: a|b', '2: x, y|5.1"']],
    ['a,b\n"{""size"":""5.1\\""""}",2\n', ['1: a|b', '2: {"size":"5.1\\""}|2']],
    ['a,b\n"one\ntwo\n\nfour",2\n3,4\n', ['1: a|b', '2: one\ntwo\n\nfour|2', '6: 3|4']],
    ['a,b\r\n"one\r\ntwo",2\r\n3,4\r\n', ['1: a|b', '2: one\ntwo|2', '4: 3|4']],
    ['a,b\n\n1,2\n  \n,,\n3,4\n\n', ['1: a|b', '3: 1|2', '6: 3|4']],
    ['a,b\n1\n1,2,3\n', ['1: a|b', '2: column-count', '3: column-count']],
    ['a,b\n1,5" screen\n3,4\n', ['1: a|b', '2: malformed-record', '3: 3|4']],
    ['a,b\n5" by 6",7"\n3,4\n', ['1: a|b', '2: malformed-record', '3: 3|4']],
    ['a,b\n"one\ntwo",5" x\n3,"x, y"', ['1: a|b', '2: malformed-record', '4: 3|x, y']],
    ['a,b\n"",""""\n"",\n""', ['1: a|b', '2: |"']],
    ['a,b\n1" x,2\n2" x,3\n3,4\n', ['1: a|b', '2: malformed-record', '3: malformed-record', '4: 3|4']],
  ])('reads %j', async (content, rows) => {
    expect(await shown(content)).toEqual(rows);
    expect(await shown(content, 3)).toEqual(rows);
  });

  it.each([
    ['to the end of the file', 'a,b\n1,2\n3,"open\n5,6\n7,8\n', 3],
    ['to a quote in a later row', 'a,b\n1,2\n3,4\n5,"open\n7,"x y"\n9,9\n', 4],
    ['beyond the size of any row', `a,b\n1,"open\n${'1,2\n'.repeat(400_000)}`, 2],
    ['around a raw quote', 'a,b\n1,"5" screen"\n', 2],
  ])('refuses a quote that stays open %s, and says where it is', async (_, content, line) => {
    await expect(shown(content)).rejects.toMatchObject({
      code: 'source-malformed',
      file: 'feed.csv',
      line,
      message: expect.stringMatching(new RegExp(`^feed\\.csv:${line}: expected every quoted cell`)) as string,
    });
  });
});
