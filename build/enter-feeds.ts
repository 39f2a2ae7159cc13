import { compareCodeUnits } from '../data/record/id.ts';
import { recordKey, type ProductRecord } from '../data/record/product.ts';
import { NOTICES, type Notice, type Price } from '../data/report/notice.ts';
import type { GateResult } from '../data/report/report.ts';
import { type DealCollector, FeedCollector } from './deals/collect-deals.ts';
import { orderDeals, type CatalogueDeals } from './deals/catalogue-deals.ts';
import { FeedComparison, type Cell } from './gate/compare-feed.ts';
import { createFactColumns, type FactColumns } from './gate/facts.ts';
import type { BuildContext } from './gate/gates.ts';
import { holdFeed, judgeFeed, type ExcludedRow, type Judgement } from './gate/judge-feed.ts';
import { findJump, findUndercut, type JumpContext, type PriceJump } from './gate/price-jumps.ts';
import { Sayings } from './gate/said.ts';
import { readDealsOfFeed } from './gate/served-deals.ts';
import { findFreshness, findServedSource, type KnownSnapshot, type ServedSnapshot } from './gate/served-snapshot.ts';
import type { CatalogueRecords } from './records/join-records.ts';
import { digestFiles } from './source/open-file.ts';
import type { Sourced, SourceState } from './source/record.ts';

/** Facts of a deal that the CMS may take from it. */
const FACTS_OF_CMS = ['product', 'retailer', 'network'] as const;

/** A feed whose deals, or those before in their place, are among those of the catalogue. */
export interface EnteredFeed {
  readonly state: SourceState;
  readonly gates: readonly GateResult[];
}

/**
 * Takes the feeds that were read into the catalogue: each is judged alone, part by part, before its deals meet those of
 * other feeds.
 */
export class FeedEntrance {
  readonly #build: BuildContext;
  readonly #collector: DealCollector;
  readonly #records: CatalogueRecords;
  readonly #sayings = new Sayings();
  /** Rows of deals that the snapshot being served does not have. */
  readonly #newRows = new Set<number>();
  readonly #fileDigests = new Map<string, string>();
  /** The keys of the records of the catalogue. */
  readonly #known: Readonly<Record<(typeof FACTS_OF_CMS)[number], ReadonlySet<string>>>;
  /** For each product, itself, its maker and its condition, of which something may be said. */
  readonly #labels: readonly (readonly string[])[];

