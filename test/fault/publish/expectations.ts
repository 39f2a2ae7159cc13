import { expect } from 'vitest';
import type { DealsRun } from '../../unit/cli/run-deals.ts';
import type { HeldDeals } from './held-deals.ts';
import { findLeftovers, findServed, type Night } from './night.ts';

/** The exit status, what is said and what is served belong together. */
export function expectExplained(
  night: Night,
  store: string,
  { exitCode, stderr }: DealsRun,
  hasSwitchedBefore: boolean,
  where: string,
): void {
  const { current, issues } = findServed(store);
  const told = `${where}: ${stderr}`;
  expect(issues, told).toEqual([]);
  if (exitCode === 0) {
    expect(current, told).toBe(night.tonight);
    return;
  }
  expect(current, told).toBe(hasSwitchedBefore ? night.tonight : night.before);
  // Node itself ends the process when it cannot close a file that it has read, and says so at length.
  if (exitCode === null && where.startsWith('close:')) return;
  // What cannot be read cannot be compared with either: then it is a gate that refuses, and says so.
  if (exitCode === 3) {
    expect(stderr, told).toMatch(/Nothing was published \([0-9.]+ s\)\. /);
    expect(stderr, told).toContain(`The current snapshot is still ${night.before}`);
    expect(stderr, told).toContain('gate unreadable-snapshot refused');
    return;
  }
  expect(exitCode, told).toBe(1);
  const explanation = stderr.slice(stderr.indexOf('deals: '));
  expect(explanation, told).toMatch(/^deals: .*\n$/);
  expect(explanation, told).toMatch(/E[A-Z]{2,}|read back/);
  expect(explanation, told).toContain(store);
  expect(explanation, told).toMatch(/is still current|is current|cannot be read/);
}

/** A whole snapshot is current, and no other file is left of a build. */
export function expectWhole(store: string, current: string, where?: string): void {
  const seen = { ...findServed(store), leftovers: findLeftovers(store) };
  expect(seen, where).toEqual({ current, issues: [], leftovers: [] });
}

/** The next build cleans up, and publishes what the build before did not. */
export async function expectNextBuild(night: Night, held: HeldDeals, store: string, where: string): Promise<void> {
  const { exitCode, stderr } = await held.run(...night.build(store));
  expect(exitCode, `${where}: the next build: ${stderr}`).toBe(0);
  expectWhole(store, night.tonight, `${where}: after the next build`);
}
