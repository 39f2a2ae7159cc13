import { DAY_MS } from '../../data/record/amount.ts';
import type { GateResult, HeldPart } from '../../data/report/report.ts';
import type { FeedSummary } from '../../data/report/summary.ts';
import type { GateSettings } from '../config/gate-settings.ts';
import { groupBy } from '../source/record.ts';
import { isSame, type ComparedDeal, type DealFacts } from './deal-facts.ts';
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
import { markTakenLinks } from './taken-links.ts';

/** A record of a feed that is not served, as far as it says where it belongs. */
export interface ExcludedRow {
  readonly outcome: 'quarantined' | 'duplicate';
  /** The slug of its retailer. */
  readonly retailer?: string | undefined;
  /** The deal before that has its key. */
  readonly before?: DealFacts | undefined;
  /** It is held out for its price, and is among the deals of the feed nevertheless. */
  readonly isAmongDeals?: true;
}

/** A feed as it was read, beside its deals before. */
export interface JudgedFeed {
  readonly name: string;
  readonly before: readonly DealFacts[];
  readonly deals: readonly ComparedDeal[];
  readonly excluded: readonly ExcludedRow[];
  readonly isKnownProduct: PartView['isKnownProduct'];
  /** Counts of the snapshot being served. */
  readonly summary: FeedSummary | undefined;
  /** What the fields of the whole file show. */
  readonly fields: readonly Measure[];
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

/** The cells of a feed, and that of each of its deals before. */
interface Cells {
  readonly all: readonly Cell[];
  readonly ofBefore: ReadonlyMap<DealFacts | undefined, Cell>;
}

export interface Judgement {
  /** What became of the part of a deal before; undefined where it is served as its file has it. */
  readonly holdingOf: (before: DealFacts | undefined) => Holding | undefined;
  /** Parts that are not served from the file. */
  readonly held: readonly HeldPart[];
  readonly gates: readonly GateResult[];
}

/** A gate that a part fails. */
interface Failure extends Measure {
  readonly gate: GateName;
  readonly state: 'held' | 'accepted' | 'taken';
}

/**
 * Judges a feed alone (INPUTS "What fails is held, and nothing else"): its parts, the smallest first, each without the
 * deals of the held parts in it. A part that fails a gate is held until its deals are too old; then they are withdrawn,
 * but a loss is taken.
 */
export function judgeFeed(feed: JudgedFeed, rules: JudgeRules): Judgement {
  const cells = collectCells(feed.before, feed.deals, rules);
  const unproven = rules.unproven.filter(({ gates }) => !gates.every((gate) => rules.isAccepted(gate as GateName)));
  const isUnproven = (cell: Cell): boolean => unproven.some((part) => covers(part, cell));
  for (const part of unproven) {
    for (const cell of cells.all) if (covers(part, cell)) cell.holding = { ...part, place: part };
  }
  const excluded = placeRows(feed.excluded, cells);
  markTakenLinks(feed.before, feed.deals);
  const failures: Failure[] = [];
  for (const part of smallestFirst(cells.all)) {
    const view = viewPart(feed, part, excluded, rules);
    failures.push(...decide(part, findFailures(view, part, feed.fields, rules), rules));
  }
  holdRemainder(cells.all, rules);
  return {
    holdingOf: (before) => cells.ofBefore.get(before)?.holding,
    held: [...listHeldParts(cells.all.filter((cell) => !isUnproven(cell))), ...unproven],
    gates: PART_GATES.flatMap(({ name }) =>
      summarise(
        `${name}:${feed.name}`,
        failures.filter(({ gate }) => gate === name),
      ),
    ),
  };
}

/** Holds all of a feed that was not read. */
export function holdFeed(before: readonly DealFacts[], because: string, rules: JudgeRules): Omit<Judgement, 'gates'> {
  const cells = collectCells(before, [], rules);
  holdTogether(cells.all, { because, place: {} }, rules);
  return { holdingOf: (before) => cells.ofBefore.get(before)?.holding, held: listHeldParts(cells.all) };
}

function collectCells(
  before: readonly DealFacts[],
  deals: readonly ComparedDeal[],
  { slugOf, freshnessOf }: JudgeRules,
): Cells {
  const byName = new Map<string, Cell>();
  const ofBefore = new Map<DealFacts | undefined, Cell>();
  const cellOf = (deal: DealFacts): Cell => {
    const name = `${deal.retailer} ${deal.network}`;
    let cell = byName.get(name);
    if (cell === undefined) {
      const [retailer, network] = [slugOf('retailers', deal.retailer), slugOf('networks', deal.network)];
      cell = { retailer, network, ...freshnessOf({ retailer, network }), before: [], now: [], kept: [] };
      byName.set(name, cell);
    }
    return cell;
  };
  for (const deal of before) {
    const cell = cellOf(deal);
    cell.before.push(deal);
    ofBefore.set(deal, cell);
  }
  for (const deal of deals) {
    deal.cell = cellOf(deal.now);
    deal.cell.now.push(deal);
    if (isSame(deal)) ofBefore.get(deal.before)?.kept.push(deal);
  }
  return { all: [...byName.values()], ofBefore };
}

/** An excluded row with the cells that it may belong to; none where it names no retailer of the feed. */
interface PlacedRow extends ExcludedRow {
  readonly cells: readonly Cell[];
}

/** A row belongs to the cell of the deal before that has its key, else to any of its retailer. */
function placeRows(rows: readonly ExcludedRow[], { all, ofBefore }: Cells): readonly PlacedRow[] {
  const ofRetailer = groupBy(all, ({ retailer }) => [retailer]);
  return rows.map((row) => {
    const cell = ofBefore.get(row.before);
    const retailer = row.retailer ?? cell?.retailer;
    return { ...row, retailer, cells: cell === undefined ? (ofRetailer.get(retailer ?? '') ?? []) : [cell] };
  });
}

function viewPart(
  { summary, isKnownProduct }: JudgedFeed,
  part: Part,
  excluded: readonly PlacedRow[],
  { now }: JudgeRules,
): PartView {
  const { retailer, network, live } = part;
  const kept = live.flatMap((cell) => cell.kept);
  const freshMs = live.filter((cell) => cell.before.length > 0).map((cell) => cell.freshMs);
  return {
    retailer,
    network,
    before: live.flatMap((cell) => cell.before),
    now: live.flatMap((cell) => cell.now),
    found: kept.length,
    // A deal that has gone to a held part is compared there.
    kept: kept.filter((deal) => deal.cell?.holding === undefined),
    days: Math.max(1, Math.round((now.getTime() - Math.min(now.getTime(), ...freshMs)) / DAY_MS)),
    counts: network === undefined ? countRows(part, excluded, summary) : undefined,
    isKnownProduct,
  };
}

/** The gates that a part fails, in the order of the table, each with its worst measure. */
function findFailures(
  view: PartView,
  part: Part,
  fields: readonly Measure[],
  { settings, isAccepted }: JudgeRules,
): readonly Failure[] {
  const isLarge = view.before.length > 0 && view.before.length >= settings.minRows;
  const name = isWhole(part) ? '' : `${namePart(part)}: `;
  return PART_GATES.flatMap(({ name: gate, measure }): Failure[] => {
    const ofFile = gate === 'emptied' && isWhole(part) ? fields : [];
    const worst = findWorst([...(isLarge ? measure(view, settings) : []), ...ofFile]);
    if (worst === undefined || !exceedsLimit(worst)) return [];
    return [{ gate, ...worst, detail: name + worst.detail, state: isAccepted(gate) ? 'accepted' : 'held' }];
  });
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
function decide(part: Part, failures: readonly Failure[], rules: JudgeRules): readonly Failure[] {
  const holding = failures.filter(({ state }) => state === 'held');
  if (holding.length === 0) return failures;
  const gates = holding.map(({ gate }) => gate);
  const because = holding.map(({ gate, detail }) => `${gate}, ${detail}`).join('; ');
  holdTogether(part.live, { gates, because, place: part }, rules);
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
