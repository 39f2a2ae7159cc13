import { pino } from 'pino';
import type { Log } from '../server/http/log.ts';

const STDERR = 2;
/** Lines are written together: a write for each would take as long as answering a request that was answered before. */
const CHUNK_BYTES = 8 * 1024;
/** How long a line waits for others. */
const WAIT_MS = 250;
/** What waits for a reader of the log that does not read; more is dropped rather than kept in memory. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/**
 * Writes what happens as lines of JSON to stderr, a quarter of a second later at most, without waiting for whoever reads
 * them. What waits when the process ends, also by a fault, is written then; SIGKILL loses it. No entry holds a key; if
 * one ever did, it would be left out.
 */
export function createLog(): Log {
  const destination = pino.destination({
    dest: STDERR,
    sync: false,
    minLength: CHUNK_BYTES,
    maxLength: MAX_WAITING_BYTES,
    periodicFlush: WAIT_MS,
  });
  const logger = pino(
    {
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      // An entry is flat, so this is the only place.
      redact: ['["x-api-key"]'],
    },
    destination,
  );
  return (entry) => logger.info(entry);
}
