import { compareCodeUnits } from '../../data/record/id.ts';
import { NOTICES, type Notice } from '../../data/report/notice.ts';
import type { CatalogueSummary, FeedSummary, GateResult, RowCounts, SourceReport } from '../../data/report/report.ts';
import type { Catalogue } from '../deals/catalogue-deals.ts';
import type { SourceState } from '../source/record.ts';
import { compareSource, sayRecords, summariseCms, type ComparedSource } from './compare-cms.ts';
import {
  findFailing,
  measureFields,
  measureQuarantined,
  parseGate,
  type BuildContext,
  type GateName,
} from './gates.ts';
import { countDays, findExceeded, measureShare, widenForChurn, type Measure } from './limits.ts';
import { findServedSource, type KnownSnapshot, type ServedSnapshot } from './served-snapshot.ts';

/** A catalogue whose feeds have been judged. */
export interface JudgedCatalogue {
  readonly catalogue: Catalogue;
  readonly states: readonly SourceState[];
  /** The same with their counts. */
  readonly sources: readonly SourceReport[];
}

/** A gate that a CMS source, or the whole catalogue, fails. */
interface Failure extends Partial<Measure> {
  readonly gate: GateName;
  readonly source?: string | undefined;
  readonly detail: string;
}

interface Verdict {
  readonly summary: CatalogueSummary;
  readonly gates: readonly GateResult[];
  /** What changed in the CMS below the limits. */
  readonly said: readonly string[];
}

/**
 * Judges the sources of the CMS and the whole catalogue: what fails refuses the build (INPUTS "What fails is held, and
 * nothing else").
 */
export function judgeCatalogue(
  build: BuildContext,
  judged: JudgedCatalogue,
  feedGates: readonly GateResult[],
): Verdict {
  const { served, isAccepted } = build;
  const summary = summariseCatalogue(build, judged);
  const failures: Failure[] = [...listUnread(judged.states, served)];
  if (served.kind === 'unreadable') {
    const detail = `the current snapshot cannot be compared with: ${served.reason}`;
    failures.push({ gate: 'unreadable-snapshot', detail });
  }
  if (judged.catalogue.records.products.length === 0) {
    failures.push({ gate: 'no-products', detail: 'the catalogue has 0 products' });
  }
  const said: string[] = [];
  if (served.kind === 'known') {
    const before = served.report.summary.currency;
    if (summary.currency !== before) {
      failures.push({ gate: 'currency', detail: `prices are in ${summary.currency}, and were in ${before}` });
    }
    const lost = findExceeded(measureAllDeals(build, judged, feedGates, served));
    if (lost !== undefined) failures.push({ gate: 'lost', ...lost });
    const cms = judged.states.filter(({ kind }) => kind === 'cms');
    for (const source of new Set([...served.report.summary.cms, ...cms].map(({ name }) => name))) {
      const compared = compareSource(source, judged.catalogue.records, summary.cms, served, build.now);
      failures.push(...findCmsFailures(source, compared, build, judged, served));
      said.push(...(compared === undefined ? [] : sayRecords(source, compared, build.config.gates)));
    }
  }
  return {
    summary,
    gates: failures.map(({ gate, source, detail, measured, limit }) => ({
      gate: source === undefined ? gate : `${gate}:${source}`,
      state: isAccepted(gate, source) ? 'accepted' : 'refused',
      detail,
      measured,
      limit,
    })),
    said,
  };
}

/** The gates that a source of the CMS fails. Only of one that is read the rows and the fields are known. */
function findCmsFailures(
  source: string,
  compared: ComparedSource | undefined,
  { config: { gates: settings } }: BuildContext,
  { states, sources }: JudgedCatalogue,
  served: KnownSnapshot,
): readonly Failure[] {
  const [before, after] = [findServedSource(served, source), sources.find(({ name }) => name === source)];
  const state = states.find((each) => each.name === source && each.state === 'fresh');
  const counts = before && after && state && { before: countRows(before), now: countRows(after) };
  return findFailing(({ ofCms }, gate) => [
    ...((compared && ofCms?.(compared, settings)) ?? []),
    ...(counts && gate === 'emptied' ? measureFields(state, served, settings.minRows) : []),
    ...(counts && gate === 'quarantined' ? measureQuarantined(counts, settings) : []),
  ]).map((failure) => ({ ...failure, source }));
}

function countRows(source: SourceReport): RowCounts {
  return { ...source, rows: source.read - source.outOfScope };
}

/** A build without a required source, or with half of the CMS, is useless. */
function listUnread(states: readonly SourceState[], served: ServedSnapshot): readonly Failure[] {
  return states
    .filter((source) => source.state !== 'fresh' && (source.required || isMissedCms(source, served)))
    .map(({ name, state, held: [part] = [] }) => ({
      gate: 'unread',
      source: name,
      detail: `the source ${part?.because ?? (state === 'absent' ? 'has no file' : 'could not be read')}`,
    }));
}

