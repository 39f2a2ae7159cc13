import { compareDeals, type ComparedDeals } from '../../../../build/gate/compared-deals.ts';
import { DealFacts, Names, type Fact } from '../../../../build/gate/deal-facts.ts';

const AMOUNTS = ['link', 'total', 'upfront', 'monthly'] as const;

/** What a test says of a deal: amounts in pence, and the rest as words. */
export type Deal = Partial<Record<Exclude<Fact, Amount>, string> & Record<Amount, number>>;
type Amount = (typeof AMOUNTS)[number];

const DEAL: Required<Deal> = {
  product: '101/new',
  retailer: '31',
  network: '21',
  offer: 'contract 24',
  data: '4000',
  plan: 'Plan',
  gift: '',
  cashback: '',
  site: 'shop.example',
  link: 0,
  total: 60_000,
  upfront: 0,
  monthly: 2_500,
};

function fill(facts: DealFacts, deals: readonly Deal[]): DealFacts {
  for (const deal of deals) {
    const values = Object.entries({ ...DEAL, ...deal }).map(([fact, value]) => [fact, typeof value === 'string' ? facts.names.numberOf(value) : value]); // prettier-ignore
    facts.append(Object.fromEntries(values) as Record<Fact, number>);
  }
  return facts;
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

/** Deals now are found by their position before. */
export function comparePairs({ before, now, come = [], isKnownProduct = () => true }: Pairs): ComparedDeals {
  const facts = fill(new DealFacts(new Names()), before);
  const kept = now.flatMap((deal, servedRow) => (deal === null ? [] : [{ deal, servedRow }]));
  const factsNow = fill(new DealFacts(facts.names), [...kept.map(({ deal }) => deal), ...come]);
  const rows = [...kept.map(({ servedRow }) => servedRow), ...come.map(() => -1)];
  const known = (product: number) => isKnownProduct(facts.names.textOf(product));
  return compareDeals(facts, [...before.keys()], factsNow, Int32Array.from(rows), known);
}
