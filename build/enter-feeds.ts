import { createHash } from 'node:crypto';
import { compareCodeUnits } from '../data/record/id.ts';
import type { Condition } from '../data/record/product.ts';
import { NOTICES, type Notice } from '../data/report/notice.ts';
import type { GateResult, HeldPart } from '../data/report/report.ts';
import type { FeedConfig } from './registry.ts';
import type { BuildConfig } from './config/config.ts';
import type { DealCollector } from './deals/collect-deals.ts';
import type { FeedCollector } from './deals/collect-feed.ts';
import { fileOf, slugOf } from './deals/collect-feed.ts';
import { orderDeals } from './deals/order.ts';
import { isAccepted, type Acceptance } from './gate/acceptance.ts';
import { readDealsOfFeed } from './gate/carry-deals.ts';
import { compareFeed, type ComparedFeed } from './gate/compared-feed.ts';
import { measureFields } from './gate/fields.ts';
import { holdFeed, judgeFeed, type ExcludedRow, type JudgeRules } from './gate/judge-feed.ts';
import { offersSame } from './gate/part-measures.ts';
import { covers, isExact } from './gate/parts.ts';
import { findJump, findUndercut, type JumpContext } from './gate/price-jumps.ts';
import { Sayings } from './gate/said.ts';
import type { KnownSnapshot, ServedSnapshot } from './gate/served-snapshot.ts';
import { findTakenLinks } from './gate/taken-links.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { UnmatchedName } from './match/unmatched-names.ts';
import type { CatalogueDeals, CatalogueRecords } from './records/catalogue.ts';
import { recordKey } from '../data/record/product.ts';
import type { SourceState } from './source/source-state.ts';

export interface EnterOptions {
  readonly config: BuildConfig;
  readonly acceptances: readonly Acceptance[];
  readonly now: Date;
  readonly served: ServedSnapshot;
  readonly records: CatalogueRecords;
  readonly collector: DealCollector;
  readonly ledger: Ledger;
}

/** A feed whose deals, or those before in their place, are among those of the catalogue. */
export interface EnteredFeed {
  readonly state: SourceState;
  readonly gates: readonly GateResult[];
  readonly unmatchedNames: readonly UnmatchedName[];
}

/** More different gifts and cashbacks than any catalogue has. */
const MAX_EXTRAS = 2 ** 20;

/** Prices of a feed that jumped. */
interface JumpCounts {
  heldOut: number;
  taken: number;
}

/**
 * Takes the feeds that were read into the catalogue: each is judged alone, part by part, before its deals meet those of
 * other feeds.
 */
export class FeedEntrance {
  readonly #options: EnterOptions;
  readonly #sayings: Sayings;
  readonly #jumps = new Map<string, JumpCounts>();
  /** Rows of deals that the snapshot being served does not have. */
  readonly #newRows = new Set<number>();
  readonly #fileDigests = new Map<string, string>();

  constructor(options: EnterOptions) {
    this.#options = options;
    this.#sayings = new Sayings(options.config.gates);
  }

