import { DAY_MS } from '../../data/record/amount.ts';
import type { CmsSummary, DealFigures, FeedSummary } from '../../data/report/summary.ts';
import { NOTHING_KEPT, type KeptDeals, type KeptParts } from '../join/compare-deals.ts';
import {
  comparing,
  exceedsLimit,
  findWorst,
  limitRatioOf,
  toGateCheck,
  type Check,
  type ComparedInput,
  type GateCheck,
  type GateInput,
  type Measurement,
} from './measurement.ts';

/** A source in the snapshot being served and in the build; undefined where it has no records. */
export interface ComparedSource<Summary> {
  readonly name: string;
  /** The days since the source was read: the served deals may be older than yesterday. */
  readonly days: number;
  readonly before: Summary | undefined;
  readonly now: Summary | undefined;
}

/** A feed with enough earlier deals for a comparison. */
interface ComparedFeed extends ComparedSource<FeedSummary> {
  readonly before: FeedSummary;
  readonly now: FeedSummary;
}

/** One result for each feed that had deals or has some, unless it has expired. */
export function perFeed(measure: (feed: ComparedFeed, input: ComparedInput) => Measurement): Check {
  return comparing((input) => compareFeeds(input, measure));
}

export function compareFeeds(
  input: ComparedInput,
  measure: (feed: ComparedFeed, input: ComparedInput) => Measurement,
): readonly GateCheck[] {
  const { minRows } = input.settings;
  return listCompared(input, 'feeds').map(({ name, days, before, now = emptyFeed(name) }) => {
    const rowCount = before?.deals ?? 0;
    if (isCarriedWhole(input, name)) return toGateCheck({ silent: 'its deals are those of before' }, name);
    return toGateCheck(
      before === undefined || rowCount < minRows
        ? { silent: `${rowCount} deals before; ${minRows} needed` }
        : measure({ name, days, before, now }, input),
      name,
    );
  });
}

/** The same for the source, and for each retailer and network in it. */
export function perPart(measure: (part: ComparedPart, input: ComparedInput) => Measurement): Check {
  return perFeed((feed, input) => measureSourceAndParts(input, feed, (part) => measure(part, input)));
}

/** A CMS source with enough earlier products for a comparison. */
interface ComparedCms extends ComparedSource<CmsSummary> {
  readonly before: CmsSummary;
  readonly now: CmsSummary;
}

/** One result for each CMS source. */
export function perCms(measure: (source: ComparedCms, input: ComparedInput) => Measurement): Check {
  return comparing((input) => compareCms(input, measure));
}

export function compareCms(
  input: ComparedInput,
  measure: (source: ComparedCms, input: ComparedInput) => Measurement,
): readonly GateCheck[] {
  const { minRows } = input.settings;
  return listCompared(input, 'cms').map(({ name, days, before, now = { name, products: 0 } }) => {
    const rowCount = before?.products ?? 0;
    return toGateCheck(
      before === undefined || rowCount < minRows
        ? { silent: `${rowCount} products before; ${minRows} needed` }
        : measure({ name, days, before, now }, input),
      name,
    );
  });
}

/**
 * The sources of both summaries, in the order of the configuration; sources that are no longer configured come last.
 */
export function listCompared<Kind extends 'cms' | 'feeds'>(
  input: ComparedInput,
  kind: Kind,
): readonly ComparedSource<Kind extends 'cms' ? CmsSummary : FeedSummary>[] {
  type Summary = Kind extends 'cms' ? CmsSummary : FeedSummary;
  const { served, summary, sources, expiredSources } = input;
  const byName = (list: readonly { readonly name: string }[]): ReadonlyMap<string, Summary> =>
    new Map(list.map((source) => [source.name, source as Summary]));
  const { cms, feeds, held = [] } = served.report.summary;
  // An expired feed is compared with its figures from before it failed a gate.
  const before = byName(kind === 'cms' ? cms : [...held, ...feeds]);
  const now = byName(summary[kind]);
  const names = [...sources.map(({ name }) => name), ...before.keys(), ...now.keys()];
  return [...new Set(names)]
    .filter((name) => (before.has(name) || now.has(name)) && !expiredSources.has(name))
    .map((name) => ({ name, days: countDays(input, name), before: before.get(name), now: now.get(name) }));
}

