import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './bench-data.ts';

/** One line of the table: what was measured, what was wanted, what was reached. */
export interface BenchLine {
  readonly what: string;
  /** As text: `>= 12`, `< 200`; `shown` without a target. */
  readonly target: string;
  /** The median. */
  readonly reached: number;
  readonly lowest: number;
  readonly highest: number;
  /** `x`, `ms`, `MB`, `s` or nothing. */
  readonly unit: string;
  readonly isMet: boolean;
  readonly note?: string;
  /** Of an encoder at work: the line goes into a table of its own, by size and effort. */
  readonly effort?: { readonly name: string; readonly bodyBytes: number; readonly encodedBytes: number };
}

export interface Summary {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

export function summarise(values: readonly number[]): Summary {
  const sorted = values.toSorted((a, b) => a - b);
  if (sorted.length === 0) throw new RangeError('expected at least one value');
  return { median: quantile(values, 0.5), lowest: sorted[0] as number, highest: sorted.at(-1) as number };
}

/** The value below which a share of the values lies; between two, that much of the way. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] as number;
  return below + ((sorted[Math.ceil(at)] as number) - below) * (at - Math.floor(at));
}

/** Milliseconds of a piece of work. */
export function timeOf(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

const COMPARISONS = {
  '<': (reached: number, limit: number) => reached < limit,
  '<=': (reached: number, limit: number) => reached <= limit,
  '>=': (reached: number, limit: number) => reached >= limit,
};

/** A line for a figure, or the median of several. `target` is a comparison with a number (`< 200`), or `shown`. */
export function line(what: string, target: string, unit: string, reached: number | Summary, note?: string): BenchLine {
  const [, operator, limit] = /^(<|<=|>=) ([\d.]+)$/.exec(target) ?? [];
  const { median, lowest, highest } =
    typeof reached === 'number' ? { median: reached, lowest: reached, highest: reached } : reached;
  const isMet = operator === undefined || COMPARISONS[operator as keyof typeof COMPARISONS](median, Number(limit));
  return { what, target, reached: median, lowest, highest, unit, isMet, ...(note === undefined ? {} : { note }) };
}

/** Ends a case: the runner reads its lines from the standard output. */
export function reportLines(lines: readonly BenchLine[]): void {
  process.stdout.write(`${JSON.stringify({ lines })}\n`);
}

/** What a case measured, or why it failed. */
export interface CaseOutcome {
  readonly name: string;
  readonly lines: readonly BenchLine[];
  readonly fault?: string;
}

const PAGE = join(ROOT, 'test/measurements.md');
const OPENING = '<!-- bench -->';
const CLOSING = '<!-- end of bench -->';

/** The lines of all cases as a table of Markdown, under the machine they were measured on. */
export function formatTable(outcomes: readonly CaseOutcome[]): string {
  const rows = outcomes.flatMap(({ name, lines, fault }) =>
    fault === undefined
      ? lines.filter(({ effort }) => effort === undefined).map((each) => formatLine(name, each))
      : [`| ${name} | failed | | | | no | ${cell(fault.slice(0, 200))} |`],
  );
  return [
    describeMachine(),
    '',
    '| case | measured | target | reached | least to most | met | |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
    ...formatEfforts(outcomes.flatMap(({ lines }) => lines)),
  ].join('\n');
}

/** Bytes and time of each effort of the encoders: a row for a size, a column for an effort. */
function formatEfforts(lines: readonly BenchLine[]): readonly string[] {
  const efforts = lines.flatMap(({ effort, reached }) => (effort === undefined ? [] : [{ ...effort, reached }]));
  if (efforts.length === 0) return [];
  const names = [...new Set(efforts.map(({ name }) => name))];
  const sizes = [...new Set(efforts.map(({ bodyBytes }) => bodyBytes))];
  const cellOf = (size: number, name: string): string => {
    const found = efforts.find((effort) => effort.name === name && effort.bodyBytes === size);
    return found === undefined ? '' : `${found.encodedBytes.toLocaleString('en-GB')} in ${formatNumber(found.reached)}`;
  };
  return [
    '',
    'Bytes and milliseconds of each effort, for pages of deals:',
    '',
    `| of | ${names.join(' | ')} |`,
    `| --- |${' --- |'.repeat(names.length)}`,
    ...sizes.map(
      (size) => `| ${size.toLocaleString('en-GB')} bytes | ${names.map((name) => cellOf(size, name)).join(' | ')} |`,
    ),
  ];
}

/** Puts the table between its markers in `test/measurements.md`. */
export function writeTable(outcomes: readonly CaseOutcome[]): void {
  writeFileSync(PAGE, withTable(readFileSync(PAGE, 'utf8'), formatTable(outcomes)));
}

/** @throws {RangeError} when the text lacks the markers */
export function withTable(text: string, table: string): string {
  const start = text.indexOf(OPENING);
  const end = text.indexOf(CLOSING);
  if (start === -1 || end < start) throw new RangeError(`expected ${OPENING} and ${CLOSING} in the text`);
  return `${text.slice(0, start + OPENING.length)}\n\n${table}\n\n${text.slice(end)}`;
}

function formatLine(name: string, each: BenchLine): string {
  const { what, target, reached, lowest, highest, unit, isMet, note = '' } = each;
  const hasTarget = target !== 'shown';
  const cells = [
    name,
    what,
    hasTarget ? `${target} ${unit}` : target,
    `**${formatNumber(reached)}** ${unit}`,
    lowest === highest ? '' : `${formatNumber(lowest)} to ${formatNumber(highest)}`,
    hasTarget ? (isMet ? 'yes' : '**no**') : '',
    note,
  ];
  return `| ${cells.map((text) => cell(text.trim())).join(' | ')} |`;
}

/** Three significant digits. */
function formatNumber(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function describeMachine(): string {
  const [cpu] = cpus();
  const day = new Date().toISOString().slice(0, 10);
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const wrk = spawnSync('wrk', ['-v'], { encoding: 'utf8' });
  const client = wrk.error === undefined ? `, ${(wrk.stdout + wrk.stderr).split('[')[0]?.trim()}` : '';
  return `${day}, ${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), ${gigabytes} GB, Linux ${release()}, Node ${process.versions.node}${client}. The load runs on the same machine.`;
}
