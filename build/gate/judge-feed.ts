import { DAY_MS } from '../../data/record/amount.ts';
import type { GateResult, HeldPart } from '../../data/report/report.ts';
import type { FeedSummary, RowCounts } from '../../data/report/summary.ts';
import type { GateSettings } from '../config/gate-settings.ts';
import type { DealFacts } from './deal-facts.ts';
import { PART_GATES, type GateName } from './gates.ts';
import { exceedsLimit, findWorst, type Measure } from './measure.ts';
import {
  covers,
  isLive,
  listLive,
  listParts,
  namePart,
  smallestFirst,
  type Cell,
  type Holding,
  type Part,
} from './parts.ts';
import type { PartView } from './part-measures.ts';

/** A record of a feed that is not served, as far as it says where it belongs. */
export interface ExcludedRow {
  readonly outcome: 'quarantined' | 'duplicate';
  /** The slug of its retailer. */
  readonly retailer?: string | undefined;
  /** The deal before that has its key. */
  readonly servedRow?: number | undefined;
  /** It is held out for its price, and is among the deals of the feed nevertheless. */
  readonly isAmongDeals?: true;
}

/** A feed as it was read, beside its deals before. */
export interface JudgedFeed {
  readonly name: string;
  /** All deals before, of which those of the feed are in `servedRowsOfFeed`. */
  readonly served: DealFacts;
  readonly servedRowsOfFeed: readonly number[];
  /** The deals of the feed, without duplicates. */
  readonly facts: DealFacts;
  /** By row of `facts`, the deal before with its key, or -1. */
  readonly servedRows: Int32Array;
  readonly hasTakenLink: Uint8Array;
  readonly isKnownProduct: (product: number) => boolean;
  readonly excluded: readonly ExcludedRow[];
  /** Counts of the snapshot being served. */
  readonly summary: FeedSummary | undefined;
  /** What the fields of the whole file show. */
  readonly fields: Measure | undefined;
}

export interface JudgeRules {
  readonly settings: GateSettings;
  readonly now: Date;
  readonly maxCarriedMs: number;
  readonly isAccepted: (gate: GateName) => boolean;
  /** Slugs of retailers and networks by their ids. */
  readonly slugs: { readonly retailers: ReadonlyMap<string, string>; readonly networks: ReadonlyMap<string, string> };
  /** When the deals of a retailer and a network were last found in the feed, and the snapshot of that time. */
  readonly freshnessOf: (cell: Pick<Cell, 'retailer' | 'network'>) => Pick<Cell, 'freshMs' | 'snapshot' | 'failed'>;
  /** Parts that have expired after they failed a gate, and have no deals left to compare with. */
  readonly unproven: readonly HeldPart[];
}

export interface Judgement {
  readonly cells: readonly Cell[];
  /** By row of the deals before, and of the deals now: their cells. */
  readonly cellOfServed: ReadonlyMap<number, Cell>;
  readonly cellOfNow: readonly Cell[];
  readonly gates: readonly GateResult[];
  /** Parts that are not served from the file. */
  readonly held: readonly HeldPart[];
}

/**
 * Judges a feed alone (INPUTS "What fails is held, and nothing else"): its parts, the smallest first, each without the
 * deals of the held parts in it. A part that fails a gate is held until its deals are too old; then they are withdrawn,
 * but a loss is taken.
 */
