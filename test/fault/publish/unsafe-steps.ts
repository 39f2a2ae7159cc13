import { dirname } from 'node:path';
import type { StoreCall } from './store-calls.ts';

const CURRENT = '(store)/current.json';

/**
 * Goes through the calls of a build as a disk that loses everything that was not synced, and returns what it could lose that
 * the build relied on. A file system may be kinder than this, and most are: so this finds what cutting the power of one
 * of them does not.
 */
export function findUnsafe(calls: readonly StoreCall[]): readonly string[] {
  const disk = new ForgetfulDisk();
  for (const call of calls) disk.take(call);
  return disk.finish();
}

class ForgetfulDisk {
  /** Files with content that is not on the disk yet. */
  readonly #unsyncedFiles = new Set<string>();
  /** Names that are not on the disk yet, with the folder that must be synced for it. */
  readonly #unsyncedNames = new Map<string, string>();
  readonly #unsafe: string[] = [];

  take({ name, text, paths }: StoreCall): void {
    const [first, second] = paths;
    if (first === undefined || / = -1 /.test(text)) return;
    if (name === 'openat' && text.includes('O_CREAT')) this.#create(first);
    else if (name === 'mkdir') this.#unsyncedNames.set(first, dirname(first));
    else if (name === 'write' || name === 'pwrite64') this.#unsyncedFiles.add(first);
    else if (name === 'fsync') this.#sync(first);
    else if (name === 'rename' && second !== undefined) this.#rename(first, second);
  }

  finish(): readonly string[] {
    if (this.#unsyncedNames.has(CURRENT)) this.#unsafe.push(`the switch is not synced when the build has ended`);
    return this.#unsafe;
  }

  #create(path: string): void {
    this.#unsyncedFiles.add(path);
    this.#unsyncedNames.set(path, dirname(path));
  }

  #sync(path: string): void {
    this.#unsyncedFiles.delete(path);
    for (const [name, folder] of this.#unsyncedNames) if (folder === path) this.#unsyncedNames.delete(name);
  }

  #rename(from: string, to: string): void {
    if (to === CURRENT) {
      for (const path of this.#unsyncedFiles) this.#relyOn(path, 'the content', from);
      for (const path of this.#unsyncedNames.keys()) if (path !== from) this.#relyOn(path, 'the name', from);
    }
    for (const path of [...this.#unsyncedFiles].filter((candidate) => isWithin(candidate, from))) {
      this.#unsyncedFiles.delete(path);
      this.#unsyncedFiles.add(to + path.slice(from.length));
    }
    for (const [path, folder] of [...this.#unsyncedNames].filter(([candidate]) => isWithin(candidate, from))) {
      this.#unsyncedNames.delete(path);
      if (path !== from) this.#unsyncedNames.set(to + path.slice(from.length), to + folder.slice(from.length));
    }
    this.#unsyncedNames.set(to, dirname(to));
  }

  /** A snapshot is relied on once `current.json` names it, and so is that file itself; nothing else is. */
  #relyOn(path: string, what: string, switched: string): void {
    if (path !== switched && !SNAPSHOT.test(path)) return;
    this.#unsafe.push(`${what} of ${path} is not synced when current.json is switched`);
  }
}

const SNAPSHOT = /^\(store\)\/\d{8}T\d{4}Z-/;

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
