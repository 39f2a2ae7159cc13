/** One line of the table: what was measured, what was wanted, what was reached. */
export interface BenchLine {
  readonly what: string;
  /** As text: `>= 12`, `< 200`; `shown` when nothing was asked for. */
  readonly target: string;
  /** The median. */
  readonly reached: number;
  /** The spread over all repetitions. */
  readonly lowest: number;
  readonly highest: number;
  /** `x`, `ms`, `MB`, `s` or nothing. */
  readonly unit: string;
  readonly isMet: boolean;
  readonly note?: string;
  /** Of an encoder at work: the line goes into a table of its own, by size and effort. */
  readonly effort?: { readonly name: string; readonly bodyBytes: number; readonly encodedBytes: number };
}

/** Ends a case: the runner reads its lines from the standard output. */
export function reportLines(lines: readonly BenchLine[]): void {
  process.stdout.write(`${JSON.stringify({ lines })}\n`);
}
