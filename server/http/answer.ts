import type { Encoding } from './encoding.ts';

/** An answer before it is sent: the body as pieces of text, produced only as fast as they are taken. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Iterable<string>;
  /** What the client takes; a body worth encoding is sent so. Absent: as it is. */
  readonly encoding?: Encoding;
}
