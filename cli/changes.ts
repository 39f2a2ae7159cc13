import { compareSnapshots, readPublishedChanges } from '../build/changes/compare-snapshots.ts';
import { describeChanges } from '../build/changes/describe-changes.ts';
import { openSnapshotLines } from '../data/store/lines.ts';
import { readManifest } from '../data/store/snapshots.ts';
import { MAX_LISTED_CHANGES } from '../data/snapshot/changes.ts';
import { defineCommand, EXIT, type Context, type ExitCode } from './console/command.ts';
import { option, READ, type ReadOptions, requireSnapshot, wholeNumber } from './console/options.ts';

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
    option(
      '--limit <number>',
      `show this many changes of each kind (default: ${SHOWN_CHANGES}); --json has all that are listed`,
      wholeNumber(0, MAX_LISTED_CHANGES),
    ),
    ...READ,
  ],
  examples: ['deals changes --store dist/catalogue', 'deals changes --store dist/catalogue --json'],
  run: showChanges,
});

async function showChanges(
  { output }: Context,
  options: ChangesOptions,
  from?: string,
  wantedTo?: string,
): Promise<ExitCode> {
  const { store, id: to } = await requireSnapshot(options, wantedTo);
  const open = (id: string) => openSnapshotLines(store, readManifest(store, id));
  const changes =
    from === undefined
      ? // The published changes: the snapshot before may be deleted by now.
        readPublishedChanges(store, readManifest(store, to))
      : { from, ...compareSnapshots(open(from), open(to)) };
  output.report(options, { to, ...changes }, describeChanges(to, changes, options.limit ?? SHOWN_CHANGES));
  return EXIT.ok;
}
