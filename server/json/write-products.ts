import type { ProductAttribute } from '../../data/field/field.ts';
import { CONDITION_LABEL } from '../../data/record/product.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import type { DealRow, ProductRow } from '../../data/snapshot/column.ts';
import type { ProductLine } from '../../data/snapshot/format.ts';
import { formatDay, parsePriceHistory, type PricePoint } from '../../data/snapshot/price-history.ts';
import type { ProductsSelection } from '../query/execute-products.ts';
import { GROUPS, type Projection } from '../query/query.ts';
import { bytesOf, ChunkWriter } from './chunk-writer.ts';
import type { Fragments, LinkFragments } from './fragments.ts';
import { writeGroup } from './write-lists.ts';

const PRODUCTS = bytesOf('{"products":');
const DEALS = bytesOf(',"deals":');
const EMPTY_LIST = bytesOf('[]');
const END_OF_LIST = bytesOf(']');
const END_OF_ITEM = bytesOf('}');
const CHEAPEST = bytesOf(',"cheapestDeal":{"upfrontProductCost":');
const CHEAPEST_MONTHLY = bytesOf(',"monthlyContractPrice":');
const CHEAPEST_TOTAL = bytesOf(',"totalContractCost":');
const MONTHLY = bytesOf('","supplierContractPrice":"');
const TOTAL = bytesOf('","totalDealCost":"');

/**
 * The JSON of a page of products, in chunks: `{"products":[…]}`, and `"deals":[…]` when deals are expanded (spec §2.1).
 * A chunk is valid until the next one is requested, of this response or of any other.
 */
export function* writeProducts(
  selection: ProductsSelection,
  projection: Projection,
  index: CatalogueIndex,
  fragments: Fragments,
): Generator<Uint8Array> {
  const writer = new ChunkWriter();
  writer.put(PRODUCTS);
  let isEmpty = true;
  for (const [position, product] of selection.products.entries()) {
    const cheapest = selection.cheapestDeals?.[position];
    const start = writer.length;
    writer.put(fragments.heads[product] as Uint8Array);
    if (projection.attributes !== undefined) {
      const dealCount = selection.dealCounts?.[position];
      writer.put(bytesOf(writeAttributes(product, projection.attributes, dealCount, index)));
    }
    writeProductGroups(writer, product, projection, index, fragments);
    if (cheapest !== undefined) putCheapestDeal(writer, cheapest, index, fragments);
    if (selection.hasPriceHistory) {
      writer.put(bytesOf(`,"priceHistory":${writePriceHistory(index.products[product]?.priceHistory)}`));
    }
    writer.put(END_OF_ITEM);
    if (isEmpty) writer.openList(start);
    isEmpty = false;
    if (writer.isFull) yield writer.take();
  }
  writer.put(isEmpty ? EMPTY_LIST : END_OF_LIST);
  if (selection.deals !== undefined) {
    for (const product of selection.products) {
      selection.deals.prepare(product);
      // Sorting the deals of many products takes long: the sender may yield between products.
      yield writer.take();
    }
    writer.put(DEALS);
    isEmpty = true;
    for (const deal of selection.deals) {
      const start = writer.length;
      writeDeal(writer, deal, index, fragments);
      if (isEmpty) writer.openList(start);
      isEmpty = false;
      if (writer.isFull) yield writer.take();
    }
    writer.put(isEmpty ? EMPTY_LIST : END_OF_LIST);
  }
  writer.put(END_OF_ITEM);
  yield writer.take();
}

function writeProductGroups(
  writer: ChunkWriter,
  product: ProductRow,
  projection: Projection,
  index: CatalogueIndex,
  fragments: Fragments,
): void {
  for (const group of GROUPS) {
    const selection = projection[group];
    if (selection === undefined) continue;
    if (selection === 'whole') writer.put(fragments.groups.of(product, group));
    else writer.put(bytesOf(writeGroup(group, selection, index.products[product]?.[group] ?? {})));
  }
}

