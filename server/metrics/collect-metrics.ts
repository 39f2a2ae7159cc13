import { readdir, stat } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { manifestSourceSchema } from '../../data/report/report.ts';
import { lockPath } from '../../data/store/layout.ts';
import { findOverdueSeconds, PULL_STEPS, type PullState, type PullStateReader } from '../../data/store/pull-state.ts';
import type { KeyFileWatch } from '../keys/watch-key-file.ts';
import type { SnapshotManager } from '../snapshot/snapshot-manager.ts';
import { BUILD_OUTCOMES, type LastBuildFacts, type LastBuildReader } from '../status/last-build.ts';
import type { ConnectionCounts, EventCounts, EventLoopDelay, RequestCounts } from './counters.ts';
import type { Sample, Samples } from './prometheus.ts';

/** The sources of the metrics. */
export interface MetricSources {
  readonly requests: RequestCounts;
  readonly events: EventCounts;
  readonly connections: ConnectionCounts;
  readonly delay: EventLoopDelay;
  readonly lastBuild: LastBuildReader;
  readonly pull: PullStateReader;
  readonly keys: Pick<KeyFileWatch, 'unreadableSeconds'>;
  readonly snapshots: SnapshotManager;
  readonly store: string;
  readonly now: () => Date;
}

const MICROSECONDS = 1e6;

const SOURCE_STATES = manifestSourceSchema.shape.state.options;

/** The current value of every metric. */
export async function collectMetrics(sources: MetricSources): Promise<Samples> {
  const { requests, events, connections, delay, snapshots } = sources;
  const [build, pull, lockAgeSeconds, openDescriptors] = await Promise.all([
    sources.lastBuild.readFacts(),
    sources.pull.read(),
    findLockAgeSeconds(sources.store, sources.now()),
    countDescriptors(),
  ]);
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  return {
    deals_http_requests_total: requests.listRequests(),
    deals_http_request_duration_seconds: requests.listDurations(),
    deals_http_received_bytes_total: one(connections.receivedBytes),
    deals_http_sent_bytes_total: one(connections.sentBytes),
    deals_http_connections_total: one(connections.accepted),
    deals_http_open_connections: one(connections.open),
    deals_answer_cache_requests_total: [
      { labels: { result: 'hit' }, value: requests.cacheHits },
      { labels: { result: 'miss' }, value: requests.cacheMisses },
    ],
    deals_rate_limited_requests_total: one(requests.rateLimited),
    deals_shed_requests_total: one(requests.shed),
    deals_log_events_total: events.list(),
    ...collectSnapshot(sources),
    ...collectSources(sources, build),
    deals_snapshots_held: one(snapshots.loaded.length),
    deals_snapshot_refusals_total: one(events.countOf('snapshot-refused')),
    ...collectBuild(build),
    deals_build_lock_age_seconds: one(lockAgeSeconds ?? 0),
    ...collectPull(pull.state, sources.now()),
    deals_keys_unreadable_seconds: one(sources.keys.unreadableSeconds()),
    deals_event_loop_delay_seconds: delay.take(),
    deals_event_loop_active_seconds_total: one(performance.eventLoopUtilization().active / 1_000),
    process_cpu_seconds_total: one((user + system) / MICROSECONDS),
    process_resident_memory_bytes: one(rss),
    process_heap_bytes: one(heapUsed),
    process_external_memory_bytes: one(external),
    process_open_fds: openDescriptors === undefined ? [] : one(openDescriptors),
    process_start_time_seconds: one(performance.timeOrigin / 1_000),
  };
}

