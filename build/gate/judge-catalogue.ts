import type { GateResult, SourceReport, CatalogueSummary, RowCounts } from '../../data/report/report.ts';
import { DAY_MS } from '../../data/record/amount.ts';
import type { GateSettings } from '../config/gate-settings.ts';
import type { BuildContext } from './build-context.ts';
import type { Catalogue } from '../records/catalogue.ts';
import type { SourceState } from '../source/record.ts';
import { measureFields } from './fields.ts';
import { parseGate, type GateName } from './gates.ts';
import { measureCms } from './judge-cms.ts';
import { exceedsLimit, findWorst, measureShare, widenForChurn, type Measure } from './measure.ts';
import { measureRise } from './part-measures.ts';
import { findServedSource, type KnownSnapshot, type ServedSnapshot } from './served-snapshot.ts';
import { summariseCatalogue, type JudgedCatalogue } from './summary.ts';

/** A gate that a CMS source, or the whole catalogue, fails. */
interface Failure extends Partial<Measure> {
  readonly gate: GateName;
  readonly source?: string | undefined;
  readonly detail: string;
}

/**
 * Judges the sources of the CMS and the whole catalogue: what fails refuses the build (INPUTS "What fails is held, and
 * nothing else"). `said` is what changed in the CMS below the limits.
 */
export function judgeCatalogue(
  build: BuildContext,
  judged: JudgedCatalogue,
  feedGates: readonly GateResult[],
): {
  readonly summary: CatalogueSummary;
  readonly gates: readonly GateResult[];
  readonly said: readonly string[];
} {
  const { served, isAccepted } = build;
  const { catalogue } = judged;
  const summary = summariseCatalogue(build, judged);
  const cms = served.kind === 'known' ? measureSources(build, catalogue, summary, served) : [];
  const failures: readonly Failure[] = [
    ...listUnread(judged.states, served),
    ...listUnusable(served, catalogue),
    ...(served.kind === 'known' ? compareCatalogue(build, judged, feedGates, served) : []),
    ...cms.flatMap(({ name, measures }) => measures.flatMap(([gate, each]) => findFailure(gate, name, each))),
    ...(served.kind === 'known' ? compareFiles(build, judged, served) : []),
  ];
  return {
    summary,
    gates: failures.map(({ gate, source, detail, measured, limit }) => ({
      gate: source === undefined ? gate : `${gate}:${source}`,
      state: isAccepted(gate, source) ? 'accepted' : 'refused',
      detail,
      measured,
      limit,
    })),
    said: cms.flatMap(({ said }) => said),
  };
}

/** A catalogue that can be compared with nothing, or has nothing. */
function* listUnusable(served: ServedSnapshot, { records }: Catalogue): Generator<Failure> {
  if (served.kind === 'unreadable') {
    const detail = `the current snapshot cannot be compared with: ${served.reason}`;
    yield { gate: 'unreadable-snapshot', detail };
  }
  if (records.products.length === 0) yield { gate: 'no-products', detail: 'the catalogue has 0 products' };
}

const UNREAD_TEXTS = {
  fresh: 'was read',
  'carried-forward': 'is held',
  absent: 'has no file',
  failed: 'could not be read',
} as const;

/** A build without a required source, or with half of the CMS, is useless. */
function listUnread(states: readonly SourceState[], served: ServedSnapshot): readonly Failure[] {
  return states
    .filter((source) => source.state !== 'fresh' && (source.required || isMissedCms(source, served)))
    .map(({ name, state, heldBecause }) => ({
      gate: 'unread',
      source: name,
      detail: `the source ${heldBecause ?? UNREAD_TEXTS[state]}`,
    }));
}

/** A CMS source without a file gets only a notice when it had none before. */
function isMissedCms({ name, kind, state }: SourceState, served: ServedSnapshot): boolean {
  return kind === 'cms' && (state === 'failed' || (findServedSource(served, name)?.kept ?? 0) > 0);
}