  /** Takes a feed that was read into `collector`. */
  enter(feed: FeedConfig, state: SourceState, feedCollector: FeedCollector): EnteredFeed {
    const { served } = this.#options;
    const unmatchedNames = feedCollector.unmatchedNames();
    this.#fileDigests.set(feed.name, digestFiles(state));
    if (state.state !== 'fresh') return { state: this.#hold(state, served), gates: [], unmatchedNames };
    if (served.kind !== 'known') return { state, gates: [], unmatchedNames };
    return { ...this.#judge(state, feedCollector, served), unmatchedNames };
  }

  /** The deals of the catalogue, when every feed is in. */
  finish(): CatalogueDeals {
    const { served, collector, records } = this.#options;
    if (served.kind !== 'known') return collector.finish(() => false);
    const { table, dictionaries } = collector.target;
    const hasKept = new Uint8Array(records.products.length);
    // In order of cost: the next deal is checked as the cheapest, until one is kept.
    return collector.finish((row) => {
      const product = table.columns.product.at(row);
      if (hasKept[product] === 1 || !this.#newRows.has(row)) {
        hasKept[product] = 1;
        return false;
      }
      const record = records.products[product]?.record;
      const name = record === undefined ? '' : recordKey(record);
      const before = served.cheapest.get(name);
      const { source: feed } = fileOf(
        { deals: table, entries: dictionaries.entries, retailers: records.retailers },
        row,
      );
      const price = this.#priceAt(row);
      const jump =
        before === undefined
          ? undefined
          : findUndercut(
              price,
              { ...before, name },
              served.deals.findHeldOut(this.#hashOf(feed, row, served)),
              this.#contextOf(feed),
            );
      if (jump === undefined || this.#takes(feed, jump.isTaken)) {
        hasKept[product] = 1;
        return false;
      }
      this.#jumpsOf(feed).heldOut++;
      collector.holdOut(row, jump);
      return true;
    });
  }

  /** What the build says, though nothing fails; `deals` are those of the catalogue. */
  say(deals: CatalogueDeals): readonly string[] {
    const { served, records } = this.#options;
    const cheapest = new Map<string, number>();
    records.products.forEach(({ record }, row) => {
      const first = deals.rangeStart[row] as number;
      if (first < (deals.rangeStart[row + 1] as number))
        cheapest.set(recordKey(record), deals.totalPence[first] as number);
    });
    const jumps = [...this.#jumps].flatMap(([feed, { heldOut, taken }]) => [
      ...(heldOut === 0
        ? []
        : [
            `Held out: ${heldOut} deals of ${feed} whose price jumped, until another file says it again after 20 hours`,
          ]),
      ...(taken === 0 ? [] : [`Taken: ${taken} deals of ${feed} whose price had jumped`]),
    ]);
    return [...jumps, ...(served.kind === 'known' ? this.#sayings.list(served.cheapest, cheapest) : [])];
  }

  #judge(state: SourceState, feedCollector: FeedCollector, served: KnownSnapshot): Omit<EnteredFeed, 'unmatchedNames'> {
    const { config, collector, records, ledger } = this.#options;
    const { name } = state;
    const { table, dictionaries, retailers } = collector.target;
    const { rows, duplicates } = orderDeals(table, dictionaries.entries.files, feedCollector.rows());
    const compared = compareFeed(name, rows, collector.target, records, served.deals);
    const { facts, servedRows } = compared;
    const rules = this.#rulesOf(name, served);
    const isKept = new Set(servedRows);
    const notices = ledger.noticesOf(name);
    const ours = this.#listOurs(name, notices, served);
    const isOurs = new Set(ours);
    const excluded = notices
      .flatMap((notice) => this.#toExcluded(notice, served, isKept, isOurs))
      .concat(
        duplicates.map(({ row }) => ({
          outcome: 'duplicate',
          retailer: slugOf(retailers, table.columns.retailer.at(row)),
        })),
      );
    const heldOut = this.#holdOutJumps(name, rows, compared, served);
    for (const i of heldOut) excluded.push({ outcome: 'quarantined', servedRow: servedRows[i], isAmongDeals: true });
    const knownNow = new Set(records.products.map(({ record }) => recordKey(record)));
    const { products } = served.deals.numbers;
    const judgement = judgeFeed(
      {
        name,
        served: served.deals.facts,
        servedRowsOfFeed: ours,
        facts,
        servedRows,
        hasTakenLink: findTakenLinks(served.deals.facts, ours, facts, servedRows),
        isKnownProduct: (product) => {
          const key = products.entries[product] as string;
          return knownNow.has(key) && served.titles.products.has(key);
        },
        excluded,
        summary: served.report.summary.feeds.find((feed) => feed.name === name),
        fields: measureFields(state, served, config.gates.minRows),
      },
      rules,
    );
    const dropped = new Set<number>();
    const jumped = new Set<number>();
    rows.forEach((row, i) => {
      const servedRow = servedRows[i] as number;
      // A key of a held part is served once, from before, or not at all.
      const isHeld = [judgement.cellOfNow[i], judgement.cellOfServed.get(servedRow)].some(
        (cell) => cell?.holding !== undefined,
      );
      if (heldOut.has(i)) jumped.add(row);
      else if (isHeld) dropped.add(row);
      else {
        const isSamePhone =
          servedRow !== -1 && served.deals.facts.columns.product.at(servedRow) === facts.columns.product.at(i);
        if (!isSamePhone) this.#newRows.add(row);
        if (servedRow !== -1) this.#say(name, row, i, servedRow, compared, served);
      }
    });
    for (const { row, keptRow } of duplicates) {
      if (dropped.has(keptRow)) dropped.add(row);
      if (jumped.has(keptRow)) collector.dropDuplicate(row, keptRow);
    }
    ledger.read(name, -dropped.size);
    for (const row of dropped) collector.target.dropped.add(row);
    const wanted = judgement.cells.filter(({ holding }) => holding?.state === 'held');
    this.#carry(name, served, (retailer, network) =>
      wanted.some((cell) => cell.retailer === retailer && cell.network === network),
    );
    const { held } = judgement;
    return { state: held.length === 0 ? state : { ...state, held: [...held] }, gates: judgement.gates };
  }

  /** Serves the deals before of a feed that was not read, as far as they are not too old. */
  #hold(state: SourceState, served: ServedSnapshot): SourceState {
    const { ledger } = this.#options;
    const { name } = state;
    const because = state.state === 'absent' ? 'has no file' : 'could not be read';
    const rowsOfFeed = served.kind === 'known' ? served.deals.rowsOf(name) : [];
    if (served.kind === 'unreadable') {
      const found = `${name}: ${because}, and the snapshot being served cannot be read, so that none of its deals can be served instead; run deals verify`;
      ledger.note({ code: 'not-carried', source: name, found });
    }
    if (served.kind !== 'known' || rowsOfFeed.length === 0) {
      const unproven = served.kind === 'known' ? (served.unproven.get(name) ?? []) : [];
      return unproven.length === 0 ? state : { ...state, held: [...unproven] };
    }
    const rules = this.#rulesOf(name, served);
    const { cells, held } = holdFeed({ served: served.deals.facts, servedRowsOfFeed: rowsOfFeed }, because, rules);
    const wanted = cells.filter(({ holding }) => holding?.state === 'held');
    for (const part of held) ledger.note(this.#describeHeld(name, part));
    if (wanted.length === 0) return { ...state, heldBecause: because, held: [...held, ...rules.unproven] };
    this.#keepHeldOut(name, served);
    this.#carry(name, served, (retailer, network) =>
      wanted.some((cell) => cell.retailer === retailer && cell.network === network),
    );
    const before = served.manifest.sources.find((source) => source.name === name);
    const freshMs = Math.min(...wanted.map((cell) => cell.freshMs));
    return {
      ...state,
      state: 'carried-forward',
      heldBecause: because,
      freshAt: new Date(freshMs).toISOString(),
      files: before?.files ?? [],
      held: [...held, ...rules.unproven],
    };
  }

  /** It has times and no ages, so that it stays the same from build to build. */
  #describeHeld(source: string, { state, because, deals, freshAt }: HeldPart): Notice {
    const until = new Date(Date.parse(freshAt) + this.#options.config.freshness.maxCarriedMs).toISOString();
    const found =
      state === 'held'
        ? `${source}: ${because}; its ${deals} deals of ${freshAt} can be served until ${until}; fetch the feed again`
        : `${source}: ${because}; its deals of ${freshAt} expired at ${until}; fetch the feed again`;
    return { code: state === 'held' ? 'carried-forward' : 'withdrawn', source, found };
  }

  #carry(feed: string, { lines }: KnownSnapshot, isWanted: (retailer: string, network: string) => boolean): void {
    const { collector, ledger } = this.#options;
    const source = collector.openFeed(feed);
    for (const { item, evidence } of readDealsOfFeed(lines, feed, isWanted)) {
      ledger.read(feed);
      source.add(item, evidence);
    }
    source.finish();
  }

  /** A deal that was held out stays held out while its feed is not read: its price was not found again. */
  #keepHeldOut(feed: string, { deals }: KnownSnapshot): void {
    for (const notice of deals.heldOutOf(feed)) {
      this.#options.ledger.read(feed);
      this.#options.ledger.exclude(notice);
    }
  }

