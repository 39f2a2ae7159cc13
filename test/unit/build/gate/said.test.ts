import { describe, expect, it } from 'vitest';
import { Drift } from '../../../../build/gate/compare-feed.ts';
import { sayWhatDrifted, sayWhatFell } from '../../../../build/gate/said.ts';
import type { Catalogue } from '../../../../build/deals/catalogue-deals.ts';
import { groupBy } from '../../../../build/source/record.ts';
import { comparePairs, type Deal, type Pairs } from './deal-pairs.ts';
import {
  createGateSite,
  eachRow,
  edit,
  heldParts,
  later,
  lines,
  NIGHT,
  statusOf,
  times,
  twoNights,
} from './gate-site.ts';

const GROUPS = ['aff', 'retailer tello'];

/** What is said of the same deals of some groups. */
function list(pairs: Pairs, groupsOf: (row: number) => readonly string[] = () => GROUPS): readonly string[] {
  const comparison = comparePairs(pairs);
  const drifts = new Map<string, Drift>();
  for (const [name, rows] of groupBy(
    comparison.cells.flatMap(({ found }) => found),
    groupsOf,
  )) {
    drifts.set(name, new Drift());
    comparison.addTo(drifts.get(name) as Drift, rows);
  }
  return sayWhatDrifted(drifts, { minRows: 20, maxSaid: 0.1 });
}

/** What is said of 100 same deals, of which the first are changed. */
function said(count: number, changed: Deal, first: Deal = {}, groupsOf?: (row: number) => readonly string[]) {
  const before = Array.from({ length: 100 }, (_, i) => ({ ...first, link: i }));
  return list({ before, now: before.map((deal, i) => (i < count ? { ...deal, ...changed } : deal)) }, groupsOf);
}

const ofEach = (sentence: string): string[] => GROUPS.map((name) => sentence.replace('aff', name));

