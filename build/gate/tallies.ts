import type { DealFacts } from './facts.ts';
import { measureMove } from './measure.ts';

/** Facts that tell deals apart, and what a sentence calls them. */
export const TELLING = [
  ['link', 'link'],
  ['plan', 'name of a plan'],
  ['total', 'total cost'],
  ['monthly', 'monthly cost'],
  ['gift', 'gift'],
  ['cashback', 'cashback'],
] as const;

/** So many values tell deals apart; more are not kept. */
export const MIN_DIFFERENT = 5;

function eachOf<Name extends string, Value>(
  names: readonly Name[],
  create: () => Value,
): Readonly<Record<Name, Value>> {
  // The names are all there are.
  return Object.fromEntries(names.map((name) => [name, create()])) as Record<Name, Value>;
}

/** The first measure: what some deals say, without their keys. */
export class Profile {
  count = 0;
  /** How many cost something upfront, and how many have a limit on their data. */
  readonly having = { upfront: 0, limited: 0 };
  /** How many have a new key, and the link that another deal had. */
  takenLinks = 0;
  /** The first different values. */
  readonly values = eachOf(
    TELLING.map(([fact]) => fact),
    () => new Set<number>(),
  );

  add(deal: DealFacts): void {
    this.count++;
    if (deal.upfront > 0) this.having.upfront++;
    this.having.limited += deal.limited;
    for (const [fact] of TELLING) this.#keep(this.values[fact], deal[fact]);
  }

  merge({ count, having, takenLinks, values }: Profile): void {
    this.count += count;
    this.takenLinks += takenLinks;
    this.having.upfront += having.upfront;
    this.having.limited += having.limited;
    for (const [fact] of TELLING) for (const value of values[fact]) this.#keep(this.values[fact], value);
  }

  #keep(values: Set<number>, value: number): void {
    if (values.size < MIN_DIFFERENT) values.add(value);
  }
}

const COSTS = ['total', 'monthly', 'upfront'] as const;
const EXTRAS = ['gift', 'cashback'] as const;
const CHANGES = ['phone', 'offer', 'offerOrSite', 'link', 'takenLink'] as const;

/** What is known of a deal under its key besides its facts. */
export interface DriftMarks {
  /** It is for another phone, and the catalogue has both. */
  readonly isOtherPhone: boolean;
  /** It has the link that another deal had. */
  readonly hasTakenLink: boolean;
}

/** Gifts or cashbacks of the same deals: how many deals had or have one, and what became of it. */
type ExtraCounts = Record<'had' | 'gone' | 'come' | 'other', number>;

/** The second measure: what changed in the same deals under their keys. Nothing is kept of a deal that did not change. */
export class Drift {
  count = 0;
  /** How many are for another phone, offer something else, have another link, or that of another deal. */
  readonly changed = eachOf(CHANGES, () => 0) as Record<(typeof CHANGES)[number], number>;
  /** How far costs moved, as a share of the lower one; without those that did not move. */
  readonly moves = eachOf(COSTS, (): number[] => []);
  /** By which share of itself the total moved, up or down. */
  readonly steps: number[] = [];
  readonly extras = eachOf(EXTRAS, (): ExtraCounts => ({ had: 0, gone: 0, come: 0, other: 0 }));
  /** The names of plans before, and how many deals have which other name now. */
  readonly #plans = new Set<number>();
  readonly #renamed = new Map<number, number>();

  add(before: DealFacts, now: DealFacts, { isOtherPhone, hasTakenLink }: DriftMarks): void {
    const { changed } = this;
    this.count++;
    this.#plans.add(before.plan);
    if (before.plan !== now.plan) this.#rename(now.plan, 1);
    const isOther = before.product !== now.product || before.network !== now.network || before.offer !== now.offer;
    if (isOtherPhone) changed.phone++;
    if (isOther) changed.offer++;
    if (isOther || before.site !== now.site) changed.offerOrSite++;
    if (before.link !== now.link) changed.link++;
    if (hasTakenLink) changed.takenLink++;
    for (const cost of COSTS)
      if (before[cost] !== now[cost]) this.moves[cost].push(measureMove(before[cost], now[cost]));
    if (before.total !== now.total && before.total !== 0) this.steps.push(now.total / before.total - 1);
    for (const extra of EXTRAS) {
      if (before[extra] === 0 && now[extra] === 0) continue;
      const counts = this.extras[extra];
      counts.had++;
      if (now[extra] === 0) counts.gone++;
      else if (before[extra] === 0) counts.come++;
      else if (before[extra] !== now[extra]) counts.other++;
    }
  }

  merge(other: Drift): void {
    this.count += other.count;
    for (const change of CHANGES) this.changed[change] += other.changed[change];
    for (const cost of COSTS) for (const move of other.moves[cost]) this.moves[cost].push(move);
    for (const step of other.steps) this.steps.push(step);
    for (const extra of EXTRAS) {
      for (const what of ['had', 'gone', 'come', 'other'] as const) {
        this.extras[extra][what] += other.extras[extra][what];
      }
    }
    for (const plan of other.#plans) this.#plans.add(plan);
    for (const [plan, count] of other.#renamed) this.#rename(plan, count);
  }

  /** How many deals have the name that another plan had. */
  get takenPlans(): number {
    return [...this.#renamed].reduce((sum, [plan, count]) => (this.#plans.has(plan) ? sum + count : sum), 0);
  }

  /** How far so large a share of the deals moved in a cost at least. */
  movedBy(cost: (typeof COSTS)[number], share: number): number {
    const moves = Float64Array.from(this.moves[cost]).sort();
    const unmoved = this.count - moves.length;
    return moves[Math.floor((1 - share) * this.count) - unmoved] ?? 0;
  }

  /**
   * Counts changes of gifts or cashbacks. One that ends, or begins, is no change: they are when as many come to deals
   * without one, as when a column slips by a row.
   * @returns `had`: the deals that had or have one. `ended`: those that are gone, and came to no other deal; `begun`: the reverse.
   */
  countExtras(
    extras: readonly (typeof EXTRAS)[number][],
  ): Readonly<Record<'had' | 'changed' | 'ended' | 'begun', number>> {
    const sum = (what: keyof ExtraCounts): number => extras.reduce((all, extra) => all + this.extras[extra][what], 0);
    const moved = Math.min(sum('gone'), sum('come'));
    const changed = sum('other') + 2 * moved;
    return { had: sum('had'), changed, ended: sum('gone') - moved, begun: sum('come') - moved };
  }

  #rename(plan: number, count: number): void {
    this.#renamed.set(plan, (this.#renamed.get(plan) ?? 0) + count);
  }
}
