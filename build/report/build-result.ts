import { mkdirSync } from 'node:fs';
import type { LastBuild, Report } from '../../data/report/report.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import { quoteForShell } from '../../data/quote-for-shell.ts';
import { replaceDurably } from '../../data/store/durable-file.ts';
import { storePath } from '../../data/store/layout.ts';
import { findConfirmedAt, findCurrent } from '../../data/store/snapshots.ts';

/** The result of a build. */
export interface BuildResult {
  /** `refused`: a gate refused, and nothing was published. */
  readonly outcome: 'published' | 'unchanged' | 'refused';
  /** Nothing was written: the outcome is the one that a build would have. */
  readonly isDryRun: boolean;
  /** The snapshot that was published, or that is unchanged; absent when the build was refused. */
  readonly snapshot?: string;
  /** The snapshot that is served now. */
  readonly current?: string | undefined;
  /** The snapshot that the build was compared with. */
  readonly comparedWith?: string | undefined;
  readonly store: string;
  readonly report: Report;
  /** Sentences for the operator, causes first; of a build that is refused, why. */
  readonly attention: readonly string[];
  /** The builds that take what is held or refused, where that can be right. */
  readonly accept: NonNullable<LastBuild['accept']>;
  /** Of a first build: its cheapest deals against the median of their phones. */
  readonly extremes: readonly string[];
  /** Of the catalogue that was built, published or not. */
  readonly counts: { readonly products: number; readonly deals: number };
  readonly files?: Manifest['files'];
  readonly seconds: number;
  /** What went wrong after the snapshot was published: old snapshots that could not be deleted. */
  readonly warnings: readonly string[];
}

/** What tells a build from another, for the command that repeats it. */
export interface BuildWords {
  readonly config?: string | undefined;
  readonly store?: string | undefined;
  readonly accept?: readonly string[];
}

/** The command that builds the same catalogue into the same store, for a shell. */
export function writeBuildCommand({ config, store, accept = [] }: BuildWords): string {
  return [
    'deals build',
    ...(config === undefined ? [] : [`--config ${quoteForShell(config)}`]),
    ...(store === undefined ? [] : [`--store ${quoteForShell(store)}`]),
    ...accept.map((gate) => `--accept ${quoteForShell(gate)}`),
  ].join(' ');
}

/**
 * Writes `last-build.json` to the store: the result of the last build, published or not.
 *
 * @param message the outcome as a sentence
 */
export function writeLastBuild(result: BuildResult, message: string, startedAt: Date): void {
  const { outcome, snapshot, current, seconds, store, report, attention, accept } = result;
  writeFile(store, {
    outcome,
    startedAt: startedAt.toISOString(),
    seconds,
    snapshot,
    current,
    message,
    confirmedAt: outcome === 'refused' ? keepConfirmedAt(store, current) : startedAt.toISOString(),
    accept,
    attention: outcome === 'refused' || attention.length === 0 ? undefined : [...attention],
    report,
  });
}

/**
 * The same for a build that failed. An error of writing the report is ignored: the cause of the failure matters more.
 */
export function writeFailedBuild(store: string, cause: unknown, startedAt: Date, seconds: number): void {
  try {
    const current = findCurrent(store);
    writeFile(store, {
      outcome: 'failed',
      startedAt: startedAt.toISOString(),
      seconds,
      current,
      message: cause instanceof Error ? cause.message : String(cause),
      confirmedAt: keepConfirmedAt(store, current),
    });
  } catch {
    // A disk that takes no report is most likely what stopped the build.
  }
}

function keepConfirmedAt(store: string, current: string | undefined): string | undefined {
  return current === undefined ? undefined : findConfirmedAt(store, current);
}

function writeFile(store: string, lastBuild: LastBuild): void {
  mkdirSync(store, { recursive: true });
  replaceDurably(storePath(store, 'last-build.json'), `${JSON.stringify(lastBuild, null, 2)}\n`);
}
