import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSnapshotId, KEPT_SNAPSHOTS, storePath } from '../../../data/store/layout.ts';
import { readCurrent } from '../../../data/store/snapshots.ts';
import { verifySnapshot } from '../../../build/publish/verify.ts';
import { expect } from 'vitest';
import { byTier } from '../tier.ts';
import { createSources, deal, writeSources } from '../../unit/build/run/write-sources.ts';
import { requireSuccess, type DealsRun } from '../../harness.ts';
import type { HeldDeals } from './held-deals.ts';

/** As many as a store keeps, so that the build of the night retires one; in the first tier it need not. */
const NIGHTS_BEFORE = byTier({ first: 2, second: KEPT_SNAPSHOTS, long: KEPT_SNAPSHOTS });

const TONIGHT = '2026-11-20T02:30:00Z';

/** Long enough ago that retention need not keep it. */
const AGED_SECONDS = 2 * 60 * 60;

/**
 * A site on the night when something goes wrong: a store with the snapshots of the nights before and what a build left
 * that was killed, and sources in which one price is another than yesterday.
 */
export class Night {
  readonly root = mkdtempSync(join(tmpdir(), 'deals-night-'));
  readonly #template = join(this.root, 'template');
  readonly #site = join(this.root, 'site');
  #config = '';
  /** The snapshot of last night. */
  before = '';
  /** The one that the build of this night publishes. */
  tonight = '';

  async prepare(held: HeldDeals): Promise<void> {
    for (let night = 1; night <= NIGHTS_BEFORE; night++) {
      await this.#writePrice(night);
      const date = `2026-11-${String(19 - NIGHTS_BEFORE + night).padStart(2, '0')}T02:30:00Z`;
      requireSuccess(await held.run(...this.build(this.#template, date)));
      this.before = readCurrent(this.#template) ?? '';
    }
    this.#leaveKilledBuild();
    await this.#writePrice(NIGHTS_BEFORE + 1);
    const store = this.createStore('first');
    requireSuccess(await held.run(...this.build(store)));
    this.tonight = readCurrent(store) ?? '';
  }

  /** A store as it is at the beginning of the night. */
  createStore(name: string): string {
    const store = join(this.root, name);
    rmSync(store, { recursive: true, force: true });
    cpSync(this.#template, store, { recursive: true });
    const past = new Date(Date.now() - AGED_SECONDS * 1_000);
    for (const id of readdirSync(store).filter(isSnapshotId)) utimesSync(join(store, id), past, past);
    return store;
  }

  /** The words of the build of the night. */
  build(store: string, now = TONIGHT): readonly string[] {
    return ['build', '--config', this.#config, '--store', store, '--now', now];
  }

  /** Another price for each number, so that every build has something to publish. */
  async #writePrice(number: number): Promise<void> {
    const sources = createSources();
    sources.config['images'] = { render: false };
    sources.house[1] = deal('H-1', '101', 'new', 'phone-barn', `29.${String(number % 100).padStart(2, '0')}`);
    this.#config = await writeSources(this.#site, sources);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  #leaveKilledBuild(): void {
    for (const folder of ['.new-killed', '.old-killed']) {
      mkdirSync(join(this.#template, folder));
      writeFileSync(join(this.#template, folder, 'file'), '');
    }
    writeFileSync(join(this.#template, '.new-file'), '{"snap');
  }
}

/** What is served, and whether it is whole, as `deals verify` finds it. */
export function findServed(store: string): {
  readonly current: string | undefined;
  readonly issues: readonly unknown[];
} {
  const current = readCurrent(store);
  return { current, issues: current === undefined ? [] : verifySnapshot(store, current) };
}

/** What does not belong in a store between two builds. */
export function findLeftovers(store: string): readonly string[] {
  const isReleased = statSync(storePath(store, 'build.lock'), { throwIfNoEntry: false })?.size === 0;
  const isKnown = (name: string) =>
    isSnapshotId(name) || KNOWN_NAMES.has(name) || (name === 'build.lock' && isReleased);
  return readdirSync(store).filter((name) => !isKnown(name));
}

const KNOWN_NAMES = new Set(['current.json', 'previous.json', 'last-build.json', 'images', 'lost+found']);

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
