import type { MatchRule } from '../../data/record/deal.ts';
import type { Notice, Outcome } from '../../data/report/notice.ts';
import type { ManifestSource, ProductWithoutDeals } from '../../data/report/report.ts';
import type { SourceLocation } from '../../data/report/source-location.ts';
import type { ChangeKinds } from '../../data/snapshot/changes.ts';
import type { Counted, ExcludedDeals, FoundName } from '../../data/store/name-search.ts';
import type { ShownPrices } from '../../data/store/snapshot-search.ts';

/** A notice, with its meaning and remedy. */
export interface FoundNotice extends Notice {
  readonly outcome: Outcome;
  readonly meaning: string;
}

export type FoundPrices = ShownPrices;

export interface FoundProduct {
  /** `101/new`. */
  readonly product: string;
  readonly id: string;
  readonly condition: string;
  readonly name: string;
  readonly slug: string;
  readonly dealCount: number;
  /** Its deals that are not served, by the code that excludes them. */
  readonly dealsLeftOut: readonly ExcludedDeals[];
  /** Of a product without a deal: when it last had one. */
  readonly lastDeal?: ProductWithoutDeals['lastDeal'];
  readonly cheapest?: FoundPrices & { readonly retailer: string; readonly network: string };
  readonly origin?: SourceLocation;
  /** Of its source, when that is not fresh. */
  readonly sourceState?: ManifestSource['state'];
  readonly notices: readonly FoundNotice[];
}

export interface FoundDeal {
  readonly key: string;
  readonly product: string;
  readonly name: string;
  readonly retailer?: string;
  readonly origin: SourceLocation;
  readonly match: { readonly rule: MatchRule; readonly found: string; readonly meaning: string };
  readonly prices?: FoundPrices;
  readonly sourceState?: ManifestSource['state'];
  readonly notices: readonly FoundNotice[];
}

/** `101/new` and its name, with the names and slugs that differ. */
type RenamedProduct = Pick<ChangeKinds['productsChanged']['items'][number], 'product' | 'name' | 'renamed'>;

/** `/status/explain.json`: what happened to the records that a word may mean. */
export interface RecordSearch {
  readonly asked: string;
  readonly snapshot: string;
  /** By the clock of the server: ages are told by it. */
  readonly now: string;
  /** Before every amount: `£`. */
  readonly currencyLabel: string;
  /** Served products; exact matches first. */
  readonly products: Counted<FoundProduct>;
  readonly deals: Counted<FoundDeal>;
  /** Records that are not served, each with the rule that excludes it. */
  readonly leftOut: Counted<FoundNotice>;
  /** Feed names with the word, and what happened to the deals of each. */
  readonly names: Counted<FoundName>;
  /** Products that had this name or slug in the snapshot before. */
  readonly renamed: readonly RenamedProduct[];
  /** Products of the snapshot before that are gone. */
  readonly gone: readonly { readonly product: string; readonly name: string }[];
  /** The nearest names, when nothing was found. */
  readonly nearest: readonly string[];
}