describe('what moved below the limits of the gates is said, from so many deals on', () => {
  it.each<[what: string, from: number, changed: Deal, before: Deal, sentences: readonly string[]]>([
    ['prices that fell by a tenth', 14, { total: 51_000 }, {}, ofEach('Prices: 14 of 100 same deals of aff cost 10 % less or more, 15 % less in the middle')], // prettier-ignore
    ['prices that moved a little in a third of the deals', 34, { total: 60_500 }, {}, ofEach('Prices: 34 of 100 same deals of aff have another price, 0.8 % more in the middle')], // prettier-ignore
    ['other offers', 14, { offer: 'contract 12' }, {}, ofEach('Offers: 14 of 100 same deals of aff are for another phone, network, length or allowance')], // prettier-ignore
    [
      'one link in place of others',
      14,
      { link: 1_000 },
      {},
      ofEach('Links: 14 of 100 same deals of aff have one new link'),
    ],
    [
      'other names of plans',
      14,
      { plan: 'Plan 24' },
      {},
      ofEach('Plans: 14 of 100 same deals of aff have another name'),
    ],
    ['gifts that have ended', 91, { gift: '' }, { gift: 'Buds' }, ofEach('Gifts: 91 of 100 gifts of aff have ended')], // prettier-ignore
    ['gifts that have begun', 26, { gift: 'Buds' }, {}, ofEach('Gifts: 26 of 100 same deals of aff have a gift, and had none')], // prettier-ignore
    ['gifts in place of others', 26, { gift: 'Mug' }, { gift: 'Buds' }, ofEach('Gifts: 26 of 100 gifts of aff are others')], // prettier-ignore
    ['cashbacks in place of others', 26, { cashback: '20 x' }, { cashback: '30 x' }, ofEach('Gifts: 26 of 100 cashbacks of aff are others')], // prettier-ignore
  ])('%s', (_, from, changed, before, sentences) => {
    expect(said(from, changed, before)).toEqual(sentences);
    expect(said(from - 1, changed, before)).toEqual([]);
  });

  it.each<[what: string, from: number, linkAt: (i: number, count: number) => number, sentence: string]>([
    ['slipped by a row', 5, (i, count) => (i + 1) % count, 'have the link of another deal'],
    ['are others', 51, (i) => 1_000 + i, 'have another link'],
  ])('links that %s, %i', (_, from, linkAt, sentence) => {
    const change = (count: number): readonly string[] => {
      const before = Array.from({ length: 100 }, (__, link) => ({ link }));
      return list({ before, now: before.map((deal, i) => (i < count ? { link: linkAt(i, count) } : deal)) });
    };
    expect(change(from)).toEqual(ofEach(`Links: ${from} of 100 same deals of aff ${sentence}`));
    expect(change(from - 1)).toEqual([]);
  });

  it('of a phone only when a third of its prices moved by a tenth', () => {
    const ofPhone = (count: number, deal: Deal) => said(count, deal, {}, () => ['phone 101/new']);
    const sentence = 'Prices: 34 of 100 same deals of phone 101/new cost 10 % less or more, 16.7 % less in the middle';
    expect(ofPhone(34, { total: 50_000, offer: 'contract 12' })).toEqual([sentence]);
    expect(ofPhone(33, { total: 50_000, offer: 'contract 12' })).toEqual([]);
  });

  it('of the groups that have 20 deals, of which three are named and the others counted', () => {
    const groups = ['aff', 'retailer a', 'retailer b', 'retailer c', 'retailer d'];
    const sentences = said(100, { total: 50_000 }, {}, (i) => (i < 19 ? [...groups, 'retailer small'] : groups));
    expect(sentences).toHaveLength(3);
    expect(sentences[2]).toMatch(/^Prices: .+ of retailer b .+; 2 more like it$/);
  });

  it.each([
    [30_000, 3, 40, 'by 25 % or more, by 50 %'],
    [30_000, 2, 20, undefined],
    [30_000, 5, 100, undefined],
    [30_000, 6, 100, 'by 25 % or more, by 50 %'],
    [45_001, 10, 100, undefined],
    [54_000, 11, 100, 'by 10 %'],
  ])('the cheapest deal fell from 600.00 to %i pence for %i of %i phones', (now, fallen, count, how) => {
    const rangeStart = Uint32Array.from({ length: count + 1 }, (_, row) => row);
    const totalPence = Uint32Array.from({ length: count }, (_, i) => (i < fallen ? now : 60_000));
    const records = { products: Array.from({ length: count }, (_, i) => ({ record: { id: `${i}`, condition: 'new' } })) }; // prettier-ignore
    const before = new Map(
      records.products.map(({ record }) => [`${record.id}/new`, { deals: 5, totalPence: 60_000 }]),
    );
    const catalogue = { records, deals: { rangeStart, totalPence } } as unknown as Catalogue;
    const sentence = `Prices: the cheapest deal of ${fallen} of ${count} phones fell ${how} in the middle`;
    expect(sayWhatFell(before, catalogue)).toEqual(how === undefined ? [] : [sentence]);
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
    const { site, second } = await twoNights(
      eachRow((row, i) => (i % 3 === 0 ? { ...row, monthlyCost: times(row['monthlyCost'], 0.8) } : row)),
    );
    expect(heldParts(second)).toEqual([]);
    expect(statusOf(second)).toBe(4);
    expect(second.attention.join('; ')).toContain(
      'Prices: 34 of 100 same deals of night cost 10 % less or more, 20 % less in the middle',
    );
    // It moved in this build, and not in the next.
    expect(await site.build({ now: later(25) })).toMatchObject({ outcome: 'unchanged', attention: [] });
  });

  it.each([
    [6, []],
    [7, ['Totals: upfront + monthly x months is not the total of 7 of 100 deals of night, 0 before']],
  ])('says totals that are no sums, and were: %i', async (count, sentences) => {
    const { second } = await twoNights((text) =>
      text.replaceAll(/.+/g, (row) => {
        const [, key = '', monthly = ''] = /^N-(\d+),.*,(\d+\.50),/.exec(row) ?? [];
        return `${row},${row.startsWith('N-') ? (Number(key) < count ? times(monthly, 23.9) : '') : 'totalCost'}`;
      }),
    );
    expect(second.attention).toEqual(sentences);
  });

  it.each([
    [19, []],
    [20, ['New: 20 deals of retailer night-owl, which had 70']],
  ])('says a retailer with many new deals: %i', async (count, sentences) => {
    // An old list, under ids of its own.
    const { second } = await twoNights(
      lines((all) => [
        ...all,
        ...all.slice(0, count).map((row) => row.replace('N-', 'OLD-').replace(',Plan ', ',Old plan ')),
      ]),
    );
    expect(second.attention).toEqual(sentences);
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
