import { performance } from 'node:perf_hooks';
import { readCms } from './read-source.ts';
import { UnpackedImages } from './cms/adapter.ts';
import { Ledger } from './ledger/ledger.ts';
import { type BuildConfig, readConfig } from './config/config.ts';
import { encodeSnapshot } from './encode/snapshot.ts';
import { type BuildContext, type IsAccepted, parseAcceptances } from './gate/gates.ts';
import { listExtremes, sayPictures } from './gate/said.ts';
import { findServedSources, readServedSnapshot } from './gate/served-snapshot.ts';
import { listExampleNotices } from './init/new-files.ts';
import { renderRecordImages } from './records/images.ts';
import type { GateResult } from '../data/report/report.ts';
import { isMachineError, StoppedBuildError } from '../data/store/system-error.ts';
import { dryRunPublication, publishSnapshot } from './publish/publish.ts';
import { pruneSnapshots, removeLeftovers } from './publish/prune.ts';
import { storePath } from '../data/store/layout.ts';
import { continuePriceHistories, readPriceHistories } from './deals/price-history.ts';
import { acquireStoreLock, StoreBusyError } from '../data/store/lock.ts';
import { readCurrent } from '../data/store/snapshots.ts';
import { listAttention, listRefusal } from './report/attention.ts';
import { type BuildResult, writeBuildCommand, writeFailedBuild, writeLastBuild } from './report/build-result.ts';
import { describeOutcome } from './report/describe-build.ts';
import { createReport, listUnchangedNotices, toManifestSources } from './report/report.ts';
import { assembleCatalogue } from './assemble.ts';

interface BuildOptions {
  /** Path of `catalogue.json`. */
  readonly configPath: string;
  /** Replaces the store of the configuration. */
  readonly store?: string | undefined;
  /** The time of the build: what is valid today, and the time in the snapshot's id. */
  readonly now: Date;
  /** Reports what would happen, and writes nothing. */
  readonly dryRun: boolean;
  /** The values of `--accept`: `<gate>` or `<gate>:<source>`. */
  readonly accept: readonly string[];
  /** Called when a stage starts. */
  readonly onProgress?: ((message: string) => void) | undefined;
}

/** A build with its configuration read. */
interface Run extends BuildOptions {
  readonly config: BuildConfig;
  readonly isAccepted: IsAccepted;
  readonly startedMs: number;
}

/**
 * Builds the catalogue from its sources and publishes it, unless a gate refuses.
 *
 * @throws {ConfigError} when the configuration or `accept` is wrong; nothing was read or written
 * @throws {StoreBusyError} when another build is running, or has switched the store meanwhile
 * @throws {StoppedBuildError} when the machine fails (a full disk); says which snapshot is current
 * @throws {Error} when there is a bug; the snapshot before is still current
 */
export async function runBuild(options: BuildOptions): Promise<BuildResult> {
  const startedMs = performance.now();
  const config = await readConfig(options.configPath, { store: options.store });
  const { cms, feeds } = config;
  // A source that is no longer configured may be missing, which can be accepted, too.
  const sources = new Set([...[...cms, ...feeds].map(({ name }) => name), ...findServedSources(config.store)]);
  const run: Run = { ...options, config, isAccepted: parseAcceptances(options.accept, [...sources]), startedMs };
  if (options.dryRun) return buildCatalogue(run);
  try {
    return await buildUnderLock(run);
  } catch (error) {
    // Any other error is a bug, or its own message says that nothing was done.
    if (!isMachineError(error)) throw error;
    throw new StoppedBuildError(error, describeState(config.store));
  }
}

/** What is served after a fault. */
function describeState(store: string): string {
  try {
    return `${readCurrent(store) ?? 'no snapshot'} is current`;
  } catch {
    return 'which snapshot is current cannot be read';
  }
}

