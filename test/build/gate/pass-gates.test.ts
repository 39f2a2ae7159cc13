import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../build/config-error.ts';
import { parseAcceptances } from '../../../build/gate/acceptance.ts';
import type { GateInput } from '../../../build/gate/gate.ts';
import { passGates } from '../../../build/gate/pass-gates.ts';
import type { ServedSnapshot } from '../../../build/gate/served-snapshot.ts';
import type { SourceReport } from '../../../data/report/report.ts';
import { manifestSchema, SNAPSHOT_FILES } from '../../../data/snapshot/format.ts';

const LIMITS = { maxLostDeals: 0.1, maxLostProducts: 0.1, maxQuarantined: 0.2, minRows: 20 };
const SHA256 = 'a'.repeat(64);

function source(name: string, counts: Partial<SourceReport> = {}): SourceReport {
  return {
    name,
    kind: 'feed',
    adapter: 'deals',
    state: 'fresh',
    files: [],
    read: 100,
    kept: 100,
    duplicate: 0,
    outOfScope: 0,
    quarantined: 0,
    ...counts,
  };
}

function served(products: number, deals: number, sources: readonly SourceReport[] = []): ServedSnapshot {
  const id = '20261119T0230Z-0123abcd';
  const manifest = manifestSchema.parse({
    formatVersion: 1,
    id,
    sequence: 1,
    createdAt: '2026-11-19T02:30:00Z',
    contentHash: SHA256,
    counts: {
      products,
      deals,
      gifts: 0,
      giftCategories: 0,
      networks: 0,
      retailers: 0,
      manufacturers: 0,
      pictures: 0,
      quarantined: 0,
    },
    files: Object.fromEntries(SNAPSHOT_FILES.map((file) => [file, { bytes: 0, sha256: SHA256 }])),
    sources,
    gates: [],
  });
  return { kind: 'known', id, manifest };
}

function input(parts: Partial<GateInput>): GateInput {
  return {
    served: served(100, 1000),
    productCount: 100,
    dealCount: 1000,
    sources: [],
    requiredSources: new Set(),
    limits: LIMITS,
    ...parts,
  };
}

function resultOf(gate: string, parts: Partial<GateInput>, accept: readonly string[] = []) {
  return passGates(input(parts), parseAcceptances(accept, ['house', 'awin'])).find((result) => result.gate === gate);
}

describe('lost-deals and lost-products', () => {
  it.each([
    [1000, 1000, 'passed', '0 of 1000 deals lost (0.0%), at most 10.0%'],
    [1000, 2000, 'passed', '0 of 1000 deals lost (0.0%), at most 10.0%'],
    [1000, 900, 'passed', '100 of 1000 deals lost (10.0%), at most 10.0%'],
    [1000, 899, 'refused', '101 of 1000 deals lost (10.1%), at most 10.0%'],
    [1000, 0, 'refused', '1000 of 1000 deals lost (100.0%), at most 10.0%'],
    [20, 17, 'refused', '3 of 20 deals lost (15.0%), at most 10.0%'],
    [19, 1, 'silent', '19 deals before; 20 needed'],
    [19, 0, 'refused', '19 of 19 deals lost (100.0%), at most 10.0%'],
    [0, 0, 'silent', '0 deals before; 20 needed'],
  ])('%d deals before and %d now: %s%s', (before, now, state, detail) => {
    expect(resultOf('lost-deals', { served: served(100, before), dealCount: now })).toEqual({
      gate: 'lost-deals',
      state,
      detail,
    });
  });

  it.each([
    [100, 90, 'passed'],
    [100, 89, 'refused'],
    [5, 0, 'refused'],
    [5, 1, 'silent'],
  ])('%d products before and %d now: %s', (before, now, state) => {
    expect(resultOf('lost-products', { served: served(before, 1000), productCount: now })).toMatchObject({ state });
  });

  it.each(['lost-deals', 'lost-products'])('%s is silent on the first build', (gate) => {
    const none: ServedSnapshot = { kind: 'none', reason: 'nothing was published before' };
    expect(resultOf(gate, { served: none, productCount: 0, dealCount: 0 })).toEqual({
      gate,
      state: 'silent',
      detail: 'nothing was published before',
    });
  });

  it.each(['lost-deals', 'lost-products'])('%s refuses what it cannot compare, until that is accepted', (gate) => {
    const unreadable: ServedSnapshot = { kind: 'unreadable', reason: 'manifest.json: damaged' };
    expect(resultOf(gate, { served: unreadable })).toMatchObject({ state: 'refused' });
    expect(resultOf(gate, { served: unreadable }, [gate])).toEqual({
      gate,
      state: 'accepted',
      detail: 'the current snapshot cannot be compared with: manifest.json: damaged',
    });
  });
});

