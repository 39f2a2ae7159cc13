import { describe, expect, it } from 'vitest';
import { gateSettingsSchema } from '../../../../build/config/gate-settings.ts';
import { GATE_NAMES } from '../../../../build/gate/gates.ts';
import type { GateBaseline, GateInput } from '../../../../build/gate/measurement.ts';
import { parseAcceptances, runGates } from '../../../../build/gate/run-gates.ts';
import type { KeptDeals, KeptParts } from '../../../../build/join/compare-deals.ts';
import { ConfigError } from '../../../../build/source/errors.ts';
import type { CatalogueSummary, CmsParts, FeedSummary, PartSummary } from '../../../../data/report/summary.ts';
import { cms, comparison, feed, feedReport, gateInput, kept, known, part, summary } from './summary-parts.ts';

const NONE: GateBaseline = { kind: 'none', reason: 'nothing was published before' };

function resultOf(gate: string, parts: Partial<GateInput>, accept: readonly string[] = []) {
  return runGates(gateInput(parts), parseAcceptances(accept, ['house', 'awin'])).find((result) => result.gate === gate);
}

/** What becomes of one feed that was like this and is like that. */
function compare(gate: string, before: FeedSummary, now: FeedSummary) {
  return resultOf(`${gate}:house`, { served: known({ feeds: [before] }), summary: summary({ feeds: [now] }) });
}

describe('a build that is like the snapshot being served', () => {
  it('passes every gate', () => {
    const sources = [feedReport('house')];
    const results = runGates(
      gateInput({ sources, served: known({}, sources), requiredSources: new Set(['house']) }),
      [],
    );
    expect(results.filter(({ state }) => state !== 'passed')).toEqual([]);
    expect(new Set(results.map(({ gate }) => gate.split(':')[0]))).toEqual(new Set(GATE_NAMES));
  });
});

describe('lost-deals', () => {
  it.each([
    [1000, 1000, 'passed', '0 of 1000 (0 %, at most 10 %)'],
    [1000, 2000, 'passed', '0 of 1000 (0 %, at most 10 %)'],
    [1000, 900, 'passed', '100 of 1000 (10 %, at most 10 %)'],
    [1000, 899, 'refused', '101 of 1000 (10.1 %, at most 10 %)'],
    [250, 224, 'refused', '26 of 250 (10.4 %, at most 10 %)'],
    [100, 85, 'passed', '15 of 100 (15 %, at most 15.8 %)'],
    [100, 84, 'refused', '16 of 100 (16 %, at most 15.8 %)'],
    [20, 13, 'passed', '7 of 20 (35 %, at most 35.4 %)'],
    [20, 12, 'refused', '8 of 20 (40 %, at most 35.4 %)'],
    [20, 0, 'refused', '20 of 20 (100 %, at most 35.4 %)'],
    [19, 1, 'silent', '19 deals before; 20 needed'],
  ])(
    '%d deals of a source before and %d now: %s, with room for chance where they are few',
    (before, now, state, detail) => {
      expect(compare('lost-deals', feed('house', before), feed('house', now))).toMatchObject({ state, detail });
    },
  );

  it('says what it measured and the most that passes', () => {
    expect(compare('lost-deals', feed('house', 1000), feed('house', 750))).toEqual({
      gate: 'lost-deals:house',
      state: 'refused',
      detail: '250 of 1000 (25 %, at most 10 %)',
      measured: 0.25,
      limit: 0.1,
    });
  });

  it('leaves more room where the source was read longer ago', () => {
    const parts = { served: known({ feeds: [feed('house', 20)] }), summary: summary({ feeds: [feed('house', 12)] }) };
    expect(resultOf('lost-deals:house', parts)).toMatchObject({ state: 'refused' });
    expect(resultOf('lost-deals:house', { ...parts, now: new Date('2026-11-22T02:30:00Z') })).toMatchObject({
      state: 'passed',
      detail: '8 of 20 (40 %, at most 45 %)',
    });
  });

  it('knows a source that is configured no longer', () => {
    const served = known({ feeds: [feed('house', 1000), feed('awin', 1000)] });
    expect(resultOf('lost-deals:awin', { served })).toMatchObject({ state: 'refused' });
    expect(resultOf('lost-deals:awin', { served }, ['lost-deals:awin'])).toMatchObject({ state: 'accepted' });
  });

  it('does not miss a source that has been withdrawn for its age', () => {
    const served = known({ feeds: [feed('house', 1000), feed('awin', 1000)] });
    const results = runGates(gateInput({ served, expiredSources: new Set(['awin']) }), []);
    expect(results.filter(({ gate, state }) => gate.endsWith(':awin') || state === 'refused')).toEqual([]);
  });

  it('looks at all sources together, but for those that are refused on their own', () => {
    const before = [feed('house', 1000), ...['a', 'b', 'c'].map((name) => feed(name, 15))];
    const together = { served: known({ feeds: before.slice(1) }), summary: summary({ feeds: [feed('a', 15)] }) };
    expect(resultOf('lost-deals', together)).toMatchObject({
      state: 'refused',
      detail: '30 of 45 (66.7 %, at most 23.6 %)',
    });
    const one = {
      served: known({ feeds: before }),
      summary: summary({ feeds: [feed('house', 500), ...before.slice(1)] }),
    };
    expect(resultOf('lost-deals:house', one)).toMatchObject({ state: 'refused' });
    expect(resultOf('lost-deals', one)).toMatchObject({
      state: 'passed',
      detail: '0 of 45 (0 %, at most 23.6 %)',
    });
  });

  it('never takes none at all for little, however few there were', () => {
    const parts = { served: known({ feeds: [feed('house', 3)] }), summary: summary({ feeds: [] }) };
    expect(resultOf('lost-deals', parts)).toMatchObject({
      state: 'refused',
      detail: '3 of 3 (100 %, at most 45 %)',
    });
  });
});