/** A held feed without excluded or quarantined deals; duplicates of deals of other feeds count as served. */
function isCarriedWhole({ sources }: GateInput, feed: string): boolean {
  const source = sources.find(({ name }) => name === feed);
  return source?.state === 'carried-forward' && source.outOfScope + source.quarantined === 0;
}

function countDays({ served, now }: ComparedInput, name: string): number {
  const { sources, createdAt } = served.manifest;
  const readAt = sources.find((source) => source.name === name)?.freshAt ?? createdAt;
  return Math.max(1, Math.round((now.getTime() - Date.parse(readAt)) / DAY_MS));
}

function emptyFeed(name: string): FeedSummary {
  return {
    name,
    deals: 0,
    products: 0,
    zeroUpfront: 0,
    zeroMonthly: 0,
    unlimitedData: 0,
    medianTotalPence: 0,
    retailers: [],
    networks: [],
  };
}

/** The kinds of parts of a source. */
type PartKind = 'retailer' | 'network';

/** All deals of a source, or of a retailer or network in it, before and now. */
export interface ComparedPart {
  readonly kind: 'source' | PartKind;
  readonly before: DealFigures;
  /** Absent when it has no deal now. */
  readonly now: DealFigures | undefined;
  readonly kept: KeptDeals;
  /** The days since the source was read. */
  readonly days: number;
}

/**
 * The measure of a source if it is beyond its limit, else that of its worst retailer or network: an error of the whole
 * source is also one of its parts.
 */
export function measureSourceAndParts(
  input: GateInput,
  feed: ComparedFeed,
  measure: (part: ComparedPart) => Measurement,
): Measurement {
  const { name, before, now, days } = feed;
  const kept = input.comparison.feeds.get(name);
  const whole = measure({ kind: 'source', before, now, kept: kept?.all ?? NOTHING_KEPT, days });
  if ('measured' in whole && exceedsLimit(whole)) return whole;
  const kinds: readonly PartKind[] = ['retailer', 'network'];
  return findWorst([
    whole,
    ...kinds.map((kind) => measureWorstPart(kind, feed, kept, input.settings.minRows, measure)),
  ]);
}

/**
 * The measure of the worst retailer or network of a source, among those that had at least `minRows` deals; its text
 * names the part.
 */
export function measureWorstPart(
  kind: PartKind,
  { before, now, days }: ComparedFeed,
  kept: KeptParts | undefined,
  minRows: number,
  measure: (part: ComparedPart) => Measurement,
): Measurement {
  const list = kind === 'retailer' ? 'retailers' : 'networks';
  const after = new Map(now[list].map((part) => [part.id, part]));
  const measures = before[list]
    .filter(({ deals }) => deals >= minRows)
    .flatMap((part) => {
      const keptOfPart = kept?.[list].get(part.id) ?? NOTHING_KEPT;
      const measuring = measure({ kind, before: part, now: after.get(part.id), kept: keptOfPart, days });
      return 'silent' in measuring ? [] : [{ slug: part.slug, ...measuring }];
    })
    .sort((a, b) => Number(limitRatioOf(b) > limitRatioOf(a)) - Number(limitRatioOf(b) < limitRatioOf(a)));
  const [worst, ...others] = measures;
  if (worst === undefined) return { silent: `no ${kind} with ${minRows} deals before to compare` };
  const refusedCount = others.filter((other) => exceedsLimit(other)).length;
  const more = refusedCount > 0 ? `; ${refusedCount} more are like it` : '';
  const { slug, measured, limit, detail } = worst;
  return { measured, limit, detail: `${kind} ${slug}: ${detail}${more}` };
}
