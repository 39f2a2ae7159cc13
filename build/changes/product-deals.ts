import { compareIds } from '../../data/record/id.ts';
import { CONDITIONS } from '../../data/record/product.ts';
import type { PricedDeal } from '../../data/snapshot/changes.ts';
import type { DealsLine, Dictionaries, ProductLine, ProvenanceLine } from '../../data/snapshot/format.ts';
import type { SnapshotLines } from '../store/lines.ts';

/** A deal as it is compared: rows and numbers of one snapshot mean nothing in another, so it holds texts. */
export interface ComparedDeal extends PricedDeal {
  readonly plan: string;
  readonly gift: string;
  readonly cashback: string;
}

/** A product with its deals, in order of rank. */
export interface ComparedProduct {
  readonly product: ProductLine;
  readonly deals: readonly ComparedDeal[];
}

/** The products of a snapshot in order of numeric id, new before refurbished; never more than one in memory. */
export function* readProductDeals(lines: SnapshotLines): Generator<ComparedProduct> {
  const texts = describeDictionaries(parseDictionaries(lines('dictionaries.json')));
  const deals = new Peekable(parseEach<DealsLine>(lines('deals.ndjson')));
  const provenance = new Peekable(parseEach<ProvenanceLine>(lines('provenance.ndjson')));
  let row = 0;
  for (const product of parseEach<ProductLine>(lines('products.ndjson'))) {
    const run: ComparedDeal[] = [];
    while (deals.head?.product === row) appendDeals(run, deals.take(), provenance.take(), texts);
    yield { product, deals: run };
    row++;
  }
}

/** Numeric id, new before refurbished: the order of products in every snapshot (D14). */
export function compareVariants(a: ProductLine, b: ProductLine): number {
  return compareIds(a.id, b.id) || CONDITIONS.indexOf(a.condition) - CONDITIONS.indexOf(b.condition);
}

/** The same for the same deal in every snapshot. The separators keep the three parts unambiguous. */
export function dealKeyOf({ source, retailer, key }: PricedDeal): string {
  return `${source} ${retailer} ${key}`;
}

/** What the numbers of deals stand for, as texts that compare over snapshots. */
interface DictionaryTexts {
  readonly retailers: readonly string[];
  readonly plans: readonly string[];
  /** At position 0 what 0 stands for: none. */
  readonly gifts: readonly string[];
  readonly cashbacks: readonly string[];
}

function describeDictionaries({ networks, retailers, plans, gifts, cashbacks }: Dictionaries): DictionaryTexts {
  return {
    retailers: retailers.map(({ slug }) => slug),
    plans: plans.map((plan) => JSON.stringify({ ...plan, network: networks[plan.network]?.slug })),
    gifts: ['', ...gifts.map(({ name }) => name)],
    cashbacks: ['', ...cashbacks.map(({ type, valuePence }) => `${valuePence} ${type}`)],
  };
}

function appendDeals(
  run: ComparedDeal[],
  deals: DealsLine,
  { source, key }: ProvenanceLine,
  texts: DictionaryTexts,
): void {
  // The arrays of a published line are as long as each other, and their numbers are those of its dictionaries.
  for (let i = 0; i < deals.rank.length; i++) {
    run.push({
      source: source[i] as string,
      retailer: texts.retailers[deals.retailer[i] as number] as string,
      key: key[i] as string,
      upfrontPence: deals.upfrontPence[i] as number,
      monthlyPence: deals.monthlyPence[i] as number,
      totalPence: deals.totalPence[i] as number,
      plan: texts.plans[deals.plan[i] as number] as string,
      gift: texts.gifts[deals.gift?.[i] ?? 0] as string,
      cashback: texts.cashbacks[deals.cashback?.[i] ?? 0] as string,
    });
  }
}

/** An iteration whose next item can be looked at before it is taken. */
class Peekable<Item> {
  readonly #items: Iterator<Item>;
  #next: IteratorResult<Item, unknown>;

  constructor(items: Iterable<Item>) {
    this.#items = items[Symbol.iterator]();
    this.#next = this.#items.next();
  }

  get head(): Item | undefined {
    return this.#next.done === true ? undefined : this.#next.value;
  }

  take(): Item {
    if (this.#next.done === true) throw new RangeError('expected another line, got the end of the file');
    const { value } = this.#next;
    this.#next = this.#items.next();
    return value;
  }
}

// The lines are those of a snapshot that was held to its schemas, or is about to be.
function* parseEach<Line>(lines: Iterable<string | Buffer>): Generator<Line> {
  for (const line of lines) yield JSON.parse(line.toString()) as Line;
}

function parseDictionaries(lines: Iterable<string | Buffer>): Dictionaries {
  return JSON.parse([...lines].join('\n')) as Dictionaries;
}

/**
 * Which deals may have moved to another product: those that one product lost and another won. A deal is kept as eight
 * bytes, so a build in which everything changes costs megabytes; two deals with one hash are told apart later.
 */
export class MovedCandidates {
  readonly #gone = new HashList();
  readonly #new = new HashList();

  addGone(deal: ComparedDeal): void {
    this.#gone.add(hashDeal(deal));
  }

  addNew(deal: ComparedDeal): void {
    this.#new.add(hashDeal(deal));
  }

  /** Whether a deal may have moved; undefined when none has. To be called when all deals have been added. */
  finish(): ((deal: ComparedDeal) => boolean) | undefined {
    const hashes = intersect(this.#gone.sorted(), this.#new.sorted());
    return hashes.size === 0 ? undefined : (deal) => hashes.has(hashDeal(deal));
  }
}

/** Numbers in an array that doubles when it is full. */
class HashList {
  #numbers = new Float64Array(1024);
  #length = 0;

  add(number: number): void {
    if (this.#length === this.#numbers.length) {
      const larger = new Float64Array(this.#length * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#length++] = number;
  }

  sorted(): Float64Array {
    return this.#numbers.subarray(0, this.#length).sort();
  }
}

function intersect(a: Float64Array, b: Float64Array): ReadonlySet<number> {
  const common = new Set<number>();
  let i = 0;
  for (const number of a) {
    while (i < b.length && (b[i] as number) < number) i++;
    if (b[i] === number) common.add(number);
  }
  return common;
}

/** 53 bits of the deal's identity: two sums over its characters, each with a multiplier of its own. */
function hashDeal(deal: ComparedDeal): number {
  const text = dealKeyOf(deal);
  let high = 0;
  let low = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low + unit + 1, 0x85ebca77) ^ (low >>> 15);
  }
  return ((high >>> 0) & 0x1fffff) * 2 ** 32 + (low >>> 0);
}
