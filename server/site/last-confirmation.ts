import type { Manifest } from '../../data/snapshot/format.ts';
import { LastBuildReader, type LastBuildFacts } from '../metrics/last-build.ts';
import { describeAge } from '../status/snapshot-age.ts';

/** How often the store is asked by those who ask for the health of a snapshot that looks stale. */
const READ_EVERY_MS = 10_000;

/**
 * Remembers what the last build confirmed. The store is asked only when a snapshot would be called stale otherwise, and
 * seldom then: whoever watches the service is answered from memory.
 */
export class LastConfirmation {
  readonly #reader: LastBuildReader;
  #lastBuild: LastBuildFacts | undefined;
  #readAtMs = -Infinity;
  #reading: Promise<void> | undefined;

  constructor(store: string) {
    this.#reader = new LastBuildReader(store);
  }

  async find(manifest: Manifest, now: Date, staleAfterHours: number): Promise<LastBuildFacts | undefined> {
    if (!describeAge(manifest, this.#lastBuild, now, staleAfterHours).stale) return this.#lastBuild;
    // A clock that was put back is no reason to wait.
    if (Math.abs(now.getTime() - this.#readAtMs) >= READ_EVERY_MS) {
      this.#readAtMs = now.getTime();
      this.#reading = this.#read();
    }
    await this.#reading;
    return this.#lastBuild;
  }

  async #read(): Promise<void> {
    this.#lastBuild = await this.#reader.read();
    this.#reading = undefined;
  }
}
