import { describe, expect, it } from 'vitest';
import { GATE_NAMES } from '../../../../build/gate/gates.ts';
import type { GateBaseline, GateInput } from '../../../../build/gate/measurement.ts';
import { parseAcceptances, runGates } from '../../../../build/gate/run-gates.ts';
import { ConfigError } from '../../../../build/source/errors.ts';
import type { GateResult } from '../../../../data/report/report.ts';
import { readCases } from '../../../support/cases.ts';
import { baselineOf, inputOf, type Day } from './gate-days.ts';
import { feed, feedReport, gateInput, known, summary } from './summary-parts.ts';

const NONE: GateBaseline = { kind: 'none', reason: 'nothing was published before' };

/** A detail that ends in `…` is the beginning of the detail. A result that is `absent` is in no list. */
type GateCase = [gate: string, before: Day | null, today: Day, state: string, detail?: string, accept?: string[]];

const CASES = readCases(import.meta.dirname, 'gates.json') as Readonly<Record<string, GateCase[]>>;

function resultOf(gate: string, parts: Partial<GateInput>, accept: readonly string[] = []): GateResult | undefined {
  return runGates(gateInput(parts), parseAcceptances(accept, ['house', 'awin'])).find((result) => result.gate === gate);
}

describe.each(Object.entries(CASES))('%s', (_, cases) => {
  it.each(cases)('%s of %j and %j today: %s', (gate, before, today, state, detail, accept) => {
    const served = before === null ? NONE : baselineOf(before, today);
    const result = resultOf(gate, { served, ...inputOf(today) }, accept);
    expect(result?.state ?? 'absent').toBe(state);
    const got = detail?.endsWith('…') ? `${result?.detail.slice(0, detail.length - 1)}…` : result?.detail;
    expect(got).toBe(detail ?? got);
  });
});

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

describe('a result', () => {
  it('has what was measured and the limit', () => {
    expect(resultOf('lost-deals:house', inputOf({ deals: 750 }))).toEqual({
      gate: 'lost-deals:house',
      state: 'refused',
      detail: '250 of 1000 (25 %, at most 10 %)',
      measured: 0.25,
      limit: 0.1,
    });
  });

  it.each<[string, Partial<GateInput>]>([
    ['no-products', { served: NONE }],
    ['price-jump:house', { sources: [feedReport('house')] }],
    ['required-source:house', { sources: [feedReport('house')], requiredSources: new Set(['house']) }],
  ])('of %s has no figures, since it measures nothing', (gate, parts) => {
    expect(Object.keys(resultOf(gate, parts) ?? {})).toEqual(['gate', 'state', 'detail']);
  });
});

describe('lost-deals', () => {
  const withAwin = known({ feeds: [feed('house', 1000), feed('awin', 1000)] });

  it('knows a source that is configured no longer', () => {
    expect(resultOf('lost-deals:awin', { served: withAwin })).toMatchObject({ state: 'refused' });
    expect(resultOf('lost-deals:awin', { served: withAwin }, ['lost-deals:awin'])).toMatchObject({ state: 'accepted' });
  });

  it('does not miss a source that has expired', () => {
    const results = runGates(gateInput({ served: withAwin, expiredSources: new Set(['awin']) }), []);
    expect(results.filter(({ gate, state }) => gate.endsWith(':awin') || state === 'refused')).toEqual([]);
  });

  it('looks at all sources together, but for those that are refused on their own', () => {
    const small = ['a', 'b', 'c'].map((name) => feed(name, 15));
    const together = { served: known({ feeds: small }), summary: summary({ feeds: [feed('a', 15)] }) };
    expect(resultOf('lost-deals', together)).toMatchObject({
      state: 'refused',
      detail: '30 of 45 (66.7 %, at most 23.6 %)',
    });
    const one = {
      served: known({ feeds: [feed('house', 1000), ...small] }),
      summary: summary({ feeds: [feed('house', 500), ...small] }),
    };
    expect(resultOf('lost-deals:house', one)).toMatchObject({ state: 'refused' });
    expect(resultOf('lost-deals', one)).toMatchObject({ state: 'passed', detail: '0 of 45 (0 %, at most 23.6 %)' });
  });

  it('refuses the loss of all deals, however few there were', () => {
    const parts = { served: known({ feeds: [feed('house', 3)] }), summary: summary({ feeds: [] }) };
    expect(resultOf('lost-deals', parts)).toMatchObject({ state: 'refused', detail: '3 of 3 (100 %, at most 45 %)' });
  });

  it('refuses one loss once: the gates for retailers and networks are silent about that source', () => {
    const results = runGates(gateInput({ summary: summary({ feeds: [] }) }), []);
    expect(results.filter(({ state }) => state === 'refused').map(({ gate }) => gate)).toEqual(['lost-deals:house']);
  });
});

describe('gained-deals', () => {
  it('compares a new source with nothing', () => {
    const parts = { summary: summary({ feeds: [feed('house', 1000), feed('awin', 5000)] }) };
    expect(resultOf('gained-deals:awin', parts)).toMatchObject({
      state: 'silent',
      detail: '0 deals before; 20 needed',
    });
  });
});

describe('a build without a snapshot to compare with', () => {
  it('of a damaged snapshot is refused, until that is accepted', () => {
    const served: GateBaseline = { kind: 'unreadable', reason: 'manifest.json: damaged' };
    const detail = 'the current snapshot cannot be compared with: manifest.json: damaged';
    expect(runGates(gateInput({ served }), []).filter(({ state }) => state === 'refused')).toEqual([
      { gate: 'unreadable-snapshot', state: 'refused', detail },
    ]);
    expect(resultOf('unreadable-snapshot', { served }, ['unreadable-snapshot'])).toMatchObject({ state: 'accepted' });
  });

  it('skips every gate that compares', () => {
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
    'has one result for each gate, however many sources there are ($kind)',
    (served) => {
      const sources = [feedReport('site', { kind: 'cms' }), feedReport('house'), feedReport('awin')];
      const names = runGates(gateInput({ served, sources }), []).map(({ gate }) => gate);
      expect(names).toEqual([...new Set(names)]);
    },
  );
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

  const anyGate = `expected <gate> or <gate>:<source> with a gate of ${GATE_NAMES.join(', ')}`;
  it.each([
    ['lost', anyGate],
    ['', anyGate],
    ['quarantined:house:x', anyGate],
    ['quarantined:hose', 'expected a source of house, awin'],
    ['currency:house', 'expected currency without a source'],
  ])('refuses %j', (word, expected) => {
    const error = new ConfigError([`--accept: ${expected}, got ${JSON.stringify(word)}`]);
    expect(() => parseAcceptances([word], ['house', 'awin'])).toThrow(error);
  });
});
