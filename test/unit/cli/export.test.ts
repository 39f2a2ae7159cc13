import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { afterAll, describe, expect, it } from 'vitest';
import { Output, type OutputStream } from '../../../cli/console/output.ts';
import { runCommand } from '../../../cli/program.ts';
import { runDeals } from '../../harness.ts';
import { compareByCost } from '../../oracle.ts';
import type { OracleCatalogue } from '../../oracle/catalogue.ts';
import { writeSnapshot } from '../../oracle/write-snapshot.ts';
import { hostileCatalogue } from './hostile-catalogue.ts';

type ExportRecord = Readonly<Record<string, string | number | null>>;

const SEEDS = [1, 3];

/** Seed 3 has many deals. */
const LARGE_SEED = 3;

const roots: string[] = [];
afterAll(() => roots.forEach((root) => rmSync(root, { recursive: true })));

/** A store with the catalogue of a seed. */
function writeStore(seed: number): {
  readonly store: string;
  readonly id: string;
  readonly catalogue: OracleCatalogue;
} {
  const store = mkdtempSync(join(tmpdir(), 'deals-export-'));
  roots.push(store);
  const catalogue = hostileCatalogue(seed);
  return { store, catalogue, id: writeSnapshot(catalogue, store, { dealsPerLine: 7 }) };
}

async function exportText(store: string, format: string): Promise<string> {
  const { exitCode, stdout, stderr } = await runDeals(['export', '--format', format, '--store', store]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout;
}

async function readExport(store: string, format: string): Promise<readonly ExportRecord[]> {
  const text = await exportText(store, format);
  return format === 'csv' ? parseCsv(text) : parseNdjson(text);
}

function parseNdjson(text: string): ExportRecord[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ExportRecord);
}

