import type { HeldPart } from '../../data/report/report.ts';
import { groupBy } from '../source/record.ts';
import type { Fact, FactColumns } from './facts.ts';
import { measureMove, medianOf } from './limits.ts';
import type { Freshness } from './served-snapshot.ts';

/** A feed, a retailer in it, a network in it, or a network at a retailer, by their slugs. */
export type PartName = Readonly<Pick<HeldPart, 'retailer' | 'network'>>;

/** `network o2 at retailer tello`; empty for the whole feed. */
export function namePart({ retailer, network }: PartName): string {
  const names = Object.entries({ network, retailer }).filter(([, slug]) => slug !== undefined);
  return names.map(([kind, slug]) => `${kind} ${slug}`).join(' at ');
}

export function isWhole({ retailer, network }: PartName): boolean {
  return retailer === undefined && network === undefined;
}

/** Whether a part has the deals of a network at a retailer. */
export function covers(part: PartName, cell: PartName): boolean {
  return (['retailer', 'network'] as const).every((kind) => part[kind] === undefined || part[kind] === cell[kind]);
}

/** What became of deals of a feed that are not served as its file has them. */
export interface Holding extends Readonly<Pick<HeldPart, 'state' | 'gates' | 'because'>> {
  /** What the report names: the part, or the cell where its deals are older than others of the part. */
  readonly place: PartName;
}

/** The deals of one network at one retailer in a feed. */
export interface Cell extends Required<PartName>, Freshness {
  /** The rows of its deals before and now, and the rows now of deals that were in it before. */
  readonly before: number[];
  readonly now: number[];
  readonly found: number[];
  /** Absent while the cell is served as the file has it. */
  holding?: Holding;
  /** Its loss stands, and counts in no larger part. */
  isTaken?: boolean;
}

/** Facts that tell deals apart, and what a sentence calls them. */
export const TELLING = [
  ['link', 'link'],
  ['plan', 'name of a plan'],
  ['total', 'total cost'],
  ['monthly', 'monthly cost'],
] as const satisfies readonly (readonly [Fact, string])[];

type Telling = (typeof TELLING)[number][0];

/** The first measure: what some deals say, without their keys. */
interface Profile {
  readonly count: number;
  /** The share that has the most frequent value of a fact that tells deals apart; of no meaning below a half. */
  readonly most: Readonly<Record<Telling, number>>;
}

function profileDeals(columns: FactColumns, rows: readonly number[]): Profile {
  return {
    count: rows.length,
    // Each of them is in the list.
    most: Object.fromEntries(
      TELLING.map(([fact]) => [fact, shareOfMost(columns[fact].values(), rows)]),
    ) as Profile['most'],
  };
}

/** The share of the value that most rows have, by the majority vote of Boyer and Moore. */
function shareOfMost(values: ArrayLike<number>, rows: readonly number[]): number {
  let [most, votes] = [0, 0];
  for (const row of rows) {
    const value = values[row] as number;
    if (votes === 0) most = value;
    votes += value === most ? 1 : -1;
  }
  return rows.filter((row) => values[row] === most).length / Math.max(1, rows.length);
}

/** The deals of a feed as it was read, beside those before. */
export interface FeedDeals {
  /** The deals that the build is compared with, and for each 1 if it is one of this feed that is compared. */
  readonly before: FactColumns;
  readonly isOurs: Uint8Array;
  readonly now: FactColumns;
  /** For each deal now, the row of the deal before that has its key, or -1. */
  readonly rowsBefore: Int32Array;
  /** Deals now that are held out for their price. */
  readonly heldOut: ReadonlySet<number>;
  /** Whether the catalogue has a product, and had it before. */
  readonly isKnownProduct: (product: number) => boolean;
}

/** A fact of the deals now that were there before, by their rows now. */
function pairFacts({ before, now, rowsBefore }: FeedDeals, fact: Fact) {
  // Rows are those of the columns. Their arrays are read three times as fast as the columns.
  const [from, to] = [before[fact].values(), now[fact].values()];
  const was = (row: number): number => from[rowsBefore[row] as number] as number;
  const is = (row: number): number => to[row] as number;
  return { was, is, isOther: (row: number): boolean => was(row) !== is(row) };
}

const COSTS = ['total', 'monthly', 'upfront'] as const;
export const EXTRAS = ['gift', 'cashback'] as const;

type Cost = (typeof COSTS)[number];
type Extra = (typeof EXTRAS)[number];

