import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolderDurably, discard } from './durable-file.ts';
import { findProcessBirth, UNKNOWN_BIRTH } from './process-birth.ts';
import { StoreBusyError } from './store-busy-error.ts';

const LOCK_NAME = 'build.lock';

/** A lock that is being made, under the name of its owner. */
const CANDIDATE_PREFIX = '.lock-';

/** `<pid>.<birth>.<nonce>`: who holds the lock. */
const OWNER = /^([0-9]{1,10})\.([0-9a-f-]{1,40})\.[0-9a-f]{16}$/;

const MAX_ATTEMPTS = 20;

export interface StoreLock {
  /** Never throws: what is left of a lock says that its owner is gone as soon as the process has ended. */
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
  createFolderDurably(store);
  const lockFolder = join(store, LOCK_NAME);
  const owner = `${process.pid}.${findProcessBirth(process.pid) ?? UNKNOWN_BIRTH}.${randomBytes(8).toString('hex')}`;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    removeDeadOwners(store, lockFolder);
    if (!moveIntoPlace(store, lockFolder, owner)) continue;
    try {
      removeDeadCandidates(store);
    } catch (error) {
      release(lockFolder, owner);
      throw error;
    }
    return { release: () => release(lockFolder, owner) };
  }
  throw new StoreBusyError(store, undefined);
}

/** Who holds a store: nobody, a living process, or one that was killed while it did. */
export type LockState =
  | { readonly kind: 'free' }
  | { readonly kind: 'held'; readonly pid: number; readonly sinceMs: number }
  | { readonly kind: 'left' };

/** What a lock says, for somebody who does not want to take it. */
export function readLock(store: string): LockState {
  const lockFolder = join(store, LOCK_NAME);
  const owners = readNames(lockFolder);
  const alive = owners.find(isAlive);
  if (alive !== undefined) return { kind: 'held', pid: pidOf(alive) ?? 0, sinceMs: statSync(lockFolder).mtimeMs };
  return owners.length === 0 ? { kind: 'free' } : { kind: 'left' };
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
    discard(candidate);
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false;
    throw error;
  }
}

function removeDeadCandidates(store: string): void {
  for (const name of readNames(store)) {
    if (!name.startsWith(CANDIDATE_PREFIX) || isAlive(name.slice(CANDIDATE_PREFIX.length))) continue;
    discard(join(store, name));
  }
}

function release(lockFolder: string, owner: string): void {
  try {
    rmSync(join(lockFolder, owner), { force: true });
    rmdirSync(lockFolder);
  } catch {
    // The next build may already have moved its own lock here. Otherwise it takes over.
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
  if (pid === undefined) return false;
  const found = findProcessBirth(Number(pid));
  // When in doubt it is alive: to wait for nobody does less harm than to build beside somebody.
  return found !== undefined && (found === birth || found === UNKNOWN_BIRTH || birth === UNKNOWN_BIRTH);
}
