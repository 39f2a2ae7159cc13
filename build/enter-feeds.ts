import { compareCodeUnits } from '../data/record/id.ts';
import { recordKey, type ProductRecord } from '../data/record/product.ts';
import { NOTICES, type Notice } from '../data/report/notice.ts';
import type { GateResult, HeldPart, UnmatchedName } from '../data/report/report.ts';
import type { FeedConfig } from './registry.ts';
import type { BuildContext } from './gate/build-context.ts';
import type { DealCollector } from './deals/collect-deals.ts';
import type { FeedCollector } from './deals/collect-feed.ts';
import { orderDeals } from './deals/order.ts';
import { readDealsOfFeed } from './gate/carry-deals.ts';
import { compareDeal, differs, isSame, type ComparedDeal, type DealFacts } from './gate/deal-facts.ts';
import { measureFields } from './gate/fields.ts';
import { holdFeed, judgeFeed, type ExcludedRow, type Judgement, type JudgeRules } from './gate/judge-feed.ts';
import { covers } from './gate/parts.ts';
import { findJump, findUndercut, type JumpContext, type PriceJump } from './gate/price-jumps.ts';
import { Sayings, sayWhatFell, sayWhatIsGone } from './gate/said.ts';
import { findServedSource, type KnownSnapshot, type ServedSnapshot } from './gate/served-snapshot.ts';
import type { CatalogueDeals, CatalogueRecords } from './records/catalogue.ts';
import { digestFiles } from './source/open-file.ts';
import type { Sourced, SourceState } from './source/record.ts';

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
  readonly #sayings: Sayings;
  /** Prices of feeds that jumped. */
  readonly #jumps = new Map<string, { heldOut: number; taken: number }>();
  /** Rows of deals that the snapshot being served does not have. */
  readonly #newRows = new Set<number>();
  readonly #fileDigests = new Map<string, string>();
  /** The deals before of feeds that were read, without those of held parts. */
  #judged: readonly DealFacts[] = [];
  /** How many records have an unknown name: by `retailer "FoneHut UK"`. */
  readonly #unknownNames = new Map<string, number>();
  /** The keys of the records of the catalogue. */
  readonly #known: Readonly<Record<'product' | 'retailer' | 'network', ReadonlySet<string>>>;

  constructor(build: BuildContext, records: CatalogueRecords, collector: DealCollector) {
    this.#build = build;
    this.#records = records;
    this.#collector = collector;
    this.#sayings = new Sayings(build.config.gates);
    const { products, retailers, networks } = records;
    const keysOf = (list: readonly Sourced<Parameters<typeof recordKey>[0]>[]): ReadonlySet<string> =>
      new Set(list.map(({ record }) => recordKey(record)));
    this.#known = { product: keysOf(products), retailer: keysOf(retailers), network: keysOf(networks) };
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
    const { served } = this.#build;
    const jumps = [...this.#jumps].flatMap(([feed, { heldOut, taken }]) => [
      heldOut > 0
        ? `Held out: ${heldOut} deals of ${feed} whose price jumped, until another file says it again after 20 hours`
        : '',
      taken > 0 ? `Taken: ${taken} deals of ${feed} whose price had jumped` : '',
    ]);
    return [
      ...jumps.filter((sentence) => sentence !== ''),
      ...this.#sayings.list(),
      ...(served.kind === 'known'
        ? [
            ...sayWhatFell(served.cheapest, { records: this.#records, deals }),
            ...sayWhatIsGone(this.#judged, { records: this.#records, deals }, this.#unknownNames),
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
    const before = this.#listOurs(name, notices, served);
    const { rows, duplicates } = orderDeals(table, dictionaries.files.entries, readRows);
    const heldOut = new Set<ComparedDeal>();
    const deals = Array.from(rows, (row): ComparedDeal => {
      const now = served.deals.describer.describeRow(collector, this.#records, row);
      const key = table.key.at(row);
      const deal = compareDeal(row, now, served.deals.find(name, now.retailer, key));
      const memory = served.deals.findHeldOut(name, now.retailer, key);
      const jump = findJump(now, deal.before, memory, this.#contextOf(name));
      if (this.#holdsOut(name, row, jump)) heldOut.add(deal);
      return deal;
    });
    const excluded = [
      ...listExcluded(notices, served, before, deals),
      ...duplicates.map(({ row }) => ({ outcome: 'duplicate' as const, retailer: collector.retailerOf(row) })),
      ...Array.from(heldOut, (deal) => ({
        outcome: 'quarantined' as const,
        before: deal.before,
        isAmongDeals: true as const,
      })),
    ];
    const judgement = judgeFeed(
      {
        name,
        before,
        deals,
        excluded,
        isKnownProduct: (product) => this.#known.product.has(product) && served.records.products.has(product),
        summary: served.report.summary.feeds.find((feed) => feed.name === name),
        fields: measureFields(state, served, config.gates.minRows),
      },
      this.#rulesOf(name, served),
    );

    // What the gate of losses says is not said again.
    if (!judgement.gates.some(({ gate }) => gate === `lost:${name}`)) {
      this.#judged = this.#judged.concat(before.filter((deal) => judgement.holdingOf(deal) === undefined));
    }
    for (const { code, found } of notices) {
      if (code !== 'unknown-retailer' && code !== 'unknown-network') continue;
      const unknown = `${code.replace('unknown-', '')} ${JSON.stringify(found)}`;
      this.#unknownNames.set(unknown, (this.#unknownNames.get(unknown) ?? 0) + 1);
    }

    // A key of a held part is served once, from before, or not at all.
    const carried = new Set(before.filter((deal) => judgement.holdingOf(deal)?.state === 'held'));
    const left = new Set<number>();
    for (const deal of deals.filter((each) => !heldOut.has(each))) {
      const [holding, holdingBefore] = [deal.cell?.holding, judgement.holdingOf(deal.before)];
      if (holding !== undefined || holdingBefore !== undefined) {
        left.add(deal.row);
        if (holding?.state === 'held' && holdingBefore === undefined && deal.before) carried.add(deal.before);
        continue;
      }
      if (!isSame(deal) || differs(deal, ['product'])) this.#newRows.add(deal.row);
      if (isSame(deal)) this.#sayings.add(this.#groupsOf(name, deal.row), deal);
    }
    for (const { row, keptRow } of duplicates) {
      if (left.has(keptRow)) left.add(row);
      else if (dropped.has(keptRow)) collector.excludeDuplicate(row, keptRow);
    }
    ledger.read(name, -left.size);
    for (const row of left) dropped.add(row);
    this.#carry(name, served, carried);
    return judgement;
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
    const before = served.deals.ofFeed(name);
    const rules = this.#rulesOf(name, served);
    if (before.length === 0) return rules.unproven.length === 0 ? state : { ...state, held: [...rules.unproven] };
    const { holdingOf, held: parts } = holdFeed(before, because, rules);
    for (const part of parts) ledger.note(this.#describeHeld(name, part));
    const held = [...parts, ...rules.unproven];
    const [freshAt] = parts.flatMap((part) => (part.state === 'held' ? [part.freshAt] : [])).sort(compareCodeUnits);
    if (freshAt === undefined) return { ...state, heldBecause: because, held };
    // A deal that was held out stays held out while its feed is not read: its price was not found again.
    for (const notice of served.deals.heldOutOf(name)) {
      ledger.read(name);
      ledger.exclude(notice);
    }
    this.#carry(name, served, new Set(before.filter((deal) => holdingOf(deal)?.state === 'held')));
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

  #carry(feed: string, { lines, deals }: KnownSnapshot, carried: ReadonlySet<DealFacts | undefined>): void {
    const { ledger } = this.#build;
    const source = this.#collector.openFeed(feed);
    for (const { item, evidence } of readDealsOfFeed(lines, feed, (row) => carried.has(deals.all[row]))) {
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
   * The deals of a feed before, without those that the CMS or the list of exclusions takes from it: these are not lost by
   * the feed.
   */
  #listOurs(feed: string, notices: readonly Notice[], { deals }: KnownSnapshot): readonly DealFacts[] {
    const excluded = new Set(
      notices.filter(({ code }) => code === 'excluded').flatMap((notice) => deals.findAll(notice)),
    );
    const isKnown = (deal: DealFacts): boolean =>
      (['product', 'retailer', 'network'] as const).every((fact) => this.#known[fact].has(deal[fact]));
    return deals.ofFeed(feed).filter((deal) => isKnown(deal) && !excluded.has(deal));
  }

  #rulesOf(feed: string, served: KnownSnapshot): JudgeRules {
    const { config, now, isAccepted } = this.#build;
    const records = this.#records;
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
    return {
      settings: config.gates,
      now,
      maxCarriedMs: config.freshness.maxCarriedMs,
      isAccepted: (gate) => isAccepted(gate, feed),
      slugOf: (kind, id) =>
        (records[kind].find(({ record }) => record.id === id)?.record ?? served.records[kind].get(id))?.slug ?? id,
      freshnessOf: (cell) => {
        // Of a retailer and a network that both cover it, the one that was held first.
        const covering = (source?.held ?? [])
          .filter((part) => covers(part, cell))
          .toSorted((a, b) => compareCodeUnits(a.freshAt, b.freshAt));
        const isExact = ({ retailer, network }: HeldPart): boolean => retailer !== undefined && network !== undefined;
        const part = covering.find(isExact) ?? covering[0];
        return part === undefined
          ? { freshMs, snapshot: served.id, failed: [] }
          : { freshMs: toMs([part.freshAt]), snapshot: part.snapshot, failed: part.gates };
      },
      unproven: served.unproven.get(feed) ?? [],
    };
  }

  /** What is said of a deal is said of all deals of its feed, retailer, network, maker and condition. */
  #groupsOf(feed: string, row: number): readonly string[] {
    const [records, collector] = [this.#records, this.#collector];
    const { table, dictionaries } = collector;
    const { record: product } = records.products[table.columns.product.at(row)] as Sourced<ProductRecord>;
    const { network = 0 } = dictionaries.plans.entries[table.columns.plan.at(row)] ?? {};
    return [
      feed,
      `retailer ${collector.retailerOf(row)}`,
      `network ${records.networks[network]?.record.slug}`,
      ...(product.manufacturer === undefined ? [] : [`maker ${product.manufacturer}`]),
      `${product.condition} phones`,
    ];
  }
}

/** The records that are not served, and where they belong: by their retailer, else by a deal before that has their key. */
function listExcluded(
  notices: readonly Notice[],
  served: KnownSnapshot,
  before: readonly DealFacts[],
  deals: readonly ComparedDeal[],
): readonly ExcludedRow[] {
  const ours = new Set(before);
  const kept = new Set(deals.map((deal) => deal.before));
  return notices.flatMap((notice): ExcludedRow[] => {
    const { outcome } = NOTICES[notice.code];
    if (outcome !== 'quarantined' && outcome !== 'duplicate') return [];
    const same = served.deals.findAll(notice).find((deal) => !kept.has(deal));
    return same !== undefined && !ours.has(same) ? [] : [{ outcome, retailer: notice.retailer, before: same }];
  });
}