describe('many-entries', () => {
  const withPlans = (plans: number, state: 'fresh' | 'carried-forward' = 'fresh') => ({
    served: NONE,
    sources: [feedReport('house', { state })],
    summary: summary({
      feeds: [
        feed('house', 90_000, { entries: { plans, gifts: 1, cashbacks: 0, pictures: 50_000, linkTemplates: 1 } }),
      ],
    }),
  });

  it.each([
    [50_000, 'passed', '50000 different plans, at most 50000'],
    [50_001, 'refused', '50001 different plans, at most 50000'],
  ])('%d different plans of a feed, regardless of what was served before: %s', (plans, state, detail) => {
    expect(resultOf('many-entries:house', withPlans(plans))).toMatchObject({ state, detail });
  });

  it('says nothing of a feed that is carried forward: it passed when it was read, under the limit of that day', () => {
    expect(resultOf('many-entries:house', withPlans(50_001, 'carried-forward'))).toBeUndefined();
  });
});

describe('server-memory', () => {
  it.each([
    [450e6, 'passed', 'a server needs about 450 MB, at most 450 MB'],
    [450e6 + 1, 'refused', 'a server needs about 451 MB, at most 450 MB'],
  ])('a catalogue for which a server needs %d bytes: %s', (serverBytes, state, detail) => {
    const parts = { served: NONE, summary: summary({ serverBytes }) };
    expect(resultOf('server-memory', parts)).toMatchObject({ state, detail });
    expect(resultOf('server-memory', parts, ['server-memory'])?.state).toBe(state === 'passed' ? state : 'accepted');
  });
});

describe('lost-products', () => {
  it.each([
    [1000, 900, 'passed'],
    [1000, 899, 'refused'],
    [100, 80, 'refused'],
    [19, 1, 'silent'],
  ])('%d products of a source before and %d now: %s', (before, now, state) => {
    const parts = { served: known({ cms: [cms('site', before)] }), summary: summary({ cms: [cms('site', now)] }) };
    expect(resultOf('lost-products:site', parts)).toMatchObject({ state });
  });
});

describe('lost-content', () => {
  it.each([
    [1000, {}, 'passed', ''],
    [1000, { texts: 899 }, 'refused', 'products with texts: 101 of 1000'],
    [1000, { specs: 500 }, 'refused', 'products with specs: 500 of 1000'],
    [1000, { pictures: 0 }, 'refused', 'products with pictures: 1000 of 1000'],
    [1000, { gifts: 0 }, 'refused', 'gifts: 14 of 14'],
    [1000, { giftCategories: 0 }, 'refused', 'gift categories: 5 of 5'],
    // As many as an editor may take out, or too few to tell.
    [1000, { gifts: 1 }, 'passed', ''],
    [1000, { networks: 0 }, 'passed', ''],
    // What went with products is told by lost-products.
    [500, { texts: 500, specs: 500, pictures: 500 }, 'passed', ''],
    [500, { texts: 400, specs: 500, pictures: 500 }, 'refused', 'products with texts: 100 of 500'],
  ])('%d products with %j of the parts before: %s', (products, now, state, detail) => {
    const before = cms('site', 1000);
    const parts = {
      served: known({ cms: [before] }),
      summary: summary({ cms: [{ ...before, products, parts: { ...before.parts, ...now } as CmsParts }] }),
    };
    const result = resultOf('lost-content:site', parts);
    expect(result?.state).toBe(state);
    expect(result?.detail).toContain(detail);
  });

  it('is silent where the build before did not count', () => {
    const { parts: _, ...older } = cms('site', 1000);
    const parts = { served: known({ cms: [older] }), summary: summary({ cms: [cms('site', 1000)] }) };
    expect(resultOf('lost-content:site', parts)).toMatchObject({ state: 'silent' });
  });
});

