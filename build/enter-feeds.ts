import { compareCodeUnits } from '../data/record/id.ts';
import { recordKey, type ProductRecord } from '../data/record/product.ts';
import { NOTICES, type Notice } from '../data/report/notice.ts';
import type { GateResult, HeldPart, UnmatchedName } from '../data/report/report.ts';
import type { FeedConfig } from './registry.ts';
import type { BuildContext } from './gate/build-context.ts';
import type { DealCollector, FeedCollector } from './deals/collect-deals.ts';
import { orderDeals } from './deals/order.ts';
import { readDealsOfFeed } from './gate/carry-deals.ts';
import { FeedComparison, type Cell, type CellName } from './gate/compare-feed.ts';
import { DealColumns, type DealFacts } from './gate/deal-facts.ts';
import { measureFields } from './gate/fields.ts';
import { holdFeed, judgeFeed, type ExcludedRow, type Judgement, type JudgeRules } from './gate/judge-feed.ts';
import { covers } from './gate/parts.ts';
import { findJump, findUndercut, type JumpContext, type PriceJump } from './gate/price-jumps.ts';
import { listSayings, sayWhatFell, sayWhatIsGone } from './gate/said.ts';
import { findServedSource, type KnownSnapshot, type ServedSnapshot } from './gate/served-snapshot.ts';
import { Drift } from './gate/tallies.ts';
import type { CatalogueDeals, CatalogueRecords } from './records/catalogue.ts';
import { digestFiles } from './source/open-file.ts';
import type { Sourced, SourceState } from './source/record.ts';

/** Facts of a deal that the CMS may take from it. */
const FACTS_OF_CMS = ['product', 'retailer', 'network'] as const;

/** A feed whose deals, or those before in their place, are among those of the catalogue. */
export interface EnteredFeed {
  readonly state: SourceState;
  readonly gates: readonly GateResult[];
  readonly unmatchedNames: readonly UnmatchedName[];
}

/**
 * Takes the feeds that were read into the catalogue: each is judged alone, part by part, before its deals meet those of
 * other feeds.
 */
export class FeedEntrance {
  readonly #build: BuildContext;
  readonly #collector: DealCollector;
  readonly #records: CatalogueRecords;
  /** Of the same deals that are served: by feed, `retailer tello`, `network o2`, … */
  readonly #drifts = new Map<string, Drift>();
  /** Prices of feeds that jumped. */
  readonly #jumps = new Map<string, { heldOut: number; taken: number }>();
  /** Rows of deals that the snapshot being served does not have. */
  readonly #newRows = new Set<number>();
  readonly #fileDigests = new Map<string, string>();
  /** How many deals before have `retailer tello` and the like in feeds that were read, without those of held parts. */
  readonly #countsBefore = new Map<string, number>();
  /** How many records have an unknown name: by `retailer "FoneHut UK"`. */
  readonly #unknownNames = new Map<string, number>();
  /** The keys of the records of the catalogue. */
  readonly #known: Readonly<Record<(typeof FACTS_OF_CMS)[number], ReadonlySet<string>>>;
  readonly #labels: ReturnType<typeof labelProducts>;

  constructor(build: BuildContext, records: CatalogueRecords, collector: DealCollector) {
    this.#build = build;
    this.#records = records;
    this.#collector = collector;
    const { products, retailers, networks } = records;
    const keysOf = (list: readonly Sourced<Parameters<typeof recordKey>[0]>[]): ReadonlySet<string> =>
      new Set(list.map(({ record }) => recordKey(record)));
    this.#known = { product: keysOf(products), retailer: keysOf(retailers), network: keysOf(networks) };
    this.#labels = labelProducts(products);
  }

