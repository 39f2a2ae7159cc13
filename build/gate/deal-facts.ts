import type { Price } from '../../data/report/notice.ts';
import type { Dictionaries, Plan } from '../../data/snapshot/format.ts';
import { GrowableNumberColumn } from '../deals/columns.ts';
import { hashText } from '../deals/hash-index.ts';
import { LinkSites, type LinkTemplate } from '../deals/links.ts';

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

/** Deals as columns of numbers: 52 bytes a deal. Facts of two lists with the same names can be compared. */
export class DealFacts {
  readonly names: Names;
  readonly columns = Object.fromEntries(
    FACTS.map((fact) => [fact, new GrowableNumberColumn(fact)]),
  ) as unknown as Readonly<Record<Fact, GrowableNumberColumn>>;

  constructor(names: Names) {
    this.names = names;
  }

  get rowCount(): number {
    return this.columns.product.rowCount;
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

/** A deal of a snapshot or a build, in the codes of its dictionaries. */
export interface CodedDeal extends Price {
  readonly product: number;
  readonly retailer: number;
  readonly plan: number;
  readonly gift: number;
  readonly cashback: number;
  readonly linkTemplate: number;
  readonly linkPart: string;
}

/** What the codes mean. Gifts and cashbacks are the entries from 1 on. */
export interface DealCodes {
  readonly productAt: (code: number) => string;
  readonly retailerAt: (code: number) => string;
  readonly planAt: (code: number) => Plan;
  readonly networkAt: (code: number) => string;
  readonly giftAt: (entry: number) => string;
  readonly cashbackAt: (entry: number) => string;
  readonly linkTemplates: readonly LinkTemplate[];
}

const LINK_HASHES = 2 ** 32;

/** Marks a campaign for statistics: a shop changes it often, and the link leads where it led. */
const CAMPAIGN = /[?&]utm_[a-z]+=[^&#]*/gi;

export function describeCashback({ type, valuePence }: Dictionaries['cashbacks'][number]): string {
  return `${valuePence} ${type}`;
}

/** Returns a function that appends a deal to `facts`; each code is looked up once. */
export function createAppender(facts: DealFacts, codes: DealCodes): (deal: CodedDeal) => void {
  const { names } = facts;
  const nameOf = (textAt: (code: number) => string) => memoize((code) => names.numberOf(textAt(code)));
  const product = nameOf(codes.productAt);
  const retailer = nameOf(codes.retailerAt);
  const gift = nameOf((code) => (code === 0 ? '' : codes.giftAt(code - 1)));
  const cashback = nameOf((code) => (code === 0 ? '' : codes.cashbackAt(code - 1)));
  const plan = memoize((code) => {
    const { network, dealType, contractName, contractMonths, dataMegabytes, callMinutes, textMessages } =
      codes.planAt(code);
    return {
      network: names.numberOf(codes.networkAt(network)),
      offer: names.numberOf([dealType, contractMonths, dataMegabytes, callMinutes, textMessages].join(' ')),
      data: names.numberOf(String(dataMegabytes)),
      plan: names.numberOf(contractName),
    };
  });
  const links = new LinkSites(codes.linkTemplates);
  return (deal) => {
    const { prefix, suffix } = codes.linkTemplates[deal.linkTemplate] as LinkTemplate;
    const link = `${prefix}${deal.linkPart}${suffix}`;
    facts.append({
      ...plan(deal.plan),
      product: product(deal.product),
      retailer: retailer(deal.retailer),
      gift: gift(deal.gift),
      cashback: cashback(deal.cashback),
      site: names.numberOf(links.siteOf(deal.linkTemplate, deal.linkPart)),
      link: hashText(link.replaceAll(CAMPAIGN, ''), 0) % LINK_HASHES,
      total: deal.total,
      upfront: deal.upfront,
      monthly: deal.monthly,
    });
  };
}

function memoize<Value>(make: (code: number) => Value): (code: number) => Value {
  const known: (Value | undefined)[] = [];
  return (code) => (known[code] ??= make(code));
}