describe('lost-retailers and lost-networks', () => {
  it.each([
    [[part('31', 'barn', 100), part('32', 'owl', 300)], 'passed', 'retailer barn: 0 of 100 (0 %, at most 50 %)'],
    [[part('31', 'barn', 50), part('32', 'owl', 300)], 'passed', 'retailer barn: 50 of 100 (50 %, at most 50 %)'],
    [[part('31', 'barn', 49), part('32', 'owl', 300)], 'refused', 'retailer barn: 51 of 100 (51 %, at most 50 %)'],
    [[part('32', 'owl', 300)], 'refused', 'retailer barn: 100 of 100 (100 %, at most 50 %)'],
    [[], 'refused', 'retailer barn: 100 of 100 (100 %, at most 50 %); 1 more are like it'],
  ])('now %j: %s', (retailers, state, detail) => {
    const before = { retailers: [part('31', 'barn', 100), part('32', 'owl', 300), part('33', 'few', 19)] };
    expect(compare('lost-retailers', feed('house', 419, before), feed('house', 419, { retailers }))).toMatchObject({
      state,
      detail,
    });
  });

  it('are silent about a source that lost-deals refuses: one loss is one refusal', () => {
    const results = runGates(gateInput({ summary: summary({ feeds: [] }) }), []);
    expect(results.filter(({ state }) => state === 'refused').map(({ gate }) => gate)).toEqual(['lost-deals:house']);
  });

  it('are silent about a source of which no part has enough deals', () => {
    const few = { networks: [part('21', 'aurora', 19)] };
    expect(compare('lost-networks', feed('house', 20, few), feed('house', 20, { networks: [] }))).toMatchObject({
      state: 'silent',
      detail: 'no network with 20 deals before to compare',
    });
  });
});

describe('gained-deals and gained-products', () => {
  it.each([
    [1000, 2000, 'passed', '1000 more than the 1000 before (100 %, at most 100 %)'],
    [1000, 2001, 'refused', '1001 more than the 1000 before (100.1 %, at most 100 %)'],
    [1000, 10, 'passed', '0 more than the 1000 before (0 %, at most 100 %)'],
  ])('%d deals before and %d now: %s', (before, now, state, detail) => {
    expect(compare('gained-deals', feed('house', before), feed('house', now))).toMatchObject({ state, detail });
  });

  it('products alike', () => {
    const parts = { served: known({ cms: [cms('site', 100)] }), summary: summary({ cms: [cms('site', 201)] }) };
    expect(resultOf('gained-products:site', parts)).toMatchObject({ state: 'refused' });
  });

  it('a source that is new is compared with nothing', () => {
    const parts = { summary: summary({ feeds: [feed('house', 1000), feed('awin', 5000)] }) };
    expect(resultOf('gained-deals:awin', parts)).toMatchObject({
      state: 'silent',
      detail: '0 deals before; 20 needed',
    });
  });
});

describe('quarantined', () => {
  it.each([
    ['at the limit', { read: 1000, quarantined: 200 }, 'passed', '200 of 1000 (20 %, at most 20 %)'],
    ['above it', { read: 1000, quarantined: 201 }, 'refused', '201 of 1000 (20.1 %, at most 20 %)'],
    [
      'above it, of those in scope',
      { read: 1000, outOfScope: 600, quarantined: 81 },
      'refused',
      '81 of 400 (20.3 %, at most 20 %)',
    ],
    ['few, with room for chance', { quarantined: 22 }, 'passed', '22 of 100 (22 %, at most 22 %)'],
    ['too many of few', { quarantined: 23 }, 'refused', '23 of 100 (23 %, at most 22 %)'],
    ['too few to say', { read: 19, quarantined: 19 }, 'silent', '19 records in scope; 20 needed'],
    ['none in scope', { outOfScope: 100 }, 'silent', '0 records in scope; 20 needed'],
  ])('%s', (_, counts, state, detail) => {
    const parts = { served: NONE, sources: [feedReport('house', counts)] };
    expect(resultOf('quarantined:house', parts)).toMatchObject({ state, detail });
  });

  it('speaks of few records of a source that had many before', () => {
    const parts = {
      served: known({}, [feedReport('house')]),
      sources: [feedReport('house', { read: 3, quarantined: 3 })],
    };
    expect(resultOf('quarantined:house', parts)).toMatchObject({ state: 'refused' });
  });

  it.each(['failed', 'absent', 'carried-forward'] as const)('says nothing of a source that is %s', (state) => {
    expect(resultOf('quarantined:house', { sources: [feedReport('house', { state, read: 0 })] })).toBeUndefined();
  });
});

describe('duplicates', () => {
  it.each([
    [{ duplicate: 30 }, 'passed', '30 % of the records are duplicates, 10 % before, at most 20 % more'],
    [{ duplicate: 31 }, 'refused', '31 % of the records are duplicates, 10 % before, at most 20 % more'],
    [{ duplicate: 0 }, 'passed', '0 % of the records are duplicates, 10 % before, at most 20 % more'],
  ])('%j of 100, 10 before: %s', (counts, state, detail) => {
    const parts = {
      served: known({}, [feedReport('house', { duplicate: 10 })]),
      sources: [feedReport('house', counts)],
    };
    expect(resultOf('duplicates:house', parts)).toMatchObject({ state, detail });
  });
});

/** What becomes of the feed `house` of which these deals are still there under their keys. */
function compareKept(gate: string, all: KeptDeals, parts: Partial<KeptParts> = {}, feeds: Partial<FeedSummary> = {}) {
  return resultOf(`${gate}:house`, {
    served: known({ feeds: [feed('house', 1000, feeds)] }),
    summary: summary({ feeds: [feed('house', 1000, feeds)] }),
    comparison: comparison(all, parts),
  });
}

/** A retailer of 250 deals in the feed of 1,000, and a network of as many. */
const PARTS = {
  retailers: [part('31', 'barn', 250), part('32', 'owl', 750)],
  networks: [part('21', 'aurora', 250), part('22', 'borealis', 750)],
};

