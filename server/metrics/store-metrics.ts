import { stat } from 'node:fs/promises';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Manifest } from '../../data/snapshot/format.ts';
import { lockPath } from '../../data/store/layout.ts';
import { findOverdueSeconds, PULL_STEPS, type PullState } from '../../data/store/pull-state.ts';
import type { SnapshotManager } from '../snapshot/snapshot-manager.ts';
import { BUILD_OUTCOMES, type LastBuildFacts } from '../status/last-build.ts';

/** What the metrics are read from at each scrape. */
interface Facts {
  readonly now: Date;
  readonly manifest: Manifest | undefined;
  readonly build: LastBuildFacts | undefined;
  readonly pull: PullState | undefined;
  readonly lockAgeSeconds: number | undefined;
  readonly keysUnreadableSeconds: number;
}

type Value = number | undefined;

interface StoreMetric {
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly labels: readonly string[];
  /** The value, or one for each value of its label; undefined is not written. */
  readonly read: (facts: Facts) => Value | readonly (readonly [labelValue: string, value: Value])[];
}

function gauge(help: string, read: (facts: Facts) => Value): StoreMetric {
  return { type: 'gauge', help, labels: [], read };
}

function labelled(label: string, help: string, read: StoreMetric['read']): StoreMetric {
  return { type: 'gauge', help, labels: [label], read };
}

/** The metrics of the snapshot, the builds, `deals pull` and the keys. */
export const STORE_METRICS = {
  deals_snapshot_info: labelled('snapshot', '1, with the id of the snapshot being served', ({ manifest }) =>
    manifest === undefined ? [] : [[manifest.id, 1]],
  ),
  deals_snapshot_age_seconds: gauge('Age of the snapshot being served', ({ manifest, now }) =>
    secondsSince(manifest?.createdAt, now),
  ),
  deals_snapshot_deals: gauge('Deals of the snapshot being served', ({ manifest }) => manifest?.counts.deals),
  deals_snapshot_quarantined_records: gauge(
    'Records that were left out of the snapshot being served',
    ({ manifest }) => manifest?.counts.quarantined,
  ),
  deals_source_held: labelled(
    'source',
    '1 for a source that is held, withdrawn or missing in the snapshot being served, 0 for a fresh one',
    ({ manifest }) => (manifest?.sources ?? []).map(({ name, state }) => [name, state === 'fresh' ? 0 : 1]),
  ),
  deals_source_age_seconds: labelled(
    'source',
    'Time since a build last read the source as it is served; absent when none has',
    readSourceAges,
  ),
  deals_last_build_outcome: labelled('outcome', '1 for the outcome of the last build, 0 for the others', ({ build }) =>
    build === undefined ? [] : BUILD_OUTCOMES.map((each) => [each, each === build.outcome ? 1 : 0]),
  ),
  deals_last_build_started_timestamp_seconds: gauge('When the last build began', ({ build }) =>
    toSeconds(build?.startedAt),
  ),
  deals_last_build_duration_seconds: gauge('How long the last build took', ({ build }) => build?.seconds),
  deals_last_build_confirmed_timestamp_seconds: gauge(
    'When a build last found that the sources say what is current: a night that changes nothing makes no snapshot',
    ({ build }) => toSeconds(build?.confirmedAt),
  ),
  deals_build_lock_age_seconds: gauge(
    'How long build.lock has named a holder: a build holds the store, or was killed; 0 when it names none',
    ({ lockAgeSeconds }) => lockAgeSeconds ?? 0,
  ),
  deals_pull_last_contact_timestamp_seconds: gauge(
    'When the object store last answered deals pull; all metrics of deals pull are absent where snapshots are built',
    ({ pull }) => toSeconds(pull?.lastContactAt),
  ),
  deals_pull_overdue_seconds: gauge(
    'How long the announced revision should have been current; 0 when it is, or it is not time',
    ({ pull, now }) => pull && findOverdueSeconds(pull, now),
  ),
  deals_pull_failures_total: {
    type: 'counter',
    labels: ['step'],
    help: 'Looks at the object store that failed, by the step of the pull',
    read: ({ pull }) => pull && PULL_STEPS.map((step) => [step, pull.failures[step] ?? 0]),
  },
  deals_pull_refusals_total: {
    type: 'counter',
    labels: [],
    help: 'Records of the object store that were not accepted: unsigned, copied or older',
    read: ({ pull }) => pull?.refusals,
  },
  deals_keys_unreadable_seconds: gauge(
    'How long the key file cannot be read, so that revoked keys still work; 0 when it can',
    ({ keysUnreadableSeconds }) => keysUnreadableSeconds,
  ),
} as const satisfies Readonly<Record<string, StoreMetric>>;

/** A build without changes publishes nothing, but it has read the sources that the manifest calls fresh. */
function readSourceAges({ manifest, build, now }: Facts): readonly (readonly [string, number | undefined])[] {
  const confirmedAt = build?.current === manifest?.id ? build?.confirmedAt : undefined;
  return (manifest?.sources ?? []).map(({ name, state, freshAt }) => {
    const ages = [freshAt, state === 'fresh' ? confirmedAt : undefined].flatMap(
      (time) => secondsSince(time ?? undefined, now) ?? [],
    );
    return [name, ages.length === 0 ? undefined : Math.min(...ages)];
  });
}

function toSeconds(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time) / 1_000;
}

function secondsSince(time: string | undefined, now: Date): number | undefined {
  return time === undefined ? undefined : (now.getTime() - Date.parse(time)) / 1_000;
}

export interface StoreSources {
  readonly store: string;
  readonly snapshots: Pick<SnapshotManager, 'current' | 'lastBuild' | 'pull'>;
  readonly keys: { unreadableSeconds(): number };
  readonly now: () => Date;
}

/** Registers the metrics of the store. Returns a function that reads them, for each scrape. */
export function registerStoreMetrics(registry: Registry, sources: StoreSources): () => Promise<void> {
  const metrics = Object.entries<StoreMetric>(STORE_METRICS).map(([name, { type, labels, help, read }]) => {
    const options = { name, help, labelNames: [...labels], registers: [registry] };
    return { labels, read, metric: type === 'gauge' ? new Gauge(options) : new Counter(options) };
  });
  return async () => {
    const { store, snapshots, keys, now } = sources;
    const facts: Facts = {
      now: now(),
      manifest: snapshots.current?.manifest,
      build: snapshots.lastBuild,
      pull: snapshots.pull.state,
      lockAgeSeconds: await findLockAgeSeconds(store, now()),
      keysUnreadableSeconds: keys.unreadableSeconds(),
    };
    for (const {
      labels: [label],
      read,
      metric,
    } of metrics) {
      metric.reset();
      // Reset gives a metric without labels the value 0.
      if (label === undefined) metric.remove();
      const values = read(facts);
      for (const [labelValue, value] of Array.isArray(values) ? values : [['', values] as const]) {
        if (value !== undefined) metric.inc(label === undefined ? {} : { [label]: labelValue }, value);
      }
    }
  };
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
