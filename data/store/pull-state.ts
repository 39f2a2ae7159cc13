import { join } from 'node:path';
import { z } from 'zod';
import { SNAPSHOT_ID } from '../snapshot/format.ts';
import { isErrorCode, readRegularFile } from './regular-file.ts';

const countSchema = z.number().int().min(0);

/** A revision that a server has accepted. */
const acceptedSchema = z.object({
  revision: z.number().int().min(1),
  snapshot: z.string().regex(SNAPSHOT_ID),
  /** SHA-256 of its manifest, and of the report of its build. */
  manifest: z.string(),
  lastBuild: z.string().optional(),
  contentHash: z.string(),
  activateAt: z.iso.datetime(),
  leadSeconds: z.number(),
});

/** The steps of a pull, each of which may fail. */
export const PULL_STEPS = ['head', 'record', 'manifest', 'blob', 'image', 'disk', 'switch'] as const;
export type PullStep = (typeof PULL_STEPS)[number];

/** `pull.json` of a store: what `deals pull` has accepted, and how it fares. The server reads it. */
export const pullStateSchema = z.object({
  url: z.string(),
  /** The highest revision accepted from each key: nothing older is accepted again. */
  highest: z.record(z.string(), z.number().int().min(1)),
  /** The newest accepted revision. */
  announced: acceptedSchema.optional(),
  /** The revision that was switched to last. */
  current: acceptedSchema.optional(),
  /** When the remote store last answered. */
  lastContactAt: z.iso.datetime().optional(),
  /** Absent when the last look was without a fault. */
  lastFailure: z.object({ at: z.iso.datetime(), step: z.enum(PULL_STEPS), message: z.string() }).optional(),
  failures: z.partialRecord(z.enum(PULL_STEPS), countSchema),
  /** Records that no trusted key has signed, copies of others, and older ones. */
  refusals: countSchema,
  fetchedBytes: countSchema,
});

export type PullState = z.infer<typeof pullStateSchema>;
export type AcceptedRevision = z.infer<typeof acceptedSchema>;

export function pullStatePath(store: string): string {
  return join(store, 'pull.json');
}

/** Undefined when nothing was ever pulled into the store. @throws {PullStateError} when the file is damaged */
export function readPullState(store: string): PullState | undefined {
  const file = pullStatePath(store);
  try {
    return parsePullState(file, readRegularFile(file));
  } catch (error) {
    if (isErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** @throws {PullStateError} when it is damaged */
export function parsePullState(file: string, text: string): PullState {
  try {
    return pullStateSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new PullStateError(file, { cause: error });
  }
}

/** Without the file, an older record could be accepted: only an operator decides to begin without it. */
export class PullStateError extends Error {
  override readonly name = 'PullStateError';

  constructor(file: string, options: ErrorOptions) {
    super(
      `${file}: expected what deals pull has accepted, got something else; delete it to begin from the newest record`,
      options,
    );
  }
}
