import { describe, expect, it } from 'vitest';
import type { BuildResult } from '../../../../build/report/build-result.ts';
import { createSite, deal, HEADER, type Site } from '../run/write-sources.ts';
import { CMS, edit, NIGHT } from './gate-site.ts';

/** Twenty deals of the feed `night`, ten of them refurbished and four sold out. */
function createFieldSite(): Promise<Site> {
  return createSite(({ config, cms, night }) => {
    config.gates = {
      minRows: 3,
      maxLostDeals: 1,
      maxLostProducts: 1,
      maxChangedOffers: 1,
      maxMovedDeals: 1,
      maxLostPart: 1,
    };
    for (const product of cms.products) product['specs'] = { os: 'Android 14' };
    night.splice(0, Infinity, `${HEADER},inStock`);
    for (let i = 0; i < 20; i++) {
      const row = deal(`N-${i}`, '101', i < 10 ? 'refurbished' : 'new', 'night-owl', `${15 + i}.50`);
      night.push(`${row},${i % 5 === 0 ? 'no' : ''}`);
    }
  });
}

function goneOf({ report }: BuildResult): readonly string[] {
  return report.gates
    .filter(({ gate, state }) => gate.startsWith('field-gone') && state !== 'passed')
    .map(({ gate, state, detail }) => `${gate} ${state}: ${detail}`);
}

const INSTOCK = 'field-gone:night held: inStock was filled in 4 of 20 records, now in none';

describe('a field that is gone (INPUTS "A field that is gone")', () => {
  it.each([
    ['a column that only sold-out deals fill', NIGHT, 'inStock', 'stock', INSTOCK],
    ['a column of which all cells are empty', NIGHT, ',no\n', ',\n', INSTOCK],
    [
      'a column of which something depends',
      NIGHT,
      ',condition,',
      ',Condition,',
      'field-gone:night held: condition was filled in 20 of 20 records, now in none',
    ],
    [
      'a key of the records of a CMS list',
      CMS,
      '"specs"',
      '"Specs"',
      'field-gone:site refused: products.specs was filled in 3 of 3 records, now in none',
    ],
  ])('%s', async (_, file, from, to, expected) => {
    const site = await createFieldSite();
    expect(goneOf(await site.build())).toEqual(['field-gone silent: this is the first snapshot of the store']);
    expect(goneOf(await site.build())).toEqual([]);
    edit(site, file, (text) => text.replaceAll(from, to));
    expect(goneOf(await site.build())).toEqual([expected]);
    const gate = expected.split(' ', 1);
    expect(goneOf(await site.build({ accept: gate }))).toEqual([expected.replace(/refused|held/, 'accepted')]);
  });

  it('is missed after days on which the feed was the same, or was carried forward', async () => {
    const site = await createFieldSite();
    await site.build();
    edit(site, CMS, (text) => text.replaceAll('Android 14', 'Android 15'));
    expect(await site.build()).toMatchObject({ outcome: 'published' });
    const sound = edit(site, NIGHT, () => '<html></html>');
    expect(await site.build()).toMatchObject({ outcome: 'published' });
    edit(site, NIGHT, () => sound.replace('inStock', 'stock'));
    expect(goneOf(await site.build())).toEqual([INSTOCK]);
  });
});
