import { describeSource } from '../build/report/describe-build.ts';
import { escapeControls } from '../build/source/quote.ts';
import type { PullStatus } from '../data/store/pull-state.ts';
import { describeAge, describeSnapshots, type ListedSnapshot, TOLERATED_AHEAD_MS } from '../data/store/snapshots.ts';
import { defineCommand, EXIT, type Context, type ExitCode } from './console/command.ts';
import {
  CONFIG,
  HOST,
  JSON_RESULT,
  keysOption,
  option,
  parsePort,
  requireStore,
  settingOption,
  STORE,
} from './console/options.ts';
import { formatTable } from './console/output.ts';
import { describeSpan, inspectStore, type StatusOptions } from './status-findings.ts';

/** Says how the store and this machine are: for a person or a program. */
export const createStatusCommand = defineCommand<StatusOptions>({
  name: 'status',
  description: 'show what is served, its sources, the snapshots, the last build, what is wrong here, and the next step',
  options: [
    STORE,
    CONFIG,
    keysOption(),
    HOST,
    option(
      '-p, --port <number>',
      'the port of the server: look at what answers there; not at 0, any free port',
      parsePort,
    ).env('DEALS_PORT'),
    settingOption('staleAfterHours'),
    JSON_RESULT,
  ],
  examples: ['deals status --store dist/catalogue', 'deals status --store dist/catalogue --json'],
  run: showStatus,
});

/** The result of `deals status --json`. */
type StoreStatus = Awaited<ReturnType<typeof readStatus>>;

async function showStatus(context: Context, options: StatusOptions): Promise<ExitCode> {
  const { output } = context;
  const store = await requireStore(options);
  const now = context.now();
  const status = await readStatus(store, options, now);
  output.report(options, status, describeStatus(status, now));
  return status.state === 'fine' ? EXIT.ok : EXIT.attention;
}

async function readStatus(store: string, options: StatusOptions, now: Date) {
  const { manifest, lastBuild, pull, attention } = await inspectStore(store, options, now);
  return {
    state: attention.length === 0 ? 'fine' : 'attention',
    /** Absent when nothing is published, or the current snapshot cannot be read. */
    current: manifest && {
      id: manifest.id,
      createdAt: manifest.createdAt,
      products: manifest.counts.products,
      deals: manifest.counts.deals,
      ...describeAge(manifest, lastBuild, now, options.staleAfter),
    },
    /** Those of the current snapshot. */
    sources: manifest?.sources ?? [],
    /** The newest first. */
    snapshots: describeSnapshots(store),
    /** Absent when no build has left a report. */
    lastBuild: lastBuild && {
      outcome: lastBuild.outcome,
      startedAt: lastBuild.startedAt,
      message: lastBuild.message,
    },
    /** Absent when nothing was pulled into the store. */
    pull,
    /** What an operator must look at, and what to do. */
    attention,
    /** The most urgent of what there is to do. */
    next: (attention.find(({ state }) => state === 'fault') ?? attention[0])?.remedy ?? 'nothing',
  };
}

function describeCurrent(current: NonNullable<StoreStatus['current']>, now: Date): string {
  const { id, createdAt, products, deals, confirmedAt } = current;
  const confirmed = confirmedAt === undefined ? '' : `, confirmed ${describeAgo(confirmedAt, now)}`;
  return `${id}, ${products} products, ${deals} deals, made ${describeAgo(createdAt, now)}${confirmed}`;
}

function describeAgo(time: string, now: Date): string {
  const ms = now.getTime() - Date.parse(time);
  return ms < -TOLERATED_AHEAD_MS ? `${describeSpan(-ms)} from now` : `${describeSpan(Math.max(0, ms))} ago`;
}

function describeStatus(status: StoreStatus, now: Date): readonly string[] {
  const { state, current, sources, snapshots, lastBuild, pull, attention, next } = status;
  const rows: readonly (readonly [name: string, text: string])[] = [
    ['state', state],
    ['current', current === undefined ? 'none that can be read' : describeCurrent(current, now)],
    ...sources.map((source) => ['source', describeSource(source)] as const),
    ['last build', lastBuild === undefined ? 'no report' : `${lastBuild.startedAt}: ${lastBuild.message}`],
    ...(pull === undefined ? [] : [['pull', describePulled(pull)] as const]),
  ];
  return [
    ...rows.map(([name, text]) => `${name.padEnd(10)}  ${escapeControls(text)}`),
    ...(snapshots.length === 0 ? [] : ['', ...formatSnapshots(snapshots)]),
    ...attention.flatMap(({ found, remedy }) => ['', escapeControls(found), `  what to do: ${escapeControls(remedy)}`]),
    '',
    `next: ${escapeControls(next)}`,
  ];
}

function formatSnapshots(snapshots: readonly ListedSnapshot[]): readonly string[] {
  const rows = snapshots.map(({ id, sequence, createdAt = '', counts, ...marks }) => {
    const notes = [marks.isCurrent && 'current', marks.isRolledBack && 'rolled back from', marks.fault];
    return [id, sequence, createdAt, counts?.products ?? '', counts?.deals ?? '', notes.filter(Boolean).join('; ')];
  });
  return formatTable(['snapshot', 'sequence', 'published', 'products', 'deals', ''], rows);
}

function describePulled({ url, revision, lastContactAt }: PullStatus): string {
  return `${revision === 0 ? 'no revision yet' : `revision ${revision}`} of ${url}, last contact ${lastContactAt ?? 'never'}`;
}
