import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';
import { ENDPOINTS } from '../../data/query/endpoint.ts';
import type { Log } from '../log.ts';
import type { Sample } from './prometheus.ts';

const ROUTE_LABELS = [
  ...ENDPOINTS.map(({ name }) => name),
  ...(['health', 'image', 'problem', 'page', 'openapi', 'status', 'other'] as const),
] as const;

/** The route of a request; `other` is an unknown path, or a request rejected before routing. */
export type RouteLabel = (typeof ROUTE_LABELS)[number];

/** Upper bounds in seconds: a cached response takes about 25 µs, a slow reader minutes. */
const BOUNDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;

const STATUS_LIMIT = 600;
/** The status of a request whose client was gone before the response. */
const NO_STATUS = 0;

/** Counts requests in arrays of fixed size, in about 20 ns each. */
export class RequestCounts {
  readonly #routes = Object.fromEntries(ROUTE_LABELS.map((label) => [label, new RouteCounts()])) as Readonly<
    Record<RouteLabel, RouteCounts>
  >;
  cacheHits = 0;
  cacheMisses = 0;
  rateLimited = 0;
  shed = 0;

  /** @param status undefined when the client was gone before there was one */
  count(label: RouteLabel, status: number | undefined, milliseconds: number): void {
    this.#routes[label].count(status ?? NO_STATUS, milliseconds / 1_000);
  }

  listRequests(): readonly Sample[] {
    return ROUTE_LABELS.flatMap((route) => this.#routes[route].listStatuses(route));
  }

  listDurations(): readonly Sample[] {
    return ROUTE_LABELS.flatMap((route) => this.#routes[route].listDurations(route));
  }
}

class RouteCounts {
  readonly #statuses = new Float64Array(STATUS_LIMIT);
  /** Requests by the smallest bound they met; the last are above all bounds. */
  readonly #durations = new Float64Array(BOUNDS.length + 1);
  #seconds = 0;

  count(status: number, seconds: number): void {
    this.#statuses[status] = (this.#statuses[status] as number) + 1;
    let bucket = 0;
    while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] as number)) bucket++;
    this.#durations[bucket] = (this.#durations[bucket] as number) + 1;
    this.#seconds += seconds;
  }

  listStatuses(route: string): readonly Sample[] {
    return Array.from(this.#statuses, (value, status) => ({ value, status }))
      .filter(({ value }) => value > 0)
      .map(({ value, status }) => ({
        labels: { route, status: status === NO_STATUS ? 'none' : String(status) },
        value,
      }));
  }

  /** The lines of a histogram with cumulative buckets; none without requests. */
  listDurations(route: string): readonly Sample[] {
    let count = 0;
    const buckets = Array.from(this.#durations, (value, bucket): Sample => {
      count += value;
      return { suffix: '_bucket', labels: { route, le: String(BOUNDS[bucket] ?? '+Inf') }, value: count };
    });
    if (count === 0) return [];
    return [
      ...buckets,
      { suffix: '_sum', labels: { route }, value: this.#seconds },
      { suffix: '_count', labels: { route }, value: count },
    ];
  }
}

/** Counts connections and their bytes, without work for each request. */
export class ConnectionCounts {
  readonly #open = new Set<Socket>();
  #accepted = 0;
  #receivedOnClosed = 0;
  #sentOnClosed = 0;

  constructor(server: Server) {
    server.on('connection', (socket) => {
      this.#accepted++;
      this.#open.add(socket);
      socket.once('close', () => {
        this.#open.delete(socket);
        this.#receivedOnClosed += socket.bytesRead;
        this.#sentOnClosed += socket.bytesWritten;
      });
    });
  }

  get open(): number {
    return this.#open.size;
  }

  get accepted(): number {
    return this.#accepted;
  }

  get receivedBytes(): number {
    return Array.from(this.#open, (socket) => socket.bytesRead).reduce(add, this.#receivedOnClosed);
  }

  get sentBytes(): number {
    return Array.from(this.#open, (socket) => socket.bytesWritten).reduce(add, this.#sentOnClosed);
  }
}

const add = (a: number, b: number): number => a + b;

/** Shown as 0 from the start: an alert on growth needs a first value. */
const EXPECTED_EVENTS = [
  'snapshot-taken-up',
  'snapshot-refused',
  'snapshot-unreadable',
  'keys-taken-up',
  'keys-unreadable',
  'pull-state-unreadable',
];
const ERROR_EVENTS = [
  'request-failed',
  'request-unread',
  'connection-failed',
  'page-unreadable',
  'picture-missing',
  'picture-damaged',
  'server-error',
];

/** Counts log lines by event. Events are words of this program, so there are few. */
export class EventCounts {
  readonly #counts = new Map([...EXPECTED_EVENTS, ...ERROR_EVENTS].map((event) => [event, 0]));

  /** A log that counts entries and passes them on. */
  countFor(log: Log): Log {
    return (entry) => {
      this.#counts.set(entry.event, this.countOf(entry.event) + 1);
      log(entry);
    };
  }

  countOf(event: string): number {
    return this.#counts.get(event) ?? 0;
  }

  list(): readonly Sample[] {
    return Array.from(this.#counts, ([event, value]) => ({ labels: { event }, value }));
  }
}

const RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;

/** How late the event loop comes to a timer that is due every 20 ms. */
export class EventLoopDelay {
  readonly #histogram: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  constructor() {
    this.#histogram.enable();
  }

  /** The delays since the last call. */
  take(): readonly Sample[] {
    const { mean, max } = this.#histogram;
    const p99 = this.#histogram.percentile(99);
    this.#histogram.reset();
    return Object.entries({ mean, p99, max }).map(([statistic, nanoseconds]) => ({
      labels: { statistic },
      value: toDelaySeconds(nanoseconds),
    }));
  }

  close(): void {
    this.#histogram.disable();
  }
}

/** The histogram holds the time between two calls of the timer; without any its mean is not a number. */
function toDelaySeconds(nanoseconds: number): number {
  return Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS / 1_000) : 0;
}
