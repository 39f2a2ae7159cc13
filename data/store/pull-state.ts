import { z } from 'zod';
import { SNAPSHOT_ID } from '../snapshot/format.ts';
import { malformed } from '../snapshot/snapshot-error.ts';
import { parseJson, storePath } from './layout.ts';
import { readIfPresent } from './regular-file.ts';

/** `pull.json` of a store: what `deals pull` has brought, and how it fares. The server reads it. */
const pullStateSchema = z.object({
  url: z.string(),
  /** The revision that was switched to last; 0 before the first. Nothing older is accepted. */
  revision: z.number().int().min(0),
  /** Its snapshot. */
  snapshot: z.string().regex(SNAPSHOT_ID).optional(),
  /** When the remote store last answered. */
  lastContactAt: z.iso.datetime().optional(),
  /** Absent when the last look was without a fault. */
  lastFailure: z.object({ at: z.iso.datetime(), message: z.string() }).optional(),
  /** Looks that failed, and that found what is not accepted. */
  failures: z.number().int().min(0),
});

export type PullState = z.infer<typeof pullStateSchema>;

/**
 * Undefined when nothing was ever pulled into the store.
 * @throws {SnapshotError} when the file is damaged: without it, an older record could be accepted, so an operator decides
 */
export function readPullState(store: string): PullState | undefined {
  const file = storePath(store, 'pull.json');
  const text = readIfPresent(file);
  const state = text === undefined ? undefined : pullStateSchema.safeParse(parseJson(text));
  if (state === undefined || state.success) return state?.data;
  const remedy = 'delete it to begin from the newest revision';
  throw malformed(file, undefined, 'what deals pull has brought', `something else; ${remedy}`);
}

/** How long the remote store may be silent: `deals pull --watch` looks every 10 seconds, and waits longer after faults. */
const SILENT_SECONDS = 900;

export type PullStatus = ReturnType<typeof describePull>;

/** What `deals pull` has brought, what an operator must look at, and what to do. */
export function describePull(state: PullState, now: Date) {
  const { lastContactAt, lastFailure } = state;
  const warnings: { readonly found: string; readonly remedy: string }[] = [];
  if (lastFailure !== undefined) {
    const { at, message } = lastFailure;
    const remedy = 'mend what it names; until then servers answer from the snapshot that they have';
    warnings.push({ found: `deals pull failed at ${at}: ${message}`, remedy });
  }
  if (lastContactAt === undefined || now.getTime() - Date.parse(lastContactAt) > SILENT_SECONDS * 1_000) {
    const since = lastContactAt === undefined ? '' : ` since ${lastContactAt}`;
    const found = `deals pull has had no answer from the remote store${since}`;
    warnings.push({ found, remedy: 'see whether deals pull --watch runs, and what it logs' });
  }
  return { ...state, warnings };
}
