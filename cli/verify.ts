import { verifySnapshot } from '../build/publish/verify.ts';
import { defineCommand, EXIT, type Context, type ExitCode } from './console/command.ts';
import { READ, type ReadOptions, requireSnapshot } from './console/options.ts';

/** Checks that a snapshot is as it was published. */
export const createVerifyCommand = defineCommand<ReadOptions, [id?: string]>({
  name: 'verify',
  description: 'check every hash, schema, reference and picture of a snapshot',
  arguments: [['[snapshot]', 'its id (default: the current one)']],
  options: READ,
  examples: ['deals verify --store dist/catalogue', 'deals verify --store dist/catalogue --json'],
  run: verify,
});

async function verify({ output }: Context, options: ReadOptions, wantedId?: string): Promise<ExitCode> {
  const { store, id } = await requireSnapshot(options, wantedId);
  const faults = verifySnapshot(store, id).map(({ message }) => message);
  output.report(options, { snapshot: id, faults }, faults.length === 0 ? [`${id}: sound`] : faults);
  if (faults.length === 0) return EXIT.ok;
  output.error(`${id}: ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}; publish again with deals build`);
  return EXIT.failed;
}