function ofRetailer(deals: KeptDeals): Partial<KeptParts> {
  return {
    retailers: new Map([
      ['31', deals],
      ['32', kept(750)],
    ]),
    networks: new Map(),
  };
}

function ofNetwork(deals: KeptDeals): Partial<KeptParts> {
  return {
    retailers: new Map(),
    networks: new Map([
      ['21', deals],
      ['22', kept(750)],
    ]),
  };
}

describe('renumbered', () => {
  it.each([
    [100, 100, 50, 'passed', '50 of 100 keys kept (50 %), at least 50 %'],
    [100, 100, 49, 'refused', '49 of 100 keys kept (49 %), at least 50 %'],
    [100, 100, 0, 'refused', '0 of 100 keys kept (0 %), at least 50 %'],
    [1000, 400, 400, 'passed', '400 of 400 keys kept (100 %), at least 50 %'],
    [1000, 400, 190, 'refused', '190 of 400 keys kept (47.5 %), at least 50 %'],
  ])('of %d deals %d are there, %d under the key they had: %s', (before, now, count, state, detail) => {
    const parts = {
      served: known({ feeds: [feed('house', before)] }),
      summary: summary({ feeds: [feed('house', now)] }),
    };
    expect(resultOf('renumbered:house', { ...parts, comparison: comparison(kept(count)) })).toMatchObject({
      state,
      detail,
    });
  });

  it('names the retailer of which all deals have new keys', () => {
    expect(compareKept('renumbered', kept(750), ofRetailer(kept(0)), PARTS)).toMatchObject({
      state: 'refused',
      detail: 'retailer barn: 0 of 250 keys kept (0 %), at least 50 %',
    });
  });

  it('products alike', () => {
    const other = { ...comparison(kept(1000)), cms: new Map([['site', 0]]) };
    expect(resultOf('renumbered:site', { comparison: other })).toMatchObject({
      state: 'refused',
      detail: '0 of 100 keys kept (0 %), at least 50 %',
    });
  });
});

describe('changed-offers', () => {
  it.each([
    [25, 'passed', '25 of 100 deals are other offers (25 %, at most 25.7 %)'],
    [26, 'refused', '26 of 100 deals are other offers (26 %, at most 25.7 %)'],
  ])('%d of 100 deals: %s', (otherOffer, state, detail) => {
    expect(compareKept('changed-offers', kept(100, { marked: { otherOffer } }))).toMatchObject({ state, detail });
  });

  it.each([
    [100, 4, 'passed'],
    [100, 5, 'refused'],
    [1000, 22, 'passed'],
    [1000, 23, 'refused'],
  ])('of %d deals %d moved to another phone, network, length or site: %s', (count, moved, state) => {
    expect(compareKept('changed-offers', kept(count, { marked: { moved, otherOffer: moved } }))).toMatchObject({
      state,
    });
  });

  it.each([
    [
      kept(250, { marked: { otherOffer: 150 } }),
      'refused',
      'retailer barn: 150 of 250 deals are other offers (60 %, at most 25 %)',
    ],
    [
      kept(250, { marked: { moved: 20, otherOffer: 20 } }),
      'refused',
      'retailer barn: 20 of 250 deals moved to another phone, network, length, site or account (8 %, at most 3.5 %)',
    ],
    [
      kept(250, { marked: { otherOffer: 62 } }),
      'passed',
      'retailer barn: 62 of 250 deals are other offers (24.8 %, at most 25 %)',
    ],
  ])('one retailer of a quarter of the deals', (deals, state, detail) => {
    expect(compareKept('changed-offers', kept(1000), ofRetailer(deals), PARTS)).toMatchObject({ state, detail });
  });

  it.each([
    [187, 'passed'],
    [188, 'refused'],
  ])('a network may change its tariffs under their keys, %d of 250: %s', (otherOffer, state) => {
    expect(
      compareKept('changed-offers', kept(1000), ofNetwork(kept(250, { marked: { otherOffer } })), PARTS),
    ).toMatchObject({
      state,
    });
  });

  it.each([
    [40, 40, 'refused'],
    [40, 20, 'passed'],
    [9, 9, 'passed'],
  ])('of %d deals with other minutes than texts %d have them the other way round: %s', (distinct, swapped, state) => {
    const marked = { swappedAllowances: swapped, otherOffer: swapped };
    expect(compareKept('changed-offers', kept(1000, { of: { swappedAllowances: distinct }, marked }))).toMatchObject({
      state,
    });
  });
});

describe('changed-offers: what other deals had', () => {
  it.each([
    [100, 4, 'passed'],
    [100, 5, 'refused'],
    [1000, 22, 'passed'],
    [1000, 23, 'refused'],
  ])('of %d deals %d have the link that another deal had: %s', (count, takenLink, state) => {
    expect(compareKept('changed-offers', kept(count, { marked: { takenLink } }))).toMatchObject({ state });
  });

  it.each([
    ['most of them, on other deals now', { held: 100, changed: 90, passedOn: 85 }, 'refused'],
    ['most of them, replaced by others', { held: 100, changed: 90, passedOn: 40 }, 'passed'],
    ['most of them, and fewer begin', { held: 100, changed: 90, passedOn: 70 }, 'passed'],
    ['half of them', { held: 100, changed: 50, passedOn: 50 }, 'passed'],
    ['all of a few', { held: 9, changed: 9, passedOn: 9 }, 'passed'],
  ])('gifts and cashbacks that go from deals to other deals: %s', (_, changes, state) => {
    for (const name of ['gift', 'cashback']) {
      expect(compareKept('changed-offers', kept(1000, { extras: { [name]: changes } }))).toMatchObject({ state });
    }
  });
});

