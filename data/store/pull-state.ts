import { join } from 'node:path';
import { z } from 'zod';
import { SNAPSHOT_ID } from '../snapshot/format.ts';
import { ChangingFile, isErrorCode, readRegularFile } from './regular-file.ts';

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
  leadSeconds: z.number().min(0).max(86_400),
  /** The id of the trusted key that has signed it. */
  key: z.string().optional(),
});

/** The steps of a pull, each of which may fail. */
export const PULL_STEPS = ['head', 'record', 'manifest', 'blob', 'image', 'disk', 'switch'] as const;
export type PullStep = (typeof PULL_STEPS)[number];

/** What an operator does about a failure of each step. Until then servers serve what they have. */
export const PULL_REMEDIES: Readonly<Record<PullStep, string>> = {
  head: 'see whether the object store answers: its address, the network, and who may read it',
  record:
    'give the public key of a new builder with --trust; where there is none, see who can write to the object store',
  manifest: 'run deals push --repair where the snapshot was built',
  blob: 'run deals push --repair where the snapshot was built',
  image: 'run deals push --repair where the snapshot was built',
  disk: 'make room on the disk, and let the user of deals pull write to the store',
  switch: 'run deals verify, and see what deals pull logs',
};

/** `pull.json` of a store: what `deals pull` has accepted, and how it fares. The server reads it. */
const pullStateSchema = z.object({
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

const PULL_FILE = 'pull.json';

export function pullStatePath(store: string): string {
  return join(store, PULL_FILE);
}

/** How long servers should have shown the announced revision and this one does not; 0 when it does, or it is not time. */
export function findOverdueSeconds({ announced, current }: PullState, now: Date): number {
  if (announced === undefined || announced.revision === current?.revision) return 0;
  return Math.max(0, (now.getTime() - Date.parse(announced.activateAt)) / 1_000);
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
function parsePullState(file: string, text: string): PullState {
  try {
    return pullStateSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new PullStateError(file, { cause: error });
  }
}

/** What an operator must look at, and what to do. */
interface PullWarning {
  readonly found: string;
  readonly remedy: string;
}

/** How long the object store may be silent: `deals pull --watch` looks every 10 seconds. */
const SILENT_SECONDS = 900;
/** How late a switch may be: a large snapshot takes a while to come. */
const OVERDUE_SECONDS = 300;

export type PullStatus = ReturnType<typeof describePull>;

/** What `deals pull` has accepted and brought, and what an operator must look at. */
export function describePull(state: PullState, now: Date) {
  return { ...state, overdueSeconds: findOverdueSeconds(state, now), warnings: listWarnings(state, now) };
}

function listWarnings(state: PullState, now: Date): readonly PullWarning[] {
  const { announced, lastContactAt, lastFailure } = state;
  const warnings: PullWarning[] = [];
  if (lastFailure !== undefined) {
    const { at, step, message } = lastFailure;
    warnings.push({ found: `deals pull failed at ${at} (${step}): ${message}`, remedy: PULL_REMEDIES[step] });
  }
  if (lastContactAt === undefined || now.getTime() - Date.parse(lastContactAt) > SILENT_SECONDS * 1_000) {
    const since = lastContactAt === undefined ? '' : ` since ${lastContactAt}`;
    const found = `deals pull has had no answer from the object store${since}`;
    warnings.push({ found, remedy: 'see whether deals pull --watch runs, and what it logs' });
  }
  if (announced !== undefined && findOverdueSeconds(state, now) > OVERDUE_SECONDS) {
    const { revision, snapshot, activateAt } = announced;
    const found = `deals pull has accepted revision ${revision} (${snapshot}), due at ${activateAt}, and has not switched to it`;
    warnings.push({ found, remedy: 'see what deals pull logs; other servers may show it already' });
  }
  return warnings;
}

/** The `pull.json` of a store, for a server. @throws as `parsePullState`, when it is read */
export function openPullState(store: string): ChangingFile<PullState> {
  const file = pullStatePath(store);
  return new ChangingFile(file, (text) => parsePullState(file, text));
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
