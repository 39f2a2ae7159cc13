import { compareCodeUnits } from '../../data/record/id.ts';
import type { GateResult, HeldPart } from '../../data/report/report.ts';
import { groupBy, type SourceState } from '../source/record.ts';
import {
  covers,
  isWhole,
  namePart,
  type Cell,
  type FeedComparison,
  type Holding,
  type PartName,
} from './compare-feed.ts';
import {
  findFailing,
  GATE_NAMES,
  measureFields,
  type BuildContext,
  type ComparedCounts,
  type ComparedPart,
  type GateName,
} from './gates.ts';
import { countDays, findWorst, type Measure } from './limits.ts';
import type { KnownSnapshot } from './served-snapshot.ts';

/** Records of a feed that are not served, as far as they say where they belong. */
export interface ExcludedRow {
  readonly outcome: 'quarantined' | 'duplicate';
  /** The slug of its retailer. */
  readonly retailer?: string | undefined;
  /** The cell of the deal before that has its key. */
  readonly cell?: Cell | undefined;
}

/** A feed that is judged, beside the snapshot being served. */
export interface JudgedFeed extends Pick<BuildContext, 'config' | 'now' | 'isAccepted'> {
  readonly state: SourceState;
  readonly served: KnownSnapshot;
  readonly comparison: FeedComparison;
  /** Also deals of the comparison that are held out for their price. */
  readonly excluded: readonly ExcludedRow[];
}

export interface Judgement {
  /** Parts that are not served from the file. */
  readonly held: readonly HeldPart[];
  readonly gates: readonly GateResult[];
}

interface Part extends PartName {
  /** The cells that are not held yet. */
  readonly live: readonly Cell[];
}

/** A gate that a part fails. */
interface Failure extends Measure {
  readonly gate: GateName;
  readonly state: 'held' | 'accepted' | 'taken';
}

/**
 * Judges a feed alone (INPUTS "What fails is held, and nothing else"): its parts, the smallest first, each without the
 * deals of the held parts in it. A part that fails a gate is held until its deals are too old; then they are withdrawn,
 * but a loss is taken. The cells of the comparison get what became of them.
 */
export function judgeFeed(feed: JudgedFeed): Judgement {
  const { name } = feed.state;
  const { cells } = feed.comparison;
  const failures: Failure[] = [];
  for (const part of smallestFirst(cells)) failures.push(...decide(part, findFailures(part, feed), feed));
  return {
    held: listHeldParts(cells),
    gates: GATE_NAMES.flatMap((gate) =>
      summarise(
        `${gate}:${name}`,
        failures.filter((each) => each.gate === gate),
      ),
    ),
  };
}

/** Holds all of a feed that was not read. */
export function holdFeed(feed: JudgedFeed, because: string): readonly HeldPart[] {
  const { cells } = feed.comparison;
  holdTogether(cells, { because, place: {} }, feed);
  return listHeldParts(cells);
}

/**
 * The parts of a feed from the smallest to the largest, without what is held in them by then: where a network leaves, its
 * few deals at small retailers are judged before these retailers are. Of parts with the same deals, only the one with the
 * shortest name.
 */
function* smallestFirst(cells: readonly Cell[]): Generator<Part, undefined> {
  const names: readonly PartName[] = [
    {},
    ...cells.map(({ retailer }) => ({ retailer })),
    ...cells.map(({ network }) => ({ network })),
    ...cells.map(({ retailer, network }) => ({ retailer, network })),
  ];
  const parts = new Map<string, Part>();
  for (const name of names) {
    const positions = cells.flatMap((cell, i) => (covers(name, cell) ? [i] : []));
    const key = positions.join(' ');
    if (!parts.has(key)) parts.set(key, { ...name, live: positions.map((i) => cells[i] as Cell) });
  }
  let left = [...parts.values()];
  while (left.length > 0) {
    left = left
      .map((part) => ({ ...part, live: part.live.filter(isLive) }))
      .sort((a, b) => countBefore(b.live) - countBefore(a.live) || compareCodeUnits(namePart(b), namePart(a)));
    yield left.pop() as Part;
  }
}

function isLive({ holding, isTaken }: Cell): boolean {
  return holding === undefined && isTaken !== true;
}

function countBefore(cells: readonly Cell[]): number {
  return cells.reduce((sum, { before }) => sum + before.length, 0);
}

/** The gates that a part fails. */
function findFailures(part: Part, feed: JudgedFeed): readonly Failure[] {
  const { config, served, state } = feed;
  const { minRows } = config.gates;
  const count = countBefore(part.live);
  const compared = count > 0 && count >= minRows ? comparePart(part, feed) : undefined;
  const failing = findFailing(({ ofPart }, gate) => [
    ...(compared === undefined ? [] : (ofPart?.(compared, config.gates) ?? [])),
    ...(gate === 'emptied' && isWhole(part) ? measureFields(state, served, minRows) : []),
  ]);
  const name = isWhole(part) ? '' : `${namePart(part)}: `;
  return failing.map(({ gate, detail, ...measure }) => ({
    ...measure,
    gate,
    detail: name + detail,
    state: feed.isAccepted(gate, state.name) ? 'accepted' : 'held',
  }));
}

