import { DAY_MS } from '../../data/record/amount.ts';
import type { GateResult, HeldPart } from '../../data/report/report.ts';
import type { FeedSummary } from '../../data/report/summary.ts';
import type { GateSettings } from '../config/gate-settings.ts';
import { groupBy } from '../source/record.ts';
import type { ComparedDeals } from './compared-deals.ts';
import type { DealFacts } from './deal-facts.ts';
import { PART_GATES, type GateName } from './gates.ts';
import { exceedsLimit, findWorst, type Measure } from './measure.ts';
import type { PartView } from './part-measures.ts';
import {
  countBefore,
  covers,
  isLive,
  isWhole,
  namePart,
  smallestFirst,
  type Cell,
  type Holding,
  type Part,
  type PartName,
} from './parts.ts';

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
  readonly deals: ComparedDeals;
  readonly servedRows: readonly number[];
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
  /** The slug of a retailer or network, by its id. */
  readonly slugOf: (kind: 'retailers' | 'networks', id: string) => string;
  /** When the deals of a retailer and a network were last found in the feed, and the snapshot of that time. */
  readonly freshnessOf: (cell: PartName) => Pick<Cell, 'freshMs' | 'snapshot' | 'failed'>;
  /** Parts that have expired after they failed a gate, and have no deals left to compare with. */
  readonly unproven: readonly HeldPart[];
}

/** The cells of a feed, and those of each row of its deals before and now. */
interface Cells {
  readonly all: readonly Cell[];
  readonly ofServed: ReadonlyMap<number, Cell>;
  readonly ofNow: readonly Cell[];
}

export interface Judgement extends Cells {
  readonly gates: readonly GateResult[];
  /** Parts that are not served from the file. */
  readonly held: readonly HeldPart[];
}

/** A part measured by a gate. */
interface Measured {
  readonly gate: GateName;
  readonly measure: Measure;
}

interface Outcome extends Measured {
  readonly state: GateResult['state'];
}

/**
 * Judges a feed alone (INPUTS "What fails is held, and nothing else"): its parts, the smallest first, each without the
 * deals of the held parts in it. A part that fails a gate is held until its deals are too old; then they are withdrawn,
 * but a loss is taken.
 */
export function judgeFeed(feed: JudgedFeed, rules: JudgeRules): Judgement {
  const cells = collectCells(feed.deals.before, feed.servedRows, rules, feed.deals);
  const unproven = rules.unproven.filter(({ gates }) => !gates.every((gate) => rules.isAccepted(gate as GateName)));
  const isUnproven = (cell: Cell): boolean => unproven.some((part) => covers(part, cell));
  for (const part of unproven) {
    for (const cell of cells.all) if (covers(part, cell)) cell.holding = { ...part, place: part };
  }
  const excluded = placeRows(feed.excluded, cells);
  const outcomes: Outcome[] = [];
  for (const part of smallestFirst(cells.all)) {
    outcomes.push(...decide(part, measurePart(feed, part, cells.ofNow, excluded, rules), rules));
  }
  holdRemainder(cells.all, rules);
  return {
    ...cells,
    gates: PART_GATES.flatMap(({ name }) => summarise(`${name}:${feed.name}`, outcomes.filter(({ gate }) => gate === name))), // prettier-ignore
    held: [...listHeldParts(cells.all.filter((cell) => !isUnproven(cell))), ...unproven],
  };
}

/** Holds all of a feed that was not read. */
export function holdFeed(
  before: DealFacts,
  servedRows: readonly number[],
  because: string,
  rules: JudgeRules,
): Omit<Judgement, 'gates'> {
  const cells = collectCells(before, servedRows, rules);
  holdTogether(cells.all, { because, place: {} }, rules);
  return { ...cells, held: [...listHeldParts(cells.all), ...rules.unproven] };
}

