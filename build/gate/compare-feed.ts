import type { HeldPart } from '../../data/report/report.ts';
import { groupBy } from '../source/record.ts';
import type { FactColumns, DealFacts } from './facts.ts';
import { medianOf } from './measure.ts';
import type { PartName } from './part-measures.ts';
import type { Freshness } from './served-snapshot.ts';
import { Drift, Profile } from './tallies.ts';

/** The deals of a feed as it was read, beside those before. */
export interface FeedDeals {
  /** The deals that the build is compared with, and for each 1 if it is one of this feed that is compared. */
  readonly before: FactColumns;
  readonly isOurs: Uint8Array;
  readonly now: FactColumns;
  /** For each deal now, the row of the deal before that has its key, or -1. */
  readonly rowsBefore: Int32Array;
  /** The maker and the condition of each deal now. Deals with the same have the same array. */
  readonly labelsOf: (row: number) => readonly string[];
  /** Deals now that are held out for their price. */
  readonly heldOut: ReadonlySet<number>;
  /** Whether the catalogue has a product, and had it before. */
  readonly isKnownProduct: (product: number) => boolean;
}

/** What became of deals of a feed that are not served as its file has them. */
export interface Holding extends Readonly<Pick<HeldPart, 'state' | 'gates' | 'because'>> {
  /** What the report names: the part, or the cell where its deals are older than others of the part. */
  readonly place: PartName;
}

/** The deals of one network at one retailer in a feed. */
export interface Cell extends Required<PartName>, Freshness {
  readonly before: Profile;
  readonly now: Profile;
  /** Absent while the cell is served as the file has it. */
  holding?: Holding;
  /** Its loss stands, and counts in no larger part. */
  isTaken?: boolean;
}

/** The network at a retailer of a deal, by their slugs. */
type NameCell = (deal: DealFacts) => Required<PartName> & Freshness;

/** The same deals that went from a cell to a cell, of one maker and condition. */
export interface Strand {
  /** Undefined when the deals before are not compared: the CMS or `exclude` takes them from the feed. */
  readonly from: Cell | undefined;
  readonly to: Cell;
  readonly labels: readonly string[];
  readonly isHeldOut: boolean;
  readonly drift: Drift;
}

/** Numbers of texts are below it. */
const MAX_NUMBERS = 2 ** 26;

/** A feed beside its deals before: counted in cells, in one pass. */
export class FeedComparison {
  readonly cells: Cell[] = [];
  readonly strands: Strand[] = [];
  readonly #deals: FeedDeals;
  readonly #nameCell: NameCell;
  /** For each row before, 1 if a deal now has its key. */
  readonly #isKept: Uint8Array;
  readonly #cellOf = new Map<number, Cell>();
  readonly #strandsTo = new Map<Cell, Strand[]>();

