import { performance } from 'node:perf_hooks';
import type { ProductReference } from '../data/record/deal.ts';
import { createWritePlace } from '../data/report/place.ts';
import { SnapshotError } from '../data/snapshot/snapshot-error.ts';
import type { CmsRecords } from './adapt/adapter.ts';
import { readCms } from './adapt/read-cms.ts';
import { readFeed } from './adapt/read-feed.ts';
import { UnpackedOriginals } from './adapt/unpacked-originals.ts';
import { carryForward, type CarriedFeed } from './carry/carry-forward.ts';
import type { SourceState } from './adapt/source-state.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import { createDealCollector, type DealCollector } from './catalogue/collect-deals.ts';
import { Exclusions } from './catalogue/exclusion.ts';
import { joinRecords } from './catalogue/join-records.ts';
import { hashJoining } from './catalogue/joining-hash.ts';
import { Ledger } from './catalogue/ledger.ts';
import type { UnmatchedName } from './catalogue/unmatched-names.ts';
import { readConfig, type BuildConfig, type FeedConfig } from './config.ts';
import { encodeSnapshot } from './encode/encode-snapshot.ts';
import { parseAcceptances, type Acceptance } from './gate/acceptance.ts';
import { passGates } from './gate/pass-gates.ts';
import { findServedSources, readServedSnapshot, type ServedSnapshot } from './gate/served-snapshot.ts';
import { summariseCatalogue } from './gate/summarise-catalogue.ts';
import { renderPictures } from './image/catalogue-pictures.ts';
import { PublishingError } from './publish/publishing-error.ts';
import { publishSnapshot, rehearsePublication } from './publish/publish-snapshot.ts';
import { removeLeftovers, retireSnapshots } from './publish/retire.ts';
import { cacheFolder, imagesFolder } from './publish/store-layout.ts';
import { acquireStoreLock } from './publish/store-lock.ts';
import { readCurrent } from './publish/stored-snapshot.ts';
import type { GivenOptions } from './report/build-command.ts';
import type { BuildResult } from './report/build-result.ts';
import { createReport, listLeftOut, listNoted, reportSources } from './report/create-report.ts';
import { writeFailedBuild, writeLastBuild } from './report/last-build.ts';
import { listUnchanged, recordSources } from './report/record-sources.ts';
import { listWithoutDeals } from './report/without-deals.ts';
import { findCodeVersion } from './reuse/code-version.ts';
import { FeedCache, type ReadFeed } from './reuse/feed-cache.ts';
import { SourceError } from './source/source-error.ts';
import { StoppedBuildError } from './stopped-build-error.ts';

export interface BuildOptions {
  /** Path of `catalogue.json`. */
  readonly configPath: string;
  /** Replaces the store of the configuration. */
  readonly store?: string | undefined;
  /** The time of the build: what is valid today, and the time in the snapshot's id. */
  readonly now: Date;
  /** Says what would happen and writes nothing. */
  readonly dryRun: boolean;
  /** The values of `--accept`: `<gate>` or `<gate>:<source>`. */
  readonly accept: readonly string[];
  /** What of this a command line gave, to be repeated in the line that accepts a refusal. */
  readonly given?: GivenOptions | undefined;
  /** Told what begins. */
  readonly onProgress?: ((message: string) => void) | undefined;
}

/** A build under way: what its stages share. */
interface Build {
  readonly config: BuildConfig;
  readonly acceptances: readonly Acceptance[];
  readonly now: Date;
  readonly isDryRun: boolean;
  readonly given: GivenOptions;
  readonly startedMs: number;
  readonly progress: (message: string) => void;
}

/**
 * Builds the catalogue from its sources and publishes it, unless a gate refuses.
 *
 * @throws {ConfigError} when the configuration or `accept` is wrong; nothing was read or written
 * @throws {StoreBusyError} when another build is running
 * @throws {StoppedBuildError} when the machine fails (a full disk); says which snapshot is current
 * @throws {Error} when there is a bug; the snapshot before is still current
 */
export async function runBuild(options: BuildOptions): Promise<BuildResult> {
  const startedMs = performance.now();
  const config = await readConfig(options.configPath, { store: options.store });
  const build: Build = {
    config,
    acceptances: parseAcceptances(
      options.accept,
      // A source that is configured no longer may be missed, and that can be accepted too.
      [...new Set([...[...config.cms, ...config.feeds].map(({ name }) => name), ...findServedSources(config.store)])],
    ),
    now: options.now,
    isDryRun: options.dryRun,
    given: options.given ?? {},
    startedMs,
    progress: options.onProgress ?? (() => {}),
  };
  if (build.isDryRun) return buildCatalogue(build);
  const before = findCurrent(config.store);
  try {
    return await buildUnderLock(build);
  } catch (error) {
    if (!isOfTheMachine(error)) throw error;
    throw new StoppedBuildError(error, describeState(before, findCurrent(config.store)));
  }
}

