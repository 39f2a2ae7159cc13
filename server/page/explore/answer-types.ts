import type { ContentKey, SpecKey } from '../../../data/field/field.ts';
import type { CheapestDealKey, DealKey } from '../../../data/schema/deal.ts';
import type { ImageKey } from '../../../data/field/image.ts';

/** What the page reads of the answers of the interface: their keys are those of its tables. */
export interface PhonesBody {
  readonly products: readonly Phone[];
  readonly deals?: readonly Deal[];
  readonly facets?: Facets;
}

/** How many phones each choice of a filter leaves: a record has a slug, another choice a value. */
export type Facets = Readonly<
  Record<string, readonly { readonly slug?: string; readonly value?: string; readonly count: number }[]>
>;

export interface Gift extends Named {
  readonly id: string;
  readonly content?: Readonly<Partial<Record<ContentKey, string>>>;
  readonly images?: Readonly<Partial<Record<ImageKey, string>>>;
}

export interface GiftCategory extends Gift {
  readonly gifts: { readonly gifts: readonly { readonly id: string }[] };
}

export interface Phone {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly condition?: string;
  readonly manufacturer?: Named;
  readonly model?: string;
  readonly content?: Readonly<Partial<Record<ContentKey, string>>>;
  readonly specs?: Readonly<Partial<Record<SpecKey, string>>>;
  readonly images?: Readonly<Partial<Record<ImageKey, string>>>;
  readonly cheapestDeal?: CheapestDeal;
  readonly priceHistory?: PriceHistory;
}

/** What the cheapest deal of a phone cost: a point holds until the next one. It has no prices where there was no deal. */
export interface PriceHistory {
  readonly points: readonly (Readonly<Partial<Record<Amount, number>>> & {
    readonly date: string;
    readonly dealCount: number;
  })[];
  readonly lowest?: { readonly date: string; readonly totalContractCost: number };
}

type Amount = 'upfrontProductCost' | 'monthlyContractPrice' | 'totalContractCost';

export type CheapestDeal = Readonly<Record<Extract<CheapestDealKey, Amount>, number>> &
  Readonly<Record<Exclude<CheapestDealKey, Amount>, string>>;

type Cashback = 'cashbackType' | 'cashbackValue';

export type Deal = Readonly<Record<Exclude<DealKey, Cashback>, string>> &
  Readonly<Partial<Record<Extract<DealKey, Cashback>, string>>>;

/** An item of a list of the interface. */
export interface Named {
  readonly name: string;
  readonly slug: string;
}
