import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findPackageRoot } from '../data/store/regular-file.ts';
import { createApp, type AppOptions } from './app.ts';
import { describeError, type Log } from './log.ts';
import { Connections, HTTP_LIMITS, listen } from './http/connections.ts';
import type { KeyEntry } from './keys/key-file.ts';
import { createApiKeyStore, hasUsableKey, type ApiKeyStore } from './keys/key-store.ts';
import { RateLimiter } from './keys/rate-limit.ts';
import { watchKeyFile } from './keys/watch-key-file.ts';
import { Metrics } from './metrics/metrics.ts';
import { DEFAULT_SETTINGS, type ServerSettings } from './settings.ts';
import { SnapshotManager } from './snapshot/snapshot-manager.ts';
import { IncompleteInstallationError, NoKeyError } from './start-error.ts';

export interface StartOptions extends Pick<AppOptions, 'cacheBytes' | 'shedder'> {
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
  /** Connections at one time; default 4,000. */
  readonly maxConnections?: number;
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
  const { store, keysFile, host, metricsPort } = options;
  const pageFolder = findPageFolder();
  const server = createServer(HTTP_LIMITS);
  const metrics = metricsPort === undefined ? undefined : new Metrics(server);
  const plainLog = options.log ?? (() => undefined);
  const log = metrics?.countEvents(plainLog) ?? plainLog;
  const now = options.now ?? (() => new Date());
  const settings: ServerSettings = { ...DEFAULT_SETTINGS, ...options.settings };
  const rateLimiter = new RateLimiter(settings.rateLimit);
  let apiKeys: ApiKeyStore;
  const takeUp = (entries: readonly KeyEntry[]): void => {
    apiKeys = createApiKeyStore(entries);
    rateLimiter.setKeys(entries);
  };
  const keys = await watchKeyFile(
    keysFile,
    (entries) => {
      takeUp(entries);
      log({ event: 'keys-taken-up', count: entries.length });
    },
    (error) => log({ event: 'keys-unreadable', cause: error.message }),
  );
  opened.push(() => keys.close());
  takeUp(keys.entries);
  if (!hasUsableKey(keys.entries, now())) throw new NoKeyError(keysFile);

  const connections = new Connections(server, log, options.maxConnections);
  await listen(server, options.port, host);
  const { port } = server.address() as AddressInfo;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const publicUrl = options.publicUrl ?? url;
  const snapshots = new SnapshotManager({ store, publicUrl, log, now: () => now().getTime() });
  // The snapshots first: none is loaded while the last responses are sent.
  opened.push(
    () => snapshots.close(),
    () => connections.close(),
  );
  const app = createApp({
    store,
    snapshots,
    apiKeys: () => apiKeys,
    keysUnreadableSeconds: () => keys.unreadableSeconds(),
    rateLimiter,
    pageFolder,
    settings,
    log,
    // No access log without a log.
    accessLog: settings.accessLog ? options.log : undefined,
    metrics,
    cacheBytes: options.cacheBytes,
    shedder: options.shedder,
    now,
  });
  // Before the snapshot is loaded: a connection that is already open must not wait for a listener.
  let isLoaded = false;
  const loading = snapshots.start().then(() => (isLoaded = true));
  connections.serve((req, res) => {
    const respond = (): void => app(req, res);
    if (isLoaded || req.url === '/health/live') return respond();
    // 503 would be wrong: there may be a snapshot. The time to load it is not the client's.
    req.socket.setTimeout(0);
    void loading.then(respond, respond);
  });
  server.on('error', (error) => log({ event: 'server-error', cause: describeError(error) }));
  let metricsUrl: string | undefined;
  if (metricsPort !== undefined && metrics !== undefined) {
    const started = await metrics.listen(metricsPort, { store, snapshots, keys, now }, log);
    opened.push(() => started.close());
    metricsUrl = started.url;
    log({ event: 'metrics-listening', url: metricsUrl });
  }
  await loading;
  return {
    url,
    ...(metricsUrl === undefined ? {} : { metricsUrl }),
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
