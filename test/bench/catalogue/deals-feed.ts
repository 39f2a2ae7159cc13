import { formatPence } from '../../../data/record/amount.ts';
import { createRandom, type Random } from '../../support/random.ts';
import type { Phone } from './enlarged-sample.ts';

/** A file of deals as one retailer, or one affiliate network for several retailers, delivers it. */
export interface Feed {
  readonly name: string;
  /** Of all deals. */
  readonly share: number;
  readonly retailers: readonly string[];
  /** By what its rows name the phone. */
  readonly namesBy: 'id' | 'name';
}

/** Two giants, four of middling size, and the networks' own shops in one file. */
export const FEEDS: readonly Feed[] = [
  { name: 'harbour', share: 0.37, retailers: ['handset-harbour'], namesBy: 'id' },
  { name: 'phonewright', share: 0.31, retailers: ['phonewright'], namesBy: 'id' },
  { name: 'dialstone', share: 0.09, retailers: ['dialstone'], namesBy: 'name' },
  { name: 'ringfield', share: 0.07, retailers: ['ringfield-mobiles'], namesBy: 'name' },
  { name: 'bramble', share: 0.05, retailers: ['bramble-mobiles'], namesBy: 'id' },
  { name: 'secondring', share: 0.04, retailers: ['secondring'], namesBy: 'id' },
  {
    name: 'stores',
    share: 0.07,
    // Two of them have most of the deals.
    retailers:
      'tideline-store tideline-store tideline-store northway-direct northway-direct corvane-store quartet-store'.split(
        ' ',
      ),
    namesBy: 'id',
  },
];

const HEADER =
  'dealId,productId,productName,gtin,condition,retailer,network,dealType,contractName,contractMonths,dataGb,callMinutes,textMessages,upfrontCost,monthlyCost,totalCost,cashbackType,cashbackValue,gift,dealLink,productImage,validFrom,validTo,inStock';

/** The share of the deals of each network. */
const NETWORKS = {
  corvane: 24,
  tideline: 22,
  northway: 20,
  quartet: 20,
  fernlink: 8,
  beckside: 2.4,
  emberly: 1.6,
  larkcall: 1.2,
  moorland: 0.8,
};
const MONTHS = { 24: 74, 36: 20, 12: 4, 18: 1, 30: 1 };
const GIGABYTES = {
  1: 2,
  2: 2,
  5: 8,
  10: 7,
  20: 6,
  30: 9,
  50: 8,
  100: 14,
  150: 6,
  200: 6,
  250: 4,
  500: 3,
  unlimited: 25,
};
const UPFRONT = { 0: 45, 9.99: 9, 19.99: 8, 29: 7, 49: 6, 79: 5, 99: 4, 129.99: 3, 149: 3, 199: 2 };

const COLOUR_SHARE = 0.07;
const OUT_OF_STOCK_SHARE = 0.002;
const UNKNOWN_NETWORK_SHARE = 0.0005;
const GIFT_SHARE = 0.03;
const CASHBACK_SHARE = 0.045;
const PRICE_STEP_PENCE = 50;

/** One of the names of a table, in proportion to its weight. */
function draw(random: Random, weights: Readonly<Record<string, number>>): string {
  let left = random.next() * Object.values(weights).reduce((sum, weight) => sum + weight, 0);
  const drawn = Object.entries(weights).find(([, weight]) => (left -= weight) < 0);
  return (drawn ?? Object.entries(weights).at(-1))?.[0] ?? '';
}

/**
 * The lines of a feed in the `deals` format, the header first: `dealCount` different deals, some of them again in another
 * colour, and a few that are not served. The first phones sell best: ten have two fifths of the deals.
 */
export function* streamDealsFeed(
  feed: Feed,
  phones: readonly Phone[],
  { seed, dealCount }: { readonly seed: number; readonly dealCount: number },
): Generator<string> {
  const random = createRandom(seed);
  const popularity = phones.map((_, rank) => 1 / (rank + 3) ** 1.15);
  const all = popularity.reduce((sum, each) => sum + each, 0);
  let number = 0;
  let owed = 0;
  yield HEADER;
  for (const [rank, phone] of phones.entries()) {
    owed += ((popularity[rank] as number) / all) * dealCount;
    const seen = new Set<string>();
    for (; number < (rank === phones.length - 1 ? dealCount : Math.round(owed)); number++) {
      const retailer = random.pick(feed.retailers);
      const terms = drawTerms(random, rank, retailer, seen);
      const row = (key: string, colour: number, isInStock = true): string => {
        const named = feed.namesBy === 'id' ? `${phone.id},,` : `,${phone.name},`;
        const condition = phone.condition === 'new' ? '' : phone.condition;
        const link = `https://www.awin1.com/pclick.php?p=${38_204_115_630 + number * 7}${colour}&a=104729&m=${retailer}`;
        const picture = `https://media.handsets.example/edition${phone.id}${colour}.png`;
        return `${key},${named},${condition},${retailer},${terms},${link},${picture},,,${isInStock ? '' : 'no'}`;
      };
      const key = `${feed.name.slice(0, 2).toUpperCase()}-${number}`;
      yield row(key, 1);
      const fate = random.next();
      if (fate < COLOUR_SHARE) yield row(`${key}-2`, 2);
      else if (fate > 1 - OUT_OF_STOCK_SHARE) yield row(`${key}-3`, 1, false);
      else if (fate > 1 - OUT_OF_STOCK_SHARE - UNKNOWN_NETWORK_SHARE) {
        yield row(`${key}-4`, 1).replace(`${retailer},${terms.split(',')[0]}`, `${retailer},nowhere`);
      }
    }
  }
}

/** The cells from the network to the gift; no two of a phone are the same. */
function drawTerms(random: Random, rank: number, retailer: string, seen: Set<string>): string {
  const [own = ''] = /^\w+(?=-(?:store|direct)$)/.exec(retailer) ?? [];
  const network = own in NETWORKS ? own : draw(random, NETWORKS);
  const gigabytes = draw(random, GIGABYTES);
  const months = Number(draw(random, MONTHS));
  const upfrontPence = Math.round(Number(draw(random, UPFRONT)) * 100);
  const isSmall = Number(gigabytes) <= 2;
  const planPence = 600 + (gigabytes === 'unlimited' ? 1_500 : Number(gigabytes) * 3);
  const phonePence = 9_500 + (rank % 72) * 1_500 + random.below(4_000);
  let monthlyPence = Math.round(Math.max(planPence + (phonePence - upfrontPence) / months, 700) / 100) * 100;
  monthlyPence += random.pick([0, 0, 50, 99]);
  const plan = `${network} ${gigabytes === 'unlimited' ? 'Unlimited' : `${gigabytes}GB`}`;
  const calls = isSmall ? '500,5000' : 'unlimited,unlimited';
  const gift = random.isLikely(GIFT_SHARE) ? random.pick(['pebble-earbuds', 'tempo-watch']) : '';
  const cashback = gift === '' && random.isLikely(CASHBACK_SHARE);
  const paid = cashback ? `Automatic Cashback,${random.pick([20, 40, 60, 75, 100, 150])}.00` : ',';
  for (;;) {
    const prices = [upfrontPence, monthlyPence, upfrontPence + monthlyPence * months].map(formatPence).join(',');
    const terms = `${network},,${plan},${months},${gigabytes},${calls},${prices},${paid},${gift}`;
    if (!seen.has(terms)) {
      seen.add(terms);
      return terms;
    }
    monthlyPence += PRICE_STEP_PENCE;
  }
}
