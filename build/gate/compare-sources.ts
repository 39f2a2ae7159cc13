import type { CatalogueSummary, CmsSummary, FeedSummary } from '../../data/report/summary.ts';
import { judge, type GateFinding, type GateInput, type Measuring } from './gate-input.ts';

const NIGHT_MS = 24 * 3_600_000;

/** A source of the snapshot being served, and what has become of it; undefined where it has nothing (any more). */
interface Compared<Summary> {
  readonly name: string;
  /** How many days have passed since the source was read: what was served may be older than yesterday. */
  readonly days: number;
  readonly before: Summary | undefined;
  readonly now: Summary | undefined;
}

/** A feed that had enough deals to be compared with. */
export interface ComparedFeed extends Compared<FeedSummary> {
  readonly before: FeedSummary;
  readonly now: FeedSummary;
}

/** One finding for each feed that had deals or has some, unless it has been withdrawn. */
export function compareFeeds(input: GateInput, measure: (feed: ComparedFeed) => Measuring): readonly GateFinding[] {
  return compareEach(input, 'feeds', ({ before, now, name, days }) => {
    const { minRows } = input.settings;
    if (isCarriedWhole(input, name)) return { silent: 'its deals are those of before' };
    const rowCount = before?.deals ?? 0;
    if (before === undefined || rowCount < minRows) return { silent: `${rowCount} deals before; ${minRows} needed` };
    return measure({ name, days, before, now: now ?? emptyFeed(name) });
  });
}

/** The same for each CMS source and its products. */
export function compareCms(
  input: GateInput,
  measure: (before: CmsSummary, now: CmsSummary, days: number) => Measuring,
): readonly GateFinding[] {
  return compareEach(input, 'cms', ({ before, now, name, days }) => {
    const { minRows } = input.settings;
    const rowCount = before?.products ?? 0;
    if (before === undefined || rowCount < minRows) return { silent: `${rowCount} products before; ${minRows} needed` };
    return measure(before, now ?? { name, products: 0 }, days);
  });
}

/** The sources of both summaries, in the order of the configuration; what is configured no longer comes last. */
export function listCompared<Kind extends 'cms' | 'feeds'>(
  input: GateInput,
  kind: Kind,
): readonly Compared<Kind extends 'cms' ? CmsSummary : FeedSummary>[] {
  type Summary = Kind extends 'cms' ? CmsSummary : FeedSummary;
  const { served, summary, sources, withdrawnSources } = input;
  const byName = (list: readonly { readonly name: string }[]): ReadonlyMap<string, Summary> =>
    new Map(list.map((source) => [source.name, source as Summary]));
  const before = byName(served.kind === 'known' ? listBefore(served.report.summary, kind) : []);
  const now = byName(summary[kind]);
  const names = [...sources.map(({ name }) => name), ...before.keys(), ...now.keys()];
  return [...new Set(names)]
    .filter((name) => (before.has(name) || now.has(name)) && !withdrawnSources.has(name))
    .map((name) => ({ name, days: countNights(input, name), before: before.get(name), now: now.get(name) }));
}

function compareEach<Kind extends 'cms' | 'feeds'>(
  input: GateInput,
  kind: Kind,
  measure: (compared: Compared<Kind extends 'cms' ? CmsSummary : FeedSummary>) => Measuring,
): readonly GateFinding[] {
  if (input.served.kind !== 'known') return [{ state: 'silent', detail: input.served.reason }];
  return listCompared(input, kind).map((compared) => judge(measure(compared), compared.name));
}

/** A feed that failed a gate must pass it as if its deals had not been withdrawn. */
function listBefore(
  { cms, feeds, held = [] }: CatalogueSummary,
  kind: 'cms' | 'feeds',
): readonly (CmsSummary | FeedSummary)[] {
  return kind === 'cms' ? cms : [...held, ...feeds];
}

/** A held feed of which the catalogue leaves out nothing; what other feeds have as well is served. */
function isCarriedWhole({ sources }: GateInput, feed: string): boolean {
  const source = sources.find(({ name }) => name === feed);
  return source?.state === 'carried-forward' && source.outOfScope + source.quarantined === 0;
}

function countNights({ served, now }: GateInput, name: string): number {
  if (served.kind !== 'known') return 1;
  const { sources, createdAt } = served.manifest;
  const readAt = sources.find((source) => source.name === name)?.freshAt ?? createdAt;
  return Math.max(1, Math.round((now.getTime() - Date.parse(readAt)) / NIGHT_MS));
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
