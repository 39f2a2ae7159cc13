import {
  type Allowance,
  formatPence,
  MEGABYTES_PER_GIGABYTE,
  TOTAL_TOLERANCE_PENCE,
} from '../../data/record/amount.ts';
import type { DealRecord } from '../../data/record/deal.ts';
import { MAX_PENCE, type Plan } from '../../data/snapshot/format.ts';
import type { FeedDeal } from '../feed/parse-deal.ts';
import type { BuildConfig } from '../config/config.ts';
import type { Found, NoticeDetails } from '../ledger/ledger.ts';
import type { ProductMatch } from '../match/match-product.ts';
import type { ExcludeRules } from '../records/exclude.ts';
import { createGiftMatcher, createSupplierFinder } from '../records/references.ts';
import type { JoinedRecords } from '../records/join-records.ts';
import type { DealDictionaries, DealTableRow } from './deal-table.ts';

/** The row of a deal, and what is to be noted when it is served; or why it is not, and its retailer (slug) if known. */
type Resolution =
  | { readonly row: DealTableRow; readonly notices: readonly NoticeDetails[] }
  | { readonly excluded: NoticeDetails; readonly retailer: string | undefined };

/** Makes the row of a deal of a feed, whose product reference matches `product`, or says why it is not served. */
export type ResolveDeal = (feed: string, item: FeedDeal, product: ProductMatch) => Resolution;

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

  return (feed, { deal, origin }, product) => {
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
      match: matches.codeOf(product.evidence),
      file: files.codeOf({ source: origin.source, file: origin.file }),
      line: origin.line,
      key: deal.key,
      link: deal.link,
    };
    return { row, notices: [gift.notice, sum.notice].filter((notice) => notice !== undefined) };
  };
}

function planOf(deal: DealRecord, network: number): Plan {
  const { dealType, contractName, contractMonths, dataMegabytes, callMinutes, textMessages } = deal;
  return { network, dealType, contractName, contractMonths, dataMegabytes, callMinutes, textMessages };
}

/** The total that is served, with a notice about it. */
type MoneyCheck = Found<{ readonly totalPence: number; readonly notice?: NoticeDetails }>;

/**
 * The rules about money, which are the same for all feeds (INPUTS "What must never go out"). The stated total is served
 * if there is one. It gets a notice when it differs from the sum of the parts, and quarantines the deal when it differs
 * too much.
 */
function checkMoney(deal: DealRecord, rules: BuildConfig['money']): MoneyCheck {
  const { upfrontPence, monthlyPence, contractMonths, statedTotalPence, cashbackPence = 0 } = deal;
  const sumPence = upfrontPence + monthlyPence * contractMonths;
  const totalPence = statedTotalPence ?? sumPence;
  const maxTotalPence = Math.min(rules.maxUpfrontPence + rules.maxMonthlyPence * contractMonths, MAX_PENCE);
  const amounts: readonly (readonly [field: string, pence: number, maxPence: number])[] = [
    ['upfrontCost', upfrontPence, rules.maxUpfrontPence],
    ['monthlyCost', monthlyPence, rules.maxMonthlyPence],
    ['totalCost', totalPence, maxTotalPence],
    ['cashbackValue', cashbackPence, Math.min(rules.maxCashbackPence, totalPence)],
  ];
  const refuse = (code: NoticeDetails['code'], field: string, pence: number, expected: string): MoneyCheck => ({
    excluded: { code, field, found: formatPence(pence), expected },
  });
  for (const [field, pence] of amounts) if (pence < 0) return refuse('negative-money', field, pence, 'zero or more');
  if (monthlyPence === 0 && !rules.zeroMonthlyCost) {
    return refuse('zero-monthly-cost', 'monthlyCost', 0, 'an amount above zero');
  }
  for (const [field, pence, maxPence] of amounts) {
    if (pence > maxPence) return refuse('money-above-ceiling', field, pence, `at most ${formatPence(maxPence)}`);
  }
  const differencePence = Math.abs(totalPence - sumPence);
  if (differencePence <= TOTAL_TOLERANCE_PENCE) return { totalPence };
  const parts = `${formatPence(upfrontPence)} + ${contractMonths} x ${formatPence(monthlyPence)}`;
  const expected = `${formatPence(sumPence)}, which is ${parts}`;
  if (differencePence * 2 > sumPence) return refuse('implausible-total', 'totalCost', totalPence, expected);
  const notice = { code: 'total-mismatch', field: 'totalCost', found: formatPence(totalPence), expected } as const;
  return { totalPence, notice };
}

/** No plan has more gigabytes and is not unlimited. Megabytes without their unit are soon above it. */
const MAX_GIGABYTES = 1_000;

/** No limited plan has more minutes or texts: a month has 44,640 minutes. */
const MAX_COUNT = 10_000;

/** What feeds write for unlimited, and no plan has. */
const UNLIMITED_CODE = 9_999;

/** Allowances that no plan has: a number in another unit, or a code for unlimited (INPUTS "Money"). */
function checkAllowances({ dataMegabytes, callMinutes, textMessages }: DealRecord): NoticeDetails | undefined {
  const counts: readonly (readonly [field: string, count: Allowance, maxCount: number])[] = [
    ['dataGb', dataMegabytes === 'unlimited' ? dataMegabytes : dataMegabytes / MEGABYTES_PER_GIGABYTE, MAX_GIGABYTES],
    ['callMinutes', callMinutes, MAX_COUNT],
    ['textMessages', textMessages, MAX_COUNT],
  ];
  for (const [field, count, maxCount] of counts) {
    if (count === 'unlimited' || (count <= maxCount && count !== UNLIMITED_CODE)) continue;
    const expected = `at most ${maxCount}, and not ${UNLIMITED_CODE}, or unlimited`;
    return { code: 'allowance-above-ceiling', field, found: String(count), expected };
  }
  return undefined;
}
