import { existsSync } from 'node:fs';
import { readFile, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { quoteForShell } from '../../data/snapshot/snapshot-error.ts';
import { findCurrent, listSnapshots } from '../../data/store/snapshots.ts';
import { KEPT_SNAPSHOTS } from '../../data/store/layout.ts';
import { MAX_CONNECTIONS } from '../../server/http/connections.ts';
import { TOLERATED_AHEAD_MS } from '../../server/status/freshness.ts';
import { describeBytes, describeSpan, fault, ok, skipped, warning, type CheckResult } from './result.ts';

/** The last day with security releases, by major version of Node. */
const LAST_RELEASES: Readonly<Record<number, string>> = { 20: '2026-04-30', 22: '2027-04-30', 24: '2028-04-30' };

/** `needed` is `engines.node` of the package: `>=20.19`. */
export function checkNode(version: string, needed: string, now: Date): CheckResult {
  const [major = 0, minor = 0] = numbersOf(version);
  const [neededMajor = 0, neededMinor = 0] = numbersOf(needed);
  const remedy = 'install Node 24 or newer';
  if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
    return fault(`expected Node ${needed}, got ${version}`, remedy);
  }
  const lastDay = LAST_RELEASES[major];
  if (lastDay !== undefined && now.toISOString().slice(0, 10) > lastDay) {
    return warning(`Node ${version} gets no security releases since ${lastDay}`, remedy);
  }
  // Versions with odd numbers are replaced after half a year.
  if (major % 2 === 1) return warning(`Node ${version} is no version with long support`, remedy);
  return ok(`Node ${version}`);
}

function numbersOf(version: string): readonly number[] {
  return (version.match(/[0-9]+/g) ?? []).map(Number);
}

/** Memory that the system may use for one slow reader (data/spec/operations.md). */
const MAX_SEND_BYTES = 131_072;

/** Descriptors for snapshots, logs and pictures. */
const OTHER_DESCRIPTORS = 100;

/** Texts of the system; undefined where it has none. */
export interface MachineFacts {
  /** `/proc/sys/net/ipv4/tcp_wmem`: three numbers. */
  readonly tcpSendBytes: string | undefined;
  /** `/proc/self/limits`. */
  readonly limits: string | undefined;
}

export async function readMachineFacts(): Promise<MachineFacts> {
  const [tcpSendBytes, limits] = await Promise.all([
    readIfThere('/proc/sys/net/ipv4/tcp_wmem'),
    readIfThere('/proc/self/limits'),
  ]);
  return { tcpSendBytes, limits };
}

export function checkMachine({ tcpSendBytes, limits }: MachineFacts): readonly CheckResult[] {
  const mostBytes = Number(tcpSendBytes?.trim().split(/\s+/).at(2));
  const descriptors = /^Max open files +(?:[0-9]+|unlimited) +([0-9]+|unlimited)/m.exec(limits ?? '')?.[1];
  const wanted = MAX_CONNECTIONS + OTHER_DESCRIPTORS;
  const warnings = [
    mostBytes > MAX_SEND_BYTES
      ? warning(
          `the system holds up to ${mostBytes} bytes for a reader who stalls; a few hundred of them slow down every connection`,
          `sysctl net.ipv4.tcp_wmem="4096 16384 ${MAX_SEND_BYTES}"`,
        )
      : [],
    // `unlimited` is no number.
    Number(descriptors) < wanted
      ? warning(
          `a process may open ${descriptors} files, and a server ${MAX_CONNECTIONS} connections`,
          `let it have ${wanted} (LimitNOFILE of systemd, ulimit -n)`,
        )
      : [],
  ].flat();
  if (warnings.length > 0) return warnings;
  if (Number.isNaN(mostBytes) && descriptors === undefined) {
    return [skipped('this system does not say what it gives a server', 'see server/README.md, Operations')];
  }
  const known = descriptors === undefined ? 'descriptors unknown' : `${descriptors} descriptors`;
  return [ok(`${known}, ${mostBytes} bytes for a reader who stalls`)];
}

function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

export interface ClockFacts {
  readonly nowMs: number;
  readonly snapshotMs?: number;
  /** The newest time of a source file. */
  readonly sourceMs?: number;
  /** When the newest record of the remote store was published, by the clock of its builder. */
  readonly recordMs?: number;
  /** When `deals pull` last had an answer, by this clock. */
  readonly contactMs?: number;
}

/** A file from the future means that this clock is behind, or that the clock of the build was ahead. */
export function checkClock(facts: ClockFacts): CheckResult {
  const { nowMs, snapshotMs = -Infinity, sourceMs = -Infinity, recordMs = -Infinity, contactMs = -Infinity } = facts;
  const remedy = 'set the clock: timedatectl set-ntp true';
  const behindSnapshot = snapshotMs - nowMs;
  if (behindSnapshot > TOLERATED_AHEAD_MS) {
    return fault(
      `the current snapshot was made ${describeSpan(behindSnapshot)} from now`,
      `${remedy}; where it is right, the clock of the build was ahead: run deals build again`,
    );
  }
  const behindSource = sourceMs - nowMs;
  if (behindSource > TOLERATED_AHEAD_MS) {
    const found = `a source file has a time ${describeSpan(behindSource)} from now`;
    return warning(found, `${remedy}; or mend the clock of the machine that wrote the file`);
  }
  const behindRecord = recordMs - nowMs;
  if (behindRecord > TOLERATED_AHEAD_MS) {
    const found = `the newest record of the remote store was published ${describeSpan(behindRecord)} from now`;
    return warning(found, `${remedy}, here or on the builder; servers switch in time all the same`);
  }
  const behindContact = contactMs - nowMs;
  if (behindContact > TOLERATED_AHEAD_MS) {
    const found = `deals pull had its last answer ${describeSpan(behindContact)} from now: this clock was set back`;
    return warning(found, remedy);
  }
  return ok(`${new Date(nowMs).toISOString()}, after everything that was made`);
}

