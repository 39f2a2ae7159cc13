import type { LogEntry } from '../../../server/log.ts';
import { SnapshotManager } from '../../../server/snapshot/snapshot-manager.ts';

/** Longer than a snapshot that was refused is left alone. */
const LATER_MS = 61_000;

/** The part of a server that holds snapshots, over a store. */
export class HeldSnapshot {
  readonly log: LogEntry[] = [];
  #clock = 0;
  readonly #holder: SnapshotManager;

  constructor(store: string) {
    this.#holder = new SnapshotManager({
      store,
      publicUrl: 'https://deals.test',
      log: (entry) => this.log.push(entry),
      now: () => this.#clock,
    });
  }

  /** The id being served when the store has been looked at again. */
  async look(): Promise<string | undefined> {
    this.#clock += LATER_MS;
    await this.#holder.refresh();
    return this.#holder.current?.manifest.id;
  }

  /** The id being served after a start. */
  async start(): Promise<string | undefined> {
    await this.#holder.start();
    this.#holder.close();
    return this.#holder.current?.manifest.id;
  }
}
