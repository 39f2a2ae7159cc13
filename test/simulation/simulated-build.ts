import { parseConfig } from '../../build/config/config.ts';
import { DealCollector, FeedCollector } from '../../build/deals/collect-deals.ts';
import { encodeSnapshot } from '../../build/encode/snapshot.ts';
import { FeedEntrance } from '../../build/enter-feeds.ts';
import { judgeCatalogue } from '../../build/gate/judge-catalogue.ts';
import {
  openLines,
  type KnownSnapshot,
  type ServedLines,
  type ServedSnapshot,
} from '../../build/gate/served-snapshot.ts';
import { Ledger } from '../../build/ledger/ledger.ts';
import { ExcludeRules } from '../../build/records/exclude.ts';
import { joinRecords } from '../../build/records/join-records.ts';
import { createReport, reportSources, toManifestSources } from '../../build/report/report.ts';
import type { CmsRecords, SourceState } from '../../build/source/record.ts';
import type { DealRecord } from '../../data/record/deal.ts';
import type { GateResult, SourceReport } from '../../data/report/report.ts';
import { manifestSchema, SNAPSHOT_FILES } from '../../data/snapshot/format.ts';
import type { Market, MarketDeal, MarketSource } from './simulated-market.ts';

const HOUR_MS = 3_600_000;
const FIRST_NIGHT_MS = Date.parse('2026-01-01T02:30:00Z');

/** What a feed has on a night: rows, or nothing that can be read. */
type Reading = { readonly kind: 'rows'; readonly rows: readonly DealRecord[] } | { readonly kind: 'unreadable' };

export interface SimulatedNight {
  readonly gates: readonly GateResult[];
  readonly sources: readonly SourceReport[];
  readonly said: readonly string[];
  readonly snapshot: KnownSnapshot;
  /** The files of this night and of the seven before, by id. */
  readonly kept: ReadonlyMap<string, ServedLines>;
}

/** A build without its files: the rows of every feed through the collector, the judge and the gates of a real one. */
export function buildNight(
  market: Market,
  readings: ReadonlyMap<string, Reading>,
  before: SimulatedNight | undefined,
): SimulatedNight {
  const now = new Date(FIRST_NIGHT_MS + market.night * 24 * HOUR_MS);
  const feeds = market.sources.map(({ name }) => ({ name, adapter: 'deals', files: [`${name}.csv`] }));
  const config = parseConfig('catalogue.json', {
    cms: [{ name: 'site', adapter: 'catalogue', files: ['site.json'] }],
    feeds,
  });
  const served: ServedSnapshot = before?.snapshot ?? { kind: 'none', reason: 'nothing was published before' };
  const ledger = new Ledger();
  ledger.read('site', market.products.length + market.networks.length + market.retailers.length);
  const exclusions = new ExcludeRules([], now);
  const joined = joinRecords({ records: listRecords(market), excludedProducts: [] }, exclusions, ledger);
  const { records } = joined;
  const collector = new DealCollector({ joined, exclusions, money: config.money, ledger });
  const build = { config, now, isAccepted: () => false, served, ledger };
  const entrance = new FeedEntrance(build, records, collector);
  const entered = config.feeds.map((feed) => {
    const reading = readings.get(feed.name) ?? { kind: 'unreadable' };
    const feedCollector = new FeedCollector(feed.name, collector);
    if (reading.kind === 'unreadable') {
      feedCollector.discard();
      return entrance.enter(stateOf(feed.name, 'failed', market.night), feedCollector);
    }
    ledger.read(feed.name, reading.rows.length);
    reading.rows.forEach((deal, i) => {
      const origin = { source: feed.name, file: `${feed.name}.csv`, line: i + 2 };
      feedCollector.add({ deal, origin, notices: [] });
    });
    feedCollector.finish();
    return entrance.enter(stateOf(feed.name, 'fresh', market.night), feedCollector);
  });
  const deals = entrance.finish();
  ledger.check();
  const catalogue = { records, deals };
  const states = [
    { ...stateOf('site', 'fresh', market.night), kind: 'cms' as const, adapter: 'catalogue' },
    ...entered.map(({ state }) => state),
  ];
  const sources = reportSources(states, ledger);
  const { notices } = ledger;
  const feedGates = entered.flatMap(({ gates }) => gates);
  const { summary, gates: catalogueGates } = judgeCatalogue(build, { catalogue, states, sources }, feedGates);
  const gates = [...catalogueGates, ...feedGates];
  const report = createReport({ catalogue, sources, notices, unmatchedNames: [], gates, served });
  const content = encodeSnapshot({
    catalogue,
    pictures: { products: [], gifts: [], giftCategories: [], networkLogos: [], retailerLogos: [], pictures: [] },
    priceHistories: [],
    currency: config.currency,
    report: { ...report, summary },
    notices,
  });
  const lines: ServedLines = (file) => content[file]();
  const manifest = createManifest(now, [...toManifestSources(sources, served, now)]);
  const served7 = [...(before?.kept ?? [])].slice(-6);
  const kept = new Map<string, ServedLines>([...served7, [manifest.id, lines]]);
  const snapshot = openLines(manifest, { ...report, summary }, lines, (id) => kept.get(id) ?? lines);
  return { gates, sources, said: entrance.say(deals), snapshot, kept };
}

function stateOf(name: string, state: 'fresh' | 'failed', night: number): SourceState {
  const files = [{ path: `${name}.csv`, bytes: 1, sha256: String(night).padStart(64, '0') }];
  return { name, kind: 'feed', adapter: 'deals', required: false, state, files };
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

function listRows(source: MarketSource): DealRecord[] {
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

function createManifest(now: Date, sources: KnownSnapshot['manifest']['sources']): KnownSnapshot['manifest'] {
  const sha256 = '0'.repeat(64);
  const counts = { products: 0, deals: 0, gifts: 0, giftCategories: 0, networks: 0, retailers: 0, manufacturers: 0 };
  return manifestSchema.parse({
    formatVersion: 1,
    id: `${now.toISOString().slice(0, 16).replaceAll(/[-:]/g, '')}Z-00000000`,
    sequence: 1,
    createdAt: now.toISOString(),
    contentHash: sha256,
    counts: { ...counts, pictures: 0, quarantined: 0 },
    files: Object.fromEntries(SNAPSHOT_FILES.map((file) => [file, { bytes: 0, sha256 }])),
    sources,
    gates: [],
  });
}