/** The members that `fields` chose beside the groups, each with a comma before it, without those that the product lacks (D22). */
function writeAttributes(
  product: ProductRow,
  attributes: readonly ProductAttribute[],
  dealCount: number | undefined,
  index: CatalogueIndex,
): string {
  // Rows come from the same snapshot.
  const { condition, model } = index.products[product] as ProductLine;
  const manufacturer = index.manufacturers[index.manufacturerOfProduct[product] ?? -1];
  const values: Readonly<Record<ProductAttribute, unknown>> = {
    condition: CONDITION_LABEL[condition],
    manufacturer: manufacturer === undefined ? undefined : { name: manufacturer.name, slug: manufacturer.slug },
    model,
    dealCount,
  };
  const members = attributes.filter((key) => values[key] !== undefined);
  return members.map((key) => `,"${key}":${JSON.stringify(values[key])}`).join('');
}

/** Writes `cheapestDeal` from the cache: few deals are the cheapest of a product, and they are requested often. */
function putCheapestDeal(writer: ChunkWriter, row: DealRow, index: CatalogueIndex, fragments: Fragments): void {
  const known = fragments.cheapestDeals.find(row, 0);
  if (known === undefined) {
    const start = writer.length;
    writeCheapestDeal(writer, row, index, fragments);
    fragments.cheapestDeals.set(row, 0, writer.copyFrom(start));
  } else writer.put(known);
}

/** The members of `cheapestDeal`, whose money is JSON numbers (spec §2.10, D11). */
function writeCheapestDeal(writer: ChunkWriter, row: DealRow, index: CatalogueIndex, fragments: Fragments): void {
  const { deals } = index;
  writer.put(CHEAPEST);
  writer.putNumber(deals.upfrontPence.at(row));
  writer.put(CHEAPEST_MONTHLY);
  writer.putNumber(deals.monthlyPence.at(row));
  writer.put(CHEAPEST_TOTAL);
  writer.putNumber(deals.totalPence.at(row));
  writer.put(fragments.cheapestPlans[deals.plan.at(row)] as Uint8Array);
  writer.put(fragments.cheapestRetailers[deals.retailer.at(row)] as Uint8Array);
  const link = fragments.cheapestLinks[deals.linkTemplate.at(row)] as LinkFragments;
  writer.put(link.before);
  writer.putText(deals.linkPart, row);
  writer.put(link.after);
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

/**
 * A deal with the comma before it, its members in the order of `DEAL_FIELDS` (spec §2.5). Rows come from the index of the
 * fragments, so each has its fragments.
 */
function writeDeal(writer: ChunkWriter, row: DealRow, index: CatalogueIndex, fragments: Fragments): void {
  const { deals } = index;
  writer.put(fragments.plans[deals.plan.at(row)] as Uint8Array);
  writeOffer(writer, row, index, fragments);
  writer.putAmount(deals.upfrontPence.at(row));
  writer.put(MONTHLY);
  writer.putAmount(deals.monthlyPence.at(row));
  writer.put(TOTAL);
  writer.putAmount(deals.totalPence.at(row));
  const link = fragments.dealLinks[deals.linkTemplate.at(row)] as LinkFragments;
  writer.put(link.before);
  writer.putText(deals.linkPart, row);
  writer.put(link.after);
}

/** The members between plan and prices: retailer, product and picture, gift and cashback. */
function writeOffer(writer: ChunkWriter, row: DealRow, { deals }: CatalogueIndex, fragments: Fragments): void {
  const { offers, pictures, gifts, cashbacks } = fragments;
  const product = deals.product.at(row);
  const retailer = deals.retailer.at(row);
  const gift = deals.gift.at(row);
  const cashback = deals.cashback.at(row);
  const hasImage = offers.hasImage(product);
  if (hasImage && gift === 0 && cashback === 0) {
    writer.put(offers.ofPlain(retailer, product));
    return;
  }
  writer.put(offers.of(retailer, product));
  if (!hasImage) writer.put(pictures[deals.picture.at(row)] as Uint8Array);
  writer.put(gifts[gift] as Uint8Array);
  writer.put(cashbacks[cashback] as Uint8Array);
}
