import type { DealRecord } from '../../../data/record/deal.ts';
import type { Random } from '../../sample/random.ts';
import type { Reading } from './simulated-build.ts';

/** Ways in which the file of a feed goes wrong while it still looks like one, and one in which it does not. */
export const DISASTERS = {
  'half a file': (rows) => read(rows.slice(0, Math.floor(rows.length / 2))),
  'a page of HTML': () => ({ kind: 'unreadable' }),
  'two columns that have changed places': (rows, random) => read(rows.map(random.pick(SWAPS))),
  'prices times 100': (rows) => read(rows.map((row) => withPrices(row, 100))),
  'everything unlimited': (rows) =>
    read(
      rows.map((row) => ({ ...row, dataMegabytes: 'unlimited', callMinutes: 'unlimited', textMessages: 'unlimited' })),
    ),
  'a header and no rows': () => read([]),
  'every row twice': (rows, random) => {
    const suffix = random.pick(['', '-copy']);
    return read(rows.flatMap((row) => [row, { ...row, key: `${row.key}${suffix}` }]));
  },
  'another currency': (rows, random) => {
    const rate = random.pick([1.15, 1.27, 1.95, 5, 13]);
    return read(rows.map((row) => withPrices(row, rate)));
  },
  'new ids for all': (rows, random) => {
    const isShifted = random.isLikely(0.5);
    return read(rows.map((row, i) => ({ ...row, key: isShifted ? keyAt(rows, i + 1) : `new-${i}` })));
  },
} as const satisfies Record<string, (rows: readonly DealRecord[], random: Random) => Reading>;

export type DisasterName = keyof typeof DISASTERS;

export const DISASTER_NAMES = Object.keys(DISASTERS) as readonly DisasterName[];

const SWAPS: readonly ((row: DealRecord) => DealRecord)[] = [
  (row) => ({ ...row, upfrontPence: row.monthlyPence, monthlyPence: row.upfrontPence }),
  (row) => ({ ...row, retailer: row.network, network: row.retailer }),
  (row) => ({
    ...row,
    contractMonths: row.dataMegabytes === 'unlimited' ? 24 : Math.min(120, row.dataMegabytes / 1_000),
    dataMegabytes: row.contractMonths * 1_000,
  }),
  (row) => ({ ...row, dataMegabytes: row.callMinutes, callMinutes: row.dataMegabytes }),
  (row) => ({ ...row, link: row.productImage ?? row.link, productImage: row.link }),
];

function read(rows: readonly DealRecord[]): Reading {
  return { kind: 'rows', rows };
}

function withPrices(row: DealRecord, factor: number): DealRecord {
  return {
    ...row,
    upfrontPence: Math.round(row.upfrontPence * factor),
    monthlyPence: Math.round(row.monthlyPence * factor),
  };
}

/** The key of the row after, as where keys are row numbers and a row was put before all others. */
function keyAt(rows: readonly DealRecord[], i: number): string {
  return (rows[i % rows.length] as DealRecord).key;
}