  constructor(build: BuildContext, records: CatalogueRecords, collector: DealCollector) {
    this.#build = build;
    this.#records = records;
    this.#collector = collector;
    const { products, retailers, networks } = records;
    const keysOf = (list: readonly Sourced<Parameters<typeof recordKey>[0]>[]): ReadonlySet<string> =>
      new Set(list.map(({ record }) => recordKey(record)));
    this.#known = { product: keysOf(products), retailer: keysOf(retailers), network: keysOf(networks) };
    this.#labels = products.map(({ record }) => [
      ...(record.manufacturer === undefined ? [] : [`maker ${record.manufacturer}`]),
      `${record.condition} phones`,
      `phone ${recordKey(record)}`,
    ]);
  }

  /** Takes a feed that was read into `collector`. */
  enter(state: SourceState, feedCollector: FeedCollector): EnteredFeed {
    const { served } = this.#build;
    this.#fileDigests.set(state.name, digestFiles(state.files));
    if (state.state !== 'fresh') return { state: this.#hold(state, served), gates: [] };
    if (served.kind !== 'known') return { state, gates: [] };
    const { gates, held } = this.#judge(state, feedCollector.rows(), served);
    return { state: held.length === 0 ? state : { ...state, held: [...held] }, gates };
  }

  /** The deals of the catalogue, when every feed is in. */
  finish(): CatalogueDeals {
    const { served } = this.#build;
    const { product: productOf } = this.#collector.table.columns;
    const hasKept = new Uint8Array(this.#records.products.length);
    // In order of cost: the next deal is checked as the cheapest, until one is kept.
    return this.#collector.finish((row) => {
      const isChecked = served.kind === 'known' && hasKept[productOf.at(row)] === 0 && this.#newRows.has(row);
      if (isChecked && this.#undercuts(row, served)) return true;
      hasKept[productOf.at(row)] = 1;
      return false;
    });
  }

  /** What the build says, though nothing fails; `deals` are those of the catalogue. */
  say(deals: CatalogueDeals): readonly string[] {
    return this.#sayings.list({ records: this.#records, deals }, this.#build);
  }

  #judge(state: SourceState, readRows: Uint32Array, served: KnownSnapshot): Judgement {
    const { ledger } = this.#build;
    const collector = this.#collector;
    const { name } = state;
    const { dropped } = collector;
    const { rows, keptRows } = orderDeals(collector, readRows);
    const comparison = this.#compare(name, rows, this.#markOurs(name, served), served);
    const { heldOut } = comparison.deals;
    const excluded: readonly ExcludedRow[] = [
      ...listExcluded(ledger.noticesOf(name), served, comparison),
      ...Array.from(keptRows.keys(), (row) => ({
        outcome: 'duplicate' as const,
        retailer: collector.retailerOf(row),
      })),
    ];
    const judgement = judgeFeed({ ...this.#build, state, served, comparison, excluded });
    const { product } = collector.table.columns;
    const labelsOf = (i: number) => this.#labels[product.at(rows[i] as number)] ?? [];
    this.#sayings.addFeed({ feed: name, comparison, labelsOf, gates: judgement.gates });

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
    for (const [row, keptRow] of keptRows) {
      if (left.has(keptRow)) left.add(row);
      else if (dropped.has(keptRow)) collector.excludeDuplicate(row, keptRow);
    }
    ledger.read(name, -left.size);
    for (const row of left) dropped.add(row);
    this.#carry(name, served, comparison, carried);
    return judgement;
  }

  /** Compares the deals of a feed with those before, and holds out those whose price jumped. */
  #compare(feed: string, rows: Uint32Array, isOurs: Uint8Array, served: KnownSnapshot): FeedComparison {
    const collector = this.#collector;
    const { coder, columns: before } = served.deals;
    const now = createFactColumns(rows.length);
    const heldOut = new Set<number>();
    const context = this.#contextOf(feed);
    const priceAt = (columns: FactColumns, row: number): Price => ({
      total: columns.total.at(row),
      upfront: columns.upfront.at(row),
      monthly: columns.monthly.at(row),
    });
    const rowsBefore = Int32Array.from(rows, (row, i) => {
      coder.addRow(now, collector, this.#records, row);
      const [retailer, key] = [coder.textOf(now.retailer.at(i)), collector.table.key.at(row)];
      const rowBefore = served.deals.find(feed, retailer, key);
      const known = rowBefore === undefined ? undefined : priceAt(before, rowBefore);
      const jump = findJump(priceAt(now, i), known, served.deals.findHeldOut(feed, retailer, key), context);
      if (this.#holdsOut(feed, row, jump)) heldOut.add(i);
      return rowBefore ?? -1;
    });
    const isKnownProduct = (product: number): boolean => {
      const name = coder.textOf(product);
      return this.#known.product.has(name) && served.records.products.has(name);
    };
    const slugOf = (kind: 'retailers' | 'networks', number: number): string => {
      const id = coder.textOf(number);
      const known = this.#records[kind].find(({ record }) => record.id === id)?.record ?? served.records[kind].get(id);
      return known?.slug ?? id;
    };
    const freshnessOf = findFreshness(served, feed, this.#build.now);
    const deals = { before, isOurs, now, rowsBefore, heldOut, isKnownProduct };
    return new FeedComparison(deals, (retailer, network) => {
      const cell = { retailer: slugOf('retailers', retailer), network: slugOf('networks', network) };
      return { ...cell, ...freshnessOf(cell) };
    });
  }

  /** Serves the deals before of a feed that was not read, as far as they are not too old. */
  #hold(state: SourceState, served: ServedSnapshot): SourceState {
    const { ledger } = this.#build;
    const { name } = state;
    const because = state.state === 'absent' ? 'has no file' : 'could not be read';
    if (served.kind === 'unreadable') {
      ledger.note({ code: 'not-carried', source: name });
    }
    if (served.kind !== 'known') return state;
    const isOurs = served.deals.markFeed(name);
    if (!isOurs.includes(1)) return state;
    const comparison = this.#compare(name, new Uint32Array(), isOurs, served);
    const held = holdFeed({ ...this.#build, state, served, comparison, excluded: [] }, because);
    for (const what of new Set(held.map((part) => part.state))) {
      ledger.note({ code: what === 'held' ? 'carried-forward' : 'withdrawn', source: name });
    }
    const [freshAt] = held.flatMap((part) => (part.state === 'held' ? [part.freshAt] : [])).sort(compareCodeUnits);
    if (freshAt === undefined) return { ...state, held: [...held] };
    // A deal that was held out stays held out while its feed is not read: its price was not found again.
    for (const notice of served.deals.heldOutOf(name)) {
      ledger.read(name);
      ledger.exclude(notice);
    }
    this.#carry(name, served, comparison, new Set());
    const files = findServedSource(served, name)?.files ?? [];
    return { ...state, state: 'carried-forward', freshAt, files, held: [...held] };
  }

  /** Serves the deals before of held cells, and some others. */
  #carry(feed: string, { lines }: KnownSnapshot, comparison: FeedComparison, others: ReadonlySet<number>): void {
    const { ledger } = this.#build;
    const isHeld = (cell: Cell | undefined): boolean => cell?.holding?.state === 'held';
    if (others.size === 0 && !comparison.cells.some(isHeld)) return;
    const source = new FeedCollector(feed, this.#collector);
    const isCarried = (row: number): boolean => others.has(row) || isHeld(comparison.cellBefore(row));
    for (const { item, evidence } of readDealsOfFeed(lines, feed, isCarried)) {
      ledger.read(feed);
      source.add(item, evidence);
    }
    source.finish();
  }

  /** Holds a new deal out that would be the cheapest of its product by far. */
  #undercuts(row: number, { cheapest, deals }: KnownSnapshot): boolean {
    const { table } = this.#collector;
    const { product, retailer, totalPence, upfrontPence, monthlyPence } = table.columns;
    const name = recordKey((this.#records.products[product.at(row)] as Sourced<ProductRecord>).record);
    const before = cheapest.get(name);
    if (before === undefined) return false;
    const { source: feed } = this.#collector.fileOf(row);
    const retailerId = this.#records.retailers[retailer.at(row)]?.record.id ?? '';
    const heldOut = deals.findHeldOut(feed, retailerId, table.key.at(row));
    const price = { total: totalPence.at(row), upfront: upfrontPence.at(row), monthly: monthlyPence.at(row) };
    return this.#holdsOut(feed, row, findUndercut(price, { ...before, name }, heldOut, this.#contextOf(feed)));
  }

  /** Holds a deal out for its price, unless that is taken by now, or accepted. */
  #holdsOut(feed: string, row: number, jump: PriceJump | undefined): boolean {
    if (jump === undefined) return false;
    const isTaken = jump.isTaken || this.#build.isAccepted('price-jump', feed);
    if (isTaken) this.#sayings.addTaken(feed);
    else this.#collector.holdOut(row, jump);
    return !isTaken;
  }

  #contextOf(feed: string): JumpContext {
    const { now, config } = this.#build;
    return { now, files: this.#fileDigests.get(feed) ?? '', maxPriceJump: config.gates.maxPriceJump };
  }

  /**
   * Marks the deals of a feed before, without those that the CMS or the list of exclusions takes from it: these are not lost
   * by the feed.
   */
  #markOurs(feed: string, { deals }: KnownSnapshot): Uint8Array {
    const { columns, coder } = deals;
    const isOurs = deals.markFeed(feed, (row) =>
      FACTS_OF_CMS.every((fact) => this.#known[fact].has(coder.textOf(columns[fact].at(row)))),
    );
    for (const notice of this.#build.ledger.noticesOf(feed)) {
      if (notice.code === 'excluded') for (const row of deals.findAll(notice)) isOurs[row] = 0;
    }
    return isOurs;
  }
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
    const isHeldOut = notice.prices !== undefined;
    const same = served.deals.findAll(notice).find((row) => isHeldOut || !comparison.isKept(row));
    const cell = same === undefined ? undefined : comparison.cellBefore(same);
    return same !== undefined && cell === undefined ? [] : [{ outcome, retailer: notice.retailer, cell }];
  });
}
