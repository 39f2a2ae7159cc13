import type { Price } from '../../data/report/notice.ts';
import type { Plan } from '../../data/snapshot/format.ts';
import { GrowableNumberColumn } from '../deals/columns.ts';
import type { Cashback } from '../deals/dictionaries.ts';
import { hashText } from '../deals/hash-text.ts';
import { linkSiteOf } from '../deals/links.ts';

/** Numbers for texts: equal texts have equal numbers, and the empty text has 0. */
export class Names {
  readonly #numbers = new Map([['', 0]]);
  readonly #texts = [''];

  numberOf(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#texts.push(text) - 1;
      this.#numbers.set(text, number);
    }
    return number;
  }

  textOf(number: number): string {
    return this.#texts[number] as string;
  }
}

/**
 * What the measures compare. Products are `101/new`, networks and retailers their ids; `offer` is a contract but for its
 * network and name, `plan` this name. `link` is a hash of 32 bits, costs are in pence, all else are numbers of `Names`.
 */
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
] as const;

export type Fact = (typeof FACTS)[number];

type PlanFacts = Readonly<Record<'offer' | 'data' | 'plan', number>>;

/** A deal of a snapshot or a build. */
export interface DescribedDeal extends Price {
  /** `101/new`. */
  readonly product: string;
  /** Ids. */
  readonly retailer: string;
  readonly network: string;
  /** Deals with the same plan have the same object. */
  readonly plan: Plan;
  /** Its name, or empty. */
  readonly gift: string;
  readonly cashback: Cashback | undefined;
  readonly link: string;
}

/** Deals as columns of numbers: 52 bytes a deal. Facts of two lists with the same names can be compared. */
export class DealFacts {
  readonly names: Names;
  readonly columns = Object.fromEntries(
    FACTS.map((fact) => [fact, new GrowableNumberColumn(fact)]),
  ) as unknown as Readonly<Record<Fact, GrowableNumberColumn>>;

  readonly #plans = new Map<Plan, PlanFacts>();

  constructor(names: Names) {
    this.names = names;
  }

  get rowCount(): number {
    return this.columns.product.rowCount;
  }

  add({ product, retailer, network, plan, gift, cashback, link, total, upfront, monthly }: DescribedDeal): void {
    const { names } = this;
    const offered = this.#plans.get(plan) ?? describePlan(plan, names);
    this.#plans.set(plan, offered);
    this.append({
      ...offered,
      product: names.numberOf(product),
      retailer: names.numberOf(retailer),
      network: names.numberOf(network),
      gift: names.numberOf(gift),
      cashback: names.numberOf(cashback === undefined ? '' : `${cashback.valuePence} ${cashback.type}`),
      site: names.numberOf(linkSiteOf(link)),
      link: hashText(link.replaceAll(CAMPAIGN, '')) % LINK_HASHES,
      total,
      upfront,
      monthly,
    });
  }

  append(row: Readonly<Record<Fact, number>>): void {
    for (const fact of FACTS) this.columns[fact].append(row[fact]);
  }

  textAt(fact: Fact, row: number): string {
    return this.names.textOf(this.columns[fact].at(row));
  }

  priceAt(row: number): Price {
    const { total, upfront, monthly } = this.columns;
    return { total: total.at(row), upfront: upfront.at(row), monthly: monthly.at(row) };
  }
}

const LINK_HASHES = 2 ** 32;

/** Marks a campaign for statistics: a shop changes it often, and the link leads where it led. */
const CAMPAIGN = /[?&]utm_[a-z]+=[^&#]*/gi;

function describePlan({ dealType, contractName, contractMonths, ...allowances }: Plan, names: Names): PlanFacts {
  const { dataMegabytes, callMinutes, textMessages } = allowances;
  return {
    offer: names.numberOf([dealType, contractMonths, dataMegabytes, callMinutes, textMessages].join(' ')),
    data: names.numberOf(String(dataMegabytes)),
    plan: names.numberOf(contractName),
  };
}
