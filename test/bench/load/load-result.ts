/** What a server bore in one round of load. */
export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers with a status of 400 or more, and connections that broke or got no answer. */
  readonly failures: number;
}

/** A server under load, for a time. */
export interface Load {
  /** The address of the server, `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Path and query of what is asked for, one after the other, again and again. */
  readonly targets: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Each asks again as soon as it is answered. */
  readonly connections: number;
  readonly seconds: number;
}
