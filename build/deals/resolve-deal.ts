import type { DealRecord } from '../../data/record/deal.ts';
import type { Plan } from '../../data/snapshot/format.ts';
import type { FeedDeal } from '../feed/feed-checks.ts';
import type { BuildConfig } from '../config/config.ts';
import type { NoticeDetails } from '../ledger/ledger.ts';
import type { ProductMatch } from '../match/match-product.ts';
import type { ExcludeRules } from '../records/exclude.ts';
import { createGiftMatcher } from '../records/gifts.ts';
import type { JoinedRecords } from '../records/join-records.ts';
import { createSupplierIndex } from '../records/suppliers.ts';
import type { DealTableRow } from './deal-table.ts';
import type { DealDictionaries } from './dictionaries.ts';
import type { FeedLinks } from './links.ts';
import { checkAllowances, checkMoney } from './money.ts';

type Resolution =
  | {
      readonly kind: 'row';
      readonly row: DealTableRow;
      /** To be noted when the deal is served. */
      readonly notices: readonly NoticeDetails[];
    }
  | {
      readonly kind: 'excluded';
      readonly details: NoticeDetails;
      /** The row of the retailer, if the catalogue has it. */
      readonly retailerRow: number | undefined;
    };

/** Makes the row of a deal of a feed, whose product reference matches `product`, or says why it is not served. */
export type ResolveDeal = (feed: string, item: FeedDeal, product: ProductMatch, links: FeedLinks) => Resolution;

/**
 * The `exclude` list comes first, so that an excluded deal is not reported as faulty. Retailer, network, product, gift,
 * money and allowances follow.
 */
export function createDealResolver(
  { records }: JoinedRecords,
  exclusions: ExcludeRules,
  money: BuildConfig['money'],
  dictionaries: DealDictionaries,
): ResolveDeal {
  const retailers = createSupplierIndex('retailer', records.retailers);
  const networks = createSupplierIndex('network', records.networks);
  const matchGift = createGiftMatcher(records.gifts);
  const findRetailer = (key: string): number | undefined => {
    const retailer = retailers.find('', { key, names: [], feedIds: [] });
    return retailer.kind === 'found' ? retailer.row : undefined;
  };

  return (feed, { deal, origin }, product, links) => {
    const retailer = retailers.find(feed, deal.retailer);
    const retailerRow = retailer.kind === 'found' ? retailer.row : undefined;
    const exclude = (details: NoticeDetails): Resolution => ({ kind: 'excluded', details, retailerRow });
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

    const { gifts, pictures, matches, files } = dictionaries;
    const { template, part } = links.add(deal.link);
    const { rule, found } = product.evidence;
    const { productImage, cashbackType, cashbackPence } = deal;
    const row: DealTableRow = {
      product: product.row,
      plan: planCode(deal, network.row),
      retailer: retailer.row,
      totalPence: sum.totalPence,
      upfrontPence: deal.upfrontPence,
      monthlyPence: deal.monthlyPence,
      gift: gift === undefined ? 0 : 1 + gifts.codeOf(JSON.stringify(gift.gift), gift.gift),
      cashback:
        cashbackType === undefined || cashbackPence === undefined ? 0 : cashbackCode(cashbackType, cashbackPence),
      picture: productImage === undefined ? 0 : 1 + pictures.codeOf(productImage, productImage),
      linkTemplate: template,
      match: matches.codeOf(`${rule} ${found}`, product.evidence),
      file: files.codeOf(`${origin.source}/${origin.file}`, { source: origin.source, file: origin.file }),
      line: origin.line,
      key: deal.key,
      linkPart: part,
    };
    return {
      kind: 'row',
      row,
      notices: [gift?.notice, sum.notice].filter((notice) => notice !== undefined),
    };
  };

  function cashbackCode(type: string, valuePence: number): number {
    return 1 + dictionaries.cashbacks.codeOf(`${valuePence} ${type}`, { type, valuePence });
  }

  function planCode(deal: DealRecord, network: number): number {
    const { dealType, contractName, contractMonths, dataMegabytes, callMinutes, textMessages } = deal;
    const plan: Plan = { network, dealType, contractName, contractMonths, dataMegabytes, callMinutes, textMessages };
    // Only the last part, the name, is free text, so no two plans have one key.
    const terms = `${network} ${dealType} ${contractMonths} ${dataMegabytes} ${callMinutes} ${textMessages}`;
    return dictionaries.plans.codeOf(`${terms} ${contractName}`, plan);
  }
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
