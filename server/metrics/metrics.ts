import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import { HTTP_LIMITS, listen } from '../http/connections.ts';
import type { RequestContext } from '../http/request.ts';
import { describeError, type Log } from '../log.ts';
import { registerStoreMetrics, STORE_METRICS, type StoreSources } from './store-metrics.ts';

/** Upper bounds in seconds: a cached response takes about 25 µs, a slow reader minutes. */
const BOUNDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

interface CountedMetric {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly help: string;
}

const COUNTED_METRICS = {
  deals_http_requests_total: {
    type: 'counter',
    labels: ['route', 'status'],
    help: 'Requests that were answered; status none where the client was gone before',
  },
  deals_http_request_duration_seconds: {
    type: 'histogram',
    labels: ['route'],
    help: 'Time from the head of a request to the end of its answer, which a slow reader lengthens',
  },
  deals_answer_cache_requests_total: {
    type: 'counter',
    labels: ['result'],
    help: 'Authenticated requests by response-cache result: hit or miss',
  },
  deals_shed_requests_total: {
    type: 'counter',
    labels: [],
    help: 'Requests refused since there was too much to do',
  },
  deals_log_events_total: {
    type: 'counter',
    labels: ['event'],
    help: 'Lines of the log by their event, without those of requests; snapshot-refused and request-failed are faults',
  },
} as const satisfies Readonly<Record<string, CountedMetric>>;

type CountedName = keyof typeof COUNTED_METRICS;

function describe(name: CountedName) {
  const { help, labels } = COUNTED_METRICS[name];
  return { name, help, labelNames: [...labels] };
}

/** Every metric of this program, by the naming conventions of Prometheus; prom-client adds those of the process. */
export const METRICS: Readonly<Record<string, CountedMetric>> = { ...COUNTED_METRICS, ...STORE_METRICS };

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

/** The metrics of a server, and its loopback port for Prometheus. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = this.#createCounter('deals_http_requests_total');
  readonly #durations = new Histogram({
    ...describe('deals_http_request_duration_seconds'),
    buckets: BOUNDS,
    registers: [this.#registry],
  });
  readonly #lookups = this.#createCounter('deals_answer_cache_requests_total');
  readonly #shed = this.#createCounter('deals_shed_requests_total');
  readonly #events = this.#createCounter('deals_log_events_total');

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
    for (const event of EVENTS) this.#events.inc({ event }, 0);
    for (const result of ['hit', 'miss']) this.#lookups.inc({ result }, 0);
  }

  #createCounter(name: CountedName): Counter {
    return new Counter({ ...describe(name), registers: [this.#registry] });
  }

  /** Counts a request when it is over. */
  countRequest({ label: route, startedAt }: RequestContext, res: ServerResponse): void {
    this.#requests.inc({ route, status: res.headersSent ? res.statusCode : 'none' });
    this.#durations.observe({ route }, (performance.now() - startedAt) / 1_000);
  }

  countCacheLookup(isHit: boolean): void {
    this.#lookups.inc({ result: isHit ? 'hit' : 'miss' });
  }

  countShed(): void {
    this.#shed.inc();
  }

  /** A log that counts entries and passes them on. */
  countEvents(log: Log): Log {
    return (entry) => {
      this.#events.inc({ event: entry.event });
      log(entry);
    };
  }

  /**
   * Answers `/metrics`, and nothing else, on a loopback port (D19).
   * @throws {Error} with `code` `EADDRINUSE` and the like when the port cannot be had
   */
  async listen(port: number, sources: StoreSources, log: Log): Promise<MetricsServer> {
    const readStore = registerStoreMetrics(this.#registry, sources);
    const server = createServer(HTTP_LIMITS, (req, res) => {
      this.#respond(req, res, readStore).catch((error: unknown) => {
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
        new Promise((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    };
  }

  async #respond({ method, url }: IncomingMessage, res: ServerResponse, readStore: () => Promise<void>): Promise<void> {
    const common = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
    if (url !== '/metrics') {
      res.writeHead(404, common).end();
    } else if (method !== 'GET' && method !== 'HEAD') {
      res.writeHead(405, { ...common, Allow: 'GET, HEAD' }).end();
    } else {
      await readStore();
      const text = await this.#registry.metrics();
      res.writeHead(200, { ...common, 'Content-Type': this.#registry.contentType });
      res.end(method === 'HEAD' ? undefined : text);
    }
  }
}

/** Only programs of this machine. */
const METRICS_HOST = '127.0.0.1';
/** Prometheus needs one. */
const MAX_CONNECTIONS = 64;

export interface MetricsServer {
  /** `http://127.0.0.1:<port>/metrics` */
  readonly url: string;
  close(): Promise<void>;
}
