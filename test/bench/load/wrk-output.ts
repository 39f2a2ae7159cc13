import type { LoadResult } from './load-result.ts';

const MS_OF_UNIT = { us: 0.001, ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/**
 * Reads what `wrk --latency` prints. wrk counts a status below 400 as an answer, so 304 is one; answers under way when
 * the time is up are not counted at all.
 * @throws {Error} when a figure is not there
 */
export function parseWrkOutput(text: string): LoadResult {
  return {
    requestsPerSecond: Number(findText(text, /^Requests\/sec:\s+([\d.]+)$/m, 'requests a second')),
    p50Ms: parseTime(findText(text, /^\s+50%\s+(\S+)\s*$/m, 'the 50th percentile')),
    p99Ms: parseTime(findText(text, /^\s+99%\s+(\S+)\s*$/m, 'the 99th percentile')),
    failures: countRefusals(text) + countSocketErrors(text),
  };
}

function countRefusals(text: string): number {
  return Number(/^\s*Non-2xx or 3xx responses: (\d+)$/m.exec(text)?.[1] ?? 0);
}

function countSocketErrors(text: string): number {
  const counts = /^\s*Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)$/m.exec(text) ?? [];
  return counts.slice(1).reduce((sum, count) => sum + Number(count), 0);
}

function parseTime(text: string): number {
  const [, amount, unit] = /^([\d.]+)(us|ms|s|m|h)$/.exec(text) ?? [];
  if (amount === undefined || unit === undefined) {
    throw new Error(`the output of wrk: expected a time such as 1.02ms, got ${JSON.stringify(text)}`);
  }
  return Number(amount) * MS_OF_UNIT[unit as keyof typeof MS_OF_UNIT];
}

function findText(text: string, pattern: RegExp, what: string): string {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) {
    throw new Error(`the output of wrk: expected ${what}, got ${JSON.stringify(text.slice(0, 400))}`);
  }
  return found;
}
