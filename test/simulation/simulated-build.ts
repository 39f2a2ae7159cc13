import { gateSettingsSchema } from '../../build/config/gate-settings.ts';
import { decideFallback } from '../../build/fallback.ts';
import { runGates } from '../../build/gate/run-gates.ts';
import type { KnownSnapshot, ServedSnapshot } from '../../build/gate/served-snapshot.ts';
import { summariseCatalogue } from '../../build/gate/summary.ts';
import { createDealCollector } from '../../build/join/collect-deals.ts';
import { ServedDeals } from '../../build/join/served-deals.ts';
import { Ledger } from '../../build/ledger/ledger.ts';
import type { Catalogue } from '../../build/records/catalogue.ts';
import { ExcludeRules } from '../../build/records/exclude.ts';
import { joinRecords } from '../../build/records/join-records.ts';
import { reportSources } from '../../build/report/report.ts';
import { toManifestSources } from '../../build/report/sources.ts';
import type { CmsRecords } from '../../build/source/record.ts';
import type { SourceState } from '../../build/source/source-state.ts';
import type { DealRecord } from '../../data/record/deal.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { GateResult, SourceReport } from '../../data/report/report.ts';
import { createLocationFormatter } from '../../data/report/source-location.ts';
import { manifestSchema, SNAPSHOT_FILES } from '../../data/snapshot/format.ts';
import { MONEY } from '../unit/build/join/sample-records.ts';
import type { Market, MarketDeal, MarketSource } from './simulated-market.ts';

const HOUR_MS = 3_600_000;
const FIRST_NIGHT_MS = Date.parse('2026-01-01T02:30:00Z');
const SETTINGS = gateSettingsSchema.parse({});

/** What a feed has on a night: rows, or nothing that can be read. */
export type Reading = { readonly kind: 'rows'; readonly rows: readonly DealRecord[] } | { readonly kind: 'unreadable' };

export interface SimulatedNight {
  readonly gates: readonly GateResult[];
  readonly sources: readonly SourceReport[];
  /** What would be served if this night were published. */
  readonly snapshot: KnownSnapshot;
  /** The rows that each feed was last read with, to carry forward. */
  readonly rows: ReadonlyMap<string, readonly DealRecord[]>;
  readonly withdrawn: readonly string[];
  /** The deals of `snapshot`. */
  readonly deals: ServedDeals;
  readonly heldOutCount: number;
}

/**
 * A build without its files: the rows of every feed through the collector, the ledger and the gates of a real one, with
 * the settings that a configuration has by default.
 */
export function buildNight(
  market: Market,
  readings: ReadonlyMap<string, Reading>,
  before: SimulatedNight | undefined,
  required: ReadonlySet<string> = new Set(),
): SimulatedNight {
  const now = new Date(FIRST_NIGHT_MS + market.night * 24 * HOUR_MS);
  const served: ServedSnapshot = before?.snapshot ?? { kind: 'none', reason: 'nothing was published before' };
  const ledger = new Ledger();
  const cms = listRecords(market);
  ledger.read('site', market.products.length + market.networks.length + market.retailers.length);
  const exclusions = new ExcludeRules([], now);
  const joined = joinRecords(cms, exclusions, ledger, createLocationFormatter([]));
  const collector = createDealCollector({
    joined,
    exclusions,
    money: MONEY,
    ledger,
    prices:
      before === undefined ? undefined : { served: before.deals, rules: { ...SETTINGS, isAccepted: () => false } },
  });
  const states: SourceState[] = [
    { name: 'site', kind: 'cms', adapter: 'catalogue', state: 'fresh', files: [], required: false },
  ];
  const rows = new Map<string, readonly DealRecord[]>();
  const withdrawn: string[] = [];
  for (const { name } of market.sources) {
    const reading = readings.get(name) ?? { kind: 'unreadable' };
    const carrying = decideFallback(served, name, now, 48 * HOUR_MS);
    const isCarried = reading.kind === 'unreadable' && carrying.kind === 'carry';
    if (reading.kind === 'unreadable' && carrying.kind === 'withdraw') withdrawn.push(name);
    const deals = reading.kind === 'rows' ? reading.rows : isCarried ? (before?.rows.get(name) ?? []) : [];
    rows.set(name, deals);
    const source = collector.openFeed(name, isCarried);
    ledger.read(name, deals.length);
    deals.forEach((deal, i) => {
      source.add({ kind: 'deal', deal, origin: { source: name, file: `${name}.csv`, line: i + 2 }, notices: [] });
    });
    collector.enter(source.finish(), source.usedRules());
    states.push({
      name,
      kind: 'feed',
      adapter: 'deals',
      required: required.has(name),
      state: reading.kind === 'rows' ? 'fresh' : isCarried ? 'carried-forward' : 'failed',
      ...(isCarried ? { freshAt: carrying.freshAt.toISOString() } : {}),
      files: [],
    });
  }
  const catalogue = { records: joined.records, deals: collector.finish() };
  ledger.check();
  const sources = reportSources(states, ledger);
  const summary = summariseCatalogue(catalogue, 'GBP');
  const gates = runGates(
    {
      served,
      summary,
      comparison: collector.comparison(),
      now,
      sources,
      requiredSources: required,
      expiredSources: new Set(withdrawn),
      settings: SETTINGS,
    },
    [],
  );
  const snapshot = createSnapshot(now, { sources: [...toManifestSources(sources, served, now)] }, summary);
  const heldOutCount = ledger.notices.filter(({ code }) => code === 'price-jump').length;
  return { gates, sources, snapshot, rows, withdrawn, deals: serve(catalogue, ledger.notices), heldOutCount };
}

