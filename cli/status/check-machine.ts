import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { z } from 'zod';
import { readConfig } from '../../build/config/config.ts';
import { ConfigError } from '../../build/source/errors.ts';
import { DAY_MS } from '../../data/record/amount.ts';
import { quoteForShell } from '../../data/snapshot/snapshot-error.ts';
import { snapshotFolder } from '../../data/store/layout.ts';
import type { StoredSnapshot } from '../../data/store/snapshots.ts';
import { KEY_FILE_RIGHTS, KeyFileError, readKeyFile, type KeyEntry } from '../../server/keys/key-file.ts';
import { checkPeriod } from '../../server/keys/server-keys.ts';
import { DEFAULT_CONFIG } from '../console/options.ts';
import type { StoreOptions } from '../console/store.ts';
import { describeSpan, fault, warning, type Finding } from './finding.ts';

/** Whether the configuration can be used, where there is one. */
export async function checkConfig({ config, store }: StoreOptions): Promise<readonly Finding[]> {
  if (config === undefined && !existsSync(DEFAULT_CONFIG)) return [];
  try {
    await readConfig(config ?? DEFAULT_CONFIG, { store });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [fault(error.faults.join('; '), 'mend it; data/spec/configuration.md has every setting')];
  }
}

/** A snapshot grows. */
const GROWTH = 1.5;

/** What a build needs for pictures and reports. */
const SPARE_BYTES = 100_000_000;

/** Whether there is room for the next snapshot. */
export async function checkDisk(store: string, snapshots: readonly StoredSnapshot[]): Promise<readonly Finding[]> {
  const { bavail, bsize } = await statfs(store);
  const sizes = snapshots.map(({ manifest }) =>
    Object.values(manifest?.files ?? {}).reduce((sum, { bytes }) => sum + bytes, 0),
  );
  return judgeRoom(bavail * bsize, sizes);
}

/** @param sizes the bytes of each snapshot of the store */
export function judgeRoom(freeBytes: number, sizes: readonly number[]): readonly Finding[] {
  const largest = Math.max(0, ...sizes);
  if (freeBytes >= largest * GROWTH + SPARE_BYTES) return [];
  const found = `${describeBytes(freeBytes)} free, and a snapshot has up to ${describeBytes(largest)}: too little for the next one`;
  return [fault(found, 'make room, or move the store to a larger disk')];
}

function describeBytes(bytes: number): string {
  return bytes < 1_000_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

/** A key that ends within this time gets a warning. */
const SOON_MS = 14 * DAY_MS;

/** Whether the key file can be used, and which keys end soon. */
export async function checkKeys(file: string, now: Date): Promise<readonly Finding[]> {
  let entries: readonly KeyEntry[];
  try {
    entries = await readKeyFile(file);
  } catch (error) {
    if (!(error instanceof KeyFileError)) throw error;
    return [fault(error.message, error.remedy ?? 'run the command again')];
  }
  const create = `deals keys create --keys ${quoteForShell(file)} --name`;
  const alive = entries.filter((entry) => checkPeriod(entry, now).kind !== 'expired');
  if (alive.length === 0) {
    return [fault(`${file}: no key that has not expired; deals serve does not start`, `${create} website`)];
  }
  return alive.flatMap(({ id, name, until }) => {
    const leftMs = until === undefined ? Infinity : Date.parse(until) - now.getTime();
    if (leftMs > SOON_MS) return [];
    const remedy = `${create} ${quoteForShell(name)}, give it out, then revoke ${id}`;
    return [warning(`the key ${id} of ${name} ends in ${describeSpan(leftMs)}`, remedy)];
  });
}

const PROBE_MS = 3_000;

const healthSchema = z.union([
  z.object({
    status: z.literal('ready'),
    snapshot: z.string(),
    keysUnreadableSeconds: z.number().optional(),
  }),
  z.object({ status: z.literal('no-snapshot') }),
]);

/** Whether the server at the port is ours, and serves the current snapshot of this store. */
export async function checkPort(
  host: string,
  port: number,
  store: string,
  current: string | undefined,
): Promise<readonly Finding[]> {
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const health = await findHealth(address);
  if (health === 'refused') {
    const remedy = `deals serve --store ${quoteForShell(store)} --port ${port} --keys <key file>`;
    return [warning(`${address}: no server answers there`, remedy)];
  }
  if (health === undefined) {
    const remedy = 'end that program, or choose another port with --port';
    return [fault(`${address} is taken, by another program`, remedy)];
  }
  if (health.status === 'no-snapshot') {
    const remedy = 'run deals build, and see that both have one --store';
    return [fault(`${address} is served by us, without a snapshot`, remedy)];
  }
  const found = `${address} is served by us, from ${health.snapshot}`;
  // A build keeps the snapshot that is served, so a snapshot that is missing here belongs to another store.
  if (!existsSync(snapshotFolder(store, health.snapshot))) {
    const remedy = 'name the store of that server with --store, or choose another port with --port';
    return [fault(`${found}, which is not a snapshot of ${store}`, remedy)];
  }
  if (health.keysUnreadableSeconds !== undefined) {
    return [
      fault(`${found}, and cannot read its key file: keys that were revoked since then still work`, KEY_FILE_RIGHTS),
    ];
  }
  if (current === undefined || current === health.snapshot) return [];
  const verify = `deals verify --store ${quoteForShell(store)}`;
  const remedy = `${verify} tells whether that one is damaged; a server takes up a sound one in seconds`;
  return [warning(`${found}, and not from the current ${current}`, remedy)];
}

/** Undefined for the answer of another program, or none in time. */
async function findHealth(address: string): Promise<z.infer<typeof healthSchema> | 'refused' | undefined> {
  try {
    const response = await fetch(`http://${address.replace(/^(?:0\.0\.0\.0|\[::\]):/, '127.0.0.1:')}/health/ready`, {
      signal: AbortSignal.timeout(PROBE_MS),
      redirect: 'error',
    });
    return healthSchema.safeParse(await response.json()).data;
  } catch (error) {
    const { cause } = error as { readonly cause?: { readonly code?: string } };
    return cause?.code === 'ECONNREFUSED' ? 'refused' : undefined;
  }
}
