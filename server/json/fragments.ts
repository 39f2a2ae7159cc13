import type { CheapestDealKey, DealKey } from '../../data/schema/deal.ts';
import {
  countAllowanceText,
  dataAllowanceText,
  formatPence,
  friendlyCount,
  friendlyData,
  friendlyDataText,
} from '../../data/record/amount.ts';
import { CONDITION_LABEL } from '../../data/record/product.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import type { Plan, ProductLine, Retailer } from '../../data/snapshot/format.ts';

export type Fragments = ReturnType<typeof createFragments>;

/**
 * JSON fragments in UTF-8 that many deals share, by a number of the same snapshot: each is made when it is first used, and ends with
 * the comma before the next member. 0 is no picture, no gift and no cashback.
 */
export function createFragments(index: CatalogueIndex) {
  const { plans, retailers, products, feedPictures, dealGifts, cashbacks } = index;
  return {
    /** What every product has, with the `{`, and without a comma at its end. */
    head: rememberEach(products, ({ id, name, slug }) => toUtf8(JSON.stringify({ id, name, slug }).slice(0, -1))),
    /** With the `{` of the deal. */
    plan: rememberEach(plans, (plan) => `{${writeDealMembers(listPlan(plan, index))}`),
    retailer: rememberEach(retailers, ({ id, name, logos }) =>
      writeDealMembers({ supplierId: id, supplierName: name, largeRetailerImage: logos.large }),
    ),
    /** With `productImg` where the product has a picture of its own (D10). */
    product: rememberEach(products, (product) =>
      writeDealMembers({
        condition: CONDITION_LABEL[product.condition],
        productName: product.name,
        ...(hasPicture(product) ? { productImg: pictureOf(product) } : {}),
      }),
    ),
    /** Of a product without a picture of its own. */
    picture: rememberEach(['', ...feedPictures], (productImg) => writeDealMembers({ productImg })),
    gift: rememberEach([{ name: '', image: '' }, ...dealGifts], ({ name, image }) =>
      writeDealMembers({ giftImg: image, giftName: name }),
    ),
    cashback: rememberEach([undefined, ...cashbacks], (cashback) =>
      cashback === undefined
        ? ''
        : writeDealMembers({ cashbackType: cashback.type, cashbackValue: formatPence(cashback.valuePence) }),
    ),
    cheapestPlan: rememberEach(plans, (plan) => writeCheapestMembers(listCheapestPlan(plan, index))),
    cheapestRetailer: rememberEach(retailers, ({ id, name, logos }: Retailer) =>
      writeCheapestMembers({ retailSupplierId: id, retailSupplierName: name, retailSupplierLogo: logos.deal }),
    ),
  };
}

/** Whether the deals of a product show its own large front picture, or one of the feed (D10). */
export function hasPicture(product: ProductLine): boolean {
  return pictureOf(product) !== '';
}

function pictureOf({ images }: ProductLine): string {
  return images.largeFrontImageWebp ?? '';
}

function rememberEach<Item>(items: readonly Item[], make: (item: Item) => string): (number: number) => string {
  const made = Array.from<string | undefined>({ length: items.length });
  return (number) => (made[number] ??= make(items[number] as Item));
}

function listPlan(plan: Plan, index: CatalogueIndex): Partial<Record<DealKey, string>> {
  const network = index.networks[plan.network];
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
  };
}

function listCheapestPlan(plan: Plan, index: CatalogueIndex): Partial<Record<CheapestDealKey, string>> {
  const network = index.networks[plan.network];
  const data = friendlyData(plan.dataMegabytes);
  return {
    currencyLabel: index.currency.label,
    // The spelling of the documented sample (spec §2.10, D11).
    currenyLabel: index.currency.label,
    monthlyTextAllowance: countAllowanceText(plan.textMessages),
    monthlyFriendlyTextAllowance: plan.textMessages === 'unlimited' ? 'Unlimited' : String(plan.textMessages),
    monthlyTextAllowanceLabel: 'texts',
    monthlyCallAllowance: countAllowanceText(plan.callMinutes),
    monthlyFriendlyCallAllowance: plan.callMinutes === 'unlimited' ? 'Unlimited' : String(plan.callMinutes),
    monthlyCallAllowanceLabel: 'minutes',
    monthlyDataAllowance: dataAllowanceText(plan.dataMegabytes),
    monthlyFriendlyDataAllowance: data.amount,
    monthlyDataAllowanceLabel: data.unit,
    contractLength: String(plan.contractMonths),
    contractLengthLabel: plan.contractMonths === 1 ? 'month' : 'months',
    contractSupplierId: network?.id ?? '',
    contractSupplierName: network?.name ?? '',
    contractSupplierLogo: network?.logos.deal ?? '',
  };
}

const writeDealMembers: (members: Partial<Record<DealKey, string>>) => string = writeMembers;
const writeCheapestMembers: (members: Partial<Record<CheapestDealKey, string>>) => string = writeMembers;

function writeMembers(members: Readonly<Record<string, string>>): string {
  return toUtf8(`${JSON.stringify(members).slice(1, -1)},`);
}

const NOT_ASCII = /[^\0-\x7f]/;

/**
 * The UTF-8 bytes of a text, each as a character of one byte. Bodies are put together from such texts, because they are
 * joined and copied: a page of 19 KB takes 1 µs, and 20 µs to encode for the sake of one pound sign.
 */
export function toUtf8(text: string): string {
  return NOT_ASCII.test(text) ? Buffer.from(text).toString('latin1') : text;
}

/** The text whose UTF-8 bytes these are. */
export function fromUtf8(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}
