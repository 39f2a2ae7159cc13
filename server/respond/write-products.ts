import { formatPence } from '../../data/record/money.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import type { DealRow } from '../../data/snapshot/row.ts';
import type { GroupSelection, Projection } from '../query/projection.ts';
import type { ProductsSelection } from '../query/execute-products.ts';
import { escapeJson, type Fragments } from './fragments.ts';

/** Deals per chunk of text: about 32 KB, so that no reader holds much and no chunk takes long. */
const DEALS_PER_CHUNK = 32;

/** The JSON of a page of products, in chunks: `{"products":[…]}`, and `"deals":[…]` when deals are expanded (spec §2.1). */
export function* writeProducts(
  selection: ProductsSelection,
  projection: Projection,
  index: CatalogueIndex,
  fragments: Fragments,
): Generator<string> {
  let text = '{"products":[';
  for (const [position, product] of selection.products.entries()) {
    const cheapest = selection.cheapestDeals?.[position];
    text += `${position === 0 ? '{' : ',{'}${fragments.heads[product]}`;
    text += writeGroups(projection, index.products[product] as Groups);
    text += cheapest === undefined ? '}' : `,"cheapestDeal":{${writeCheapestDeal(cheapest, index, fragments)}}}`;
    yield text;
    text = '';
  }
  text += ']';
  if (selection.deals !== undefined) {
    text += ',"deals":[';
    for (const [position, deal] of selection.deals.entries()) {
      text += `${position === 0 ? '{' : ',{'}${writeDeal(deal, index, fragments)}}`;
      if (position % DEALS_PER_CHUNK === DEALS_PER_CHUNK - 1) {
        yield text;
        text = '';
      }
    }
    text += ']';
  }
  yield `${text}}`;
}

/** The groups of an item of any resource that may be selected. */
interface Groups {
  readonly content?: Readonly<Record<string, string | undefined>>;
  readonly pageContent?: Readonly<Record<string, string | undefined>>;
  readonly metaData?: Readonly<Record<string, string | undefined>>;
  readonly specs?: Readonly<Record<string, string | undefined>>;
  readonly images?: Readonly<Record<string, string | undefined>>;
}

const GROUPS = [
  'content',
  'pageContent',
  'metaData',
  'specs',
  'images',
] as const satisfies readonly (keyof Projection)[];

/** The members of the groups that were asked for, each beginning with a comma; an asked group is always there (D6). */
export function writeGroups(projection: Projection, groups: Groups): string {
  let text = '';
  for (const group of GROUPS) {
    const selection = projection[group];
    if (selection !== undefined) text += `,"${group}":${writeGroup(selection, groups[group] ?? {})}`;
  }
  return text;
}

function writeGroup(selection: GroupSelection<string>, group: Readonly<Record<string, string | undefined>>): string {
  if (selection === 'whole') return JSON.stringify(group);
  return JSON.stringify(
    Object.fromEntries(selection.flatMap((key) => (group[key] === undefined ? [] : [[key, group[key]]]))),
  );
}

/** The members of a deal, in the order of `DEAL_FIELDS` (spec §2.5). */
function writeDeal(row: DealRow, index: CatalogueIndex, fragments: Fragments): string {
  const { deals } = index;
  const product = fragments.products[deals.product.at(row)] as Fragments['products'][number];
  const picture = product.hasImage ? '' : `,${fragments.pictures[deals.picture.at(row)]}`;
  return (
    `${fragments.plans[deals.plan.at(row)]},${fragments.retailers[deals.retailer.at(row)]}` +
    `,${product.members}${picture},${fragments.gifts[deals.gift.at(row)]}${fragments.cashbacks[deals.cashback.at(row)]}` +
    `,"productUpfrontCost":"${formatPence(deals.upfrontPence.at(row))}"` +
    `,"supplierContractPrice":"${formatPence(deals.monthlyPence.at(row))}"` +
    `,"totalDealCost":"${formatPence(deals.totalPence.at(row))}"` +
    `,"dealLink":"${writeLink(row, index, fragments)}"`
  );
}

/** The members of `cheapestDeal`, whose money is JSON numbers (spec §2.10, D11). */
function writeCheapestDeal(row: DealRow, index: CatalogueIndex, fragments: Fragments): string {
  const { deals } = index;
  return (
    `"upfrontProductCost":${deals.upfrontPence.at(row) / 100}` +
    `,"monthlyContractPrice":${deals.monthlyPence.at(row) / 100}` +
    `,"totalContractCost":${deals.totalPence.at(row) / 100}` +
    `,${fragments.cheapestPlans[deals.plan.at(row)]},${fragments.cheapestRetailers[deals.retailer.at(row)]}` +
    `,"purchaseLink":"${writeLink(row, index, fragments)}"`
  );
}

function writeLink(row: DealRow, index: CatalogueIndex, fragments: Fragments): string {
  const template = fragments.linkTemplates[index.deals.linkTemplate.at(row)];
  return `${template?.prefix}${escapeJson(index.deals.linkPart.at(row))}${template?.suffix}`;
}
