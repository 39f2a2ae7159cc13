import { pino } from 'pino';
import type { Log } from '../server/http/log.ts';
import { LogWriter } from './log-writer.ts';
import { escapeLines } from './output.ts';

const STDERR = 2;

/**
 * Writes what happens as lines of JSON to stderr, a quarter of a second later at most, without waiting for whoever reads
 * them. What waits when the process ends, also by a fault, is written then; SIGKILL loses it. No entry holds a key; if
 * one ever did, it would be left out.
 */
export function createLog(): Log {
  const writer = new LogWriter(STDERR);
  const logger = pino(
    {
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      // An entry is flat, so this is the only place.
      redact: ['["x-api-key"]'],
    },
    { write: (line) => writer.write(escapeLines(line)) },
  );
  return (entry) => logger.info(entry);
}
