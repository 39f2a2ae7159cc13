import type { Allowance } from '../../data/record/amount.ts';
import type { Price } from '../../data/report/notice.ts';
import { GrowableNumberColumn } from '../deals/columns.ts';
import { Dictionary } from '../deals/dictionaries.ts';

/** The contract of a deal, with the network by its id. */
export interface PlanFacts {
  readonly network: string;
  readonly dealType: string;
  readonly contractName: string;
  readonly contractMonths: number;
  readonly dataMegabytes: Allowance;
  readonly callMinutes: Allowance;
  readonly textMessages: Allowance;
}

/**
 * Numbers for what deals say, the same for the deals of a feed and for those of the snapshot being served: equal facts
 * have equal numbers. Products are `101/new`, networks and retailers their ids.
 */
export class FactNumbers {
  readonly products = new Dictionary<string>();
  readonly retailers = new Dictionary<string>();
  readonly plans = new Dictionary<PlanFacts>();
  readonly sites = new Dictionary<string>();
  readonly #extras = new Dictionary<string>();

  /** 0 for none. */
  extra(text: string): number {
    return text === '' ? 0 : 1 + this.#extras.codeOf(text, text);
  }

  plan(plan: PlanFacts): number {
    const { network, dealType, contractMonths, dataMegabytes, callMinutes, textMessages, contractName } = plan;
    const key = `${network} ${dealType} ${contractMonths} ${dataMegabytes} ${callMinutes} ${textMessages} ${contractName}`;
    return this.plans.codeOf(key, plan);
  }

  name(list: Dictionary<string>, text: string): number {
    return list.codeOf(text, text);
  }
}

/** The columns of a deal. `gift` and `cashback` are 0 for none; `link` is a hash of 32 bits. */
const COLUMNS = [
  'product',
  'retailer',
  'plan',
  'gift',
  'cashback',
  'site',
  'link',
  'total',
  'upfront',
  'monthly',
] as const;

type Column = (typeof COLUMNS)[number];

export type DealFactsRow = Readonly<Record<Column, number>>;

/** Deals as numbers of `FactNumbers`: 40 bytes a deal. */
export class DealFacts {
  readonly columns = Object.fromEntries(
    COLUMNS.map((name) => [name, new GrowableNumberColumn(name)]),
  ) as unknown as Readonly<Record<Column, GrowableNumberColumn>>;
  readonly #numbers: FactNumbers;

  constructor(numbers: FactNumbers) {
    this.#numbers = numbers;
  }

  get rowCount(): number {
    return this.columns.product.rowCount;
  }

  append(row: DealFactsRow): void {
    for (const name of COLUMNS) this.columns[name].append(row[name]);
  }

  planAt(row: number): PlanFacts {
    return this.#numbers.plans.entries[this.columns.plan.at(row)] as PlanFacts;
  }

  /** `101/new` */
  productAt(row: number): string {
    return this.#numbers.products.entries[this.columns.product.at(row)] as string;
  }

  /** The id of the retailer. */
  retailerAt(row: number): string {
    return this.#numbers.retailers.entries[this.columns.retailer.at(row)] as string;
  }

  priceAt(row: number): Price {
    const { total, upfront, monthly } = this.columns;
    return { total: total.at(row), upfront: upfront.at(row), monthly: monthly.at(row) };
  }
}
