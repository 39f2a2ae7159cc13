import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../build/config-error.ts';
import { parseAcceptances } from '../../../build/gate/acceptance.ts';
import type { GateBaseline, GateInput } from '../../../build/gate/gate-input.ts';
import { gateSettingsSchema } from '../../../build/gate/gate-setting.ts';
import { GATE_NAMES } from '../../../build/gate/gate.ts';
import { passGates } from '../../../build/gate/pass-gates.ts';
import type { FeedSummary } from '../../../data/report/summary.ts';
import { cms, feed, feedReport, gateInput, known, part, summary } from './summary-parts.ts';

const NONE: GateBaseline = { kind: 'none', reason: 'nothing was published before' };

function resultOf(gate: string, parts: Partial<GateInput>, accept: readonly string[] = []) {
  return passGates(gateInput(parts), parseAcceptances(accept, ['house', 'awin'])).find(
    (result) => result.gate === gate,
  );
}

/** What becomes of one feed that was like this and is like that. */
function compare(gate: string, before: FeedSummary, now: FeedSummary) {
  return resultOf(`${gate}:house`, { served: known({ feeds: [before] }), summary: summary({ feeds: [now] }) });
}

describe('a build that is like the snapshot being served', () => {
  it('passes every gate', () => {
    const sources = [feedReport('house')];
    const results = passGates(
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
    const results = passGates(gateInput({ served, withdrawnSources: new Set(['awin']) }), []);
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

describe('lost-retailers and lost-networks', () => {
  it.each([
    [[part('31', 'barn', 100), part('32', 'owl', 300)], 'passed', 'retailer "barn": 0 of 100 (0 %, at most 50 %)'],
    [[part('31', 'barn', 50), part('32', 'owl', 300)], 'passed', 'retailer "barn": 50 of 100 (50 %, at most 50 %)'],
    [[part('31', 'barn', 49), part('32', 'owl', 300)], 'refused', 'retailer "barn": 51 of 100 (51 %, at most 50 %)'],
    [[part('32', 'owl', 300)], 'refused', 'retailer "barn": 100 of 100 (100 %, at most 50 %)'],
    [[], 'refused', 'retailer "barn": 100 of 100 (100 %, at most 50 %); 1 more are like it'],
  ])('now %j: %s', (retailers, state, detail) => {
    const before = { retailers: [part('31', 'barn', 100), part('32', 'owl', 300), part('33', 'few', 19)] };
    expect(compare('lost-retailers', feed('house', 419, before), feed('house', 419, { retailers }))).toMatchObject({
      state,
      detail,
    });
  });

  it('are silent about a source that lost-deals refuses: one loss is one refusal', () => {
    const results = passGates(gateInput({ summary: summary({ feeds: [] }) }), []);
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

describe('renumbered', () => {
  const { sample } = feed('house', 1000);
  const keeping = (count: number): Partial<FeedSummary> => ({
    sample: { ...sample, key: sample.key.map((key) => (key <= count ? key : key + 1_000)) },
  });

  it.each([
    [50, 'passed', '50 of 100 keys kept (50 %), at least 50 %'],
    [49, 'refused', '49 of 100 keys kept (49 %), at least 50 %'],
    [0, 'refused', '0 of 100 keys kept (0 %), at least 50 %'],
  ])('%d deals of 100 under the key they had: %s', (count, state, detail) => {
    expect(compare('renumbered', feed('house', 100), feed('house', 100, keeping(count)))).toMatchObject({
      state,
      detail,
    });
  });

  it.each([
    [1000, 400, 40, 'passed', '40 of 40 keys kept (100 %), at least 50 %'],
    [1000, 400, 19, 'refused', '19 of 40 keys kept (47.5 %), at least 50 %'],
  ])(
    'of %d deals %d are there, and %d of 100 sampled: %s, since the others are lost',
    (before, now, count, state, detail) => {
      expect(compare('renumbered', feed('house', before), feed('house', now, keeping(count)))).toMatchObject({
        state,
        detail,
      });
    },
  );

  it('products alike', () => {
    const other = { name: 'site', products: 100, sample: cms('site', 100).sample.map((hash) => hash + 1_000) };
    const parts = { served: known(), summary: summary({ cms: [other] }) };
    expect(resultOf('renumbered:site', parts)).toMatchObject({
      state: 'refused',
      detail: '0 of 100 keys kept (0 %), at least 50 %',
    });
  });
});

describe('changed-offers', () => {
  const offering = (changed: number): Partial<FeedSummary> => {
    const { sample } = feed('house', 1000);
    return { sample: { ...sample, offer: sample.offer.map((offer, i) => (i < changed ? offer + 1 : offer)) } };
  };

  it.each([
    [25, 'passed', '25 of 100 (25 %, at most 25.7 %)'],
    [26, 'refused', '26 of 100 (26 %, at most 25.7 %)'],
  ])('%d of 100 sampled deals: %s', (changed, state, detail) => {
    expect(compare('changed-offers', feed('house', 1000), feed('house', 1000, offering(changed)))).toMatchObject({
      state,
      detail,
    });
  });
});

describe('moved-prices', () => {
  const pricing = (part: number, factor: number): Partial<FeedSummary> => {
    const { sample } = feed('house', 1000);
    const price = (pence: number, i: number): number => (i < part ? Math.round(pence * factor) : pence);
    return {
      sample: { ...sample, totalPence: sample.totalPence.map(price), monthlyPence: sample.monthlyPence.map(price) },
    };
  };

  it.each([
    [100, 1, 'passed', 'the total cost of 60 % of the same deals moved by 0 % or more, at most 10 %'],
    [100, 1.1, 'passed', 'the total cost of 60 % of the same deals moved by 10 % or more, at most 10 %'],
    [100, 1.15, 'refused', 'the total cost of 60 % of the same deals moved by 15 % or more, at most 10 %'],
    [100, 100, 'refused', 'the total cost of 60 % of the same deals moved by 9900 % or more, at most 10 %'],
    [100, 0.85, 'refused', 'the total cost of 60 % of the same deals moved by 17.6 % or more, at most 10 %'],
    [61, 1.5, 'refused', 'the total cost of 60 % of the same deals moved by 50 % or more, at most 10 %'],
    [59, 1.5, 'passed', 'the total cost of 60 % of the same deals moved by 0 % or more, at most 10 %'],
  ])('%d of 100 prices times %d: %s', (part, factor, state, detail) => {
    expect(compare('moved-prices', feed('house', 1000), feed('house', 1000, pricing(part, factor)))).toMatchObject({
      state,
      detail,
    });
  });

  it('sees the monthly cost where the total stays', () => {
    const { sample } = feed('house', 1000, pricing(100, 2));
    const now = feed('house', 1000, { sample: { ...sample, totalPence: feed('house', 1000).sample.totalPence } });
    expect(compare('moved-prices', feed('house', 1000), now)).toMatchObject({
      state: 'refused',
      detail: 'the monthly cost of 60 % of the same deals moved by 100 % or more, at most 10 %',
    });
  });

  it('is silent when no deal has the key it had', () => {
    const now = feed('house', 1000, { sample: { key: [], offer: [], totalPence: [], monthlyPence: [] } });
    expect(compare('moved-prices', feed('house', 1000), now)).toMatchObject({
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
      'network "aurora": the total cost in the middle went from 600.00 to 60000.00 (9900 %), at most 100 %',
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
      'passed',
      '100 % of the deals have a limit on their data, 75 % before (0 % fewer), at most 50 %',
    ],
  ])('%s: %j', (gate, now, state, detail) => {
    expect(compare(gate, feed('house', 1000), feed('house', 1000, now))).toMatchObject({ state, detail });
  });

  it.each([
    [995, 1000, 'refused', '0 % of the deals have a limit on their data, 0.5 % before (100 % fewer), at most 70.7 %'],
    [995, 998, 'passed', '0.2 % of the deals have a limit on their data, 0.5 % before (60 % fewer), at most 70.7 %'],
    [996, 1000, 'silent', '4 deals that have a limit on their data before, and 1000 deals now; 5 and 1 needed'],
  ])('where %d of 1000 deals were unlimited and %d are: %s', (before, now, state, detail) => {
    const of = (unlimitedData: number): FeedSummary => feed('house', 1000, { unlimitedData });
    expect(compare('unlimited', of(before), of(now))).toMatchObject({ state, detail });
  });

  it('say nothing of a source without deals, of which lost-deals speaks', () => {
    expect(compare('unlimited', feed('house', 1000), feed('house', 0))).toMatchObject({ state: 'silent' });
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
    expect(passGates(gateInput({ served }), []).filter(({ state }) => state === 'refused')).toEqual([
      { gate: 'unreadable-snapshot', state: 'refused', detail },
    ]);
    expect(resultOf('unreadable-snapshot', { served }, ['unreadable-snapshot'])).toMatchObject({ state: 'accepted' });
  });

  it('on the first build every gate that compares is silent', () => {
    const results = passGates(gateInput({ served: NONE, sources: [feedReport('house')] }), []);
    expect(results.filter(({ state }) => state === 'refused')).toEqual([]);
    expect(results.filter(({ state }) => state === 'passed').map(({ gate }) => gate)).toEqual([
      'no-products',
      'quarantined:house',
    ]);
  });

  it.each<GateBaseline>([NONE, { kind: 'unreadable', reason: 'damaged' }])(
    'where there is nothing to compare with ($kind), every gate says so once, however many sources there are',
    (served) => {
      const sources = [feedReport('site', { kind: 'cms' }), feedReport('house'), feedReport('awin')];
      const names = passGates(gateInput({ served, sources }), []).map(({ gate }) => gate);
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
    const results = passGates(gateInput({ sources }), parseAcceptances(accept, ['house', 'awin']));
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