function collectSnapshot({ snapshots, now }: MetricSources) {
  const manifest = snapshots.current?.manifest;
  const createdSeconds = manifest === undefined ? undefined : Date.parse(manifest.createdAt) / 1_000;
  const ageSeconds = createdSeconds === undefined ? undefined : now().getTime() / 1_000 - createdSeconds;
  return {
    deals_snapshot_info: manifest === undefined ? [] : [{ labels: { snapshot: manifest.id }, value: 1 }],
    deals_snapshot_sequence: oneOrNone(manifest?.sequence),
    deals_snapshot_created_timestamp_seconds: oneOrNone(createdSeconds),
    deals_snapshot_age_seconds: oneOrNone(ageSeconds),
    deals_snapshot_products: oneOrNone(manifest?.counts.products),
    deals_snapshot_deals: oneOrNone(manifest?.counts.deals),
    deals_snapshot_quarantined_records: oneOrNone(manifest?.counts.quarantined),
    deals_snapshot_sources:
      manifest === undefined
        ? []
        : SOURCE_STATES.map((state) => ({
            labels: { state },
            value: manifest.sources.filter((source) => source.state === state).length,
          })),
  };
}

/** A build without changes publishes nothing, but it has read the sources that the manifest calls fresh. */
function collectSources({ snapshots, now }: MetricSources, build: LastBuildFacts | undefined) {
  const manifest = snapshots.current?.manifest;
  const confirmedAt = build?.current === manifest?.id ? build?.confirmedAt : undefined;
  const ages = (manifest?.sources ?? []).flatMap(({ name, state, freshAt }) => {
    const times = [freshAt, state === 'fresh' ? confirmedAt : undefined].flatMap((time) => time ?? []).map(Date.parse);
    if (times.length === 0) return [];
    return [{ labels: { source: name }, value: (now().getTime() - Math.max(...times)) / 1_000 }];
  });
  return {
    deals_source_held: (manifest?.sources ?? []).map(({ name, state }) => ({
      labels: { source: name },
      value: state === 'fresh' ? 0 : 1,
    })),
    deals_source_age_seconds: ages,
  };
}

function collectBuild(build: LastBuildFacts | undefined) {
  return {
    deals_last_build_outcome:
      build === undefined
        ? []
        : BUILD_OUTCOMES.map((outcome) => ({ labels: { outcome }, value: outcome === build.outcome ? 1 : 0 })),
    deals_last_build_started_timestamp_seconds: build === undefined ? [] : one(Date.parse(build.startedAt) / 1_000),
    deals_last_build_duration_seconds: build === undefined ? [] : one(build.seconds),
    deals_last_build_confirmed_timestamp_seconds:
      build?.confirmedAt === undefined ? [] : one(Date.parse(build.confirmedAt) / 1_000),
  };
}

/** No samples where snapshots are built. */
function collectPull(state: PullState | undefined, now: Date) {
  const { announced, current, lastContactAt } = state ?? {};
  return {
    deals_pull_last_contact_timestamp_seconds:
      lastContactAt === undefined ? [] : one(Date.parse(lastContactAt) / 1_000),
    deals_pull_announced_revision: oneOrNone(announced?.revision),
    deals_pull_current_revision: oneOrNone(current?.revision),
    deals_pull_overdue_seconds: oneOrNone(state && findOverdueSeconds(state, now)),
    deals_pull_lead_seconds: oneOrNone(announced?.leadSeconds),
    deals_pull_failures_total:
      state === undefined ? [] : PULL_STEPS.map((step) => ({ labels: { step }, value: state.failures[step] ?? 0 })),
    deals_pull_refusals_total: oneOrNone(state?.refusals),
    deals_pull_fetched_bytes_total: oneOrNone(state?.fetchedBytes),
  };
}

/** Open file descriptors; undefined where the system does not list them. */
async function countDescriptors(): Promise<number | undefined> {
  return (await readdir('/proc/self/fd').catch(() => undefined))?.length;
}

function one(value: number): readonly Sample[] {
  return [{ value }];
}

function oneOrNone(value: number | undefined): readonly Sample[] {
  return value === undefined ? [] : one(value);
}

/**
 * Since when `build.lock` names a holder; undefined when it is empty or not there. A server may not open it, so it cannot
 * know whether that build runs or was killed.
 */
export async function findLockAgeSeconds(store: string, now: Date): Promise<number | undefined> {
  try {
    const { mtimeMs, size } = await stat(lockPath(store));
    return size === 0 ? undefined : Math.max(0, (now.getTime() - mtimeMs) / 1_000);
  } catch {
    return undefined;
  }
}