/** The second measure: what changed in the same deals under their keys. Nothing is kept of a deal that did not change. */
export class Drift {
  count = 0;
  /**
   * How many are for another phone, offer something else, have another name of their plan, another link, or that of
   * another deal; and how many more than others have one new link.
   */
  readonly changed = { phone: 0, offer: 0, offerOrSite: 0, plan: 0, link: 0, takenLink: 0, commonLink: 0 };
  /** By which share of itself the total moved, up or down. */
  readonly steps: number[] = [];
  /** How far costs moved, as a share of the lower one; without those that did not move. */
  readonly #moves: Readonly<Record<Cost, number[]>> = { total: [], monthly: [], upfront: [] };
  /** How many deals had or have a gift or cashback, and what became of it. */
  readonly #extras = {
    gift: { had: 0, gone: 0, come: 0, other: 0 },
    cashback: { had: 0, gone: 0, come: 0, other: 0 },
  };
  /** The new link that most deals with another link have, if most have one. */
  #commonLink = 0;

  /**
   * @param rows now of deals that were there before
   * @param takers rows now that have the link of another deal
   */
  add(deals: FeedDeals, rows: readonly number[], takers: ReadonlySet<number>): void {
    const { changed } = this;
    const [product, network, offer] = [
      pairFacts(deals, 'product'),
      pairFacts(deals, 'network'),
      pairFacts(deals, 'offer'),
    ];
    const [site, link, plan] = [pairFacts(deals, 'site'), pairFacts(deals, 'link'), pairFacts(deals, 'plan')];
    const { isKnownProduct } = deals;
    for (const row of rows) {
      const isOther = product.isOther(row) || network.isOther(row) || offer.isOther(row);
      if (isOther) changed.offer++;
      if (isOther || site.isOther(row)) changed.offerOrSite++;
      // The catalogue may have split a product in two.
      if (product.isOther(row) && isKnownProduct(product.was(row)) && isKnownProduct(product.is(row))) changed.phone++;
      if (link.isOther(row)) this.#addLink(link.is(row));
      if (takers.has(row)) changed.takenLink++;
      if (plan.isOther(row)) changed.plan++;
    }
    this.count += rows.length;
    for (const cost of COSTS) this.#addCost(cost, pairFacts(deals, cost), rows);
    for (const extra of EXTRAS) this.#addExtra(extra, pairFacts(deals, extra), rows);
  }

  /** Counts the deals that have one new link by the majority vote of Boyer and Moore: those beyond half of all with another. */
  #addLink(link: number): void {
    const { changed } = this;
    changed.link++;
    if (changed.commonLink === 0) this.#commonLink = link;
    changed.commonLink += link === this.#commonLink ? 1 : -1;
  }

  #addCost(cost: Cost, { was, is, isOther }: ReturnType<typeof pairFacts>, rows: readonly number[]): void {
    for (const row of rows) {
      if (!isOther(row)) continue;
      this.#moves[cost].push(measureMove(was(row), is(row)));
      if (cost === 'total' && was(row) !== 0) this.steps.push(is(row) / was(row) - 1);
    }
  }

  #addExtra(extra: Extra, { was, is, isOther }: ReturnType<typeof pairFacts>, rows: readonly number[]): void {
    const counts = this.#extras[extra];
    for (const row of rows) {
      if (was(row) === 0 && is(row) === 0) continue;
      counts.had++;
      if (is(row) === 0) counts.gone++;
      else if (was(row) === 0) counts.come++;
      else if (isOther(row)) counts.other++;
    }
  }

  /** How far so large a share of the deals moved in a cost at least. */
  movedBy(cost: Cost, share: number): number {
    const moves = Float64Array.from(this.#moves[cost]).sort();
    const unmoved = this.count - moves.length;
    return moves[Math.floor((1 - share) * this.count) - unmoved] ?? 0;
  }

  /**
   * Counts changes of gifts or cashbacks. One that ends, or begins, is no change: they are when as many come to deals
   * without one, as when a column slips by a row.
   * @returns `had`: the deals that had or have one. `ended`: those that are gone, and came to no other deal; `begun`: the reverse.
   */
  countExtra(extra: Extra): Readonly<Record<'had' | 'changed' | 'ended' | 'begun', number>> {
    const { had, gone, come, other } = this.#extras[extra];
    const moved = Math.min(gone, come);
    return { had, changed: other + 2 * moved, ended: gone - moved, begun: come - moved };
  }
}

/** The two measures of some cells. */
export interface Measured {
  readonly before: Profile;
  readonly now: Profile;
  /** Of the deals now that were in the cells before. */
  readonly drift: Drift;
  /** How many deals before are in the feed, be it in another cell. */
  readonly found: number;
  /** How many deals have the link that another deal had. */
  readonly takenLinks: number;
  /** The cost in the middle of the same deals, before and now. */
  readonly findMiddle: (cost: Cost) => readonly [before: number, now: number];
}

/** Numbers of texts are below it. */
const MAX_NUMBERS = 2 ** 26;

/** A feed beside its deals before, in cells. */
export class FeedComparison {
  readonly cells: Cell[] = [];
  readonly deals: FeedDeals;
  readonly #cellsBefore: (Cell | undefined)[] = [];
  readonly #cellsNow: Cell[] = [];
  /** For each row before, 1 if a deal now has its key. */
  readonly #isKept: Uint8Array;
  readonly #takers: ReadonlySet<number>;

