import type { PricedDeal } from '../../data/snapshot/changes.ts';
import type { Dictionaries, ProductLine } from '../../data/snapshot/format.ts';
import {
  parseLines,
  readDealLines,
  readDictionaries,
  type DealLines,
  type SnapshotLines,
} from '../../data/store/lines.ts';
import { Dictionary } from '../deals/dictionaries.ts';
import { hashText } from '../deals/hash-index.ts';

/** A deal with the numbers of its texts, which are the same in both snapshots. */
export interface ComparedDeal extends PricedDeal {
  readonly plan: number;
  readonly gift: number;
  readonly cashback: number;
}

/** A product with its deals, in order of rank. */
export interface ComparedProduct {
  readonly product: ProductLine;
  readonly deals: ProductDeals;
}

/**
 * The products of a snapshot in order of numeric id, new before refurbished; never more than one in memory. Codes of one
 * snapshot mean nothing in another, so both get the numbers of `texts`.
 */
export function* readProductDeals(lines: SnapshotLines, texts: Dictionary<string>): Generator<ComparedProduct> {
  const codes = numberTexts(readDictionaries(lines), texts);
  const dealLines = readDealLines(lines);
  let next = dealLines.next();
  let row = 0;
  for (const product of parseLines<ProductLine>(lines('products.ndjson'), 'products.ndjson')) {
    const productLines: DealLines[] = [];
    for (; next.done !== true && next.value.deals.product === row; next = dealLines.next()) {
      productLines.push(next.value);
    }
    yield { product, deals: new ProductDeals(productLines, codes) };
    row++;
  }
}

/** The same for the same deal in every snapshot. The separators keep the three parts unambiguous. */
export function dealKeyOf({ source, retailer, key }: PricedDeal): string {
  return `${source} ${retailer} ${key}`;
}

/** By the codes of a snapshot: the slug of a retailer, and the numbers of texts. */
interface TextNumbers {
  readonly retailers: readonly string[];
  readonly plans: readonly number[];
  /** Position 0 is none. */
  readonly gifts: readonly number[];
  readonly cashbacks: readonly number[];
}

function numberTexts(
  { networks, retailers, plans, gifts, cashbacks }: Dictionaries,
  texts: Dictionary<string>,
): TextNumbers {
  const numberOf = (text: string): number => texts.codeOf(text, text);
  return {
    retailers: retailers.map(({ slug }) => slug),
    plans: plans.map((plan) => numberOf(JSON.stringify({ ...plan, network: networks[plan.network]?.slug }))),
    gifts: ['', ...gifts.map(({ name }) => name)].map(numberOf),
    cashbacks: ['', ...cashbacks.map(({ type, valuePence }) => `${valuePence} ${type}`)].map(numberOf),
  };
}

type NumberArray = 'plan' | 'retailer' | 'totalPence' | 'upfrontPence' | 'monthlyPence' | 'gift' | 'cashback';

/** The deals of a product by position. Nearly all are unchanged, and are compared without an object for each. */
export class ProductDeals {
  readonly count: number;
  readonly #codes: TextNumbers;
  readonly #source: readonly string[];
  readonly #key: readonly string[];
  readonly #numbers: Readonly<Record<NumberArray, readonly number[]>>;

