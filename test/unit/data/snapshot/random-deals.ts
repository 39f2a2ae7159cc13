import { buildIndexes, type CatalogueIndex, type SlugLookup } from '../../../../data/snapshot/catalogue-index.ts';
import { allocateValues, NumberColumn, rowAt, TextColumn } from '../../../../data/snapshot/column.ts';
import type { Plan, ProductLine } from '../../../../data/snapshot/format.ts';
import type { IncrementalTask } from '../../../../data/snapshot/incremental-task.ts';
import type { Random } from '../../../support/random.ts';

/** More than the 32 that a set of a block tells apart. */
export const NETWORK_COUNT = 40;
export const RETAILER_COUNT = 70;
export const MONTHS = [1, 12, 24, 36];
export const MEGABYTES = [250, 1000, 4000, 'unlimited'] as const;
/** Few, so that ties are the rule; and the largest that a column takes. */
export const PENCE = [0, 0, 1, 4095, 4096, 65_535, 1_000_000_000];

/** An index of random deals, as many of each product as told. */
export function randomDeals(random: Random, runLengths: readonly number[], networkCount = NETWORK_COUNT): IndexOfDeals {
  const plans = Array.from(
    { length: 300 },
    (): Plan => ({
      network: random.below(networkCount),
      dealType: 'contract',
      contractName: 'plan',
      contractMonths: random.pick(MONTHS),
      dataMegabytes: random.pick(MEGABYTES),
      callMinutes: 'unlimited',
      textMessages: 'unlimited',
    }),
  );
  const runs = runLengths.map((length) => {
    // A product of a few networks and retailers, so that some of its blocks are ruled out.
    const own = random.some(
      plans.map((_plan, position) => position),
      0.05,
    );
    return Array.from({ length }, (): PlainDeal => {
      const upfrontPence = random.pick(PENCE);
      return {
        plan: own.length > 0 ? random.pick(own) : 0,
        retailer: random.below(random.pick([2, RETAILER_COUNT])),
        upfrontPence,
        monthlyPence: random.pick(PENCE),
        totalPence: random.isLikely(0.5) ? upfrontPence : random.below(100_000),
        gift: random.isLikely(0.1) ? 1 + random.below(300) : 0,
        cashback: random.isLikely(0.1) ? 1 : 0,
      };
    });
  });
  return indexOfDeals(runs, { plans, networkCount, retailerCount: RETAILER_COUNT });
}

/** What filters and sorts ask of a deal. */
export interface PlainDeal {
  readonly plan: number;
  readonly retailer: number;
  readonly totalPence: number;
  readonly upfrontPence: number;
  readonly monthlyPence: number;
  readonly gift: number;
  readonly cashback: number;
}

/** An index and its deals by row. */
export interface IndexOfDeals {
  readonly index: CatalogueIndex;
  readonly deals: readonly PlainDeal[];
}

/** An index of these deals of each product, without files and without texts: for runs too long to write to a store. */
function indexOfDeals(
  runs: readonly (readonly PlainDeal[])[],
  { plans, networkCount, retailerCount }: { plans: readonly Plan[]; networkCount: number; retailerCount: number },
): IndexOfDeals {
  const byCost = runs
    .flatMap((run, product) => run.map((deal) => ({ deal, product })))
    .sort(
      (a, b) =>
        a.deal.totalPence - b.deal.totalPence ||
        a.deal.upfrontPence - b.deal.upfrontPence ||
        a.deal.monthlyPence - b.deal.monthlyPence,
    )
    .map((each, rank) => ({ ...each, rank }));
  // A stable sort by product keeps the order of rank within each.
  const rows = byCost.toSorted((a, b) => a.product - b.product);
  const ends = runs.map((_run, product) => rows.findLastIndex((row) => row.product <= product) + 1);
  const column = (cellOf: (row: (typeof rows)[number]) => number): NumberColumn<'deal'> => {
    const cells = allocateValues(
      rows.length,
      rows.reduce((max, row) => Math.max(max, cellOf(row)), 0),
    );
    rows.forEach((row, position) => (cells[position] = cellOf(row)));
    return new NumberColumn(cells);
  };
  const none: SlugLookup<never> = { slugs: [], find: () => undefined };
  const names = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ id: String(i), name: '', slug: `s${i}` }));
  const logos = { small: '', medium: '', large: '', deal: '' };
  const products = runs.map((_run, position): ProductLine => {
    const texts = { content: {}, pageContent: {}, metaData: {}, specs: {}, images: {} };
    const name = `Product ${(position * 7) % 5}`;
    // The fields of a product line that search asks for are real, the rest is empty.
    return { id: String(position), condition: 'new', name, slug: `p-${position}`, ...texts } as ProductLine;
  });
  const index = takeAll(
    buildIndexes({
      currency: { code: 'GBP', label: '£' },
      products,
      productNameKeys: products.map(({ name }) => name.toLowerCase()),
      manufacturerOfProduct: products.map(() => undefined),
      gifts: [],
      giftCategories: [],
      networks: names(networkCount).map((name) => ({ ...name, logos })),
      retailers: names(retailerCount).map((name) => ({ ...name, logos })),
      manufacturers: [],
      plans,
      dealGifts: [],
      cashbacks: [],
      linkTemplates: [],
      feedPictures: [],
      deals: {
        rowCount: rows.length,
        rank: column(({ rank }) => rank),
        product: column(({ product }) => product),
        plan: column(({ deal }) => deal.plan),
        retailer: column(({ deal }) => deal.retailer),
        totalPence: column(({ deal }) => deal.totalPence),
        upfrontPence: column(({ deal }) => deal.upfrontPence),
        monthlyPence: column(({ deal }) => deal.monthlyPence),
        gift: column(({ deal }) => deal.gift),
        cashback: column(({ deal }) => deal.cashback),
        picture: column(() => 0),
        linkTemplate: column(() => 0),
        linkPart: new TextColumn(Buffer.alloc(0), new Uint32Array(rows.length + 1)),
      },
      pictures: new Map(),
      networkLookup: none,
      retailerLookup: none,
      manufacturerLookup: none,
      rowsOfId: (id) => (Number(id) < runs.length ? [rowAt(Number(id))] : []),
      firstDeal: (product) => rowAt(product === 0 ? 0 : (ends[product - 1] as number)),
      endOfDeals: (product) => rowAt(ends[product] as number),
    }),
  );
  return { index, deals: rows.map(({ deal }) => deal) };
}

/** Takes all steps in one go. */
function takeAll<Result>(steps: IncrementalTask<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
