import { GIFTS, type Gift } from './gifts.ts';
import { networkOf, RETAILERS, type Network, type Plan, type Retailer } from './plans.ts';
import type { Random } from './random.ts';
import { SLUG_WITHOUT_DEALS, VARIANTS, type Variant } from './variants.ts';

/** A sound deal, before a feed gives it its form. */
export interface Offer {
  readonly variant: Variant;
  readonly retailer: Retailer;
  readonly network: Network;
  readonly plan: Plan;
  readonly contractMonths: number;
  readonly upfrontPence: number;
  readonly monthlyPence: number;
  readonly totalPence: number;
  readonly cashback?: Cashback;
  readonly gift?: Gift;
}

interface Cashback {
  readonly type: 'Automatic Cashback' | 'Cashback by redemption';
  readonly pence: number;
}

export interface OfferShares {
  readonly cashback: number;
  readonly gift: number;
}

/** Draws sound offers for a feed, no two of them alike. */
export interface OfferDrawer {
  readonly draw: (variant: Variant) => Offer;
  /** `count` offers, shared out over all products that have deals. */
  readonly drawAll: (count: number) => readonly Offer[];
}

const UPFRONT_PENCE: readonly number[] = [
  999, 1900, 1999, 2900, 3000, 3900, 4900, 4999, 5900, 7900, 9900, 12_999, 14_900, 19_900, 29_900,
];
const FEWEST_OFFERS = 7;
const MOST_MONTHLY_PENCE = 9500;
/** Nobody sells a dear phone on a short contract. */
const MOST_MONTHLY_PENCE_OF_A_YEAR = 5500;
const MOST_TRIES = 500;

export function createOfferDrawer(random: Random, retailers: readonly Retailer[], shares: OfferShares): OfferDrawer {
  const drawn = new Set<string>();
  const draw = (variant: Variant): Offer => {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const offer = drawOne(random, retailers, variant, shares);
      if (offer === undefined) continue;
      const terms = termsOf(offer);
      if (drawn.has(terms)) continue;
      drawn.add(terms);
      return offer;
    }
    throw new RangeError(`no further offer for ${variant.slug}`);
  };
  const drawAll = (count: number): readonly Offer[] => {
    const sold = VARIANTS.filter((variant) => variant.slug !== SLUG_WITHOUT_DEALS);
    const offers = sold.flatMap((variant) => Array.from({ length: FEWEST_OFFERS }, () => draw(variant)));
    while (offers.length < count) offers.push(draw(random.pickWeighted(sold, weightOf)));
    return offers;
  };
  return { draw, drawAll };
}

/** As an export lists them: by retailer and product, then network, plan, length and upfront cost. */
export function compareOffers(a: Offer, b: Offer): number {
  return (
    RETAILERS.indexOf(a.retailer) - RETAILERS.indexOf(b.retailer) ||
    VARIANTS.indexOf(a.variant) - VARIANTS.indexOf(b.variant) ||
    Number(a.network.id) - Number(b.network.id) ||
    a.plan.pence - b.plan.pence ||
    a.contractMonths - b.contractMonths ||
    a.upfrontPence - b.upfrontPence
  );
}

/** Everything by which two deals differ, apart from id, link, picture, colour and what comes on top. */
function termsOf(offer: Offer): string {
  const { variant, retailer, network, plan, contractMonths, upfrontPence, monthlyPence } = offer;
  return [variant.slug, retailer.slug, network.slug, plan.name, contractMonths, upfrontPence, monthlyPence].join(' ');
}

/** Dear and new phones are offered most; refurbished ones about half as often, and larger storage less than smaller. */
function weightOf(variant: Variant): number {
  const { model, condition, storage } = variant;
  const rank = Math.max(
    0,
    model.storages.findIndex(({ label }) => label === storage),
  );
  return (model.popularity * (condition === 'new' ? 1 : 0.5)) / (1 + rank * 0.6);
}