/** Anything else is a bug, or says itself that nothing was done. */
function isOfTheMachine(error: unknown): error is Error {
  return (
    error instanceof PublishingError || error instanceof SnapshotError || (error instanceof Error && 'syscall' in error)
  );
}

/** What is current; `kind` is `unreadable` when the disk does not say. */
type Current = { readonly kind: 'known'; readonly id: string | undefined } | { readonly kind: 'unreadable' };

function findCurrent(store: string): Current {
  try {
    return { kind: 'known', id: readCurrent(store) };
  } catch {
    return { kind: 'unreadable' };
  }
}

function describeState(before: Current, after: Current): string {
  if (after.kind === 'unreadable') return 'which snapshot is current cannot be read';
  if (after.id === undefined) return 'nothing is published';
  if (before.kind === 'known' && before.id !== after.id) return `${after.id} was published before that and is current`;
  return `nothing was published, ${after.id} is still current`;
}

async function buildUnderLock(build: Build): Promise<BuildResult> {
  const { config, now, startedMs } = build;
  const lock = acquireStoreLock(config.store);
  try {
    removeLeftovers(config.store);
    const result = await buildCatalogue(build);
    const warnings = [...result.warnings, ...(result.outcome === 'published' ? retire(config.store) : [])];
    const finished = { ...result, warnings, seconds: secondsSince(startedMs) };
    return { ...finished, warnings: [...warnings, ...report(finished, build)] };
  } catch (error) {
    writeFailedBuild(config.store, error, now, secondsSince(startedMs));
    throw error;
  } finally {
    lock.release();
  }
}

async function buildCatalogue(build: Build): Promise<BuildResult> {
  const unpacked = new UnpackedOriginals();
  try {
    return await runStages(build, unpacked);
  } finally {
    await unpacked.remove();
  }
}

/** The stages, in order. */
async function runStages(build: Build, unpacked: UnpackedOriginals): Promise<BuildResult> {
  const { config, now, progress } = build;
  const ledger = new Ledger();
  const served = readServedSnapshot(config.store);

  progress('reading the CMS exports');
  const cms = await readCms(config, unpacked, ledger);
  const { catalogue, feeds, unmatchedNames, warnings } = await collectCatalogue(build, cms.records, served, ledger);
  ledger.check();

  progress('rendering pictures');
  const pictures = await renderPictures(catalogue.records, {
    render: config.images.render,
    configFolder: config.folder,
    unpacked,
    imagesFolder: imagesFolder(config.store),
    persist: !build.isDryRun,
    note: (notice) => ledger.note(notice),
  });

  progress('comparing with the current snapshot');
  const sources = reportSources([...cms.states, ...feeds.map(({ state }) => state)], ledger);
  const sourcesOnRecord = recordSources(sources, served, now);
  for (const notice of listUnchanged(sourcesOnRecord, now, config.freshness.maxUnchangedMs)) ledger.note(notice);
  const summary = summariseCatalogue(catalogue, config.currency.code);
  const gates = passGates(
    {
      served,
      summary,
      now,
      sources,
      requiredSources: new Set(
        [...config.cms, ...config.feeds].filter(({ required }) => required).map(({ name }) => name),
      ),
      withdrawnSources: new Set(feeds.filter(({ isWithdrawn }) => isWithdrawn).map(({ state }) => state.name)),
      settings: config.gates,
    },
    build.acceptances,
  );
  const withoutDeals = listWithoutDeals(catalogue, ledger.notices, served, config.store);
  const report = createReport({ sources, notices: ledger.notices, unmatchedNames, withoutDeals, gates, served });
  const facts = {
    isDryRun: build.isDryRun,
    ...comparedWith(served),
    builtAt: now.toISOString(),
    store: config.store,
    given: build.given,
    report,
    counts: { products: catalogue.records.products.length, deals: catalogue.deals.rowCount },
    warnings,
  };
  if (gates.some(({ state }) => state === 'refused')) {
    return { ...facts, ...currentOf(config.store), outcome: 'refused', seconds: secondsSince(build.startedMs) };
  }

  progress('publishing');
  const content = encodeSnapshot({
    catalogue,
    pictures,
    currency: config.currency,
    report: { ...report, summary },
    leftOut: listLeftOut(ledger.notices),
    noted: listNoted(ledger.notices),
  });
  const publish = build.isDryRun ? rehearsePublication : publishSnapshot;
  const publication = publish(config.store, content, {
    now,
    imagesBaseUrl: config.images.baseUrl,
    sources: sourcesOnRecord,
    gates,
  });
  return {
    ...facts,
    ...currentOf(config.store),
    outcome: publication.outcome,
    snapshot: publication.id,
    files: publication.files,
    seconds: secondsSince(build.startedMs),
  };
}