describe('no-products', () => {
  it.each([
    [1, 'passed'],
    [0, 'refused'],
  ])('%d products, on the first build too: %s', (productCount, state) => {
    const served: ServedSnapshot = { kind: 'none', reason: 'nothing was published before' };
    expect(resultOf('no-products', { served, productCount })).toEqual({
      gate: 'no-products',
      state,
      detail: `the catalogue has ${productCount} products`,
    });
  });
});

describe('quarantined', () => {
  it.each([
    ['at the limit', { quarantined: 20 }, 'passed', '20 of 100 records quarantined (20.0%), at most 20.0%'],
    ['above it', { quarantined: 21 }, 'refused', '21 of 100 records quarantined (21.0%), at most 20.0%'],
    [
      'above it, of those in scope',
      { outOfScope: 60, quarantined: 10 },
      'refused',
      '10 of 40 records quarantined (25.0%), at most 20.0%',
    ],
    ['too few to say', { read: 19, quarantined: 19 }, 'silent', '19 records in scope; 20 needed'],
    ['none in scope', { outOfScope: 100 }, 'silent', '0 records in scope; 20 needed'],
  ])('%s', (_, counts, state, detail) => {
    expect(resultOf('quarantined:house', { sources: [source('house', counts)] })).toEqual({
      gate: 'quarantined:house',
      state,
      detail,
    });
  });

  it('speaks of few records of a source that had many before', () => {
    const parts = {
      served: served(100, 1000, [source('house')]),
      sources: [source('house', { read: 3, quarantined: 3 })],
    };
    expect(resultOf('quarantined:house', parts)).toMatchObject({ state: 'refused' });
  });

  it('says nothing of a source that could not be read', () => {
    expect(resultOf('quarantined:house', { sources: [source('house', { state: 'failed', read: 0 })] })).toBeUndefined();
  });
});

describe('required-source', () => {
  it.each([
    ['fresh', 'passed'],
    ['failed', 'refused'],
    ['absent', 'refused'],
  ] as const)('a required source that is %s: %s', (state, expected) => {
    const parts = { sources: [source('house', { state }), source('awin', { state: 'failed' as const })] };
    const requiredSources = new Set(['house']);
    expect(resultOf('required-source:house', { ...parts, requiredSources })).toEqual({
      gate: 'required-source:house',
      state: expected,
      detail: `the source is required and is ${state}`,
    });
    expect(resultOf('required-source:awin', { ...parts, requiredSources })).toBeUndefined();
  });
});

describe('--accept', () => {
  const sources = [source('house', { quarantined: 50 }), source('awin', { quarantined: 50 })];

  it.each([
    [[], ['refused', 'refused']],
    [['quarantined:house'], ['accepted', 'refused']],
    [['quarantined'], ['accepted', 'accepted']],
    [['lost-deals'], ['refused', 'refused']],
  ])('%j', (accept, states) => {
    const results = passGates(input({ sources }), parseAcceptances(accept, ['house', 'awin']));
    expect(results.filter(({ gate }) => gate.startsWith('quarantined')).map(({ state }) => state)).toEqual(states);
  });

  it('changes nothing about a gate that passes', () => {
    expect(resultOf('lost-deals', {}, ['lost-deals'])).toMatchObject({ state: 'passed' });
  });

  it.each([
    [
      'lost',
      '--accept: expected <gate> or <gate>:<source> with a gate of required-source, no-products, lost-products, lost-deals, quarantined, got "lost"',
    ],
    [
      '',
      '--accept: expected <gate> or <gate>:<source> with a gate of required-source, no-products, lost-products, lost-deals, quarantined, got ""',
    ],
    [
      'quarantined:house:x',
      '--accept: expected <gate> or <gate>:<source> with a gate of required-source, no-products, lost-products, lost-deals, quarantined, got "quarantined:house:x"',
    ],
    ['quarantined:hose', '--accept: expected a source of house, awin, got "quarantined:hose"'],
    ['lost-deals:house', '--accept: expected lost-deals without a source, got "lost-deals:house"'],
  ])('refuses %j', (word, message) => {
    expect(() => parseAcceptances([word], ['house', 'awin'])).toThrow(new ConfigError([message]));
  });
});
