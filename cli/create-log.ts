import { pino } from 'pino';
import { escapeControls } from '../build/source/quote.ts';
import type { Log, LogEntry } from '../server/http/log.ts';
import { LogWriter } from './log-writer.ts';
import { escapeLines, type Output } from './output.ts';

const STDERR = 2;

/** Events of level `error`: what someone must mend. All others are of level `info`. */
const FAULTS: ReadonlySet<string> = new Set([
  'keys-unreadable',
  'metrics-failed',
  'page-unreadable',
  'request-failed',
  'server-error',
  'snapshot-refused',
  'snapshot-unreadable',
]);

/**
 * Writes what happens to stderr, as lines of JSON, on a terminal in short, a quarter of a second later at most, without waiting for whoever reads
 * them. What waits when the process ends, also by a fault, is written then; SIGKILL loses it. No entry holds a key; if
 * one ever did, it would be left out.
 */
export function createLog({ areMessagesSeen }: Pick<Output, 'areMessagesSeen'>): Log {
  const writer = new LogWriter(STDERR);
  if (areMessagesSeen) return (entry) => writer.write(`${writeClock()}  ${escapeControls(describeEntry(entry))}\n`);
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
  return (entry) => (FAULTS.has(entry.event) ? logger.error(entry) : logger.info(entry));
}

/** `14:05:09`, by the clock of whoever reads it. */
function writeClock(): string {
  return new Date().toTimeString().slice(0, 8);
}

function describeEntry({ event, ...facts }: LogEntry): string {
  if (event === 'request') {
    const { status, method, path, milliseconds, finished } = facts;
    return `${status}  ${method} ${path}  ${milliseconds} ms${finished === false ? ', cut off' : ''}`;
  }
  const told = Object.entries(facts).filter(([name, value]) => value !== undefined && name !== 'x-api-key');
  return [event, ...told.map(([name, value]) => `${name}=${value}`)].join('  ');
}