  /** @param nameCell the network at the retailer of a deal, by their numbers */
  constructor(deals: FeedDeals, nameCell: (retailer: number, network: number) => Required<PartName> & Freshness) {
    this.deals = deals;
    const { before, now, isOurs, rowsBefore } = deals;
    const opened = new Map<number, Cell>();
    const openCell = ({ retailer, network }: FactColumns, row: number): Cell => {
      const key = retailer.at(row) * MAX_NUMBERS + network.at(row);
      let cell = opened.get(key);
      if (cell === undefined) {
        cell = { ...nameCell(retailer.at(row), network.at(row)), before: [], now: [], found: [] };
        opened.set(key, cell);
        this.cells.push(cell);
      }
      return cell;
    };
    isOurs.forEach((isOne, row) => {
      const cell = isOne === 1 ? openCell(before, row) : undefined;
      this.#cellsBefore.push(cell);
      cell?.before.push(row);
    });
    rowsBefore.forEach((rowBefore, row) => {
      const cell = openCell(now, row);
      this.#cellsNow.push(cell);
      cell.now.push(row);
      if (rowBefore !== -1) this.cellBefore(rowBefore)?.found.push(row);
    });
    this.#isKept = new Uint8Array(isOurs.length);
    for (const row of rowsBefore) if (row !== -1) this.#isKept[row] = 1;
    this.#takers = findTakenLinks(deals, this.#isKept);
  }

  /** The row of the deal before that has the key of a deal now, or -1. */
  rowBefore(row: number): number {
    return this.deals.rowsBefore[row] as number;
  }

  /** Whether a deal now has a new key, or is for another product. */
  isNew(row: number): boolean {
    return this.rowBefore(row) === -1 || pairFacts(this.deals, 'product').isOther(row);
  }

  /** Whether a deal now has the key of a row before. */
  isKept(row: number): boolean {
    return this.#isKept[row] === 1;
  }

  /** The cell of a deal now. */
  cellOf(row: number): Cell {
    return this.#cellsNow[row] as Cell;
  }

  /** The cell of a row before; undefined for one that is not compared. */
  cellBefore(row: number): Cell | undefined {
    return this.#cellsBefore[row];
  }

  addTo(drift: Drift, rows: readonly number[]): void {
    drift.add(this.deals, rows, this.#takers);
  }

  measure(cells: readonly Cell[]): Measured {
    const { before, now } = this.deals;
    const rowsOf = (kind: 'before' | 'now' | 'found') => ([] as number[]).concat(...cells.map((cell) => cell[kind]));
    const [rowsNow, found] = [rowsOf('now'), rowsOf('found')];
    // A deal that has gone to a held part is compared there.
    const rows = found.filter((row) => this.cellOf(row).holding === undefined);
    const drift = new Drift();
    this.addTo(drift, rows);
    const newTakers = rowsNow.filter((row) => this.rowBefore(row) === -1 && this.#takers.has(row));
    return {
      before: profileDeals(before, rowsOf('before')),
      now: profileDeals(now, rowsNow),
      drift,
      found: found.length,
      takenLinks: drift.changed.takenLink + newTakers.length,
      findMiddle: (cost) => {
        const { was, is } = pairFacts(this.deals, cost);
        return [medianOf(Float64Array.from(rows, was).sort()), medianOf(Float64Array.from(rows, is).sort())];
      },
    };
  }
}

/**
 * Finds the deals now that have the link which another deal had and has lost: a shop does not give the link of one deal to
 * another, nor to a deal of another shop. A link that deals of several products share is a page of the shop, and one that
 * deals of the same product share is its page: who joins others there takes nothing.
 * @param isKept for each row before, 1 if a deal now has its key
 */
function findTakenLinks(deals: FeedDeals, isKept: Uint8Array): ReadonlySet<number> {
  const { before, isOurs, now, rowsBefore } = deals;
  const { isOther } = pairFacts(deals, 'link');
  const keepsLink = new Uint8Array(isOurs.length);
  const takers: number[] = [];
  rowsBefore.forEach((rowBefore, row) => {
    if (rowBefore === -1 || isOther(row)) takers.push(row);
    else keepsLink[rowBefore] = 1;
  });
  const takersOf = groupBy(takers, (row) => [now.link.at(row)]);
  const holders: number[] = [];
  isOurs.forEach((isOne, row) => {
    if (isOne === 1 && takersOf.has(before.link.at(row))) holders.push(row);
  });
  const taken = new Set<number>();
  for (const [link, rows] of groupBy(holders, (row) => [before.link.at(row)])) {
    const [first] = rows as readonly [number];
    if (keepsLink[first] === 1) continue;
    const product = before.product.at(first);
    const isOfOneProduct = rows.every((row) => before.product.at(row) === product);
    // When several deals come to a page, one has taken it.
    const taker = takersOf.get(link)?.find((row) => {
      const rowBefore = rowsBefore[row] as number;
      const isSameRetailer = now.retailer.at(row) === before.retailer.at(first);
      if (isSameRetailer && (rowBefore === -1 || isKept[first] === 0)) return false;
      const own = rowBefore === -1 ? now.product.at(row) : before.product.at(rowBefore);
      return rows.length === 1 || (isOfOneProduct && own !== product);
    });
    if (taker !== undefined) taken.add(taker);
  }
  return taken;
}