  /** Takes a feed that was read into `collector`. */
  enter({ name }: FeedConfig, state: SourceState, feedCollector: FeedCollector): EnteredFeed {
    const { served } = this.#build;
    const unmatchedNames = feedCollector.unmatchedNames();
    this.#fileDigests.set(name, digestFiles(state.files));
    if (state.state !== 'fresh') return { state: this.#hold(state, served), gates: [], unmatchedNames };
    if (served.kind !== 'known') return { state, gates: [], unmatchedNames };
    const { gates, held } = this.#judge(state, feedCollector.rows(), served);
    return { state: held.length === 0 ? state : { ...state, held: [...held] }, gates, unmatchedNames };
  }

  /** The deals of the catalogue, when every feed is in. */
  finish(): CatalogueDeals {
    const { served } = this.#build;
    const [collector, records] = [this.#collector, this.#records];
    if (served.kind !== 'known') return collector.finish(() => false);
    const { table } = collector;
    const { product, totalPence: total, upfrontPence: upfront, monthlyPence: monthly } = table.columns;
    const hasKept = new Uint8Array(records.products.length);
    // In order of cost: the next deal is checked as the cheapest, until one is kept.
    return collector.finish((row) => {
      const productRow = product.at(row);
      const { record } = records.products[productRow] as Sourced<ProductRecord>;
      const before = served.cheapest.get(recordKey(record));
      if (hasKept[productRow] === 0 && before !== undefined && this.#newRows.has(row)) {
        const { source: feed } = collector.fileOf(row);
        const retailer = records.retailers[table.columns.retailer.at(row)]?.record.id ?? '';
        const heldOut = served.deals.findHeldOut(feed, retailer, table.key.at(row));
        const price = { total: total.at(row), upfront: upfront.at(row), monthly: monthly.at(row) };
        const jump = findUndercut(price, { ...before, name: recordKey(record) }, heldOut, this.#contextOf(feed));
        if (this.#holdsOut(feed, row, jump)) return true;
      }
      hasKept[productRow] = 1;
      return false;
    });
  }

  /** What the build says, though nothing fails; `deals` are those of the catalogue. */
  say(deals: CatalogueDeals): readonly string[] {
    const { served, config } = this.#build;
    const jumps = [...this.#jumps].flatMap(([feed, { heldOut, taken }]) => [
      heldOut > 0
        ? `Held out: ${heldOut} deals of ${feed} whose price jumped, until another file says it again after 20 hours`
        : '',
      taken > 0 ? `Taken: ${taken} deals of ${feed} whose price had jumped` : '',
    ]);
    return [
      ...jumps.filter((sentence) => sentence !== ''),
      ...listSayings(this.#drifts, config.gates),
      ...(served.kind === 'known'
        ? [
            ...sayWhatFell(served.cheapest, { records: this.#records, deals }),
            ...sayWhatIsGone(this.#countsBefore, { records: this.#records, deals }, this.#unknownNames),
          ]
        : []),
    ];
  }

  #judge(state: SourceState, readRows: Uint32Array, served: KnownSnapshot): Judgement {
    const { config, ledger } = this.#build;
    const collector = this.#collector;
    const { name } = state;
    const { table, dictionaries, dropped } = collector;
    const notices = ledger.noticesOf(name);
    const { rows, duplicates } = orderDeals(table, dictionaries.files.entries, readRows);
    const heldOut = new Set<number>();
    const comparison = this.#compare(name, rows, this.#markOurs(name, notices, served), heldOut, served);
    const excluded: readonly ExcludedRow[] = [
      ...listExcluded(notices, served, comparison),
      ...duplicates.map(({ row }) => ({ outcome: 'duplicate' as const, retailer: collector.retailerOf(row) })),
      ...Array.from(heldOut, (i) => ({
        outcome: 'quarantined' as const,
        cell: comparison.cellBefore(comparison.rowBefore(i)),
        isAmongDeals: true as const,
      })),
    ];
    const summary = served.report.summary.feeds.find((feed) => feed.name === name);
    const fields = measureFields(state, served, config.gates.minRows);
    const judgement = judgeFeed(comparison, { name, excluded, summary, fields }, this.#rulesOf(name, served));
    this.#remember(name, comparison, notices, judgement);

    // A key of a held part is served once, from before, or not at all.
    const carried = new Set<number>();
    const left = new Set<number>();
    rows.forEach((row, i) => {
      if (heldOut.has(i)) return;
      const rowBefore = comparison.rowBefore(i);
      const [holding, holdingBefore] = [comparison.cellOf(i).holding, comparison.cellBefore(rowBefore)?.holding];
      if (holding === undefined && holdingBefore === undefined) {
        if (comparison.isNew(i)) this.#newRows.add(row);
        return;
      }
      left.add(row);
      if (holding?.state === 'held' && holdingBefore === undefined && rowBefore !== -1) carried.add(rowBefore);
    });
    for (const { row, keptRow } of duplicates) {
      if (left.has(keptRow)) left.add(row);
      else if (dropped.has(keptRow)) collector.excludeDuplicate(row, keptRow);
    }
    ledger.read(name, -left.size);
    for (const row of left) dropped.add(row);
    this.#carry(name, served, comparison, carried);
    return judgement;
  }

  /**
   * Compares the deals of a feed with those before, and holds out those whose price jumped.
   * @param heldOut gets the positions in `rows` of deals that are held out
   */
  #compare(
    feed: string,
    rows: Uint32Array,
    isOurs: Uint8Array,
    heldOut: Set<number>,
    served: KnownSnapshot,
  ): FeedComparison {
    const collector = this.#collector;
    const { describer, columns: before } = served.deals;
    const now = new DealColumns(rows.length);
    const rowsBefore = Int32Array.from(rows, (row, i) => {
      const deal = describer.describeRow(collector, this.#records, row);
      now.add(deal);
      const [retailer, key] = [describer.textOf(deal.retailer), collector.table.key.at(row)];
      const rowBefore = served.deals.find(feed, retailer, key);
      const known = rowBefore === undefined ? undefined : before.at(rowBefore);
      const jump = findJump(deal, known, served.deals.findHeldOut(feed, retailer, key), this.#contextOf(feed));
      if (this.#holdsOut(feed, row, jump)) heldOut.add(i);
      return rowBefore ?? -1;
    });
    const isKnownProduct = (product: number): boolean => {
      const name = describer.textOf(product);
      return this.#known.product.has(name) && served.records.products.has(name);
    };
    const labelsOf = (i: number) => this.#labels[collector.table.columns.product.at(rows[i] as number)] ?? [];
    const deals = { before, isOurs, now, rowsBefore, heldOut, isKnownProduct, labelsOf };
    return new FeedComparison(deals, this.#createCellNamer(feed, served));
  }

  /** Keeps what the build may say, when it has seen every feed. */
  #remember(feed: string, { cells, strands }: FeedComparison, notices: readonly Notice[], { gates }: Judgement): void {
    const add = (counts: Map<string, number>, name: string, count: number) =>
      counts.set(name, (counts.get(name) ?? 0) + count);
    // What the gate of losses says is not said again.
    const isLossSaid = gates.some(({ gate }) => gate === `lost:${feed}`);
    for (const { retailer, network, before } of isLossSaid
      ? []
      : cells.filter(({ holding }) => holding === undefined)) {
      add(this.#countsBefore, `retailer ${retailer}`, before.count);
      add(this.#countsBefore, `network ${network}`, before.count);
    }
    for (const { code, found } of notices) {
      if (code !== 'unknown-retailer' && code !== 'unknown-network') continue;
      add(this.#unknownNames, `${code.replace('unknown-', '')} ${JSON.stringify(found)}`, 1);
    }
    for (const { from, to, labels, isHeldOut, drift } of strands) {
      if (isHeldOut || from?.holding !== undefined || to.holding !== undefined) continue;
      for (const name of [feed, `retailer ${to.retailer}`, `network ${to.network}`, ...labels]) {
        const drifts = this.#drifts.get(name) ?? new Drift();
        this.#drifts.set(name, drifts);
        drifts.merge(drift);
      }
    }
  }

  /** Serves the deals before of a feed that was not read, as far as they are not too old. */
  #hold(state: SourceState, served: ServedSnapshot): SourceState {
    const { ledger } = this.#build;
    const { name } = state;
    const because = state.state === 'absent' ? 'has no file' : 'could not be read';
    if (served.kind === 'unreadable') {
      const found = `${name}: ${because}, and the snapshot being served cannot be read, so that none of its deals can be served instead; run deals verify`;
      ledger.note({ code: 'not-carried', source: name, found });
    }
    if (served.kind !== 'known') return state;
    const rules = this.#rulesOf(name, served);
    const isOurs = served.deals.markFeed(name);
    if (!isOurs.includes(1)) return rules.unproven.length === 0 ? state : { ...state, held: [...rules.unproven] };
    const comparison = this.#compare(name, new Uint32Array(), isOurs, new Set(), served);
    const parts = holdFeed(comparison, because, rules);
    for (const part of parts) ledger.note(this.#describeHeld(name, part));
    const held = [...parts, ...rules.unproven];
    const [freshAt] = parts.flatMap((part) => (part.state === 'held' ? [part.freshAt] : [])).sort(compareCodeUnits);
    if (freshAt === undefined) return { ...state, heldBecause: because, held };
    // A deal that was held out stays held out while its feed is not read: its price was not found again.
    for (const notice of served.deals.heldOutOf(name)) {
      ledger.read(name);
      ledger.exclude(notice);
    }
    this.#carry(name, served, comparison, new Set());
    const files = findServedSource(served, name)?.files ?? [];
    return { ...state, state: 'carried-forward', heldBecause: because, freshAt, files, held };
  }

  /** It has times and no ages, so that it stays the same from build to build. */
  #describeHeld(source: string, { state, because, deals, freshAt }: HeldPart): Notice {
    const until = new Date(Date.parse(freshAt) + this.#build.config.freshness.maxCarriedMs).toISOString();
    const what =
      state === 'held'
        ? `its ${deals} deals of ${freshAt} can be served until ${until}`
        : `its deals of ${freshAt} expired at ${until}`;
    const found = `${source}: ${because}; ${what}; fetch the feed again`;
    return { code: state === 'held' ? 'carried-forward' : 'withdrawn', source, found };
  }

  /** Serves the deals before of held cells, and some others. */
  #carry(feed: string, { lines }: KnownSnapshot, comparison: FeedComparison, others: ReadonlySet<number>): void {
    const { ledger } = this.#build;
    const isHeld = (cell: Cell | undefined): boolean => cell?.holding?.state === 'held';
    if (others.size === 0 && !comparison.cells.some(isHeld)) return;
    const source = this.#collector.openFeed(feed);
    const isCarried = (row: number): boolean => others.has(row) || isHeld(comparison.cellBefore(row));
    for (const { item, evidence } of readDealsOfFeed(lines, feed, isCarried)) {
      ledger.read(feed);
      source.add(item, evidence);
    }
    source.finish();
  }

  /** Holds a deal out for its price, unless that is taken by now, or accepted. */
  #holdsOut(feed: string, row: number, jump: PriceJump | undefined): boolean {
    if (jump === undefined) return false;
    const counts = this.#jumps.get(feed) ?? { heldOut: 0, taken: 0 };
    this.#jumps.set(feed, counts);
    if (jump.isTaken || this.#build.isAccepted('price-jump', feed)) {
      counts.taken++;
      return false;
    }
    counts.heldOut++;
    this.#collector.holdOut(row, jump);
    return true;
  }

  #contextOf(feed: string): JumpContext {
    const { now, config } = this.#build;
    return { now, files: this.#fileDigests.get(feed) ?? '', maxPriceJump: config.gates.maxPriceJump };
  }

  /**
   * Marks the deals of a feed before, without those that the CMS or the list of exclusions takes from it: these are not lost
   * by the feed.
   */
  #markOurs(feed: string, notices: readonly Notice[], { deals }: KnownSnapshot): Uint8Array {
    const { columns, describer } = deals;
    const isOurs = deals.markFeed(feed);
    isOurs.forEach((isOne, row) => {
      if (isOne === 0) return;
      const deal = columns.at(row);
      const isKnown = FACTS_OF_CMS.every((fact) => this.#known[fact].has(describer.textOf(deal[fact])));
      if (!isKnown) isOurs[row] = 0;
    });
    for (const notice of notices) {
      if (notice.code === 'excluded') for (const row of deals.findAll(notice)) isOurs[row] = 0;
    }
    return isOurs;
  }

  #rulesOf(feed: string, { unproven }: KnownSnapshot): JudgeRules {
    const { config, now, isAccepted } = this.#build;
    return {
      settings: config.gates,
      now,
      maxCarriedMs: config.freshness.maxCarriedMs,
      isAccepted: (gate) => isAccepted(gate, feed),
      unproven: unproven.get(feed) ?? [],
    };
  }

  /** Names the cell of a deal by slugs, with the time at which its deals before were last found in the feed. */
  #createCellNamer(feed: string, served: KnownSnapshot): (deal: DealFacts) => CellName {
    const { now } = this.#build;
    const source = findServedSource(served, feed);
    // A time in the future comes from a build under a wrong clock: the hours start with the first build that finds it.
    const toMs = (times: readonly string[]): number => {
      const passed = times.map((time) => Date.parse(time)).filter((time) => time <= now.getTime());
      return passed.length === 0 ? now.getTime() : Math.max(...passed);
    };
    const freshMs = toMs([
      source?.freshAt ?? served.manifest.createdAt,
      ...(source?.state === 'fresh' ? [served.confirmedAt] : []),
    ]);
    const slugOf = (kind: 'retailers' | 'networks', number: number): string => {
      const id = served.deals.describer.textOf(number);
      const known = this.#records[kind].find(({ record }) => record.id === id)?.record ?? served.records[kind].get(id);
      return known?.slug ?? id;
    };
    return (deal) => {
      const cell = { retailer: slugOf('retailers', deal.retailer), network: slugOf('networks', deal.network) };
      // Of a retailer and a network that both cover it, the one that was held first.
      const covering = (source?.held ?? [])
        .filter((part) => covers(part, cell))
        .toSorted((a, b) => compareCodeUnits(a.freshAt, b.freshAt));
      const isExact = ({ retailer, network }: HeldPart): boolean => retailer !== undefined && network !== undefined;
      const part = covering.find(isExact) ?? covering[0];
      return part === undefined
        ? { ...cell, freshMs, snapshot: served.id, failed: [] }
        : { ...cell, freshMs: toMs([part.freshAt]), snapshot: part.snapshot, failed: part.gates };
    };
  }
}

/** For each product, its maker and condition, of which something may be said. Products with the same have the same array. */
function labelProducts(products: CatalogueRecords['products']): readonly (readonly string[])[] {
  const known = new Map<string, readonly string[]>();
  return products.map(({ record: { manufacturer, condition } }) => {
    const labels = [...(manufacturer === undefined ? [] : [`maker ${manufacturer}`]), `${condition} phones`];
    const key = labels.join();
    known.set(key, known.get(key) ?? labels);
    return known.get(key) as readonly string[];
  });
}

/** The records that are not served, and where they belong: by their retailer, else by a deal before that has their key. */
function listExcluded(
  notices: readonly Notice[],
  served: KnownSnapshot,
  comparison: FeedComparison,
): readonly ExcludedRow[] {
  return notices.flatMap((notice): ExcludedRow[] => {
    const { outcome } = NOTICES[notice.code];
    if (outcome !== 'quarantined' && outcome !== 'duplicate') return [];
    const same = served.deals.findAll(notice).find((row) => !comparison.isKept(row));
    const cell = same === undefined ? undefined : comparison.cellBefore(same);
    return same !== undefined && cell === undefined ? [] : [{ outcome, retailer: notice.retailer, cell }];
  });
}