/** Each source of the CMS that the snapshot being served has. */
function measureSources(
  { config, now }: BuildContext,
  { records }: Catalogue,
  summary: CatalogueSummary,
  served: KnownSnapshot,
) {
  return served.report.summary.cms.map((before) => {
    const { name } = before;
    const days = daysSince(findServedSource(served, name)?.freshAt ?? served.manifest.createdAt, now);
    const source = { before, now: summary.cms.find((each) => each.name === name), days, records };
    return { name, ...measureCms(source, served, config.gates) };
  });
}

function compareCatalogue(
  build: BuildContext,
  { sources }: JudgedCatalogue,
  feedGates: readonly GateResult[],
  served: KnownSnapshot,
): readonly Failure[] {
  const [before, now] = [served.report.summary.currency, build.config.currency.code];
  return [
    ...(now === before ? [] : [{ gate: 'currency' as const, detail: `prices are in ${now}, and were in ${before}` }]),
    ...findFailure('lost', undefined, measureAllDeals(build, sources, feedGates, served)),
  ];
}

/** What the files of the CMS show as a whole. */
function compareFiles(
  { config }: BuildContext,
  { states, sources }: JudgedCatalogue,
  served: KnownSnapshot,
): readonly Failure[] {
  return states
    .filter(({ kind, state }) => kind === 'cms' && state === 'fresh')
    .flatMap((state) => [
      ...findFailure('emptied', state.name, measureFields(state, served, config.gates.minRows)),
      ...findFailure('quarantined', state.name, measureQuarantinedCms(state.name, sources, served, config.gates)),
    ]);
}

/** The worst of some measures, if it is beyond its limit. */
function findFailure(gate: GateName, source: string | undefined, measures: readonly Measure[]): readonly Failure[] {
  const worst = findWorst(measures);
  return worst !== undefined && exceedsLimit(worst) ? [{ gate, source, ...worst }] : [];
}

/**
 * All deals together: small losses of many parts may not add up, and a feed may not go unnoticed from the configuration.
 * What was withdrawn, taken or accepted of a feed has been said.
 */
function measureAllDeals(
  { config: { gates: settings }, now }: BuildContext,
  sources: readonly SourceReport[],
  feedGates: readonly GateResult[],
  { manifest }: KnownSnapshot,
): readonly Measure[] {
  const countedNow = new Map(sources.map((source) => [source.name, source]));
  const stands = new Set(
    feedGates.flatMap(({ gate, state }) => (state === 'accepted' || state === 'taken' ? [parseGate(gate).source] : [])),
  );
  let [before, after] = [0, 0];
  for (const { name, kind, kept } of manifest.sources) {
    if (kind !== 'feed' || stands.has(name)) continue;
    const source = countedNow.get(name);
    if (source !== undefined && (source.state !== 'fresh' || (source.held ?? []).length > 0)) continue;
    before += kept;
    after += source?.kept ?? 0;
  }
  if (before === 0 || before < settings.minRows) return [];
  const limit = widenForChurn(settings.maxLost, before, daysSince(manifest.createdAt, now));
  const measure = measureShare(Math.max(0, before - after), before, limit, 'deals of all feeds are gone');
  // Losing everything is never chance.
  return [after === 0 ? { ...measure, limit: Math.min(limit, 0.99) } : measure];
}

function measureQuarantinedCms(
  name: string,
  sources: readonly SourceReport[],
  served: KnownSnapshot,
  settings: GateSettings,
): readonly Measure[] {
  const [before, now] = [findServedSource(served, name), sources.find((source) => source.name === name)];
  if (before === undefined || now === undefined) return [];
  const countRows = (source: SourceReport): RowCounts => ({ ...source, rows: source.read - source.outOfScope });
  const counts = { before: countRows(before), now: countRows(now) };
  return measureRise(counts, 'quarantined', settings.maxQuarantined, settings.minRows);
}

function daysSince(time: string, now: Date): number {
  return Math.max(1, Math.round((now.getTime() - Date.parse(time)) / DAY_MS));
}
