import type { DealRecord } from '../../data/record/deal.ts';
import type { Plan } from '../../data/snapshot/format.ts';
import type { FeedDeal } from '../feed/raw-deal.ts';
import type { BuildConfig } from '../config/config.ts';
import type { NoticeDetails } from '../ledger/ledger.ts';
import type { ProductMatch } from '../match/match-product.ts';
import type { ExcludeRules } from '../records/exclude.ts';
import { createGiftMatcher } from '../records/gifts.ts';
import type { JoinedRecords } from '../records/join-records.ts';
import { createSupplierFinder } from '../records/suppliers.ts';
import type { DealTableRow } from './deal-table.ts';
import type { DealDictionaries } from './dictionaries.ts';
import type { FeedLinks } from './links.ts';
import { checkAllowances, checkMoney } from './money.ts';

/** The row of a deal, and what is to be noted when it is served; or why it is not, and its retailer (slug) if known. */
type Resolution =
  | { readonly row: DealTableRow; readonly notices: readonly NoticeDetails[] }
  | { readonly excluded: NoticeDetails; readonly retailer: string | undefined };

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
  const findRetailer = createSupplierFinder('retailer', records.retailers);
  const findNetwork = createSupplierFinder('network', records.networks);
  const matchGift = createGiftMatcher(records.gifts);
  const findRetailerRow = (key: string): number | undefined => {
    const retailer = findRetailer('', { key, names: [], feedIds: [] });
    return 'row' in retailer ? retailer.row : undefined;
  };

  return (feed, { deal, origin }, product, links) => {
    const retailer = findRetailer(feed, deal.retailer);
    const retailerRow = 'row' in retailer ? retailer.row : undefined;
    const exclude = (excluded: NoticeDetails): Resolution => ({
      excluded,
      retailer: records.retailers[retailerRow ?? -1]?.record.slug,
    });
    const variant = 'row' in product ? product : undefined;
    const onList = exclusions.findForDeal({ key: deal.key, retailerRow, product: variant }, findRetailerRow);
    if (onList !== undefined) return exclude(onList);
    if ('excluded' in product && product.suppressed !== undefined) return exclude(product.excluded);
    if ('excluded' in retailer) return exclude(retailer.excluded);
    const network = findNetwork(feed, deal.network);
    if ('excluded' in network) return exclude(network.excluded);
    if ('excluded' in product) return exclude(product.excluded);
    const gift = matchGift(deal.gift);
    if ('excluded' in gift) return exclude(gift.excluded);
    const sum = checkMoney(deal, money);
    if ('excluded' in sum) return exclude(sum.excluded);
    const allowance = checkAllowances(deal);
    if (allowance !== undefined) return exclude(allowance);

    const { plans, gifts, cashbacks, pictures, matches, files } = dictionaries;
    const { cashbackType: type, cashbackPence: valuePence } = deal;
    const { template, part } = links.add(deal.link);
    const row: DealTableRow = {
      product: product.row,
      plan: plans.codeOf(planOf(deal, network.row)),
      retailer: retailer.row,
      totalPence: sum.totalPence,
      upfrontPence: deal.upfrontPence,
      monthlyPence: deal.monthlyPence,
      gift: gifts.numberOf(gift.gift),
      cashback: cashbacks.numberOf(type === undefined || valuePence === undefined ? undefined : { type, valuePence }),
      picture: pictures.numberOf(deal.productImage),
      linkTemplate: template,
      match: matches.codeOf(product.evidence),
      file: files.codeOf({ source: origin.source, file: origin.file }),
      line: origin.line,
      key: deal.key,
      linkPart: part,
    };
    return { row, notices: [gift.notice, sum.notice].filter((notice) => notice !== undefined) };
  };
}

function planOf(deal: DealRecord, network: number): Plan {
  const { dealType, contractName, contractMonths, dataMegabytes, callMinutes, textMessages } = deal;
  return { network, dealType, contractName, contractMonths, dataMegabytes, callMinutes, textMessages };
}