/** A CMS source without a file gets only a notice when it had none before. */
function isMissedCms({ name, kind, state }: SourceState, served: ServedSnapshot): boolean {
  return kind === 'cms' && (state === 'failed' || (findServedSource(served, name)?.kept ?? 0) > 0);
}

/**
 * All deals together: small losses of many parts may not add up, and a feed may not go unnoticed from the configuration.
 * What was withdrawn, taken or accepted of a feed has been said; but when nothing is left, no loss was real.
 */
function measureAllDeals(
  { config: { gates: settings }, now }: BuildContext,
  { catalogue, sources }: JudgedCatalogue,
  feedGates: readonly GateResult[],
  { manifest }: KnownSnapshot,
): readonly Measure[] {
  const isTaken = ({ state }: GateResult): boolean =>
    state === 'accepted' || (state === 'taken' && catalogue.deals.rowCount > 0);
  const stands = new Set(feedGates.filter(isTaken).map(({ gate }) => parseGate(gate).source));
  let [before, after] = [0, 0];
  for (const { name, kind, kept } of manifest.sources) {
    if (kind !== 'feed' || stands.has(name)) continue;
    const source = sources.find((each) => each.name === name);
    if (source !== undefined && isHeld(source)) continue;
    before += kept;
    after += source?.kept ?? 0;
  }
  if (before === 0 || before < settings.minRows) return [];
  const limit = widenForChurn(settings.maxLost, before, countDays(Date.parse(manifest.createdAt), now));
  // A clock that is wrong ends all deals.
  const since = after === 0 ? ` since ${manifest.createdAt.slice(0, 10)}` : '';
  const measure = measureShare(Math.max(0, before - after), before, limit, `deals of all feeds are gone${since}`);
  // Losing everything is never chance.
  return [after === 0 ? { ...measure, limit: Math.min(limit, 0.99) } : measure];
}

function isHeld({ state, held = [] }: Pick<SourceReport, 'state' | 'held'>): boolean {
  return state !== 'fresh' || held.length > 0;
}

/**
 * What the gates of the next build compare. A feed that is held, as a whole or in part, keeps what it had before: its file
 * may stay faulty.
 */
function summariseCatalogue(
  { config, served, ledger }: BuildContext,
  { catalogue, states, sources }: JudgedCatalogue,
): CatalogueSummary {
  const before = served.kind === 'known' ? served.report.summary : undefined;
  const feeds = sources.filter(({ kind }) => kind === 'feed');
  const counted = summariseFeeds(
    feeds,
    catalogue,
    feeds.flatMap(({ name }) => ledger.noticesOf(name)),
  );
  return {
    currency: config.currency.code,
    cms: summariseCms(catalogue.records),
    feeds: feeds.map((source, i) => {
      const earlier = isHeld(source) ? before?.feeds.find(({ name }) => name === source.name) : undefined;
      return earlier ?? (counted[i] as FeedSummary);
    }),
    fields: states.flatMap((state) => {
      const { name, fields = [] } = state;
      return isHeld(state)
        ? (before?.fields.filter(({ source }) => source === name) ?? [])
        : [{ source: name, fields: [...fields] }];
    }),
  };
}

/** The records in scope of each feed, and of each retailer in it. */
function summariseFeeds(
  feeds: readonly SourceReport[],
  { records, deals }: Catalogue,
  notices: readonly Notice[],
): readonly FeedSummary[] {
  const retailers = new Map(feeds.map(({ name }) => [name, new Map<string, RowCounts>()]));
  const count = (feed: string, slug: string, outcome?: 'quarantined' | 'duplicate'): void => {
    const counts = retailers.get(feed)?.get(slug) ?? { rows: 0, quarantined: 0, duplicate: 0 };
    counts.rows++;
    if (outcome !== undefined) counts[outcome]++;
    retailers.get(feed)?.set(slug, counts);
  };
  for (let row = 0; row < deals.rowCount; row++) {
    count(deals.originAt(row).source, records.retailers[deals.retailer[row] as number]?.record.slug ?? '');
  }
  for (const { code, source, retailer } of notices) {
    const { outcome } = NOTICES[code];
    if (retailer !== undefined && (outcome === 'quarantined' || outcome === 'duplicate')) {
      count(source, retailer, outcome);
    }
  }
  return feeds.map(({ name, kept, duplicate, quarantined }) => ({
    name,
    rows: kept + duplicate + quarantined,
    quarantined,
    duplicate,
    retailers: Array.from(retailers.get(name) ?? [], ([slug, counts]) => ({ slug, ...counts })).sort((a, b) =>
      compareCodeUnits(a.slug, b.slug),
    ),
  }));
}
