import type { MatchRule } from '../../data/record/deal.ts';
import type { Counted, ExcludedDeals, FoundName } from '../../data/store/name-search.ts';
import type { Notice, Outcome } from '../../data/report/notice.ts';
import type { ManifestSource, ProductWithoutDeals } from '../../data/report/report.ts';
import type { ChangeKinds } from '../../data/snapshot/changes.ts';

/** Where a record came from. */
export interface Place {
  readonly source: string;
  readonly file: string;
  readonly line: number;
}

/** A finding, with what it means and what to do. */
export interface FoundNotice extends Notice {
  readonly outcome: Outcome;
  readonly meaning: string;
}

export interface FoundPrices {
  readonly upfrontCost: string;
  readonly monthlyCost: string;
  readonly totalCost: string;
}

export interface FoundProduct {
  /** `101/new`. */
  readonly product: string;
  readonly id: string;
  readonly condition: string;
  readonly name: string;
  readonly slug: string;
  readonly dealCount: number;
  /** The deals for it that are not served, by the code that leaves them out. */
  readonly dealsLeftOut: readonly ExcludedDeals[];
  /** Of a product without a deal: when it last had one. */
  readonly lastDeal?: ProductWithoutDeals['lastDeal'];
  readonly cheapest?: FoundPrices & { readonly retailer: string; readonly network: string };
  readonly origin?: Place;
  /** Of its source, when that is not fresh. */
  readonly sourceState?: ManifestSource['state'];
  readonly notices: readonly FoundNotice[];
}

export interface FoundDeal {
  readonly key: string;
  readonly product: string;
  readonly name: string;
  readonly retailer?: string;
  readonly origin: Place;
  readonly match: { readonly rule: MatchRule; readonly found: string; readonly meaning: string };
  readonly prices?: FoundPrices;
  readonly sourceState?: ManifestSource['state'];
  readonly notices: readonly FoundNotice[];
}

/** `101/new` and its name, with the names and slugs that differ. */
type RenamedProduct = Pick<ChangeKinds['productsChanged']['items'][number], 'product' | 'name' | 'renamed'>;

/** `/status/explain.json`: what became of the records that a word may mean. */
export interface RecordSearch {
  readonly asked: string;
  readonly snapshot: string;
  /** By the clock of the server: ages are told by it. */
  readonly now: string;
  /** Before every amount: `£`. */
  readonly currencyLabel: string;
  /** Served; those that are called exactly so first. */
  readonly products: Counted<FoundProduct>;
  readonly deals: Counted<FoundDeal>;
  /** Not served, each with the rule that leaves it out. */
  readonly leftOut: Counted<FoundNotice>;
  /** What feeds call phones, where that has the word: what became of the deals under each name. */
  readonly names: Counted<FoundName>;
  /** Products that the snapshot before has by that name or slug, and this one by another. */
  readonly renamed: readonly RenamedProduct[];
  /** Products that the snapshot before had. */
  readonly gone: readonly { readonly product: string; readonly name: string }[];
  /** When nothing was found: what may have been meant. */
  readonly nearest: readonly string[];
}
