import { compareVariants, recordKey } from '../../data/record/product.ts';
import {
  MAX_LISTED_CHANGES,
  type ChangeKind,
  type ChangeKinds,
  type Changes,
  type DealIdentity,
  type PricedDeal,
  type Prices,
} from '../../data/snapshot/changes.ts';
import type { ProductLine } from '../../data/snapshot/format.ts';
import type { SnapshotLines } from '../../data/store/lines.ts';
import { Dictionary } from '../deals/dictionaries.ts';
import {
  dealKeyOf,
  findKeptDeals,
  MovedCandidates,
  NO_DEALS,
  readProductDeals,
  type ComparedDeal,
  type ComparedProduct,
} from './product-deals.ts';

type Compared = Pick<Changes, 'before' | 'after'> & ChangeKinds;

type Listed<Kind extends ChangeKind> = ChangeKinds[Kind]['items'][number];

const EMPTY: SnapshotLines = (file) =>
  file === 'dictionaries.json' ? ['{"networks":[],"retailers":[],"plans":[],"gifts":[],"cashbacks":[]}'] : [];

/**
 * Compares two snapshots. Both are read side by side, product by product: once as if no deal had moved to another
 * product, and again only when that may have happened. Memory holds the deals of one product, the capped lists, eight
 * bytes for each deal that a product won or lost, and moved deals that were met on one side only. Without `before`
 * everything is new.
 */
export function compareSnapshots(
  before: SnapshotLines | undefined,
  after: SnapshotLines,
  maxListed = MAX_LISTED_CHANGES,
): Compared {
  const candidates = new MovedCandidates();
  const unmoved = new ChangeCollector(() => false, maxListed);
  for (const pair of pairProducts(before ?? EMPTY, after)) {
    const deals = pairDeals(pair);
    unmoved.take(pair, deals);
    if (before === undefined) continue;
    for (const deal of deals.gone) candidates.addGone(deal);
    for (const deal of deals.added) candidates.addNew(deal);
  }
  const mayHaveMoved = candidates.finish();
  if (mayHaveMoved === undefined) return unmoved.finish();
  const collector = new ChangeCollector(mayHaveMoved, maxListed);
  for (const pair of pairProducts(before ?? EMPTY, after)) collector.take(pair, pairDeals(pair));
  return collector.finish();
}

/** The two sides of a variant. At least one is there. */
interface ProductPair {
  readonly before?: ComparedProduct;
  readonly after?: ComparedProduct;
}

/** Every variant of either snapshot, in their common order. */
function* pairProducts(before: SnapshotLines, after: SnapshotLines): Generator<ProductPair> {
  const texts = new Dictionary<string>();
  const older = readProductDeals(before, texts);
  const newer = readProductDeals(after, texts);
  let a = older.next();
  let b = newer.next();
  while (a.done !== true || b.done !== true) {
    const order = a.done === true ? 1 : b.done === true ? -1 : compareVariants(a.value.product, b.value.product);
    yield {
      ...(a.done !== true && order <= 0 ? { before: a.value } : {}),
      ...(b.done !== true && order >= 0 ? { after: b.value } : {}),
    };
    if (order <= 0) a = older.next();
    if (order >= 0) b = newer.next();
  }
}

/** A deal of both sides that has changed, and its position in the newer snapshot. */
interface ChangedDeal {
  readonly before: ComparedDeal;
  readonly after: ComparedDeal;
  readonly position: number;
}

interface DealPairs {
  readonly changed: readonly ChangedDeal[];
  readonly gone: readonly ComparedDeal[];
  readonly added: readonly ComparedDeal[];
}

/** The deals of one product in order of rank; those that are gone in the order of the older snapshot. */
function pairDeals({ before, after }: ProductPair): DealPairs {
  const older = before?.deals ?? NO_DEALS;
  const newer = after?.deals ?? NO_DEALS;
  const { olderOf, isKept } = findKeptDeals(older, newer);
  const changed: ChangedDeal[] = [];
  const added: ComparedDeal[] = [];
  for (const [position, same] of olderOf.entries()) {
    if (same === -1) added.push(newer.at(position));
    else if (!newer.isUnchanged(position, older, same))
      changed.push({ before: older.at(same), after: newer.at(position), position });
  }
  const gone: ComparedDeal[] = [];
  for (const [position, kept] of isKept.entries()) {
    if (kept === 0) gone.push(older.at(position));
  }
  return { changed, gone, added };
}

/** A deal that one product lost or won, until it is found on the other side. */
interface UnpairedDeal {
  readonly deal: ComparedDeal;
  readonly tally: ProductTally;
  readonly position: number;
}

