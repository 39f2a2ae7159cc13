import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

interface LockedEntry {
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
}

/** A package as the lock file has it. */
export interface LockedPackage extends LockedEntry {
  /** Where it is installed: `node_modules/zod`. */
  readonly place: string;
  readonly name: string;
}

export function readLock(): readonly LockedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedEntry>>;
  };
  return Object.entries(packages)
    .filter(([place]) => place !== '')
    .map(([place, entry]) => ({ place, name: place.replace(/^.*node_modules\//, ''), ...entry }));
}

/** What is installed where only the program runs, on any platform. */
export function listProductionPackages(): readonly LockedPackage[] {
  return readLock().filter(({ dev }) => dev !== true);
}

/** The names of the production packages by their licence, the licence of most packages first. */
export function groupByLicence(): readonly (readonly [licence: string, names: readonly string[]])[] {
  const names = new Map<string, Set<string>>();
  for (const { name, license = 'none' } of listProductionPackages()) {
    names.set(license, (names.get(license) ?? new Set()).add(name));
  }
  return Array.from(names, ([licence, found]) => [licence, [...found].sort()] as const).sort(
    ([a, left], [b, right]) => right.length - left.length || (a < b ? -1 : 1),
  );
}
