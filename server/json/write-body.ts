import { FILTER_KINDS, filterRow, type FilterName, type FilterValue } from '../../data/query/filter.ts';
import { countFacets, type FacetCounts } from '../query/count-facets.ts';
import type { DealAttribute, ProductAttribute } from '../../data/field/field.ts';
import {
  formatPence,
  countAllowanceText,
  dataAllowanceText,
  friendlyCount,
  friendlyData,
  friendlyDataText,
} from '../../data/record/amount.ts';
import { CONDITION_LABEL } from '../../data/record/product.ts';
import type { CatalogueIndex, DealRow, ProductRow } from '../../data/snapshot/catalogue-index.ts';
import type { ProductLine, Plan, Retailer } from '../../data/snapshot/format.ts';
import { formatDay, parsePriceHistory, type PricePoint } from '../../data/snapshot/price-history.ts';
import type { SelectedProduct, Selection } from '../query/execute.ts';
import {
  GROUP_ROWS,
  type GroupName,
  type DealsQuery,
  type ListQuery,
  type ProductsQuery,
  type Projection,
} from '../query/query.ts';
import { compareCodeUnits, compareIds } from '../../data/record/id.ts';
import type { CheapestDealKey, DealKey } from '../../data/schema/deal.ts';

/** What pages are written from. */
interface Source {
  readonly index: CatalogueIndex;
  readonly fragments: Fragments;
}

type DealAttributes = ProductsQuery['dealAttributes'];

/**
 * The JSON of a page in UTF-8, piece by piece: `{"products":[…]}`, with `"deals":[…]` when deals are expanded (spec §2.1)
 * and `"facets"` when those are asked for (D25); or `{"deals":[…]}` alone (D27).
 */
export function* writePage(
  { products, deals }: Selection,
  query: ProductsQuery | DealsQuery,
  source: Source,
): Generator<string> {
  yield '{';
  if (query.kind === 'products') {
    yield* writeArray('products', products ?? [], (product) => writeProduct(product, query, source));
    if (deals !== undefined) yield ',';
  }
  if (deals !== undefined) {
    yield* writeArray('deals', deals, (deal) => writeDeal(deal, query.dealAttributes, source));
  }
  if (query.kind === 'products' && query.facets !== undefined) {
    const counts = yield* countFacets(query, source.index);
    yield toUtf8(`,"facets":${writeFacets(counts, source.index)}`);
  }
  yield '}';
}

function* writeArray<Item>(name: string, items: readonly Item[], write: (item: Item) => string): Generator<string> {
  yield `"${name}":[`;
  let separator = '';
  for (const item of items) {
    yield separator + write(item);
    separator = ',';
  }
  yield ']';
}

/** `facets`: the values of each that would find something (D25). */
function writeFacets(facets: ReadonlyMap<FilterName, FacetCounts>, index: CatalogueIndex): string {
  const members = Array.from(facets, ([name, counts]) => [name, listFacet(name, counts, index)]);
  return JSON.stringify(Object.fromEntries(members));
}

/** Records by name, other values in the order of their words, numbers ascending. */
function listFacet(name: FilterName, counts: FacetCounts, index: CatalogueIndex): readonly object[] {
  const { list, words } = FILTER_KINDS[filterRow(name).kind];
  const values = words?.map(({ word }) => word) ?? Array.from(counts.keys(), Number).sort((a, b) => a - b);
  const records: readonly Item[] = list === undefined ? [] : index[list].toSorted(compareNames);
  const entries: readonly (readonly [FilterValue, object])[] =
    list === undefined
      ? values.map((value) => [value, { value: String(value) }])
      : records.map(({ id, slug, name }) => [slug, { id, slug, name }]);
  return entries.flatMap(([value, record]) => (counts.has(value) ? [{ ...record, count: counts.get(value) }] : []));
}