  constructor(deals: FeedDeals, nameCell: NameCell) {
    this.#deals = deals;
    this.#nameCell = nameCell;
    const { before, now, isOurs, rowsBefore } = deals;
    this.#isKept = new Uint8Array(before.rowCount);
    for (const row of rowsBefore) if (row !== -1) this.#isKept[row] = 1;
    for (let row = 0; row < isOurs.length; row++) {
      if (isOurs[row] === 0) continue;
      const deal = before.at(row);
      this.#open(deal).before.add(deal);
    }
    const takers = findTakenLinks(deals, this.#isKept);
    for (let row = 0; row < rowsBefore.length; row++) this.#count(row, now.at(row), takers.has(row));
  }

  get heldOut(): ReadonlySet<number> {
    return this.#deals.heldOut;
  }

  /** The row of the deal before that has the key of a deal now, or -1. */
  rowBefore(row: number): number {
    return this.#deals.rowsBefore[row] as number;
  }

  /** Whether a deal now has a new key, or is for another product. */
  isNew(row: number): boolean {
    const { before, now } = this.#deals;
    const rowBefore = this.rowBefore(row);
    return rowBefore === -1 || before.factAt('product', rowBefore) !== now.factAt('product', row);
  }

  /** Whether a deal now has the key of a row before. */
  isKept(row: number): boolean {
    return this.#isKept[row] === 1;
  }

  /** The cell of a deal now. */
  cellOf(row: number): Cell {
    return this.#open(this.#deals.now.at(row));
  }

  /** The cell of a row before; undefined for one that is not compared. */
  cellBefore(row: number): Cell | undefined {
    return this.#deals.isOurs[row] === 1 ? this.#open(this.#deals.before.at(row)) : undefined;
  }

  /** The cost in the middle of the same deals that were in some cells, before and now, without those that went to held ones. */
  findMiddle(cost: 'total' | 'monthly', cells: ReadonlySet<Cell>): readonly [before: number, now: number] {
    const { before, now, rowsBefore } = this.#deals;
    const rows = Array.from(rowsBefore.keys()).filter((row) => {
      const from = this.cellBefore(this.rowBefore(row));
      return from !== undefined && cells.has(from) && this.cellOf(row).holding === undefined;
    });
    const middle = (costs: Float64Array): number => medianOf(costs.sort());
    return [
      middle(Float64Array.from(rows, (row) => before.at(this.rowBefore(row))[cost])),
      middle(Float64Array.from(rows, (row) => now.at(row)[cost])),
    ];
  }

  #open(deal: DealFacts): Cell {
    const key = deal.retailer * MAX_NUMBERS + deal.network;
    let cell = this.#cellOf.get(key);
    if (cell === undefined) {
      cell = { ...this.#nameCell(deal), before: new Profile(), now: new Profile() };
      this.#cellOf.set(key, cell);
      this.cells.push(cell);
    }
    return cell;
  }

  #count(row: number, now: DealFacts, hasTakenLink: boolean): void {
    const { before, isKnownProduct, labelsOf, heldOut } = this.#deals;
    const to = this.#open(now);
    to.now.add(now);
    const rowBefore = this.rowBefore(row);
    if (rowBefore === -1) {
      if (hasTakenLink) to.now.takenLinks++;
      return;
    }
    const earlier = before.at(rowBefore);
    const isOtherPhone =
      earlier.product !== now.product && isKnownProduct(now.product) && isKnownProduct(earlier.product);
    this.#strand(this.cellBefore(rowBefore), to, labelsOf(row), heldOut.has(row)).drift.add(earlier, now, {
      isOtherPhone,
      hasTakenLink,
    });
  }

  #strand(from: Cell | undefined, to: Cell, labels: readonly string[], isHeldOut: boolean): Strand {
    let strands = this.#strandsTo.get(to);
    if (strands === undefined) this.#strandsTo.set(to, (strands = []));
    let strand = strands.find((each) => each.labels === labels && each.from === from && each.isHeldOut === isHeldOut);
    if (strand === undefined) {
      strand = { from, to, labels, isHeldOut, drift: new Drift() };
      strands.push(strand);
      this.strands.push(strand);
    }
    return strand;
  }
}

/**
 * Finds the deals now that have the link which another deal had and has lost: a shop does not give the link of one deal to
 * another, nor to a deal of another shop. A link that deals of several products share is a page of the shop, and one that
 * deals of the same product share is its page: who joins others there takes nothing.
 * @param isKept for each row before, 1 if a deal now has its key
 */
function findTakenLinks(
  { before, isOurs, now, rowsBefore }: Pick<FeedDeals, 'before' | 'isOurs' | 'now' | 'rowsBefore'>,
  isKept: Uint8Array,
): ReadonlySet<number> {
  const linkBefore = (row: number): number => before.factAt('link', row);
  const linkNow = (row: number): number => now.factAt('link', row);
  const productBefore = (row: number): number => before.factAt('product', row);
  const keepsLink = new Uint8Array(before.rowCount);
  const takers: number[] = [];
  rowsBefore.forEach((rowBefore, row) => {
    const isOwn = rowBefore !== -1 && linkBefore(rowBefore) === linkNow(row);
    if (isOwn) keepsLink[rowBefore] = 1;
    else takers.push(row);
  });
  const takersOf = groupBy(takers, (row) => [linkNow(row)]);
  const holders: number[] = [];
  isOurs.forEach((isOne, row) => {
    if (isOne === 1 && takersOf.has(linkBefore(row))) holders.push(row);
  });
  const taken = new Set<number>();
  for (const [link, rows] of groupBy(holders, (row) => [linkBefore(row)])) {
    const [first] = rows as readonly [number];
    if (keepsLink[first] === 1) continue;
    const isOfOneProduct = rows.every((row) => productBefore(row) === productBefore(first));
    // When several deals come to a page, one has taken it.
    const taker = takersOf.get(link)?.find((row) => {
      const rowBefore = rowsBefore[row] as number;
      const isSameRetailer = now.factAt('retailer', row) === before.factAt('retailer', first);
      if (isSameRetailer && (rowBefore === -1 || isKept[first] === 0)) return false;
      const product = rowBefore === -1 ? now.factAt('product', row) : productBefore(rowBefore);
      return rows.length === 1 || (isOfOneProduct && product !== productBefore(first));
    });
    if (taker !== undefined) taken.add(taker);
  }
  return taken;
}
