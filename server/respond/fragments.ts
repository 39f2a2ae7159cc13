import {
  countAllowanceText,
  dataAllowanceText,
  friendlyCount,
  friendlyData,
  friendlyDataText,
} from '../../data/field/friendly.ts';
import type { CheapestDealKey, DealKey } from '../../data/field/deal.ts';
import { CONDITION_LABEL } from '../../data/record/condition.ts';
import { formatPence } from '../../data/record/money.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import type { Plan, ProductLine } from '../../data/snapshot/format.ts';

/**
 * Ready JSON text of everything that many deals share, so that writing a deal is joining a handful of texts and
 * numbers. Each fragment is a run of members without braces, in the order of `DEAL_FIELDS`.
 */
export interface Fragments {
  /** By plan: from `dealType` to `friendlyTextAllowance`. */
  readonly plans: readonly string[];
  /** By retailer: from `supplierId` to `largeRetailerImage`. */
  readonly retailers: readonly string[];
  /** By product: `condition`, `productName`, and `productImg` where the product has a picture of its own. */
  readonly products: readonly { readonly members: string; readonly hasImage: boolean }[];
  /** By picture number, 0 for none: `productImg` of a product without a picture. */
  readonly pictures: readonly string[];
  /** By gift number, 0 for none: `giftImg` and `giftName`. */
  readonly gifts: readonly string[];
  /** By cashback number, 0 for none: `cashbackType` and `cashbackValue`, or nothing. */
  readonly cashbacks: readonly string[];
  /** By link template: the escaped text before and after the deal's own part. */
  readonly linkTemplates: readonly { readonly prefix: string; readonly suffix: string }[];
  /** By plan and by retailer: the members of `cheapestDeal` that they decide. */
  readonly cheapestPlans: readonly string[];
  readonly cheapestRetailers: readonly string[];
  /** By product: `"id":…,"name":…,"slug":…`. */
  readonly heads: readonly string[];
}

/** Makes the fragments of a snapshot, once when it is loaded. */
export function createFragments(index: CatalogueIndex): Fragments {
  const currency = index.currency.label;
  return {
    plans: index.plans.map((plan) => dealMembers(planMembers(plan, index))),
    retailers: index.retailers.map(({ id, name, logos }) =>
      dealMembers({ supplierId: id, supplierName: name, largeRetailerImage: logos.large }),
    ),
    products: index.products.map(productFragment),
    pictures: ['', ...index.feedPictures].map((productImg) => dealMembers({ productImg })),
    gifts: [{ name: '', image: '' }, ...index.dealGifts].map(({ name, image }) =>
      dealMembers({ giftImg: image, giftName: name }),
    ),
    cashbacks: [
      '',
      ...index.cashbacks.map(
        ({ type, valuePence }) => `,${dealMembers({ cashbackType: type, cashbackValue: formatPence(valuePence) })}`,
      ),
    ],
    linkTemplates: index.linkTemplates.map(({ prefix, suffix }) => ({
      prefix: escapeJson(prefix),
      suffix: escapeJson(suffix),
    })),
    cheapestPlans: index.plans.map((plan) => cheapestMembers(cheapestPlanMembers(plan, index, currency))),
    cheapestRetailers: index.retailers.map(({ id, name, logos }) =>
      cheapestMembers({ retailSupplierId: id, retailSupplierName: name, retailSupplierLogo: logos.deal }),
    ),
    heads: index.products.map(({ id, name, slug }) => membersOf({ id, name, slug })),
  };
}

/** The text as it stands inside a JSON string. */
export function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function planMembers(plan: Plan, index: CatalogueIndex): Partial<Record<DealKey, string>> {
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

function cheapestPlanMembers(
  plan: Plan,
  index: CatalogueIndex,
  currency: string,
): Partial<Record<CheapestDealKey, string>> {
  const network = index.networks[plan.network];
  const data = friendlyData(plan.dataMegabytes);
  return {
    currencyLabel: currency,
    // The documented sample spells the key so (spec §2.10, D11).
    currenyLabel: currency,
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

/** `productImg` is the product's own large front picture in webp; without one the feed's picture follows (D10). */
function productFragment(product: ProductLine): { members: string; hasImage: boolean } {
  const productImg = product.images.largeFrontImageWebp ?? '';
  const hasImage = productImg !== '';
  return {
    members: dealMembers({
      condition: CONDITION_LABEL[product.condition],
      productName: product.name,
      ...(hasImage ? { productImg } : {}),
    }),
    hasImage,
  };
}

function dealMembers(members: Partial<Record<DealKey, string>>): string {
  return membersOf(members);
}

function cheapestMembers(members: Partial<Record<CheapestDealKey, string>>): string {
  return membersOf(members);
}

function membersOf(members: Readonly<Record<string, string>>): string {
  return JSON.stringify(members).slice(1, -1);
}
