import type { Manifest } from '../../data/snapshot/format.ts';
import type { PullState } from '../../data/store/pull-state.ts';
import { BUILD_OUTCOMES, type LastBuildFacts } from '../snapshot/snapshot-manager.ts';

/** What metrics are read from at each scrape. */
export interface Facts {
  readonly now: Date;
  readonly manifest: Manifest | undefined;
  readonly build: LastBuildFacts | undefined;
  readonly pull: PullState | undefined;
  readonly lockAgeSeconds: number | undefined;
  readonly keysUnreadableSeconds: number;
}

type Value = number | undefined;

export interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /**
   * The value, or one for each value of its label; undefined is not written. Absent for a metric that is counted as
   * requests come.
   */
  readonly read?: ((facts: Facts) => Value | readonly (readonly [labelValue: string, value: Value])[]) | undefined;
}

function gauge(help: string, read: Metric['read'], ...labels: readonly string[]) {
  return { type: 'gauge', help, labels, read } as const;
}

function counter(help: string, labels: readonly string[], read?: Metric['read']) {
  return { type: 'counter', help, labels, read } as const;
}

/** Every metric of this program, by the naming conventions of Prometheus; prom-client adds those of the process. */
export const METRICS = {
  deals_http_requests_total: counter('Requests that were answered; status none where the client was gone before', [
    'route',
    'status',
  ]),
  deals_http_request_duration_seconds: {
    type: 'histogram',
    help: 'Time from the head of a request to the end of its answer, which a slow reader lengthens',
    labels: ['route'],
  },
  deals_answer_cache_requests_total: counter('Authenticated requests by response-cache result: hit or miss', [
    'result',
  ]),
  deals_shed_requests_total: counter('Requests refused since there was too much to do', []),
  deals_log_events_total: counter(
    'Lines of the log by their event, without those of requests; snapshot-refused and request-failed are faults',
    ['event'],
  ),
  deals_snapshot_info: gauge(
    '1, with the id of the snapshot being served',
    ({ manifest }) => (manifest === undefined ? [] : [[manifest.id, 1]]),
    'snapshot',
  ),
  deals_snapshot_age_seconds: gauge('Age of the snapshot being served', ({ manifest, now }) =>
    secondsSince(manifest?.createdAt, now),
  ),
  deals_snapshot_deals: gauge('Deals of the snapshot being served', ({ manifest }) => manifest?.counts.deals),
  deals_snapshot_quarantined_records: gauge(
    'Records that were left out of the snapshot being served',
    ({ manifest }) => manifest?.counts.quarantined,
  ),
  deals_source_held: gauge(
    '1 for a source that is held, withdrawn or missing in the snapshot being served, as a whole or in part; 0 for a fresh one',
    ({ manifest }) =>
      (manifest?.sources ?? []).map(({ name, state, held = [] }) => [
        name,
        state === 'fresh' && held.length === 0 ? 0 : 1,
      ]),
    'source',
  ),
  deals_source_age_seconds: gauge(
    'Time since a build last read the source as it is served; absent when none has',
    readSourceAges,
    'source',
  ),
  deals_last_build_outcome: gauge(
    '1 for the outcome of the last build, 0 for the others',
    ({ build }) => (build === undefined ? [] : BUILD_OUTCOMES.map((each) => [each, each === build.outcome ? 1 : 0])),
    'outcome',
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
    'When the remote store last answered deals pull; all metrics of deals pull are absent where snapshots are built',
    ({ pull }) => toSeconds(pull?.lastContactAt),
  ),
  deals_pull_revision: gauge(
    'The revision of the remote store that was switched to last',
    ({ pull }) => pull?.revision,
  ),
  deals_pull_failures_total: counter(
    'Looks at the remote store that failed, or found what is not accepted',
    [],
    ({ pull }) => pull?.failures,
  ),
  deals_keys_unreadable_seconds: gauge(
    'How long the key file cannot be read, so that revoked keys still work; 0 when it can',
    ({ keysUnreadableSeconds }) => keysUnreadableSeconds,
  ),
} as const satisfies Readonly<Record<string, Metric>>;

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
