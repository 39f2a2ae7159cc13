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

/** What became of the deals under a name: `served` as those of a product, or left out by a code. */
export interface NameOutcome {
  readonly code: 'served' | NoticeCode;
  /** `101/new`, where the deals are for a product. */
  readonly product?: string;
  readonly count: number;
}

/** A name under which a feed has deals, or what else it means a record of the CMS by. */
export interface FoundName {
  readonly feed: string;
  readonly name: string;
  /** `gtin`, `network`: the field of the feed, where it is not the name of a phone. */
  readonly field?: string;
  readonly dealCount: number;
  /** Most deals first. */
  readonly outcomes: readonly NameOutcome[];
  /** What was expected in place of a name that found no product: names the nearest. */
  readonly expected?: string;
  readonly remedy?: string;
  /** The line for `matches` of the one product that is near. */
  readonly matchesLine?: string;
}

/** A deal of a feed that is not served. */
export type ExcludedDeal = Pick<Notice, 'source' | 'file' | 'line' | 'record'>;

/** The deals of a product that are not served for one reason: how many, and the first of them. */
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
  /** The finding that says what to do about the name. */
  unmatched?: Notice;
}

/** A name that is longer is cut in a file, so that more of it cannot be compared. */
const COMPARED_LENGTH = 79;

/** What a feed has in a field. Without one it is the name of the phone. */
interface FeedTerm {
  readonly name: string;
  readonly field?: string;
}

/** The fields by which a feed means a product. They are compared as a whole. */
const ID_FIELDS: readonly string[] = ['productId', 'gtin', 'feedIds'];

/** The other fields in which a feed names a record of the CMS. */
const NAME_FIELDS: readonly string[] = ['network', 'retailer', 'gift'];

/**
 * Counts the deals of the feeds by the name of their phone, as far as a subject names it, and by what else they mean a
 * record of the CMS by: ids, networks, retailers and gifts where they are unknown, GTINs and feed ids. A deal that is
 * served by an id is not counted by its name, which is not on record.
 */
export class NameSearch {
  readonly #subject: RecordQuery;
  readonly #found = new Map<string, CountedName>();

  constructor(subject: RecordQuery) {
    this.#subject = subject;
  }

  /** Whether deals that are served came to their product by a name, GTIN or feed id that is meant. */
  matchesAny(ways: ProvenanceLine['matches']): boolean {
    return ways.some((way) => this.#isNamed(termOf(way)));
  }

  /** @param product of the line: `101/new` */
  addServed(line: ProvenanceLine, product: string): void {
    for (const [position, way] of line.match.entries()) {
      const call = termOf(line.matches[way] as ProvenanceLine['matches'][number]);
      if (call === undefined || !this.#isNamed(call)) continue;
      this.#count(line.source[position] as string, call, 'served', product);
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
    // A reference may have a name and ids, which a finding shows in one text.
    for (const part of new Set([found, ...found.split(', ')])) {
      const call = { name: part, field };
      if (this.#isNamed(call)) this.#count(source, call, code, product).unmatched ??= notice;
    }
  }

  /** Names that are the subject first, then those with the most deals. */
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

  #isNamed(call: FeedTerm | undefined): boolean {
    if (call === undefined) return false;
    const { name, field } = call;
    return (field === undefined && matchesPart(this.#subject, name)) || keyOf(name) === keyOf(this.#subject.text);
  }

  #count(feed: string, { name, field }: FeedTerm, code: NameOutcome['code'], product: string | undefined): CountedName {
    const key = `${feed} ${field ?? ''} ${keyOf(name)}`;
    const isExact = keyOf(name) === keyOf(this.#subject.text);
    const counted = this.#found.get(key) ?? { feed, name, field, isExact, outcomes: new Map(), dealCount: 0 };
    this.#found.set(key, counted);
    counted.dealCount++;
    const outcome = `${code} ${product}`;
    const count = 1 + (counted.outcomes.get(outcome)?.count ?? 0);
    counted.outcomes.set(outcome, { code, ...(product === undefined ? {} : { product }), count });
    return counted;
  }
}

/** By what a deal that is served came to its product; undefined for the id of the product itself. */
function termOf({ rule, found }: ProvenanceLine['matches'][number]): FeedTerm | undefined {
  if (isNameRule(rule)) return { name: found };
  return rule === 'productId' ? undefined : { name: found, field: rule === 'gtin' ? 'gtin' : 'feedIds' };
}

/** What a feed calls the phone of a deal that is not served. */
function nameOf({ names, field, found }: Notice): string | undefined {
  // Snapshots of before a name was on record have it where it is what was found.
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
