import { gateSettingsSchema } from '../../../../build/config/gate-settings.ts';
import type { GateBaseline, GateInput } from '../../../../build/gate/measurement.ts';
import type { KeptDeals, KeptParts } from '../../../../build/join/compare-deals.ts';
import type { KeptRecords } from '../../../../build/join/served-deals.ts';
import type { SourceReport } from '../../../../data/report/report.ts';
import type {
  CatalogueSummary,
  CmsParts,
  CmsSummary,
  FeedSummary,
  PartSummary,
} from '../../../../data/report/summary.ts';
import { cms, comparison, feed, feedReport, kept, known, part, summary, type KeptChanges } from './summary-parts.ts';

/** Deals under the key that they had; `moved` of them have prices that moved `by` a share. */
interface KeptDay extends Omit<KeptChanges, 'moves'> {
  readonly count: number;
  readonly moved?: number;
  readonly by?: number;
  /** Total and monthly cost by default. */
  readonly prices?: readonly (keyof KeptDeals['moves'])[];
}

type PartDay = readonly [id: string, slug: string, count: number, changes?: Partial<PartSummary>];

/** A day of the feed `house` and the CMS source `site`; what is absent is as on every day. */
export interface Day {
  readonly deals?: number;
  readonly feed?: Partial<FeedSummary>;
  readonly retailers?: readonly PartDay[];
  readonly networks?: readonly PartDay[];
  readonly products?: number;
  /** `null`: this build counted none. */
  readonly parts?: Partial<CmsParts> | null;
  readonly fields?: readonly (readonly [field: string, filled: number, records: number, name?: string])[] | null;
  readonly serverBytes?: number;
  readonly currency?: string;
  /** A source that was configured, `house` unless it has another name. */
  readonly report?: Partial<SourceReport>;
  readonly required?: readonly string[];
  readonly settings?: object;
  readonly now?: string;
  readonly kept?: KeptDay;
  /** The same for a retailer, or a network, with a quarter of the deals. */
  readonly keptOfRetailer?: KeptDay;
  readonly keptOfNetwork?: KeptDay;
  readonly keptProducts?: number;
  readonly records?: Omit<KeptRecords, 'source'>;
  readonly jumps?: { readonly heldOut: number; readonly accepted: number };
}

const QUARTERS = {
  retailers: [part('31', 'barn', 250), part('32', 'owl', 750)],
  networks: [part('21', 'aurora', 250), part('22', 'borealis', 750)],
};

/** What `runGates` is given of today. */
export function inputOf(today: Day): Partial<GateInput> {
  const { now, settings = {}, required = [], keptProducts = 100, records, jumps } = today;
  const compared = comparison(keptOf(today.kept ?? { count: 1000 }), keptPartsOf(today));
  return {
    summary: summary(summaryOf(today, today)),
    sources: reportsOf(today),
    requiredSources: new Set(required),
    settings: gateSettingsSchema.parse(settings),
    comparison: {
      ...compared,
      cms: new Map([['site', keptProducts]]),
      jumps: new Map(jumps === undefined ? [] : [['house', jumps]]),
      records: records === undefined ? compared.records : [{ source: 'site', ...records }],
    },
    ...(now !== undefined && { now: new Date(now) }),
  };
}

/** The snapshot being served, of the day before `today`. */
export function baselineOf(before: Day, today: Day): GateBaseline {
  const baseline = known(summaryOf(before, today), reportsOf(before));
  if (before.fields !== null || baseline.kind !== 'known') return baseline;
  const { fields: _, ...older } = baseline.report.summary;
  return { ...baseline, report: { summary: older } };
}

function reportsOf({ report }: Day): readonly SourceReport[] {
  return report === undefined ? [] : [feedReport('house', report)];
}

function summaryOf(day: Day, today: Day): Partial<CatalogueSummary> {
  const { deals, products, fields, serverBytes, currency, report } = day;
  const hasQuarters = today.keptOfRetailer !== undefined || today.keptOfNetwork !== undefined;
  const listed = fields?.map(([field, filled, records, name]) => ({ field, filled, records, ...(name && { name }) }));
  return {
    ...(hasQuarters && { feeds: [feed('house', 1000, QUARTERS)] }),
    ...(deals !== undefined && { feeds: [feed('house', deals, { ...day.feed, ...partsOf(day) })] }),
    ...(products !== undefined && { cms: products === 0 ? [] : [siteOf(products, day.parts)] }),
    ...(listed !== undefined && { fields: [{ source: report?.name ?? 'house', fields: listed }] }),
    ...(serverBytes !== undefined && { serverBytes }),
    ...(currency !== undefined && { currency }),
  };
}

function partsOf({ retailers, networks }: Day): Partial<FeedSummary> {
  const list = (parts: readonly PartDay[]): PartSummary[] => parts.map((each) => part(...each));
  return { ...(retailers && { retailers: list(retailers) }), ...(networks && { networks: list(networks) }) };
}

function siteOf(products: number, changes: Day['parts']): CmsSummary {
  const { parts, ...site } = cms('site', products);
  return changes === null ? site : { ...site, parts: { ...(parts as CmsParts), ...changes } };
}

function keptOf({ count, moved = 0, by = 0, prices = ['total', 'monthly'], ...changes }: KeptDay): KeptDeals {
  const moves = new Uint32Array(count).fill(by * 10_000, count - moved);
  return kept(count, { ...changes, moves: Object.fromEntries(prices.map((price) => [price, moves])) });
}

function keptPartsOf({ keptOfRetailer, keptOfNetwork }: Day): Partial<KeptParts> {
  if (keptOfRetailer === undefined && keptOfNetwork === undefined) return {};
  const quarter = (id: string, other: string, deals: KeptDay | undefined): ReadonlyMap<string, KeptDeals> =>
    new Map(
      deals === undefined
        ? []
        : [
            [id, keptOf(deals)],
            [other, kept(750)],
          ],
    );
  return { retailers: quarter('31', '32', keptOfRetailer), networks: quarter('21', '22', keptOfNetwork) };
}