/** The side of an unpaired deal: its product lost it, or won it. */
type Side = 'gone' | 'new';

/** The changes of the deals of one product. */
interface ProductTally {
  /** Position among all products of both snapshots. */
  readonly order: number;
  readonly product: string;
  readonly name: string;
  readonly dealsBefore: number;
  readonly dealsAfter: number;
  new: number;
  gone: number;
  moved: number;
  repriced: number;
  changed: number;
}

class ChangeCollector {
  readonly #mayHaveMoved: (deal: ComparedDeal) => boolean;
  readonly #lists: { readonly [Kind in ChangeKind]: TopList<Listed<Kind>> };
  readonly #before = { products: 0, deals: 0 };
  readonly #after = { products: 0, deals: 0 };
  readonly #unpaired = { gone: new Map<string, UnpairedDeal>(), new: new Map<string, UnpairedDeal>() };
  /** Products with a deal that may have moved: the changes of their deals are known only at the end. */
  readonly #waiting = new Set<ProductTally>();
  #productCount = 0;

  constructor(mayHaveMoved: (deal: ComparedDeal) => boolean, maxListed: number) {
    this.#mayHaveMoved = mayHaveMoved;
    this.#lists = {
      productsNew: new TopList(maxListed),
      productsGone: new TopList(maxListed),
      productsChanged: new TopList(maxListed),
      dealsNew: new TopList(maxListed),
      dealsGone: new TopList(maxListed),
      dealsMoved: new TopList(maxListed),
      dealsRepriced: new TopList(maxListed),
      dealsChanged: new TopList(maxListed),
      cheapestChanged: new TopList(maxListed),
      byProduct: new TopList(maxListed),
    };
  }

  take(pair: ProductPair, deals: DealPairs): void {
    const { before, after } = pair;
    const shown = (after ?? before) as ComparedProduct;
    const tally: ProductTally = {
      order: this.#productCount++,
      product: recordKey(shown.product),
      name: shown.product.name,
      dealsBefore: before?.deals.count ?? 0,
      dealsAfter: after?.deals.count ?? 0,
      new: 0,
      gone: 0,
      moved: 0,
      repriced: 0,
      changed: 0,
    };
    countProduct(this.#before, before);
    countProduct(this.#after, after);
    this.#takeProduct(pair, tally);
    this.#takeDeals(deals, tally);
    this.#takeCheapest(pair, tally);
    if (!this.#waiting.has(tally)) this.#listTally(tally);
  }

  finish(): Compared {
    for (const side of ['gone', 'new'] as const) {
      for (const unpaired of this.#unpaired[side].values()) this.#addUnpaired(side, unpaired);
    }
    for (const tally of this.#waiting) this.#listTally(tally);
    // Each list is under its own kind.
    const kinds = Object.fromEntries(Object.entries(this.#lists).map(([kind, list]) => [kind, list.finish()]));
    return { before: this.#before, after: this.#after, ...(kinds as unknown as ChangeKinds) };
  }

  #takeProduct({ before, after }: ProductPair, { product, name, order }: ProductTally): void {
    if (before === undefined) this.#lists.productsNew.add([order], () => ({ product, name }));
    else if (after === undefined) this.#lists.productsGone.add([order], () => ({ product, name }));
    else {
      const fields = listChangedKeys(before.product, after.product);
      if (fields.length > 0)
        this.#lists.productsChanged.add([order], () => ({
          product,
          name,
          fields,
          ...describeRename(before.product, after.product),
        }));
    }
  }

  #takeDeals({ changed, gone, added }: DealPairs, tally: ProductTally): void {
    for (const deal of changed) this.#takeChanged(deal, tally);
    gone.forEach((deal, position) => this.#takeUnpaired('gone', { deal, tally, position }));
    added.forEach((deal, position) => this.#takeUnpaired('new', { deal, tally, position }));
  }

  /** A deal that may have moved waits for the same deal of the other side. */
  #takeUnpaired(side: Side, unpaired: UnpairedDeal): void {
    if (!this.#mayHaveMoved(unpaired.deal)) return this.#addUnpaired(side, unpaired);
    const identity = dealKeyOf(unpaired.deal);
    const others = this.#unpaired[side === 'gone' ? 'new' : 'gone'];
    const other = others.get(identity);
    others.delete(identity);
    if (other === undefined) this.#unpaired[side].set(identity, unpaired);
    else if (side === 'gone') this.#addMoved(unpaired, other);
    else this.#addMoved(other, unpaired);
    this.#waiting.add(unpaired.tally);
  }

  #takeChanged({ before, after, position }: ChangedDeal, tally: ProductTally): void {
    const { product, order } = tally;
    if (!isSamePrice(before, after)) {
      tally.repriced++;
      const move = Math.abs(after.totalPence - before.totalPence);
      this.#lists.dealsRepriced.add([-move, order, position], () => ({
        product,
        deal: toIdentity(after),
        from: pricesOf(before),
        to: pricesOf(after),
      }));
    }
    const fields = (['plan', 'gift', 'cashback'] as const).filter((field) => before[field] !== after[field]);
    if (fields.length > 0) {
      tally.changed++;
      this.#lists.dealsChanged.add([order, position], () => ({ product, deal: toIdentity(after), fields }));
    }
  }

  #addUnpaired(side: Side, { deal, tally, position }: UnpairedDeal): void {
    tally[side]++;
    const list = this.#lists[side === 'gone' ? 'dealsGone' : 'dealsNew'];
    list.add([tally.order, position], () => ({ product: tally.product, deal: pricedDeal(deal) }));
  }

  #addMoved(lost: UnpairedDeal, won: UnpairedDeal): void {
    lost.tally.moved++;
    won.tally.moved++;
    this.#lists.dealsMoved.add([won.tally.order, won.position], () => ({
      deal: toIdentity(won.deal),
      from: { product: lost.tally.product, ...pricesOf(lost.deal) },
      to: { product: won.tally.product, ...pricesOf(won.deal) },
    }));
  }

  #takeCheapest({ before, after }: ProductPair, { product, name, order }: ProductTally): void {
    const from = firstDealOf(before);
    const to = firstDealOf(after);
    if (from === undefined && to === undefined) return;
    if (from !== undefined && to !== undefined && dealKeyOf(from) === dealKeyOf(to) && isSamePrice(from, to)) return;
    this.#lists.cheapestChanged.add([order], () => ({
      product,
      name,
      ...(from === undefined ? {} : { from: pricedDeal(from) }),
      ...(to === undefined ? {} : { to: pricedDeal(to) }),
    }));
  }

  #listTally({ order, ...tally }: ProductTally): void {
    const changeCount = tally.new + tally.gone + tally.moved + tally.repriced + tally.changed;
    if (changeCount > 0) this.#lists.byProduct.add([-changeCount, order], () => tally);
  }
}

