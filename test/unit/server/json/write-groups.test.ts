import { describe, expect, it } from 'vitest';
import { writeGroups } from '../../../../server/json/write-lists.ts';

describe('the groups of an item (D6)', () => {
  it.each<[Parameters<typeof writeGroups>, string]>([
    [[{}, { content: { heading: 'a' } }], ''],
    [[{ content: 'whole' }, { content: { heading: 'a' } }], ',"content":{"heading":"a"}'],
    [[{ content: 'whole' }, {}], ',"content":{}'],
    [[{ content: ['introduction'] }, { content: { heading: 'a' } }], ',"content":{}'],
    [[{ specs: ['os', '4g'] }, { specs: { '4g': 'Yes', cpu: 'x', os: 'A' } }], ',"specs":{"os":"A","4g":"Yes"}'],
    [
      [{ specs: ['4g', 'os'] }, { specs: { os: '"\\\n£📱\ud83d', '4g': '' } }],
      ',"specs":{"4g":"","os":"\\"\\\\\\n£📱\\ud83d"}',
    ],
    [
      [{ images: 'whole', metaData: ['title'] }, { metaData: { title: 't', keywords: 'k' } }],
      ',"metaData":{"title":"t"},"images":{}',
    ],
  ])('%j', (given, text) => {
    expect(writeGroups(...given)).toBe(text);
  });
});