function collectCells(
  before: DealFacts,
  servedRows: readonly number[],
  { slugOf, freshnessOf }: JudgeRules,
  deals?: ComparedDeals,
): Cells {
  const byName = new Map<string, Cell>();
  const cellAt = (facts: DealFacts, row: number): Cell => {
    const [retailerId, networkId] = [facts.textAt('retailer', row), facts.textAt('network', row)];
    const name = `${retailerId} ${networkId}`;
    let cell = byName.get(name);
    if (cell === undefined) {
      const [retailer, network] = [slugOf('retailers', retailerId), slugOf('networks', networkId)];
      cell = { retailer, network, ...freshnessOf({ retailer, network }), before: [], now: [], kept: [] };
      byName.set(name, cell);
    }
    return cell;
  };
  const ofServed = new Map<number, Cell>();
  for (const row of servedRows) {
    const cell = cellAt(before, row);
    cell.before.push(row);
    ofServed.set(row, cell);
  }
  const ofNow: Cell[] = [];
  const countNow = deals?.now.rowCount ?? 0;
  for (let row = 0; row < countNow; row++) {
    const { now, rowBefore } = deals as ComparedDeals;
    const cell = cellAt(now, row);
    cell.now.push(row);
    ofNow.push(cell);
    ofServed.get(rowBefore(row))?.kept.push(row);
  }
  return { all: [...byName.values()], ofServed, ofNow };
}

/** An excluded row with the cells that it may belong to; none where it names no retailer of the feed. */
interface PlacedRow extends ExcludedRow {
  readonly cells: readonly Cell[];
}

/** A row belongs to the cell of the deal before that has its key, else to any of its retailer. */
function placeRows(rows: readonly ExcludedRow[], { all, ofServed }: Cells): readonly PlacedRow[] {
  const ofRetailer = groupBy(all, ({ retailer }) => [retailer]);
  return rows.map((row) => {
    const cell = row.servedRow === undefined ? undefined : ofServed.get(row.servedRow);
    const retailer = row.retailer ?? cell?.retailer;
    return { ...row, retailer, cells: cell === undefined ? (ofRetailer.get(retailer ?? '') ?? []) : [cell] };
  });
}

function measurePart(
  feed: JudgedFeed,
  part: Part,
  ofNow: Cells['ofNow'],
  excluded: readonly PlacedRow[],
  { now, settings }: JudgeRules,
): readonly Measured[] {
  const { retailer, network, live } = part;
  const rowsOf = (rows: 'before' | 'now' | 'kept'): readonly number[] => live.flatMap((cell) => cell[rows]);
  const before = rowsOf('before');
  const measured: { gate: GateName; measure: Measure | undefined }[] = [];
  if (before.length > 0 && before.length >= settings.minRows) {
    const kept = rowsOf('kept');
    const freshMs = live.filter((cell) => cell.before.length > 0).map((cell) => cell.freshMs);
    const view: PartView = {
      retailer,
      network,
      deals: feed.deals,
      before,
      now: rowsOf('now'),
      found: kept.length,
      // A deal that has gone to a held part is compared there.
      kept: kept.filter((row) => ofNow[row]?.holding === undefined),
      days: Math.max(1, Math.round((now.getTime() - Math.min(now.getTime(), ...freshMs)) / DAY_MS)),
      counts: network === undefined ? countRows(part, excluded, feed.summary) : undefined,
    };
    measured.push(...PART_GATES.map(({ name, measure }) => ({ gate: name, measure: measure(view, settings) })));
  }
  if (isWhole(part)) measured.push({ gate: 'emptied', measure: feed.fields });
  const name = isWhole(part) ? '' : `${namePart(part)}: `;
  return measured.flatMap(({ gate, measure }) =>
    measure === undefined ? [] : [{ gate, measure: { ...measure, detail: name + measure.detail } }],
  );
}

/** The records in scope of a feed, or of a retailer in it, without those of held parts. */
function countRows(
  { retailer, live }: Part,
  excluded: readonly PlacedRow[],
  summary: FeedSummary | undefined,
): PartView['counts'] {
  const rows = excluded.filter(
    (row) =>
      (retailer === undefined || row.retailer === retailer) && (row.cells.length === 0 || row.cells.some(isLive)),
  );
  const countOf = (outcome: ExcludedRow['outcome']): number => rows.filter((row) => row.outcome === outcome).length;
  const dealCount = live.reduce((sum, { now }) => sum + now.length, 0);
  const before = retailer === undefined ? summary : summary?.retailers.find(({ slug }) => slug === retailer);
  return {
    before: before ?? { rows: 0, quarantined: 0, duplicate: 0 },
    now: {
      rows: dealCount + rows.filter(({ isAmongDeals }) => isAmongDeals !== true).length,
      quarantined: countOf('quarantined'),
      duplicate: countOf('duplicate'),
    },
  };
}

