import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXPORT_COLUMNS } from '../../cli/export.ts';
import { openOffline } from '../support/offline.ts';
import { isMissing, tool } from '../fault/needs.ts';
import { DEALS, PROGRAM_ROOT } from '../fault/program.ts';
import { RunningDeals } from '../fault/run-deals.ts';
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
    execFileSync(process.execPath, [DEALS, 'export', '--format', format, '--store', store, '--output', file]);
  }
});
afterAll(() => rmSync(root, { recursive: true }));

/** A line of shell that begins the export of a format. */
const EXPORT = `'${process.execPath}' '${DEALS}' export --store '${store}' --format`;

function runShell(line: string): { readonly status: number | null; readonly stderr: string } {
  const { status, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', line], { encoding: 'utf8', cwd: root });
  return { status, stderr };
}

describe('an export in sqlite3', () => {
  const page = readFileSync(join(PROGRAM_ROOT, 'data/spec/export.md'), 'utf8');
  const [createTable = ''] = /^CREATE TABLE deals [^;]*;/m.exec(page) ?? [];
  const load = {
    csv: `.import --csv --skip 1 '${exports.csv}' deals`,
    // The unit separator is in no line, so a line is one column.
    ndjson: `CREATE TABLE lines (line);
.mode ascii
.separator "\\037" "\\n"
.import '${exports.ndjson}' lines
.mode list
INSERT INTO deals SELECT ${EXPORT_COLUMNS.map(({ key }) => `line ->> '${key}'`).join(', ')} FROM lines;`,
  };

  /** What is counted of each group, sorted, as the program prints it. */
  function query(format: keyof typeof exports, group: string, counted: string): readonly string[] {
    const input = `${createTable}\n${load[format]}\nSELECT ${group}, ${counted} FROM deals GROUP BY ${group};`;
    return execFileSync('sqlite3', ['-batch', ':memory:'], { input, encoding: 'utf8' }).split('\n').slice(0, -1).sort();
  }

  it.skipIf(isMissing('an export in a database', tool('sqlite3'))).each(['csv', 'ndjson'] as const)(
    'has the deals of each product and the totals of each network that the interface has: %s',
    async (format) => {
      const offline = await openOffline({ store, publicUrl: '' });
      const products: string[] = [];
      const networks = new Map<string, { count: number; pence: number }>();
      for (const { id, condition } of catalogue.products) {
        const target = `/deals/v1/products/${id}/?filter[condition]=eq{${condition}}&expand=products(deals)`;
        const { deals } = JSON.parse(offline.answer(target).body) as { readonly deals: readonly ApiDeal[] };
        if (deals.length > 0) products.push(`${id}|${condition}|${deals.length}`);
        for (const { contractSupplierId, totalDealCost } of deals) {
          const { count, pence } = networks.get(contractSupplierId) ?? { count: 0, pence: 0 };
          const total = Number(totalDealCost.replace('.', ''));
          networks.set(contractSupplierId, { count: count + 1, pence: pence + total });
        }
      }
      const totals = Array.from(networks, ([id, { count, pence }]) => `${id}|${count}|${pence}`);
      expect(query(format, 'product_id, condition', 'count(*)')).toEqual(products.sort());
      expect(query(format, 'network_id', 'count(*), sum(total_pence)')).toEqual(totals.sort());
    },
  );
});

interface ApiDeal {
  readonly contractSupplierId: string;
  readonly totalDealCost: string;
}

describe('deals export to stdout', () => {
  it.each(['csv', 'ndjson'] as const)('gives a pipe and a file the bytes of --output: %s', (format) => {
    expect(runShell(`${EXPORT} ${format} | cmp - ${exports[format]}`)).toEqual({ status: 0, stderr: '' });
    expect(runShell(`${EXPORT} ${format} > out && cmp out ${exports[format]}`)).toEqual({ status: 0, stderr: '' });
  });

  it('ends quietly when its reader has enough', () => {
    // More than Linux holds for a reader.
    expect(statSync(exports.csv).size).toBeGreaterThan(64 * 1024);
    expect(runShell(`${EXPORT} csv | head -n 1 > first`)).toEqual({ status: 0, stderr: '' });
    expect(readFileSync(join(root, 'first'), 'utf8')).toMatch(/^snapshot,.*,link\n$/);
  });
});

describe('deals export --output', () => {
  it.skipIf(isMissing('a disk without room', tool('prlimit')))(
    'leaves the old file and nothing else when there is no room',
    () => {
      const folder = join(root, 'full');
      mkdirSync(folder);
      writeFileSync(join(folder, 'deals.csv'), 'of before');
      const { size } = statSync(exports.csv);
      const { status, stderr } = runShell(`prlimit --fsize=${size - 1} ${EXPORT} csv --output full/deals.csv`);
      expect(status).toBe(1);
      expect(stderr).toMatch(/^deals: full\/deals\.csv: cannot be written: EFBIG: .*; nothing was changed\n$/);
      expect(readFileSync(join(folder, 'deals.csv'), 'utf8')).toBe('of before');
      expect(readdirSync(folder)).toEqual(['deals.csv']);
    },
  );

  it('leaves nothing behind when a signal ends it', async () => {
    const folder = join(root, 'stopped');
    mkdirSync(folder);
    const args = ['export', '--format', 'csv', '--store', store, '--output', join(folder, 'deals.csv')];
    const program = new RunningDeals(args);
    while (readdirSync(folder).length === 0 && !program.hasEnded) await sleep(1);
    program.kill('SIGTERM');
    const { exitCode } = await program.ended;
    // It may have been whole before the signal came.
    expect(readdirSync(folder)).toEqual(exitCode === 0 ? ['deals.csv'] : []);
  });
});