  #holdOutJumps(feed: string, rows: Uint32Array, compared: ComparedFeed, served: KnownSnapshot): ReadonlySet<number> {
    const { facts, hashes, servedRows } = compared;
    const context = this.#contextOf(feed);
    const heldOut = new Set<number>();
    rows.forEach((row, i) => {
      const servedRow = servedRows[i] as number;
      const memory = served.deals.findHeldOut(hashes[i] as number);
      // Nearly all deals are as they are served.
      if (servedRow === -1 && memory === undefined) return;
      const before = servedRow === -1 ? undefined : served.deals.facts.priceAt(servedRow);
      const jump = findJump(facts.priceAt(i), before, memory, context);
      if (jump === undefined || this.#takes(feed, jump.isTaken)) return;
      this.#jumpsOf(feed).heldOut++;
      this.#options.collector.holdOut(row, jump);
      heldOut.add(i);
    });
    return heldOut;
  }

  /** Whether a price that jumped is served. */
  #takes(feed: string, isTaken: boolean): boolean {
    if (!isTaken && !isAccepted('price-jump', feed, this.#options.acceptances)) return false;
    this.#jumpsOf(feed).taken++;
    return true;
  }

  #jumpsOf(feed: string): JumpCounts {
    const counts = this.#jumps.get(feed) ?? { heldOut: 0, taken: 0 };
    this.#jumps.set(feed, counts);
    return counts;
  }

