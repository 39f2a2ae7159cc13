import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { storePath } from '../data/store/layout.ts';
import { HTTP_LIMITS, listen } from './http/limits.ts';
import type { RequestContext } from './http/request.ts';
import { describeError, type Log } from './log.ts';
import type { RouteContext } from './routes/routes.ts';
import { BUILD_OUTCOMES } from './snapshot/snapshot-manager.ts';

/** Where the facts of a scrape are found. */
type Sources = Pick<RouteContext, 'store' | 'snapshots' | 'keys' | 'now'>;

/** What metrics are read from at each scrape. */
type Facts = Awaited<ReturnType<typeof readFacts>>;

async function readFacts({ store, snapshots, keys, now }: Sources) {
  return {
    now: now(),
    manifest: snapshots.current?.manifest,
    build: snapshots.lastBuild,
    pull: snapshots.pull.state,
    lockAgeSeconds: await findLockAgeSeconds(store, now()),
    keysUnreadableSeconds: keys.unreadableSeconds(),
  };
}

/**
 * Since when `build.lock` names a holder; undefined when it is empty or not there. A server may not open it, so it cannot
 * know whether that build runs or was killed.
 */
export async function findLockAgeSeconds(store: string, now: Date): Promise<number | undefined> {
  const { mtimeMs, size = 0 } = (await stat(storePath(store, 'build.lock')).catch(() => undefined)) ?? {};
  return mtimeMs === undefined || size === 0 ? undefined : Math.max(0, (now.getTime() - mtimeMs) / 1_000);
}

type Value = number | undefined;

interface Metric {
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

/** Upper bounds in seconds: a cached response takes about 25 µs, a slow reader minutes. */
const BOUNDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Shown as 0 from the start: an alert on growth needs a first value. */
const EVENTS = [
  'snapshot-taken-up',
  'snapshot-refused',
  'snapshot-unreadable',
  'keys-taken-up',
  'keys-unreadable',
  'pull-state-unreadable',
  'request-failed',
  'picture-missing',
  'server-error',
];

/** Only programs of this machine. */
const METRICS_HOST = '127.0.0.1';

/** The metrics of a server, and its loopback port for Prometheus. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #read: ((facts: Facts) => void)[] = [];

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
    for (const [name, row] of Object.entries<Metric>(METRICS)) this.#register(name, row);
    for (const event of EVENTS) this.#count('deals_log_events_total', { event }, 0);
    for (const result of ['hit', 'miss']) this.#count('deals_answer_cache_requests_total', { result }, 0);
  }

  #register(name: string, { type, help, labels, read }: Metric): void {
    const options = { name, help, labelNames: [...labels], registers: [this.#registry] };
    if (type === 'histogram') {
      this.#registry.registerMetric(new Histogram({ ...options, registers: [], buckets: BOUNDS }));
      return;
    }
    const metric = type === 'gauge' ? new Gauge(options) : new Counter(options);
    if (read === undefined) return;
    const [label] = labels;
    this.#read.push((facts) => {
      metric.reset();
      // Reset gives a metric without labels the value 0.
      if (label === undefined) metric.remove();
      const values = read(facts);
      for (const [labelValue, value] of Array.isArray(values) ? values : [['', values] as const]) {
        if (value !== undefined) metric.inc(label === undefined ? {} : { [label]: labelValue }, value);
      }
    });
  }

  #count(name: keyof typeof METRICS, labels: Readonly<Record<string, string | number>>, by = 1): void {
    (this.#registry.getSingleMetric(name) as Counter).inc(labels, by);
  }

  /** Counts a request when it is over. */
  countRequest({ label: route, startedAt }: RequestContext, res: ServerResponse): void {
    this.#count('deals_http_requests_total', { route, status: res.headersSent ? res.statusCode : 'none' });
    const durations = this.#registry.getSingleMetric('deals_http_request_duration_seconds') as Histogram;
    durations.observe({ route }, (performance.now() - startedAt) / 1_000);
  }

  countCacheLookup(isHit: boolean): void {
    this.#count('deals_answer_cache_requests_total', { result: isHit ? 'hit' : 'miss' });
  }

  countShed(): void {
    this.#count('deals_shed_requests_total', {});
  }

  /** A log that counts entries and passes them on. */
  countEvents(log: Log): Log {
    return (entry) => {
      this.#count('deals_log_events_total', { event: entry.event });
      log(entry);
    };
  }

  /**
   * Answers `/metrics`, and nothing else, on a loopback port (D19).
   * @throws {Error} with `code` `EADDRINUSE` and the like when the port cannot be had
   */
  async listen(port: number, sources: Sources, log: Log) {
    const server = createServer(HTTP_LIMITS, (req, res) => {
      this.#respond(req, res, sources).catch((error: unknown) => {
        log({ event: 'metrics-failed', cause: describeError(error) });
        res.destroy();
      });
    });
    // Prometheus needs one.
    server.maxConnections = 64;
    await listen(server, port, METRICS_HOST);
    server.on('error', (error) => log({ event: 'server-error', cause: describeError(error) }));
    return {
      url: `http://${METRICS_HOST}:${(server.address() as AddressInfo).port}/metrics`,
      close: () => {
        server.close();
        server.closeAllConnections();
      },
    };
  }

  async #respond({ method, url }: IncomingMessage, res: ServerResponse, sources: Sources): Promise<void> {
    const common = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
    if (url !== '/metrics') {
      res.writeHead(404, common).end();
    } else if (method !== 'GET' && method !== 'HEAD') {
      res.writeHead(405, { ...common, Allow: 'GET, HEAD' }).end();
    } else {
      const facts = await readFacts(sources);
      for (const read of this.#read) read(facts);
      const text = await this.#registry.metrics();
      res.writeHead(200, { ...common, 'Content-Type': this.#registry.contentType });
      // Node sends no body to HEAD.
      res.end(text);
    }
  }
}