/** By a reader that the export knows nothing of. Texts are those in quotes; the apostrophe before a formula is taken off. */
function parseCsv(text: string): ExportRecord[] {
  return parse(text, {
    columns: true,
    record_delimiter: '\n',
    cast: (cell, { quoting, header }) => {
      if (header) return cell;
      if (!quoting) return cell === '' ? null : Number(cell);
      expect(cell).not.toMatch(/^[\s=+\-@＝＋－＠]/u);
      return cell.replace(/^'/, '');
    },
  });
}

/** The records of all deals, in order of cost, from the catalogue that the store was written from. */
function recordsOf(catalogue: OracleCatalogue, id: string): readonly object[] {
  const UNLIMITED = 999_999;
  return catalogue.deals.toSorted(compareByCost).map((deal, rank) => {
    const product = catalogue.products[deal.product];
    const manufacturer = catalogue.manufacturers.find(({ slug }) => slug === product?.manufacturer);
    const network = catalogue.networks.find((each) => each.id === deal.network);
    const retailer = catalogue.retailers.find((each) => each.id === deal.retailer);
    const gift = deal.gift as { readonly id?: string; readonly text?: string } | undefined;
    const { dataMegabytes, callMinutes, textMessages } = deal;
    return {
      snapshot: id,
      currency: catalogue.currency.code,
      product_id: product?.id,
      condition: product?.condition,
      product_slug: product?.slug,
      product_name: product?.name,
      model: product?.model ?? null,
      manufacturer_slug: product?.manufacturer ?? null,
      manufacturer_name: manufacturer?.name ?? null,
      network_id: network?.id,
      network_slug: network?.slug,
      network_name: network?.name,
      retailer_id: retailer?.id,
      retailer_slug: retailer?.slug,
      retailer_name: retailer?.name,
      deal_type: deal.dealType,
      contract_name: deal.contractName,
      contract_months: deal.contractMonths,
      data_megabytes: dataMegabytes === 'unlimited' ? UNLIMITED * 1_000 : dataMegabytes,
      call_minutes: callMinutes === 'unlimited' ? UNLIMITED : callMinutes,
      text_messages: textMessages === 'unlimited' ? UNLIMITED : textMessages,
      upfront_pence: deal.upfrontPence,
      monthly_pence: deal.monthlyPence,
      total_pence: deal.totalPence,
      cashback_type: deal.cashback?.type ?? null,
      cashback_pence: deal.cashback?.pence ?? null,
      gift_name: gift?.text ?? catalogue.gifts.find((each) => each.id === gift?.id)?.name ?? null,
      link: deal.link,
      rank,
      feed: deal.feed,
      deal_key: deal.key,
    };
  });
}

/** UTF-8 has no half of a pair of UTF-16: it becomes U+FFFD. JSON escapes it. */
function asWritten<Value>(value: Value, format: string): Value {
  if (format === 'ndjson') return value;
  const encode = (_: string, each: unknown): unknown =>
    typeof each === 'string' ? Buffer.from(each).toString() : each;
  return JSON.parse(JSON.stringify(value), encode) as Value;
}

describe.each(['ndjson', 'csv'])('deals export --format %s', (format) => {
  it.each(SEEDS)('has all columns of every deal, product by product, seed %d', async (seed) => {
    const { store, catalogue, id } = writeStore(seed);
    const records = await readExport(store, format);
    const byRank = records.toSorted((a, b) => Number(a['rank']) - Number(b['rank']));
    expect(byRank).toEqual(asWritten(recordsOf(catalogue, id), format));
    const products = records.map((record) => `${String(record['product_id']).padStart(20)} ${record['condition']}`);
    expect(products).toEqual(products.toSorted());
  });
});

describe('deals export', () => {
  it('exports the snapshot that is named', async () => {
    const { store, id } = writeStore(1);
    writeSnapshot(hostileCatalogue(2), store, { sequence: 2 });
    const { stdout } = await runDeals(['export', '--format', 'ndjson', '--store', store, '--snapshot', id]);
    expect(new Set(parseNdjson(stdout).map(({ snapshot }) => snapshot))).toEqual(new Set([id]));
  });
});

describe('deals export to stdout', () => {
  it('makes the next part when the system has taken the last one, so that a slow reader fills no memory', async () => {
    const { store } = writeStore(LARGE_SEED);
    const text = await exportText(store, 'ndjson');
    let taken = '';
    let waiting: (() => void) | undefined;
    const stdout: OutputStream = {
      on: () => undefined,
      write: (part, done) => {
        expect(waiting).toBeUndefined();
        taken += String(part);
        waiting = done;
      },
    };
    const output = new Output(stdout, { on: () => undefined, write: () => true }, {});
    const run: { exitCode?: number } = {};
    void runCommand(['export', '--format', 'ndjson', '--store', store], output, () => new Date()).then(
      (code) => (run.exitCode = code),
    );
    let parts = 0;
    while (run.exitCode === undefined) {
      for (let turn = 0; turn < 100; turn++) await nextTurn();
      const take = waiting;
      waiting = undefined;
      if (take !== undefined) parts++;
      take?.();
    }
    expect(run.exitCode).toBe(0);
    expect(taken).toBe(text);
    expect(parts).toBeGreaterThan(2);
  });
});

describe('a damaged snapshot', () => {
  it.each(['dictionaries.json', 'deals.ndjson'])('%s: is not exported at all', async (name) => {
    const { store, id } = writeStore(LARGE_SEED);
    appendFileSync(join(store, id, name), '{}\n');
    const run = await runDeals(['export', '--format', 'csv', '--store', store]);
    expect(run).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining(name) as string });
  });

  it('whose files change while they are read ends with exit code 1, and says that the records are not complete', async () => {
    const { store, id } = writeStore(LARGE_SEED);
    let stderr = '';
    let isDamaged = false;
    const stdout: OutputStream = {
      on: () => undefined,
      write: (_, done) => {
        if (!isDamaged) appendFileSync(join(store, id, 'deals.ndjson'), ' ');
        isDamaged = true;
        done?.();
      },
    };
    const output = new Output(stdout, { on: () => undefined, write: (text) => (stderr += String(text)) }, {});
    const exitCode = await runCommand(['export', '--format', 'ndjson', '--store', store], output, () => new Date());
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^The records on stdout are not complete: do not use them\.\ndeals: deals\.ndjson:[0-9]+: expected one JSON value/,
    );
  });
});
