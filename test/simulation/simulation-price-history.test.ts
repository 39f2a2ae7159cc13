import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rollBack } from '../../build/publish/switch-current.ts';
import { verifySnapshot } from '../../build/publish/verify.ts';
import { openOffline } from '../support/offline.ts';
import { createRandom, type Random } from '../support/random.ts';
import { createSite, deal, HEADER, type Site } from '../unit/build/run/write-sources.ts';

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.parse('2025-01-30T00:00:00Z');
const TARGET = '/deals/v1/products/?expand=products(cheapestDeal,priceHistory)&fields=products(condition,deal-count)';

interface ServedProduct {
  readonly id: string;
  readonly condition: string;
  readonly dealCount: number;
  readonly cheapestDeal?: Prices;
  readonly priceHistory: { readonly points: readonly object[] };
}

type Prices = Readonly<Record<'totalContractCost' | 'monthlyContractPrice' | 'upfrontProductCost', number>>;

async function readProducts(store: string): Promise<readonly ServedProduct[]> {
  const { body } = (await openOffline({ store, publicUrl: 'https://deals.test' })).answer(TARGET);
  return (JSON.parse(body) as { readonly products: readonly ServedProduct[] }).products;
}

/** What each product cost on each day that had a build: `101 New`, then the date. A later build of a day replaces it. */
type Diary = Map<string, Map<string, object>>;

function note(diary: Diary, date: string, products: readonly ServedProduct[]): Diary {
  const noted: Diary = new Map();
  for (const { id, condition, dealCount, cheapestDeal } of products) {
    const name = `${id} ${condition}`;
    const state =
      cheapestDeal === undefined
        ? { dealCount }
        : {
            totalContractCost: cheapestDeal.totalContractCost,
            monthlyContractPrice: cheapestDeal.monthlyContractPrice,
            upfrontProductCost: cheapestDeal.upfrontProductCost,
            dealCount,
          };
    noted.set(name, new Map([...(diary.get(name) ?? []), [date, state]]));
  }
  return noted;
}

/** The history by the whole diary, read from its beginning. */
function historyOf(days: ReadonlyMap<string, object>, today: string): object {
  const points: { date: string; totalContractCost?: number }[] = [];
  let before = '';
  for (const [date, state] of days) {
    if (JSON.stringify(state) !== before) points.push({ date, ...state });
    before = JSON.stringify(state);
  }
  const firstDay = dateOf(Date.parse(today) - 399 * DAY_MS);
  // The price of the first day of the window began on that day or before.
  const kept = points.filter(({ date }, at) => date >= firstDay || (points[at + 1]?.date ?? '9999-12-31') > firstDay);
  const sold = kept.filter((point) => point.totalContractCost !== undefined);
  const least = Math.min(...sold.map(({ totalContractCost = NaN }) => totalContractCost));
  const lowest = sold.find(({ totalContractCost }) => totalContractCost === least);
  return {
    since: kept[0]?.date,
    points: kept,
    ...(lowest === undefined ? {} : { lowest: { date: lowest.date, totalContractCost: least } }),
  };
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Prices stay, move a little, or are gone for some days; deals come and go. */
class Market {
  readonly #random: Random;
  readonly #prices: number[];
  readonly #absentFor: number[];

  constructor(random: Random, count: number) {
    this.#random = random;
    this.#prices = Array.from({ length: count }, () => 1500 + random.below(3000));
    this.#absentFor = this.#prices.map(() => 0);
  }

  /** The lines of a feed: deal n is of product `variants[n % variants.length]`. */
  listRows(name: string, variants: readonly string[]): string {
    const random = this.#random;
    const rows = this.#prices.flatMap((price, n) => {
      if (random.isLikely(0.03)) this.#prices[n] = Math.max(500, price + random.below(401) - 200);
      const absentFor = Math.max(0, (this.#absentFor[n] as number) - 1);
      this.#absentFor[n] = absentFor === 0 && random.isLikely(0.02) ? 1 + random.below(20) : absentFor;
      if (this.#absentFor[n] !== 0) return [];
      const [id = '', condition = ''] = (variants[n % variants.length] ?? '').split(' ');
      return [deal(`${name}-${n}`, id, condition, 'phone-barn', ((this.#prices[n] as number) / 100).toFixed(2))];
    });
    return [HEADER, ...rows, ''].join('\n');
  }
}

async function createMarketSite(): Promise<Site> {
  return createSite(({ config, cms }) => {
    // The feeds are small, and this is not about gates.
    config['gates'] = { minRows: 100_000 };
    cms.products.push({ id: '103', condition: 'new', name: 'Nova Three', slug: 'nova-three' });
  });
}

describe('price histories (D24)', () => {
  it(
    'are those of a diary of 430 builds, with days without a build and days with several',
    { timeout: 240_000 },
    async () => {
      const random = createRandom(2026);
      const site = await createMarketSite();
      const market = { house: new Market(random, 4), night: new Market(random, 3) };
      const diaries = new Map<string, Diary>();
      let current = '';
      let time = FIRST_DAY;
      const seen = { unchanged: 0, withoutDeal: 0, again: 0, skipped: 0, rolledBack: 0 };
      for (let build = 0; build < 430; build++) {
        const isAgain = random.isLikely(0.1);
        const days = isAgain ? 0 : random.pick([1, 1, 1, 1, 1, 1, 2, 5]);
        time = isAgain ? time + 60_000 : (Math.floor(time / DAY_MS) + days) * DAY_MS + random.below(DAY_MS - 3_600_000);
        if (isAgain) seen.again++;
        if (days > 1) seen.skipped++;
        writeFileSync(join(site.folder, 'feeds/house/deals.csv'), market.house.listRows('H', ['101 new', '102 new']));
        writeFileSync(
          join(site.folder, 'feeds/night/deals.csv'),
          market.night.listRows('N', ['101 refurbished', '103 new', '102 new']),
        );
        const { outcome, snapshot = '' } = await site.build({ now: new Date(time) });
        expect(outcome).not.toBe('refused');
        if (outcome === 'unchanged') seen.unchanged++;
        const products = await readProducts(site.store);
        const date = dateOf(time);
        const diary = note(diaries.get(current) ?? new Map(), date, products);
        for (const { id, condition, dealCount, priceHistory } of products) {
          if (dealCount === 0) seen.withoutDeal++;
          expect([date, id, priceHistory]).toEqual([
            date,
            id,
            historyOf(diary.get(`${id} ${condition}`) ?? new Map(), date),
          ]);
        }
        diaries.set(snapshot, diary);
        current = snapshot;
        if (random.isLikely(0.01)) {
          const { outcome, id = current } = rollBack(site.store);
          if (outcome !== 'switched') continue;
          current = id;
          seen.rolledBack++;
        }
      }
      expect(verifySnapshot(site.store, current)).toEqual([]);
      // The days have seen what they claim to.
      expect(time - FIRST_DAY).toBeGreaterThan(480 * DAY_MS);
      for (const count of Object.values(seen)) expect(count).toBeGreaterThan(1);
    },
  );
});