  #contextOf(feed: string): JumpContext {
    const { now, config } = this.#options;
    return { now, files: this.#fileDigests.get(feed) ?? '', maxPriceJump: config.gates.maxPriceJump };
  }

  #priceAt(row: number) {
    const { totalPence, upfrontPence, monthlyPence } = this.#options.collector.target.table.columns;
    return { total: totalPence.at(row), upfront: upfrontPence.at(row), monthly: monthlyPence.at(row) };
  }

  #hashOf(feed: string, row: number, { deals }: KnownSnapshot): number {
    const { table, retailers } = this.#options.collector.target;
    const retailerId = retailers[table.columns.retailer.at(row)]?.record.id ?? '';
    return table.key.hash(row, deals.seedOf(feed, retailerId));
  }

  /**
   * The deals of a feed before, without those that the CMS or the list of exclusions takes from it: these are not lost by
   * the feed.
   */
  #listOurs(feed: string, notices: readonly Notice[], served: KnownSnapshot): readonly number[] {
    const { records } = this.#options;
    const { deals } = served;
    const { facts } = deals;
    const products = new Set(records.products.map(({ record }) => recordKey(record)));
    const retailers = new Set(records.retailers.map(({ record }) => record.id));
    const networks = new Set(records.networks.map(({ record }) => record.id));
    const excluded = new Set(
      notices.flatMap((notice) => (notice.code === 'excluded' ? findServedRows(notice, served) : [])),
    );
    return deals
      .rowsOf(feed)
      .filter(
        (row) =>
          products.has(facts.productAt(row)) &&
          retailers.has(facts.retailerAt(row)) &&
          networks.has(facts.planAt(row).network) &&
          !excluded.has(row),
      );
  }

  /** Where a record that is not served belongs: by its retailer, else by a deal before that has its key. */
  #toExcluded(
    notice: Notice,
    served: KnownSnapshot,
    isKept: ReadonlySet<number>,
    isOurs: ReadonlySet<number>,
  ): ExcludedRow[] {
    const { outcome } = NOTICES[notice.code];
    if (outcome !== 'quarantined' && outcome !== 'duplicate') return [];
    const servedRow = findServedRows(notice, served).find((row) => !isKept.has(row));
    if (servedRow !== undefined && !isOurs.has(servedRow)) return [];
    return [{ outcome, retailer: notice.retailer, servedRow }];
  }

  #rulesOf(feed: string, served: KnownSnapshot): JudgeRules {
    const { config, now, acceptances, records } = this.#options;
    const source = served.manifest.sources.find(({ name, kind }) => name === feed && kind === 'feed');
    const recorded = source?.held ?? [];
    // A time in the future comes from a build under a wrong clock: the hours start with the first build that finds it.
    const toMs = (times: readonly string[]): number => {
      const passed = times.map((time) => Date.parse(time)).filter((time) => time <= now.getTime());
      return passed.length === 0 ? now.getTime() : Math.max(...passed);
    };
    const freshMs = toMs([
      source?.freshAt ?? served.manifest.createdAt,
      ...(source?.state === 'fresh' ? [served.confirmedAt] : []),
    ]);
    const slugsOf = (
      titles: ReadonlyMap<string, { readonly slug: string }>,
      list: readonly { readonly record: { readonly id: string; readonly slug: string } }[],
    ): ReadonlyMap<string, string> =>
      new Map([
        ...[...titles].map(([id, { slug }]) => [id, slug] as const),
        ...list.map(({ record }) => [record.id, record.slug] as const),
      ]);
    return {
      settings: config.gates,
      now,
      maxCarriedMs: config.freshness.maxCarriedMs,
      isAccepted: (gate) => isAccepted(gate, feed, acceptances),
      slugs: {
        retailers: slugsOf(served.titles.retailers, records.retailers),
        networks: slugsOf(served.titles.networks, records.networks),
      },
      freshnessOf: (cell) => {
        // Of a retailer and a network that both cover it, the one that was held first.
        const covering = recorded
          .filter((each) => covers(each, cell))
          .toSorted((a, b) => compareCodeUnits(a.freshAt, b.freshAt));
        const part = covering.find(isExact) ?? covering[0];
        return part === undefined
          ? { freshMs, snapshot: served.id, failed: [] }
          : { freshMs: toMs([part.freshAt]), snapshot: part.snapshot, failed: part.gates };
      },
      unproven: served.unproven.get(feed) ?? [],
    };
  }

  #say(feed: string, row: number, i: number, servedRow: number, { facts }: ComparedFeed, served: KnownSnapshot): void {
    const { records, collector } = this.#options;
    const { columns } = collector.target.table;
    const before = served.deals.facts;
    const product = records.products[columns.product.at(row)]?.record;
    const network = collector.target.dictionaries.entries.plans[columns.plan.at(row)]?.network ?? 0;
    const extraOf = (deals: typeof facts, at: number): number =>
      deals.columns.gift.at(at) * MAX_EXTRAS + deals.columns.cashback.at(at);
    this.#sayings.add({
      groups: [
        feed,
        `retailer ${records.retailers[columns.retailer.at(row)]?.record.slug}`,
        `network ${records.networks[network]?.record.slug}`,
        ...(product?.manufacturer === undefined ? [] : [`maker ${product.manufacturer}`]),
        `${product?.condition satisfies Condition | undefined} phones`,
      ],
      totalBefore: before.columns.total.at(servedRow),
      total: facts.columns.total.at(i),
      isOtherOffer:
        before.columns.product.at(servedRow) !== facts.columns.product.at(i) ||
        !offersSame(before, servedRow, facts, i),
      extraBefore: extraOf(before, servedRow),
      extra: extraOf(facts, i),
    });
  }
}

/** The deals before that have the key of a record: of its retailer, or of any where it is not known. */
function findServedRows(
  { source, retailer, record }: Notice,
  { deals, retailerIds }: Pick<KnownSnapshot, 'deals' | 'retailerIds'>,
): readonly number[] {
  if (record === undefined) return [];
  const id = retailer === undefined ? undefined : retailerIds.get(retailer);
  const seeds = id === undefined ? deals.seedsOf(source) : [deals.seedOf(source, id)];
  return seeds.map((seed) => deals.findKey(record, seed)).filter((row) => row !== undefined);
}

/** The same for the same files, whatever their names. */
function digestFiles({ files }: SourceState): string {
  const hashes = files.map(({ sha256 }) => sha256).sort();
  return createHash('sha256').update(hashes.join(' ')).digest('hex').slice(0, 16);
}
