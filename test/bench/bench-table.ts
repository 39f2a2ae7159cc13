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

const README = join(ROOT, 'test/README.md');
const OPENING = '<!-- bench -->';
const CLOSING = '<!-- end of bench -->';

/** The lines of all cases as a table of Markdown, under the machine they were measured on. */
export function formatTable(outcomes: readonly CaseOutcome[]): string {
  const rows = outcomes.flatMap(({ name, lines, fault }) =>
    fault === undefined
      ? lines.map((line) => formatLine(name, line))
      : [`| ${name} | failed | | | | no | ${cell(fault.slice(0, 200))} |`],
  );
  return [
    describeMachine(),
    '',
    '| case | measured | target | reached | least to most | met | |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

/** Puts the table between its markers in `test/README.md`. */
export function writeTable(outcomes: readonly CaseOutcome[]): void {
  writeFileSync(README, withTable(readFileSync(README, 'utf8'), formatTable(outcomes)));
}

/** @throws {RangeError} when the text lacks the markers */
export function withTable(text: string, table: string): string {
  const start = text.indexOf(OPENING);
  const end = text.indexOf(CLOSING);
  if (start === -1 || end < start) throw new RangeError(`expected ${OPENING} and ${CLOSING} in the text`);
  return `${text.slice(0, start + OPENING.length)}\n${table}\n${text.slice(end)}`;
}

function formatLine(
  name: string,
  { what, target, reached, lowest, highest, unit, isMet, note = '' }: BenchLine,
): string {
  const range = lowest === highest ? '' : `${formatNumber(lowest)} to ${formatNumber(highest)}`;
  const cells = [
    name,
    what,
    `${target} ${unit}`,
    `**${formatNumber(reached)}** ${unit}`,
    range,
    isMet ? 'yes' : '**no**',
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
