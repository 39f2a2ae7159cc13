import { compareCodeUnits } from '../../data/record/id.ts';
import type { NoticeCode } from '../../data/report/notice.ts';

/** What a reference names that means no product of the catalogue, or more than one. */
export interface UnmatchedProduct {
  readonly name: string;
  /** The field, when `name` is not a name: `matches` has no place for an id. */
  readonly field?: 'productId' | 'gtin' | 'feedIds';
  readonly code: 'unknown-product' | 'ambiguous-product';
  /** The nearest products, or the possible ones: `101/new`. */
  readonly nearest: readonly string[];
  /** The excluded product of the CMS that is meant, and the code of its exclusion. */
  readonly leftOut?: { readonly product: string; readonly code: NoticeCode };
  /** The served variant of the phone, which the CMS has in the other condition only. */
  readonly otherVariant?: string;
  /** The remedy, when it can be more exact than that of the code. */
  readonly remedy?: string;
}

/** The same with the feed that has it, and how many of its deals. */
export interface UnmatchedName extends UnmatchedProduct {
  readonly feed: string;
  readonly dealCount: number;
}

/** Most deals first: adding that one name to `matches` wins the most. */
export function sortUnmatchedNames(names: readonly UnmatchedName[]): readonly UnmatchedName[] {
  return names.toSorted(
    (a, b) => b.dealCount - a.dealCount || compareCodeUnits(a.name, b.name) || compareCodeUnits(a.feed, b.feed),
  );
}
