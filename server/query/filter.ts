import type { Condition } from '../../data/record/condition.ts';
import type { FilterName, FilterOperator, Offer } from '../../data/query/filter.ts';
import type { ManufacturerRow, NetworkRow, RetailerRow } from '../../data/snapshot/row.ts';

export type SetOperator = Extract<FilterOperator, 'eq' | 'ne'>;
type QuantityFilterName = Extract<
  FilterName,
  'upfrontCost' | 'monthlyCost' | 'totalCost' | 'contractLength' | 'dataAllowance'
>;

/** A filter as understood: names resolved to rows of the snapshot, amounts to pence, months or megabytes. */
export type Filter =
  | {
      readonly name: QuantityFilterName;
      readonly operator: FilterOperator;
      /** Ascending; unlimited is Infinity. A range operator has exactly one. */
      readonly quantities: readonly number[];
    }
  | { readonly name: 'networks'; readonly operator: SetOperator; readonly rows: readonly NetworkRow[] }
  | { readonly name: 'retailers'; readonly operator: SetOperator; readonly rows: readonly RetailerRow[] }
  | { readonly name: 'manufacturers'; readonly operator: SetOperator; readonly rows: readonly ManufacturerRow[] }
  | { readonly name: 'condition'; readonly operator: SetOperator; readonly conditions: readonly Condition[] }
  | { readonly name: 'offers'; readonly operator: SetOperator; readonly offers: readonly Offer[] }
  | { readonly name: 'id' | 'slug'; readonly operator: SetOperator; readonly texts: readonly string[] };