describe('renamed-records', () => {
  const of = (kind: 'products' | 'networks' | 'retailers', count: number, renamed: number, swapped: number) =>
    resultOf('renamed-records:site', {
      comparison: { ...comparison(kept(1000)), records: [{ source: 'site', kind, count, renamed, swapped }] },
    });

  it.each<[Parameters<typeof of>, string, string]>([
    [['products', 100, 50, 0], 'passed', '50 of 100 products are renamed (50 %, at most 50 %)'],
    [['products', 100, 51, 0], 'refused', '51 of 100 products are renamed (51 %, at most 50 %)'],
    [['products', 100, 2, 2], 'passed', '2 of 100 products are renamed (2 %, at most 50 %)'],
    [['products', 100, 3, 3], 'refused', '3 of 100 products have the name or slug of another (3 %, at most 2 %)'],
    [['products', 19, 19, 19], 'silent', 'too few records under the ids of before'],
    [['networks', 9, 9, 9], 'refused', '9 of 9 networks have the name or slug of another (100 %, at most 22.2 %)'],
    [['networks', 9, 2, 2], 'passed', '2 of 9 networks are renamed (22.2 %, at most 50 %)'],
    [['retailers', 2, 2, 2], 'silent', 'too few records under the ids of before'],
  ])('%j: %s', (counts, state, detail) => {
    expect(of(...counts)).toMatchObject({ state, detail });
  });
});

describe('moved-prices', () => {
  it.each([
    [50, 'passed', /^50 of 100 monthly costs lost their pence/],
    [51, 'refused', /^51 of 100 monthly costs lost their pence \(51 %, at most 50 %\)$/],
  ])('%d of 100 monthly costs without the pence that they had: %s', (lostPence, state, detail) => {
    const result = compareKept('moved-prices', kept(1000, { of: { lostPence: 100 }, marked: { lostPence } }));
    expect(result).toMatchObject({ state });
    expect(result?.detail).toMatch(detail);
  });

  const moves = (count: number, moved: number, by: number): Uint32Array =>
    new Uint32Array(count).fill(by * 10_000, count - moved);
  const pricing = (count: number, moved: number, by: number): KeptDeals =>
    kept(count, { moves: { total: moves(count, moved, by), monthly: moves(count, moved, by) } });

  it.each([
    [100, 0, 'passed', 'the total cost of 60 % of the same deals moved by 0 % or more, at most 10 %'],
    [100, 0.1, 'passed', 'the total cost of 60 % of the same deals moved by 10 % or more, at most 10 %'],
    [100, 0.15, 'refused', 'the total cost of 60 % of the same deals moved by 15 % or more, at most 10 %'],
    [100, 99, 'refused', 'the total cost of 60 % of the same deals moved by 9900 % or more, at most 10 %'],
    [61, 0.5, 'refused', 'the total cost of 60 % of the same deals moved by 50 % or more, at most 10 %'],
    [59, 0.5, 'passed', 'the total cost of 60 % of the same deals moved by 0 % or more, at most 10 %'],
  ])('%d of 100 prices by %d: %s', (moved, by, state, detail) => {
    expect(compareKept('moved-prices', pricing(100, moved, by))).toMatchObject({ state, detail });
  });

  it.each([
    ['lostSum', 400, 100, 'passed'],
    ['lostSum', 400, 101, 'refused'],
    ['lostSum', 9, 9, 'passed'],
    ['halfCashback', 400, 100, 'passed'],
    ['halfCashback', 400, 101, 'refused'],
    ['halfCashback', 9, 9, 'passed'],
  ] as const)('%s, of %d deals %d: %s', (name, of, marked, state) => {
    expect(compareKept('moved-prices', kept(1000, { of: { [name]: of }, marked: { [name]: marked } }))).toMatchObject({
      state,
    });
  });

  it('sees the upfront cost where total and monthly cost move little', () => {
    expect(compareKept('moved-prices', kept(100, { moves: { upfront: moves(100, 100, 1) } }))).toMatchObject({
      state: 'refused',
      detail: 'the upfront cost of 60 % of the same deals moved by 100 % or more, at most 10 %',
    });
  });

  it('sees the monthly cost where the total stays', () => {
    expect(compareKept('moved-prices', kept(100, { moves: { monthly: moves(100, 100, 1) } }))).toMatchObject({
      state: 'refused',
      detail: 'the monthly cost of 60 % of the same deals moved by 100 % or more, at most 10 %',
    });
  });

  it.each([
    ['all of one retailer', ofRetailer(pricing(250, 250, 0.15)), 'refused', 'retailer barn: the total cost of 62.6 %'],
    ['all of one network', ofNetwork(pricing(250, 250, 1)), 'refused', 'network aurora: the total cost of 62.6 %'],
    ['retailer barn on which all is 9% off', ofRetailer(pricing(250, 250, 0.099)), 'passed', ''],
    ['retailer barn, of half of its deals', ofRetailer(pricing(250, 125, 0.3)), 'passed', ''],
    ['retailer barn, of which few deals are left', ofRetailer(pricing(14, 14, 1)), 'passed', ''],
  ])('%s', (_, parts, state, detail) => {
    const result = compareKept('moved-prices', kept(1000), parts, PARTS);
    expect(result).toMatchObject({ state });
    expect(result?.detail).toContain(detail);
  });

  it('speaks of the source where all of it has moved, and of no part', () => {
    expect(compareKept('moved-prices', pricing(1000, 1000, 1), ofRetailer(pricing(250, 250, 5)), PARTS)).toMatchObject({
      state: 'refused',
      detail: expect.stringMatching(/^the total cost of /),
    });
  });

  it('is silent when no deal has the key it had', () => {
    expect(compareKept('moved-prices', kept(0))).toMatchObject({
      state: 'silent',
      detail: '0 deals under a key of before; 10 needed',
    });
  });
});

