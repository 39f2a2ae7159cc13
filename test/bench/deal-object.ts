import {
  countAllowanceText,
  dataAllowanceText,
  formatPence,
  friendlyCount,
  friendlyDataText,
} from '../../data/record/amount.ts';
import { CONDITION_LABEL } from '../../data/record/product.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import type { DealRow } from '../../data/snapshot/column.ts';

/** A deal as the object that a service would make of the same columns and hand to `JSON.stringify` (spec §2.5). */
export function createDealObject(index: CatalogueIndex, row: DealRow): Readonly<Record<string, string>> {
  const { deals } = index;
  const plan = index.plans[deals.plan.at(row)];
  const retailer = index.retailers[deals.retailer.at(row)];
  const product = index.products[deals.product.at(row)];
  const link = index.linkTemplates[deals.linkTemplate.at(row)];
  const giftNumber = deals.gift.at(row);
  const cashbackNumber = deals.cashback.at(row);
  const pictureNumber = deals.picture.at(row);
  if (plan === undefined || retailer === undefined || product === undefined || link === undefined) {
    throw new RangeError(`expected a row of a snapshot, got ${row}`);
  }
  const network = index.networks[plan.network];
  const gift = giftNumber === 0 ? undefined : index.dealGifts[giftNumber - 1];
  const cashback = cashbackNumber === 0 ? undefined : index.cashbacks[cashbackNumber - 1];
  const picture = pictureNumber === 0 ? '' : (index.feedPictures[pictureNumber - 1] ?? '');
  return {
    dealType: plan.dealType,
    contractName: plan.contractName,
    contractLength: String(plan.contractMonths),
    friendlyContractLength: friendlyCount(plan.contractMonths, 'months'),
    contractSupplierId: network?.id ?? '',
    contractSupplierName: network?.name ?? '',
    smallNetworkImage: network?.logos.small ?? '',
    mediumNetworkImage: network?.logos.medium ?? '',
    largeNetworkImage: network?.logos.large ?? '',
    dataAllowance: dataAllowanceText(plan.dataMegabytes),
    friendlyDataAllowance: friendlyDataText(plan.dataMegabytes),
    callAllowance: countAllowanceText(plan.callMinutes),
    friendlyCallAllowance: friendlyCount(plan.callMinutes, 'minutes'),
    textAllowance: countAllowanceText(plan.textMessages),
    friendlyTextAllowance: friendlyCount(plan.textMessages, 'texts'),
    supplierId: retailer.id,
    supplierName: retailer.name,
    largeRetailerImage: retailer.logos.large,
    condition: CONDITION_LABEL[product.condition],
    productName: product.name,
    productImg: product.images.largeFrontImageWebp ?? picture,
    giftImg: gift?.image ?? '',
    giftName: gift?.name ?? '',
    ...(cashback === undefined ? {} : { cashbackType: cashback.type, cashbackValue: formatPence(cashback.valuePence) }),
    productUpfrontCost: formatPence(deals.upfrontPence.at(row)),
    supplierContractPrice: formatPence(deals.monthlyPence.at(row)),
    totalDealCost: formatPence(deals.totalPence.at(row)),
    dealLink: `${link.prefix}${deals.linkPart.at(row)}${link.suffix}`,
  };
}
