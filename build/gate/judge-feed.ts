import { DAY_MS } from '../../data/record/amount.ts';
import type { GateResult, HeldPart, FeedSummary } from '../../data/report/report.ts';
import type { GateSettings } from '../config/gate-settings.ts';
import { groupBy } from '../source/record.ts';
import { Drift, Profile } from './tallies.ts';
import type { Cell, FeedComparison, Holding } from './compare-feed.ts';
import { PART_GATES, type GateName } from './gates.ts';
import { exceedsLimit, findWorst, type Measure } from './measure.ts';
import type { PartView } from './part-measures.ts';
import { countBefore, covers, isLive, isWhole, namePart, smallestFirst, type Part } from './parts.ts';

/** Records of a feed that are not served, as far as they say where they belong. */
export interface ExcludedRow {
  readonly outcome: 'quarantined' | 'duplicate';
  /** The slug of its retailer. */
  readonly retailer?: string | undefined;
  /** The cell of the deal before that has its key. */
  readonly cell?: Cell | undefined;
  /** It is held out for its price, and is among the deals of the feed nevertheless. */
  readonly isAmongDeals?: true;
}

/** What is known of a feed beside its deals. */
export interface JudgedFeed {
  readonly name: string;
  readonly excluded: readonly ExcludedRow[];
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
  /** Parts that have expired after they failed a gate, and have no deals left to compare with. */
  readonly unproven: readonly HeldPart[];
}

export interface Judgement {
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
 * but a loss is taken. The cells of the comparison get what became of them.
 */
export function judgeFeed(comparison: FeedComparison, feed: JudgedFeed, rules: JudgeRules): Judgement {
  const { cells } = comparison;
  const unproven = rules.unproven.filter(({ gates }) => !gates.every((gate) => rules.isAccepted(gate as GateName)));
  const isUnproven = (cell: Cell): boolean => unproven.some((part) => covers(part, cell));
  for (const part of unproven) {
    for (const cell of cells) if (covers(part, cell)) cell.holding = { ...part, place: part };
  }
  const failures: Failure[] = [];
  for (const part of smallestFirst(cells)) {
    failures.push(...decide(part, findFailures(comparison, part, feed, rules), rules));
  }
  holdRemainder(cells, rules);
  return {
    held: [...listHeldParts(cells.filter((cell) => !isUnproven(cell))), ...unproven],
    gates: PART_GATES.flatMap(({ name }) =>
      summarise(
        `${name}:${feed.name}`,
        failures.filter(({ gate }) => gate === name),
      ),
    ),
  };
}

/** Holds all of a feed that was not read. */
export function holdFeed({ cells }: FeedComparison, because: string, rules: JudgeRules): readonly HeldPart[] {
  holdTogether(cells, { because, place: {} }, rules);
  return listHeldParts(cells);
}

function viewPart(
  comparison: FeedComparison,
  { retailer, network, live }: Part,
  { excluded, summary }: JudgedFeed,
  { now }: JudgeRules,
): PartView {
  const cells = new Set(live);
  const view = { before: new Profile(), now: new Profile(), drift: new Drift(), found: 0, newWithTakenLink: 0 };
  for (const cell of live) {
    view.before.merge(cell.before);
    view.now.merge(cell.now);
    view.newWithTakenLink += cell.newWithTakenLink;
  }
  for (const { from, to, drift } of comparison.strands) {
    if (from === undefined || !cells.has(from)) continue;
    view.found += drift.count;
    // A deal that has gone to a held part is compared there.
    if (to.holding === undefined) view.drift.merge(drift);
  }
  const freshMs = live.filter((cell) => cell.before.count > 0).map((cell) => cell.freshMs);
  return {
    ...view,
    retailer,
    network,
    days: Math.max(1, Math.round((now.getTime() - Math.min(now.getTime(), ...freshMs)) / DAY_MS)),
    counts: network === undefined ? countRows(comparison.cells, { retailer, live }, excluded, summary) : undefined,
    findMiddle: (cost) => comparison.findMiddle(cost, cells),
  };
}

/** The gates that a part fails, in the order of the table, each with its worst measure. */
function findFailures(comparison: FeedComparison, part: Part, feed: JudgedFeed, rules: JudgeRules): readonly Failure[] {
  const { settings, isAccepted } = rules;
  const count = countBefore(part.live);
  const view = count > 0 && count >= settings.minRows ? viewPart(comparison, part, feed, rules) : undefined;
  const name = isWhole(part) ? '' : `${namePart(part)}: `;
  return PART_GATES.flatMap(({ name: gate, measure }): Failure[] => {
    const ofFile = gate === 'emptied' && isWhole(part) ? feed.fields : [];
    const worst = findWorst([...(view === undefined ? [] : measure(view, settings)), ...ofFile]);
    if (worst === undefined || !exceedsLimit(worst)) return [];
    return [{ gate, ...worst, detail: name + worst.detail, state: isAccepted(gate) ? 'accepted' : 'held' }];
  });
}

/** The records in scope of a feed, or of a retailer in it, without those of held parts. */
function countRows(
  cells: readonly Cell[],
  { retailer, live }: Pick<Part, 'retailer' | 'live'>,
  excluded: readonly ExcludedRow[],
  summary: FeedSummary | undefined,
): PartView['counts'] {
  const liveRetailers = new Set(cells.filter(isLive).map((cell) => cell.retailer));
  const knownRetailers = new Set(cells.map((cell) => cell.retailer));
  // A row belongs to the cell of the deal before that has its key, else to any of its retailer.
  const rows = excluded.filter(({ cell, ...row }) => {
    const name = row.retailer ?? cell?.retailer;
    if (retailer !== undefined && retailer !== name) return false;
    return cell === undefined
      ? name === undefined || !knownRetailers.has(name) || liveRetailers.has(name)
      : isLive(cell);
  });
  const countOf = (outcome: ExcludedRow['outcome']): number => rows.filter((row) => row.outcome === outcome).length;
  const dealCount = live.reduce((sum, { now }) => sum + now.count, 0);
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
  const ages = cells.filter(({ before }) => before.count > 0).map(({ freshMs }) => freshMs);
  for (const cell of cells) {
    const hasDeals = cell.before.count > 0;
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

type HeldCell = Cell & { readonly holding: Holding };

/** The held parts of a feed: the cells that are held together, and alone those whose deals are older. */
function listHeldParts(cells: readonly Cell[]): HeldPart[] {
  const held = cells.filter(({ holding }) => holding !== undefined) as readonly HeldCell[];
  const parts = groupBy(held, ({ holding: { place, state } }) => [`${place.retailer} ${place.network} ${state}`]);
  return [...parts.values()].map((group) => {
    const { holding } = group.at(-1) as HeldCell;
    const aged = (group.findLast(({ before }) => before.count > 0) ?? group[0]) as HeldCell;
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