function writeProduct(
  { row, cheapestDeal, dealCount }: SelectedProduct,
  { projection, hasPriceHistory, dealAttributes }: ProductsQuery,
  source: Source,
): string {
  const { index, fragments } = source;
  // Rows come from the same snapshot.
  const product = index.products[row] as ProductLine;
  const { attributes = [] } = projection;
  let text =
    fragments.head(row) + toUtf8(writeAttributes(row, attributes, dealCount, index) + writeGroups(projection, product));
  if (cheapestDeal !== undefined) text += writeCheapestDeal(cheapestDeal, dealAttributes, source);
  if (hasPriceHistory) text += `,"priceHistory":${writePriceHistory(product.priceHistory)}`;
  return `${text}}`;
}

/** The groups of an item of any resource: attributes by key. */
type Groups = { readonly [Name in GroupName]?: Readonly<Record<string, string | undefined>> };

/** The members of the requested groups, each with a comma before it; a requested group is always written (D6). */
function writeGroups(projection: Projection, groups: Groups): string {
  let text = '';
  for (const [name] of GROUP_ROWS) {
    const selection = projection[name];
    const group = groups[name] ?? {};
    // Keys that the record lacks are left out.
    const selected =
      selection === undefined || selection === 'whole'
        ? group
        : Object.fromEntries(selection.map((key) => [key, group[key]]));
    if (selection !== undefined) text += `,"${name}":${JSON.stringify(selected)}`;
  }
  return text;
}

/** The members that `fields` chose beside the groups, each with a comma before it, without those that the product lacks (D22). */
function writeAttributes(
  product: ProductRow,
  attributes: readonly ProductAttribute[],
  dealCount: number | undefined,
  index: CatalogueIndex,
): string {
  if (attributes.length === 0) return '';
  // Rows come from the same snapshot.
  const { condition, model } = index.products[product] as ProductLine;
  const manufacturer = index.manufacturers[index.manufacturerOfProduct[product] ?? -1];
  const values: Readonly<Record<ProductAttribute, unknown>> = {
    condition: CONDITION_LABEL[condition],
    manufacturer: manufacturer === undefined ? undefined : { name: manufacturer.name, slug: manufacturer.slug },
    model,
    dealCount,
  };
  return writeChosen(attributes, values);
}

/** The chosen members that are there, each with a comma before it. */
function writeChosen<Key extends string>(chosen: readonly Key[], values: Readonly<Record<Key, unknown>>): string {
  const members = chosen.filter((key) => values[key] !== undefined);
  return members.map((key) => `,"${key}":${JSON.stringify(values[key])}`).join('');
}

/** `cheapestDeal`, whose money is the shortest JSON numbers (spec §2.10, D11). */
function writeCheapestDeal(row: DealRow, attributes: DealAttributes, { index, fragments }: Source): string {
  const { deals } = index;
  return (
    `,"cheapestDeal":{"upfrontProductCost":${toPounds(deals.upfrontPence.at(row))},` +
    `"monthlyContractPrice":${toPounds(deals.monthlyPence.at(row))},` +
    `"totalContractCost":${toPounds(deals.totalPence.at(row))},` +
    fragments.cheapestPlan(deals.plan.at(row)) +
    fragments.cheapestRetailer(deals.retailer.at(row)) +
    `"purchaseLink":${writeLink(row, index)}${writeDealAttributes(row, attributes, index)}}`
  );
}

/** `priceHistory` of a product (D24); without points in a snapshot of an older build. */
function writePriceHistory(text: string | undefined): string {
  const points = (text === undefined ? [] : parsePriceHistory(text)).map(listPoint);
  let lowest: (typeof points)[number] | undefined;
  for (const point of points) {
    // Of equal ones the earliest.
    if ((point.totalContractCost ?? Infinity) < (lowest?.totalContractCost ?? Infinity)) lowest = point;
  }
  return JSON.stringify({
    since: points[0]?.date,
    points,
    lowest: lowest && { date: lowest.date, totalContractCost: lowest.totalContractCost },
  });
}

