import { createServer, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findPackageRoot } from '../data/store/regular-file.ts';
import { createApp } from './app.ts';
import { respondToClientErrors } from './http/client-errors.ts';
import { describeError, type Log } from './log.ts';
import { listen, OpenConnections } from './http/connections.ts';
import { createApiKeyStore, hasUsableKey, type ApiKeyStore } from './keys/key-store.ts';
import { RateLimiter } from './keys/rate-limit.ts';
import { watchKeyFile } from './keys/watch-key-file.ts';
import { ConnectionCounts, EventCounts, RequestCounts } from './metrics/counters.ts';
import { startMetricsServer, type MetricsServer } from './metrics/metrics-server.ts';
import { DEFAULT_SETTINGS, type ServerSettings } from './settings.ts';
import { SnapshotManager } from './snapshot/snapshot-manager.ts';
import { IncompleteInstallationError, NoKeyError } from './start-error.ts';

/** Time and size limits of a request; the same on every port. */
const HTTP_LIMITS: ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  // Above the longest target, so that a target that is too long gets 414.
  maxHeaderSize: 32 * 1024,
  // `checks.ts` requires it.
  requireHostHeader: false,
};

export interface StartOptions {
  readonly store: string;
  readonly keysFile: string;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** A loopback port for `/metrics`, 0 for any free; absent for no metrics. */
  readonly metricsPort?: number;
  /** What goes before the paths of pictures; default the address of the server. */
  readonly publicUrl?: string;
  readonly settings?: Partial<ServerSettings>;
  readonly log?: Log;
  readonly now?: () => Date;
}

export interface RunningServer {
  /** `http://<host>:<port>` */
  readonly url: string;
  readonly port: number;
  /** Where the metrics are, if they were asked for. */
  readonly metricsUrl?: string;
  /** The snapshot being served when the server started, if any. */
  readonly snapshotId: string | undefined;
  /** Looks at the store now instead of within a second. */
  refresh(): Promise<void>;
  /** Stops listening, lets answers under way end, and closes every connection. */
  close(): Promise<void>;
}

/**
 * Starts the server: keys, port, snapshot. Requests wait while the snapshot is loaded. Without a readable one they are
 * answered with 503 until there is one.
 * When it cannot start, it closes everything that it had opened.
 * @throws {NoKeyError | KeyFileError} without usable keys
 * @throws {IncompleteInstallationError} without pages
 * @throws {Error} with `code` `EADDRINUSE` and the like when the port cannot be had
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const opened: Close[] = [];
  try {
    return await openServer(options, opened);
  } catch (error) {
    // The first error is reported, not one of closing.
    await closeAll(opened).catch(() => undefined);
    throw error;
  }
}

/** Closes something that was opened: a watch, a port. */
type Close = () => void | Promise<void>;

/** Closes everything in the order of opening, also after an error. */
async function closeAll(opened: readonly Close[]): Promise<void> {
  const errors: unknown[] = [];
  for (const close of opened) {
    try {
      await close();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

/** @param opened gets everything that keeps the process alive, as soon as it is open */
async function openServer(options: StartOptions, opened: Close[]): Promise<RunningServer> {
  const pageFolder = findPageFolder();
  const events = new EventCounts();
  const log = events.countFor(options.log ?? (() => undefined));
  const now = options.now ?? (() => new Date());
  const settings: ServerSettings = { ...DEFAULT_SETTINGS, ...options.settings };
  const rateLimiter = new RateLimiter(settings.rateLimit);
  let apiKeys: ApiKeyStore;
  const keys = await watchKeyFile(
    options.keysFile,
    (entries) => {
      apiKeys = createApiKeyStore(entries);
      rateLimiter.setKeys(entries);
      log({ event: 'keys-taken-up', count: entries.length });
    },
    (error) => log({ event: 'keys-unreadable', cause: error.message }),
  );
  opened.push(() => keys.close());
  apiKeys = createApiKeyStore(keys.entries);
  rateLimiter.setKeys(keys.entries);
  if (!hasUsableKey(keys.entries, now())) throw new NoKeyError(options.keysFile);

  const server = createServer(HTTP_LIMITS);
  const connections = new ConnectionCounts(server);
  const open = new OpenConnections(server, settings, log);
  const requests = options.metricsPort === undefined ? undefined : new RequestCounts();
  await listen(server, options.port, options.host);
  const { port } = server.address() as AddressInfo;
  const url = `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`;
  const snapshots = new SnapshotManager({
    store: options.store,
    publicUrl: options.publicUrl ?? url,
    graceSeconds: settings.graceSeconds,
    answerCacheBytes: settings.answerCacheBytes,
    maxSnapshotBytes: settings.maxSnapshotBytes,
    log,
    now: () => now().getTime(),
  });
  // The snapshots first: none is loaded while the last responses are sent.
  opened.push(
    () => snapshots.close(),
    () => open.close(),
  );
  const app = createApp({
    store: options.store,
    snapshots,
    apiKeys: () => apiKeys,
    keysUnreadableSeconds: () => keys.unreadableSeconds(),
    rateLimiter,
    pageFolder,
    settings,
    log,
    // No access log without a log.
    ...(options.log !== undefined && settings.accessLog ? { accessLog: options.log } : {}),
    ...(requests === undefined ? {} : { counts: requests }),
    now,
  });
  // Before the snapshot is loaded: a connection that is already open must not wait for a listener.
  let isLoaded = false;
  const loading = snapshots.start().then(() => (isLoaded = true));
  open.serve((req, res) => {
    const respond = (): void => app(req, res);
    if (isLoaded || req.url === '/health/live') respond();
    // 503 would be wrong: there may be a snapshot.
    else void loading.then(respond, respond);
  });
  respondToClientErrors(server, open, log);
  server.on('error', (error) => log({ event: 'server-error', cause: describeError(error) }));
  let metrics: MetricsServer | undefined;
  if (options.metricsPort !== undefined && requests !== undefined) {
    const sources = { requests, events, connections, keys, snapshots, store: options.store, now };
    const started = await startMetricsServer(options.metricsPort, HTTP_LIMITS, sources, log);
    opened.push(() => started.close());
    metrics = started;
    log({ event: 'metrics-listening', url: metrics.url });
  }
  await loading;
  return {
    url,
    ...(metrics === undefined ? {} : { metricsUrl: metrics.url }),
    port,
    snapshotId: snapshots.current?.manifest.id,
    refresh: () => snapshots.refresh(),
    close: () => closeAll(opened),
  };
}

/** The folder of the pages, from the source tree and from `dist/js` alike. @throws {IncompleteInstallationError} */
function findPageFolder(): string {
  const pageFolder = join(findPackageRoot(), 'server', 'page');
  // A folder that may not be read throws the error of the system.
  if (existsSync(pageFolder) && readdirSync(pageFolder).includes('index.html')) return pageFolder;
  throw new IncompleteInstallationError(pageFolder);
}
