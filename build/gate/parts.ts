import { compareCodeUnits } from '../../data/record/id.ts';
import type { HeldPart } from '../../data/report/report.ts';
import type { Cell } from './compare-feed.ts';

/** Slugs; without both it is the whole feed. */
export type PartName = Readonly<Pick<HeldPart, 'retailer' | 'network'>>;

/** A feed, a retailer in it, a network in it, or a network at a retailer. */
export interface Part extends PartName {
  /** The cells that are not held yet. */
  readonly live: readonly Cell[];
}

/** `network o2 at retailer tello`; empty for the whole feed. */
export function namePart({ retailer, network }: PartName): string {
  const names = [
    network === undefined ? '' : `network ${network}`,
    retailer === undefined ? '' : `retailer ${retailer}`,
  ];
  return names.filter((name) => name !== '').join(' at ');
}

export function isWhole({ retailer, network }: PartName): boolean {
  return retailer === undefined && network === undefined;
}

/** Whether a part has the deals of a network at a retailer. */
export function covers(part: PartName, cell: PartName): boolean {
  return (
    (part.retailer === undefined || part.retailer === cell.retailer) &&
    (part.network === undefined || part.network === cell.network)
  );
}

export function isLive({ holding, isTaken }: Cell): boolean {
  return holding === undefined && isTaken !== true;
}

export function countBefore(cells: readonly Cell[]): number {
  return cells.reduce((sum, { before }) => sum + before.count, 0);
}

/** The parts of a feed. Of parts with the same deals, only the one with the shortest name. */
function listParts(cells: readonly Cell[]): Part[] {
  const names: readonly PartName[] = [
    {},
    ...[...new Set(cells.map(({ retailer }) => retailer))].map((retailer) => ({ retailer })),
    ...[...new Set(cells.map(({ network }) => network))].map((network) => ({ network })),
    ...cells.map(({ retailer, network }) => ({ retailer, network })),
  ];
  const parts = new Map<string, Part>();
  for (const name of names) {
    const positions = cells.flatMap((cell, i) => (covers(name, cell) ? [i] : []));
    const key = positions.join(' ');
    if (!parts.has(key)) parts.set(key, { ...name, live: positions.map((i) => cells[i] as Cell) });
  }
  return [...parts.values()];
}

/**
 * Parts from the smallest to the largest, without what is held in them by then: where a network leaves, its few deals at
 * small retailers are judged before these retailers are.
 */
export function* smallestFirst(cells: readonly Cell[]): Generator<Part, undefined> {
  let left = listParts(cells);
  while (left.length > 0) {
    left = left
      .map((part) => ({ ...part, live: part.live.filter(isLive) }))
      .sort((a, b) => countBefore(b.live) - countBefore(a.live) || compareCodeUnits(namePart(b), namePart(a)));
    yield left.pop() as Part;
  }
}
