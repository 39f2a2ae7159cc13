import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { lastBuildSchema } from '../../data/report/report.ts';
import { readRegularText } from '../../data/store/regular-file.ts';

/** The report of a build lists some hundred samples: it is far below this. */
const MAX_BYTES = 16_000_000;

const { outcome, startedAt, seconds, current, confirmedAt } = lastBuildSchema.shape;
const factsSchema = z.object({ outcome, startedAt, seconds, current, confirmedAt });

export const BUILD_OUTCOMES = outcome.options;

export type LastBuildFacts = z.infer<typeof factsSchema>;

/** The `last-build.json` of a store, which is parsed once for each build. */
export class LastBuildReader {
  readonly #file: string;
  #version = '';
  #facts: LastBuildFacts | undefined;

  constructor(store: string) {
    this.#file = join(store, 'last-build.json');
  }

  /** What the last build came to; undefined when there was none, or nobody can tell. */
  async read(): Promise<LastBuildFacts | undefined> {
    try {
      const { ino, size, mtimeNs } = await stat(this.#file, { bigint: true });
      const version = [ino, size, mtimeNs].join(' ');
      if (version !== this.#version) {
        this.#facts = size > MAX_BYTES ? undefined : factsSchema.parse(JSON.parse(await readRegularText(this.#file)));
        this.#version = version;
      }
      return this.#facts;
    } catch {
      this.#version = '';
      return undefined;
    }
  }
}
