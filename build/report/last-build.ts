import { mkdirSync } from 'node:fs';
import type { LastBuild } from '../../data/report/report.ts';
import { replaceDurably } from '../../data/store/durable-file.ts';
import { lastBuildPath, newPath } from '../../data/store/layout.ts';
import { findConfirmedAt, findCurrentState } from '../../data/store/snapshots.ts';
import { writeAcceptCommand, type BuildResult } from './build-result.ts';
import { describeOutcome } from './describe-build.ts';

/**
 * Writes `last-build.json` to the store: the result of the last build, published or not.
 *
 * @param configFile the absolute path of the configuration that was built
 */
export function writeLastBuild(result: BuildResult, startedAt: Date, configFile: string): void {
  const { outcome, snapshot, current, seconds, store, given, report, attention } = result;
  // A reader may run the command in another folder than the build did.
  const anywhere = { ...given, config: configFile, store: given?.store === undefined ? undefined : store };
  writeFile(result.store, {
    outcome,
    startedAt: startedAt.toISOString(),
    seconds,
    snapshot,
    current,
    message: describeOutcome(result),
    confirmedAt: outcome === 'refused' ? keepConfirmedAt(result.store, current) : startedAt.toISOString(),
    acceptCommand: writeAcceptCommand(anywhere, report),
    attention: outcome === 'refused' || attention.length === 0 ? undefined : [...attention],
    report,
  });
}

/**
 * The same for a build that failed. An error of writing the report is ignored: the cause of the failure matters more.
 */
export function writeFailedBuild(store: string, cause: unknown, startedAt: Date, seconds: number): void {
  try {
    const state = findCurrentState(store);
    const current = state.kind === 'known' ? state.id : undefined;
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
  replaceDurably(lastBuildPath(store), `${JSON.stringify(lastBuild, null, 2)}\n`, newPath(store));
}
