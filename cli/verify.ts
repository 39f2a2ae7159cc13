import { Command } from 'commander';
import { isOfChangesFile, verifySnapshot } from '../build/publish/verify.ts';
import { SnapshotError, snapshotErrorMessage } from '../data/snapshot/snapshot-error.ts';
import { readCurrentId } from '../data/store/read-store.ts';
import { EXIT, type Context, type ExitCode } from './console/command.ts';
import {
  configOption,
  describeExamples,
  jsonOption,
  requireStore,
  storeOption,
  type StoreOptions,
} from './console/options.ts';
import { formatJson, formatLines } from './console/output.ts';

interface VerifyOptions extends StoreOptions {
  readonly json?: true;
}

/** `deals verify`: checks that a snapshot is as it was published. */
export function createVerifyCommand(context: Context): Command {
  return new Command('verify')
    .description(
      'check every hash, schema, reference and picture of a snapshot; one that is damaged ends with exit code 1',
    )
    .argument('[snapshot]', 'its id (default: the current one)')
    .addOption(storeOption())
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      describeExamples('deals verify --store dist/catalogue', 'deals verify --store dist/catalogue --json'),
    )
    .action(async (id: string | undefined, options: VerifyOptions) => context.end(await verify(context, id, options)));
}

async function verify({ output }: Context, wantedId: string | undefined, options: VerifyOptions): Promise<ExitCode> {
  const store = await requireStore(options, wantedId === undefined ? 'current' : 'store');
  const id = wantedId ?? (await readCurrentId(store));
  const issues = verifySnapshot(store, id);
  const unknown = issues.find(({ code }) => code === 'unknown-snapshot');
  if (unknown !== undefined) throw new SnapshotError(unknown);
  const faults = issues.map(snapshotErrorMessage);
  output.result(
    options.json === true
      ? formatJson({ snapshot: id, faults })
      : formatLines(faults.length === 0 ? [`${id}: sound`] : faults),
  );
  if (faults.length === 0) return EXIT.ok;
  output.error(
    issues.every(isOfChangesFile)
      ? `${id}: only its list of changes is damaged, what is served of it is sound; the next deals build publishes it again`
      : `${id}: ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}; publish again with deals build`,
  );
  return EXIT.failed;
}
