import type { CheapestDealKey, DealKey } from '../../data/field/deal.ts';
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
import type { ProductRow } from '../../data/snapshot/column.ts';
import type { Plan, ProductLine, Retailer } from '../../data/snapshot/format.ts';
import { mapIncrementally, type IncrementalTask } from '../../data/snapshot/incremental-task.ts';
import type { GroupName } from '../query/query.ts';
import { bytesOf, escapeJson } from './chunk-writer.ts';
import { writeGroup } from './write-lists.ts';

/** 1,024 pairs of retailer and product: half a megabyte. */
const OFFER_SLOT_BITS = 10;
/** 4,096 deals: four megabytes. */
const CHEAPEST_SLOT_BITS = 12;

/** The memory for whole groups; beyond it they are made for every response. */
const MAX_GROUP_BYTES = 12_000_000;

/**
 * JSON fragments, as bytes, that many deals or responses share: writing a deal copies a few of them with numbers between. A
 * fragment includes the punctuation up to the next fragment, number or link part.
 */
export interface Fragments {
  /** By plan: `,{` and the members from `dealType` to `friendlyTextAllowance`. */
  readonly plans: readonly Uint8Array[];
  /** By retailer and product: from `supplierId` on. */
  readonly offers: OfferFragments;
  /** By picture number, 0 for none: `productImg` of a product without a picture. */
  readonly pictures: readonly Uint8Array[];
  /** By gift number, 0 for none: `giftImg` and `giftName`. */
  readonly gifts: readonly Uint8Array[];
  /** By cashback number, 0 for none: `cashbackType` and `cashbackValue`, or nothing; then `"productUpfrontCost":"`. */
  readonly cashbacks: readonly Uint8Array[];
  /** By link template: from the end of `totalDealCost` to the deal's own part of `dealLink`, and what follows the part. */
  readonly dealLinks: readonly LinkFragments[];
  /** By plan, by retailer and by link template: the same for `cheapestDeal`. */
  readonly cheapestPlans: readonly Uint8Array[];
  readonly cheapestRetailers: readonly Uint8Array[];
  readonly cheapestLinks: readonly LinkFragments[];
  /** By deal: the whole `cheapestDeal` of a product. */
  readonly cheapestDeals: DirectMappedCache;
  /** By product: `,{"id":…,"name":…,"slug":…`. */
  readonly heads: readonly Uint8Array[];
  /** The whole groups of products. */
  readonly groups: GroupFragments;
}

export interface LinkFragments {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/** Makes the fragments of a snapshot when it is loaded, while other requests run. */
export function* createFragments(index: CatalogueIndex): IncrementalTask<Fragments> {
  const currency = index.currency.label;
  return {
    plans: yield* mapIncrementally(index.plans, (plan) => bytesOf(`,{${dealMembers(planMembers(plan, index))},`)),
    offers: new OfferFragments(index),
    pictures: yield* mapIncrementally(['', ...index.feedPictures], (productImg) =>
      bytesOf(`${dealMembers({ productImg })},`),
    ),
    gifts: yield* mapIncrementally([{ name: '', image: '' }, ...index.dealGifts], ({ name, image }) =>
      bytesOf(`${dealMembers({ giftImg: image, giftName: name })},`),
    ),
    cashbacks: yield* mapIncrementally([undefined, ...index.cashbacks], (cashback) =>
      bytesOf(`${cashback === undefined ? '' : `${cashbackMembers(cashback)},`}"productUpfrontCost":"`),
    ),
    dealLinks: index.linkTemplates.map(({ prefix, suffix }) => ({
      before: bytesOf(`","dealLink":"${escapeJson(prefix)}`),
      after: bytesOf(`${escapeJson(suffix)}"}`),
    })),
    cheapestPlans: yield* mapIncrementally(index.plans, (plan) =>
      bytesOf(`,${cheapestMembers(cheapestPlanMembers(plan, index, currency))},`),
    ),
    cheapestRetailers: index.retailers.map(({ id, name, logos }) =>
      bytesOf(cheapestMembers({ retailSupplierId: id, retailSupplierName: name, retailSupplierLogo: logos.deal })),
    ),
    cheapestLinks: index.linkTemplates.map(({ prefix, suffix }) => ({
      before: bytesOf(`,"purchaseLink":"${escapeJson(prefix)}`),
      after: bytesOf(`${escapeJson(suffix)}"}`),
    })),
    cheapestDeals: new DirectMappedCache(CHEAPEST_SLOT_BITS),
    heads: yield* mapIncrementally(index.products, ({ id, name, slug }) =>
      bytesOf(`,{${membersOf({ id, name, slug })}`),
    ),
    groups: new GroupFragments(index.products),
  };
}

/** The members of retailer and product, joined: one copy instead of three (1.2x for 1,000 deals). */
class OfferFragments {
  readonly #index: CatalogueIndex;
  /** By product: whether its deals show its own large front picture, or one of the feed (D10). */
  readonly #hasImage: readonly boolean[];
  readonly #made = new DirectMappedCache(OFFER_SLOT_BITS);

