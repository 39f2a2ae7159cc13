import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import type { ProductRow } from '../../data/snapshot/row.ts';
import { isSelected } from './deal-conditions.ts';
import type { Filter } from './filter.ts';

/** The product filters of a query, compiled against a snapshot: each a set looked up once a product. */
export class ProductFilter {
  /** False when the query has no product filter, so that every product passes. */
  readonly isSelective: boolean;
  readonly #tests: readonly ((row: ProductRow) => boolean)[];

  constructor(filters: readonly Filter[], index: CatalogueIndex) {
    this.#tests = filters.flatMap((filter) => compileFilter(filter, index));
    this.isSelective = this.#tests.length > 0;
  }

  accepts(row: ProductRow): boolean {
    return this.#tests.every((test) => test(row));
  }
}

function compileFilter(
  filter: Filter,
  { products, manufacturerOfProduct }: CatalogueIndex,
): readonly ((row: ProductRow) => boolean)[] {
  switch (filter.name) {
    case 'condition': {
      const { operator, conditions } = filter;
      return [(row) => isSelected(operator, includes(conditions, products[row]?.condition))];
    }
    case 'manufacturers': {
      const rows = new Set(filter.rows);
      return [(row) => isSelected(filter.operator, has(rows, manufacturerOfProduct[row]))];
    }
    case 'id': {
      const ids = new Set(filter.texts);
      return [(row) => isSelected(filter.operator, has(ids, products[row]?.id))];
    }
    case 'slug': {
      const slugs = new Set(filter.texts);
      return [(row) => isSelected(filter.operator, has(slugs, products[row]?.slug))];
    }
    case 'upfrontCost':
    case 'monthlyCost':
    case 'totalCost':
    case 'contractLength':
    case 'dataAllowance':
    case 'networks':
    case 'retailers':
    case 'offers':
      return [];
  }
}

function has<Value>(values: ReadonlySet<Value>, value: Value | undefined): boolean {
  return value !== undefined && values.has(value);
}

function includes<Value>(values: readonly Value[], value: Value | undefined): boolean {
  return value !== undefined && values.includes(value);
}
