import { z } from 'zod';
import { lastBuildSchema } from '../../data/report/report.ts';
import { lastBuildPath } from '../../data/store/layout.ts';
import { ChangingFile } from '../../data/store/regular-file.ts';

const { outcome, startedAt, seconds, current, confirmedAt } = lastBuildSchema.shape;
const factsSchema = z.object({ outcome, startedAt, seconds, current, confirmedAt });

export const BUILD_OUTCOMES = outcome.options;

/** What health, metrics and `/status/` need of the last build. */
export type LastBuildFacts = z.infer<typeof factsSchema>;

/** The `last-build.json` of a store, parsed once for each build. */
export function openLastBuild(store: string): ChangingFile<LastBuildFacts> {
  return new ChangingFile(lastBuildPath(store), (text) => factsSchema.parse(JSON.parse(text)));
}