export function judgeFeed(feed: JudgedFeed, rules: JudgeRules): Judgement {
  const cells = createCells(feed, rules);
  const failures = new Map<GateName, Failure[]>();
  const passed = new Map<GateName, Measure[]>();
  const unproven = rules.unproven.filter(({ gates }) => !gates.every((gate) => rules.isAccepted(gate as GateName)));
  for (const part of unproven) {
    const holding = {
      state: part.state,
      gates: part.gates,
      because: part.because,
      part: { ...part, cells: [] },
    } satisfies Holding;
    for (const cell of cells.all) if (covers(part, cell)) cell.holding = holding;
  }
  for (const part of smallestFirst(listParts(cells.all))) {
    const live = listLive(part);
    const view = createView(feed, part, live, cells, rules);
    const failing: Failure[] = [];
    for (const { name, measure } of measurePart(view, feed, rules.settings)) {
      if (!exceedsLimit(measure)) passed.set(name, [...(passed.get(name) ?? []), inPart(part, measure)]);
      else failing.push({ gate: name, measure: inPart(part, measure), isAccepted: rules.isAccepted(name) });
    }
    const refusing = failing.filter(({ isAccepted }) => !isAccepted);
    if (refusing.length > 0) holdCells(part, live, refusing, rules);
    const isTaken = refusing.length > 0 && live.every(({ holding }) => holding === undefined);
    for (const failure of failing) {
      failures.set(failure.gate, [...(failures.get(failure.gate) ?? []), { ...failure, isTaken }]);
    }
  }
  holdRemainder(cells.all, rules);
  return {
    cells: cells.all,
    cellOfServed: cells.ofServed,
    cellOfNow: cells.ofNow,
    gates: listResults(feed.name, failures, passed),
    held: [...listHeldParts(cells.all), ...unproven],
  };
}

/** Holds all of a feed that was not read. */
export function holdFeed(feed: Pick<JudgedFeed, 'served' | 'servedRowsOfFeed'>, because: string, rules: JudgeRules) {
  const cells = createCells({ ...feed, facts: undefined }, rules);
  const part: Part = { cells: cells.all };
  for (const cell of cells.all) {
    const state = isExpired(cell, rules) ? 'withdrawn' : 'held';
    cell.holding = { state, gates: [...cell.failed], because, part };
  }
  return { cells: cells.all, cellOfServed: cells.ofServed, held: listHeldParts(cells.all) };
}

interface Cells {
  readonly all: readonly Cell[];
  readonly ofServed: ReadonlyMap<number, Cell>;
  readonly ofNow: readonly Cell[];
}

function createCells(
  {
    served,
    servedRowsOfFeed,
    facts,
    servedRows,
  }: Pick<JudgedFeed, 'served' | 'servedRowsOfFeed'> & Partial<Pick<JudgedFeed, 'facts' | 'servedRows'>>,
  { slugs, freshnessOf }: JudgeRules,
): Cells {
  const byName = new Map<string, Cell>();
  const cellAt = (deals: DealFacts, row: number): Cell => {
    const retailerId = deals.retailerAt(row);
    const networkId = deals.planAt(row).network;
    const name = `${retailerId} ${networkId}`;
    let cell = byName.get(name);
    if (cell === undefined) {
      const place = {
        retailer: slugs.retailers.get(retailerId) ?? retailerId,
        network: slugs.networks.get(networkId) ?? networkId,
      };
      cell = { ...place, ...freshnessOf(place), before: [], now: [], kept: [] };
      byName.set(name, cell);
    }
    return cell;
  };
  const ofServed = new Map<number, Cell>();
  for (const row of servedRowsOfFeed) {
    const cell = cellAt(served, row);
    cell.before.push(row);
    ofServed.set(row, cell);
  }
  const ofNow: Cell[] = [];
  for (let row = 0; row < (facts?.rowCount ?? 0); row++) {
    const cell = cellAt(facts as DealFacts, row);
    cell.now.push(row);
    ofNow.push(cell);
    ofServed.get(servedRows?.[row] ?? -1)?.kept.push(row);
  }
  return { all: [...byName.values()], ofServed, ofNow };
}

/** A gate that a part fails. */
interface Failure {
  readonly gate: GateName;
  readonly measure: Measure;
  readonly isAccepted: boolean;
  /** The deals of before have expired, and the loss stands. */
  readonly isTaken?: boolean;
}

function inPart(part: Part, measure: Measure): Measure {
  const name = namePart(part);
  return name === '' ? measure : { ...measure, detail: `${name}: ${measure.detail}` };
}

