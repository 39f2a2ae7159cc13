import { DAY_MS } from '../../data/record/amount.ts';
import type { GateResult, HeldPart } from '../../data/report/report.ts';
import type { FeedSummary } from '../../data/report/summary.ts';
import type { GateSettings } from '../config/gate-settings.ts';
import type { ComparedDeals } from './compared-deals.ts';
import type { DealFacts } from './deal-facts.ts';
import { PART_GATES, type GateName } from './gates.ts';
import { exceedsLimit, findWorst, type Measure } from './measure.ts';
import {
  countBefore,
  covers,
  isLive,
  namePart,
  smallestFirst,
  type Cell,
  type Holding,
  type Part,
  type PartName,
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
  /** Slugs of retailers and networks by their ids. */
  readonly slugs: { readonly retailers: ReadonlyMap<string, string>; readonly networks: ReadonlyMap<string, string> };
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
interface Outcome {
  readonly gate: GateName;
  readonly measure: Measure;
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
  for (const part of unproven) {
    for (const cell of cells.all) if (covers(part, cell)) cell.holding = { ...part, place: part };
  }
  const outcomes: Outcome[] = [];
  for (const part of smallestFirst(cells.all)) {
    const measured = measurePart(feed, part, cells, rules).map(({ gate, measure }): Outcome => {
      const name = namePart(part);
      const named = name === '' ? measure : { ...measure, detail: `${name}: ${measure.detail}` };
      const state = !exceedsLimit(measure) ? 'passed' : rules.isAccepted(gate) ? 'accepted' : 'held';
      return { gate, measure: named, state };
    });
    const failing = measured.filter(({ state }) => state === 'held');
    if (failing.length > 0) holdPart(part, part.live, failing, rules);
    const isTaken = part.live.every(({ holding }) => holding === undefined);
    outcomes.push(...measured.map((each): Outcome => (isTaken && each.state === 'held' ? { ...each, state: 'taken' } : each))); // prettier-ignore
  }
  holdRemainder(cells.all, rules);
  const proven = cells.all.filter((cell) => !unproven.some((part) => covers(part, cell)));
  const gates = PART_GATES.flatMap((gate) => summarise(`${gate.name}:${feed.name}`, outcomes.filter((each) => each.gate === gate.name))); // prettier-ignore
  return { ...cells, gates, held: [...listHeldParts(proven), ...unproven] };
}

/** Holds all of a feed that was not read. */
export function holdFeed(
  before: DealFacts,
  servedRows: readonly number[],
  because: string,
  rules: JudgeRules,
): Omit<Judgement, 'gates'> {
  const cells = collectCells(before, servedRows, rules);
  for (const cell of cells.all) {
    cell.holding = createHolding(cell, cells.all, { gates: [...cell.failed], because, place: {} }, rules);
  }
  return { ...cells, held: [...listHeldParts(cells.all), ...rules.unproven] };
}

function collectCells(
  before: DealFacts,
  servedRows: readonly number[],
  { slugs, freshnessOf }: JudgeRules,
  deals?: ComparedDeals,
): Cells {
  const byName = new Map<string, Cell>();
  const cellAt = (facts: DealFacts, row: number): Cell => {
    const [retailerId, networkId] = [facts.textAt('retailer', row), facts.textAt('network', row)];
    const name = `${retailerId} ${networkId}`;
    let cell = byName.get(name);
    if (cell === undefined) {
      const retailer = slugs.retailers.get(retailerId) ?? retailerId;
      const network = slugs.networks.get(networkId) ?? networkId;
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

function measurePart(
  feed: JudgedFeed,
  part: Part & { readonly live: readonly Cell[] },
  cells: Cells,
  { now, settings }: JudgeRules,
): readonly { readonly gate: GateName; readonly measure: Measure }[] {
  const { retailer, network, live } = part;
  const [ofRetailer, ofNetwork] = [retailer !== undefined, network !== undefined];
  const kind = ofRetailer ? (ofNetwork ? 'cell' : 'retailer') : ofNetwork ? 'network' : 'feed';
  const rowsOf = (rows: 'before' | 'now' | 'kept'): readonly number[] => live.flatMap((cell) => cell[rows]);
  const freshMs = live.filter(({ before }) => before.length > 0).map((cell) => cell.freshMs);
  const view: PartView = {
    kind,
    deals: feed.deals,
    before: rowsOf('before'),
    now: rowsOf('now'),
    found: rowsOf('kept').length,
    // A deal that has gone to a held part is compared there.
    kept: rowsOf('kept').filter((row) => cells.ofNow[row]?.holding === undefined),
    days: Math.max(1, Math.round((now.getTime() - Math.min(now.getTime(), ...freshMs)) / DAY_MS)),
    counts: ofNetwork ? undefined : countRows(feed, retailer, live, cells),
  };
  const gates =
    view.before.length === 0 || view.before.length < settings.minRows
      ? []
      : PART_GATES.map(({ name, measure }) => ({ gate: name, measure: measure(view, settings) }));
  return [...gates, ...(kind === 'feed' ? [{ gate: 'emptied' as const, measure: feed.fields }] : [])].flatMap(
    ({ gate, measure }) => (measure === undefined ? [] : [{ gate, measure }]),
  );
}

/** The records in scope of a feed, or of a retailer in it, without those of held parts. */
function countRows(
  { excluded, summary }: JudgedFeed,
  retailer: string | undefined,
  live: readonly Cell[],
  { all, ofServed }: Cells,
): NonNullable<PartView['counts']> {
  const counts = { quarantined: 0, duplicate: 0 };
  let rows = live.reduce((sum, { now }) => sum + now.length, 0);
  const isHeld = (slug: string | undefined): boolean => {
    const cells = all.filter((cell) => cell.retailer === slug);
    return cells.length > 0 && cells.every(({ holding }) => holding !== undefined);
  };
  const heldRetailers = new Set(all.map((cell) => cell.retailer).filter(isHeld));
  for (const row of excluded) {
    const cell = row.servedRow === undefined ? undefined : ofServed.get(row.servedRow);
    const named = row.retailer ?? cell?.retailer;
    if ((cell !== undefined && !isLive(cell)) || (named !== undefined && heldRetailers.has(named))) continue;
    if (retailer !== undefined && named !== retailer) continue;
    counts[row.outcome]++;
    if (row.isAmongDeals !== true) rows++;
  }
  const before = retailer === undefined ? summary : summary?.retailers.find(({ slug }) => slug === retailer);
  return { before: before ?? { rows: 0, quarantined: 0, duplicate: 0 }, now: { ...counts, rows } };
}

function holdPart(part: PartName, live: readonly Cell[], failing: readonly Outcome[], rules: JudgeRules): void {
  const gates = failing.map(({ gate }) => gate);
  const because = failing.map(({ gate, measure }) => `${gate}, ${measure.detail}`).join('; ');
  const isLoss = gates.every((gate) => gate === 'lost');
  for (const cell of live) {
    const holding = createHolding(cell, live, { gates, because, place: part }, rules);
    // A loss shows nothing that is wrong.
    if (isLoss && holding.state === 'withdrawn') cell.isTaken = true;
    else cell.holding = holding;
  }
}

/** A cell is held with others until its deals are too old. */
function createHolding(
  cell: Cell,
  others: readonly Cell[],
  holding: Omit<Holding, 'state'>,
  { now, maxCarriedMs }: JudgeRules,
): Holding {
  const ages = others.filter(({ before }) => before.length > 0).map(({ freshMs }) => freshMs);
  const hasDeals = cell.before.length > 0;
  const freshMs = hasDeals ? cell.freshMs : Math.min(...ages);
  const state = now.getTime() > freshMs + maxCarriedMs ? 'withdrawn' : 'held';
  return { ...holding, state, place: hasDeals && freshMs < Math.max(...ages) ? cell : holding.place };
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
  for (const cell of left) cell.holding = createHolding(cell, left, { ...largest, place: {} }, rules);
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
  const parts = new Map<string, HeldPart>();
  for (const { holding, before, freshMs, snapshot } of cells) {
    if (holding === undefined) continue;
    const { state, gates, because, place } = holding;
    const { retailer, network } = place;
    const key = JSON.stringify([retailer, network, state]);
    const known = parts.get(key);
    const age =
      before.length === 0 && known !== undefined ? known : { freshAt: new Date(freshMs).toISOString(), snapshot };
    parts.set(key, {
      ...(retailer === undefined ? {} : { retailer }),
      ...(network === undefined ? {} : { network }),
      state,
      gates: [...gates],
      because,
      deals: (known?.deals ?? 0) + before.length,
      freshAt: age.freshAt,
      snapshot: age.snapshot,
    });
  }
  return [...parts.values()];
}
