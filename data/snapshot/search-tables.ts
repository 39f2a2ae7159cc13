import type { CatalogueIndex } from './catalogue-index.ts';
import { summariseDeals } from './deal-blocks.ts';
import { DealOrders } from './deal-orders.ts';
import type { ProductLine } from './format.ts';
import { markNetworks } from './network-marks.ts';
import { createPlanColumns } from './plan-columns.ts';
import { ProductOrders } from './product-orders.ts';
import type { Steps } from './steps.ts';

/** The part of an index that repeats the rest of it in forms that are quick to search. */
type SearchTables = Pick<
  CatalogueIndex,
  'firstOfModel' | 'planColumns' | 'dealBlocks' | 'networkMarks' | 'dealOrders' | 'productOrders'
>;

type Searched = Omit<CatalogueIndex, keyof SearchTables>;

/** Makes an index whole, from the columns as they were read. */
export function* addSearchTables(searched: Searched): Steps<CatalogueIndex> {
  const { deals, plans, networks, products } = searched;
  const runs = {
    productCount: products.length,
    firstDeal: searched.firstDeal,
    endOfDeals: searched.endOfDeals,
  };
  const planColumns = createPlanColumns(plans, networks.length);
  return {
    ...searched,
    firstOfModel: findFirstOfModels(products),
    planColumns,
    dealBlocks: yield* summariseDeals(deals, planColumns, runs),
    networkMarks: yield* markNetworks(deals, planColumns, networks.length),
    dealOrders: new DealOrders(deals, planColumns, runs),
    productOrders: new ProductOrders(searched, runs),
  };
}

function findFirstOfModels(products: readonly ProductLine[]): Uint32Array {
  const firstOf = new Map<string, number>();
  return Uint32Array.from(products, ({ model }, row) => {
    if (model === undefined) return row;
    const first = firstOf.get(model) ?? row;
    firstOf.set(model, first);
    return first;
  });
}
