import type { GateBaseline, GateInput } from '../../../build/gate/gate-input.ts';
import { gateSettingsSchema } from '../../../build/gate/gate-setting.ts';
import type { SourceReport } from '../../../data/report/report.ts';
import type { CatalogueSummary, CmsSummary, FeedSummary, PartSummary } from '../../../data/report/summary.ts';

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

/** `count` deals of a feed, of one retailer and one network, with a sample of up to 100 of them. */
export function feed(name: string, count: number, parts: Partial<FeedSummary> = {}): FeedSummary {
  const figures = {
    deals: count,
    products: Math.min(count, 10),
    zeroUpfront: Math.round(count / 4),
    zeroMonthly: 0,
    unlimitedData: Math.round(count / 4),
    medianTotalPence: count === 0 ? 0 : 60_000,
  };
  const keys = Array.from({ length: Math.min(count, 100) }, (_, i) => i + 1);
  return {
    name,
    ...figures,
    retailers: [part('31', 'barn', count)],
    networks: [part('21', 'aurora', count)],
    sample: {
      key: keys,
      offer: keys.map(() => 7),
      totalPence: keys.map(() => 60_000),
      monthlyPence: keys.map(() => 2_500),
    },
    ...parts,
  };
}

export function part(id: string, slug: string, count: number, parts: Partial<PartSummary> = {}): PartSummary {
  const figures = { products: 1, zeroUpfront: 0, zeroMonthly: 0, unlimitedData: 0, medianTotalPence: 60_000 };
  return { id, slug, deals: count, ...figures, ...parts };
}

export function cms(name: string, count: number): CmsSummary {
  return { name, products: count, sample: Array.from({ length: Math.min(count, 256) }, (_, i) => i + 1) };
}

export function summary(parts: Partial<CatalogueSummary> = {}): CatalogueSummary {
  return { currency: 'GBP', cms: [cms('site', 100)], feeds: [feed('house', 1000)], ...parts };
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
    now: new Date('2026-11-20T02:30:00Z'),
    sources: [],
    requiredSources: new Set(),
    withdrawnSources: new Set(),
    settings: gateSettingsSchema.parse({}),
    ...parts,
  };
}
