import type { NetworkRecord, RetailerRecord, ProductRecord } from '../../data/record/product.ts';
import { createRandom, type Random } from '../support/random.ts';
import { product } from '../unit/build/deals/sample-records.ts';

/** A deal of the market, as its feed lists it from night to night. */
export interface MarketDeal {
  readonly key: string;
  readonly retailer: number;
  readonly network: number;
  readonly product: number;
  readonly contractMonths: number;
  readonly dataMegabytes: number | 'unlimited';
  readonly upfrontPence: number;
  readonly monthlyPence: number;
  /** What the price goes back to when the sale is over. */
  readonly usualMonthlyPence: number;
  readonly gift?: string | undefined;
  readonly cashbackPence?: number | undefined;
  /** What its link has behind the host. */
  readonly page: string;
  /** The feed names an unknown network. */
  readonly isFaulty: boolean;
}

export interface MarketSource {
  readonly name: string;
  /** About how many deals it has. */
  readonly size: number;
  retailers: readonly number[];
  readonly unlimitedShare: number;
  readonly zeroUpfrontShare: number;
  readonly faultyShare: number;
  /** The share of deals that the feed lists twice, once for each colour. */
  readonly colourShare: number;
  deals: MarketDeal[];
  /** Until which night the feed cannot be read. */
  outageUntil: number;
  nextKey: number;
}

export interface Market {
  readonly sources: readonly MarketSource[];
  readonly products: readonly ProductRecord[];
  readonly networks: readonly NetworkRecord[];
  readonly retailers: readonly RetailerRecord[];
  readonly night: number;
  /** Everything that may happen in one night. Returns what is unusual of it. */
  pass(): readonly string[];
}

/** Monday. */
const SALE_ENDS = 0;
/** Friday. */
const SALE_BEGINS = 4;

const CHURN = 0.05;
const ARRIVAL_NIGHT = 120;
const DEPARTURE_NIGHT = 200;
const ARRIVING_RETAILER = 9;
const LEAVING_RETAILER = 4;

/**
 * A market of one seed: seven feeds of 12 to 600 deals, of which 5% go and come every night; sales at the weekend, rounds
 * of new prices, new tariffs under old keys, launches, clearances, a retailer that arrives at once and one that leaves by and by, and
 * feeds that cannot be read for a night or several.
 */
export function createMarket(seed: number): Market {
  const random = createRandom(seed);
  // On their own, so that the years of before stay what they were beside them.
  const offerRandom = createRandom(seed + 101);
  const products: ProductRecord[] = [];
  for (let i = 0; i < 60; i++) products.push(createProduct(products.length));
  const sources = [
    createSource(random, 'house', 400, [0, 1, 2]),
    createSource(random, 'awin', 600, [3, 4, 5, 6]),
    createSource(random, 'webgains', 200, [7]),
    createSource(random, 'direct', 120, [8]),
    createSource(random, 'partner', 60, [0]),
    createSource(random, 'small', 30, [5]),
    createSource(random, 'tiny', 12, [2]),
  ];
  for (const source of sources) {
    for (let i = 0; i < source.size; i++) source.deals.push(createDeal(random, source, products.length));
  }
  let night = 0;

  function pass(): readonly string[] {
    night++;
    const weekday = night % 7;
    const events: string[] = [];
    const may = (what: string, chance: number, happen: () => void): void => {
      if (!random.isLikely(chance)) return;
      events.push(what);
      happen();
    };
    if (night === ARRIVAL_NIGHT) arrive(random, sources[1] as MarketSource, products.length);
    const launched = random.isLikely(1 / 14) ? launch(random, products) : undefined;
    for (const source of sources) {
      churn(random, source, products.length, night);
      if (launched !== undefined) offerLaunched(random, source, launched);
      if (weekday === SALE_ENDS && endSale(source)) events.push('sale ends');
      if (weekday === SALE_BEGINS) may('sale', 0.1, () => beginSale(random, source));
      may('prices', 1 / 90, () => changePrices(random, source));
      may('tariffs', 1 / 90, () => changeTariffs(random, source));
      may('clearance', 1 / 200, () => clearOut(random, source));
      changeOffers(offerRandom, source);
      changePages(offerRandom, source, night);
      if (night > source.outageUntil && random.isLikely(1 / 60)) source.outageUntil = night + random.below(4);
    }
    return events;
  }

  return {
    sources,
    products,
    networks: Array.from({ length: 6 }, (_, i) => ({
      id: String(20 + i),
      name: `Net ${i}`,
      slug: `net-${i}`,
      aliases: [],
    })),
    retailers: Array.from({ length: 10 }, (_, i) => ({
      id: String(300 + i),
      name: `Shop ${i}`,
      slug: `shop-${i}`,
      aliases: [],
    })),
    get night() {
      return night;
    },
    pass,
  };
}