function measurePart(
  view: PartView,
  { fields }: JudgedFeed,
  settings: GateSettings,
): readonly { readonly name: GateName; readonly measure: Measure }[] {
  const measures =
    view.before.rows.length === 0 || view.before.rows.length < settings.minRows
      ? []
      : PART_GATES.flatMap(({ name, measure }) => {
          const found = measure(view, settings);
          return found === undefined ? [] : [{ name, measure: found }];
        });
  return view.kind === 'feed' && fields !== undefined
    ? [...measures, { name: 'emptied' as const, measure: fields }]
    : measures;
}

function createView(feed: JudgedFeed, part: Part, live: readonly Cell[], cells: Cells, { now }: JudgeRules): PartView {
  const { retailer, network } = part;
  const kind =
    network === undefined
      ? retailer === undefined
        ? 'feed'
        : 'retailer'
      : retailer === undefined
        ? 'network'
        : 'cell';
  const rowsOf = (rows: 'before' | 'now' | 'kept'): readonly number[] => {
    const [first, ...others] = live;
    return first === undefined || others.length > 0 ? live.flatMap((cell) => cell[rows]) : first[rows];
  };
  const freshMs = Math.min(
    now.getTime(),
    ...live.filter(({ before }) => before.length > 0).map((cell) => cell.freshMs),
  );
  const nowRows = rowsOf('now');
  return {
    kind,
    before: { facts: feed.served, rows: rowsOf('before') },
    now: { facts: feed.facts, rows: nowRows },
    // A deal that has gone to a held part is compared there.
    kept: rowsOf('kept').filter((row) => (cells.ofNow[row] as Cell).holding === undefined),
    servedRows: feed.servedRows,
    hasTakenLink: feed.hasTakenLink,
    isKnownProduct: feed.isKnownProduct,
    days: Math.max(1, Math.round((now.getTime() - freshMs) / DAY_MS)),
    ...(network === undefined ? { counts: countRows(feed, retailer, nowRows.length, cells) } : {}),
  };
}

/** The records in scope of a feed, or of a retailer in it, without those of held parts. */
function countRows(
  { excluded, summary }: JudgedFeed,
  retailer: string | undefined,
  keptCount: number,
  cells: Cells,
): NonNullable<PartView['counts']> {
  const counts = { quarantined: 0, duplicate: 0 };
  let rows = keptCount;
  const servedRetailers = new Set(
    cells.all.filter(({ holding }) => holding === undefined).map((cell) => cell.retailer),
  );
  const isHeld = (slug: string | undefined): boolean =>
    slug !== undefined && !servedRetailers.has(slug) && cells.all.some((cell) => cell.retailer === slug);
  for (const row of excluded) {
    const cell = row.servedRow === undefined ? undefined : cells.ofServed.get(row.servedRow);
    const named = row.retailer ?? cell?.retailer;
    if ((cell !== undefined && !isLive(cell)) || isHeld(named)) continue;
    if (retailer !== undefined && named !== retailer) continue;
    counts[row.outcome]++;
    if (row.isAmongDeals !== true) rows++;
  }
  const before = retailer === undefined ? summary : summary?.retailers.find(({ slug }) => slug === retailer);
  return {
    before: before ?? NO_ROWS,
    now: { ...counts, rows },
  };
}

const NO_ROWS: RowCounts = { rows: 0, quarantined: 0, duplicate: 0 };

function holdCells(part: Part, live: readonly Cell[], failing: readonly Failure[], rules: JudgeRules): void {
  const isLoss = failing.every(({ gate }) => gate === 'lost');
  const gates = failing.map(({ gate }) => gate);
  const because = failing.map(({ gate, measure }) => `${gate}, ${measure.detail}`).join('; ');
  const withDeals = live.filter(({ before }) => before.length > 0);
  const oldest = Math.min(...withDeals.map(({ freshMs }) => freshMs));
  for (const cell of live) {
    const isOld = isExpired({ freshMs: cell.before.length > 0 ? cell.freshMs : oldest }, rules);
    // A loss shows nothing that is wrong.
    if (isOld && isLoss) {
      cell.isTaken = true;
      continue;
    }
    cell.holding = { state: isOld ? 'withdrawn' : 'held', gates, because, part };
  }
}

