import type { Plan } from '../../../../data/snapshot/format.ts';
import type { Random } from '../../../support/random.ts';
import { indexOfDeals, type IndexOfDeals, type PlainDeal } from './index-of-deals.ts';

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
