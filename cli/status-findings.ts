import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { z } from 'zod';
import { readConfig } from '../build/config/config.ts';
import { writeBuildCommand, type BuildWords } from '../build/report/build-result.ts';
import { ConfigError } from '../build/source/errors.ts';
import { quoteForShell } from '../data/quote-for-shell.ts';
import { DAY_MS, HOUR_MS } from '../data/record/time.ts';
import type { LastBuild } from '../data/report/report.ts';
import { SNAPSHOT_FILES, type Manifest } from '../data/snapshot/format.ts';
import { SnapshotError } from '../data/snapshot/snapshot-error.ts';
import { snapshotPath } from '../data/store/layout.ts';
import { describePull, readPullState, type PullStatus } from '../data/store/pull-state.ts';
import {
  describeAge,
  findLastBuild,
  isRolledBack,
  listSnapshots,
  readCurrent,
  readManifest,
  TOLERATED_AHEAD_MS,
  writeRollbackCommand,
} from '../data/store/snapshots.ts';
import { KeyFileError, readKeyFile, type KeyEntry } from '../server/keys/key-file.ts';
import { checkPeriod } from '../server/keys/server-keys.ts';
import { findConfig, type ReadOptions } from './console/options.ts';

export interface StatusOptions extends ReadOptions {
  readonly keys?: string;
  readonly host: string;
  readonly port?: number;
  readonly staleAfter: number;
}

/** What an operator must look at, and what to do about it. */
interface Finding {
  /** `fault`: it cannot be built or served as it is. */
  readonly state: 'warning' | 'fault';
  readonly found: string;
  readonly remedy: string;
}

function warning(found: string, remedy: string): Finding {
  return { state: 'warning', found, remedy };
}

function fault(found: string, remedy: string): Finding {
  return { state: 'fault', found, remedy };
}

/** A store as it is found, and what an operator must look at. */
interface FoundStore {
  /** Of the current snapshot; absent when nothing is published, or it cannot be read. */
  readonly manifest: Manifest | undefined;
  readonly lastBuild: LastBuild | undefined;
  /** Absent when nothing was pulled into the store. */
  readonly pull: PullStatus | undefined;
  readonly attention: readonly Finding[];
}

export async function inspectStore(store: string, options: StatusOptions, now: Date): Promise<FoundStore> {
  const { keys, host, port } = options;
  const lastBuild = findLastBuild(store);
  const current = attempt(() => {
    const id = readCurrent(store);
    return id === undefined ? undefined : readManifest(store, id);
  });
  const manifest = current.value;
  const pull = attempt(() => {
    const state = readPullState(store);
    return state && describePull(state, now);
  });
  const pullRemedy = 'delete it: the next pull begins from the newest revision';
  const attention: readonly Finding[] = [
    ...(await checkConfig(options)),
    ...checkPublished(store, current, lastBuild, options, now),
    ...(pull.error === undefined ? [] : [fault(pull.error.message, pullRemedy)]),
    ...(pull.value?.warnings ?? []).map(({ found, remedy }) => warning(found, remedy)),
    ...checkDisk(store),
    ...(keys === undefined ? [] : await checkKeys(keys, now)),
    ...(port === undefined || port === 0 ? [] : await checkPort(host, port, store, manifest?.id)),
  ];
  return { manifest, lastBuild, pull: pull.value, attention };
}

/** What is read, or why it cannot be read. */
interface Attempt<Value> {
  readonly value?: Value | undefined;
  readonly error?: SnapshotError;
}

function attempt<Value>(read: () => Value): Attempt<Value> {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof SnapshotError) return { error };
    throw error;
  }
}

/** The findings about the current snapshot and the last build. */
function checkPublished(
  store: string,
  { value: manifest, error }: Attempt<Manifest | undefined>,
  lastBuild: LastBuild | undefined,
  { config, store: givenStore, staleAfter }: StatusOptions,
  now: Date,
): readonly Finding[] {
  const given = { config, store: givenStore };
  const published = manifest === undefined ? 'nothing is published' : `${manifest.id} is still current`;
  const served = error === undefined ? published : 'which snapshot is current cannot be read';
  const builds = lastBuild === undefined ? [] : checkLastBuild(store, lastBuild, served, given);
  if (error !== undefined) return [fault(error.message, writeRollbackCommand(store)), ...builds];
  if (manifest !== undefined) return [...checkSnapshot(store, manifest, lastBuild, now, staleAfter), ...builds];
  // Where a build has failed or was refused, the finding about it says what to do.
  return builds.length > 0 ? builds : [fault(`${store}: ${served}`, 'run deals build')];
}

/** `3 minutes`, `4.2 hours`, `5.0 days`. */
export function describeSpan(ms: number): string {
  if (ms < HOUR_MS) return `${Math.round(ms / 60_000)} minutes`;
  return ms < 48 * HOUR_MS ? `${(ms / HOUR_MS).toFixed(1)} hours` : `${(ms / DAY_MS).toFixed(1)} days`;
}

