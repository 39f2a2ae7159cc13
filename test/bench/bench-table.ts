import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './bench-data.ts';
import type { BenchLine } from './case-result.ts';

/** What a case measured, or why it did not. */
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
      ? lines.filter(({ effort }) => effort === undefined).map((line) => formatLine(name, line))
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

/** What each effort of the encoders makes of bodies: a line a size, a column an effort. */
function formatEfforts(lines: readonly BenchLine[]): readonly string[] {
  const cellOf = new Map<string, string>();
  const names = new Set<string>();
  const sizes = new Set<number>();
  for (const { effort, reached } of lines) {
    if (effort === undefined) continue;
    names.add(effort.name);
    sizes.add(effort.bodyBytes);
    const bytes = effort.encodedBytes.toLocaleString('en-GB');
    cellOf.set(`${effort.name} ${effort.bodyBytes}`, `${bytes} in ${formatNumber(reached)}`);
  }
  if (names.size === 0) return [];
  return [
    '',
    'Bytes and milliseconds of each effort, for pages of deals:',
    '',
    `| of | ${[...names].join(' | ')} |`,
    `| --- |${' --- |'.repeat(names.size)}`,
    ...[...sizes].map((size) => {
      const cells = [...names].map((name) => cellOf.get(`${name} ${size}`) ?? '');
      return `| ${size.toLocaleString('en-GB')} bytes | ${cells.join(' | ')} |`;
    }),
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

function formatLine(
  name: string,
  { what, target, reached, lowest, highest, unit, isMet, note = '' }: BenchLine,
): string {
  const isJudged = target !== 'shown';
  const range = lowest === highest ? '' : `${formatNumber(lowest)} to ${formatNumber(highest)}`;
  const cells = [
    name,
    what,
    isJudged ? `${target} ${unit}` : target,
    `**${formatNumber(reached)}** ${unit}`,
    range,
    isJudged ? (isMet ? 'yes' : '**no**') : '',
    note,
  ];
  return `| ${cells.map((text) => cell(text.trim())).join(' | ')} |`;
}

/** Three digits that say something. */
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
  const client = wrk.error === undefined ? `, ${(wrk.stdout + wrk.stderr).split('[')[0]?.trim()}` : ', own load client';
  return `${day}, ${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), ${gigabytes} GB, Linux ${release()}, Node ${process.versions.node}${client}. The load runs on the same machine.`;
}
