import type { PricedDeal } from '../../data/snapshot/changes.ts';
import type { DealsLine, Dictionaries, ProductLine, ProvenanceLine } from '../../data/snapshot/format.ts';
import { hashText } from '../join/hash-index.ts';
import { parseLines, readDealLines, readDictionaries, type SnapshotLines } from '../../data/store/lines.ts';

/** A deal in comparable form: codes of one snapshot mean nothing in another, so it has texts. */
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
  const texts = describeDictionaries(readDictionaries(lines));
  const dealLines = readDealLines(lines);
  let next = dealLines.next();
  let row = 0;
  for (const product of parseLines<ProductLine>(lines('products.ndjson'), 'products.ndjson')) {
    const productDeals: ComparedDeal[] = [];
    for (; next.done !== true && next.value.deals.product === row; next = dealLines.next()) {
      appendDeals(productDeals, next.value.deals, next.value.provenance, texts);
    }
    yield { product, deals: productDeals };
    row++;
  }
}

/** The same for the same deal in every snapshot. The separators keep the three parts unambiguous. */
export function dealKeyOf({ source, retailer, key }: PricedDeal): string {
  return `${source} ${retailer} ${key}`;
}

/** The entries behind the codes of deals, as texts that are comparable between snapshots. */
interface DictionaryTexts {
  readonly retailers: readonly string[];
  readonly plans: readonly string[];
  /** Position 0 is none. */
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
  into: ComparedDeal[],
  deals: DealsLine,
  { source, key }: ProvenanceLine,
  texts: DictionaryTexts,
): void {
  // The arrays of a published line have equal lengths, and their codes have entries.
  for (let i = 0; i < deals.rank.length; i++) {
    into.push({
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
