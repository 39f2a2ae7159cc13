import type { GateResult, SourceReport } from '../../data/report/report.ts';
import type { CatalogueSummary, RowCounts } from '../../data/report/summary.ts';
import { DAY_MS } from '../../data/record/amount.ts';
import type { GateSettings } from '../config/gate-settings.ts';
import type { SourceState } from '../source/record.ts';
import { measureFields } from './fields.ts';
import { parseGate, type GateName } from './gates.ts';
import { measureCms } from './judge-cms.ts';
import { exceedsLimit, findWorst, measureShare, widenForChurn, type Measure } from './measure.ts';
import { measureRise } from './part-measures.ts';
import type { KnownSnapshot, ServedSnapshot } from './served-snapshot.ts';
import { summariseCatalogue, type SummaryParts } from './summary.ts';

export interface JudgedCatalogue extends SummaryParts {
  /** What became of the parts of the feeds. */
  readonly feedGates: readonly GateResult[];
  readonly now: Date;
  readonly settings: GateSettings;
  readonly isAccepted: (gate: GateName, source?: string) => boolean;
}

/** A check of a CMS source, or of the whole catalogue. */
interface Check {
  readonly gate: GateName;
  readonly source?: string | undefined;
  readonly isRefused: boolean;
  readonly detail: string;
  readonly measure?: Measure;
}

/**
 * Judges the sources of the CMS and the whole catalogue: what fails refuses the build (INPUTS "What fails is held, and
 * nothing else"). `said` is what changed in the CMS below the limits.
 */
export function judgeCatalogue(input: JudgedCatalogue): {
  readonly summary: CatalogueSummary;
  readonly gates: readonly GateResult[];
  readonly said: readonly string[];
} {
  const { catalogue, served, isAccepted } = input;
  const count = catalogue.records.products.length;
  const summary = summariseCatalogue(input);
  const cms = served.kind === 'known' ? measureSources(input, summary, served) : [];
  const checks: readonly Check[] = [
    ...checkSources(input),
    checkServed(served),
    { gate: 'no-products', isRefused: count === 0, detail: `the catalogue has ${count} products` },
    ...(served.kind === 'known' ? compareCatalogue(input, served) : []),
    ...cms.flatMap(({ name, measures }) => measures.flatMap(([gate, each]) => toChecks(gate, name, each))),
    ...(served.kind === 'known' ? compareFiles(input, served) : []),
  ];
  return {
    summary,
    gates: checks.map(({ gate, source, isRefused, detail, measure }) => ({
      gate: source === undefined ? gate : `${gate}:${source}`,
      state: !isRefused ? 'passed' : isAccepted(gate, source) ? 'accepted' : 'refused',
      detail,
      measured: measure?.measured,
      limit: measure?.limit,
    })),
    said: cms.flatMap(({ said }) => said),
  };
}

const UNREAD_TEXTS = { 'carried-forward': 'is held', absent: 'has no file', failed: 'could not be read' } as const;

/** A build without a required source, or with half of the CMS, is useless. */
function checkSources({ states, served }: JudgedCatalogue): readonly Check[] {
  return states
    .filter((source) => source.required || isMissedCms(source, served))
    .map(({ name, state, heldBecause }) => ({
      gate: 'unread',
      source: name,
      isRefused: state !== 'fresh',
      detail: `the source ${state === 'fresh' ? 'was read' : (heldBecause ?? UNREAD_TEXTS[state])}`,
    }));
}

/** A CMS source without a file gets only a notice when it had none before. */
function isMissedCms({ name, kind, state }: SourceState, served: ServedSnapshot): boolean {
  if (kind !== 'cms' || state === 'fresh') return false;
  const before = served.kind === 'known' ? served.manifest.sources.find((source) => source.name === name) : undefined;
  return state === 'failed' || (before?.kept ?? 0) > 0;
}

function checkServed(served: ServedSnapshot): Check {
  const gate = 'unreadable-snapshot';
  switch (served.kind) {
    case 'known':
      return { gate, isRefused: false, detail: 'the snapshot being served can be compared with' };
    case 'none':
      return { gate, isRefused: false, detail: served.reason };
    case 'unreadable':
      return { gate, isRefused: true, detail: `the current snapshot cannot be compared with: ${served.reason}` };
  }
}

/** Each source of the CMS that the snapshot being served has. */
function measureSources(
  { catalogue: { records }, now, settings }: JudgedCatalogue,
  summary: CatalogueSummary,
  served: KnownSnapshot,
) {
  return served.report.summary.cms.map((before) => {
    const { name } = before;
    const readAt = served.manifest.sources.find((source) => source.name === name)?.freshAt;
    const days = daysSince(readAt ?? served.manifest.createdAt, now);
    const source = { before, now: summary.cms.find((each) => each.name === name), days, records };
    return { name, ...measureCms(source, served, settings) };
  });
}

function compareCatalogue(input: JudgedCatalogue, served: KnownSnapshot): readonly Check[] {
  const [before, now] = [served.report.summary.currency, input.currency];
  return [
    { gate: 'currency', isRefused: now !== before, detail: `prices are in ${now}, and were in ${before}` },
    ...toChecks('lost', undefined, [measureAllDeals(input, served)]),
  ];
}

/** What the files of the CMS show as a whole. */
function compareFiles(input: JudgedCatalogue, served: KnownSnapshot): readonly Check[] {
  return input.states
    .filter(({ kind, state }) => kind === 'cms' && state === 'fresh')
    .flatMap((state) => [
      ...toChecks('emptied', state.name, [measureFields(state, served, input.settings.minRows)]),
      ...toChecks('quarantined', state.name, [measureQuarantinedCms(state.name, input, served)]),
    ]);
}

function toChecks(gate: GateName, source: string | undefined, measures: readonly (Measure | undefined)[]): Check[] {
  const measure = findWorst(measures.filter((each) => each !== undefined));
  return measure === undefined
    ? []
    : [{ gate, source, isRefused: exceedsLimit(measure), detail: measure.detail, measure }];
}

/**
 * All deals together: small losses of many parts may not add up, and a feed may not go unnoticed from the configuration.
 * What was withdrawn, taken or accepted of a feed has been said.
 */
function measureAllDeals(
  { sources, feedGates, settings, now }: JudgedCatalogue,
  { manifest }: KnownSnapshot,
): Measure | undefined {
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
  if (before === 0 || before < settings.minRows) return undefined;
  const limit = widenForChurn(settings.maxLost, before, daysSince(manifest.createdAt, now));
  const measure = measureShare(Math.max(0, before - after), before, limit, 'deals of all feeds are gone');
  // Losing everything is never chance.
  return after === 0 ? { ...measure, limit: Math.min(limit, 0.99) } : measure;
}

function measureQuarantinedCms(
  name: string,
  { sources, settings }: JudgedCatalogue,
  { manifest }: KnownSnapshot,
): Measure | undefined {
  const [before, now] = [manifest.sources, sources].map((list) => list.find((source) => source.name === name));
  if (before === undefined || now === undefined) return undefined;
  const countRows = (source: SourceReport): RowCounts => ({ ...source, rows: source.read - source.outOfScope });
  const counts = { before: countRows(before), now: countRows(now) };
  return measureRise(counts, 'quarantined', settings.maxQuarantined, settings.minRows);
}

function daysSince(time: string, now: Date): number {
  return Math.max(1, Math.round((now.getTime() - Date.parse(time)) / DAY_MS));
}