  constructor(index: CatalogueIndex) {
    this.#index = index;
    this.#hasImage = index.products.map(({ images }) => (images.largeFrontImageWebp ?? '') !== '');
  }

  hasImage(product: number): boolean {
    return this.#hasImage[product] as boolean;
  }

  /** From `supplierId` to `productName`, or to `productImg` when the product has a picture. */
  of(retailer: number, product: number): Uint8Array {
    return this.#find(retailer, product, false);
  }

  /** From `supplierId` to `"productUpfrontCost":"`: the product has a picture, and the deal neither gift nor cashback. */
  ofPlain(retailer: number, product: number): Uint8Array {
    return this.#find(retailer, product, true);
  }

  #find(retailer: number, product: number, isPlain: boolean): Uint8Array {
    const offer = retailer * 2 + (isPlain ? 1 : 0);
    return this.#made.find(product, offer) ?? this.#made.set(product, offer, this.#join(retailer, product, isPlain));
  }

  #join(retailer: number, product: number, isPlain: boolean): Uint8Array {
    const { id, name, logos } = this.#index.retailers[retailer] as Retailer;
    const { condition, name: productName, images } = this.#index.products[product] as ProductLine;
    const members = dealMembers({
      supplierId: id,
      supplierName: name,
      largeRetailerImage: logos.large,
      condition: CONDITION_LABEL[condition],
      productName,
      ...(this.hasImage(product) ? { productImg: images.largeFrontImageWebp ?? '' } : {}),
      ...(isPlain ? { giftImg: '', giftName: '' } : {}),
    });
    return bytesOf(`${members},${isPlain ? '"productUpfrontCost":"' : ''}`);
  }
}

/** The JSON of whole groups of products, made at the first use and cached. */
class GroupFragments {
  readonly #products: readonly ProductLine[];
  readonly #made: Record<GroupName, (Uint8Array | undefined)[]>;
  #byteLength = 0;

  constructor(products: readonly ProductLine[]) {
    this.#products = products;
    const none = () => products.map(() => undefined);
    this.#made = { content: none(), pageContent: none(), metaData: none(), specs: none(), images: none() };
  }

  of(product: ProductRow, group: GroupName): Uint8Array {
    const made = this.#made[group][product];
    if (made !== undefined) return made;
    const fragment = bytesOf(writeGroup(group, 'whole', this.#products[product]?.[group] ?? {}));
    if (this.#byteLength + fragment.byteLength <= MAX_GROUP_BYTES) {
      this.#made[group][product] = fragment;
      this.#byteLength += fragment.byteLength;
    }
    return fragment;
  }
}

function cashbackMembers({ type, valuePence }: CatalogueIndex['cashbacks'][number]): string {
  return dealMembers({ cashbackType: type, cashbackValue: formatPence(valuePence) });
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
    // The spelling of the documented sample (spec §2.10, D11).
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

const dealMembers: (members: Partial<Record<DealKey, string>>) => string = membersOf;
const cheapestMembers: (members: Partial<Record<CheapestDealKey, string>>) => string = membersOf;

function membersOf(members: Readonly<Record<string, string>>): string {
  return JSON.stringify(members).slice(1, -1);
}

/** In place of a key: an empty slot. */
const EMPTY_SLOT = 0xffff_ffff;

/**
 * A cache of fixed size for fragments, by a pair of numbers below 2^32 - 1. Each pair has exactly one slot, where its
 * fragment stays until another pair needs the slot.
 */
class DirectMappedCache {
  readonly #shift: number;
  readonly #firstKeys: Uint32Array;
  readonly #secondKeys: Uint32Array;
  readonly #fragments: Uint8Array[] = [];

  /** @param bits of the number of slots: 12 for 4,096 */
  constructor(bits: number) {
    this.#shift = 32 - bits;
    this.#firstKeys = new Uint32Array(2 ** bits).fill(EMPTY_SLOT);
    this.#secondKeys = new Uint32Array(2 ** bits).fill(EMPTY_SLOT);
  }

  find(first: number, second: number): Uint8Array | undefined {
    const slot = this.#slotOf(first, second);
    const isHit = this.#firstKeys[slot] === first && this.#secondKeys[slot] === second;
    return isHit ? this.#fragments[slot] : undefined;
  }

  set(first: number, second: number, fragment: Uint8Array): Uint8Array {
    const slot = this.#slotOf(first, second);
    this.#firstKeys[slot] = first;
    this.#secondKeys[slot] = second;
    this.#fragments[slot] = fragment;
    return fragment;
  }

  /** Multiplying by odd numbers near 2^32 divided by the golden ratio spreads neighbours over all slots. */
  #slotOf(first: number, second: number): number {
    return (Math.imul(first, 0x9e37_79b1) ^ Math.imul(second, 0x85eb_ca77)) >>> this.#shift;
  }
}
