import { describe, expect, it } from 'vitest';
import type { Catalogue } from '../../../build/catalogue/catalogue.ts';
import { compareSamples } from '../../../build/gate/compare-samples.ts';
import { hashText } from '../../../build/gate/hash-text.ts';
import { LowestHashes } from '../../../build/gate/lowest-hashes.ts';
import { summariseCatalogue } from '../../../build/gate/summarise-catalogue.ts';
import { catalogueSummarySchema, SAMPLE_SIZE } from '../../../data/report/summary.ts';
import { createRandom } from '../../sample/random.ts';
import { createCatalogue } from '../encode/example-catalogue.ts';

/** The example catalogue: three deals of one plan for two products, at 500, 700 and 600 pounds. */
function createExample(): Catalogue {
  return createCatalogue();
}

/** The sample of one feed after a change to every deal of the example. */
function sampleOf(change: (catalogue: Catalogue) => Catalogue = (catalogue) => catalogue) {
  const [feed] = summariseCatalogue(change(createExample()), 'GBP').feeds;
  return feed?.sample;
}

function withDeals(parts: Partial<Catalogue['deals']>): (catalogue: Catalogue) => Catalogue {
  return (catalogue) => ({ ...catalogue, deals: { ...catalogue.deals, ...parts } });
}

describe('the summary of a catalogue', () => {
  it('has the figures of every source, retailer and network', () => {
    const summary = summariseCatalogue(createExample(), 'GBP');
    expect(catalogueSummarySchema.parse(summary)).toEqual(summary);
    const figures = {
      deals: 3,
      products: 2,
      zeroUpfront: 3,
      zeroMonthly: 0,
      unlimitedData: 0,
      medianTotalPence: 60_000,
    };
    expect(summary).toMatchObject({
      currency: 'GBP',
      cms: [{ name: 'site', products: 3 }],
      feeds: [
        {
          name: 'house',
          ...figures,
          retailers: [{ id: '31', slug: 'phone-barn', ...figures }],
          networks: [{ id: '21', slug: 'aurora', ...figures }],
        },
      ],
    });
    expect(summary.cms[0]?.sample).toHaveLength(3);
    expect(summary.feeds[0]?.sample.key).toHaveLength(3);
  });

  it('parts the deals by source, in order of name', () => {
    const originAt = (row: number) => ({ source: row === 0 ? 'zed' : 'abc', file: 'x.csv', line: row + 1 });
    const { feeds } = summariseCatalogue(withDeals({ originAt })(createExample()), 'GBP');
    expect(feeds.map(({ name, deals }) => [name, deals])).toEqual([
      ['abc', 2],
      ['zed', 1],
    ]);
  });

  it('has nothing of a source without a record', () => {
    const { records, deals } = createExample();
    const empty = {
      records: { ...records, products: [] },
      deals: { ...deals, rowCount: 0, runStart: new Uint32Array(1) },
    };
    expect(summariseCatalogue(empty, 'EUR')).toEqual({ currency: 'EUR', cms: [], feeds: [] });
  });
});

describe('the sample of a source', () => {
  const plan = createExample().deals.plans[0];

  it.each<[string, Parameters<typeof withDeals>[0], boolean]>([
    ['another name of the contract', { plans: plan === undefined ? [] : [{ ...plan, contractName: 'Plan 5' }] }, false],
    ['more data', { plans: plan === undefined ? [] : [{ ...plan, dataMegabytes: 'unlimited' }] }, true],
    ['another length', { plans: plan === undefined ? [] : [{ ...plan, contractMonths: 12 }] }, true],
    ['another network', { plans: plan === undefined ? [] : [{ ...plan, network: 1 }] }, true],
    ['another path of the link', { linkTemplates: [{ prefix: 'https://shop.example/x?', suffix: '' }] }, false],
    ['another host of the link', { linkTemplates: [{ prefix: 'https://other.example/', suffix: '?a=1' }] }, true],
  ])('shows that the deals are others: %s', (_, parts, isOther) => {
    expect(sampleOf(withDeals(parts))?.offer.join() !== sampleOf()?.offer.join()).toBe(isOther);
    expect(sampleOf(withDeals(parts))?.key).toEqual(sampleOf()?.key);
  });

  it('knows deals by retailer and key', () => {
    expect(sampleOf(withDeals({ keyAt: (row) => `X-${row}` }))?.key).not.toEqual(sampleOf()?.key);
  });
});

describe('the lowest hashes', () => {
  const texts = Array.from({ length: 5_000 }, (_, i) => `31 H-${i}`);

  function sample(list: readonly string[]): readonly number[] {
    const lowest = new LowestHashes<{ readonly hash: number }>();
    for (const text of list) lowest.offer(hashText(text), () => ({ hash: hashText(text) }));
    return lowest.list().map(({ hash }) => hash);
  }

  it('are the lowest, in order, whatever the order they come in', () => {
    const random = createRandom(7);
    const shuffled = texts.map((text) => ({ text, at: random.next() })).sort((a, b) => a.at - b.at);
    const expected = texts
      .map(hashText)
      .sort((a, b) => a - b)
      .slice(0, SAMPLE_SIZE);
    expect(sample(texts)).toEqual(expected);
    expect(sample(shuffled.map(({ text }) => text))).toEqual(expected);
    expect(sample([...texts, ...texts])).toEqual(expected);
    expect(sample(texts.slice(0, 10))).toHaveLength(10);
  });

  it.each([
    [1, 5_000],
    [0.9, 5_000],
    [0.5, 5_000],
    [0.5, 20_000],
    [0, 5_000],
  ])('say within a few hundredths that a share of %d is still there, among %d', (share, count) => {
    const now = Array.from({ length: count }, (_, i) => (i < share * texts.length ? `31 H-${i}` : `31 new-${i}`));
    const { comparableCount, pairs } = compareSamples(sample(texts), sample(now));
    expect(comparableCount).toBeGreaterThan(40);
    expect(pairs.length / comparableCount).toBeCloseTo(share, 0.7);
  });

  it('spread evenly, however alike the texts are', () => {
    const below = texts.filter((text) => hashText(text) < 2 ** 31).length;
    expect(below / texts.length).toBeCloseTo(0.5, 1);
    expect(new Set(texts.map(hashText)).size).toBe(texts.length);
  });
});