interface Collected {
  readonly catalogue: Catalogue;
  readonly feeds: readonly CarriedFeed[];
  readonly unmatchedNames: readonly UnmatchedName[];
  readonly warnings: readonly string[];
}

/** Joins the records of the CMS and the deals of every feed into one catalogue. */
async function collectCatalogue(
  { config, now, isDryRun, progress }: Build,
  records: CmsRecords,
  served: ServedSnapshot,
  ledger: Ledger,
): Promise<Collected> {
  const exclusions = new Exclusions(config.exclude, now);
  const joined = joinRecords(records, exclusions, ledger, createWritePlace(config.cms));
  const collector = createDealCollector({ joined, exclusions, money: config.money, ledger });
  const cache = new FeedCache({
    folder: cacheFolder(config.store),
    configFolder: config.folder,
    now,
    circumstances: {
      code: findCodeVersion(),
      joining: hashJoining(joined, exclusions, config.money),
      currency: config.currency.code,
    },
    isReadOnly: isDryRun,
  });
  const { maxCarriedMs } = config.freshness;
  const feeds: CarriedFeed[] = [];
  for (const feed of config.feeds) {
    progress(`reading ${feed.name}`);
    const known = await cache.find(feed);
    if (known !== undefined) progress(`${feed.name} is as it was`);
    const state =
      known === undefined
        ? await collectFeed(feed, config, now, collector, ledger, cache)
        : restoreFeed(feed, known, collector, ledger);
    feeds.push(
      state.state === 'fresh'
        ? { state, isWithdrawn: false }
        : carryForward(state, { store: config.store, served, now, maxCarriedMs, collector, ledger }),
    );
  }
  cache.removeOthers(config.feeds);
  const deals = collector.finish();
  return {
    catalogue: { records: joined.records, deals },
    feeds,
    unmatchedNames: collector.unmatchedNames(),
    warnings: cache.warnings,
  };
}

/** A feed that cannot be read to its end is set aside whole; the others go on. */
async function collectFeed(
  feed: FeedConfig,
  config: BuildConfig,
  now: Date,
  collector: DealCollector,
  ledger: Ledger,
  cache: FeedCache,
): Promise<SourceState> {
  const productOf = (reference: ProductReference): string | undefined => collector.productOf(feed.name, reference);
  const options = { folder: config.folder, now, currency: config.currency.code, productOf };
  const reading = readFeed(feed, options, ledger);
  const source = collector.beginSource(feed.name);
  try {
    for await (const batch of reading.deals) {
      for (const deal of batch) source.add(deal);
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    source.discard();
    return reading.state();
  }
  const collected = source.commit();
  const state = reading.state();
  if (state.state === 'fresh') {
    const { read: readCount } = ledger.account(feed.name);
    const { files } = state;
    cache.save(feed, { collected, readCount, notices: ledger.noticesOf(feed.name), files, era: reading.era() });
  }
  return state;
}

/** Takes what an earlier build made of the same feed: the collector and the ledger are left as if it had been read. */
function restoreFeed(feed: FeedConfig, known: ReadFeed, collector: DealCollector, ledger: Ledger): SourceState {
  const { name, adapter, required } = feed;
  ledger.read(name, known.readCount);
  for (const notice of known.notices) ledger.enter(notice);
  collector.restore(known.collected);
  return { name, kind: 'feed', adapter, required, state: 'fresh', files: [...known.files] };
}

function comparedWith(served: ServedSnapshot): Pick<BuildResult, 'comparedWith'> {
  if (served.kind !== 'known') return {};
  return { comparedWith: { snapshot: served.id, createdAt: served.manifest.createdAt } };
}

function retire(store: string): readonly string[] {
  return warnOf('old snapshots could not be deleted', () => retireSnapshots(store));
}

function report(result: BuildResult, { config, now }: Build): readonly string[] {
  return warnOf('last-build.json could not be written', () => writeLastBuild(result, now, config.file));
}

/** The outcome is settled by now: what fails afterwards is worth a warning, and changes it no more. */
function warnOf(what: string, work: () => void): readonly string[] {
  try {
    work();
    return [];
  } catch (error) {
    return [`${what}: ${(error as Error).message}`];
  }
}

function currentOf(store: string): { readonly current?: string } {
  const current = readCurrent(store);
  return current === undefined ? {} : { current };
}

function secondsSince(startedMs: number): number {
  return Math.round(performance.now() - startedMs) / 1000;
}
