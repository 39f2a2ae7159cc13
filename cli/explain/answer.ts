import type { FoundRecord, SnapshotRecords } from '../../build/explain/find-records.ts';
import { readDealLocations, type DealLocation } from '../../build/explain/record-lines.ts';
import { formatPence } from '../../data/record/amount.ts';
import type { DealRow } from '../../data/snapshot/column.ts';
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
import { variantAt } from './record.ts';

export interface NamedDeal {
  readonly key: string;
  readonly retailer: string;
  readonly source: string;
  readonly file: string;
  readonly line: number;
  readonly upfrontCost: string;
  readonly monthlyCost: string;
  readonly totalCost: string;
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
  const origins = readDealLocations(records.lines, records.index, listRows(clauses, cheapest));
  const name = (row: DealRow): NamedDeal => nameDeal(records, row, origins.get(row));
  return {
    product: variantAt(records, product),
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
      return { ...clause, representative: variantAt(records, clause.representative) };
  }
}

function nameCheapest({ deal, runnerUp }: CheapestComparison, name: (row: DealRow) => NamedDeal): ExplainedCheapest {
  if (runnerUp === undefined) return { deal: name(deal) };
  return { deal: name(deal), runnerUp: { deal: name(runnerUp.deal), rule: runnerUp.rule } };
}

function nameDeal({ index }: SnapshotRecords, row: DealRow, found: DealLocation | undefined): NamedDeal {
  if (found === undefined) throw new Error(`deal row ${row} has no line in provenance.ndjson`);
  const { deals } = index;
  return {
    key: found.key,
    retailer: found.retailer,
    ...found.origin,
    upfrontCost: formatPence(deals.upfrontPence.at(row)),
    monthlyCost: formatPence(deals.monthlyPence.at(row)),
    totalCost: formatPence(deals.totalPence.at(row)),
  };
}
