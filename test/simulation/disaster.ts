import type { DealRecord } from '../../data/record/deal.ts';
import type { Random } from '../support/random.ts';
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
  'pence lost': (rows) => read(rows.map(withoutPence)),
} as const satisfies Record<string, Disaster>;

/** What happens to one retailer or one network of a feed, or to a tenth of its rows: too little for the whole to show. */
export const PART_DISASTERS = {
  'a retailer without VAT': onRetailer((row) => withPrices(row, 1 / 1.2)),
  'a retailer in euro': onRetailer((row) => withPrices(row, 1.15)),
  'a retailer at twice the price': onRetailer((row) => withPrices(row, 2)),
  'a retailer at a hundredth of the price': onRetailer((row) => withPrices(row, 0.01)),
  'a retailer without upfront costs': onRetailer((row) => ({ ...row, upfrontPence: 0 })),
  'a retailer without pence': onRetailer(withoutPence),
  'a retailer with upfront and monthly cost swapped': onRetailer(swapCosts),
  'a retailer with data in MB': onRetailer((row) => ({ ...row, dataMegabytes: 1_000 * limitOf(row.dataMegabytes, 1) })),
  'a retailer with everything unlimited': onRetailer((row) => ({ ...row, dataMegabytes: 'unlimited' })),
  'a retailer with unlimited as 9999': onRetailer((row) => ({
    ...row,
    dataMegabytes: limitOf(row.dataMegabytes, 9_999_000),
  })),
  'a retailer with one link': onRetailer((row) => ({ ...row, link: 'https://one.example/deal' })),
  'a retailer with the links of other rows': onRetailer((row, i, rows) => ({
    ...row,
    link: (rows[(i + 1) % rows.length] as DealRecord).link,
  })),
  'a retailer for another account': onRetailer((row) => ({ ...row, link: `${row.link}&partner=99` })),
  'a retailer with upfront costs from the monthly cost': onRetailer((row) => ({
    ...row,
    upfrontPence: row.monthlyPence,
  })),
  'a retailer with the phones of other rows': onRetailer((row, i, rows) => ({
    ...row,
    product: productAt(rows, i + 7),
  })),
  'a retailer with the ids of other rows': onRetailer((row, i, rows) => ({ ...row, key: keyAt(rows, i + 1) })),
  'a retailer with new ids': onRetailer((row) => ({ ...row, key: `new-${row.key}` })),
  'a network at half the price': onNetwork((row) => ({ ...row, monthlyPence: Math.round(row.monthlyPence / 2) })),
  'a network in euro': onNetwork((row) => withPrices(row, 1.15)),
  'a network with everything unlimited': onNetwork((row) => ({ ...row, dataMegabytes: 'unlimited' })),
  'a network with the phones of other rows': onNetwork((row, i, rows) => ({ ...row, product: productAt(rows, i + 7) })),
  'a tenth with the phones of other rows': onTenth((row, i, rows) => ({ ...row, product: productAt(rows, i + 7) })),
} as const satisfies Record<string, Disaster>;

/** Single prices that are wrong: no gate refuses them, and none of a known deal is served. */
export const HELD_OUT_DISASTERS = {
  'a tenth at a hundredth of the price': onTenth((row) => withPrices(row, 0.01)),
  'a tenth at a third of the price': onTenth((row) => withPrices(row, 0.33)),
  'a tenth at 1.00 a month': onTenth((row) => ({ ...row, monthlyPence: 100 })),
} as const satisfies Record<string, Disaster>;

export type Disaster = (rows: readonly DealRecord[], random: Random) => Reading;

type ChangeRow = (row: DealRecord, i: number, rows: readonly DealRecord[]) => DealRecord;

function onRetailer(change: ChangeRow): Disaster {
  return (rows, random) => onPart(rows, random, ({ retailer }) => retailer.key ?? '', change);
}

function onNetwork(change: ChangeRow): Disaster {
  return (rows, random) => onPart(rows, random, ({ network }) => network.key ?? '', change);
}

/** Strikes a part of fifty rows or more, or the largest. */
function onPart(
  rows: readonly DealRecord[],
  random: Random,
  partOf: (row: DealRecord) => string,
  change: ChangeRow,
): Reading {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(partOf(row), (counts.get(partOf(row)) ?? 0) + 1);
  counts.delete('nobody');
  const ordered = [...counts].sort(([, a], [, b]) => b - a);
  const large = ordered.filter(([, count], i) => i === 0 || count >= 50).map(([name]) => name);
  const struck = random.pick(large);
  const own = rows.filter((row) => partOf(row) === struck);
  const changed = new Map(own.map((row, i) => [row, change(row, i, own)]));
  return read(rows.map((row) => changed.get(row) ?? row));
}

function onTenth(change: ChangeRow): Disaster {
  return (rows, random) => read(rows.map((row, i) => (random.isLikely(0.1) ? change(row, i, rows) : row)));
}

function withoutPence(row: DealRecord): DealRecord {
  const cut = (pence: number): number => pence - (pence % 100);
  return { ...row, upfrontPence: cut(row.upfrontPence), monthlyPence: cut(row.monthlyPence) };
}

function swapCosts(row: DealRecord): DealRecord {
  return { ...row, upfrontPence: row.monthlyPence, monthlyPence: row.upfrontPence };
}

function limitOf(allowance: DealRecord['dataMegabytes'], unlimited: number): number {
  return allowance === 'unlimited' ? unlimited : allowance;
}

function productAt(rows: readonly DealRecord[], i: number): DealRecord['product'] {
  return (rows[i % rows.length] as DealRecord).product;
}

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
