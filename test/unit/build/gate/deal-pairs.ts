import { compareDeal, isSame, type ComparedDeal, type DealFacts } from '../../../../build/gate/deal-facts.ts';
import type { PartView } from '../../../../build/gate/part-measures.ts';
import { markTakenLinks } from '../../../../build/gate/taken-links.ts';

const DEAL: DealFacts = {
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

/** What a test says of a deal. */
export type Deal = Partial<DealFacts>;

/** Deals of before and of now. */
export interface Pairs {
  readonly before: readonly Deal[];
  /** By position in `before`; null where the deal is gone. */
  readonly now: readonly (Deal | null)[];
  /** Under keys that were not there before. */
  readonly come?: readonly Deal[];
  readonly isKnownProduct?: (name: string) => boolean;
}

/** The deals of a feed. */
export function comparePairs(pairs: Pairs): Pick<PartView, 'before' | 'now' | 'kept' | 'isKnownProduct'> {
  const before = pairs.before.map((deal) => ({ ...DEAL, ...deal }));
  const kept = pairs.now.map((deal, i) => ({ deal, before: before[i] }));
  const come = (pairs.come ?? []).map((deal) => ({ deal, before: undefined }));
  const now = [...kept, ...come].flatMap(({ deal, before: earlier }, row): ComparedDeal[] =>
    deal === null ? [] : [compareDeal(row, { ...DEAL, ...deal }, earlier)],
  );
  markTakenLinks(before, now);
  return { before, now, kept: now.filter(isSame), isKnownProduct: pairs.isKnownProduct ?? (() => true) };
}