async function buildUnderLock(run: Run): Promise<BuildResult> {
  const { config, now, startedMs } = run;
  const lock = acquireStoreLock(config.store);
  try {
    removeLeftovers(config.store);
    const result = await buildCatalogue(run);
    const warnings = [...result.warnings];
    if (result.outcome === 'published') {
      warnings.push(...toWarnings('old snapshots could not be deleted', () => pruneSnapshots(config.store)));
    }
    const finished = { ...result, warnings, seconds: secondsSince(startedMs) };
    const write = (): void => writeLastBuild(finished, describeOutcome(finished), now);
    return { ...finished, warnings: [...warnings, ...toWarnings('last-build.json could not be written', write)] };
  } catch (error) {
    // The report of the faster build stays.
    if (!(error instanceof StoreBusyError)) writeFailedBuild(config.store, error, now, secondsSince(startedMs));
    throw error;
  } finally {
    lock.release();
  }
}

async function buildCatalogue(run: Run): Promise<BuildResult> {
  const unpacked = new UnpackedImages();
  try {
    return await runStages(run, unpacked);
  } finally {
    await unpacked.remove();
  }
}

/** The stages, in order. */
async function runStages(run: Run, unpacked: UnpackedImages): Promise<BuildResult> {
  const { config, now, dryRun, onProgress = () => {} } = run;
  const ledger = new Ledger();
  const builtOn = { id: readCurrent(config.store) };
  const served = readServedSnapshot(config.store);
  const build: BuildContext = { config, now, isAccepted: run.isAccepted, served, ledger };
  const earlier = readPriceHistories(config.store, now);

  onProgress('reading the CMS exports');
  const cms = await readCms(config, ledger, unpacked);
  const assembled = await assembleCatalogue(build, cms, onProgress);
  const { catalogue, sources, gates } = assembled;

  onProgress('rendering pictures');
  const pictures = await renderRecordImages(catalogue.records, {
    render: config.images.render,
    configFolder: config.folder,
    unpacked,
    imagesFolder: storePath(config.store, 'images'),
    persist: !dryRun,
    note: (notice) => ledger.note(notice),
  });
  const said = [...assembled.said, ...sayPictures(served, catalogue.records, pictures.products)];

  const sourcesOnRecord = toManifestSources(sources, served, now);
  const unchanged = listUnchangedNotices(sourcesOnRecord, now, config.freshness.maxUnchangedMs);
  for (const notice of [...unchanged, ...listExampleNotices(sources)]) ledger.note(notice);
  const { notices } = ledger;
  const report = createReport({ ...assembled, notices, served });
  const facts = {
    isDryRun: dryRun,
    comparedWith: served.kind === 'known' ? served.id : undefined,
    store: config.store,
    report,
    extremes: served.kind === 'none' ? listExtremes(catalogue) : [],
    counts: { products: catalogue.records.products.length, deals: catalogue.deals.rowCount },
  };
  const writeAccepting = (failed: readonly GateResult[]): string =>
    writeBuildCommand({
      config: config.file,
      store: run.store === undefined ? undefined : config.store,
      accept: [...run.accept, ...failed.map(({ gate }) => gate)],
    });
  const { maxCarriedMs } = config.freshness;
  const parts = { sources, gates, notices, served, said, maxCarriedMs, writeAccepting };
  const finish = <Result>(result: Result) => ({
    ...facts,
    ...result,
    current: readCurrent(config.store),
    seconds: secondsSince(run.startedMs),
  });
  if (gates.some(({ state }) => state === 'refused')) {
    return finish({ outcome: 'refused' as const, ...listRefusal(parts), warnings: [] });
  }

  onProgress('publishing');
  const content = encodeSnapshot({
    catalogue,
    pictures,
    priceHistories: continuePriceHistories(catalogue, earlier.histories, now),
    currency: config.currency,
    report: { ...report, summary: assembled.summary },
    notices,
  });
  const publish = dryRun ? dryRunPublication : publishSnapshot;
  const { id, outcome, files } = publish(config.store, content, {
    now,
    imagesBaseUrl: config.images.baseUrl,
    sources: sourcesOnRecord,
    gates,
    builtOn,
  });
  return finish({
    outcome,
    snapshot: id,
    files,
    ...listAttention(parts),
    warnings: earlier.warnings,
  });
}

/** The outcome is decided. A later failure is a warning, and does not change it. */
function toWarnings(what: string, work: () => void): readonly string[] {
  try {
    work();
    return [];
  } catch (error) {
    return [`${what}: ${(error as Error).message}`];
  }
}

function secondsSince(startedMs: number): number {
  return Math.round(performance.now() - startedMs) / 1000;
}
