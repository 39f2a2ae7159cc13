import { compareCodeUnits } from '../../data/record/id.ts';
import type { NoticeCode } from '../../data/report/notice.ts';
import type { ProductMatch, UnmatchedField } from './candidates.ts';

/** A name in a feed that means no product of the catalogue, or more than one. */
export interface UnmatchedName {
  readonly feed: string;
  readonly name: string;
  /** The field, when `name` is not a name: `matches` has no place for an id. */
  readonly field?: UnmatchedField;
  readonly code: 'unknown-product' | 'ambiguous-product';
  readonly dealCount: number;
  /** The nearest products, or the possible ones: `101/new`. */
  readonly nearest: readonly string[];
  /** The excluded product of the CMS that is meant, and the code of its exclusion. */
  readonly leftOut?: { readonly product: string; readonly code: NoticeCode };
  /** The served variant of the phone, which the CMS has in the other condition only. */
  readonly otherVariant?: string;
  /** The remedy, when it can be more exact than that of the code. */
  readonly remedy?: string;
}

/** Counts the deals of one feed by the name that matched no product. */
export class UnmatchedNames {
  readonly #feed: string;
  readonly #counts = new Map<string, { match: Extract<ProductMatch, { kind: 'none' }>; dealCount: number }>();

  constructor(feed: string) {
    this.#feed = feed;
  }

  /** How many different names there are. */
  get size(): number {
    return this.#counts.size;
  }

  count(match: Extract<ProductMatch, { kind: 'none' }>): void {
    const key = `${match.field ?? ''} ${match.name}`;
    const entry = this.#counts.get(key);
    if (entry === undefined) this.#counts.set(key, { match, dealCount: 1 });
    else entry.dealCount++;
  }

  list(): readonly UnmatchedName[] {
    return [...this.#counts.values()].map(
      ({ match: { name, field, details, nearest, excluded, otherVariant }, dealCount }) => ({
        feed: this.#feed,
        name,
        ...(field === undefined ? {} : { field }),
        code: details.code,
        dealCount,
        nearest,
        ...(excluded === undefined ? {} : { leftOut: { product: excluded.key, code: excluded.details.code } }),
        ...(otherVariant === undefined ? {} : { otherVariant }),
        ...(details.remedy === undefined ? {} : { remedy: details.remedy }),
      }),
    );
  }
}

/** Most deals first: adding that one name to `matches` wins the most. */
export function sortUnmatchedNames(names: readonly UnmatchedName[]): readonly UnmatchedName[] {
  return names.toSorted(
    (a, b) => b.dealCount - a.dealCount || compareCodeUnits(a.name, b.name) || compareCodeUnits(a.feed, b.feed),
  );
}
