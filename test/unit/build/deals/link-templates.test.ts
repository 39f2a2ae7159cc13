import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findTemplates, type LinkTemplate } from '../../../../build/deals/link-templates.ts';

/** Every link as it is published. */
function publishAll(links: readonly string[]): readonly { prefix: string; part: string; suffix: string }[] {
  const linkAt = (row: number): string => links[row] as string;
  const { templates, codes } = findTemplates(links.length, linkAt, () => 'house');
  return links.map((link, row) => {
    const { prefix, suffix } = templates[codes[row] as number] as LinkTemplate;
    return { prefix, part: link.slice(prefix.length, link.length - suffix.length), suffix };
  });
}

function templatesOf(links: readonly string[]): readonly string[] {
  return [...new Set(publishAll(links).map(({ prefix, suffix }) => `${prefix}*${suffix}`))].toSorted();
}

const awin = (id: number, merchant = 3235): string =>
  `https://www.awin1.com/pclick.php?p=${13_304_516_000 + id}&a=218297&m=${merchant}`;

describe('the templates of a source', () => {
  it('are few for links that differ in one part', () => {
    const links = Array.from({ length: 400 }, (_, i) => awin(i, i % 4));
    expect(templatesOf(links)).toEqual(
      [0, 1, 2, 3].map((merchant) => `https://www.awin1.com/pclick.php?p=*&a=218297&m=${merchant}`),
    );
  });

  it('are the host alone for links that differ in several parts', () => {
    const links = Array.from({ length: 400 }, (_, i) => `https://shop.example/phone-${i}/plan-${1_000 + i}/go`);
    expect(templatesOf([...links, ...Array.from({ length: 10 }, (_, i) => awin(i))])).toEqual([
      'https://shop.example*',
      'https://www.awin1.com/pclick.php?p=*&a=218297&m=3235',
    ]);
  });

  it('stop growing at 65,536 for a host', () => {
    const links = Array.from(
      { length: 70_000 },
      (_, i) => `https://shop.example/${i % 70_000}/plan-${1_000_000 + i}/go`,
    );
    expect(templatesOf(links)).toEqual(['https://shop.example*']);
  });

  it('give back every link exactly, regardless of the order of the links', () => {
    const url = fc.webUrl({ withQueryParameters: true, withFragments: true });
    const link = fc.oneof(
      url,
      fc.integer({ min: 0, max: 99 }).map((id) => awin(id)),
      fc.string({ unit: 'binary' }).map((text) => `https://shop.example/${text}`),
    );
    fc.assert(
      fc.property(fc.array(link, { maxLength: 20 }), (links) => {
        const published = publishAll(links);
        expect(published.map(({ prefix, part, suffix }) => prefix + part + suffix)).toEqual(links);
        expect(publishAll(links.toReversed()).toReversed()).toEqual(published);
      }),
      // A URL takes milliseconds to make.
      { numRuns: 25 },
    );
  });
});
