import type { ServerResponse } from 'node:http';

/** A reader has this long for anything, and beyond it must take at least so many bytes a second. */
const GRACE_MS = 10_000;
const MIN_BYTES_PER_SECOND = 10_000;

const deadlines = new WeakMap<ServerResponse, NodeJS.Timeout>();

/**
 * Ends the connection of a reader who has not taken `bytes` in the time they may take: an inactivity timer does not
 * stop one who drips. Each call renews it.
 */
export function setDeadline(res: ServerResponse, bytes: number): void {
  const before = deadlines.get(res);
  if (before === undefined) res.once('close', () => clearDeadline(res));
  clearTimeout(before);
  const milliseconds = GRACE_MS + (bytes / MIN_BYTES_PER_SECOND) * 1_000;
  deadlines.set(res, setTimeout(() => cutOff(res), milliseconds).unref());
}

/** The reader has taken everything so far. */
export function clearDeadline(res: ServerResponse): void {
  clearTimeout(deadlines.get(res));
}

/**
 * Ends the connection at once. One that is only closed stays with the system for minutes, with up to 4 MB that its
 * reader has not taken: three hundred of them used up the memory that the system has for all connections.
 */
function cutOff(res: ServerResponse): void {
  res.socket?.resetAndDestroy();
  res.destroy();
}
