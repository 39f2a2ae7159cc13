import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SNAPSHOT_ID } from '../../data/snapshot/format.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { isRolledBack, readCurrentId, readManifest } from '../snapshot/read-manifest.ts';
import type { StoredStatus } from './status.ts';

/** A store keeps seven, and those that were current within the hour. */
const MAX_LISTED = 50;

type Listed = Omit<StoredStatus, 'isCurrent' | 'currentSince' | 'isServed' | 'isRolledBack'>;

/** The snapshots of a store. A manifest never changes, so each is read once. */
export class StoredSnapshots {
  readonly #store: string;
  #listed: ReadonlyMap<string, Listed> = new Map();

  constructor(store: string) {
    this.#store = store;
  }

  /** Newest first by sequence; those that cannot be read come last. */
  async list(servedId: string | undefined): Promise<readonly StoredStatus[]> {
    const names = await readdir(this.#store).catch((): string[] => []);
    // Ids begin with their time: the latest, should there be very many.
    const ids = names
      .filter((name) => SNAPSHOT_ID.test(name))
      .sort()
      .slice(-MAX_LISTED);
    const currentId = await readCurrentId(this.#store).catch(() => undefined);
    const currentSince = await this.#findCurrentSince();
    const listed = await Promise.all(ids.map(async (id) => this.#listed.get(id) ?? this.#describe(id)));
    this.#listed = new Map(listed.filter(({ fault }) => fault === undefined).map((each) => [each.id, each]));
    const newestFirst = listed.sort((a, b) => (b.sequence ?? 0) - (a.sequence ?? 0));
    return Promise.all(
      newestFirst.map(async (each) => ({
        ...each,
        isCurrent: each.id === currentId,
        ...(each.id === currentId && currentSince !== undefined ? { currentSince } : {}),
        isServed: each.id === servedId,
        ...((await isRolledBack(this.#store, each.id)) ? { isRolledBack: true as const } : {}),
      })),
    );
  }

  /** The pointer is replaced whenever another snapshot becomes current, also an older one. */
  async #findCurrentSince(): Promise<string | undefined> {
    const found = await stat(join(this.#store, 'current.json')).catch(() => undefined);
    return found?.mtime.toISOString();
  }

  async #describe(id: string): Promise<Listed> {
    try {
      const { sequence, createdAt, counts } = await readManifest(this.#store, id);
      const { products, deals, quarantined } = counts;
      return { id, sequence, createdAt, products, deals, quarantined };
    } catch (error) {
      if (error instanceof SnapshotError) return { id, fault: error.message };
      throw error;
    }
  }
}
