/** How many snapshots a store keeps, newest first. */
export const KEPT_SNAPSHOTS = 7;

/** How long a snapshot that was current stays in the store, whatever its place: a server may still show its pictures. */
export const KEPT_AFTER_CURRENT_SECONDS = 3_600;

/**
 * The longest that a server may go on with the snapshot before the current one. A build knows nothing of servers: what
 * it keeps for an hour they must be done with by then, and they may take up the next one late.
 */
export const MAX_GRACE_SECONDS = 2_700;
