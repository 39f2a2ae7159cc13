import { createRandom, type Random } from '../../support/random.ts';
import { GIFTS, NETWORKS, type Feed, type Gift, type Network, type Plan, type Retailer } from './market.ts';
import type { Phone } from './phone-range.ts';
import { createWeightedPicker } from './weighted-picker.ts';

/** A deal as a shop offers it. No two offers are the same but for the colour of the phone. */
export interface Offer {
  readonly phone: Phone;
  readonly retailer: Retailer;
  readonly network: Network;
  readonly plan: Plan;
  readonly contractMonths: number;
  readonly upfrontPence: number;
  readonly monthlyPence: number;
  readonly totalPence: number;
  readonly gift: Gift | undefined;
  readonly cashback: Cashback | undefined;
}

interface Cashback {
  readonly number: number;
  readonly type: string;
  readonly valuePence: number;
}

export interface OfferOptions {
  readonly seed: number;
  readonly offerCount: number;
}

/** Months of a contract and how many percent of the deals have them. */
const TERMS = [
  { months: 24, weight: 74 },
  { months: 36, weight: 20 },
  { months: 12, weight: 4 },
  { months: 18, weight: 1 },
  { months: 30, weight: 1 },
];

/** Upfront costs: nothing for 45 percent, then ever fewer. */
const UPFRONTS = [
  0, 9_99, 19_00, 19_99, 29_00, 30_00, 39_00, 49_00, 49_99, 59_00, 79_00, 99_00, 129_99, 149_00, 199_00,
].map((pence, i) => ({ number: i, pence, weight: i === 0 ? 45 : 9 * 0.86 ** (i - 1) }));

const CASHBACKS: readonly Cashback[] = [20, 25, 30, 40, 50, 60, 75, 80, 100, 120, 150, 200, 250].flatMap(
  (pounds, i) => [
    { number: i * 2, type: 'Cashback by redemption', valuePence: pounds * 100 },
    { number: i * 2 + 1, type: 'Automatic Cashback', valuePence: pounds * 100 },
  ],
);

const GIFT_SHARE = 0.03;
const CASHBACK_SHARE = 0.045;

/** After this many draws that were offered before, the price is moved until it is new. */
const MAX_DRAWS = 4;
const PRICE_STEP_PENCE = 50;

const pickTerm = createWeightedPicker(TERMS, ({ weight }) => weight);
const pickUpfront = createWeightedPicker(UPFRONTS, ({ weight }) => weight);
const pickNetwork = createWeightedPicker(NETWORKS, ({ share }) => share);
const planPickers = new Map(
  NETWORKS.map((network) => [network, createWeightedPicker(network.plans, ({ weight }) => weight)] as const),
);

/** The offers of a feed, phone by phone; exactly `offerCount` of them. */
export function* streamOffers(feed: Feed, phones: readonly Phone[], options: OfferOptions): Generator<Offer> {
  const random = createRandom(options.seed);
  let owed = 0;
  let made = 0;
  for (const [position, phone] of phones.entries()) {
    owed += phone.popularity * options.offerCount;
    const isLast = position === phones.length - 1;
    const count = (isLast ? options.offerCount : Math.round(owed)) - made;
    made += count;
    const seen = new Set<number>();
    for (let i = 0; i < count; i++) {
      const retailer = feed.retailers[i % feed.retailers.length] as Retailer;
      yield drawNew(phone, retailer, random, seen);
    }
  }
}

function drawNew(phone: Phone, retailer: Retailer, random: Random, seen: Set<number>): Offer {
  let offer = draw(phone, retailer, random);
  for (let draws = 1; seen.has(keyOf(offer)) && draws < MAX_DRAWS; draws++) offer = draw(phone, retailer, random);
  if (seen.has(keyOf(offer))) offer = reprice(offer, seen);
  seen.add(keyOf(offer));
  return offer;
}

/** The next higher price that is new. Nothing is drawn for it, so that the offers after it stay what they are. */
function reprice(offer: Offer, seen: ReadonlySet<number>): Offer {
  let repriced = offer;
  while (seen.has(keyOf(repriced))) {
    const monthlyPence = repriced.monthlyPence + PRICE_STEP_PENCE;
    repriced = {
      ...repriced,
      monthlyPence,
      totalPence: repriced.upfrontPence + monthlyPence * repriced.contractMonths,
    };
  }
  return repriced;
}

function draw(phone: Phone, retailer: Retailer, random: Random): Offer {
  const network = NETWORKS.find(({ slug }) => slug === retailer.network) ?? pickNetwork(random);
  const plan = (planPickers.get(network) as (random: Random) => Plan)(random);
  const contractMonths = pickTerm(random).months;
  // No shop asks for half the price of a phone on the first day.
  const upfront = pickUpfront(random);
  const upfrontPence = upfront.pence * 2 > phone.pricePence ? 0 : upfront.pence;
  const margin = retailer.margin + random.next() * 0.16;
  const devicePence = (phone.pricePence * (1 + margin) - upfrontPence) / contractMonths;
  const monthlyPence = roundPrice(devicePence + plan.pence, random);
  const gift = random.isLikely(GIFT_SHARE) ? random.pick(GIFTS) : undefined;
  const cashback = gift === undefined && random.isLikely(CASHBACK_SHARE) ? random.pick(CASHBACKS) : undefined;
  return {
    phone,
    retailer,
    network,
    plan,
    contractMonths,
    upfrontPence,
    monthlyPence,
    totalPence: upfrontPence + monthlyPence * contractMonths,
    gift,
    cashback,
  };
}

/** Prices end in .00, .50 or .99. */
function roundPrice(pence: number, random: Random): number {
  const pounds = Math.max(Math.round(pence / 100), 7) * 100;
  const ending = random.below(10);
  return ending < 4 ? pounds : ending < 6 ? pounds + 50 : pounds - 1;
}

/**
 * A number that two offers of one feed for one phone share only when they are the same offer; below 2^53. Where a feed
 * has several retailers, each sells one network, so the plan tells them apart.
 */
function keyOf({ plan, contractMonths, upfrontPence, monthlyPence, gift, cashback }: Offer): number {
  const extra = gift !== undefined ? Number(gift.id) : cashback !== undefined ? 32 + cashback.number : 0;
  return (((plan.number * 64 + contractMonths) * 100 + extra) * 20_000 + upfrontPence) * 40_000 + monthlyPence;
}
