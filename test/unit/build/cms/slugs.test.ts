import { describe, expect, it } from 'vitest';
import { assignSlugs, sharedSlug, type SlugSource } from '../../../../build/cms/map-entries.ts';
import { slugSchema } from '../../../../data/record/id.ts';

function source(text: string, id: string | undefined = '7', createdAt = ''): SlugSource {
  return { list: 'products', text, id, createdAt };
}

function slugsOf(sources: readonly SlugSource[]): readonly (string | undefined)[] {
  const slugs = assignSlugs(sources);
  return sources.map((each) => slugs.get(each));
}

describe('a slug that is made of a text', () => {
  it.each([
    ['Google Pixel 9 128GB', 'google-pixel-9-128gb'],
    ['Galaxy S10+ 128GB', 'galaxy-s10-plus-128gb'],
    ['Galaxy S10 8GB+128GB', 'galaxy-s10-8gb-128gb'],
    ['  Café   Ärger & Straße™ ', 'cafe-arger-and-strasse'],
    ['Beats Studio³ – Dr. Dre’s', 'beats-studio3-dr-dres'],
    ['3310', 'product-3310'],
    ['小米 14 Ultra', '14-ultra-7'],
    ['Пшеничный', 'product-7'],
    ['📱', 'product-7'],
    ['../../etc/passwd', 'etc-passwd'],
  ])('%j is %s', (text, slug) => {
    expect(slugsOf([source(text)])).toEqual([slug]);
  });

  it('is always one that the catalogue takes', () => {
    const texts = [
      'a'.repeat(1_000),
      'é'.repeat(500),
      '\u0000',
      '-',
      '—',
      'A-'.repeat(200),
      '١٢٣',
      '9'.repeat(300),
      '',
    ];
    const sources = texts.flatMap((text, i) => [source(text, `1844674407370955161${i}`), source(text, `${i}`)]);
    const slugs = slugsOf(sources);
    expect(slugs.filter((slug) => !slugSchema.safeParse(slug).success)).toEqual([]);
    expect(new Set(slugs).size).toBe(slugs.length);
  });

  it('is the same for all that share it', () => {
    expect([sharedSlug('manufacturers', '小米'), sharedSlug('manufacturers', '小米')]).toEqual(
      Array.from({ length: 2 }, () => expect.stringMatching(/^manufacturer-[0-9]+$/)),
    );
    expect(sharedSlug('manufacturers', '小米')).not.toBe(sharedSlug('manufacturers', '华为'));
  });
});

describe('the slugs of a list', () => {
  const SOURCES = [
    source('Foo', '30', '2025-01-01'),
    source('Foo', '12', '2025-01-02'),
    source('Foo 12', '5', '2025-01-03'),
    source('foo!', '4', '2025-01-04'),
    source('Bar', '9'),
    source('Bar', '10'),
  ];

  it('are each its own, the bare one that of the record that was made first', () => {
    expect(slugsOf(SOURCES)).toEqual(['foo', 'foo-12', 'foo-12-5', 'foo-4', 'bar', 'bar-10']);
  });

  it('are the same in any order, and with any record added', () => {
    const whole = assignSlugs(SOURCES);
    expect(slugsOf(SOURCES.toReversed())).toEqual(SOURCES.toReversed().map((each) => whole.get(each)));
    for (let count = 1; count < 4; count++) {
      const some = assignSlugs(SOURCES.slice(0, count));
      for (const [each, slug] of some) expect(slug).toBe(whole.get(each));
    }
  });

  it('are shared by the variants of one product', () => {
    expect(slugsOf([source('Foo', '7'), source('Foo', '7')])).toEqual(['foo', 'foo']);
  });
});
