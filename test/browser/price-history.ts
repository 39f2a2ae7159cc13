import type { Page } from 'playwright-core';

const price = (date: string, total: number): object => ({
  date,
  totalContractCost: total,
  monthlyContractPrice: (total - 24) / 24,
  upfrontProductCost: 24,
  dealCount: 41,
});

/** The sample has one build, and so no price but that of its day. */
const PRICE_HISTORY = {
  since: '2026-08-01',
  points: [
    price('2026-08-01', 743.76),
    price('2026-08-20', 660),
    { date: '2026-09-02', dealCount: 0 },
    price('2026-09-09', 696),
    price('2026-11-27', 1_104),
  ],
  lowest: { date: '2026-08-20', totalContractCost: 660 },
};

/** Lets a phone have prices of several days. */
export async function addPriceHistory(page: Page): Promise<void> {
  await page.route('**/deals/v1/products/110/**', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { readonly products: readonly object[] };
    const products = body.products.map((product) => ({ ...product, priceHistory: PRICE_HISTORY }));
    await route.fulfill({ response, json: { ...body, products } });
  });
}
