import { Option } from 'commander';
import { escapeControls } from '../build/source/quote.ts';
import type { ManifestSource } from '../data/report/report.ts';
import type { Manifest } from '../data/snapshot/format.ts';
import { SnapshotError } from '../data/snapshot/snapshot-error.ts';
import { findLastBuild, readCurrent, readManifest } from '../data/store/snapshots.ts';
import { describeAge, TOLERATED_AHEAD_MS, type SnapshotAge } from '../server/status/freshness.ts';
import { describePull, type PullStatus } from '../server/status/pull.ts';
import { EXIT, type Context, type ExitCode } from './console/command.ts';
import {
  configOption,
  defineCommand,
  jsonOption,
  requireStore,
  storeOption,
  type ReadOptions,
} from './console/options.ts';
import { formatJson, formatLines } from './console/output.ts';
import { settingOption } from './console/server-options.ts';
import { checkBuild, checkSnapshot } from './doctor/data.ts';
import { checkPulled, readPulled } from './doctor/remote.ts';
import { describeSpan, needsWork, type CheckResult } from './doctor/result.ts';

interface StatusOptions extends ReadOptions {
  readonly staleAfter: number;
  readonly line?: true;
}

/** Says how the store is: for a person, a prompt or a monitoring plugin. */
export const createStatusCommand = defineCommand<StatusOptions>({
  name: 'status',
  description:
    'show the current snapshot, its age and sources, the last build and the last pull; what an operator must look at ends with exit code 4',
  options: [
    storeOption(),
    configOption(),
    settingOption('staleAfterHours'),
    new Option('--line', 'write one line, as for a prompt or a monitoring plugin').conflicts('json'),
    jsonOption(),
  ],
  examples: ['deals status --store dist/catalogue', 'deals status --store dist/catalogue --line'],
  run: showStatus,
});

/** The result of `deals status --json`. */
interface StoreStatus {
  /** `attention` when `attention` has an entry. */
  readonly state: 'fine' | 'attention';
  /** Absent when nothing is published, or the current snapshot cannot be read. */
  readonly current?: CurrentStatus;
  /** The sources of the current snapshot. */
  readonly sources: readonly SourceStatus[];
  /** Absent when no build has left a report. */
  readonly lastBuild?: { readonly outcome: string; readonly startedAt: string; readonly message: string };
  /** Absent when nothing was pulled into the store. */
  readonly pull?: PullStatus;
  /** What an operator must look at, and what to do: the findings of `deals doctor` about the store. */
  readonly attention: readonly CheckResult[];
}

/** A source with the number and size of its files. */
interface SourceStatus extends Omit<ManifestSource, 'files'> {
  readonly fileCount: number;
  readonly bytes: number;
}

interface CurrentStatus extends Pick<Manifest, 'id' | 'createdAt'>, SnapshotAge {
  readonly products: number;
  readonly deals: number;
}

async function showStatus(context: Context, options: StatusOptions): Promise<ExitCode> {
  const { output } = context;
  const store = await requireStore(options);
  const time = context.now();
  const status = await readStoreStatus(store, options, time);
  if (options.json === true) output.result(formatJson(status));
  else output.result(formatLines(options.line === true ? [describeLine(status, time)] : describeStatus(status, time)));
  return status.state === 'fine' ? EXIT.ok : EXIT.attention;
}

async function readStoreStatus(store: string, options: StatusOptions, now: Date): Promise<StoreStatus> {
  const { staleAfter, config, store: given } = options;
  const pulled = readPulled(store);
  const attention = [
    ...(await checkSnapshot(store, staleAfter, now)),
    ...(await checkBuild(store, now, { config, store: given })),
    ...checkPulled(pulled, undefined, now),
  ].filter(needsWork);
  const manifest = findManifest(store);
  const lastBuild = findLastBuild(store);
  return {
    state: attention.length === 0 ? 'fine' : 'attention',
    ...(manifest === undefined
      ? {}
      : {
          current: {
            id: manifest.id,
            createdAt: manifest.createdAt,
            products: manifest.counts.products,
            deals: manifest.counts.deals,
            ...describeAge(manifest, lastBuild, now, staleAfter),
          },
        }),
    sources: manifest?.sources.map(describeSource) ?? [],
    ...(lastBuild === undefined
      ? {}
      : { lastBuild: { outcome: lastBuild.outcome, startedAt: lastBuild.startedAt, message: lastBuild.message } }),
    ...(pulled.state === undefined ? {} : { pull: describePull(pulled.state, now) }),
    attention,
  };
}

function describeSource({ files, ...source }: ManifestSource): SourceStatus {
  return { ...source, fileCount: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** Undefined when there is none that can be read; a finding says why. */
function findManifest(store: string): Manifest | undefined {
  try {
    const id = readCurrent(store);
    return id === undefined ? undefined : readManifest(store, id);
  } catch (error) {
    if (error instanceof SnapshotError) return undefined;
    throw error;
  }
}

/** `fine: <what is current>`, or `attention: <what is first>; and 2 more`. */
function describeLine({ current, attention: [first, ...others] }: StoreStatus, now: Date): string {
  if (first === undefined)
    return `fine: ${current === undefined ? 'nothing is published' : describeCurrent(current, now)}`;
  const more = others.length === 0 ? '' : `; and ${others.length} more`;
  return `attention: ${escapeControls(first.found)}${more}`;
}

function describeCurrent({ id, createdAt, products, deals, confirmedAt }: CurrentStatus, now: Date): string {
  const confirmed = confirmedAt === undefined ? '' : `, confirmed ${describeAgo(confirmedAt, now)}`;
  return `${id}, ${products} products, ${deals} deals, made ${describeAgo(createdAt, now)}${confirmed}`;
}

function describeAgo(time: string, now: Date): string {
  const ms = now.getTime() - Date.parse(time);
  return ms < -TOLERATED_AHEAD_MS ? `${describeSpan(-ms)} from now` : `${describeSpan(Math.max(0, ms))} ago`;
}

function describeStatus(status: StoreStatus, now: Date): readonly string[] {
  const { state, current, sources, lastBuild, pull, attention } = status;
  const rows: readonly (readonly [name: string, text: string])[] = [
    ['state', state],
    ['current', current === undefined ? 'none that can be read' : describeCurrent(current, now)],
    ...sources.map((source) => ['source', describeSourceState(source)] as const),
    ['last build', lastBuild === undefined ? 'no report' : `${lastBuild.startedAt}: ${lastBuild.message}`],
    ...(pull === undefined ? [] : [['pull', describePulled(pull)] as const]),
  ];
  return [
    ...rows.map(([name, text]) => `${name.padEnd(10)}  ${escapeControls(text)}`),
    ...attention.flatMap(({ found, remedy }) => [
      '',
      escapeControls(found),
      ...(remedy === undefined ? [] : [`  what to do: ${escapeControls(remedy)}`]),
    ]),
  ];
}

function describeSourceState({ name, state, kept, read, quarantined, freshAt }: SourceStatus): string {
  const since = state === 'fresh' || freshAt === undefined ? '' : `, last read ${freshAt}`;
  return `${name}: ${state}, ${kept} of ${read} records kept, ${quarantined} quarantined${since}`;
}

function describePulled({ url, current, lastContactAt }: PullStatus): string {
  const revision = current === undefined ? 'no revision yet' : `revision ${current.revision}`;
  return `${revision} of ${url}, last contact ${lastContactAt ?? 'never'}`;
}
