import { Command } from 'commander';
import { readCurrentId } from '../server/snapshot/read-manifest.ts';
import type { Context } from './context.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { measureSnapshot, type FileSize, type SnapshotSize } from './measure-snapshot.ts';
import { configOption, describeExamples, jsonOption, storeOption } from './option.ts';
import { requireStore, type StoreOptions } from './store.ts';
import { formatTable } from './table.ts';

interface InspectOptions extends StoreOptions {
  readonly json?: true;
}

/** `deals inspect`: why is a snapshot this big? */
export function createInspectCommand(context: Context): Command {
  return new Command('inspect')
    .description('show what takes the bytes of a snapshot: each file, column and dictionary')
    .argument('[snapshot]', 'its id (default: the current one)')
    .addOption(storeOption())
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      describeExamples('deals inspect --store dist/catalogue', 'deals inspect --store dist/catalogue --json'),
    )
    .action(async (id: string | undefined, options: InspectOptions) =>
      context.end(await inspect(context, id, options)),
    );
}

async function inspect({ output }: Context, id: string | undefined, options: InspectOptions): Promise<ExitCode> {
  const store = await requireStore(options, id === undefined ? 'current' : 'store');
  const size = await measureSnapshot(store, id ?? (await readCurrentId(store)));
  output.result(options.json === true ? `${JSON.stringify(size, undefined, 2)}\n` : describeSize(size));
  return EXIT.ok;
}

function describeSize({ snapshot, bytes, files, pictures }: SnapshotSize): string {
  const overview = formatTable(
    [snapshot, 'bytes', 'share', 'lines'],
    files.map((file) => [file.file, file.bytes, share(file.bytes, bytes), file.lines]),
  );
  const total = `${bytes} bytes in all, and ${pictures.bytes} in ${pictures.count} pictures\n`;
  return [overview, total, ...files.filter(({ keys }) => keys.length > 0).map(describeFile)].join('\n');
}

function describeFile({ file, bytes, keys }: FileSize): string {
  const rest = bytes - keys.reduce((sum, key) => sum + key.bytes, 0);
  return formatTable(
    [file, 'bytes', 'share', 'entries', 'in memory'],
    [
      ...keys.map((key) => [key.key, key.bytes, share(key.bytes, bytes), key.entries ?? '', key.memoryBytes ?? '']),
      ['names and punctuation', rest, share(rest, bytes), '', ''],
    ],
  );
}

function share(part: number, whole: number): string {
  return whole === 0 ? '' : `${((part / whole) * 100).toFixed(1)}%`;
}