describe('median-prices', () => {
  it.each([
    [
      'all of it',
      { medianTotalPence: 120_001 },
      'refused',
      'the total cost in the middle went from 600.00 to 1200.01 (100 %), at most 100 %',
    ],
    [
      'half as much',
      { medianTotalPence: 29_999 },
      'refused',
      'the total cost in the middle went from 600.00 to 299.99 (100 %), at most 100 %',
    ],
    [
      'less',
      { medianTotalPence: 110_000 },
      'passed',
      'the total cost in the middle went from 600.00 to 1100.00 (83.3 %), at most 100 %',
    ],
    [
      'one network',
      { networks: [part('21', 'aurora', 1000, { medianTotalPence: 6_000_000 })] },
      'refused',
      'network aurora: the total cost in the middle went from 600.00 to 60000.00 (9900 %), at most 100 %',
    ],
    [
      'a retailer with few deals now',
      { retailers: [part('31', 'barn', 19, { medianTotalPence: 1 })] },
      'passed',
      'the total cost in the middle went from 600.00 to 600.00 (0 %), at most 100 %',
    ],
  ])('%s: %j', (_, now, state, detail) => {
    expect(compare('median-prices', feed('house', 1000), feed('house', 1000, now))).toMatchObject({ state, detail });
  });
});

describe('zero-prices and unlimited', () => {
  it.each([
    [
      'zero-prices',
      { zeroUpfront: 625 },
      'passed',
      '37.5 % of the deals cost something upfront, 75 % before (50 % fewer), at most 50 %',
    ],
    [
      'zero-prices',
      { zeroUpfront: 626 },
      'refused',
      '37.4 % of the deals cost something upfront, 75 % before (50.1 % fewer), at most 50 %',
    ],
    [
      'zero-prices',
      { zeroMonthly: 501 },
      'refused',
      '49.9 % of the deals cost something a month, 100 % before (50.1 % fewer), at most 50 %',
    ],
    [
      'unlimited',
      { unlimitedData: 1000 },
      'refused',
      '0 % of the deals have a limit on their data, 75 % before (100 % fewer), at most 50 %',
    ],
    [
      'unlimited',
      { unlimitedData: 0 },
      'refused',
      '0 % of the deals have unlimited data, 25 % before (100 % fewer), at most 50 %',
    ],
  ])('%s: %j', (gate, now, state, detail) => {
    expect(compare(gate, feed('house', 1000), feed('house', 1000, now))).toMatchObject({ state, detail });
  });

  it.each([
    [995, 1000, 'refused', '0 % of the deals have a limit on their data, 0.5 % before (100 % fewer), at most 70.7 %'],
    [995, 998, 'passed', '0.2 % of the deals have a limit on their data, 0.5 % before (60 % fewer), at most 70.7 %'],
    [996, 1000, 'passed', '100 % of the deals have unlimited data, 99.6 % before (0 % fewer), at most 50 %'],
  ])('where %d of 1000 deals were unlimited and %d are: %s', (before, now, state, detail) => {
    const of = (unlimitedData: number): FeedSummary =>
      feed('house', 1000, { unlimitedData, retailers: [], networks: [] });
    expect(compare('unlimited', of(before), of(now))).toMatchObject({ state, detail });
  });

  it('say nothing of a source without deals, of which lost-deals speaks', () => {
    expect(compare('unlimited', feed('house', 1000), feed('house', 0))).toMatchObject({ state: 'silent' });
  });
});

describe('one retailer or network of a source', () => {
  const owl = part('32', 'owl', 750);
  const borealis = part('22', 'borealis', 750);
  it.each<[string, string, Partial<PartSummary>, string]>([
    ['zero-prices', 'retailers', { zeroUpfront: 250 }, '0 % of the deals cost something upfront'],
    ['zero-prices', 'networks', { zeroUpfront: 250 }, '0 % of the deals cost something upfront'],
    ['unlimited', 'retailers', { unlimitedData: 250 }, '0 % of the deals have a limit on their data'],
    ['lost-links', 'retailers', { links: 1 }, '1 links for 250 deals, 250 for 250 before (99.6 % fewer)'],
  ])('%s of %s: %j', (gate, kind, damage, detail) => {
    const figures = { links: 250 };
    const [id, slug] = kind === 'retailers' ? ['31', 'barn'] : ['21', 'aurora'];
    const of = (parts: Partial<PartSummary>): FeedSummary =>
      feed('house', 1000, {
        retailers: [owl],
        networks: [borealis],
        [kind]: [part(id ?? '', slug ?? '', 250, { ...figures, ...parts }), kind === 'retailers' ? owl : borealis],
      });
    expect(compare(gate, of({}), of({}))).toMatchObject({ state: 'passed' });
    const result = compare(gate, of({}), of(damage));
    expect(result).toMatchObject({ state: 'refused' });
    expect(result?.detail).toContain(`${kind.slice(0, -1)} ${slug}: ${detail}`);
  });
});

