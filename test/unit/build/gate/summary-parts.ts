import { gateSettingsSchema } from '../../../../build/config/gate-settings.ts';
import type { GateBaseline, GateInput } from '../../../../build/gate/measurement.ts';
import {
  NOTHING_KEPT,
  type DealComparison,
  type KeptDeals,
  type KeptParts,
} from '../../../../build/join/compare-deals.ts';
import type { SourceReport } from '../../../../data/report/report.ts';
import type { CatalogueSummary, CmsSummary, FeedSummary, PartSummary } from '../../../../data/report/summary.ts';

/** A feed after a build, of which everything is in order. */
export function feedReport(name: string, counts: Partial<SourceReport> = {}): SourceReport {
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

/** `count` deals of a feed, of one retailer and one network. */
export function feed(name: string, count: number, parts: Partial<FeedSummary> = {}): FeedSummary {
  const figures = {
    deals: count,
    products: Math.min(count, 10),
    zeroUpfront: Math.round(count / 4),
    zeroMonthly: 0,
    unlimitedData: Math.round(count / 4),
    links: count,
    medianTotalPence: count === 0 ? 0 : 60_000,
  };
  return {
    name,
    ...figures,
    entries: { plans: 10, gifts: 0, cashbacks: 0, pictures: 5, linkTemplates: 1 },
    retailers: [part('31', 'barn', count)],
    networks: [part('21', 'aurora', count)],
    ...parts,
  };
}

export function part(id: string, slug: string, count: number, parts: Partial<PartSummary> = {}): PartSummary {
  const figures = { products: 1, zeroUpfront: 0, zeroMonthly: 0, unlimitedData: 0, medianTotalPence: 60_000 };
  return { id, slug, deals: count, ...figures, ...parts };
}

export function cms(name: string, count: number): CmsSummary {
  const parts = {
    networks: 4,
    retailers: 30,
    gifts: 14,
    giftCategories: 5,
    texts: count,
    specs: count,
    pictures: count,
  };
  return { name, products: count, parts };
}

export function summary(parts: Partial<CatalogueSummary> = {}): CatalogueSummary {
  const fields = [{ source: 'house', fields: [{ field: 'condition', filled: 100, records: 100 }] }];
  return {
    currency: 'GBP',
    cms: [cms('site', 100)],
    feeds: [feed('house', 1000)],
    fields,
    serverBytes: 100e6,
    ...parts,
  };
}

type Counts = { readonly [Mark in keyof KeptDeals['marks']]?: number };

export interface KeptChanges {
  /** How many deals have a mark, and how many could have it where that is not all. */
  readonly marked?: Counts;
  readonly of?: Counts;
  readonly moves?: Partial<KeptDeals['moves']>;
  readonly extras?: Partial<KeptDeals['extras']>;
}

/** `count` deals under the key they had, in everything as they were but for `changes`. */
export function kept(count: number, { marked = {}, of = {}, moves = {}, extras = {} }: KeptChanges = {}): KeptDeals {
  const names = Object.keys(NOTHING_KEPT.marks) as (keyof KeptDeals['marks'])[];
  const marks = names.map((name) => [name, { of: of[name] ?? count, marked: marked[name] ?? 0 }]);
  const still = new Uint32Array(count);
  return {
    count,
    marks: Object.fromEntries(marks) as KeptDeals['marks'],
    moves: { total: still, upfront: still, monthly: still, ...moves },
    extras: { ...NOTHING_KEPT.extras, ...extras },
  };
}

/** The feed house with these deals kept, all of the retailer and the network of `feed`, and a site with 100 products. */
export function comparison(all: KeptDeals, parts: Partial<KeptParts> = {}): DealComparison {
  const house = { all, retailers: new Map([['31', all]]), networks: new Map([['21', all]]), ...parts };
  return {
    feeds: new Map([['house', house]]),
    cms: new Map([['site', 100]]),
    jumps: new Map(),
    records: [{ source: 'site', kind: 'products', count: 100, renamed: 0, swapped: 0 }],
  };
}

export function known(parts: Partial<CatalogueSummary> = {}, sources: readonly SourceReport[] = []): GateBaseline {
  return {
    kind: 'known',
    manifest: { createdAt: '2026-11-19T02:30:00Z', sources: [...sources] },
    report: { summary: summary(parts) },
  };
}

export function gateInput(parts: Partial<GateInput> = {}): GateInput {
  return {
    served: known(),
    summary: summary(),
    comparison: comparison(kept(1000)),
    now: new Date('2026-11-20T02:30:00Z'),
    sources: [],
    requiredSources: new Set(),
    expiredSources: new Set(),
    settings: gateSettingsSchema.parse({}),
    ...parts,
  };
}