function createProduct(number: number): ProductRecord {
  return product({ id: String(100 + number), name: `Phone ${number}`, slug: `phone-${number}` });
}

function createSource(random: Random, name: string, size: number, retailers: readonly number[]): MarketSource {
  return {
    name,
    size,
    retailers,
    unlimitedShare: between(random, 0.1, 0.6),
    zeroUpfrontShare: between(random, 0.2, 0.6),
    faultyShare: between(random, 0, 0.06),
    colourShare: between(random, 0, 0.12),
    deals: [],
    outageUntil: -1,
    nextKey: 1,
  };
}

function createDeal(
  random: Random,
  source: MarketSource,
  productCount: number,
  product = random.below(productCount),
): MarketDeal {
  // Dearer phones cost more everywhere, so the prices of a source spread over a factor of four.
  const monthlyPence = 1_200 + (product % 20) * 150 + random.below(1_200);
  const key = `${source.name.slice(0, 1).toUpperCase()}-${source.nextKey++}`;
  return {
    key,
    page: `/deal?id=${key}`,
    retailer: random.pick(source.retailers),
    network: random.below(6),
    product,
    contractMonths: random.pick([12, 24, 24, 24, 36]),
    dataMegabytes: random.isLikely(source.unlimitedShare)
      ? 'unlimited'
      : random.pick([1, 4, 10, 25, 50, 100, 250]) * 1_000,
    upfrontPence: random.isLikely(source.zeroUpfrontShare) ? 0 : 1_000 + random.below(20) * 1_000 + 99,
    monthlyPence,
    usualMonthlyPence: monthlyPence,
    isFaulty: random.isLikely(source.faultyShare),
  };
}

function churn(random: Random, source: MarketSource, productCount: number, night: number): void {
  const isLeaving = (deal: MarketDeal): boolean => night > DEPARTURE_NIGHT && deal.retailer === LEAVING_RETAILER;
  source.deals = source.deals.filter((deal) => !random.isLikely(isLeaving(deal) ? 0.08 : CHURN));
  if (night === DEPARTURE_NIGHT) source.retailers = source.retailers.filter((row) => row !== LEAVING_RETAILER);
  // As many chances as there are deals, so that the number that comes spreads like the number that goes.
  for (let i = 0; i < source.size; i++) {
    if (random.isLikely(CHURN)) source.deals.push(createDeal(random, source, productCount));
  }
}

function arrive(random: Random, source: MarketSource, productCount: number): void {
  const count = Math.round(source.size * between(random, 0.15, 0.35));
  const arriving = { ...source, retailers: [ARRIVING_RETAILER] };
  for (let i = 0; i < count; i++) source.deals.push(createDeal(random, arriving, productCount));
  source.nextKey = arriving.nextKey;
  source.retailers = [...source.retailers, ARRIVING_RETAILER];
}

/** A maker brings out one to three phones. */
function launch(random: Random, products: ProductRecord[]): readonly number[] {
  const first = products.length;
  for (let i = 0; i <= random.below(3); i++) products.push(createProduct(products.length));
  return products.slice(first).map((_, i) => first + i);
}

function offerLaunched(random: Random, source: MarketSource, launched: readonly number[]): void {
  const count = Math.round(source.size * between(random, 0, 0.1));
  for (let i = 0; i < count; i++) source.deals.push(createDeal(random, source, 1, random.pick(launched)));
}

function beginSale(random: Random, source: MarketSource): void {
  const share = between(random, 0.1, 0.4);
  const factor = between(random, 0.75, 0.95);
  changeSome(random, source, share, (deal) => ({ ...deal, monthlyPence: Math.round(deal.monthlyPence * factor) }));
}

