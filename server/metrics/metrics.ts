import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { storePath } from '../../data/store/layout.ts';
import { HTTP_LIMITS, listen } from '../http/limits.ts';
import type { RequestContext } from '../http/request.ts';
import { describeError, type Log } from '../log.ts';
import type { RouteContext } from '../routes/routes.ts';
import { METRICS, type Facts, type Metric } from './metric-table.ts';

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
/** Prometheus needs one. */
const MAX_CONNECTIONS = 64;

/** Where the facts of a scrape are found. */
type Sources = Pick<RouteContext, 'store' | 'snapshots' | 'keys' | 'now'>;

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
    server.maxConnections = MAX_CONNECTIONS;
    await listen(server, port, METRICS_HOST);
    server.on('error', (error) => log({ event: 'server-error', cause: describeError(error) }));
    return {
      url: `http://${METRICS_HOST}:${(server.address() as AddressInfo).port}/metrics`,
      close: () =>
        new Promise<void>((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
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
      res.end(method === 'HEAD' ? undefined : text);
    }
  }
}

async function readFacts({ store, snapshots, keys, now }: Sources): Promise<Facts> {
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
