import { isRolledBack, listSnapshots, readCurrent, type StoredSnapshot } from '../data/store/snapshots.ts';
import { writeBuildCommand } from '../build/report/build-result.ts';
import { SnapshotError } from '../data/snapshot/snapshot-error.ts';
import { EXIT, type Context, type ExitCode } from './console/command.ts';
import { defineCommand, readOptions, requireStore, type ReadOptions } from './console/options.ts';
import { formatJson, formatTable } from './console/output.ts';

/** Lists the snapshots of the store. */
export const createSnapshotsCommand = defineCommand<ReadOptions>({
  name: 'snapshots',
  description: 'list the snapshots of the store, newest first',
  options: readOptions(),
  examples: ['deals snapshots --store dist/catalogue', 'deals snapshots --store dist/catalogue --json'],
  run: showSnapshots,
});

async function showSnapshots({ output }: Context, options: ReadOptions): Promise<ExitCode> {
  const store = await requireStore(options);
  const { id: currentId, fault } = findCurrent(store);
  const exitCode = fault === undefined ? EXIT.ok : EXIT.failed;
  if (fault !== undefined) output.error(fault);
  const snapshots = listSnapshots(store)
    .toReversed()
    .map((snapshot) => describeSnapshot(snapshot, isRolledBack(store, snapshot.id), currentId));
  if (options.json === true) {
    output.result(formatJson({ ...(fault === undefined ? {} : { fault }), snapshots }));
    return exitCode;
  }
  if (snapshots.length === 0) {
    const { config, store: given } = options;
    output.message(`${store}: no snapshot is there; run ${writeBuildCommand({ config, store: given })} first`);
    return exitCode;
  }
  output.result(
    formatTable(
      ['snapshot', 'sequence', 'published', 'products', 'deals', ''],
      snapshots.map(({ id, sequence, createdAt, products, deals, isCurrent, isRolledBack, fault }) => [
        id,
        sequence,
        createdAt ?? '',
        products ?? '',
        deals ?? '',
        [isCurrent ? 'current' : '', isRolledBack === true ? 'rolled back from' : '', fault ?? '']
          .filter((word) => word !== '')
          .join('; '),
      ]),
    ),
  );
  return exitCode;
}

/** The current snapshot; `fault` says why it is unknown. */
function findCurrent(store: string): { readonly id?: string | undefined; readonly fault?: string } {
  try {
    return { id: readCurrent(store) };
  } catch (error) {
    if (error instanceof SnapshotError) return { fault: error.message };
    throw error;
  }
}

interface ListedSnapshot {
  readonly id: string;
  readonly sequence: number;
  readonly isCurrent: boolean;
  /** An operator went back from it: only an operator makes it current again. */
  readonly isRolledBack?: true;
  readonly createdAt?: string;
  readonly products?: number;
  readonly deals?: number;
  /** Why its manifest cannot be read. */
  readonly fault?: string;
}

function describeSnapshot(
  { id, sequence, manifest, fault }: StoredSnapshot,
  wasLeft: boolean,
  currentId?: string,
): ListedSnapshot {
  const known = { id, sequence, isCurrent: id === currentId, ...(wasLeft ? { isRolledBack: true as const } : {}) };
  if (manifest === undefined) return { ...known, ...(fault === undefined ? {} : { fault: fault.message }) };
  const { createdAt, counts } = manifest;
  return { ...known, createdAt, products: counts.products, deals: counts.deals };
}
