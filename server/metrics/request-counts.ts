import { ENDPOINTS, type EndpointName } from '../../data/query/endpoint.ts';
import type { Sample } from './write-metrics.ts';

/** What a request was about; `other` is a path that there is not, or a request that was refused before it was routed. */
export type RouteLabel = EndpointName | 'health' | 'image' | 'problem' | 'page' | 'openapi' | 'status' | 'other';

const ROUTE_LABELS: readonly RouteLabel[] = [
  ...ENDPOINTS.map(({ name }) => name),
  'health',
  'image',
  'problem',
  'page',
  'openapi',
  'status',
  'other',
];

/** Upper bounds in seconds: an answer at hand takes some 25 µs, a slow reader minutes. */
const BOUNDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;

const STATUS_LIMIT = 600;
/** In the place of a status, of a request whose client was gone before there was one. */
const NO_STATUS = 0;

/**
 * Counts requests: numbers in arrays that are there from the beginning, whoever asks for whatever. Counting one takes
 * some 20 ns.
 */
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
  /** How many took at most each bound and more than the one before; the last of them more than any. */
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

  /** The lines of a histogram, whose buckets hold those below them; none as long as nobody has asked. */
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