/** The members of a point in their order; JSON leaves out those that are undefined. */
function listPoint({ day, dealCount, prices }: PricePoint) {
  return {
    date: formatDay(day),
    totalContractCost: prices && toPounds(prices.totalPence),
    monthlyContractPrice: prices && toPounds(prices.monthlyPence),
    upfrontProductCost: prices && toPounds(prices.upfrontPence),
    dealCount,
  };
}

/** The number nearest to the amount, which JSON writes with two decimals at most. */
function toPounds(pence: number): number {
  return pence / 100;
}

/** A deal; its members come in one fixed order, whichever is fastest to write (D10). */
function writeDeal(row: DealRow, attributes: DealAttributes, { index, fragments }: Source): string {
  const { deals } = index;
  const product = deals.product.at(row);
  return (
    fragments.plan(deals.plan.at(row)) +
    fragments.retailer(deals.retailer.at(row)) +
    fragments.product(product) +
    (hasPicture(index.products[product] as ProductLine) ? '' : fragments.picture(deals.picture.at(row))) +
    fragments.gift(deals.gift.at(row)) +
    fragments.cashback(deals.cashback.at(row)) +
    `"productUpfrontCost":"${formatPence(deals.upfrontPence.at(row))}",` +
    `"supplierContractPrice":"${formatPence(deals.monthlyPence.at(row))}",` +
    `"totalDealCost":"${formatPence(deals.totalPence.at(row))}",` +
    `"dealLink":${writeLink(row, index)}${writeDealAttributes(row, attributes, index)}}`
  );
}

/** The members that `fields` chose for deals; `giftId` only where the deal has a gift of the catalogue (D26). */
function writeDealAttributes(row: DealRow, attributes: DealAttributes, { deals, products, dealGifts }: CatalogueIndex) {
  if (attributes === undefined) return '';
  // Rows come from the same snapshot.
  const product = products[deals.product.at(row)] as ProductLine;
  const values: Readonly<Record<DealAttribute, string | undefined>> = {
    productId: product.id,
    productSlug: product.slug,
    giftId: dealGifts[deals.gift.at(row) - 1]?.id,
  };
  return writeChosen(attributes, values);
}

/** The link of a deal as JSON. */
function writeLink(row: DealRow, { deals, linkTemplates }: CatalogueIndex): string {
  const { prefix, suffix } = linkTemplates[deals.linkTemplate.at(row)] as CatalogueIndex['linkTemplates'][number];
  return toUtf8(JSON.stringify(prefix + deals.linkPart.at(row) + suffix));
}

interface Item extends Groups {
  /** A manufacturer has none. */
  readonly id?: string;
  readonly name: string;
  readonly slug: string;
  /** Of a gift category. */
  readonly gifts?: unknown;
}

/** The JSON of a list that is sent whole: gifts and their categories by id, the others by name (spec §2.3, §2.4, D21). */
export function writeList({ kind, projection, hasGifts }: ListQuery, index: CatalogueIndex): string {
  const items: readonly Item[] = index[kind];
  const isById = kind === 'gifts' || kind === 'giftCategories';
  const texts = (isById ? items : items.toSorted(compareNames)).map((item) => {
    const { id, name, slug, gifts } = item;
    const head = JSON.stringify({ id, name, slug }).slice(0, -1);
    // An object holding one array named after the resource, as everywhere else in the interface (D9).
    const tail = hasGifts ? `,"gifts":${JSON.stringify({ gifts })}` : '';
    return `${head}${writeGroups(projection, item)}${tail}}`;
  });
  return `{"${kind}":[${texts.join(',')}]}`;
}

/** In lower case by code unit (D14), then by id or slug. */
function compareNames(a: Item, b: Item): number {
  return (
    compareCodeUnits(a.name.toLowerCase(), b.name.toLowerCase()) ||
    compareIds(a.id ?? '', b.id ?? '') ||
    compareCodeUnits(a.slug, b.slug)
  );
}

export type Fragments = ReturnType<typeof createFragments>;

/**
 * JSON fragments in UTF-8 that many deals share, by a number of the same snapshot: each is made when it is first used,
 * and ends with
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
function hasPicture(product: ProductLine): boolean {
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
