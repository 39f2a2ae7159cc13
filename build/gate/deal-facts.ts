import type { NetworkRecord, RetailerRecord } from '../../data/record/network-retailer.ts';
import { recordKey, type ProductRecord } from '../../data/record/product.ts';
import type { Price } from '../../data/report/notice.ts';
import type { Dictionaries, Plan } from '../../data/snapshot/format.ts';
import type { DealCollector } from '../deals/collect-deals.ts';
import { hashText } from '../deals/hash-text.ts';
import { linkSiteOf, type LinkTemplate } from '../deals/links.ts';
import type { CatalogueRecords } from '../records/catalogue.ts';
import type { Sourced } from '../source/record.ts';
import type { Cell } from './parts.ts';

/** What the measures compare of a deal of a snapshot or a build. Costs are in pence. */
export interface DealFacts extends Price, PlanFacts {
  /** `101/new`. */
  readonly product: string;
  /** Ids. */
  readonly retailer: string;
  readonly network: string;
  /** Empty for none. */
  readonly gift: string;
  readonly cashback: string;
  /** The host of its link, and the account that the link names. */
  readonly site: string;
  /** A hash of its link. */
  readonly link: number;
}

interface PlanFacts {
  /** The contract but for its network and name, and the data of it. */
  readonly offer: string;
  readonly data: string;
  /** The name of the contract. */
  readonly plan: string;
}

export type Fact = keyof DealFacts;

/** A deal of a feed, and the deal before that has its key. */
export interface ComparedDeal {
  /** Its row of the table of deals. */
  readonly row: number;
  readonly now: DealFacts;
  readonly before: DealFacts | undefined;
  /** Another deal had its link, and has lost it. */
  hasTakenLink: boolean;
  /** Where it is judged. */
  cell: Cell | undefined;
}

/** A deal that was there before under its key. */
export interface SameDeal extends ComparedDeal {
  readonly before: DealFacts;
}

export function isSame(deal: ComparedDeal): deal is SameDeal {
  return deal.before !== undefined;
}

/** Whether a deal under its key says another thing in some facts. */
export function differs({ before, now }: SameDeal, facts: readonly Fact[]): boolean {
  return facts.some((fact) => now[fact] !== before[fact]);
}

/** A deal under its key. One that says what it said before shares the facts: most of a million deals do. */
export function compareDeal(row: number, now: DealFacts, before: DealFacts | undefined): ComparedDeal {
  const isUnchanged = before !== undefined && FACTS.every((fact) => now[fact] === before[fact]);
  return { row, now: isUnchanged ? before : now, before, hasTakenLink: false, cell: undefined };
}

const FACTS = [
  'product',
  'retailer',
  'network',
  'offer',
  'data',
  'plan',
  'gift',
  'cashback',
  'site',
  'link',
  'total',
  'upfront',
  'monthly',
] as const satisfies readonly Fact[];

/** What a deal says, before its texts are shared. */
interface DescribedDeal extends Price, Pick<DealFacts, 'product' | 'retailer' | 'network' | 'gift'> {
  /** Deals with the same plan have the same object. */
  readonly plan: Plan;
  readonly cashback: Dictionaries['cashbacks'][number] | undefined;
  readonly link: string;
}

/** Marks a campaign for statistics: a shop changes it often, and the link leads where it led. */
const CAMPAIGN = /[?&]utm_[a-z]+=[^&#]*/gi;

/** Creates the facts of deals. Equal texts are stored once, and none keeps the text alive that it was cut from. */
export class DealDescriber {
  readonly #texts = new Map<string, string>();
  readonly #plans = new Map<Plan, PlanFacts>();

  describe({
    product,
    retailer,
    network,
    plan,
    gift,
    cashback,
    link,
    total,
    upfront,
    monthly,
  }: DescribedDeal): DealFacts {
    const offered = this.#plans.get(plan) ?? describePlan(plan);
    this.#plans.set(plan, offered);
    // Without a spread, which makes an object of several times the size.
    return {
      product: this.#share(product),
      retailer: this.#share(retailer),
      network: this.#share(network),
      offer: offered.offer,
      data: offered.data,
      plan: offered.plan,
      gift: this.#share(gift),
      cashback: cashback === undefined ? '' : this.#share(`${cashback.valuePence} ${cashback.type}`),
      site: this.#share(linkSiteOf(link)),
      link: hashText(link.replaceAll(CAMPAIGN, '')),
      total,
      upfront,
      monthly,
    };
  }

  /** The deal of a row of the table. */
  describeRow(
    { table: { columns, linkPart }, dictionaries, linkTemplates }: DealCollector,
    { products, networks, retailers, gifts }: CatalogueRecords,
    row: number,
  ): DealFacts {
    // Every number of the table has its record or entry; 0 is no gift and no cashback.
    const plan = dictionaries.plans.entries[columns.plan.at(row)] as Plan;
    const gift = dictionaries.gifts.entries[columns.gift.at(row) - 1];
    const { prefix, suffix } = linkTemplates[columns.linkTemplate.at(row)] as LinkTemplate;
    return this.describe({
      product: recordKey((products[columns.product.at(row)] as Sourced<ProductRecord>).record),
      retailer: (retailers[columns.retailer.at(row)] as Sourced<RetailerRecord>).record.id,
      network: (networks[plan.network] as Sourced<NetworkRecord>).record.id,
      plan,
      gift: (gift?.kind === 'record' ? gifts[gift.giftRow]?.record.name : gift?.name) ?? '',
      cashback: dictionaries.cashbacks.entries[columns.cashback.at(row) - 1],
      link: prefix + linkPart.at(row) + suffix,
      total: columns.totalPence.at(row),
      upfront: columns.upfrontPence.at(row),
      monthly: columns.monthlyPence.at(row),
    });
  }

  #share(text: string): string {
    const shared = this.#texts.get(text);
    if (shared === undefined) this.#texts.set(text, text);
    return shared ?? text;
  }
}

function describePlan({ dealType, contractName, contractMonths, ...allowances }: Plan): PlanFacts {
  const { dataMegabytes, callMinutes, textMessages } = allowances;
  return {
    offer: [dealType, contractMonths, dataMegabytes, callMinutes, textMessages].join(' '),
    data: String(dataMegabytes),
    plan: contractName,
  };
}
