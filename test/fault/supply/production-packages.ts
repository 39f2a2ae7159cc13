import { readFileSync } from 'node:fs';

/** A package as the lock file has it. */
export interface LockedPackage {
  /** Where it is installed: `node_modules/zod`. */
  readonly place: string;
  readonly name: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

export function readLock(): readonly LockedPackage[] {
  const text = readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8');
  const { packages } = JSON.parse(text) as { readonly packages: Readonly<Record<string, object>> };
  return Object.entries(packages)
    .filter(([place]) => place !== '')
    .map(([place, entry]) => ({ place, name: place.replace(/^.*node_modules\//, ''), ...entry }));
}

/** What is installed where only the program runs, on any platform. */
export const listProductionPackages = (): readonly LockedPackage[] => readLock().filter(({ dev }) => dev !== true);

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
