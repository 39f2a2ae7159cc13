import { spawnSync } from 'node:child_process';
import { cpus, release, totalmem } from 'node:os';

/** One line of the table: what was measured, what was wanted, what was reached. */
export interface BenchLine {
  readonly what: string;
  /** The most that is wanted; absent for a figure that is only shown. */
  readonly atMost?: number;
  /** The least that is wanted. */
  readonly atLeast?: number;
  readonly unit: 'x' | 'ms' | 's' | 'MB';
  /** One figure, or those of all rounds. */
  readonly reached: readonly number[];
  readonly note?: string;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle) - 1] ?? NaN)) / 2;
}

/** The lines as a table of Markdown, under the machine that they were measured on. */
export function formatTable(lines: readonly BenchLine[]): string {
  const rows = lines.map((line) => {
    const { what, atMost, atLeast, unit, reached, note = '' } = line;
    const wanted = atMost === undefined ? (atLeast === undefined ? '' : `>= ${atLeast}`) : `<= ${atMost}`;
    const value = median(reached);
    const isMet = value <= (atMost ?? Infinity) && value >= (atLeast ?? -Infinity);
    const range =
      reached.length > 1 ? `${formatNumber(Math.min(...reached))} to ${formatNumber(Math.max(...reached))}` : '';
    const met = wanted === '' ? '' : isMet ? 'yes' : '**no**';
    return `| ${what} | ${wanted} | **${formatNumber(value)}** ${unit} | ${range} | ${met} | ${note} |`;
  });
  const head = ['| measured | wanted | median | least to most | met | |', '| --- | --- | --- | --- | --- | --- |'];
  return [nameMachine(), '', ...head, ...rows].join('\n');
}

/** Three significant digits. */
export function formatNumber(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function nameMachine(): string {
  const [cpu] = cpus();
  const day = new Date().toISOString().slice(0, 10);
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const wrk = spawnSync('wrk', ['-v'], { encoding: 'utf8' });
  const client = wrk.error === undefined ? `, ${(wrk.stdout + wrk.stderr).split('[')[0]?.trim()}` : '';
  return `${day}, ${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), ${gigabytes} GB, Linux ${release()}, Node ${process.versions.node}${client}. The load runs on the same machine.`;
}
