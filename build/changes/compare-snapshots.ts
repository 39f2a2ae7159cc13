import { compareVariants, recordKey } from '../../data/record/product.ts';
import {
  changeKindsSchema,
  MAX_LISTED_CHANGES,
  type ChangeKind,
  type ChangeKinds,
  type Changes,
  type DealIdentity,
  type PricedDeal,
  type Prices,
} from '../../data/snapshot/changes.ts';
import type { ProductLine } from '../../data/snapshot/format.ts';
import { parseLines, readDealLines, readDictionaries, type SnapshotLines } from '../../data/store/lines.ts';
import { GrowableNumberColumn } from '../deals/columns.ts';
import { Dictionary } from '../deals/dictionaries.ts';
import { HashIndex, hashText } from '../deals/hash-index.ts';

type Compared = Pick<Changes, 'before' | 'after'> & ChangeKinds;

type Listed<Kind extends ChangeKind> = ChangeKinds[Kind]['items'][number];

const EMPTY: SnapshotLines = (file) =>
  file === 'dictionaries.json' ? ['{"networks":[],"retailers":[],"plans":[],"gifts":[],"cashbacks":[]}'] : [];

/**
 * Compares two snapshots: first their products, side by side, then each deal of the newer with the one of the older that
 * has its identity. The older deals are in memory as columns, 50 bytes a deal. An identity is a hash of 53 bits: among a
 * million deals, two share one in 20,000 comparisons. Without `before` everything is new.
 */
export function compareSnapshots(
  before: SnapshotLines = EMPTY,
  after: SnapshotLines,
  maxListed = MAX_LISTED_CHANGES,
): Compared {
  // Every kind has its list.
  const lists = Object.fromEntries(
    Object.keys(changeKindsSchema.shape).map((kind) => [kind, new CappedList(maxListed)]),
  ) as unknown as Lists;
  const products = compareProducts(before, after, lists);
  compareDeals(before, after, products, lists);
  for (const { cheapestBefore, cheapestAfter, ...tally } of products.all) {
    const { product, name } = tally;
    if (JSON.stringify(cheapestBefore) !== JSON.stringify(cheapestAfter)) {
      const from = cheapestBefore === undefined ? {} : { from: cheapestBefore };
      const to = cheapestAfter === undefined ? {} : { to: cheapestAfter };
      lists.cheapestChanged.add(() => ({ product, name, ...from, ...to }));
    }
    const changeCount = tally.new + tally.gone + tally.moved + tally.repriced + tally.changed;
    if (changeCount > 0) lists.byProduct.add(() => tally, changeCount);
  }
  const countDeals = (side: 'dealsBefore' | 'dealsAfter') => products.all.reduce((sum, tally) => sum + tally[side], 0);
  const kinds = Object.fromEntries(Object.entries(lists).map(([kind, list]) => [kind, list.finish()]));
  return {
    before: { products: products.before.length, deals: countDeals('dealsBefore') },
    after: { products: products.after.length, deals: countDeals('dealsAfter') },
    // Each list is under its own kind.
    ...(kinds as unknown as ChangeKinds),
  };
}

/** The changes of the deals of one product. */
interface ProductTally extends Listed<'byProduct'> {
  cheapestBefore?: PricedDeal;
  cheapestAfter?: PricedDeal;
}

/** The products of both snapshots, and of each by row, in order of numeric id, new before refurbished. */
interface ComparedProducts {
  readonly all: ProductTally[];
  readonly before: ProductTally[];
  readonly after: ProductTally[];
}

function compareProducts(before: SnapshotLines, after: SnapshotLines, lists: Lists): ComparedProducts {
  const products: ComparedProducts = { all: [], before: [], after: [] };
  for (const { older, newer } of pairProducts(before, after)) {
    const shown = (newer ?? older) as ProductLine;
    const { name } = shown;
    const product = recordKey(shown);
    const counts = { dealsBefore: 0, dealsAfter: 0, new: 0, gone: 0, moved: 0, repriced: 0, changed: 0 };
    const tally: ProductTally = { product, name, ...counts };
    products.all.push(tally);
    if (older !== undefined) products.before.push(tally);
    if (newer !== undefined) products.after.push(tally);
    if (older === undefined) lists.productsNew.add(() => ({ product, name }));
    else if (newer === undefined) lists.productsGone.add(() => ({ product, name }));
    else {
      const fields = listChangedKeys(older, newer);
      const renamed = () => describeRename(older, newer);
      if (fields.length > 0) lists.productsChanged.add(() => ({ product, name, fields, ...renamed() }));
    }
  }
  return products;
}

