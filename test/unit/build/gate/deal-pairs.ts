import { FeedComparison } from '../../../../build/gate/compare-feed.ts';
import { FactColumns, type DealFacts, type Fact } from '../../../../build/gate/facts.ts';
import type { PartView } from '../../../../build/gate/part-measures.ts';
import { Drift, Profile } from '../../../../build/gate/tallies.ts';

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
  limited: 1,
  total: 60_000,
  upfront: 0,
  monthly: 2_500,
};

/** What a test says of a deal: a text stands for its number. */
export type Deal = Partial<Record<Fact, string | number>>;

const TEXTS = [''];

function toNumber(value: string | number): number {
  if (typeof value === 'number') return value;
  if (!TEXTS.includes(value)) TEXTS.push(value);
  return TEXTS.indexOf(value);
}

function toFacts(deal: Deal): DealFacts {
  return Object.fromEntries(Object.entries({ ...DEAL, ...deal }).map(([fact, value]) => [fact, toNumber(value)])) as DealFacts; // prettier-ignore
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

/** The deals of a feed. `labelsOf` gives the groups of a deal besides its feed. */
export function comparePairs(
  { before, now, come = [], isKnownProduct = () => true }: Pairs,
  labelsOf: (row: number) => readonly string[] = () => [],
): FeedComparison {
  const [columnsBefore, columnsNow] = [new FactColumns(0), new FactColumns(0)];
  for (const deal of before) columnsBefore.add(toFacts(deal));
  const kept = now.flatMap((deal, row) => (deal === null ? [] : [{ deal, row }]));
  for (const deal of [...kept.map((each) => each.deal), ...come]) columnsNow.add(toFacts(deal));
  const deals = {
    before: columnsBefore,
    isOurs: new Uint8Array(before.length).fill(1),
    now: columnsNow,
    rowsBefore: Int32Array.from([...kept.map(({ row }) => row), ...come.map(() => -1)]),
    labelsOf,
    heldOut: new Set<number>(),
    isKnownProduct: (product: number) => isKnownProduct(TEXTS[product] ?? ''),
  };
  const cell = { retailer: 'tello', network: 'o2', freshMs: 0, snapshot: '', failed: [] };
  return new FeedComparison(deals, () => cell);
}

/** All deals of a feed as one part. */
export function viewPairs(pairs: Pairs): Pick<PartView, 'before' | 'now' | 'drift' | 'found' | 'findMiddle'> {
  const comparison = comparePairs(pairs);
  const { cells, strands } = comparison;
  const view = { before: new Profile(), now: new Profile(), drift: new Drift() };
  for (const cell of cells) {
    view.before.merge(cell.before);
    view.now.merge(cell.now);
  }
  for (const { drift } of strands) view.drift.merge(drift);
  const findMiddle = (cost: 'total' | 'monthly') => comparison.findMiddle(cost, new Set(cells));
  return { ...view, found: view.drift.count, findMiddle };
}
