import { findMatchesLine, isNameRule } from '../record/deal.ts';
import { compareCodeUnits } from '../record/id.ts';
import type { Notice, NoticeCode } from '../report/notice.ts';
import type { ProvenanceLine } from '../snapshot/format.ts';
import { matchesPart, normaliseName, type RecordQuery } from './record-query.ts';

/** Hits of a kind: how many there are, and the first of them. */
export interface Counted<Item> {
  readonly count: number;
  readonly items: readonly Item[];
}

/** The outcome of deals under a name: `served`, or the code that excludes them. */
export interface NameOutcome {
  readonly code: 'served' | NoticeCode;
  /** `101/new`, where the deals are for a product. */
  readonly product?: string;
  readonly count: number;
}

/** A name, or another field, by which a feed refers to a record of the CMS. */
export interface FoundName {
  readonly feed: string;
  readonly name: string;
  /** `gtin`, `network`: the field of the feed, where it is not the name of a phone. */
  readonly field?: string;
  readonly dealCount: number;
  /** Most deals first. */
  readonly outcomes: readonly NameOutcome[];
  /** The nearest products of a name without a product. */
  readonly expected?: string;
  readonly remedy?: string;
  /** The line for `matches` of the one product that is near. */
  readonly matchesLine?: string;
}

/** A deal of a feed that is not served. */
export type ExcludedDeal = Pick<Notice, 'source' | 'file' | 'line' | 'record'>;

/** The excluded deals of a product, for one code. */
export interface ExcludedDeals {
  readonly code: NoticeCode;
  readonly count: number;
  readonly deals: readonly ExcludedDeal[];
}

/** How many hits of a kind are listed; all are counted. */
export const MAX_LISTED = 20;

interface CountedName {
  readonly feed: string;
  readonly name: string;
  readonly field: string | undefined;
  readonly isExact: boolean;
  readonly outcomes: Map<string, NameOutcome>;
  dealCount: number;
  /** The notice with the remedy. */
  unmatched?: Notice;
}

/** Longer names are cut in the files of a snapshot. */
const COMPARED_LENGTH = 79;

/** A value of a feed; without `field` it is the name of the phone. */
interface FeedTerm {
  readonly name: string;
  readonly field?: string;
}

/** The id fields of a product in a feed. */
const ID_FIELDS: readonly string[] = ['productId', 'gtin', 'feedIds'];

/** Other fields that refer to a record of the CMS. */
const NAME_FIELDS: readonly string[] = ['network', 'retailer', 'gift'];

/**
 * Counts the deals of feeds whose name of the phone, GTIN or feed id matches the query; also those whose unknown id,
 * network, retailer or gift matches. A deal that was matched by an id is not counted by its name, which is not stored.
 */
export class NameSearch {
  readonly #query: RecordQuery;
  readonly #found = new Map<string, CountedName>();

  constructor(query: RecordQuery) {
    this.#query = query;
  }

  /** Whether served deals were matched by a name, GTIN or feed id of the query. */
  matchesAny(matches: ProvenanceLine['matches']): boolean {
    return matches.some((match) => this.#isNamed(termOf(match)));
  }

  /** @param product of the line: `101/new` */
  addServed(line: ProvenanceLine, product: string): void {
    for (const [position, match] of line.match.entries()) {
      const term = termOf(line.matches[match] as ProvenanceLine['matches'][number]);
      if (term === undefined || !this.#isNamed(term)) continue;
      this.#count(line.source[position] as string, term, 'served', product);
    }
  }

  /** @param notice about a record of a feed that is not served */
  addExcluded(notice: Notice): void {
    const { code, field, found, source, product } = notice;
    const name = nameOf(notice);
    const isUnmatched = code === 'unknown-product' || code === 'ambiguous-product';
    if (name !== undefined && this.#isNamed({ name })) {
      const counted = this.#count(source, { name }, code, product);
      if (isUnmatched) counted.unmatched ??= notice;
    }
    if (found === undefined || field === undefined) return;
    if (!NAME_FIELDS.includes(field) && !(isUnmatched && ID_FIELDS.includes(field))) return;
    // A notice shows the name and the ids of a reference in one text.
    for (const part of new Set([found, ...found.split(', ')])) {
      const term = { name: part, field };
      if (this.#isNamed(term)) this.#count(source, term, code, product).unmatched ??= notice;
    }
  }

  /** Exact names first, then names with the most deals. */
  finish(): Counted<FoundName> {
    const found = [...this.#found.values()].sort(
      (a, b) =>
        Number(b.isExact) - Number(a.isExact) ||
        b.dealCount - a.dealCount ||
        compareCodeUnits(a.name, b.name) ||
        compareCodeUnits(a.feed, b.feed),
    );
    return { count: found.length, items: found.slice(0, MAX_LISTED).map(toFoundName) };
  }

  #isNamed(term: FeedTerm | undefined): boolean {
    if (term === undefined) return false;
    const { name, field } = term;
    return (field === undefined && matchesPart(this.#query, name)) || keyOf(name) === keyOf(this.#query.text);
  }

  #count(feed: string, { name, field }: FeedTerm, code: NameOutcome['code'], product: string | undefined): CountedName {
    const key = `${feed} ${field ?? ''} ${keyOf(name)}`;
    const isExact = keyOf(name) === keyOf(this.#query.text);
    const counted = this.#found.get(key) ?? { feed, name, field, isExact, outcomes: new Map(), dealCount: 0 };
    this.#found.set(key, counted);
    counted.dealCount++;
    const outcome = `${code} ${product}`;
    const count = 1 + (counted.outcomes.get(outcome)?.count ?? 0);
    counted.outcomes.set(outcome, { code, ...(product === undefined ? {} : { product }), count });
    return counted;
  }
}

/** The value that matched a served deal; undefined for the id of the product itself. */
function termOf({ rule, found }: ProvenanceLine['matches'][number]): FeedTerm | undefined {
  if (isNameRule(rule)) return { name: found };
  return rule === 'productId' ? undefined : { name: found, field: rule === 'gtin' ? 'gtin' : 'feedIds' };
}

function nameOf({ names, field, found }: Notice): string | undefined {
  // Older snapshots have the name only in `found`.
  return names?.at(-1) ?? (field === 'productName' ? found : undefined);
}

function keyOf(name: string): string {
  return normaliseName(name.trim().slice(0, COMPARED_LENGTH));
}

function toFoundName({ feed, name, field, dealCount, outcomes, unmatched }: CountedName): FoundName {
  const { expected, remedy } = unmatched ?? {};
  const matchesLine = findMatchesLine(name, remedy);
  return {
    feed,
    name,
    ...(field === undefined ? {} : { field }),
    dealCount,
    outcomes: [...outcomes.values()].sort(
      (a, b) =>
        b.count - a.count || compareCodeUnits(a.code, b.code) || compareCodeUnits(a.product ?? '', b.product ?? ''),
    ),
    ...(expected === undefined ? {} : { expected }),
    ...(remedy === undefined ? {} : { remedy }),
    ...(matchesLine === undefined ? {} : { matchesLine }),
  };
}
