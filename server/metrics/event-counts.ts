import type { Log } from '../http/log.ts';
import type { Sample } from './write-metrics.ts';

/** Shown from the start, as 0: an alarm needs a number to rise from. */
const AWAITED = ['snapshot-taken-up', 'snapshot-refused', 'snapshot-unreadable', 'keys-taken-up', 'keys-unreadable'];
const FAULTS = [
  'request-failed',
  'request-unread',
  'connection-failed',
  'page-unreadable',
  'picture-missing',
  'picture-damaged',
  'server-error',
];

/** How often each event was logged. Events are words of this program, so there are few. */
export class EventCounts {
  readonly #counts = new Map([...AWAITED, ...FAULTS].map((event) => [event, 0]));

  /** A log that counts what it is told, and passes it on. */
  countFor(log: Log): Log {
    return (entry) => {
      this.#counts.set(entry.event, this.countOf(entry.event) + 1);
      log(entry);
    };
  }

  countOf(event: string): number {
    return this.#counts.get(event) ?? 0;
  }

  list(): readonly Sample[] {
    return Array.from(this.#counts, ([event, value]) => ({ labels: { event }, value }));
  }
}
