import { createHash } from 'node:crypto';
import { currentSchema, previousSchema } from '../snapshot/format.ts';

/** The file that names the current snapshot: the commit point. */
export const CURRENT_FILE = 'current.json';

/** The file that names the snapshot before, and the one that replaced it. */
export const PREVIOUS_FILE = 'previous.json';

/** Marks a snapshot that was rolled back from: only an operator chooses it again. */
export const ROLLED_BACK_FILE = 'rolled-back';

export interface Previous {
  /** The snapshot that was current before. */
  readonly snapshot: string;
  readonly replacedBy: string;
}

export function formatCurrent(snapshot: string): string {
  return formatChecked({ snapshot });
}

export function formatPrevious({ snapshot, replacedBy }: Previous): string {
  return formatChecked({ snapshot, replacedBy });
}

/** The id in a `current.json`; undefined when it is damaged. An older program wrote no check. */
export function parseCurrent(text: string): string | undefined {
  const current = currentSchema.safeParse(parseJson(text)).data;
  if (current === undefined) return undefined;
  const { check, snapshot } = current;
  return check === undefined || check === pointerCheck({ snapshot }) ? snapshot : undefined;
}

/** Undefined when it is damaged. */
export function parsePrevious(text: string): Previous | undefined {
  const previous = previousSchema.safeParse(parseJson(text)).data;
  if (previous === undefined) return undefined;
  const { check, snapshot, replacedBy } = previous;
  return check === pointerCheck({ snapshot, replacedBy }) ? { snapshot, replacedBy } : undefined;
}

function formatChecked(pointer: object): string {
  return `${JSON.stringify({ ...pointer, check: pointerCheck(pointer) })}\n`;
}

/** Eight hex digits of SHA-256 detect accidental damage. */
function pointerCheck(pointer: object): string {
  return createHash('sha256').update(JSON.stringify(pointer)).digest('hex').slice(0, 8);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How many snapshots a store keeps, newest first. */
export const KEPT_SNAPSHOTS = 7;

/** How long a snapshot stays in the store after it was current: a server may still send its pictures. */
export const KEPT_AFTER_CURRENT_SECONDS = 3_600;

/**
 * How long a server may use the snapshot before the current one. A build does not know the servers and deletes after an
 * hour; a server may load the next snapshot late.
 */
export const MAX_GRACE_SECONDS = 2_700;