/** What becomes of a part: it is held, or its loss is taken, where a gate fails that is not accepted. */
function decide(part: Part, measured: readonly Measured[], rules: JudgeRules): readonly Outcome[] {
  const outcomes = measured.map(({ gate, measure }): Outcome => {
    const state = !exceedsLimit(measure) ? 'passed' : rules.isAccepted(gate) ? 'accepted' : 'held';
    return { gate, measure, state };
  });
  const failing = outcomes.filter(({ state }) => state === 'held');
  if (failing.length === 0) return outcomes;
  const gates = failing.map(({ gate }) => gate);
  const because = failing.map(({ gate, measure }) => `${gate}, ${measure.detail}`).join('; ');
  holdTogether(part.live, { gates, because, place: part }, rules);
  // A loss shows nothing that is wrong.
  for (const cell of gates.every((gate) => gate === 'lost') ? part.live : []) {
    if (cell.holding?.state === 'withdrawn') Object.assign(cell, { holding: undefined, isTaken: true });
  }
  const isTaken = part.live.every(({ holding }) => holding === undefined);
  return outcomes.map((each) => (isTaken && each.state === 'held' ? { ...each, state: 'taken' } : each));
}

/** Holds cells until their deals are too old. One whose deals are older than those of others is named alone. */
function holdTogether(
  cells: readonly Cell[],
  { gates, because, place }: Pick<Holding, 'because' | 'place'> & Partial<Pick<Holding, 'gates'>>,
  { now, maxCarriedMs }: JudgeRules,
): void {
  const ages = cells.filter(({ before }) => before.length > 0).map(({ freshMs }) => freshMs);
  for (const cell of cells) {
    const hasDeals = cell.before.length > 0;
    const freshMs = hasDeals ? cell.freshMs : Math.min(...ages);
    cell.holding = {
      state: now.getTime() > freshMs + maxCarriedMs ? 'withdrawn' : 'held',
      gates: [...(gates ?? cell.failed)],
      because,
      place: hasDeals && freshMs < Math.max(...ages) ? cell : place,
    };
  }
}

/**
 * What is left of a feed, where it is too little to be judged, goes with the largest part that is held for what its file
 * says: it is from the same file.
 */
function holdRemainder(cells: readonly Cell[], rules: JudgeRules): void {
  const left = cells.filter(isLive);
  const damaged = cells.flatMap(({ holding }) => (holding?.gates.some((gate) => gate !== 'lost') ? [holding] : []));
  if (damaged.length === 0 || countBefore(left) >= rules.settings.minRows) return;
  const sizeOf = ({ because }: Holding): number =>
    countBefore(cells.filter((cell) => cell.holding?.because === because));
  const largest = damaged.reduce((a, b) => (sizeOf(b) > sizeOf(a) ? b : a));
  holdTogether(left, { ...largest, place: {} }, rules);
}

/** Of each gate, the strongest state first. */
const STATES = ['held', 'accepted', 'taken', 'passed'] as const;

/** The result of a gate: the worst of the parts that fail it, else the nearest to its limit. */
function summarise(gate: string, outcomes: readonly Outcome[]): GateResult[] {
  const state = STATES.find((each) => outcomes.some((outcome) => outcome.state === each));
  const shown = outcomes.filter((outcome) => outcome.state === state);
  const worst = findWorst(shown.map(({ measure }) => measure));
  if (state === undefined || worst === undefined) return [];
  const more = state === 'passed' || shown.length === 1 ? '' : `; ${shown.length - 1} more like it`;
  const measured = Math.min(worst.measured, Number.MAX_VALUE);
  return [{ gate, state, ...worst, measured, detail: worst.detail + more }];
}

/** The held parts of a feed: the cells that are held together, and alone those whose deals are older. */
function listHeldParts(cells: readonly Cell[]): HeldPart[] {
  const held = cells.filter(({ holding }) => holding !== undefined) as readonly HeldCell[];
  const parts = groupBy(held, ({ holding: { place, state } }) => [`${place.retailer} ${place.network} ${state}`]);
  return [...parts.values()].map((group) => {
    const { holding } = group.at(-1) as HeldCell;
    const aged = (group.findLast(({ before }) => before.length > 0) ?? group[0]) as HeldCell;
    return {
      retailer: holding.place.retailer,
      network: holding.place.network,
      state: holding.state,
      gates: [...holding.gates],
      because: holding.because,
      deals: countBefore(group),
      freshAt: new Date(aged.freshMs).toISOString(),
      snapshot: aged.snapshot,
    };
  });
}

type HeldCell = Cell & { readonly holding: Holding };