interface ProductPair {
  readonly older: ProductLine | undefined;
  readonly newer: ProductLine | undefined;
}

/** Every variant of either snapshot, in their common order. */
function* pairProducts(before: SnapshotLines, after: SnapshotLines): Generator<ProductPair> {
  const older = parseLines<ProductLine>(before('products.ndjson'), 'products.ndjson');
  const newer = parseLines<ProductLine>(after('products.ndjson'), 'products.ndjson');
  let a = older.next().value;
  let b = newer.next().value;
  while (a !== undefined || b !== undefined) {
    const order = a === undefined ? 1 : b === undefined ? -1 : compareVariants(a, b);
    yield { older: order <= 0 ? a : undefined, newer: order >= 0 ? b : undefined };
    if (order <= 0) a = older.next().value;
    if (order >= 0) b = newer.next().value;
  }
}

function listChangedKeys(before: ProductLine, after: ProductLine): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof ProductLine>;
  // It follows from the deals, whose changes have lists of their own.
  keys.delete('priceHistory');
  return [...keys].filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key])).sort();
}

/** The old and new names of a product, where they differ. */
function describeRename(before: ProductLine, after: ProductLine): Pick<Listed<'productsChanged'>, 'renamed'> {
  const renamed = (['name', 'slug'] as const)
    .filter((field) => before[field] !== after[field])
    .map((field) => [field, { from: before[field], to: after[field] }]);
  return renamed.length === 0 ? {} : { renamed: Object.fromEntries(renamed) as object };
}

const PRICES = ['upfrontPence', 'monthlyPence', 'totalPence'] as const;
const TERMS = ['plan', 'gift', 'cashback'] as const;
const COLUMNS = ['product', ...PRICES, ...TERMS] as const;
type Column = (typeof COLUMNS)[number];

/** A deal with the row of its product, and the numbers of its terms, which are the same in both snapshots. */
interface ComparedDeal extends DealIdentity, Readonly<Record<Column, number>> {}

function compareDeals(before: SnapshotLines, after: SnapshotLines, products: ComparedProducts, lists: Lists): void {
  const texts = new Dictionary<string>();
  const olderRows = new HashIndex();
  const older = Object.fromEntries(COLUMNS.map((name) => [name, new GrowableNumberColumn(name)])) as Record<
    Column,
    GrowableNumberColumn
  >;
  for (const deal of readDeals(before, texts)) {
    const tally = products.before[deal.product] as ProductTally;
    tally.dealsBefore++;
    // The deals of a product are in order of rank.
    tally.cheapestBefore ??= pricedDeal(deal);
    olderRows.set(hashDeal(deal), older.product.rowCount);
    for (const name of COLUMNS) older[name].append(deal[name]);
  }

  const isKept = new Uint8Array(older.product.rowCount);
  for (const deal of readDeals(after, texts)) {
    const tally = products.after[deal.product] as ProductTally;
    const { product } = tally;
    tally.dealsAfter++;
    tally.cheapestAfter ??= pricedDeal(deal);
    const row = olderRows.get(hashDeal(deal));
    if (row === undefined) {
      tally.new++;
      lists.dealsNew.add(() => ({ product, deal: pricedDeal(deal) }));
      continue;
    }
    isKept[row] = 1;
    const pricesBefore = (): Prices => ({
      upfrontPence: older.upfrontPence.at(row),
      monthlyPence: older.monthlyPence.at(row),
      totalPence: older.totalPence.at(row),
    });
    const lost = products.before[older.product.at(row)] as ProductTally;
    if (lost !== tally) {
      lost.moved++;
      tally.moved++;
      const from = () => ({ product: lost.product, ...pricesBefore() });
      lists.dealsMoved.add(() => ({ deal: toIdentity(deal), from: from(), to: { product, ...pricesOf(deal) } }));
      continue;
    }
    if (PRICES.some((name) => older[name].at(row) !== deal[name])) {
      tally.repriced++;
      const move = Math.abs(deal.totalPence - older.totalPence.at(row));
      const item = () => ({ product, deal: toIdentity(deal), from: pricesBefore(), to: pricesOf(deal) });
      lists.dealsRepriced.add(item, move);
    }
    const fields = TERMS.filter((name) => older[name].at(row) !== deal[name]);
    if (fields.length > 0) {
      tally.changed++;
      lists.dealsChanged.add(() => ({ product, deal: toIdentity(deal), fields }));
    }
  }

  if (isKept.every((kept) => kept === 1)) return;
  let row = 0;
  for (const deal of readDeals(before, texts)) {
    if (isKept[row++] === 1) continue;
    const tally = products.before[deal.product] as ProductTally;
    tally.gone++;
    lists.dealsGone.add(() => ({ product: tally.product, deal: pricedDeal(deal) }));
  }
}

