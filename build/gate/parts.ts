import { compareCodeUnits } from '../../data/record/id.ts';
import type { HeldPart } from '../../data/report/report.ts';

/** What became of deals of a feed that are not served as its file has them. */
export interface Holding extends Readonly<Pick<HeldPart, 'state' | 'gates' | 'because'>> {
  readonly part: Part;
}

/** The deals of one network at one retailer in a feed. */
export interface Cell {
  /** Slugs. */
  readonly retailer: string;
  readonly network: string;
  /** The rows of its deals before, of its deals now, and of those deals now that were in it before under their key. */
  readonly before: number[];
  readonly now: number[];
  readonly kept: number[];
  /** When the deals before were last found in the feed, in milliseconds since 1970, and the snapshot of that time. */
  readonly freshMs: number;
  readonly snapshot: string;
  /** The gates that hold it in the snapshot being served. */
  readonly failed: readonly string[];
  /** Absent while the cell is served as the file has it. */
  holding?: Holding;
  /** Its loss stands, and counts in no larger part. */
  isTaken?: boolean;
}

/** A feed, a retailer in it, a network in it, or a network at a retailer. */
export interface Part {
  readonly retailer?: string;
  readonly network?: string;
  readonly cells: readonly Cell[];
}

/** `network o2 at retailer tello`; empty for the whole feed. */
export function namePart({ retailer, network }: Pick<Part, 'retailer' | 'network'>): string {
  if (network === undefined) return retailer === undefined ? '' : `retailer ${retailer}`;
  return retailer === undefined ? `network ${network}` : `network ${network} at retailer ${retailer}`;
}

/** The parts of a feed. Of parts with the same deals, only the one with the shortest name. */
export function listParts(cells: readonly Cell[]): readonly Part[] {
  const pick = (what: 'retailer' | 'network', slug: string): Part => ({
    [what]: slug,
    cells: cells.filter((cell) => cell[what] === slug),
  });
  const slugsOf = (what: 'retailer' | 'network'): readonly string[] => [...new Set(cells.map((cell) => cell[what]))];
  const parts: readonly Part[] = [
    { cells },
    ...slugsOf('retailer').map((slug) => pick('retailer', slug)),
    ...slugsOf('network').map((slug) => pick('network', slug)),
    ...cells.map(({ retailer, network }, i) => ({ retailer, network, cells: cells.slice(i, i + 1) })),
  ];
  const byCells = new Map<string, Part>();
  const positions = new Map(cells.map((cell, position) => [cell, position]));
  for (const part of parts) {
    const key = part.cells.map((cell) => positions.get(cell)).join(' ');
    if (!byCells.has(key)) byCells.set(key, part);
  }
  return [...byCells.values()];
}

/** The cells of a part that are judged with it. */
export function listLive({ cells }: Part): readonly Cell[] {
  return cells.filter(isLive);
}

export function isLive({ holding, isTaken }: Cell): boolean {
  return holding === undefined && isTaken !== true;
}

/**
 * Parts from the smallest to the largest, without what is held in them by then: where a network leaves, its few deals at
 * small retailers are judged before these retailers are.
 */
export function* smallestFirst(parts: readonly Part[]): Generator<Part, undefined> {
  const left = new Set(parts);
  while (left.size > 0) {
    const counted = [...left].map((part) => ({
      part,
      count: listLive(part).reduce((sum, { before }) => sum + before.length, 0),
    }));
    const { part } = counted.reduce((smallest, other) => {
      const order = other.count - smallest.count || compareCodeUnits(namePart(other.part), namePart(smallest.part));
      return order < 0 ? other : smallest;
    });
    left.delete(part);
    yield part;
  }
}

/** Whether a part that a snapshot records has the deals of a network at a retailer. */
export function covers(
  part: Pick<HeldPart, 'retailer' | 'network'>,
  cell: Pick<Cell, 'retailer' | 'network'>,
): boolean {
  return (
    (part.retailer === undefined || part.retailer === cell.retailer) &&
    (part.network === undefined || part.network === cell.network)
  );
}

/** Whether a part is a network at a retailer, and so the most exact that covers a cell. */
export function isExact({ retailer, network }: Pick<HeldPart, 'retailer' | 'network'>): boolean {
  return retailer !== undefined && network !== undefined;
}
