import { compareCodeUnits } from '../record/code-unit.ts';
import type { ProvenanceLine } from '../snapshot/format.ts';
import type { Counted, FoundName, NameOutcome } from './found-name.ts';
import { findMatchesLine, isNameRule } from './match-rule.ts';
import type { Notice } from './notice.ts';
import { isPartOf, normaliseName, type Subject } from './subject.ts';

/** How many hits of a kind are listed; all are counted. */
export const MAX_LISTED = 20;

interface CountedName {
  readonly feed: string;
  readonly name: string;
  readonly isExact: boolean;
  readonly outcomes: Map<string, NameOutcome>;
  dealCount: number;
  /** The finding that says what to do about the name. */
  unmatched?: Notice;
}

/** A name that is longer is cut in a file, so that more of it cannot be compared. */
const COMPARED_LENGTH = 79;

/**
 * Counts the deals of the feeds by the name of their phone, as far as a subject names it. A deal that is served by an id
 * and not by a name is not counted: its name is not on record.
 */
export class NameSearch {
  readonly #subject: Subject;
  readonly #found = new Map<string, CountedName>();

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  /** Whether deals that are served came to their product by a name that is meant. */
  isMeant(ways: ProvenanceLine['matches']): boolean {
    return ways.some(({ rule, found }) => isNameRule(rule) && this.#isNamed(found));
  }

  /** @param product of the line: `101/new` */
  addServed(line: ProvenanceLine, product: string): void {
    for (const [position, way] of line.match.entries()) {
      const { rule, found } = line.matches[way] as ProvenanceLine['matches'][number];
      if (!isNameRule(rule) || !this.#isNamed(found)) continue;
      this.#count(line.source[position] as string, found, 'served', product);
    }
  }

  /** @param notice about a record of a feed that is not served */
  addLeftOut(notice: Notice): void {
    const name = nameOf(notice);
    if (name === undefined || !this.#isNamed(name)) return;
    const counted = this.#count(notice.source, name, notice.code, notice.product);
    if (notice.code === 'unknown-product' || notice.code === 'ambiguous-product') counted.unmatched ??= notice;
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
    return { count: found.length, items: found.slice(0, MAX_LISTED).map(describeName) };
  }

  #isNamed(name: string): boolean {
    return isPartOf(this.#subject, name) || keyOf(name) === keyOf(this.#subject.text);
  }

  #count(feed: string, name: string, code: NameOutcome['code'], product: string | undefined): CountedName {
    const key = `${feed} ${keyOf(name)}`;
    const isExact = keyOf(name) === keyOf(this.#subject.text);
    const counted = this.#found.get(key) ?? { feed, name, isExact, outcomes: new Map(), dealCount: 0 };
    this.#found.set(key, counted);
    counted.dealCount++;
    const outcome = `${code} ${product}`;
    const count = 1 + (counted.outcomes.get(outcome)?.count ?? 0);
    counted.outcomes.set(outcome, { code, ...(product === undefined ? {} : { product }), count });
    return counted;
  }
}

/** What a feed calls the phone of a deal that is not served. */
function nameOf({ names, field, found }: Notice): string | undefined {
  // Snapshots of before a name was on record have it where it is what was found.
  return names?.at(-1) ?? (field === 'productName' ? found : undefined);
}

function keyOf(name: string): string {
  return normaliseName(name.trim().slice(0, COMPARED_LENGTH));
}

function describeName({ feed, name, dealCount, outcomes, unmatched }: CountedName): FoundName {
  const { expected, remedy } = unmatched ?? {};
  const matchesLine = findMatchesLine(name, remedy);
  return {
    feed,
    name,
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
