import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp, type AppOptions } from './app.ts';
import { describeError, type Log } from './log.ts';
import { Connections, HTTP_LIMITS, listen } from './http/limits.ts';
import { ServerKeys } from './keys/server-keys.ts';
import { Metrics } from './metrics.ts';
import { DEFAULT_SETTINGS, type ServerSettings } from './settings.ts';
import { SnapshotManager } from './snapshot/snapshot-manager.ts';

export interface StartOptions extends Pick<AppOptions, 'shedder'> {
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
  readonly metricsUrl?: string | undefined;
  /** Looks at the store now instead of within a second. */
  refresh(): Promise<void>;
  /** Stops listening, lets answers under way end, and closes every connection. */
  close(): Promise<void>;
}

/** Closes something that was opened: a poll, a port. It never fails. */
type Close = () => void | Promise<void>;

/**
 * Starts the server: keys, port, snapshot. Requests wait while the snapshot is loaded. Without a readable one they are
 * answered with 503 until there is one.
 * When it cannot start, it closes everything that it had opened.
 * @throws {KeyFileError} without usable keys
 * @throws {Error} with `code` `EADDRINUSE` and the like when the port cannot be had
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const opened: Close[] = [];
  const close = async (): Promise<void> => {
    for (const closeOne of opened) await closeOne();
  };
  try {
    return { ...(await openServer(options, opened)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @param opened gets everything that keeps the process alive, as soon as it is open */
async function openServer(options: StartOptions, opened: Close[]): Promise<Omit<RunningServer, 'close'>> {
  const { store, keysFile, host, metricsPort, now = () => new Date() } = options;
  const metrics = metricsPort === undefined ? undefined : new Metrics();
  const plainLog = options.log ?? (() => undefined);
  const log = metrics?.countEvents(plainLog) ?? plainLog;
  const settings: ServerSettings = { ...DEFAULT_SETTINGS, ...options.settings };
  const keys = await ServerKeys.open({ file: keysFile, rateLimit: settings.rateLimit, log, now: options.now });
  opened.push(() => keys.close());

  const server = createServer(HTTP_LIMITS);
  const connections = new Connections(server, log, options.maxConnections);
  await listen(server, options.port, host);
  const { port } = server.address() as AddressInfo;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const snapshots = new SnapshotManager({
    store,
    publicUrl: options.publicUrl ?? url,
    log,
    now: () => now().getTime(),
  });
  // The snapshots first: none is loaded while the last responses are sent.
  opened.push(
    () => snapshots.close(),
    () => connections.close(),
  );
  // No access log without a log.
  const accessLog = settings.accessLog ? options.log : undefined;
  const { shedder } = options;
  const loading = snapshots.start();
  // Before the snapshot is loaded: a connection that is already open must not wait for a listener.
  connections.serve(createApp({ store, snapshots, loading, keys, settings, log, accessLog, metrics, shedder, now }));
  server.on('error', (error) => log({ event: 'server-error', cause: describeError(error) }));
  const started = await metrics?.listen(metricsPort ?? 0, { store, snapshots, keys, now }, log);
  if (started !== undefined) {
    opened.push(() => started.close());
    log({ event: 'metrics-listening', url: started.url });
  }
  await loading;
  return { url, port, metricsUrl: started?.url, refresh: () => snapshots.refresh() };
}