/** Returns whether there was one. */
function endSale(source: MarketSource): boolean {
  const isOn = source.deals.some(({ monthlyPence, usualMonthlyPence }) => monthlyPence !== usualMonthlyPence);
  source.deals = source.deals.map((deal) => ({ ...deal, monthlyPence: deal.usualMonthlyPence }));
  return isOn;
}

function changePrices(random: Random, source: MarketSource): void {
  changeSome(random, source, between(random, 0.1, 0.45), (deal) => {
    const monthlyPence = Math.round(deal.monthlyPence * between(random, 0.85, 1.2));
    return { ...deal, monthlyPence, usualMonthlyPence: monthlyPence };
  });
}

/** A few deals of one phone at a third of the price or less: a real jump, and often the cheapest of the phone by far. */
function clearOut(random: Random, source: MarketSource): void {
  const [product] = source.deals.length === 0 ? [] : [random.pick(source.deals).product];
  const factor = between(random, 0.2, 0.38);
  source.deals = source.deals.map((deal) => {
    if (deal.product !== product || random.isLikely(0.5)) return deal;
    const monthlyPence = Math.round(deal.monthlyPence * factor);
    return { ...deal, monthlyPence, usualMonthlyPence: monthlyPence, upfrontPence: 0 };
  });
}

/** A network gives more data for the same money, under the same keys. */
function changeTariffs(random: Random, source: MarketSource): void {
  const network = random.below(6);
  source.deals = source.deals.map((deal) =>
    deal.network === network && random.isLikely(0.5) ? { ...deal, dataMegabytes: 300_000 } : deal,
  );
}

/** Gifts and cashbacks begin on the deals of some phones and end, are given and taken one by one; upfront costs change. */
function changeOffers(random: Random, source: MarketSource): void {
  const offer: Partial<MarketDeal> = random.isLikely(0.5)
    ? { gift: random.pick(['Earbuds', 'Watch', 'Speaker', 'Voucher']) }
    : { cashbackPence: random.pick([2_000, 3_000, 5_000, 10_000]) };
  if (random.isLikely(1 / 8)) {
    const first = random.below(60);
    const count = 1 + random.below(12);
    changeSome(random, source, 0.9, (deal) =>
      deal.product >= first && deal.product < first + count ? { ...deal, ...offer } : deal,
    );
  }
  if (random.isLikely(1 / 8)) {
    changeSome(random, source, 1, (deal) => ({
      ...deal,
      gift: deal.gift === offer.gift ? undefined : deal.gift,
      cashbackPence: deal.cashbackPence === offer.cashbackPence ? undefined : deal.cashbackPence,
    }));
  }
  changeSome(random, source, 0.01, (deal) => ({ ...deal, gift: undefined, cashbackPence: undefined, ...offer }));
  if (random.isLikely(1 / 40)) {
    changeSome(random, source, between(random, 0.05, 0.3), (deal) => ({
      ...deal,
      upfrontPence: deal.upfrontPence > 2_000 ? deal.upfrontPence - 1_000 : deal.upfrontPence,
    }));
  }
}

/** A shop marks its links for a campaign, sends some to the page of the phone, and some to a page for all. */
function changePages(random: Random, source: MarketSource, night: number): void {
  if (random.isLikely(1 / 40)) {
    changeSome(random, source, 1, (deal) => ({ ...deal, page: `/deal?id=${deal.key}&utm_campaign=${night}` }));
  }
  if (random.isLikely(1 / 20)) {
    const share = between(random, 0, 0.1);
    changeSome(random, source, share, (deal) => ({ ...deal, page: `/phone-${deal.product}` }));
    changeSome(random, source, share / 2, (deal) => ({ ...deal, page: '/sale' }));
    changeSome(random, source, share, (deal) => ({ ...deal, page: `/deal?id=${deal.key}` }));
  }
}

function changeSome(
  random: Random,
  source: MarketSource,
  share: number,
  change: (deal: MarketDeal) => MarketDeal,
): void {
  source.deals = source.deals.map((deal) => (random.isLikely(share) ? change(deal) : deal));
}

function between(random: Random, low: number, high: number): number {
  return low + random.next() * (high - low);
}
