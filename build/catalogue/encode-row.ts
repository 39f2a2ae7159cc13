import type { Plan } from '../../data/snapshot/format.ts';
import type { FeedDeal } from '../adapt/read-feed.ts';
import type { DealDictionaries } from './arrange-deals.ts';
import type { DealGift } from './catalogue.ts';
import type { DealRow } from './deal-table.ts';
import { Dictionary } from './dictionary.ts';
import type { Cashback, FitDeal } from './judge-deal.ts';
import type { LinkTable } from './link-table.ts';
import type { MatchWay } from './match-product.ts';
import type { FeedFile } from './order-deals.ts';
import type { Origin } from '../source/origin.ts';

/** Turns deals into rows, entering what they share into dictionaries. Link templates are those of their source. */
export interface RowEncoder {
  encode(item: FeedDeal, fit: FitDeal, links: LinkTable): DealRow;
  readonly dictionaries: Omit<DealDictionaries, 'linkTemplates'>;
}

export function createRowEncoder(): RowEncoder {
  const plans = new Dictionary<Plan>();
  const gifts = new Dictionary<DealGift>();
  const cashbacks = new Dictionary<Cashback>();
  const pictures = new Dictionary<string>();
  const matches = new Dictionary<MatchWay>();
  const files = new Dictionary<FeedFile>();
  let last: FeedFile & { readonly number: number } = { source: '', file: '', number: -1 };

  /** Rows come file by file, so nearly all are of the file of the row before. */
  function numberOfFile({ source, file }: Origin): number {
    if (last.number === -1 || source !== last.source || file !== last.file) {
      last = { source, file, number: files.numberOf(`${source}/${file}`, () => ({ source, file })) };
    }
    return last.number;
  }

  return {
    encode({ deal, origin }, fit, links) {
      const { gift, cashback } = fit;
      const { template, part } = links.add(deal.link);
      const picture = deal.productImage;
      return {
        product: fit.productRow,
        plan: plans.numberOf(keyOfPlan(deal, fit.networkRow), () => createPlan(deal, fit.networkRow)),
        retailer: fit.retailerRow,
        totalPence: fit.totalPence,
        upfrontPence: deal.upfrontPence,
        monthlyPence: deal.monthlyPence,
        gift: gift === undefined ? 0 : 1 + gifts.numberOf(keyOfGift(gift), () => gift),
        cashback:
          cashback === undefined
            ? 0
            : 1 + cashbacks.numberOf(`${cashback.valuePence} ${cashback.type}`, () => cashback),
        picture: picture === undefined ? 0 : 1 + pictures.numberOf(picture, () => picture),
        linkTemplate: template,
        match: matches.numberOf(`${fit.way.rule} ${fit.way.found}`, () => fit.way),
        file: numberOfFile(origin),
        line: origin.line,
        key: deal.key,
        linkPart: part,
      };
    },
    dictionaries: {
      plans: plans.entries,
      gifts: gifts.entries,
      cashbacks: cashbacks.entries,
      pictures: pictures.entries,
      matches: matches.entries,
      files: files.entries,
    },
  };
}

/** The parts in an order in which no two plans have one key: only the last, the name, is free text. */
function keyOfPlan(deal: FeedDeal['deal'], networkRow: number): string {
  const { dealType, contractMonths, dataMegabytes, callMinutes, textMessages, contractName } = deal;
  return `${networkRow} ${dealType} ${contractMonths} ${dataMegabytes} ${callMinutes} ${textMessages} ${contractName}`;
}

function createPlan(deal: FeedDeal['deal'], networkRow: number): Plan {
  const { dealType, contractName, contractMonths, dataMegabytes, callMinutes, textMessages } = deal;
  return { network: networkRow, dealType, contractName, contractMonths, dataMegabytes, callMinutes, textMessages };
}

function keyOfGift(gift: DealGift): string {
  return gift.kind === 'record' ? `record ${gift.giftRow}` : `text ${gift.name}`;
}
