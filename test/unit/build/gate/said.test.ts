import { describe, expect, it } from 'vitest';
import { Sayings, type SamePair } from '../../../../build/gate/said.ts';
import type { ServedProduct } from '../../../../build/gate/served-deals.ts';
import { createGateSite, eachRow, edit, heldParts, later, NIGHT, statusOf, times } from './gate-site.ts';

const SAME: SamePair = {
  groups: ['aff', 'retailer tello'],
  totalBefore: 60_000,
  total: 60_000,
  isOtherOffer: false,
  extraBefore: 0,
  extra: 0,
};

/** What is said of 100 same deals, of which some are as `parts` say. */
function said(count: number, parts: Partial<SamePair>, others: Partial<SamePair> = {}): readonly string[] {
  const sayings = new Sayings({ minRows: 20, maxSaid: 0.1 });
  for (let i = 0; i < 100; i++) sayings.add({ ...SAME, ...(i < count ? parts : others) });
  return sayings.list(new Map(), new Map());
}

describe('what moved below the limits of the gates is said, from so many deals on', () => {
  it.each<[what: string, from: number, parts: Partial<SamePair>, others: Partial<SamePair>, sentences: string[]]>([
    [
      'prices that fell by a tenth',
      14,
      { total: 51_000 },
      {},
      ['aff', 'retailer tello'].map((name) => `Prices: 14 of 100 same deals of ${name} cost 10 % less or more, 15 % less in the middle`), // prettier-ignore
    ],
    [
      'prices that rose, in the groups that have 20 deals',
      14,
      { total: 72_000, groups: ['aff'] },
      { groups: ['aff', 'retailer small'] },
      ['Prices: 14 of 100 same deals of aff cost 10 % less or more, 20 % more in the middle'],
    ],
    [
      'other offers',
      14,
      { isOtherOffer: true },
      {},
      ['aff', 'retailer tello'].map((name) => `Offers: 14 of 100 same deals of ${name} are for another phone, network, length or allowance`), // prettier-ignore
    ],
    [
      'gifts that have ended',
      51,
      { extraBefore: 1 },
      { extraBefore: 1, extra: 1 },
      ['Gifts: 51 of 100 gifts and cashbacks of retailer tello have ended'],
    ],
    [
      'prices that moved a little in most deals',
      51,
      { total: 60_500 },
      {},
      ['aff', 'retailer tello'].map((name) => `Prices: 51 of 100 same deals of ${name} have another price, 0.8 % more in the middle`), // prettier-ignore
    ],
    [
      'gifts in place of others',
      14,
      { extraBefore: 1, extra: 2 },
      { extraBefore: 1, extra: 1 },
      ['aff', 'retailer tello'].map((name) => `Gifts: 14 of 100 gifts and cashbacks of ${name} are others`), // prettier-ignore
    ],
  ])('%s', (_, from, parts, others, sentences) => {
    expect(said(from, parts, others)).toEqual(sentences);
    expect(said(from - 1, parts, others)).toEqual([]);
  });

  it('names three groups, and counts the others', () => {
    const groups = ['aff', 'retailer a', 'retailer b', 'retailer c', 'retailer d'];
    const sentences = said(100, { total: 50_000, groups });
    expect(sentences).toHaveLength(3);
    expect(sentences[2]).toMatch(/^Prices: .+ of retailer b .+; 2 more like it$/);
  });

  it.each([
    [3, 40, ['Prices: the cheapest deal of 3 of 40 phones fell by 25 % or more, by 50 % in the middle']],
    [2, 20, []],
    [5, 100, []],
    [6, 100, ['Prices: the cheapest deal of 6 of 100 phones fell by 25 % or more, by 50 % in the middle']],
  ])('the cheapest deal of %i of %i phones halved: %j', (fallen, count, sentences) => {
    const phones = Array.from({ length: count }, (_, i) => `${i}/new`);
    const before = new Map<string, ServedProduct>(phones.map((phone) => [phone, { deals: 5, totalPence: 60_000 }]));
    const now = new Map(phones.map((phone, i) => [phone, i < fallen ? 30_000 : 45_001]));
    expect(new Sayings({ minRows: 20, maxSaid: 0.1 }).list(before, now)).toEqual(sentences);
  });
});

describe('a build', () => {
  it('says nothing on an ordinary night', async () => {
    const site = await createGateSite();
    await site.build();
    // A tenth of the deals cost a tenth more, and a twentieth are others.
    edit(site, NIGHT, eachRow((row, i) => ({
      ...row,
      ...(i % 10 === 0 ? { monthlyCost: times(row['monthlyCost'], 1.1) } : {}),
      ...(i % 20 === 5 ? { dealId: `X-${i}`, dataGb: '100' } : {}),
    }))); // prettier-ignore
    expect(await site.build({ now: later(24) })).toMatchObject({ outcome: 'published', attention: [] });
  });

  it('says prices that moved and holds nothing for them, and publishes with status 4', async () => {
    const site = await createGateSite();
    await site.build();
    edit(
      site,
      NIGHT,
      eachRow((row, i) => (i % 3 === 0 ? { ...row, monthlyCost: times(row['monthlyCost'], 0.8) } : row)),
    );
    const second = await site.build({ now: later(24) });
    expect(heldParts(second)).toEqual([]);
    expect(statusOf(second)).toBe(4);
    expect(second.attention).toContain(
      'Prices: 34 of 100 same deals of night cost 10 % less or more, 20 % less in the middle',
    );
    // It moved in this build, and not in the next.
    expect(await site.build({ now: later(25) })).toMatchObject({ outcome: 'unchanged', attention: [] });
  });

  it('says its cheapest deals when it is the first, and no longer after', async () => {
    const site = await createGateSite();
    const first = await site.build();
    expect(first.extremes).toHaveLength(4);
    expect(first.extremes[0]).toBe(
      'a first build has nothing to compare with; the cheapest deals against the median of their phones:',
    );
    expect(first.extremes[1]).toMatch(/^ {2}\d+\.\d\d for 10\d\/(new|refurbished) ".+", [\d.]+ % of the median \(house, feeds\/house\/deals\.csv:\d+\)$/); // prettier-ignore
    expect(statusOf(first)).toBe(0);
    expect((await site.build({ now: later(24) })).extremes).toEqual([]);
  });
});