/**
 * What is left of a feed, where it is too little to be judged, goes with the largest part that is held for what its file
 * says: it is from the same file.
 */
function holdRemainder(cells: readonly Cell[], rules: JudgeRules): void {
  const countBefore = (some: readonly Cell[]): number => some.reduce((sum, { before }) => sum + before.length, 0);
  const left = cells.filter(isLive);
  const damaged = cells.flatMap(({ holding }) =>
    holding === undefined || holding.gates.every((gate) => gate === 'lost') ? [] : [holding],
  );
  const [largest] = damaged.sort((a, b) => countBefore(b.part.cells) - countBefore(a.part.cells));
  if (largest === undefined || countBefore(left) >= rules.settings.minRows) return;
  const { gates, because } = largest;
  for (const cell of left) {
    cell.holding = { state: isExpired(cell, rules) ? 'withdrawn' : 'held', gates, because, part: { cells: left } };
  }
}

function isExpired({ freshMs }: Pick<Cell, 'freshMs'>, { now, maxCarriedMs }: JudgeRules): boolean {
  return now.getTime() > freshMs + maxCarriedMs;
}

/** One result for each gate: the worst of the parts that fail it, else the nearest to its limit. */
function listResults(
  feed: string,
  failures: ReadonlyMap<GateName, readonly Failure[]>,
  passed: ReadonlyMap<GateName, readonly Measure[]>,
): GateResult[] {
  return PART_GATES.flatMap(({ name }): GateResult[] => {
    const gate = `${name}:${feed}`;
    const failed = failures.get(name) ?? [];
    const holding = failed.filter(({ isAccepted, isTaken }) => !isAccepted && isTaken !== true);
    const shown = holding.length > 0 ? holding : failed;
    const worst = findWorst((shown.length > 0 ? shown.map(({ measure }) => measure) : passed.get(name)) ?? []);
    if (worst === undefined) return [];
    const more = shown.length > 1 ? `; ${shown.length - 1} more like it` : '';
    const state =
      holding.length > 0
        ? 'held'
        : shown.some(({ isAccepted }) => isAccepted)
          ? 'accepted'
          : shown.length > 0
            ? 'taken'
            : 'passed';
    return [
      { gate, state, ...worst, measured: Math.min(worst.measured, Number.MAX_VALUE), detail: worst.detail + more },
    ];
  });
}

/**
 * The held parts of a feed: the cells that one part held together. Cells with older deals than the others of their part
 * are named one by one, so that each keeps its age.
 */
function listHeldParts(cells: readonly Cell[]): HeldPart[] {
  const newest = new Map<Part, number>();
  for (const { holding, freshMs } of cells) {
    if (holding !== undefined) newest.set(holding.part, Math.max(freshMs, newest.get(holding.part) ?? 0));
  }
  const parts = new Map<string, HeldPart>();
  for (const cell of cells) {
    const { holding, before, freshMs, snapshot } = cell;
    if (holding === undefined || holding.part.cells.length === 0) continue;
    const { state, gates, because, part } = holding;
    const isOlder = before.length > 0 && freshMs < (newest.get(part) as number);
    const { retailer, network } = isOlder ? cell : part;
    const key = JSON.stringify([retailer, network, state]);
    const known = parts.get(key);
    parts.set(key, {
      ...(retailer === undefined ? {} : { retailer }),
      ...(network === undefined ? {} : { network }),
      state,
      gates: [...gates],
      because,
      deals: (known?.deals ?? 0) + before.length,
      freshAt: new Date(before.length === 0 && known !== undefined ? Date.parse(known.freshAt) : freshMs).toISOString(),
      snapshot: before.length === 0 && known !== undefined ? known.snapshot : snapshot,
    });
  }
  return [...parts.values()];
}
