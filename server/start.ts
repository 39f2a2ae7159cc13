import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createApp } from './app.ts';
import { answerClientError } from './http/client-error.ts';
import { describeError, type Log } from './http/log.ts';
import { hasUsableKey, openKeyRing, type KeyRing } from './key/key-ring.ts';
import { watchKeyFile } from './key/watch-key-file.ts';
import { DEFAULT_SETTINGS, type ServerSettings } from './settings.ts';
import { SnapshotHolder } from './snapshot/snapshot-holder.ts';

/** Longest time a stopping server waits for the answers it is sending. */
const DRAIN_MS = 8_000;
/** How often it looks for connections that have nothing to send any more. */
const SWEEP_MS = 100;

export interface StartOptions {
  readonly store: string;
  readonly keysFile: string;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
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
  /** The snapshot being served when the server started, if any. */
  readonly snapshotId: string | undefined;
  /** Looks at the store now instead of within a second. */
  refresh(): Promise<void>;
  /** Stops listening, lets answers under way end, and closes every connection. */
  close(): Promise<void>;
}

/** A server without any usable key would have nobody to answer, so it does not start (D16). */
export class NoKeyError extends Error {
  override readonly name = 'NoKeyError';

  constructor(keysFile: string) {
    super(
      `${keysFile}: expected at least one key that has not expired, found none; run deals keys create --keys ${keysFile} --name website`,
    );
  }
}

/**
 * Starts the server: keys, port, snapshot. A store without a readable snapshot is answered with 503 until there is one.
 * @throws {NoKeyError | KeyFileError} without usable keys
 * @throws {Error} with `code` `EADDRINUSE` and the like when the port cannot be had
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const log = options.log ?? (() => undefined);
  const now = options.now ?? (() => new Date());
  const settings: ServerSettings = { ...DEFAULT_SETTINGS, ...options.settings };
  let keyRing: KeyRing;
  const keys = await watchKeyFile(
    options.keysFile,
    (entries) => {
      keyRing = openKeyRing(entries);
      log({ event: 'keys-taken-up', count: entries.length });
    },
    (error) => log({ event: 'keys-unreadable', cause: error.message }),
  );
  keyRing = openKeyRing(keys.entries);
  if (!hasUsableKey(keys.entries, now())) {
    keys.close();
    throw new NoKeyError(options.keysFile);
  }

  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: 15_000,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: 1_000,
    // Above the longest target, so that one that is too long still gets its 414.
    maxHeaderSize: 32 * 1024,
  });
  try {
    await listen(server, options.port, options.host);
  } catch (error) {
    keys.close();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  const url = `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`;
  const snapshots = new SnapshotHolder({
    store: options.store,
    publicUrl: options.publicUrl ?? url,
    graceSeconds: settings.graceSeconds,
    answerCacheBytes: settings.answerCacheBytes,
    log,
    now: () => now().getTime(),
  });
  const app = createApp({
    store: options.store,
    snapshots,
    keyRing: () => keyRing,
    pageFolder: findPageFolder(),
    settings,
    log,
    // Without a log nobody reads what each request would tell.
    ...(options.log !== undefined && settings.accessLog ? { accessLog: options.log } : {}),
    now,
  });
  // Before the snapshot is loaded: connections are accepted already, and one without a listener would wait for ever.
  server.on('request', app);
  server.on('clientError', (error, socket) => answerClientError(error, socket as Socket, log));
  server.on('error', (error) => log({ event: 'server-error', cause: describeError(error) }));
  await snapshots.start();
  return {
    url,
    port,
    snapshotId: snapshots.current?.manifest.id,
    refresh: () => snapshots.refresh(),
    close: async () => {
      keys.close();
      snapshots.close();
      await closeServer(server);
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    // A connection whose answer has ended stays open for another request, unless it is closed once more.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    server.close(() => {
      clearTimeout(deadline);
      clearInterval(sweep);
      resolve();
    });
  });
}

/** The folder of the pages, from the source tree and from `dist/js` alike. */
function findPageFolder(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return join(folder, 'server', 'page');
    if (folder === dirname(folder)) throw new Error('the pages of the server are not installed');
  }
}