function drawOne(
  random: Random,
  retailers: readonly Retailer[],
  variant: Variant,
  shares: OfferShares,
): Offer | undefined {
  const retailer = random.pickWeighted(
    retailers,
    ({ popularity, shareRefurbished }) =>
      popularity * (variant.condition === 'refurbished' ? shareRefurbished * 4 : 1 - shareRefurbished),
  );
  const network = random.pickWeighted(retailer.networks.map(networkOf), ({ popularity }) => popularity);
  const plan = random.pickWeighted(network.plans, (candidate) => planWeight(candidate, network, variant));
  const contractMonths = random.pickWeighted([24, 36, 12], (months) => TERM_WEIGHTS[months] ?? 0);
  const upfrontPence = drawUpfront(random, variant.pence);
  const monthlyPence = priceOf(variant, retailer, network, plan, contractMonths, upfrontPence);
  if (monthlyPence > (contractMonths === 12 ? MOST_MONTHLY_PENCE_OF_A_YEAR : MOST_MONTHLY_PENCE)) return undefined;
  const totalPence = upfrontPence + monthlyPence * contractMonths;
  const extra = random.next();
  const offer = { variant, retailer, network, plan, contractMonths, upfrontPence, monthlyPence, totalPence };
  if (extra < shares.cashback) return { ...offer, cashback: drawCashback(random, totalPence) };
  if (extra < shares.cashback + shares.gift) {
    const gifts = GIFTS.filter(({ fromPounds }) => fromPounds * 100 <= variant.pence);
    if (gifts.length > 0) return { ...offer, gift: random.pickWeighted(gifts, ({ popularity }) => popularity) };
  }
  return offer;
}

const TERM_WEIGHTS: Readonly<Record<number, number>> = { 12: 11, 24: 70, 36: 19 };
const LARGEST_SMALL_PLAN_MEGABYTES = 25_000;

function planWeight(plan: Plan, network: Network, variant: Variant): number {
  const isSimplePhone = variant.storage === undefined;
  if (isSimplePhone) {
    return plan.dataMegabytes !== 'unlimited' && plan.dataMegabytes <= LARGEST_SMALL_PLAN_MEGABYTES ? 1 : 0;
  }
  if (plan.callMinutes !== 'unlimited') return 0.3;
  // Between a quarter and a third of all deals come without a limit on data.
  const unlimitedPlans = network.plans.filter(({ dataMegabytes }) => dataMegabytes === 'unlimited').length;
  if (plan.dataMegabytes !== 'unlimited') return 1;
  return ((network.plans.length - unlimitedPlans) * 0.4) / unlimitedPlans;
}

function drawUpfront(random: Random, pence: number): number {
  if (random.isLikely(0.49)) return 0;
  const allowed = UPFRONT_PENCE.filter((upfront) => upfront <= pence * 0.4);
  return random.pickWeighted(allowed, (upfront) => 1 / (4000 + upfront));
}

/** The monthly price: the plan, and the rest of the phone spread over the contract, in the retailer's manner of rounding. */
function priceOf(
  variant: Variant,
  retailer: Retailer,
  network: Network,
  plan: Plan,
  contractMonths: number,
  upfrontPence: number,
): number {
  const credit = 1 + contractMonths / 450;
  const mood = 1 + wobble(`${retailer.slug} ${variant.slug}`) * 0.04;
  const favour = 1 + wobble(`${retailer.slug} ${network.slug}`) * 0.06;
  const phone = variant.pence * (1 + retailer.margin) * mood * credit;
  const exact = plan.pence * favour + (phone - upfrontPence) / contractMonths;
  const pounds = Math.floor(exact / 100);
  const candidates = [pounds - 1, pounds, pounds + 1].flatMap((whole) =>
    retailer.endings.map((ending) => whole * 100 + ending),
  );
  return candidates.reduce((best, price) => (Math.abs(price - exact) < Math.abs(best - exact) ? price : best));
}

/** A number from -1 to 1 that depends on the text alone, so that a retailer's prices hang together. */
function wobble(text: string): number {
  let hash = 2_166_136_261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16_777_619);
  return ((hash >>> 0) / 4_294_967_295) * 2 - 1;
}

function drawCashback(random: Random, totalPence: number): Cashback {
  const isAutomatic = random.isLikely(1 / 3);
  const amounts = isAutomatic ? [20, 25, 30, 40, 50, 60] : [20, 30, 48, 60, 75, 100, 120, 150, 200, 250];
  // Nobody pays back more than a fifth of what they get.
  const pounds = random.pick(amounts.filter((amount) => amount <= 20 || amount * 100 <= totalPence / 5));
  return { type: isAutomatic ? 'Automatic Cashback' : 'Cashback by redemption', pence: pounds * 100 };
}
