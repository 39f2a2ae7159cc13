import type { PublishedCatalogue } from './read-catalogue.ts';

/** One question, as our server and Fastify are asked it. */
export interface Question {
  readonly ours: string;
  readonly theirs: string;
}

/** A question about one product. */
export interface ProductQuestion extends Question {
  readonly id: string;
}

/** The page that everyone sees first. */
export const PLAIN_PAGE: Question = {
  ours: '/deals/v1/products/?expand=products(cheapestDeal)',
  theirs: '/products?limit=20',
};

const UPFRONT_POUNDS = [0, 50, 100, 199];

/** Lists filtered by each network and some upfront costs, the cheapest deal of each product, the cheapest product first. */
export function askFiltered({ dictionaries }: PublishedCatalogue): readonly Question[] {
  return dictionaries.networks.flatMap(({ slug }) =>
    UPFRONT_POUNDS.map((pounds) => ({
      ours: `/deals/v1/products/?filter[networks]=eq{${slug}}&filter[upfrontCost]=lte{${pounds}}&expand=products(cheapestDeal)&sort=products(total-cost-asc)`,
      theirs: `/cheapest?network=${slug}&upfrontPence=${pounds * 100}&limit=20`,
    })),
  );
}

/** The deals pages of some products with 500 to 1,000 deals; of those with the most, where none has so many. */
export async function askDeals(catalogue: PublishedCatalogue, count: number): Promise<readonly ProductQuestion[]> {
  const counts = await countDeals(catalogue);
  const ids = [...counts.keys()].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  const fitting = ids.filter((id) => isBetween(counts.get(id) ?? 0, 500, 1000));
  return (fitting.length === 0 ? ids : fitting).slice(0, count).map((id) => ({
    id,
    ours: `/deals/v1/products/${id}/?expand=products(deals)`,
    theirs: `/products/${id}/deals`,
  }));
}

/** The deals of each product id: of the new and the refurbished product together. */
async function countDeals(catalogue: PublishedCatalogue): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for await (const { product, rank } of catalogue.deals()) {
    const id = catalogue.products[product]?.id ?? '';
    counts.set(id, (counts.get(id) ?? 0) + rank.length);
  }
  return counts;
}

function isBetween(value: number, lowest: number, highest: number): boolean {
  return lowest <= value && value <= highest;
}
