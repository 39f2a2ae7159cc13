import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../../../cli/console/command.ts';
import { createRandom } from '../../support/random.ts';
import { makeCatalogue } from './catalogue.ts';
import { groupBy } from './judge.ts';
import { writeRows, type Row } from './rows.ts';
import { writeSheetConfig, writeSources } from './write-sources.ts';

/**
 * Measures product matching from outside: writes a CMS export with half of the phones, and feeds with names as shops write
 * them, runs `deals build`, and compares where each row landed with the label that INPUTS "Matching" gives it.
 *
 *     npm run compile && npx tsx test/real/names/measure.ts --seed 7 --names 25000
 *
 * `--deals <file>` measures another program than dist/js/cli/main.js. `--keep <folder>` leaves the sources and the store there.
 * `--examples <n>` shows more or fewer than 40 wrong and 40 missed names, `--show <group>` only the missed ones of one group.
 *
 * The exit status is 1 when a row landed on a wrong product, network or retailer, or when less than 98 % of the rows that must
 * be found were found. A row that is a duplicate counts for neither.
 */

const MINIMUM_RECALL = 0.98;

/** What became of a row. */
interface Fate {
  /** `id/condition` of the product that the deal is served under. */
  readonly product?: string;
  readonly network?: string;
  readonly retailer?: string;
  /** The code by which the row was left out. */
  readonly code?: string;
}

export interface Measured {
  readonly row: Row;
  readonly got: Fate;
  readonly verdict: 'right' | 'missed' | 'wrong' | 'duplicate';
}

