import { describe, expect, it } from 'vitest';
import { Words } from '../../../../server/explain/explain.ts';

describe('words', () => {
  it.each([
    ['kestrel  K9 128gb', 'Kestrel K9 128GB', 'exact'],
    ['k9 128', 'Kestrel K9 128GB', 'part'],
    ['128gb kestrel', 'Kestrel K9 128GB', 'part'],
    ['k9 256', 'Kestrel K9 128GB', undefined],
    ['k9', 'K9', 'exact'],
    ['k9', 'Kestrel K9', undefined],
  ])('%j of the name %j: %s', (asked, name, fit) => {
    expect(new Words(asked).fit({ names: [name] })).toBe(fit);
  });

  it.each([
    ['H-05813', 'H-05813', 'exact'],
    ['h-0581', 'H-05813', 'part'],
    ['101', 'H-10101', undefined],
  ])('%j of the key %j: %s', (asked, key, fit) => {
    expect(new Words(asked).fit({ key })).toBe(fit);
  });

  it.each([
    ['feeds/house.csv:12', { file: 'feeds/house.csv', line: 12 }, 'exact'],
    ['feeds/house.csv:12', { file: 'feeds/house.csv', line: 121 }, undefined],
    ['feeds/house.csv:12', { file: 'feeds/other.csv', line: 12 }, undefined],
    ['cms/site.json (item 3)', { file: 'cms/site.json', line: 3, list: 'gifts' }, 'exact'],
    ['cms/site.json gifts (item 3)', { file: 'cms/site.json', line: 3, list: 'gifts' }, 'exact'],
    ['cms/site.json gifts (item 3)', { file: 'cms/site.json', line: 3, list: 'networks' }, undefined],
    ['cms/site.json gifts (item 3)', { file: 'cms/site.json', line: 3 }, 'exact'],
    ['kestrel', { file: 'kestrel', line: 1 }, undefined],
    ['kestrel', {}, undefined],
  ])('%j of the place %j: %s', (asked, place, fit) => {
    expect(new Words(asked).fit({ place })).toBe(fit);
  });
});