describe('field-gone', () => {
  const of = (filled: number, records = 2884): Partial<CatalogueSummary> => ({
    fields: [
      {
        source: 'house',
        fields: [
          { field: 'condition', filled, records },
          { field: 'gift', filled: 9, records },
        ],
      },
    ],
  });
  const gone = (before: Partial<CatalogueSummary>, now: Partial<CatalogueSummary>, adapter = 'deals') =>
    resultOf('field-gone:house', {
      sources: [feedReport('house', { adapter })],
      served: known(before, [feedReport('house')]),
      summary: summary(now),
    });

  it.each([
    [354, 0, 'refused', 'condition was filled in 354 of 2,884 records, now in none'],
    [354, 1, 'passed', '1 fields were filled, and are'],
    [144, 0, 'passed', '0 fields were filled, and are'],
    [145, 0, 'refused', 'condition was filled in 145 of 2,884 records, now in none'],
  ])('condition in %d records before and in %d now: %s', (before, now, state, detail) => {
    expect(gone(of(before), of(now))).toMatchObject({ state, detail });
  });

  it('needs minRows records with the field', () => {
    expect(gone(of(19, 30), of(0, 30))).toMatchObject({ state: 'passed' });
    expect(gone(of(20, 30), of(0, 30))).toMatchObject({ state: 'refused' });
  });

  it('calls the field what the file called it, and names the others', () => {
    const before = { field: 'condition', name: 'State', filled: 50, records: 100 };
    const others = { field: 'inStock', filled: 40, records: 100 };
    const result = gone(
      { fields: [{ source: 'house', fields: [others, before] }] },
      { fields: [{ source: 'house', fields: [{ field: 'dealId', filled: 100, records: 100 }] }] },
    );
    expect(result).toMatchObject({ detail: 'State was filled in 50 of 100 records, now in none; so are inStock' });
  });

  it('is silent where the snapshot being served has no counts, and of a feed that is read by another adapter', () => {
    const { fields: _, ...older } = summary();
    const baseline = known({}, [feedReport('house')]);
    const served = { ...baseline, report: { summary: older } } as GateBaseline;
    expect(resultOf('field-gone', { served, sources: [feedReport('house')] })).toMatchObject({ state: 'silent' });
    expect(gone(of(354), of(0), 'csv')).toBeUndefined();
  });

  it('says nothing of the records of a CMS list that has none any more', () => {
    const site = (field: string): Partial<CatalogueSummary> => ({
      fields: [{ source: 'site', fields: [{ field, filled: 50, records: 50 }] }],
    });
    const sources = [feedReport('site', { kind: 'cms', adapter: 'catalogue' })];
    const served = known(site('gifts.slug'), sources);
    expect(resultOf('field-gone:site', { sources, served, summary: summary(site('products.slug')) })).toMatchObject({
      state: 'passed',
    });
  });
});

describe('price-jump', () => {
  it('refuses nothing, and is on record as accepted where the prices were taken', () => {
    const sources = [feedReport('house')];
    const jumps = (heldOut: number, accepted: number) => ({
      sources,
      comparison: { ...comparison(kept(1000)), jumps: new Map([['house', { heldOut, accepted }]]) },
    });
    expect(resultOf('price-jump:house', jumps(3, 0))).toEqual({
      gate: 'price-jump:house',
      state: 'passed',
      detail: '3 deals whose price jumped are held out for one build',
    });
    expect(resultOf('price-jump:house', jumps(0, 2), ['price-jump:house'])).toEqual({
      gate: 'price-jump:house',
      state: 'accepted',
      detail: '2 deals whose price jumped are taken at once',
    });
  });
});

