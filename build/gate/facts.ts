import { compareCodeUnits } from '../../data/record/id.ts';
import { recordKey, type NetworkRecord, type ProductRecord, type RetailerRecord } from '../../data/record/product.ts';
import type { Price } from '../../data/report/notice.ts';
import type { Dictionaries, Plan } from '../../data/snapshot/format.ts';
import type { DealCollector } from '../deals/collect-deals.ts';
import { linkSiteOf } from './link-site.ts';
import type { CatalogueRecords } from '../records/join-records.ts';
import type { Sourced } from '../source/record.ts';

const FACTS = [
  'product',
  'retailer',
  'network',
  'offer',
  'plan',
  'gift',
  'cashback',
  'site',
  'link',
  'limited',
  'total',
  'upfront',
  'monthly',
] as const;

export type Fact = (typeof FACTS)[number];

const MIN_CAPACITY = 16;

/**
 * What the measures compare of a deal of a snapshot or a build. Texts are numbers of a `DealCoder`, 0 for none: products
 * `101/new`, ids of retailers and networks, `offer` a contract but for its network and name, `plan` this name, `site` the host
 * of the link and the account that it names. `link` is a hash, `limited` 1 with a limit on the data; costs are in pence.
 */
export type DealFacts = Readonly<Record<Fact, number>>;

/** Deals as columns of numbers: 52 bytes a deal. */
export class FactColumns {
  rowCount = 0;
  readonly #columns: Record<Fact, Uint32Array>;

  /** @param capacity how many deals are expected; more make the columns grow */
  constructor(capacity: number) {
    // Every fact has its column.
    const columns = FACTS.map((fact) => [fact, new Uint32Array(Math.max(MIN_CAPACITY, capacity))]);
    this.#columns = Object.fromEntries(columns) as Record<Fact, Uint32Array>;
  }

