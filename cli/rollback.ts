import { rollBack } from '../build/publish/switch-current.ts';
import { isRolledBack } from '../data/store/snapshots.ts';
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
  const { outcome, id, before, faults = [] } = rollBack(store, options.to);
  if (outcome === 'none-before' || id === undefined) {
    throw new CommandError(
      `${store}: expected a snapshot that was published before ${before ?? 'the current one'}, found none; deals status lists those there are`,
    );
  }
  const messages = faults.map(({ message }) => message);
  const results = {
    damaged: [{ current: before, faults: messages }, messages],
    'already-current': [{ current: id }, [`current already: ${id}`]],
    switched: [{ current: id }, [`before:  ${before ?? 'none that can be read'}`, `current: ${id}`]],
  } as const;
  const [facts, lines] = results[outcome];
  output.report(options, { outcome, snapshot: id, before, ...facts }, lines);
  if (outcome === 'switched' && before !== undefined && isRolledBack(store, before)) {
    output.message('The next build publishes the sources again: mend, exclude or hold back what is wrong first.');
  }
  if (outcome !== 'damaged') return EXIT.ok;
  output.error(
    `${id}: ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}; nothing was changed: ${before ?? 'no snapshot'} is current. Name another with --to`,
  );
  return EXIT.failed;
}
