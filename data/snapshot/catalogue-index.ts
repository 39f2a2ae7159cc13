import type { DealRow, ManufacturerRow, NetworkRow, ProductRow, RetailerRow } from './column.ts';
import { createPlanColumns, type DealColumns, type PlanColumns } from './deal-columns.ts';
import { buildBitmapIndex, buildZoneMap, type BitmapIndex, type ZoneMap } from './filter-index.ts';
import type {
  Dictionaries,
  GiftCategoryLine,
  GiftLine,
  Manufacturer,
  Network,
  PictureLine,
  Plan,
  ProductLine,
  Retailer,
} from './format.ts';
import type { IncrementalTask } from './incremental-task.ts';
import { createNameKeys } from './name-words.ts';
import { DealSortIndex, ProductSortIndex } from './sort-index.ts';

/** Finds a record by slug, or else by id (D13: a slug is looked up before an id). */
export interface SlugLookup<Found> {
  readonly slugs: readonly string[];
  find(word: string): Found | undefined;
}

/**
 * A snapshot in memory: records by row, deals as columns, lookups by slug, and indexes. Immutable, except for sort
 * indexes that are made on first use. Everything in it was checked when it was opened.
 */
export interface CatalogueIndex {
  readonly currency: Dictionaries['currency'];
  /** By row: in order of numeric id, new before refurbished. */
  readonly products: readonly ProductLine[];
  /** The name of each product in lower case: what `name` sorts by (D14). */
  readonly productNameKeys: readonly string[];
  /** The words of each product's name, to search in (D23). */
  readonly productNameWords: readonly string[];
  readonly manufacturerOfProduct: readonly (ManufacturerRow | undefined)[];
  /** The first product of the same model; itself for one without a model. */
  readonly firstOfModel: Uint32Array;
  readonly gifts: readonly GiftLine[];
  readonly giftCategories: readonly GiftCategoryLine[];
  readonly networks: readonly Network[];
  readonly retailers: readonly Retailer[];
  readonly manufacturers: readonly Manufacturer[];
  readonly plans: readonly Plan[];
  readonly dealGifts: Dictionaries['gifts'];
  readonly cashbacks: Dictionaries['cashbacks'];
  readonly linkTemplates: Dictionaries['linkTemplates'];
  readonly feedPictures: Dictionaries['pictures'];
  readonly deals: DealColumns;
  readonly planColumns: PlanColumns;
  readonly zoneMap: ZoneMap;
  /** Absent when there are too many networks. */
  readonly networkBitmaps: BitmapIndex | undefined;
  readonly dealSortIndex: DealSortIndex;
  readonly productSortIndex: ProductSortIndex;
  /** The rendered pictures by their path. */
  readonly pictures: ReadonlyMap<string, PictureLine>;
  readonly networkLookup: SlugLookup<NetworkRow>;
  readonly retailerLookup: SlugLookup<RetailerRow>;
  readonly manufacturerLookup: SlugLookup<ManufacturerRow>;
  /** The rows of an id: none, one, or its new and refurbished variants. */
  rowsOfId(id: string): readonly ProductRow[];
  /** First deal of a product; its deals end where those of the next begin. */
  firstDeal(product: ProductRow): DealRow;
  endOfDeals(product: ProductRow): DealRow;
}

/** Indexes that are made from the other parts. */
type DerivedIndexes = Pick<
  CatalogueIndex,
  | 'firstOfModel'
  | 'productNameWords'
  | 'planColumns'
  | 'zoneMap'
  | 'networkBitmaps'
  | 'dealSortIndex'
  | 'productSortIndex'
>;

type CatalogueColumns = Omit<CatalogueIndex, keyof DerivedIndexes>;

export function* buildIndexes(columns: CatalogueColumns): IncrementalTask<CatalogueIndex> {
  const { deals, plans, networks, products } = columns;
  const ranges = {
    productCount: products.length,
    firstDeal: columns.firstDeal,
    endOfDeals: columns.endOfDeals,
  };
  const planColumns = createPlanColumns(plans, networks.length);
  return {
    ...columns,
    firstOfModel: findFirstOfModels(products),
    productNameWords: yield* createNameKeys(products),
    planColumns,
    zoneMap: yield* buildZoneMap(deals, planColumns, ranges),
    networkBitmaps: yield* buildBitmapIndex(deals, planColumns, networks.length),
    dealSortIndex: new DealSortIndex(deals, planColumns, ranges),
    productSortIndex: new ProductSortIndex(columns, ranges),
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