  add(deal: DealFacts): void {
    for (const fact of FACTS) {
      if (this.rowCount === this.#columns[fact].length) this.#grow(fact);
      this.#columns[fact][this.rowCount] = deal[fact];
    }
    this.rowCount++;
  }

  /** One fact of a row below `rowCount`. */
  factAt(fact: Fact, row: number): number {
    return this.#columns[fact][row] as number;
  }

  at(row: number): DealFacts {
    const columns = this.#columns;
    // A loop over the facts takes several times as long.
    return {
      product: columns.product[row] as number,
      retailer: columns.retailer[row] as number,
      network: columns.network[row] as number,
      offer: columns.offer[row] as number,
      plan: columns.plan[row] as number,
      gift: columns.gift[row] as number,
      cashback: columns.cashback[row] as number,
      site: columns.site[row] as number,
      link: columns.link[row] as number,
      limited: columns.limited[row] as number,
      total: columns.total[row] as number,
      upfront: columns.upfront[row] as number,
      monthly: columns.monthly[row] as number,
    };
  }

  #grow(fact: Fact): void {
    const grown = new Uint32Array(Math.ceil(this.rowCount * 1.5));
    grown.set(this.#columns[fact]);
    this.#columns[fact] = grown;
  }
}

/** What a deal says, in texts. */
interface DealTexts extends Price, Readonly<Record<'product' | 'retailer' | 'network' | 'gift' | 'link', string>> {
  /** Deals with the same plan have the same object. */
  readonly plan: Plan;
  readonly cashback: Dictionaries['cashbacks'][number] | undefined;
}

type PlanFacts = Pick<DealFacts, 'offer' | 'plan' | 'limited'>;

const LINK_HASHES = 2 ** 32;

/** Marks a campaign for statistics: a shop changes it often, and the link leads where it led. */
const CAMPAIGN = /[?&]utm_[a-z]+=[^&#]*/gi;

/** Gives the facts of deals. Equal texts have equal numbers. */
export class DealCoder {
  readonly #numbers = new Map([['', 0]]);
  readonly #texts = [''];
  readonly #plans = new Map<Plan, PlanFacts>();

  textOf(number: number): string {
    return this.#texts[number] as string;
  }

  factsOf({ product, retailer, network, plan, gift, cashback, link, total, upfront, monthly }: DealTexts): DealFacts {
    const offered = this.#plans.get(plan) ?? this.#factsOfPlan(plan);
    this.#plans.set(plan, offered);
    return {
      product: this.#numberOf(product),
      retailer: this.#numberOf(retailer),
      network: this.#numberOf(network),
      offer: offered.offer,
      plan: offered.plan,
      gift: this.#numberOf(gift),
      cashback: cashback === undefined ? 0 : this.#numberOf(`${cashback.valuePence} ${cashback.type}`),
      site: this.#numberOf(linkSiteOf(link)),
      link: hashText(link.replaceAll(CAMPAIGN, '')) % LINK_HASHES,
      limited: offered.limited,
      total,
      upfront,
      monthly,
    };
  }

  /** The deal of a row of the table. */
  factsOfRow(
    { table: { columns, link }, dictionaries }: DealCollector,
    { products, networks, retailers }: CatalogueRecords,
    row: number,
  ): DealFacts {
    // Every number of the table has its record or entry; 0 is no gift and no cashback.
    const plan = dictionaries.plans.entries[columns.plan.at(row)] as Plan;
    const gift = dictionaries.gifts.entries[columns.gift.at(row) - 1];
    return this.factsOf({
      product: recordKey((products[columns.product.at(row)] as Sourced<ProductRecord>).record),
      retailer: (retailers[columns.retailer.at(row)] as Sourced<RetailerRecord>).record.id,
      network: (networks[plan.network] as Sourced<NetworkRecord>).record.id,
      plan,
      gift: gift?.name ?? '',
      cashback: dictionaries.cashbacks.entries[columns.cashback.at(row) - 1],
      link: link.at(row),
      total: columns.totalPence.at(row),
      upfront: columns.upfrontPence.at(row),
      monthly: columns.monthlyPence.at(row),
    });
  }

  #factsOfPlan({ dealType, contractName, contractMonths, ...allowances }: Plan): PlanFacts {
    const { dataMegabytes, callMinutes, textMessages } = allowances;
    return {
      offer: this.#numberOf([dealType, contractMonths, dataMegabytes, callMinutes, textMessages].join(' ')),
      plan: this.#numberOf(contractName),
      limited: dataMegabytes === 'unlimited' ? 0 : 1,
    };
  }

  #numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }
}

/** What a snapshot or a build says of its records, by key (`101/new`) or id. */
export type ComparedRecords = Readonly<Record<'products' | 'networks' | 'retailers', ReadonlyMap<string, RecordFacts>>>;

const RECORD_FACTS = ['name', 'slug', 'manufacturer', 'content', 'pageContent', 'metaData', 'specs'] as const;

/** What a record of the CMS says; empty where it says nothing. Objects are hashes. */
export type RecordFacts = Readonly<Record<(typeof RECORD_FACTS)[number], string>>;

/** A record as the CMS has it, or as a snapshot has it. */
type ComparedRecord = Parameters<typeof recordKey>[0] & Partial<Record<(typeof RECORD_FACTS)[number], string | object>>;

export function listRecordFacts(records: Iterable<ComparedRecord>): ReadonlyMap<string, RecordFacts> {
  return new Map(
    Array.from(records, (record) => {
      const facts = RECORD_FACTS.map((fact) => [fact, toFactText(record[fact])]);
      return [recordKey(record), Object.fromEntries(facts) as RecordFacts];
    }),
  );
}

/** Empty where an object has no text; the same for any order of its keys. */
function toFactText(value: string | object = ''): string {
  if (typeof value === 'string') return value;
  const texts = Object.entries(value).filter(([, text]) => Boolean(text));
  const lines = texts.map((entry) => entry.join(' ')).sort(compareCodeUnits);
  return lines.length === 0 ? '' : String(hashText(lines.join('\n')));
}

/** A 53-bit hash of a text (cyrb53): two multiplicative hashes side by side, mixed at the end. */
export function hashText(text: string): number {
  let high = 0xdead_beef;
  let low = 0x41c6_ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x9e37_79b1);
    low = Math.imul(low ^ unit, 0x5f35_6495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85eb_ca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2_ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85eb_ca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2_ae35);
  return 0x1_0000_0000 * (low & 0x1f_ffff) + (high >>> 0);
}