function countProduct(totals: { products: number; deals: number }, product: ComparedProduct | undefined): void {
  if (product === undefined) return;
  totals.products++;
  totals.deals += product.deals.count;
}

function firstDealOf(product: ComparedProduct | undefined): ComparedDeal | undefined {
  return product === undefined || product.deals.count === 0 ? undefined : product.deals.at(0);
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
  return renamed.length === 0
    ? {}
    : { renamed: Object.fromEntries(renamed) as Listed<'productsChanged'>['renamed'] & object };
}

function isSamePrice(a: Prices, b: Prices): boolean {
  return a.upfrontPence === b.upfrontPence && a.monthlyPence === b.monthlyPence && a.totalPence === b.totalPence;
}

function toIdentity({ source, retailer, key }: ComparedDeal): DealIdentity {
  return { source, retailer, key };
}

function pricesOf({ upfrontPence, monthlyPence, totalPence }: ComparedDeal): Prices {
  return { upfrontPence, monthlyPence, totalPence };
}

function pricedDeal(deal: ComparedDeal): PricedDeal {
  return { ...toIdentity(deal), ...pricesOf(deal) };
}

/**
 * The first `limit` of any number of items, by `order`, and the count of all: memory does not grow with what is added.
 * Items with equal `order` stay in the order of insertion.
 */
class TopList<Item> {
  readonly #limit: number;
  readonly #entries: { readonly item: Item; readonly order: readonly number[] }[] = [];
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * `order` is compared number by number; lower comes first. Every item of a list has equally many. `makeItem` is
   * called only for an item among the first: for nearly none of a million new deals.
   */
  add(order: readonly number[], makeItem: () => Item): void {
    this.#count++;
    const last = this.#entries.at(-1);
    const isFull = this.#entries.length >= this.#limit;
    if (isFull && (last === undefined || compareNumbers(last.order, order) <= 0)) return;
    let position = this.#entries.length;
    while (position > 0 && compareNumbers(this.#entries[position - 1]?.order ?? [], order) > 0) position--;
    this.#entries.splice(position, 0, { item: makeItem(), order });
    if (isFull) this.#entries.pop();
  }

  finish(): { readonly count: number; readonly omitted: number; readonly items: Item[] } {
    const items = this.#entries.map(({ item }) => item);
    return { count: this.#count, omitted: this.#count - items.length, items };
  }
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let position = 0; position < a.length; position++) {
    const difference = (a[position] as number) - (b[position] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}
