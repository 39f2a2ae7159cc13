import { rollBack, type Rollback } from '../build/publish/rollback.ts';
import { isRolledBack, listSnapshots } from '../data/store/snapshots.ts';
import { snapshotErrorMessage } from '../data/snapshot/snapshot-error.ts';
import { CommandError, defineCommand, EXIT, type Context, type ExitCode } from './console/command.ts';
import { option, READ } from './console/options.ts';
import { requireSnapshot, type ReadOptions } from './console/store.ts';

interface RollbackOptions extends ReadOptions {
  readonly to?: string;
}

/** Makes an older snapshot current until the next build. */
export const createRollbackCommand = defineCommand<RollbackOptions>({
  name: 'rollback',
  description: 'verify an older snapshot and make it current; one that is damaged ends with exit code 1',
  options: [option('--to <snapshot>', 'its id (default: the one published before the current one)'), ...READ],
  note: 'It needs two snapshots; with one it ends with exit code 2.',
  examples: ['deals rollback --store dist/catalogue', 'deals rollback --store dist/catalogue --json'],
  run: rollBackStore,
});

async function rollBackStore({ output }: Context, options: RollbackOptions): Promise<ExitCode> {
  const { store } = await requireSnapshot(options, options.to);
  const rollback = rollBack(store, options.to);
  if (rollback.outcome === 'none-before') {
    throw new CommandError(
      EXIT.usage,
      `${store}: expected a snapshot that was published before ${rollback.before ?? 'the current one'}, found none; deals status lists those there are`,
    );
  }
  const countsOf = createCountsOf(store);
  output.report(options, toJson(rollback, countsOf), describeRollback(rollback, countsOf));
  if (rollback.outcome === 'switched' && rollback.before !== undefined && isRolledBack(store, rollback.before)) {
    output.message('The next build publishes the sources again: mend, exclude or hold back what is wrong first.');
  }
  if (rollback.outcome !== 'damaged') return EXIT.ok;
  const { id, faults, before } = rollback;
  output.error(
    `${id}: ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}; nothing was changed: ${before ?? 'no snapshot'} is current. Name another with --to`,
  );
  return EXIT.failed;
}

type FinishedRollback = Exclude<Rollback, { readonly outcome: 'none-before' }>;

interface Counts {
  readonly products: number;
  readonly deals: number;
}

/** Undefined when the manifest cannot be read. */
type CountsOf = (id: string | undefined) => Counts | undefined;

function createCountsOf(store: string): CountsOf {
  const snapshots = listSnapshots(store);
  return (wanted) => {
    const counts = snapshots.find(({ id }) => id === wanted)?.manifest?.counts;
    return counts === undefined ? undefined : { products: counts.products, deals: counts.deals };
  };
}

function toJson(rollback: FinishedRollback, countsOf: CountsOf): object {
  switch (rollback.outcome) {
    case 'damaged': {
      const { outcome, id, before, faults } = rollback;
      return { outcome, snapshot: id, before, current: before, faults: faults.map(snapshotErrorMessage) };
    }
    case 'already-current': {
      const { outcome, current } = rollback;
      return { outcome, snapshot: current, before: current, current };
    }
    case 'switched': {
      const { outcome, before, current } = rollback;
      return {
        outcome,
        snapshot: current,
        before,
        current,
        counts: { before: countsOf(before), current: countsOf(current) },
      };
    }
  }
}

function describeRollback(rollback: FinishedRollback, countsOf: CountsOf): readonly string[] {
  const describe = (id: string | undefined): string => {
    if (id === undefined) return 'none that can be read';
    const counts = countsOf(id);
    return counts === undefined ? id : `${id}, ${counts.products} products, ${counts.deals} deals`;
  };
  switch (rollback.outcome) {
    case 'damaged':
      return rollback.faults.map(snapshotErrorMessage);
    case 'already-current':
      return [`current already: ${rollback.current}`];
    case 'switched':
      return [`before:  ${describe(rollback.before)}`, `current: ${describe(rollback.current)}`];
  }
}
