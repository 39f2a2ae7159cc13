import { constants, existsSync } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig, type BuildConfig } from '../../build/config/config.ts';
import { writeAcceptFeedCommands, writeBuildCommand, type GivenOptions } from '../../build/report/build-result.ts';
import { ConfigError, SourceError } from '../../build/source/errors.ts';
import { findSourceFiles, type SourceFile } from '../../build/source/find-files.ts';
import { findUnmatchedFiles } from '../../build/source/source-state.ts';
import { currentPath, imagesFolder, NEW_PREFIX, OLD_PREFIX } from '../../data/store/layout.ts';
import { describeHolder, readStoreLock } from '../../data/store/lock.ts';
import { findConfirmedAt, findLastBuild, isRolledBack, readCurrent, readManifest } from '../../data/store/snapshots.ts';
import { DAY_MS, HOUR_MS } from '../../data/record/amount.ts';
import { SNAPSHOT_FILES, type Manifest } from '../../data/snapshot/format.ts';
import type { LastBuild } from '../../data/report/report.ts';
import { quoteForShell, SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { KeyFileError, readKeyFile, type KeyEntry } from '../../server/keys/key-file.ts';
import { checkPeriod } from '../../server/keys/key-store.ts';
import { describeAge, TOLERATED_AHEAD_MS } from '../../server/status/freshness.ts';
import { DEFAULT_CONFIG } from '../console/options.ts';
import { describeCount, describeSpan, fault, ok, skipped, warning, type CheckResult } from './result.ts';

export interface SourcesCheck {
  readonly results: readonly CheckResult[];
  /** The newest time of a source file; -Infinity without a file. */
  readonly newestMs: number;
}

/** Whether the files of every source exist, are readable and are recent. */
export async function checkSources(config: BuildConfig, now: Date): Promise<SourcesCheck> {
  const { folder, cms, feeds, freshness } = config;
  const checked = await Promise.all([
    ...cms.map((source) => checkSource(folder, { ...source, maxAgeMs: Infinity, isNeeded: true }, now)),
    ...feeds.map((feed) =>
      checkSource(folder, { ...feed, maxAgeMs: freshness.maxUnchangedMs, isNeeded: feed.required }, now),
    ),
  ]);
  return {
    results: checked.map(({ result }) => result),
    newestMs: Math.max(...checked.map(({ newestMs = -Infinity }) => newestMs)),
  };
}

interface WantedSource {
  readonly name: string;
  readonly files: readonly string[];
  readonly maxAgeMs: number;
  /** Without it nothing is published. */
  readonly isNeeded: boolean;
}

interface SourceCheck {
  readonly result: CheckResult;
  readonly newestMs?: number;
}

async function checkSource(folder: string, source: WantedSource, now: Date): Promise<SourceCheck> {
  const { name, files: globs, maxAgeMs, isNeeded } = source;
  let files: readonly SourceFile[];
  try {
    files = await findSourceFiles(folder, source);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { result: fault(`${name}: ${error.message}`, 'mend the link, or `files` of the source') };
  }
  if (files.length === 0) {
    const others = await findUnmatchedFiles(folder, source);
    const found = `${name}: no file matches ${globs.join(', ')} in ${folder}${others.length === 0 ? '' : `, not even ${others.join(', ')}`}`;
    const remedy = 'put its files there, or mend `files` in the configuration';
    return { result: isNeeded ? fault(found, remedy) : warning(found, remedy) };
  }
  const times: number[] = [];
  for (const { absolutePath, path } of files) {
    try {
      await access(absolutePath, constants.R_OK);
      times.push((await stat(absolutePath)).mtimeMs);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      const remedy = `let this user read it: chmod, or chown to the user who builds`;
      return { result: fault(`${name}: ${path} cannot be read (${code})`, remedy) };
    }
  }
  const newestMs = Math.max(...times);
  const ageMs = Math.max(0, now.getTime() - newestMs);
  const found = `${name}: ${describeCount(files.length, 'file')}, the newest ${describeSpan(ageMs)} old`;
  const remedy = 'see whether it is still fetched, or raise freshness.maxUnchangedDays';
  return { result: ageMs > maxAgeMs ? warning(found, remedy) : ok(found), newestMs };
}

export interface ConfigCheck {
  readonly config?: BuildConfig;
  readonly result: CheckResult;
}

/** The configuration, if it has no fault. */
export async function checkConfig(file: string | undefined, store: string | undefined): Promise<ConfigCheck> {
  if (file === undefined && !existsSync(DEFAULT_CONFIG)) {
    const remedy = 'nothing where it is only served; else name it with --config, or let deals init write one';
    return { result: skipped(`there is no ${DEFAULT_CONFIG} here`, remedy) };
  }
  const path = file ?? DEFAULT_CONFIG;
  try {
    const config = await readConfig(path, { store });
    const names = [...config.cms, ...config.feeds].map(({ name }) => name).join(', ');
    return { config, result: ok(`${path}: reads ${names}`) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { result: fault(error.faults.join('; '), 'mend it; build/README.md tells every setting') };
  }
}

/** A longer build has most likely hung. */
const LONG_BUILD_MS = 2 * HOUR_MS;

const WORLD_READABLE = 0o004;
const WORLD_WRITABLE = 0o002;

/** Whether this user may read and write the store. */
export async function checkStore(store: string): Promise<CheckResult> {
  if (!(await can(store, constants.R_OK | constants.X_OK))) {
    return fault(`${store}: this user cannot read it`, 'let the user who serves read it: chmod, or a group for both');
  }
  const { mode } = await stat(store);
  if ((mode & WORLD_WRITABLE) !== 0) {
    return fault(`${store}: everybody on this machine can write to it`, `chmod o-w ${store}`);
  }
  if (!(await can(store, constants.W_OK))) {
    const remedy = 'nothing where it is only served; else build as its owner';
    return warning(`${store}: this user can read it and not write to it`, remedy);
  }
  return ok(`${store}: can be read and written by this user`);
}

/** The end of a finding: no build has published a snapshot. */
export const UNPUBLISHED = 'nothing is published';

/** Checks the manifest and the sizes of files only. @param publish the command that brings a snapshot */
export async function checkSnapshot(
  store: string,
  staleAfterHours: number,
  now: Date,
  publish = 'deals build',
): Promise<readonly CheckResult[]> {
  let manifest: Manifest;
  try {
    const id = readCurrent(store);
    if (id === undefined) return [fault(`${store}: ${UNPUBLISHED}`, `run ${publish}`)];
    manifest = readManifest(store, id);
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    const { details } = error;
    if (details.code === 'unknown-current') {
      const found = `${details.file}: expected the name of the current snapshot, got ${details.got}`;
      return [fault(found, details.command)];
    }
    const remedy = 'deals snapshots shows what there is; deals rollback --to <snapshot> makes one current';
    return [fault(error.message, remedy)];
  }
  const { id, counts } = manifest;
  const damage = await findDamage(store, manifest);
  if (damage !== undefined) {
    const remedy = 'run deals build, or go back with deals rollback; deals verify tells all that is wrong';
    return [fault(`${id}: ${damage}`, remedy)];
  }
  const sound = ok(`${id}: ${counts.products} products, ${counts.deals} deals; every file has its size`);
  const confirmedAt = findConfirmedAt(store, id);
  const confirmed = { current: id, ...(confirmedAt === undefined ? {} : { confirmedAt }) };
  // The same function as in the server, so that both agree.
  const { stale, ageSeconds } = describeAge(manifest, confirmed, now, staleAfterHours);
  if (stale && ageSeconds < 0) {
    const found = `${id}: it was made ${describeSpan(-ageSeconds * 1_000)} from now, so its age is not known`;
    return [sound, warning(found, 'set the clock, and run deals build again')];
  }
  const soundAt = Math.max(Date.parse(confirmedAt ?? manifest.createdAt), Date.parse(manifest.createdAt));
  const spanMs = now.getTime() - soundAt;
  if (spanMs < -TOLERATED_AHEAD_MS) {
    const found = `${id}: a build confirmed it ${describeSpan(-spanMs)} from now, so the true time is not known`;
    return [sound, warning(found, 'set the clock, and run deals build again')];
  }
  if (!stale) return [sound];
  const found = `${id}: no build has confirmed it for ${describeSpan(spanMs)}`;
  return [sound, warning(found, 'see whether deals build still runs every night, and what it says')];
}

async function findDamage(store: string, { id, files }: Manifest): Promise<string | undefined> {
  for (const name of SNAPSHOT_FILES) {
    try {
      const file = join(store, id, name);
      const { size } = await stat(file);
      const { bytes } = files[name];
      if (size !== bytes) return `${name}: expected ${bytes} bytes, got ${size}`;
      await access(file, constants.R_OK);
    } catch (error) {
      return `${name}: cannot be read: ${(error as Error).message}`;
    }
  }
  return undefined;
}

/** The outcome of the last build, the lock, and the folders of a killed build. */
export async function checkBuild(store: string, now: Date, given: GivenOptions = {}): Promise<readonly CheckResult[]> {
  return [...(await checkLock(store, now, given)), checkLastBuild(store, given)];
}

async function checkLock(store: string, now: Date, given: GivenOptions): Promise<readonly CheckResult[]> {
  const lock = readStoreLock(store);
  if (lock.kind === 'free') {
    const count = await countLeftovers(store);
    if (count === 0) return [];
    return [warning(`folders left by a build that was killed: ${count}`, 'nothing; the next build removes them')];
  }
  const ageMs = Math.max(0, now.getTime() - lock.sinceMs);
  const isLong = ageMs > LONG_BUILD_MS;
  switch (lock.kind) {
    case 'held': {
      const holder = lock.holder === undefined ? 'a process' : describeHolder(lock.holder);
      const found = `${holder} holds the store for ${describeSpan(ageMs)}`;
      const remedy = 'see what it does; deals build ends with exit code 75 as long as it lives';
      return [isLong ? warning(found, remedy) : ok(found)];
    }
    case 'left': {
      const begun = new Date(Math.round(lock.sinceMs)).toISOString();
      return [
        warning(
          `the build or rollback of ${begun} was killed; ${await describeSince(store, lock.sinceMs)}`,
          `see whether the memory ran out; ${writeBuildCommand(given)} builds again, and takes the lock over`,
        ),
      ];
    }
    case 'unknown': {
      const found = `build.lock is there for ${describeSpan(ageMs)}; this user cannot tell whether a build holds it or was killed`;
      const remedy = 'run deals doctor as the user who builds';
      return [isLong ? warning(found, remedy) : { ...ok(found), remedy }];
    }
  }
}

/** A build may be killed after its switch: `current.json` is then younger than its lock. */
async function describeSince(store: string, sinceMs: number): Promise<string> {
  const switchedMs = await stat(currentPath(store)).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  return switchedMs < sinceMs ? 'nothing was published since' : 'what it made current is current';
}

function checkLastBuild(store: string, given: GivenOptions): CheckResult {
  const last = findLastBuild(store);
  if (last === undefined) {
    return warning('no build has left a report', 'nothing where it is only served; else run deals build');
  }
  const { outcome, startedAt, message, current, acceptCommand, attention = [] } = last;
  const found = `the last one that ended, of ${startedAt}: ${message}`;
  const build = writeBuildCommand(given);
  switch (outcome) {
    case 'failed':
      return fault(found, `${describeServed(store)}; mend what it says, and run ${build}`);
    case 'refused': {
      const accept = acceptCommand === undefined ? '' : `; to publish all the same: ${acceptCommand}`;
      return warning(found, `mend what it names, and run ${build}${accept}`);
    }
    case 'published':
    case 'unchanged':
    case 'dry-run': {
      if (current !== undefined && isRolledBack(store, current)) {
        const remedy = 'mend, exclude or hold back what is wrong: the next build publishes the sources again';
        return warning(`${found} It was rolled back from.`, remedy);
      }
      const held = (last.report?.sources ?? []).filter(({ state }) => state !== 'fresh').map(({ name }) => name);
      if (held.length === 0) return ok(found);
      const why = attention.length === 0 ? `Not fresh: ${held.join(', ')}` : attention.join('. ');
      return warning(`${found} ${why}.`, adviseHeld(held, last.report, given));
    }
  }
}

/** What to do about held sources: fetch them again, or accept the feeds that a gate holds. */
function adviseHeld(held: readonly string[], report: LastBuild['report'], given: GivenOptions): string {
  const config = given.config === undefined ? '' : ` --config ${quoteForShell(given.config)}`;
  const checks = held.map((name) => `deals check ${name}${config}`).join(', ');
  const commands = report === undefined ? [] : [...writeAcceptFeedCommands(given, report)];
  return [
    `fetch ${held.join(', ')} again, look at it with ${checks}, and run ${writeBuildCommand(given)}`,
    ...commands.map(([feed, command]) => `to take ${feed} as it is now: ${command}`),
  ].join('; ');
}

function describeServed(store: string): string {
  let current: string | undefined;
  try {
    current = readCurrent(store);
  } catch (error) {
    if (error instanceof SnapshotError) return 'which snapshot is current cannot be read';
    throw error;
  }
  return current === undefined ? 'nothing is published' : `${current} is still current`;
}

async function countLeftovers(store: string): Promise<number> {
  const names = await Promise.all([store, imagesFolder(store)].map((folder) => readdir(folder).catch(() => [])));
  return names.flat().filter((name) => name.startsWith(NEW_PREFIX) || name.startsWith(OLD_PREFIX)).length;
}

function can(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

/** A key that ends within this time gets a warning. */
const SOON_MS = 14 * DAY_MS;

export async function checkKeys(file: string | undefined, now: Date): Promise<readonly CheckResult[]> {
  if (file === undefined) return [skipped('no key file was named', 'name it with --keys, or in DEALS_KEYS')];
  let entries: readonly KeyEntry[];
  try {
    entries = await readKeyFile(file);
  } catch (error) {
    if (!(error instanceof KeyFileError)) throw error;
    return [fault(error.message, remedyOf(error, file))];
  }
  const findings = [...(await checkMode(file)), ...checkEntries(file, entries, now)];
  return findings.length > 0 ? findings : [ok(`${file}: ${entries.length} keys, and other users cannot read it`)];
}

function remedyOf({ issue }: KeyFileError, file: string): string {
  switch (issue.code) {
    case 'missing-file':
      return `deals keys create --keys ${file} --name website`;
    case 'unreadable-file':
      return 'let the user who serves read it: chown, or a group for both';
    case 'malformed-file':
    case 'locked-file':
      return 'mend it, or put the last good copy in its place; a running server keeps the keys that it has';
  }
}

async function checkMode(file: string): Promise<readonly CheckResult[]> {
  const { mode } = await stat(file);
  const remedy = `chmod 600 ${file}`;
  if ((mode & WORLD_WRITABLE) !== 0) return [fault(`${file}: everybody on this machine can add a key`, remedy)];
  if ((mode & WORLD_READABLE) === 0) return [];
  return [warning(`${file}: everybody on this machine can read who has keys`, remedy)];
}

function checkEntries(file: string, entries: readonly KeyEntry[], now: Date): readonly CheckResult[] {
  const create = `deals keys create --keys ${file} --name`;
  const alive = entries.filter((entry) => checkPeriod(entry, now).kind !== 'expired');
  if (alive.length === 0) {
    return [fault(`${file}: no key that has not expired; deals serve does not start`, `${create} website`)];
  }
  const ending = alive.flatMap(({ id, name, until }): CheckResult[] => {
    const leftMs = until === undefined ? Infinity : Date.parse(until) - now.getTime();
    if (leftMs > SOON_MS) return [];
    const found = `the key ${id} of ${name} ends in ${describeSpan(leftMs)}`;
    return [warning(found, `${create} ${JSON.stringify(name)}, give it out, then revoke ${id}`)];
  });
  if (alive.some(({ operator }) => operator === true)) return ending;
  const found = `${file}: no key is an operator, so no client sees /status/`;
  return [...ending, warning(found, `${create} operator --operator`)];
}
