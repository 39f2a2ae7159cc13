import { compareVariants, recordKey } from '../../data/record/product.ts';
import {
  changeKindsSchema,
  changesSchema,
  MAX_LISTED_CHANGES,
  type ChangeKind,
  type ChangeKinds,
  type Changes,
  type DealIdentity,
  type PricedDeal,
} from '../../data/snapshot/changes.ts';
import type { Manifest, ProductLine } from '../../data/snapshot/format.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { openSnapshotLines, parseLines, readPublishedValue, type SnapshotLines } from '../../data/store/lines.ts';
import { readDeals, type PublishedDeal } from '../../data/store/published-deals.ts';
import { readCurrent, readManifest } from '../../data/store/snapshots.ts';
import { pick } from '../source/record.ts';

type Compared = Pick<Changes, 'before' | 'after'> & ChangeKinds;

type Listed<Kind extends ChangeKind> = ChangeKinds[Kind]['items'][number];

type Lists = { readonly [Kind in ChangeKind]: CappedList<Listed<Kind>> };

const PRICES = ['upfrontPence', 'monthlyPence', 'totalPence'] as const;

/** What a deal says besides its price, as texts. */
const TERMS = {
  plan: ({ plan, network }: PublishedDeal) => JSON.stringify({ ...plan, network: network.slug }),
  gift: ({ gift }: PublishedDeal) => gift?.name,
  cashback: ({ cashback }: PublishedDeal) => JSON.stringify(cashback),
};
const TERM_NAMES = Object.keys(TERMS) as (keyof typeof TERMS)[];

/** A variant with its deals in order of rank. */
interface ComparedProduct {
  readonly line: ProductLine;
  readonly deals: readonly PublishedDeal[];
}

/** A deal that one of the snapshots does not have under this product. */
interface UnpairedDeal {
  readonly product: Listed<'byProduct'>;
  readonly deal: PublishedDeal;
}

/**
 * Compares two snapshots product by product, in their common order. In memory are only the deals that one of them has
 * under another product or not at all. Without `before` everything is new.
 */
export function compareSnapshots(
  before: SnapshotLines | undefined,
  after: SnapshotLines,
  maxListed = MAX_LISTED_CHANGES,
): Compared {
  // Every kind has its list.
  const lists = Object.fromEntries(
    Object.keys(changeKindsSchema.shape).map((kind) => [kind, new CappedList(maxListed)]),
  ) as unknown as Lists;
  const totals = { before: { products: 0, deals: 0 }, after: { products: 0, deals: 0 } };
  const products: Listed<'byProduct'>[] = [];
  const left = new Map<string, UnpairedDeal>();
  const arrived = new Map<string, UnpairedDeal>();
  for (const [older, newer] of pairProducts(before, after)) {
    const product = compareProducts(older, newer, lists);
    products.push(product);
    totals.before.products += older === undefined ? 0 : 1;
    totals.before.deals += product.dealsBefore;
    totals.after.products += newer === undefined ? 0 : 1;
    totals.after.deals += product.dealsAfter;
    for (const deal of older?.deals ?? []) left.set(keyOf(deal), { product, deal });
    for (const deal of newer?.deals ?? []) {
      const key = keyOf(deal);
      const was = left.get(key);
      // With nothing before, nothing has moved: a million deals need not wait.
      if (before === undefined) countDeal('new', { product, deal }, lists.dealsNew);
      else if (was?.product !== product) arrived.set(key, { product, deal });
      else {
        left.delete(key);
        compareDeals(product, was.deal, deal, lists);
      }
    }
  }
  for (const [key, to] of arrived) {
    const from = left.get(key);
    left.delete(key);
    if (from === undefined) countDeal('new', to, lists.dealsNew);
    else countMove(from, to, lists.dealsMoved);
  }
  for (const deal of left.values()) countDeal('gone', deal, lists.dealsGone);
  for (const product of products) {
    const changeCount = product.new + product.gone + product.moved + product.repriced + product.changed;
    if (changeCount > 0) lists.byProduct.add(() => product, changeCount);
  }
  const kinds = Object.fromEntries(Object.entries(lists).map(([kind, list]) => [kind, list.finish()]));
  // Each list is under its own kind.
  return { ...totals, ...(kinds as unknown as ChangeKinds) };
}

/**
 * `changes.json` of a snapshot that is about to be published: its differences from the current one. A current snapshot
 * that is damaged, or of another format version, cannot be compared, and does not stop publishing.
 */
export function compareWithCurrent(store: string, after: SnapshotLines): Changes {
  const from = readCurrent(store);
  if (from === undefined) return { reason: 'nothing was published before', ...compareSnapshots(undefined, after) };
  let before: SnapshotLines;
  try {
    before = openSnapshotLines(store, readManifest(store, from));
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    // The code and not the sentence, because published files hold no path of the machine.
    const reason = `the snapshot before, ${from}, cannot be compared with: ${error.code}`;
    return { reason, ...compareSnapshots(undefined, after) };
  }
  return { from, ...compareSnapshots(before, after) };
}

/**
 * The changes with which a snapshot was published.
 * @throws {SnapshotError} when the file is not what was published
 */
export function readPublishedChanges(store: string, manifest: Manifest): Changes {
  return readPublishedValue(store, manifest, 'changes.json', changesSchema);
}

