import type { Plan } from '../../data/snapshot/format.ts';
import type { FeedDeal } from '../adapt/read-feed.ts';
import type { DealDictionaries } from './deal-dictionaries.ts';
import type { DealRow } from './deal-table.ts';
import type { FitDeal } from './judge-deal.ts';
import type { LinkTable } from './link-table.ts';
import type { FeedFile } from './order-deals.ts';
import type { Origin } from '../source/origin.ts';

/** Turns a deal of a feed into a row, entering what it shares with others. */
export type EncodeRow = (item: FeedDeal, fit: FitDeal) => DealRow;

/** Rows of numbers of `dictionaries`, and of the templates of `links`. */
export function createEncodeRow(dictionaries: DealDictionaries, links: LinkTable): EncodeRow {
  let last: FeedFile & { readonly number: number } = { source: '', file: '', number: -1 };

  /** Rows come file by file, so nearly all are of the file of the row before. */
  function numberOfFile({ source, file }: Origin): number {
    if (last.number === -1 || source !== last.source || file !== last.file) {
      last = { source, file, number: dictionaries.numberOfFile({ source, file }) };
    }
    return last.number;
  }

  return ({ deal, origin }, fit) => {
    const { gift, cashback } = fit;
    const { template, part } = links.add(deal.link);
    const picture = deal.productImage;
    return {
      product: fit.productRow,
      plan: dictionaries.numberOfPlan(createPlan(deal, fit.networkRow)),
      retailer: fit.retailerRow,
      totalPence: fit.totalPence,
      upfrontPence: deal.upfrontPence,
      monthlyPence: deal.monthlyPence,
      gift: gift === undefined ? 0 : 1 + dictionaries.numberOfGift(gift),
      cashback: cashback === undefined ? 0 : 1 + dictionaries.numberOfCashback(cashback),
      picture: picture === undefined ? 0 : 1 + dictionaries.numberOfPicture(picture),
      linkTemplate: template,
      match: dictionaries.numberOfMatch(fit.way),
      file: numberOfFile(origin),
      line: origin.line,
      key: deal.key,
      linkPart: part,
    };
  };
}

function createPlan(deal: FeedDeal['deal'], networkRow: number): Plan {
  const { dealType, contractName, contractMonths, dataMegabytes, callMinutes, textMessages } = deal;
  return { network: networkRow, dealType, contractName, contractMonths, dataMegabytes, callMinutes, textMessages };
}
