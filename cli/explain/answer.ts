import { rowAt, type DealRow } from '../../data/snapshot/column.ts';
import { pricesOf, retailerOf, variantAt, type ShownPrices } from '../../data/store/snapshot-search.ts';
import type { FilterResult } from '../../server/explain/evaluate-filters.ts';
import { explainDeal, type DealExplanation, type DealListing } from '../../server/explain/explain-deal.ts';
import {
  excludes,
  explainProduct,
  type CheapestComparison,
  type CheapestRule,
  type ProductClause,
  type ProductExplanation,
} from '../../server/explain/explain-product.ts';
import type { ProductsQuery } from '../../server/query/query.ts';
import { readValues, type FoundRecord, type SnapshotRecords } from './find-records.ts';

/** A deal with its location in its source. */
export interface NamedDeal extends ShownPrices {
  readonly key: string;
  readonly retailer: string;
  readonly source: string;
  readonly file: string;
  readonly line: number;
}

type DealsClause = Extract<ProductClause, { kind: 'deals' }>;
type GroupedClause = Extract<ProductClause, { kind: 'grouped' }>;

/** A clause with names instead of rows. `keepsOut` marks the clause that excludes the product. */
export type ExplainedClause = { readonly keepsOut: boolean } & (
  | Exclude<ProductClause, DealsClause | GroupedClause>
  | (Omit<DealsClause, 'nearest'> & {
      readonly nearest?: { readonly deal: NamedDeal; readonly failed: readonly FilterResult[] };
    })
  | (Omit<GroupedClause, 'representative'> & { readonly representative: string })
);

export interface ExplainedCheapest {
  readonly deal: NamedDeal;
  /** The second cheapest deal, and the tie rule between the two (D11). */
  readonly runnerUp?: { readonly deal: NamedDeal; readonly rule: CheapestRule };
}

/** Why a record is, or is not, in the answer to a target. */
export interface ExplainedAnswer {
  readonly isAnswered: boolean;
  readonly product: string;
  readonly isProductAnswered: boolean;
  readonly clauses: readonly ExplainedClause[];
  /** Among the deals that satisfy the deal filters. */
  readonly cheapestDeal?: ExplainedCheapest;
  /** Whether the answer shows it. */
  readonly isCheapestDealShown: boolean;
  /** For a deal. */
  readonly deal?: {
    readonly filters: readonly FilterResult[];
    readonly isCheapest: boolean;
    readonly listing: DealListing;
  };
}

/** Undefined for a record that is no product or deal, or that is not served. */
export function explainAnswer(
  found: FoundRecord,
  query: ProductsQuery,
  offset: number,
  records: SnapshotRecords,
): ExplainedAnswer | undefined {
  const { index } = records;
  switch (found.kind) {
    case 'editorial':
    case 'noted':
    case 'left-out':
      return undefined;
    case 'product': {
      const product = explainProduct(found.row, query, index, offset);
      return { isAnswered: product.isAnswered, ...describe(product, query, records) };
    }
    case 'deal': {
      if (found.row === undefined) return undefined;
      const explained = explainDeal(found.row, query, index, offset);
      const { filters, isCheapest, listing, product } = explained;
      const described = describe(product, query, records);
      return { isAnswered: isDealAnswered(explained, query), ...described, deal: { filters, isCheapest, listing } };
    }
  }
}

/** A deal can be in `deals`, and be the cheapest deal of its product. */
function isDealAnswered({ listing, isCheapest, product }: DealExplanation, query: ProductsQuery): boolean {
  return listing.kind === 'listed' || (query.hasCheapestDeal && isCheapest && product.isAnswered);
}

function describe(
  explanation: ProductExplanation,
  query: ProductsQuery,
  records: SnapshotRecords,
): Omit<ExplainedAnswer, 'isAnswered' | 'deal'> {
  const { product, isAnswered, clauses, cheapest } = explanation;
  const named = nameDeals(records, listRows(clauses, cheapest));
  const name = (row: DealRow): NamedDeal => {
    const deal = named.get(row);
    if (deal === undefined) throw new Error(`deal row ${row} has no line in provenance.ndjson`);
    return deal;
  };
  return {
    product: variantAt(records.index, product),
    isProductAnswered: isAnswered,
    clauses: clauses.map((clause) => ({ keepsOut: excludes(clause, query), ...nameRows(clause, name, records) })),
    ...(cheapest === undefined ? {} : { cheapestDeal: nameCheapest(cheapest, name) }),
    isCheapestDealShown: isAnswered && query.hasCheapestDeal && cheapest !== undefined,
  };
}

function listRows(clauses: readonly ProductClause[], cheapest: CheapestComparison | undefined): ReadonlySet<DealRow> {
  const rows = new Set<DealRow>();
  for (const clause of clauses)
    if (clause.kind === 'deals' && clause.nearest !== undefined) rows.add(clause.nearest.deal);
  if (cheapest !== undefined) rows.add(cheapest.deal);
  if (cheapest?.runnerUp !== undefined) rows.add(cheapest.runnerUp.deal);
  return rows;
}

type WithoutKeepsOut<Clause> = Clause extends unknown ? Omit<Clause, 'keepsOut'> : never;

function nameRows(
  clause: ProductClause,
  name: (row: DealRow) => NamedDeal,
  records: SnapshotRecords,
): WithoutKeepsOut<ExplainedClause> {
  switch (clause.kind) {
    case 'path':
    case 'filter':
    case 'page':
      return clause;
    case 'deals': {
      const { nearest, ...rest } = clause;
      return nearest === undefined ? rest : { ...rest, nearest: { ...nearest, deal: name(nearest.deal) } };
    }
    case 'grouped':
      return { ...clause, representative: variantAt(records.index, clause.representative) };
  }
}

function nameCheapest({ deal, runnerUp }: CheapestComparison, name: (row: DealRow) => NamedDeal): ExplainedCheapest {
  if (runnerUp === undefined) return { deal: name(deal) };
  return { deal: name(deal), runnerUp: { deal: name(runnerUp.deal), rule: runnerUp.rule } };
}

function nameDeals(records: SnapshotRecords, rows: ReadonlySet<DealRow>): ReadonlyMap<DealRow, NamedDeal> {
  const { index } = records;
  const named = new Map<DealRow, NamedDeal>();
  if (rows.size === 0) return named;
  let position = 0;
  for (const { source, file, line, key } of readValues(records, 'provenance.ndjson')) {
    for (let i = 0; i < key.length; i++) {
      const row = rowAt<'deal'>(position++);
      if (!rows.has(row)) continue;
      named.set(row, {
        // The arrays of a line were checked to have equal lengths before it was published.
        key: key[i] as string,
        retailer: retailerOf(index, row),
        source: source[i] as string,
        file: file[i] as string,
        line: line[i] as number,
        ...pricesOf(index, row),
      });
    }
  }
  return named;
}