/** Every variant of either snapshot, older beside newer: by numeric id, new before refurbished. */
function* pairProducts(
  before: SnapshotLines | undefined,
  after: SnapshotLines,
): Generator<readonly [older: ComparedProduct | undefined, newer: ComparedProduct | undefined]> {
  const older = readProducts(before);
  const newer = readProducts(after);
  let a = older.next().value;
  let b = newer.next().value;
  while (a !== undefined || b !== undefined) {
    const order = a === undefined ? 1 : b === undefined ? -1 : compareVariants(a.line, b.line);
    yield [order <= 0 ? a : undefined, order >= 0 ? b : undefined];
    if (order <= 0) a = older.next().value;
    if (order >= 0) b = newer.next().value;
  }
}

function* readProducts(lines: SnapshotLines | undefined): Generator<ComparedProduct, undefined> {
  if (lines === undefined) return;
  const published = readDeals(lines);
  let next = published.next().value;
  let row = 0;
  for (const line of parseLines<ProductLine>(lines('products.ndjson'), 'products.ndjson')) {
    const deals: PublishedDeal[] = [];
    for (; next?.productRow === row; next = published.next().value) deals.push(next);
    yield { line, deals };
    row++;
  }
}

/** The same for the same deal in every snapshot. */
function keyOf({ feed, retailer, key }: PublishedDeal): string {
  return `${feed} ${retailer.slug} ${key}`;
}

function identityOf({ feed, retailer, key }: PublishedDeal): DealIdentity {
  return { source: feed, retailer: retailer.slug, key };
}

/** Lists what differs of a variant, and begins to count what differs of its deals. */
function compareProducts(
  older: ComparedProduct | undefined,
  newer: ComparedProduct | undefined,
  lists: Lists,
): Listed<'byProduct'> {
  const { line } = (newer ?? older) as ComparedProduct;
  const names = { product: recordKey(line), name: line.name };
  if (older === undefined) lists.productsNew.add(() => names);
  else if (newer === undefined) lists.productsGone.add(() => names);
  else {
    const fields = listChangedKeys(older.line, newer.line);
    const renamed = () => findRenamed(older.line, newer.line);
    if (fields.length > 0) lists.productsChanged.add(() => ({ ...names, fields, ...renamed() }));
  }
  const [from, to] = [older, newer].map((product) => product?.deals[0] && toPricedDeal(product.deals[0]));
  if (JSON.stringify(from) !== JSON.stringify(to)) lists.cheapestChanged.add(() => ({ ...names, from, to }));
  const [dealsBefore, dealsAfter] = [older?.deals.length ?? 0, newer?.deals.length ?? 0];
  return { ...names, dealsBefore, dealsAfter, new: 0, gone: 0, moved: 0, repriced: 0, changed: 0 };
}

function listChangedKeys(before: ProductLine, after: ProductLine): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof ProductLine>;
  // It follows from the deals, whose changes have lists of their own.
  keys.delete('priceHistory');
  return [...keys].filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key])).sort();
}

/** The old and new names of a product, where they differ. */
function findRenamed(before: ProductLine, after: ProductLine): Pick<Listed<'productsChanged'>, 'renamed'> {
  const renamed = (['name', 'slug'] as const)
    .filter((field) => before[field] !== after[field])
    .map((field) => [field, { from: before[field], to: after[field] }]);
  return renamed.length === 0 ? {} : { renamed: Object.fromEntries(renamed) as object };
}

/** Compares a deal with the one that its product had under the same key. */
function compareDeals(counts: Listed<'byProduct'>, from: PublishedDeal, to: PublishedDeal, lists: Lists): void {
  const { product } = counts;
  if (PRICES.some((name) => from[name] !== to[name])) {
    counts.repriced++;
    const move = Math.abs(to.totalPence - from.totalPence);
    lists.dealsRepriced.add(
      () => ({ product, deal: identityOf(to), from: pick(from, PRICES), to: pick(to, PRICES) }),
      move,
    );
  }
  const fields = TERM_NAMES.filter((name) => TERMS[name](from) !== TERMS[name](to));
  if (fields.length > 0) {
    counts.changed++;
    lists.dealsChanged.add(() => ({ product, deal: identityOf(to), fields }));
  }
}

function countDeal(kind: 'new' | 'gone', { product, deal }: UnpairedDeal, list: Lists['dealsNew']): void {
  product[kind]++;
  list.add(() => ({ product: product.product, deal: toPricedDeal(deal) }));
}

function countMove(from: UnpairedDeal, to: UnpairedDeal, list: Lists['dealsMoved']): void {
  from.product.moved++;
  to.product.moved++;
  const sideOf = ({ product: { product }, deal }: UnpairedDeal) => ({ product, ...pick(deal, PRICES) });
  list.add(() => ({ deal: identityOf(to.deal), from: sideOf(from), to: sideOf(to) }));
}

function toPricedDeal(deal: PublishedDeal): PricedDeal {
  return { ...identityOf(deal), ...pick(deal, PRICES) };
}

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
    if (weight <= (this.#kept[this.#limit - 1]?.weight ?? -1)) return;
    this.#kept.push({ item: makeItem(), weight });
    this.#kept.sort((a, b) => b.weight - a.weight).splice(this.#limit);
  }

  finish(): { readonly count: number; readonly omitted: number; readonly items: Item[] } {
    const items = this.#kept.map(({ item }) => item);
    return { count: this.#count, omitted: this.#count - items.length, items };
  }
}
