import type { DealRecord } from '../../data/record/deal.ts';
import type { BuildConfig } from '../config/config.ts';
import type { NoticeDetails } from '../ledger/ledger.ts';
import type { ProductMatch } from '../match/match-product.ts';
import type { DealGift, MatchEvidence } from '../records/catalogue.ts';
import type { ExcludeRules } from '../records/exclude.ts';
import { createGiftMatcher } from '../records/gifts.ts';
import type { JoinedRecords } from '../records/join-records.ts';
import { createSupplierIndex } from '../records/suppliers.ts';
import { checkAllowances, checkMoney } from './money.ts';

/** A deal joined to the catalogue: rows in place of texts. */
export interface ResolvedDeal {
  readonly productRow: number;
  readonly evidence: MatchEvidence;
  readonly networkRow: number;
  readonly retailerRow: number;
  readonly totalPence: number;
  readonly gift: DealGift | undefined;
  readonly cashback: Cashback | undefined;
  /** To be noted when the deal is served. */
  readonly notices: readonly NoticeDetails[];
}

export interface Cashback {
  readonly type: string;
  readonly valuePence: number;
}

type ValidationResult =
  | { readonly kind: 'valid'; readonly deal: ResolvedDeal }
  | {
      readonly kind: 'excluded';
      readonly details: NoticeDetails;
      /** The row of the retailer, if the catalogue has it. */
      readonly retailerRow: number | undefined;
    };

/** `exclusions` records which of its rules exclude a deal. */
export type ValidateDeal = (
  feed: string,
  deal: DealRecord,
  product: ProductMatch,
  exclusions: ExcludeRules,
) => ValidationResult;

/**
 * Whether a deal can be served, given what its product reference matches. The `exclude` list comes first, so that an
 * excluded deal is not reported as faulty. Retailer, network, product, gift, money and allowances follow.
 */
export function createDealValidator({ records }: JoinedRecords, money: BuildConfig['money']): ValidateDeal {
  const retailers = createSupplierIndex('retailer', records.retailers);
  const networks = createSupplierIndex('network', records.networks);
  const matchGift = createGiftMatcher(records.gifts);
  const findRetailer = (key: string): number | undefined => {
    const retailer = retailers.find('', { key, names: [], feedIds: [] });
    return retailer.kind === 'found' ? retailer.row : undefined;
  };

  return (feed, deal, product, exclusions) => {
    const retailer = retailers.find(feed, deal.retailer);
    const retailerRow = retailer.kind === 'found' ? retailer.row : undefined;
    const exclude = (details: NoticeDetails): ValidationResult => ({ kind: 'excluded', details, retailerRow });
    const variant = product.kind === 'product' ? product : undefined;
    const excluded = exclusions.findForDeal({ key: deal.key, retailerRow, product: variant }, findRetailer);
    if (excluded !== undefined) return exclude(excluded);
    if (product.kind === 'suppressed') return exclude(suppressedDetails(product, exclusions));
    if (retailer.kind === 'none') return exclude(retailer.details);
    const network = networks.find(feed, deal.network);
    if (network.kind === 'none') return exclude(network.details);
    if (product.kind !== 'product') return exclude(product.details);
    const gift = deal.gift === undefined ? undefined : matchGift(deal.gift);
    if (gift?.kind === 'quarantined') return exclude(gift.details);
    const sum = checkMoney(deal, money);
    if (sum.kind === 'quarantined') return exclude(sum.details);
    const allowance = checkAllowances(deal);
    if (allowance !== undefined) return exclude(allowance);
    const cashback = readCashback(deal);
    return {
      kind: 'valid',
      deal: {
        productRow: product.row,
        evidence: product.evidence,
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
function readCashback(deal: DealRecord): { readonly cashback?: Cashback; readonly notice?: NoticeDetails } {
  const { cashbackType: type, cashbackPence: valuePence } = deal;
  if (valuePence === 0 || (type === undefined && valuePence === undefined)) return {};
  if (type !== undefined && valuePence !== undefined) return { cashback: { type, valuePence } };
  const field = type === undefined ? 'cashbackType' : 'cashbackValue';
  return { notice: { code: 'half-cashback', field, expected: 'both a type and an amount' } };
}

function suppressedDetails(
  { key, id, condition, code }: Extract<ProductMatch, { kind: 'suppressed' }>,
  exclusions: ExcludeRules,
): NoticeDetails {
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
