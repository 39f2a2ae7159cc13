import { FeedComparison } from '../../../../build/gate/compare-feed.ts';
import { addFacts, createFactColumns, type Fact, type FactColumns } from '../../../../build/gate/facts.ts';

const DEAL = {
  product: '101/new',
  retailer: '31',
  network: '21',
  offer: 'contract 24',
  plan: 'Plan',
  gift: '',
  cashback: '',
  site: 'shop.example',
  link: 0,
  total: 60_000,
  upfront: 0,
  monthly: 2_500,
};

/** What a test says of a deal: a text stands for its number. */
export type Deal = Partial<Record<Fact, string | number>>;

const CELL = { retailer: 'tello', network: 'o2', freshMs: 0, snapshot: '', failed: [] };
const TEXTS = [''];

function toNumber(value: string | number): number {
  if (typeof value === 'number') return value;
  if (!TEXTS.includes(value)) TEXTS.push(value);
  return TEXTS.indexOf(value);
}

function columnsOf(deals: readonly Deal[]): FactColumns {
  const columns = createFactColumns(deals.length);
  for (const deal of deals) {
    // Every fact is in DEAL.
    addFacts(columns, Object.fromEntries(Object.entries({ ...DEAL, ...deal }).map(([fact, value]) => [fact, toNumber(value)])) as Record<Fact, number>); // prettier-ignore
  }
  return columns;
}

/** Deals of before and of now. */
export interface Pairs {
  readonly before: readonly Deal[];
  /** By position in `before`; null where the deal is gone. */
  readonly now: readonly (Deal | null)[];
  /** Under keys that were not there before. */
  readonly come?: readonly Deal[];
  readonly isKnownProduct?: (name: string) => boolean;
}

/** The deals of a feed, in one cell. */
export function comparePairs({ before, now, come = [], isKnownProduct = () => true }: Pairs): FeedComparison {
  const kept = now.flatMap((deal, row) => (deal === null ? [] : [{ deal, row }]));
  const deals = {
    before: columnsOf(before),
    isOurs: new Uint8Array(before.length).fill(1),
    now: columnsOf([...kept.map(({ deal }) => deal), ...come]),
    rowsBefore: Int32Array.from([...kept.map(({ row }) => row), ...come.map(() => -1)]),
    heldOut: new Set<number>(),
    isKnownProduct: (product: number) => isKnownProduct(TEXTS[product] ?? ''),
  };
  return new FeedComparison(deals, () => CELL);
}
