import type { SnapshotLines } from '../../../../data/store/lines.ts';
import type { Random } from '../../../support/random.ts';

/** What the comparison sees of a deal. */
export interface TestDeal {
  readonly source: string;
  readonly retailer: string;
  readonly key: string;
  readonly upfrontPence: number;
  readonly monthlyPence: number;
  readonly totalPence: number;
  readonly months: number;
  readonly gift: string;
  readonly cashback: number;
}

export interface TestProduct {
  readonly id: string;
  readonly condition: 'new' | 'refurbished';
  readonly name: string;
  readonly deals: readonly TestDeal[];
}

/** The files of a snapshot; dictionaries in an order of their own each time, deals two to a line. */
export function linesOf(products: readonly TestProduct[], random: Random): SnapshotLines {
  const deals = products.flatMap((product) => product.deals);
  const distinct = <Value>(values: readonly Value[]): Value[] => random.shuffled([...new Set(values)]);
  const retailers = distinct(deals.map(({ retailer }) => retailer));
  const months = distinct(deals.map((deal) => deal.months));
  const gifts = distinct(deals.map(({ gift }) => gift).filter((gift) => gift !== ''));
  const cashbacks = distinct(deals.map(({ cashback }) => cashback).filter((pence) => pence > 0));
  const runs = products.flatMap((product, row) => {
    const sorted = product.deals.toSorted((a, b) => a.totalPence - b.totalPence);
    return Array.from({ length: Math.ceil(sorted.length / 2) }, (_, i) => ({
      row,
      run: sorted.slice(2 * i, 2 * i + 2),
    }));
  });
  const texts = {
    'dictionaries.json': [
      {
        networks: [{ slug: 'aurora' }],
        retailers: retailers.map((slug) => ({ slug })),
        plans: months.map((contractMonths) => ({ network: 0, contractMonths })),
        gifts: gifts.map((name) => ({ name })),
        linkTemplates: [{ prefix: 'https://shop.example/', suffix: '' }],
        cashbacks: cashbacks.map((valuePence) => ({ type: 'Automatic', valuePence })),
        pictures: [],
      },
    ],
    'products.ndjson': products.map(({ id, condition, name }) => ({ id, condition, name })),
    'deals.ndjson': runs.map(({ row, run }) => ({
      product: row,
      rank: run.map((_, i) => i),
      plan: run.map((deal) => months.indexOf(deal.months)),
      retailer: run.map(({ retailer }) => retailers.indexOf(retailer)),
      totalPence: run.map(({ totalPence }) => totalPence),
      upfrontPence: run.map(({ upfrontPence }) => upfrontPence),
      monthlyPence: run.map(({ monthlyPence }) => monthlyPence),
      ...(run.some(({ gift }) => gift !== '') ? { gift: run.map(({ gift }) => gifts.indexOf(gift) + 1) } : {}),
      ...(run.some(({ cashback }) => cashback > 0)
        ? { cashback: run.map(({ cashback }) => cashbacks.indexOf(cashback) + 1) }
        : {}),
      linkTemplate: run.map(() => 0),
      linkPart: run.map(({ key }) => key),
    })),
    'provenance.ndjson': runs.map(({ row, run }) => ({
      product: row,
      source: run.map(({ source }) => source),
      file: run.map(() => 'deals.csv'),
      line: run.map((_, i) => i + 2),
      key: run.map(({ key }) => key),
      matches: [{ rule: 'productId', found: '101' }],
      match: run.map(() => 0),
    })),
  };
  return (file) => texts[file].map((line) => JSON.stringify(line));
}

/** Products in the order of a snapshot, and few keys, so that two of these have much in common. */
export function randomProducts(random: Random): readonly TestProduct[] {
  // A key belongs to one product of a catalogue, and to another one in the next now and then.
  const keys = random.shuffled(Array.from({ length: 40 }, (_, i) => `K-${i}`));
  return ['9', '10', '101'].flatMap((id) =>
    (['new', 'refurbished'] as const)
      .filter(() => random.isLikely(0.75))
      .map((condition) => ({
        id,
        condition,
        name: `Phone ${id}${random.isLikely(0.2) ? ' again' : ''}`,
        deals: keys
          .splice(0, random.below(8))
          .filter(() => random.isLikely(0.9))
          .map((key) => randomDeal(random, key)),
      })),
  );
}

function randomDeal(random: Random, key: string): TestDeal {
  const number = Number(key.slice(2));
  return {
    source: number % 2 === 0 ? 'house' : 'night',
    retailer: number % 3 === 0 ? 'barn' : 'owl',
    key,
    upfrontPence: random.pick([0, 0, 100]),
    monthlyPence: random.pick([1000, 1000, 1500]),
    totalPence: number * 1000 + random.pick([0, 0, 1]),
    months: random.pick([12, 24]),
    gift: random.pick(['', 'Buds', 'Speaker']),
    cashback: random.pick([0, 5000]),
  };
}
