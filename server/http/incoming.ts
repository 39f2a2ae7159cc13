import type { RouteLabel } from '../metrics/request-counts.ts';

/** What is known of a request before it is routed. */
export interface Incoming {
  readonly id: string;
  /** In origin form, exactly as sent. */
  readonly target: string;
  readonly path: string;
  readonly query: string;
  /** The name of the key, once it is known. */
  keyName?: string;
  /** Under what it is counted. */
  label: RouteLabel;
}