/** What the next night reads of the snapshot of this one. */
function serve({ records, deals }: Catalogue, notices: readonly Notice[]): ServedDeals {
  const served = new ServedDeals(
    {
      products: records.products.map(({ record }) => `${record.id}/${record.condition}`),
      plans: deals.plans,
      networks: records.networks.map(({ record }) => record),
      retailers: records.retailers.map(({ record }) => record),
      gifts: deals.gifts.map((gift) => ({ name: gift.kind === 'text' ? gift.name : String(gift.giftRow) })),
      cashbacks: deals.cashbacks,
      linkTemplates: deals.linkTemplates,
    },
    new Map([['site', records.products.map(({ record }) => `${record.id}/${record.condition}`)]]),
  );
  for (const product of records.products.keys()) {
    for (let row = deals.rangeStart[product] ?? 0; row < (deals.rangeStart[product + 1] ?? 0); row++) {
      served.append(deals.originAt(row).source, deals.retailer[row] ?? 0, deals.keyAt(row), {
        product,
        plan: deals.plan[row] ?? 0,
        gift: deals.gift[row] ?? 0,
        cashback: deals.cashback[row] ?? 0,
        linkTemplate: deals.linkTemplate[row] ?? 0,
        linkPart: deals.linkPartAt(row),
        total: deals.totalPence[row] ?? 0,
        upfront: deals.upfrontPence[row] ?? 0,
        monthly: deals.monthlyPence[row] ?? 0,
      });
    }
  }
  served.addExcluded(notices.filter(({ code }) => code === 'price-jump' || code === 'duplicate-deal'));
  return served;
}

/** What each feed of the market lists tonight. */
export function readMarket(market: Market): ReadonlyMap<string, Reading> {
  return new Map(
    market.sources.map((source) => [
      source.name,
      source.outageUntil >= market.night ? { kind: 'unreadable' } : { kind: 'rows', rows: listRows(source) },
    ]),
  );
}

export function listRows(source: MarketSource): DealRecord[] {
  const coloured = Math.round(source.deals.length * source.colourShare);
  return [
    ...source.deals.map((deal) => createRow(deal, deal.key)),
    ...source.deals.slice(0, coloured).map((deal) => createRow(deal, `${deal.key}-blue`)),
  ];
}

function createRow(deal: MarketDeal, key: string): DealRecord {
  return {
    key,
    product: { id: String(100 + deal.product), condition: 'new', feedIds: [] },
    retailer: { key: `shop-${deal.retailer}`, names: [], feedIds: [] },
    network: { key: deal.isFaulty ? 'nobody' : `net-${deal.network}`, names: [], feedIds: [] },
    dealType: 'contract',
    contractName: `Plan ${deal.dataMegabytes}`,
    contractMonths: deal.contractMonths,
    dataMegabytes: deal.dataMegabytes,
    callMinutes: 'unlimited',
    textMessages: 'unlimited',
    upfrontPence: deal.upfrontPence,
    monthlyPence: deal.monthlyPence,
    ...(deal.gift === undefined ? {} : { gift: deal.gift }),
    ...(deal.cashbackPence === undefined ? {} : { cashbackType: 'Automatic', cashbackPence: deal.cashbackPence }),
    link: `https://shop-${deal.retailer}.example${deal.page}${key === deal.key ? '' : '&blue'}`,
    productImage: `https://pictures.example/${deal.product}.jpg`,
  };
}

function listRecords({ products, networks, retailers }: Market): CmsRecords {
  const sourced = <Record>(records: readonly Record[]) =>
    records.map((record, i) => ({ record, origin: { source: 'site', file: 'site.json', line: i + 1 } }));
  return {
    products: sourced(products),
    networks: sourced(networks),
    retailers: sourced(retailers),
    gifts: [],
    giftCategories: [],
    manufacturers: [],
  };
}

function createSnapshot(
  now: Date,
  { sources }: Pick<KnownSnapshot['manifest'], 'sources'>,
  summary: KnownSnapshot['report']['summary'],
): KnownSnapshot {
  const id = `${now.toISOString().slice(0, 16).replaceAll(/[-:]/g, '')}Z-00000000`;
  const sha256 = '0'.repeat(64);
  const counts = { products: 0, deals: 0, gifts: 0, giftCategories: 0, networks: 0, retailers: 0, manufacturers: 0 };
  const manifest = manifestSchema.parse({
    formatVersion: 1,
    id,
    sequence: 1,
    createdAt: now.toISOString(),
    contentHash: sha256,
    counts: { ...counts, pictures: 0, quarantined: 0 },
    files: Object.fromEntries(SNAPSHOT_FILES.map((file) => [file, { bytes: 0, sha256 }])),
    sources,
    gates: [],
  });
  return {
    kind: 'known',
    id,
    manifest,
    report: { sources: [], notices: [], unmatchedNames: [], summary },
    confirmedAt: manifest.createdAt,
  };
}