/** Builds the sources of a seed with the program at `deals` and judges every row. */
export function measureNames(seed: number, count: number, deals: string, keep?: string): Measured[] {
  const random = createRandom(seed);
  const catalogue = makeCatalogue(random);
  const hasSheet = readsStorageColumns(deals);
  const rows = writeRows(catalogue, random, count, hasSheet);
  const folder = keep ?? mkdtempSync(join(tmpdir(), 'deals-names-'));
  try {
    const config = writeSources(folder, catalogue, rows, hasSheet);
    const args = [deals, 'build', '--config', config, '--now', '2026-11-22T02:30:00Z', '--quiet'];
    const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    // Many names match nothing on purpose: the build says so.
    if (status !== 0 && status !== 4) throw new Error(`deals build ended with exit status ${status}`);
    const fates = readFates(join(folder, 'store'));
    return rows.map((row) => judgeRow(row, fates.get(`${row.feed}:${row.key}`) ?? {}));
  } finally {
    if (keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether the adapter `csv` of the program knows columns for storage and colour; one that does not refuses the configuration. */
function readsStorageColumns(deals: string): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'deals-sheet-'));
  try {
    const { status } = spawnSync(process.execPath, [deals, 'check', 'sheet', '--config', writeSheetConfig(folder)]);
    return status !== EXIT.usage;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function judgeRow(row: Row, got: Fate): Measured {
  const verdict = ((): Measured['verdict'] => {
    if (got.code === 'duplicate-deal') return 'duplicate';
    if (got.product === undefined) return row.label.kind === 'must' ? 'missed' : 'right';
    return row.label.keys.includes(got.product) &&
      got.network === row.network.slug &&
      got.retailer === row.retailer.slug
      ? 'right'
      : 'wrong';
  })();
  return { row, got, verdict };
}

interface Provenance {
  readonly product: number;
  readonly source: readonly string[];
  readonly key: readonly string[];
}

/** Reads from the published snapshot where every deal is served, and why the others are not. */
function readFates(store: string): ReadonlyMap<string, Fate> {
  const { snapshot } = JSON.parse(readFileSync(join(store, 'current.json'), 'utf8')) as { snapshot: string };
  const lines = <Line>(file: string): Line[] =>
    readFileSync(join(store, snapshot, file), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);
  const fates = new Map<string, Fate>();
  const products = lines<{ id: string; condition: string }>('products.ndjson');
  const dictionaries = JSON.parse(readFileSync(join(store, snapshot, 'dictionaries.json'), 'utf8')) as {
    networks: readonly { slug: string }[];
    retailers: readonly { slug: string }[];
    plans: readonly { network: number }[];
  };
  const columns = lines<{ plan: readonly number[]; retailer: readonly number[] }>('deals.ndjson');
  for (const [at, { product, source, key }] of lines<Provenance>('provenance.ndjson').entries()) {
    const { id, condition } = products[product] ?? { id: '?', condition: '?' };
    for (const [place, deal] of key.entries()) {
      const plan = dictionaries.plans[columns[at]?.plan[place] ?? -1];
      const network = dictionaries.networks[plan?.network ?? -1]?.slug ?? '?';
      const retailer = dictionaries.retailers[columns[at]?.retailer[place] ?? -1]?.slug ?? '?';
      fates.set(`${source[place]}:${deal}`, { product: `${id}/${condition}`, network, retailer });
    }
  }
  for (const { source, record, code } of lines<{ source: string; record?: string; code: string }>(
    'quarantine.ndjson',
  )) {
    if (record !== undefined && !fates.has(`${source}:${record}`)) fates.set(`${source}:${record}`, { code });
  }
  return fates;
}

/** The measurement as text, and whether it holds. */
export function describeMeasured(
  measured: readonly Measured[],
  show?: string,
  examples = 40,
): { readonly text: string; readonly holds: boolean } {
  const wrong = measured.filter(({ verdict }) => verdict === 'wrong');
  const must = measured.filter(({ row, verdict }) => row.label.kind === 'must' && verdict !== 'duplicate');
  const found = must.filter(({ verdict }) => verdict === 'right');
  const recall = found.length / must.length;
  const lost = measured.filter(({ got }) => got.product === undefined && got.code === undefined);
  const kinds = (['must', 'may', 'none'] as const).map(
    (kind) => `${kind} ${measured.filter(({ row }) => row.label.kind === kind).length}`,
  );
  const lines = [
    `names ${measured.length} (${kinds.join(', ')}), duplicates ${measured.filter(({ verdict }) => verdict === 'duplicate').length}, in no account ${lost.length}`,
    `wrong ${wrong.length}, recall ${percent(recall)} (${found.length} of ${must.length})`,
    '',
    'group: must found, may found, none left out as',
    ...describeGroups(measured),
  ];
  if (wrong.length > 0) lines.push('', 'wrong:', ...spread(wrong).slice(0, examples).map(describeOne));
  const missed = measured.filter(
    ({ row, verdict }) => verdict === 'missed' && (show === undefined || show === row.group),
  );
  if (missed.length > 0) lines.push('', 'missed:', ...spread(missed).slice(0, examples).map(describeOne));
  return { text: lines.join('\n'), holds: wrong.length === 0 && recall >= MINIMUM_RECALL && lost.length === 0 };
}

/** The first of every group, then the second of every group, and so on. */
function spread(measured: readonly Measured[]): Measured[] {
  const placed = [...groupBy(measured, ({ row }) => row.group).values()].flatMap((group) =>
    group.map((one, place) => ({ one, place })),
  );
  return placed.sort((a, b) => a.place - b.place).map(({ one }) => one);
}

function describeGroups(measured: readonly Measured[]): string[] {
  const groups = [...new Set(measured.map(({ row }) => row.group))];
  return groups.map((group) => {
    const own = measured.filter(({ row }) => row.group === group);
    const of = (kind: Row['label']['kind']): readonly Measured[] => own.filter(({ row }) => row.label.kind === kind);
    const share = (kind: 'must' | 'may'): string =>
      `${of(kind).filter(({ got, verdict }) => got.product !== undefined && verdict === 'right').length}/${of(kind).length}`;
    const codes = new Map<string, number>();
    for (const { got } of of('none')) codes.set(got.code ?? 'SERVED', (codes.get(got.code ?? 'SERVED') ?? 0) + 1);
    const left = [...codes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, count]) => `${count} ${code}`);
    const wrong = own.filter(({ verdict }) => verdict === 'wrong').length;
    return `  ${group}: ${share('must')}, ${share('may')}, ${left.join(' ') || '-'}${wrong > 0 ? `   ${wrong} WRONG` : ''}`;
  });
}

function describeOne({ row, got }: Measured): string {
  const facts = [row.condition, row.colour && `colour ${row.colour}`, row.productId && `id ${row.productId}`, row.gtin && `GTIN ${row.gtin}`,
    row.edition && `edition ${row.edition}`, row.version && `version ${row.version}`, row.storage && `storage ${row.storage}`,
    row.network.id && `network ${row.network.name} ${row.network.id}`, `retailer ${row.retailer.name} ${row.retailer.id}`].filter((text) => text !== ''); // prettier-ignore
  const expected = row.label.kind === 'none' ? 'none' : `${row.label.kind} ${row.label.keys.join(' ')}`;
  const where = got.product === undefined ? got.code : `${got.product} on ${got.network} at ${got.retailer}`;
  return `  ${row.feed} ${JSON.stringify(row.name)} {${facts.join(', ')}}: expected ${expected}, got ${where}; ${row.group}; ${row.label.rule}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      names: { type: 'string', default: '25000' },
      deals: { type: 'string', default: fileURLToPath(new URL('../../../dist/js/cli/main.js', import.meta.url)) },
      keep: { type: 'string' },
      show: { type: 'string' },
      examples: { type: 'string', default: '40' },
    },
  });
  const { text, holds } = describeMeasured(
    measureNames(Number(values.seed), Number(values.names), values.deals, values.keep),
    values.show,
    Number(values.examples),
  );
  process.stdout.write(`seed ${values.seed}: ${text}\n`);
  process.exitCode = holds ? 0 : 1;
}
