import { createServer, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

/** How long a client may take to ask, and how much; the same on every port. */
const HTTP_LIMITS: ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  // Above the longest target, so that one that is too long still gets its 414.
  maxHeaderSize: 32 * 1024,
  // It is asked for in `checks.ts`.
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
 * Starts the server: keys, port, snapshot. A store without a readable snapshot is answered with 503 until there is one.
 * When it cannot start, whatever it had opened by then is closed.
 * @throws {NoKeyError | KeyFileError} without usable keys
 * @throws {IncompleteInstallationError} without pages
 * @throws {Error} with `code` `EADDRINUSE` and the like when the port cannot be had
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const opened: Close[] = [];
  try {
    return await openServer(options, opened);
  } catch (error) {
    // What it failed of is what is told, and not that something could not be closed after that.
    await closeAll(opened).catch(() => undefined);
    throw error;
  }
}

/** Closes something that was opened: a watch, a port. */
type Close = () => void | Promise<void>;

/** Closes in the order in which things were opened, each of them even when another cannot be closed. */
async function closeAll(opened: readonly Close[]): Promise<void> {
  const faults: unknown[] = [];
  for (const close of opened) {
    try {
      await close();
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw faults[0];
}

/** @param opened gets everything that would keep the process alive, as soon as it is open */
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
  // The snapshots first: while the last answers are sent, none needs to be taken up.
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
    // Without a log nobody reads what each request would tell.
    ...(options.log !== undefined && settings.accessLog ? { accessLog: options.log } : {}),
    ...(requests === undefined ? {} : { counts: requests }),
    now,
  });
  // Before the snapshot is loaded: connections are accepted already, and one without a listener would wait for ever.
  open.serve(app);
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
  await snapshots.start();
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
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json')) || folder === dirname(folder)) {
      const pageFolder = join(folder, 'server', 'page');
      // One that is there and may not be read is the machine's to tell of.
      if (existsSync(pageFolder) && readdirSync(pageFolder).includes('index.html')) return pageFolder;
      throw new IncompleteInstallationError(pageFolder);
    }
  }
}