/** A snapshot grows. */
const GROWTH = 1.5;

/** What a build needs for pictures and reports. */
const SPARE_BYTES = 100_000_000;
const SPARE_FILES = 10_000;

export interface DiskFacts {
  readonly freeBytes: number;
  /** Undefined on a disk without a limit of files. */
  readonly freeFiles: number | undefined;
  readonly snapshotBytes: readonly number[];
  /** Bytes that a pull of the newest snapshot needs, without pictures. */
  readonly missingBytes?: number;
}

export async function readDiskFacts(store: string): Promise<DiskFacts> {
  const { bavail, bsize, files, ffree } = await statfs(store);
  const snapshotBytes = listSnapshots(store).flatMap(({ manifest }) =>
    manifest === undefined ? [] : [Object.values(manifest.files).reduce((sum, { bytes }) => sum + bytes, 0)],
  );
  return { freeBytes: bavail * bsize, freeFiles: files === 0 ? undefined : ffree, snapshotBytes };
}

/** Room for the next snapshot, and for all snapshots that a store keeps. */
export function checkDisk({ freeBytes, freeFiles, snapshotBytes, missingBytes = 0 }: DiskFacts): CheckResult {
  const next = Math.max(missingBytes, ...snapshotBytes.map((bytes) => bytes * GROWTH));
  const missing = Math.max(0, KEPT_SNAPSHOTS - snapshotBytes.length);
  const size = snapshotBytes.length === 0 ? '' : `; a snapshot has up to ${describeBytes(Math.max(...snapshotBytes))}`;
  const needed = missingBytes === 0 ? '' : `; the published one needs ${describeBytes(missingBytes)}`;
  const found = `${describeBytes(freeBytes)} free${size}${needed}`;
  const remedy = 'make room, or move the store to a larger disk';
  if (freeFiles !== undefined && freeFiles < SPARE_FILES) {
    return warning(`the disk has room for ${freeFiles} more files`, remedy);
  }
  if (freeBytes < next + SPARE_BYTES) return fault(`${found}: too little for the next one`, remedy);
  if (freeBytes < next * (missing + 1) + SPARE_BYTES) {
    return warning(`${found}: too little for the ${KEPT_SNAPSHOTS} that a store keeps`, remedy);
  }
  return ok(found);
}

/** Part of a finding: a server of ours answers at the port. */
export const SERVED = 'is served by us';

const PROBE_MS = 3_000;

const healthSchema = z.union([
  z.object({
    status: z.literal('ready'),
    snapshot: z.string(),
    stale: z.boolean(),
    keysUnreadableSeconds: z.number().optional(),
  }),
  z.object({ status: z.literal('no-snapshot') }),
]);

/**
 * Whether a server could listen here, or one of ours does.
 *
 * @param store the store of the server, if it is known
 */
export async function checkPort(host: string, port: number, store?: string): Promise<CheckResult> {
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const code = await tryToListen(host, port);
  switch (code) {
    case undefined:
      return ok(`${address} is free`);
    case 'EADDRINUSE':
      return describeServer(address, store);
    case 'EACCES':
      return fault(`${address}: this user may not listen there`, 'choose a port from 1024 on, with nginx in front');
    default:
      return fault(`${address}: cannot be listened to (${code})`, 'give --host an address of this machine');
  }
}

function tryToListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

async function describeServer(address: string, store: string | undefined): Promise<CheckResult> {
  const health = await findHealth(address);
  if (health === undefined) {
    return fault(`${address} is taken, by another program`, 'end that program, or choose another with --port');
  }
  if (health.status === 'no-snapshot') {
    return fault(`${address} ${SERVED}, without a snapshot`, 'run deals build, and see that both have one --store');
  }
  const found = `${address} ${SERVED}, from ${health.snapshot}`;
  // A build keeps the snapshot that is served, so a snapshot that is missing here belongs to another store.
  if (store !== undefined && !existsSync(join(store, health.snapshot))) {
    return fault(
      `${found}, which is not a snapshot of ${store}`,
      'name the store of that server with --store, or choose another port with --port',
    );
  }
  if (health.keysUnreadableSeconds !== undefined) {
    return fault(
      `${found}, and cannot read its key file: keys that were revoked since then still work`,
      'let the user who serves read it: chown, or a group for both',
    );
  }
  const current = store === undefined ? undefined : findCurrent(store);
  if (store !== undefined && current !== undefined && current !== health.snapshot) {
    return warning(
      `${found}, and not from the current ${current}`,
      `deals verify --store ${quoteForShell(store)} tells whether that one is damaged; a server takes up a sound one in seconds`,
    );
  }
  return health.stale
    ? warning(`${found}, which is stale`, 'see whether deals build still runs every night, and what it says')
    : ok(found);
}

async function findHealth(address: string): Promise<z.infer<typeof healthSchema> | undefined> {
  try {
    const response = await fetch(`http://${address.replace(/^(?:0\.0\.0\.0|\[::\]):/, '127.0.0.1:')}/health/ready`, {
      signal: AbortSignal.timeout(PROBE_MS),
      redirect: 'error',
    });
    return healthSchema.safeParse(await response.json()).data;
  } catch {
    return undefined;
  }
}