function comparePart(part: Part, feed: JudgedFeed): ComparedPart {
  const { live, retailer, network } = part;
  const freshMs = live.filter(({ before }) => before.length > 0).map((cell) => cell.freshMs);
  return {
    ...feed.comparison.measure(live),
    retailer,
    network,
    days: countDays(Math.min(...freshMs), feed.now),
    counts: network === undefined ? countRecords(part, feed) : undefined,
  };
}

/** The records in scope of a feed, or of a retailer in it, without those of held parts. */
function countRecords({ retailer, live }: Part, { comparison, excluded, served, state }: JudgedFeed): ComparedCounts {
  const retailersOf = (cells: readonly Cell[]): readonly string[] => cells.map((cell) => cell.retailer);
  const liveRetailers = new Set(retailersOf(comparison.cells.filter(isLive)));
  const heldRetailers = new Set(retailersOf(comparison.cells).filter((name) => !liveRetailers.has(name)));
  const rows = excluded.filter(({ cell, ...row }) => {
    const name = row.retailer ?? cell?.retailer;
    if (retailer !== undefined && retailer !== name) return false;
    return cell === undefined ? name === undefined || !heldRetailers.has(name) : isLive(cell);
  });
  const countOf = (outcome: ExcludedRow['outcome']): number => rows.filter((row) => row.outcome === outcome).length;
  const deals = live.flatMap(({ now }) => now).filter((row) => !comparison.deals.heldOut.has(row));
  const summary = served.report.summary.feeds.find(({ name }) => name === state.name);
  const before = retailer === undefined ? summary : summary?.retailers.find(({ slug }) => slug === retailer);
  return {
    before: before ?? { rows: 0, quarantined: 0, duplicate: 0 },
    now: {
      rows: deals.length + rows.length,
      quarantined: countOf('quarantined'),
      duplicate: countOf('duplicate'),
    },
  };
}

/** What becomes of a part: it is held, or its loss is taken, where a gate fails that is not accepted. */
function decide(part: Part, failures: readonly Failure[], feed: JudgedFeed): readonly Failure[] {
  const holding = failures.filter(({ state }) => state === 'held');
  if (holding.length === 0) return failures;
  const gates = holding.map(({ gate }) => gate);
  const because = holding.map(({ gate, detail }) => `${gate}, ${detail}`).join('; ');
  holdTogether(part.live, { gates, because, place: part }, feed);
  // A loss shows nothing that is wrong.
  for (const cell of gates.every((gate) => gate === 'lost') ? part.live : []) {
    if (cell.holding?.state === 'withdrawn') Object.assign(cell, { holding: undefined, isTaken: true });
  }
  const isTaken = part.live.every((cell) => cell.holding === undefined);
  return failures.map((each) => (isTaken && each.state === 'held' ? { ...each, state: 'taken' } : each));
}

/** Holds cells until their deals are too old. One whose deals are older than those of others is named alone. */
function holdTogether(
  cells: readonly Cell[],
  { gates, because, place }: Pick<Holding, 'because' | 'place'> & Partial<Pick<Holding, 'gates'>>,
  { now, config }: JudgedFeed,
): void {
  const ages = cells.filter(({ before }) => before.length > 0).map(({ freshMs }) => freshMs);
  for (const cell of cells) {
    const hasDeals = cell.before.length > 0;
    const freshMs = hasDeals ? cell.freshMs : Math.min(...ages);
    cell.holding = {
      state: now.getTime() > freshMs + config.freshness.maxCarriedMs ? 'withdrawn' : 'held',
      gates: [...(gates ?? cell.failed)],
      because,
      place: hasDeals && freshMs < Math.max(...ages) ? cell : place,
    };
  }
}

/** The result of a gate: the worst of the parts that fail it, among those of the strongest state. */
function summarise(gate: string, failures: readonly Failure[]): GateResult[] {
  const state = (['held', 'accepted', 'taken'] as const).find((each) => failures.some((other) => other.state === each));
  const shown = failures.filter((failure) => failure.state === state);
  const worst = findWorst(shown);
  if (state === undefined || worst === undefined) return [];
  const more = shown.length === 1 ? '' : `; ${shown.length - 1} more like it`;
  const { limit, detail } = worst;
  return [{ gate, state, detail: detail + more, measured: Math.min(worst.measured, Number.MAX_VALUE), limit }];
}

/** The held parts of a feed: the cells that are held together, and alone those whose deals are older. */
function listHeldParts(cells: readonly Cell[]): HeldPart[] {
  const held = cells.flatMap(({ holding, ...cell }) => (holding === undefined ? [] : [{ ...cell, holding }]));
  const parts = groupBy(held, ({ holding: { place, state } }) => [`${place.retailer} ${place.network} ${state}`]);
  return [...parts.values()].map((group) => {
    // A group has a cell at least.
    const { state, gates, because, place } = (group.at(-1) as (typeof held)[number]).holding;
    const { freshMs, snapshot } = (group.findLast(({ before }) => before.length > 0) ?? group[0]) as Cell;
    return {
      retailer: place.retailer,
      network: place.network,
      state,
      gates: [...gates],
      because,
      deals: countBefore(group),
      freshAt: new Date(freshMs).toISOString(),
      snapshot,
    };
  });
}
