import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSnapshotId, KEPT_SNAPSHOTS, lockPath } from '../../../data/store/layout.ts';
import { readCurrent } from '../../../data/store/snapshots.ts';
import { verifySnapshot } from '../../../build/publish/verify.ts';
import { byTier } from '../tier.ts';
import { createSources, deal, writeSources } from '../../unit/build/run/write-sources.ts';
import { requireSuccess } from '../../unit/cli/run-deals.ts';
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
  #before = '';
  #tonight = '';

  /** The snapshot of last night. */
  get before(): string {
    return this.#before;
  }

  /** The one that the build of this night publishes. */
  get tonight(): string {
    return this.#tonight;
  }

  async prepare(held: HeldDeals): Promise<void> {
    for (let night = 1; night <= NIGHTS_BEFORE; night++) {
      await this.writePrice(night);
      const date = `2026-11-${String(19 - NIGHTS_BEFORE + night).padStart(2, '0')}T02:30:00Z`;
      requireSuccess(await held.run(...this.build(this.#template, date)));
      const id = readCurrent(this.#template) ?? '';
      this.#before = id;
    }
    this.#leaveKilledBuild();
    await this.writePrice(NIGHTS_BEFORE + 1);
    const store = this.createStore('first');
    requireSuccess(await held.run(...this.build(store)));
    this.#tonight = readCurrent(store) ?? '';
  }

  /** A store as it is at the beginning of the night. */
  createStore(name: string): string {
    const store = join(this.root, name);
    this.restore(store);
    return store;
  }

  /** The words of the build of the night. */
  build(store: string, now = TONIGHT): readonly string[] {
    return ['build', '--config', this.#config, '--store', store, '--now', now];
  }

  /** Puts a store back to what it was at the beginning of the night. The folder itself stays: it may be a mount. */
  restore(store: string): void {
    mkdirSync(store, { recursive: true });
    for (const name of readdirSync(store)) rmSync(join(store, name), { recursive: true });
    cpSync(this.#template, store, { recursive: true });
    const past = new Date(Date.now() - AGED_SECONDS * 1_000);
    for (const id of readdirSync(store).filter(isSnapshotId)) utimesSync(join(store, id), past, past);
  }

  /** Another price for each number, so that every build has something to publish. */
  async writePrice(number: number): Promise<void> {
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

/** What is served, and whether it is whole. */
export interface Served {
  readonly current: string | undefined;
  readonly issues: readonly unknown[];
}

/** As `deals verify` finds it. */
export function findServed(store: string): Served {
  const current = readCurrent(store);
  return { current, issues: current === undefined ? [] : verifySnapshot(store, current) };
}

/** What does not belong in a store between two builds. */
export function findLeftovers(store: string): readonly string[] {
  const isReleased = statSync(lockPath(store), { throwIfNoEntry: false })?.size === 0;
  const isKnown = (name: string) =>
    isSnapshotId(name) || KNOWN_NAMES.has(name) || (name === 'build.lock' && isReleased);
  return readdirSync(store).filter((name) => !isKnown(name));
}

const KNOWN_NAMES: ReadonlySet<string> = new Set([
  'current.json',
  'previous.json',
  'last-build.json',
  'images',
  'lost+found',
]);