/** Checks the files of a snapshot by their size (`deals verify` reads them), its age, and the clock of this machine. */
function checkSnapshot(
  store: string,
  manifest: Manifest,
  lastBuild: LastBuild | undefined,
  now: Date,
  staleAfterHours: number,
): readonly Finding[] {
  const { id } = manifest;
  const damage = findDamage(store, manifest);
  if (damage !== undefined) {
    const remedy = 'run deals build, or go back with deals rollback; deals verify tells all that is wrong';
    return [fault(`${id}: ${damage}`, remedy)];
  }
  // The same function as in the server, so that both agree.
  const {
    stale,
    ageSeconds,
    confirmedAt = manifest.createdAt,
  } = describeAge(manifest, lastBuild, now, staleAfterHours);
  const spanMs = now.getTime() - Math.max(Date.parse(confirmedAt), Date.parse(manifest.createdAt));
  if (spanMs < -TOLERATED_AHEAD_MS) {
    const what = ageSeconds < 0 ? 'it was made' : 'a build confirmed it';
    const found = `${id}: ${what} ${describeSpan(-spanMs)} from now, so its age is not known`;
    return [warning(found, 'set the clock: timedatectl set-ntp true; where it is right, run deals build again')];
  }
  if (!stale) return [];
  const found = `${id}: no build has confirmed it for ${describeSpan(spanMs)}`;
  return [warning(found, 'see whether deals build still runs every night, and what it says')];
}

function findDamage(store: string, { id, files }: Manifest): string | undefined {
  for (const name of SNAPSHOT_FILES) {
    try {
      const path = snapshotPath(store, id, name);
      const { size } = statSync(path);
      if (size !== files[name].bytes) return `${name}: expected ${files[name].bytes} bytes, got ${size}`;
      accessSync(path, constants.R_OK);
    } catch (error) {
      return `${name}: cannot be read: ${(error as Error).message}`;
    }
  }
  return undefined;
}

/** What the last build needs. @param served which snapshot is current, in words */
function checkLastBuild(
  store: string,
  { outcome, startedAt, message, current, accept = [], attention = [], report }: LastBuild,
  served: string,
  given: BuildWords,
): readonly Finding[] {
  const found = `the last one that ended, of ${startedAt}: ${message}`;
  const build = writeBuildCommand(given);
  const commands = accept.map(({ purpose, command }) => `${purpose}: ${command}`);
  switch (outcome) {
    case 'failed':
      return [fault(found, `${served}; mend what it says, and run ${build}`)];
    case 'refused':
      return [warning(found, [`mend what it names, and run ${build}`, ...commands].join('; '))];
    case 'published':
    case 'unchanged': {
      if (current !== undefined && isRolledBack(store, current)) {
        const remedy = 'mend, exclude or hold back what is wrong: the next build publishes the sources again';
        return [warning(`${found} It was rolled back from.`, remedy)];
      }
      const held = (report?.sources ?? [])
        .filter(({ state, held: parts = [] }) => state !== 'fresh' || parts.length > 0)
        .map(({ name }) => name);
      if (held.length === 0 && attention.length === 0) return [];
      const why = attention.length === 0 ? `Not fresh: ${held.join(', ')}` : attention.join('. ');
      const remedy = 'look at it with deals changes; deals rollback goes back';
      return [
        warning(`${found} ${why}.`, held.length === 0 ? remedy : [adviseHeld(held, given), ...commands].join('; ')),
      ];
    }
  }
}

/** What to do about held sources. */
function adviseHeld(held: readonly string[], given: BuildWords): string {
  const config = given.config === undefined ? '' : ` --config ${quoteForShell(given.config)}`;
  const checks = held.map((name) => `deals check ${name}${config}`).join(', ');
  return `fetch ${held.join(', ')} again, look at it with ${checks}, and run ${writeBuildCommand(given)}`;
}

/** Whether the configuration can be used, where there is one. */
async function checkConfig(options: StatusOptions): Promise<readonly Finding[]> {
  const config = findConfig(options);
  try {
    if (config !== undefined) await readConfig(config, { store: options.store });
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
function checkDisk(store: string): readonly Finding[] {
  const { bavail, bsize } = statfsSync(store);
  const sizes = listSnapshots(store).map(({ manifest }) =>
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
async function checkKeys(file: string, now: Date): Promise<readonly Finding[]> {
  let entries: readonly KeyEntry[];
  try {
    entries = await readKeyFile(file);
  } catch (error) {
    if (!(error instanceof KeyFileError)) throw error;
    return [fault(error.message, error.remedy ?? 'mend the file, or let this user read it')];
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

const healthSchema = z.object({ status: z.string(), snapshot: z.string().optional() });

/** Whether a server at the port serves the current snapshot of this store. */
async function checkPort(
  host: string,
  port: number,
  store: string,
  current: string | undefined,
): Promise<readonly Finding[]> {
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const answer = await findAnswer(address.replace(/^(?:0\.0\.0\.0|\[::\]):/, '127.0.0.1:'));
  if (current === undefined || answer === current) return [];
  const remedy = `deals serve --store ${quoteForShell(store)} --port ${port} --keys <key file> serves it; where a server of this store runs there, see what it logs`;
  return [warning(`${address}: expected a server of ${current}, got ${answer}`, remedy)];
}

/** The snapshot that a server of ours has, or what there is in its place. */
async function findAnswer(address: string): Promise<string> {
  try {
    const response = await fetch(`http://${address}/health/ready`, {
      signal: AbortSignal.timeout(PROBE_MS),
      redirect: 'error',
    });
    const { data } = healthSchema.safeParse(await response.json());
    return data === undefined ? 'the answer of another program' : (data.snapshot ?? data.status);
  } catch (error) {
    return `no answer (${((error as Error).cause as Error | undefined)?.message ?? (error as Error).message})`;
  }
}