/** Codes of one snapshot mean nothing in another, so both get the numbers of `texts`. */
function* readDeals(lines: SnapshotLines, texts: Dictionary<string>): Generator<ComparedDeal> {
  const { networks, retailers, plans, gifts, cashbacks } = readDictionaries(lines);
  const numberOf = (text: string): number => texts.codeOf(text, text);
  const planNumbers = plans.map((plan) => numberOf(JSON.stringify({ ...plan, network: networks[plan.network]?.slug })));
  // Code 0 is none.
  const giftNumbers = ['', ...gifts.map(({ name }) => name)].map(numberOf);
  const cashbackNumbers = ['', ...cashbacks.map(({ type, valuePence }) => `${valuePence} ${type}`)].map(numberOf);
  for (const { deals, provenance } of readDealLines(lines)) {
    // The arrays of a published line have equal lengths, and their codes have entries.
    for (let i = 0; i < provenance.key.length; i++) {
      yield {
        product: deals.product,
        source: provenance.source[i] as string,
        retailer: retailers[deals.retailer[i] as number]?.slug as string,
        key: provenance.key[i] as string,
        upfrontPence: deals.upfrontPence[i] as number,
        monthlyPence: deals.monthlyPence[i] as number,
        totalPence: deals.totalPence[i] as number,
        plan: planNumbers[deals.plan[i] as number] as number,
        gift: giftNumbers[deals.gift?.[i] ?? 0] as number,
        cashback: cashbackNumbers[deals.cashback?.[i] ?? 0] as number,
      };
    }
  }
}

/** The same for the same deal in every snapshot. */
function hashDeal({ source, retailer, key }: ComparedDeal): number {
  return hashText(`${source} ${retailer} ${key}`, 0);
}

function toIdentity({ source, retailer, key }: ComparedDeal): DealIdentity {
  return { source, retailer, key };
}

function pricesOf({ upfrontPence, monthlyPence, totalPence }: Prices): Prices {
  return { upfrontPence, monthlyPence, totalPence };
}

function pricedDeal(deal: ComparedDeal): PricedDeal {
  return { ...toIdentity(deal), ...pricesOf(deal) };
}

type Lists = { readonly [Kind in ChangeKind]: CappedList<Listed<Kind>> };

/** Counts all items that are added, and keeps the first `limit`: the heaviest, and of equal ones those that came first. */
class CappedList<Item> {
  readonly #limit: number;
  readonly #kept: { readonly item: Item; readonly weight: number }[] = [];
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** `makeItem` is called only for an item that is kept: for nearly none of a million new deals. */
  add(makeItem: () => Item, weight = 0): void {
    this.#count++;
    const isFull = this.#kept.length >= this.#limit;
    if (isFull && weight <= (this.#kept.at(-1)?.weight ?? weight)) return;
    const position = 1 + this.#kept.findLastIndex((other) => other.weight >= weight);
    this.#kept.splice(position, 0, { item: makeItem(), weight });
    if (isFull) this.#kept.pop();
  }

  finish(): { readonly count: number; readonly omitted: number; readonly items: Item[] } {
    const items = this.#kept.map(({ item }) => item);
    return { count: this.#count, omitted: this.#count - items.length, items };
  }
}
