import { rollBack, type Rollback } from '../build/publish/switch-current.ts';
import { isRolledBack, listSnapshots } from '../data/store/snapshots.ts';
import type { Manifest } from '../data/snapshot/format.ts';
import { snapshotErrorMessage } from '../data/snapshot/snapshot-error.ts';
import { CommandError, defineCommand, EXIT, type Context, type ExitCode } from './console/command.ts';
import { option, READ, type ReadOptions, requireSnapshot } from './console/options.ts';

interface RollbackOptions extends ReadOptions {
  readonly to?: string;
}

/** Makes an older snapshot current until the next build. */
export const createRollbackCommand = defineCommand<RollbackOptions>({
  name: 'rollback',
  description: 'verify an older snapshot and make it current',
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
  const [json, lines] = describeRollback(rollback, store);
  output.report(options, json, lines);
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

/** A rollback for programs and for people. */
function describeRollback(
  rollback: Exclude<Rollback, { readonly outcome: 'none-before' }>,
  store: string,
): readonly [json: object, lines: readonly string[]] {
  switch (rollback.outcome) {
    case 'damaged': {
      const { outcome, id, before } = rollback;
      const faults = rollback.faults.map(snapshotErrorMessage);
      return [{ outcome, snapshot: id, before, current: before, faults }, faults];
    }
    case 'already-current': {
      const { outcome, current } = rollback;
      return [{ outcome, snapshot: current, before: current, current }, [`current already: ${current}`]];
    }
    case 'switched': {
      const { outcome, before, current } = rollback;
      const counts = { before: findCounts(store, before), current: findCounts(store, current) };
      const from = before === undefined ? 'none that can be read' : describeSnapshot(before, counts.before);
      return [
        { outcome, snapshot: current, before, current, counts },
        [`before:  ${from}`, `current: ${describeSnapshot(current, counts.current)}`],
      ];
    }
  }
}

type Counts = Pick<Manifest['counts'], 'products' | 'deals'>;

/** Undefined when the manifest cannot be read. */
function findCounts(store: string, wanted: string | undefined): Counts | undefined {
  const counts = listSnapshots(store).find(({ id }) => id === wanted)?.manifest?.counts;
  return counts && { products: counts.products, deals: counts.deals };
}

function describeSnapshot(id: string, counts: Counts | undefined): string {
  return counts === undefined ? id : `${id}, ${counts.products} products, ${counts.deals} deals`;
}
