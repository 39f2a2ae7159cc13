import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isMissing, tool } from '../fault/needs.ts';
import { DEALS, PROGRAM_ROOT } from '../fault/program.ts';
import { writeSnapshot } from '../oracle/write-snapshot.ts';
import { hostileCatalogue } from '../unit/cli/hostile-catalogue.ts';

const root = mkdtempSync(join(tmpdir(), 'deals-export-'));
const store = join(root, 'store');
const catalogue = hostileCatalogue(3);
const exports = { csv: join(root, 'whole.csv'), ndjson: join(root, 'whole.ndjson') };

beforeAll(() => {
  mkdirSync(store);
  writeSnapshot(catalogue, store);
  for (const [format, file] of Object.entries(exports)) {
    execFileSync('bash', ['-c', `${EXPORT} ${format} > '${file}'`]);
  }
});
afterAll(() => rmSync(root, { recursive: true }));

/** A line of shell that begins the export of a format. */
const EXPORT = `'${process.execPath}' '${DEALS}' export --store '${store}' --format`;

function runShell(line: string): { readonly status: number | null; readonly stderr: string } {
  const { status, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', line], { encoding: 'utf8', cwd: root });
  return { status, stderr };
}

it.skipIf(isMissing('an export in a database', tool('sqlite3')))(
  'an export is loaded by the lines of data/spec/export.md for sqlite3',
  () => {
    const page = readFileSync(join(PROGRAM_ROOT, 'data/spec/export.md'), 'utf8');
    const [createTable = ''] = /^CREATE TABLE deals [^;]*;/m.exec(page) ?? [];
    const [, load = ''] = /^sqlite3 catalogue\.db "(\.import [^"]*)"/m.exec(page) ?? [];
    const query = 'SELECT count(*), sum(total_pence) FROM deals;';
    const input = `${createTable}\n${load.replace('deals.csv', exports.csv)}\n${query}`;
    const total = catalogue.deals.reduce((sum, { totalPence }) => sum + totalPence, 0);
    expect(execFileSync('sqlite3', ['-batch', ':memory:'], { input, encoding: 'utf8' })).toBe(
      `${catalogue.deals.length}|${total}\n`,
    );
  },
);

describe('deals export to stdout', () => {
  it.each(['csv', 'ndjson'] as const)('gives a pipe the bytes of a file: %s', (format) => {
    expect(runShell(`${EXPORT} ${format} | cmp - ${exports[format]}`)).toEqual({ status: 0, stderr: '' });
  });

  it('ends quietly when its reader has enough', () => {
    // More than Linux holds for a reader.
    expect(statSync(exports.csv).size).toBeGreaterThan(64 * 1024);
    expect(runShell(`${EXPORT} csv | head -n 1 > first`)).toEqual({ status: 0, stderr: '' });
    expect(readFileSync(join(root, 'first'), 'utf8')).toMatch(/^snapshot,.*,link\n$/);
  });
});
