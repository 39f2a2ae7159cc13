import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProcessBirth } from './process-birth.ts';
import { StoreBusyError } from './store-busy-error.ts';

const LOCK_NAME = 'build.lock';

/** A lock that is being made, under the name of its owner. */
const CANDIDATE_PREFIX = '.lock-';

/** `<pid>.<birth>.<nonce>`: who holds the lock. */
const OWNER = /^([0-9]{1,10})\.([0-9a-f-]{1,40})\.[0-9a-f]{16}$/;

const MAX_ATTEMPTS = 20;

export interface StoreLock {
  release(): void;
}

/**
 * Takes the store for this build alone, or takes it over from a build that was killed.
 *
 * The lock is a folder that holds one file, named for its owner. A folder moves only onto an empty folder, and to empty
 * it one must name the dead owner: so of many that take over from one dead build a single one succeeds, and none can
 * remove the lock of a living one. It works between the processes of one machine.
 *
 * @throws {StoreBusyError} when a living process holds it
 */
export function acquireStoreLock(store: string): StoreLock {
  mkdirSync(store, { recursive: true });
  const lockFolder = join(store, LOCK_NAME);
  const owner = `${process.pid}.${findProcessBirth(process.pid) ?? '0'}.${randomBytes(8).toString('hex')}`;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    removeDeadOwners(store, lockFolder);
    if (moveIntoPlace(store, lockFolder, owner)) {
      removeDeadCandidates(store);
      return { release: () => release(lockFolder, owner) };
    }
  }
  throw new StoreBusyError(store, undefined);
}

function removeDeadOwners(store: string, lockFolder: string): void {
  for (const name of readNames(lockFolder)) {
    if (isAlive(name)) throw new StoreBusyError(store, pidOf(name));
    rmSync(join(lockFolder, name), { force: true });
  }
}

/** False when another was faster. */
function moveIntoPlace(store: string, lockFolder: string, owner: string): boolean {
  const candidate = join(store, `${CANDIDATE_PREFIX}${owner}`);
  mkdirSync(candidate, { recursive: true });
  writeFileSync(join(candidate, owner), '');
  try {
    renameSync(candidate, lockFolder);
    return true;
  } catch (error) {
    rmSync(candidate, { recursive: true, force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false;
    throw error;
  }
}

function removeDeadCandidates(store: string): void {
  for (const name of readNames(store)) {
    if (!name.startsWith(CANDIDATE_PREFIX) || isAlive(name.slice(CANDIDATE_PREFIX.length))) continue;
    rmSync(join(store, name), { recursive: true, force: true });
  }
}

function release(lockFolder: string, owner: string): void {
  rmSync(join(lockFolder, owner), { force: true });
  try {
    rmdirSync(lockFolder);
  } catch (error) {
    // The next build may already have moved its own lock here.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'ENOENT' && code !== 'EEXIST') throw error;
  }
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function pidOf(owner: string): number | undefined {
  const pid = OWNER.exec(owner)?.[1];
  return pid === undefined ? undefined : Number(pid);
}

function isAlive(owner: string): boolean {
  const [, pid, birth] = OWNER.exec(owner) ?? [];
  return pid !== undefined && findProcessBirth(Number(pid)) === birth;
}
