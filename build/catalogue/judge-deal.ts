import type { DealRecord } from '../../data/record/deal.ts';
import type { BuildConfig } from '../config.ts';
import type { DealGift, MatchWay } from './catalogue.ts';
import { checkAllowances } from './check-allowances.ts';
import { checkMoney } from './check-money.ts';
import type { Exclusions } from './exclusion.ts';
import type { Finding } from './finding.ts';
import { createMatchGift } from './gift-index.ts';
import type { JoinedRecords } from './join-records.ts';
import { createSupplierIndex } from './supplier-index.ts';
import type { ProductMatch } from './product-list.ts';

/** A deal joined to the catalogue: rows in place of texts. */
export interface FitDeal {
  readonly productRow: number;
  readonly way: MatchWay;
  readonly networkRow: number;
  readonly retailerRow: number;
  readonly totalPence: number;
  readonly gift: DealGift | undefined;
  readonly cashback: Cashback | undefined;
  /** To be noted when the deal is served. */
  readonly notices: readonly Finding[];
}

export interface Cashback {
  readonly type: string;
  readonly valuePence: number;
}

type Verdict =
  | { readonly kind: 'fit'; readonly deal: FitDeal }
  | {
      readonly kind: 'left-out';
      readonly finding: Finding;
      /** The row of the retailer, if the catalogue has it. */
      readonly retailerRow: number | undefined;
    };

/** `exclusions` are told which of their rules leave out a deal. */
export type JudgeDeal = (feed: string, deal: DealRecord, product: ProductMatch, exclusions: Exclusions) => Verdict;

/**
 * Whether a deal can be served, given what its product reference matches. The `exclude` list comes first, so that a deal
 * that somebody has dealt with is not reported as faulty; then retailer, network, product, gift, money and
 * allowances.
 */
export function createJudgeDeal({ records }: JoinedRecords, money: BuildConfig['money']): JudgeDeal {
  const retailers = createSupplierIndex('retailer', records.retailers);
  const networks = createSupplierIndex('network', records.networks);
  const matchGift = createMatchGift(records.gifts);
  const findRetailer = (key: string): number | undefined => {
    const retailer = retailers.find('', { key, names: [], feedIds: [] });
    return retailer.kind === 'found' ? retailer.row : undefined;
  };

  return (feed, deal, product, exclusions) => {
    const retailer = retailers.find(feed, deal.retailer);
    const retailerRow = retailer.kind === 'found' ? retailer.row : undefined;
    const leftOut = (finding: Finding): Verdict => ({ kind: 'left-out', finding, retailerRow });
    const variant = product.kind === 'product' ? product : undefined;
    const excluded = exclusions.findForDeal({ key: deal.key, retailerRow, product: variant }, findRetailer);
    if (excluded !== undefined) return leftOut(excluded);
    if (product.kind === 'withheld') return leftOut(describeWithheld(product, exclusions));
    if (retailer.kind === 'none') return leftOut(retailer.finding);
    const network = networks.find(feed, deal.network);
    if (network.kind === 'none') return leftOut(network.finding);
    if (product.kind !== 'product') return leftOut(product.finding);
    const gift = deal.gift === undefined ? undefined : matchGift(deal.gift);
    if (gift?.kind === 'quarantined') return leftOut(gift.finding);
    const sum = checkMoney(deal, money);
    if (sum.kind === 'quarantined') return leftOut(sum.finding);
    const allowance = checkAllowances(deal);
    if (allowance !== undefined) return leftOut(allowance);
    const cashback = readCashback(deal);
    return {
      kind: 'fit',
      deal: {
        productRow: product.row,
        way: product.way,
        networkRow: network.row,
        retailerRow: retailer.row,
        totalPence: sum.totalPence,
        gift: gift?.gift,
        cashback: cashback.cashback,
        notices: [gift?.notice, sum.notice, cashback.notice].filter((notice) => notice !== undefined),
      },
    };
  };
}

/** A cashback of 0 is none, and half a cashback is dropped with a notice (INPUTS "The deals adapter"). */
function readCashback(deal: DealRecord): { readonly cashback?: Cashback; readonly notice?: Finding } {
  const { cashbackType: type, cashbackPence: valuePence } = deal;
  if (valuePence === 0 || (type === undefined && valuePence === undefined)) return {};
  if (type !== undefined && valuePence !== undefined) return { cashback: { type, valuePence } };
  const field = type === undefined ? 'cashbackType' : 'cashbackValue';
  return { notice: { code: 'half-cashback', field, expected: 'both a type and an amount' } };
}

function describeWithheld(
  { key, id, condition, code }: Extract<ProductMatch, { kind: 'withheld' }>,
  exclusions: Exclusions,
): Finding {
  switch (code) {
    case 'excluded':
      return { ...exclusions.findForProduct({ id, condition }), code: 'excluded', field: 'product', found: key };
    case 'duplicate-id':
      return {
        code: 'unknown-product',
        field: 'product',
        found: key,
        expected: 'a product that is served; two records of the CMS claim this id, so neither is',
        remedy: 'give each record of the CMS its own id',
      };
  }
}
