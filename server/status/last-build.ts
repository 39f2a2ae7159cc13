import { z } from 'zod';
import { lastBuildSchema } from '../../data/report/report.ts';
import { lastBuildPath } from '../../data/store/layout.ts';
import { ChangingFile } from '../../data/store/regular-file.ts';

/** The report of a build lists some hundred samples: it is far below this. */
const MAX_REPORT_BYTES = 32_000_000;

const { outcome, startedAt, seconds, current, confirmedAt } = lastBuildSchema.shape;
const factsSchema = z.object({ outcome, startedAt, seconds, current, confirmedAt });

export const BUILD_OUTCOMES = outcome.options;

/** What health, metrics and `/status/` need of the last build. */
export type LastBuildFacts = z.infer<typeof factsSchema>;

/** The `last-build.json` of a store, parsed once for each build. */
export class LastBuildReader {
  readonly #file: ChangingFile<LastBuildFacts | undefined>;

  constructor(store: string) {
    this.#file = new ChangingFile(lastBuildPath(store), MAX_REPORT_BYTES, (text) => {
      try {
        return factsSchema.parse(JSON.parse(text));
      } catch {
        return undefined;
      }
    });
  }

  /** Undefined when there was no build, or its report cannot be read. */
  async readFacts(): Promise<LastBuildFacts | undefined> {
    return this.#file.read().catch(() => undefined);
  }
}