  /** The arrays of a published line have equal lengths, and their codes have entries. */
  constructor(lines: readonly DealLines[], codes: TextNumbers) {
    const join = <Value>(arrayOf: (line: DealLines) => readonly Value[]): readonly Value[] => {
      const [first = [], ...others] = lines.map(arrayOf);
      return others.length === 0 ? first : first.concat(...others);
    };
    const joinNumbers = (name: NumberArray) => join(({ deals }) => deals[name] ?? deals.rank.map(() => 0));
    this.#codes = codes;
    this.#source = join(({ provenance }) => provenance.source);
    this.#key = join(({ provenance }) => provenance.key);
    this.#numbers = {
      plan: joinNumbers('plan'),
      retailer: joinNumbers('retailer'),
      totalPence: joinNumbers('totalPence'),
      upfrontPence: joinNumbers('upfrontPence'),
      monthlyPence: joinNumbers('monthlyPence'),
      gift: joinNumbers('gift'),
      cashback: joinNumbers('cashback'),
    };
    this.count = this.#key.length;
  }

  at(position: number): ComparedDeal {
    const { retailer, totalPence, upfrontPence, monthlyPence, plan, gift, cashback } = this.#numbers;
    const { retailers, plans, gifts, cashbacks } = this.#codes;
    return {
      source: this.#source[position] as string,
      retailer: retailers[retailer[position] as number] as string,
      key: this.#key[position] as string,
      upfrontPence: upfrontPence[position] as number,
      monthlyPence: monthlyPence[position] as number,
      totalPence: totalPence[position] as number,
      plan: plans[plan[position] as number] as number,
      gift: gifts[gift[position] as number] as number,
      cashback: cashbacks[cashback[position] as number] as number,
    };
  }

  /** Whether two deals have one `dealKeyOf`. */
  hasSameKey(position: number, other: ProductDeals, otherPosition: number): boolean {
    return (
      this.#key[position] === other.#key[otherPosition] &&
      this.#source[position] === other.#source[otherPosition] &&
      this.#retailerAt(position) === other.#retailerAt(otherPosition)
    );
  }

  /** Whether two deals have the same prices, plan, gift and cashback. */
  isUnchanged(position: number, other: ProductDeals, otherPosition: number): boolean {
    const now = this.#numbers;
    const before = other.#numbers;
    const isSame = (name: NumberArray): boolean => now[name][position] === before[name][otherPosition];
    const isSameText = (name: 'plan' | 'gift' | 'cashback', list: 'plans' | 'gifts' | 'cashbacks'): boolean =>
      this.#codes[list][now[name][position] as number] === other.#codes[list][before[name][otherPosition] as number];
    return (
      isSame('totalPence') &&
      isSame('upfrontPence') &&
      isSame('monthlyPence') &&
      isSameText('plan', 'plans') &&
      isSameText('gift', 'gifts') &&
      isSameText('cashback', 'cashbacks')
    );
  }

  #retailerAt(position: number): string | undefined {
    return this.#codes.retailers[this.#numbers.retailer[position] as number];
  }
}

export const NO_DEALS = new ProductDeals([], { retailers: [], plans: [], gifts: [], cashbacks: [] });

/** How many earlier deals in a row may be gone before the next ones are looked up by their keys. */
const LOOK_AHEAD = 8;

/**
 * For each deal of `newer` its position in `older` or -1, and which of `older` are among them. Most deals follow one
 * another in both, so keys are looked up only for the rest.
 */
export function findKeptDeals(
  older: ProductDeals,
  newer: ProductDeals,
): { readonly olderOf: Int32Array; readonly isKept: Uint8Array } {
  const olderOf = new Int32Array(newer.count).fill(-1);
  const isKept = new Uint8Array(older.count);
  const keep = (position: number, same: number): void => {
    olderOf[position] = same;
    isKept[same] = 1;
  };
  let next = 0;
  let keptCount = 0;
  for (let position = 0; position < newer.count; position++) {
    const end = Math.min(older.count, next + LOOK_AHEAD);
    let same = next;
    while (same < end && !newer.hasSameKey(position, older, same)) same++;
    if (same === end) continue;
    keep(position, same);
    keptCount++;
    next = same + 1;
  }
  if (keptCount === newer.count || keptCount === older.count) return { olderOf, isKept };
  const others = new Map<string, number>();
  for (let same = 0; same < older.count; same++) if (isKept[same] === 0) others.set(dealKeyOf(older.at(same)), same);
  for (let position = 0; position < newer.count; position++) {
    const same = olderOf[position] === -1 ? others.get(dealKeyOf(newer.at(position))) : undefined;
    if (same !== undefined) keep(position, same);
  }
  return { olderOf, isKept };
}

/**
 * Finds deals that may have moved to another product: those that one product lost and another won. A deal takes eight
 * bytes, so a build in which everything changes costs megabytes. Two deals with one hash are told apart later.
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

  /** Whether a deal may have moved; undefined when none has. Call it after all deals have been added. */
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

function hashDeal(deal: ComparedDeal): number {
  return hashText(dealKeyOf(deal), 0);
}