describe('the catalogue as a whole', () => {
  it.each([
    [1, 'passed'],
    [0, 'refused'],
  ])('no-products: %d products, on the first build too: %s', (count, state) => {
    const parts = { served: NONE, summary: summary({ cms: count === 0 ? [] : [cms('site', count)] }) };
    expect(resultOf('no-products', parts)).toEqual({
      gate: 'no-products',
      state,
      detail: `the catalogue has ${count} products`,
    });
  });

  it.each([
    ['GBP', 'passed', 'prices are in GBP, and were in GBP'],
    ['EUR', 'refused', 'prices are in EUR, and were in GBP'],
  ])('currency: %s', (currency, state, detail) => {
    expect(resultOf('currency', { summary: summary({ currency }) })).toMatchObject({ state, detail });
  });

  it('unreadable-snapshot: what should be compared and cannot be is refused, until that is accepted', () => {
    const served: GateBaseline = { kind: 'unreadable', reason: 'manifest.json: damaged' };
    const detail = 'the current snapshot cannot be compared with: manifest.json: damaged';
    expect(runGates(gateInput({ served }), []).filter(({ state }) => state === 'refused')).toEqual([
      { gate: 'unreadable-snapshot', state: 'refused', detail },
    ]);
    expect(resultOf('unreadable-snapshot', { served }, ['unreadable-snapshot'])).toMatchObject({ state: 'accepted' });
  });

  it('on the first build every gate that compares is silent', () => {
    const results = runGates(gateInput({ served: NONE, sources: [feedReport('house')] }), []);
    expect(results.filter(({ state }) => state === 'refused')).toEqual([]);
    expect(results.filter(({ state }) => state === 'passed').map(({ gate }) => gate)).toEqual([
      'no-products',
      'quarantined:house',
      'many-entries:house',
      'server-memory',
    ]);
  });

  it.each<GateBaseline>([NONE, { kind: 'unreadable', reason: 'damaged' }])(
    'where there is nothing to compare with ($kind), every gate says so once, however many sources there are',
    (served) => {
      const sources = [feedReport('site', { kind: 'cms' }), feedReport('house'), feedReport('awin')];
      const names = runGates(gateInput({ served, sources }), []).map(({ gate }) => gate);
      expect(names).toEqual([...new Set(names)]);
    },
  );
});

describe('required-source', () => {
  it.each([
    ['fresh', 'passed', 'was read'],
    ['carried-forward', 'refused', 'is held'],
    ['failed', 'refused', 'could not be read'],
    ['absent', 'refused', 'has no file'],
  ] as const)('a required source that is %s: %s', (state, expected, detail) => {
    const parts = { sources: [feedReport('house', { state }), feedReport('awin', { state: 'failed' as const })] };
    const requiredSources = new Set(['house']);
    expect(resultOf('required-source:house', { ...parts, requiredSources })).toEqual({
      gate: 'required-source:house',
      state: expected,
      detail: `the source ${detail}`,
    });
    expect(resultOf('required-source:awin', { ...parts, requiredSources })).toBeUndefined();
  });
});

describe('every limit can be set', () => {
  it.each([
    ['maxLostDeals', 'lost-deals', { deals: 500 }],
    ['maxLostPart', 'lost-retailers', { retailers: [part('31', 'barn', 400)] }],
    ['maxGainedDeals', 'gained-deals', { deals: 3000 }],
    ['maxMedianMove', 'median-prices', { medianTotalPence: 180_000 }],
    ['maxZeroedPrices', 'zero-prices', { zeroUpfront: 900 }],
    ['maxLiftedLimits', 'unlimited', { unlimitedData: 900 }],
  ])('%s', (name, gate, now: Partial<FeedSummary>) => {
    const parts = { summary: summary({ feeds: [feed('house', 1000, now)] }) };
    const withLimit = (limit: number) => ({ ...parts, settings: gateSettingsSchema.parse({ [name]: limit }) });
    expect(resultOf(`${gate}:house`, parts)).toMatchObject({ state: 'refused' });
    expect(
      resultOf(`${gate}:house`, withLimit(name === 'maxGainedDeals' || name === 'maxMedianMove' ? 2 : 1)),
    ).toMatchObject({
      state: 'passed',
    });
  });

  it('minRows', () => {
    const parts = { served: known({ feeds: [feed('house', 5)] }), summary: summary({ feeds: [feed('house', 0)] }) };
    expect(resultOf('lost-deals:house', parts)).toMatchObject({ state: 'silent' });
    const settings = gateSettingsSchema.parse({ minRows: 5 });
    expect(resultOf('lost-deals:house', { ...parts, settings })).toMatchObject({ state: 'refused' });
  });
});

describe('--accept', () => {
  const sources = [feedReport('house', { quarantined: 50 }), feedReport('awin', { quarantined: 50 })];

  it.each([
    [[], ['refused', 'refused']],
    [['quarantined:house'], ['accepted', 'refused']],
    [['quarantined'], ['accepted', 'accepted']],
    [['lost-deals'], ['refused', 'refused']],
  ])('%j', (accept, states) => {
    const results = runGates(gateInput({ sources }), parseAcceptances(accept, ['house', 'awin']));
    expect(results.filter(({ gate }) => gate.startsWith('quarantined')).map(({ state }) => state)).toEqual(states);
  });

  it('changes nothing about a gate that passes', () => {
    expect(resultOf('lost-deals', {}, ['lost-deals'])).toMatchObject({ state: 'passed' });
  });

  const gates = GATE_NAMES.join(', ');
  it.each([
    ['lost', `--accept: expected <gate> or <gate>:<source> with a gate of ${gates}, got "lost"`],
    ['', `--accept: expected <gate> or <gate>:<source> with a gate of ${gates}, got ""`],
    [
      'quarantined:house:x',
      `--accept: expected <gate> or <gate>:<source> with a gate of ${gates}, got "quarantined:house:x"`,
    ],
    ['quarantined:hose', '--accept: expected a source of house, awin, got "quarantined:hose"'],
    ['currency:house', '--accept: expected currency without a source, got "currency:house"'],
  ])('refuses %j', (word, message) => {
    expect(() => parseAcceptances([word], ['house', 'awin'])).toThrow(new ConfigError([message]));
  });
});
