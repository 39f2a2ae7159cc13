import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { writeAcceptFeedCommands, writeBuildCommand, type GivenOptions } from '../../build/report/build-result.ts';
import type { LastBuild } from '../../data/report/report.ts';
import { SNAPSHOT_FILES, type Manifest } from '../../data/snapshot/format.ts';
import { quoteForShell, SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { currentPath, snapshotPath } from '../../data/store/layout.ts';
import { readStoreLock } from '../../data/store/lock.ts';
import { isRolledBack } from '../../data/store/snapshots.ts';
import { describeAge, TOLERATED_AHEAD_MS } from '../../data/store/snapshot-age.ts';
import { describeSpan, fault, warning, type Finding } from './finding.ts';

/** Checks the files of a snapshot by their size (`deals verify` reads them), its age, and the clock of this machine. */
export async function checkSnapshot(
  store: string,
  manifest: Manifest,
  lastBuild: LastBuild | undefined,
  now: Date,
  staleAfterHours: number,
): Promise<readonly Finding[]> {
  const { id } = manifest;
  const damage = await findDamage(store, manifest);
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

async function findDamage(store: string, { id, files }: Manifest): Promise<string | undefined> {
  for (const name of SNAPSHOT_FILES) {
    try {
      const path = snapshotPath(store, id, name);
      const { size } = await stat(path);
      if (size !== files[name].bytes) return `${name}: expected ${files[name].bytes} bytes, got ${size}`;
      await access(path, constants.R_OK);
    } catch (error) {
      return `${name}: cannot be read: ${(error as Error).message}`;
    }
  }
  return undefined;
}

/** The finding about a current snapshot that cannot be named or read. */
export function describeUnreadable({ details, message }: SnapshotError): Finding {
  if (details.code === 'unknown-current') {
    const found = `${details.file}: expected the name of the current snapshot, got ${details.got}`;
    return fault(found, details.command);
  }
  return fault(message, 'deals rollback --to <snapshot> makes another snapshot current');
}

/** Whether a build was killed. One that hangs keeps others from confirming the snapshot, which becomes stale. */
export async function checkLock(store: string, given: GivenOptions): Promise<readonly Finding[]> {
  const lock = readStoreLock(store);
  if (lock.kind !== 'left') return [];
  const begun = new Date(Math.round(lock.sinceMs)).toISOString();
  const found = `the build or rollback of ${begun} was killed; ${await describeSince(store, lock.sinceMs)}`;
  const remedy = `see whether the memory ran out; ${writeBuildCommand(given)} builds again, and takes the lock over`;
  return [warning(found, remedy)];
}

/** A build may be killed after its switch: `current.json` is then younger than its lock. */
async function describeSince(store: string, sinceMs: number): Promise<string> {
  const switchedMs = await stat(currentPath(store)).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  return switchedMs < sinceMs ? 'nothing was published since' : 'what it made current is current';
}

/** What the last build needs. @param served which snapshot is current, in words */
export function checkLastBuild(
  store: string,
  { outcome, startedAt, message, current, acceptCommand, attention = [], report }: LastBuild,
  served: string,
  given: GivenOptions,
): readonly Finding[] {
  const found = `the last one that ended, of ${startedAt}: ${message}`;
  const build = writeBuildCommand(given);
  switch (outcome) {
    case 'failed':
      return [fault(found, `${served}; mend what it says, and run ${build}`)];
    case 'refused': {
      const accept = acceptCommand === undefined ? '' : `; to publish all the same: ${acceptCommand}`;
      return [warning(found, `mend what it names, and run ${build}${accept}`)];
    }
    case 'published':
    case 'unchanged':
    case 'dry-run': {
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
      return [warning(`${found} ${why}.`, held.length === 0 ? remedy : adviseHeld(held, report, given))];
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
