import { Option } from 'commander';
import { compareSnapshots } from '../build/changes/compare-snapshots.ts';
import { describeChanges } from '../build/changes/describe-changes.ts';
import { readPublishedChanges } from '../build/changes/published-changes.ts';
import { openSnapshotLines } from '../data/store/lines.ts';
import { readManifest } from '../data/store/snapshots.ts';
import { MAX_LISTED_CHANGES, type Changes } from '../data/snapshot/changes.ts';
import { EXIT, type Context, type ExitCode } from './console/command.ts';
import { defineCommand, parseWholeNumber, readOptions, requireSnapshot, type ReadOptions } from './console/options.ts';
import { formatJson, formatLines } from './console/output.ts';

interface ChangesOptions extends ReadOptions {
  readonly limit?: number;
}

const SHOWN_CHANGES = 10;

/** Shows what differs between two snapshots. */
export const createChangesCommand = defineCommand<ChangesOptions, [from?: string, to?: string]>({
  name: 'changes',
  description:
    'show what differs between two snapshots: products, deals, prices, and the cheapest deal of each product',
  arguments: [
    ['[from]', 'the id of the older snapshot (default: the one that was current before the newer)'],
    ['[to]', 'the id of the newer snapshot (default: the current one)'],
  ],
  options: [
    new Option(
      '--limit <number>',
      `show this many changes of each kind (default: ${SHOWN_CHANGES}, with --json ${MAX_LISTED_CHANGES})`,
    ).argParser(parseWholeNumber(0, MAX_LISTED_CHANGES)),
    ...readOptions(),
  ],
  examples: ['deals changes --store dist/catalogue', 'deals changes --store dist/catalogue --limit 3 --json'],
  run: showChanges,
});

async function showChanges(
  { output }: Context,
  options: ChangesOptions,
  from?: string,
  wantedTo?: string,
): Promise<ExitCode> {
  const { store, id: to } = await requireSnapshot(options, wantedTo);
  const limit = options.limit ?? (options.json === true ? MAX_LISTED_CHANGES : SHOWN_CHANGES);
  const changes = from === undefined ? readChanges(store, to) : compareStored(store, from, to);
  output.result(
    options.json === true
      ? formatJson({ to, ...cutLists(changes, limit) })
      : formatLines(describeChanges(to, changes, limit)),
  );
  return EXIT.ok;
}

/** The published changes: the snapshot before may be deleted by now. */
function readChanges(store: string, to: string): Changes {
  return readPublishedChanges(store, readManifest(store, to));
}

function compareStored(store: string, from: string, to: string): Changes {
  const older = openSnapshotLines(store, readManifest(store, from));
  const newer = openSnapshotLines(store, readManifest(store, to));
  return { from, ...compareSnapshots(older, newer) };
}

function cutLists(changes: Changes, limit: number): object {
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [
      name,
      typeof value === 'object' && 'items' in value
        ? {
            count: value.count,
            omitted: value.count - Math.min(limit, value.items.length),
            items: value.items.slice(0, limit),
          }
        : value,
    ]),
  );
}
