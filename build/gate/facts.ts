import { recordKey, type NetworkRecord, type ProductRecord, type RetailerRecord } from '../../data/record/product.ts';
import type { Price } from '../../data/report/notice.ts';
import type { Dictionaries, Plan } from '../../data/snapshot/format.ts';
import type { DealCollector } from '../deals/collect-deals.ts';
import { GrowableNumberColumn } from '../deals/deal-table.ts';
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
  'total',
  'upfront',
  'monthly',
] as const;

export type Fact = (typeof FACTS)[number];

/**
 * What the measures compare of the deals of a snapshot or a build: 48 bytes a deal. Texts are numbers of a `DealCoder`, 0 for
 * none: products `101/new`, ids of retailers and networks, `offer` a contract but for its network and name, `plan` this name,
 * `site` the host of the link. `link` is a hash; costs are in pence.
 */
export type FactColumns = Readonly<Record<Fact, GrowableNumberColumn>>;

/** @param rowCount how many deals are expected */
export function createFactColumns(rowCount: number): FactColumns {
  // Every fact has its column.
  return Object.fromEntries(FACTS.map((fact) => [fact, new GrowableNumberColumn(fact, rowCount)])) as FactColumns;
}

export function addFacts(columns: FactColumns, facts: Readonly<Record<Fact, number>>): void {
  for (const fact of FACTS) columns[fact].append(facts[fact]);
}

/** What a deal says, in texts. */
interface DealTexts extends Price, Readonly<Record<'product' | 'retailer' | 'network' | 'gift' | 'link', string>> {
  /** Deals with the same plan have the same object. */
  readonly plan: Plan;
  readonly cashback: Dictionaries['cashbacks'][number] | undefined;
}

type PlanFacts = Readonly<Record<'offer' | 'plan', number>>;

const LINK_HASHES = 2 ** 32;

const HOST = /^[a-z]+:\/\/[^/?#]*/i;

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

  /** Adds a deal to the columns. */
  add(columns: FactColumns, deal: DealTexts): void {
    const { product, retailer, network, plan, gift, cashback, link, total, upfront, monthly } = deal;
    const offered = this.#plans.get(plan) ?? this.#factsOfPlan(plan);
    this.#plans.set(plan, offered);
    addFacts(columns, {
      product: this.#numberOf(product),
      retailer: this.#numberOf(retailer),
      network: this.#numberOf(network),
      ...offered,
      gift: this.#numberOf(gift),
      cashback: cashback === undefined ? 0 : this.#numberOf(`${cashback.valuePence} ${cashback.type}`),
      site: this.#numberOf(HOST.exec(link)?.[0].toLowerCase() ?? ''),
      link: hashText(link.replaceAll(CAMPAIGN, '')) % LINK_HASHES,
      total,
      upfront,
      monthly,
    });
  }

  /** Adds the deal of a row of the table. */
  addRow(
    facts: FactColumns,
    { table: { columns, link }, dictionaries }: DealCollector,
    { products, networks, retailers }: CatalogueRecords,
    row: number,
  ): void {
    // Every number of the table has its record or entry; 0 is no gift and no cashback.
    const plan = dictionaries.plans.entries[columns.plan.at(row)] as Plan;
    const gift = dictionaries.gifts.entries[columns.gift.at(row) - 1];
    this.add(facts, {
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
    };
  }

  #numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }
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
