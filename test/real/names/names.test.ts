import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readCurrent } from '../../../data/store/snapshots.ts';
import { runDeals } from '../../fault/run-deals.ts';
import { byTier } from '../../fault/tier.ts';
import { createRandom } from '../../support/random.ts';
import { parseLines, type ServedDeal } from '../../support/served-deals.ts';
import { makeCatalogue } from './catalogue.ts';
import { writeRows, type Row } from './rows.ts';
import { writeSources } from './write-sources.ts';

const SEED = Number(
  process.env['NAMES_SEED'] ?? byTier({ first: 11, second: Date.now() % 1_000_000, long: Date.now() }),
);
const COUNT = Number(process.env['NAMES'] ?? byTier({ first: 3_000, second: 25_000, long: 25_000 }));

const MINIMUM_RECALL = 0.98;

/** How many wrong names and missed names are shown. */
const EXAMPLES = 40;

interface Measured {
  readonly row: Row;
  /** Where the row is served. */
  readonly served: ServedDeal | undefined;
  /** The code by which it was left out. */
  readonly code: string | undefined;
  readonly verdict: 'right' | 'missed' | 'wrong' | 'duplicate';
}

/**
 * Measures product matching from outside: writes a CMS export with half of the phones, and feeds with names as shops write
 * them, runs `deals build`, and compares where each row landed with the label that INPUTS "Matching" gives it.
 */
async function measureNames(seed: number, count: number): Promise<readonly Measured[]> {
  const random = createRandom(seed);
  const catalogue = makeCatalogue(random);
  const rows = writeRows(catalogue, random, count);
  const folder = mkdtempSync(join(tmpdir(), 'deals-names-'));
  const store = join(folder, 'store');
  try {
    const config = writeSources(folder, catalogue, rows);
    await run('build', '--config', config, '--now', '2026-11-22T02:30:00Z', '--quiet');
    const deals = parseLines<ServedDeal>(await run('export', '--store', store, '--format', 'ndjson'));
    const served = new Map(deals.map((deal) => [`${deal.feed}:${deal.deal_key}`, deal]));
    const quarantine = readFileSync(join(store, readCurrent(store) ?? '', 'quarantine.ndjson'), 'utf8');
    const leftOut = parseLines<{ source: string; record?: string; code: string }>(quarantine).toReversed();
    const codes = new Map(leftOut.map(({ source, record, code }) => [`${source}:${record}`, code]));
    return rows.map((row) => {
      const key = `${row.feed}:${row.key}`;
      return judgeRow(row, served.get(key), served.has(key) ? undefined : codes.get(key));
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Many names match nothing on purpose, which a build says by exit status 4. */
async function run(...words: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runDeals(words);
  if (exitCode !== 0 && exitCode !== 4) throw new Error(`deals ${words[0]} ended with ${exitCode}: ${stderr}`);
  return stdout;
}

const productOf = ({ product_id, condition }: ServedDeal): string => `${product_id}/${condition}`;

function judgeRow(row: Row, served: ServedDeal | undefined, code: string | undefined): Measured {
  const { label, network, retailer } = row;
  const isRight =
    served === undefined
      ? label.kind !== 'must'
      : label.keys.includes(productOf(served)) &&
        served.network_slug === network.slug &&
        served.retailer_slug === retailer.slug;
  const verdict = isRight ? 'right' : served === undefined ? 'missed' : 'wrong';
  return { row, served, code, verdict: code === 'duplicate-deal' ? 'duplicate' : verdict };
}

/**
 * The measurement as text, and whether it holds: no row is on a wrong product, network or retailer, 98 % of the rows that
 * must be found were found, and each row is in some account. A row that is a duplicate counts for neither.
 */
function describeMeasured(measured: readonly Measured[]): { readonly text: string; readonly holds: boolean } {
  const of = (verdict: Measured['verdict']) => measured.filter((each) => each.verdict === verdict);
  const [wrong, missed] = [of('wrong'), of('missed')];
  const must = measured.filter(({ row, verdict }) => row.label.kind === 'must' && verdict !== 'duplicate');
  const recall = 1 - missed.length / must.length;
  const lost = measured.filter(({ served, code }) => served === undefined && code === undefined);
  const lines = [
    `names ${measured.length}, duplicates ${of('duplicate').length}, in no account ${lost.length}`,
    `wrong ${wrong.length}, recall ${(recall * 100).toFixed(2)} % of ${must.length}`,
    'wrong:',
    ...wrong.slice(0, EXAMPLES).map(describeOne),
    'missed:',
    ...missed.slice(0, EXAMPLES).map(describeOne),
  ];
  return { text: lines.join('\n'), holds: wrong.length === 0 && recall >= MINIMUM_RECALL && lost.length === 0 };
}

function describeOne({ row, served, code }: Measured): string {
  const { feed, name, label, group, key: _, ...facts } = row;
  const where =
    served === undefined ? code : `${productOf(served)} on ${served.network_slug} at ${served.retailer_slug}`;
  return `  ${feed} ${JSON.stringify(name)} ${JSON.stringify(facts)}: expected ${label.kind} ${label.keys.join(' ')}, got ${where}; ${group}; ${label.rule}`;
}

it(`${COUNT} names as shops write them have no wrong match, and 98 % of what must be found is found (NAMES_SEED=${SEED}, INPUTS "Matching")`, async () => {
  const { text, holds } = describeMeasured(await measureNames(SEED, COUNT));
  process.stderr.write(`${text.split('\n', 2).join('\n')}\n`);
  expect(holds, text).toBe(true);
}, 600_000);
