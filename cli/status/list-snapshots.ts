import { isRolledBack, type StoredSnapshot } from '../../data/store/snapshots.ts';
import { formatTable } from '../console/output.ts';

export interface ListedSnapshot {
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

export function listStored(
  store: string,
  { id, sequence, manifest, fault }: StoredSnapshot,
  currentId: string | undefined,
): ListedSnapshot {
  const left = isRolledBack(store, id) ? { isRolledBack: true as const } : {};
  const known = { id, sequence, isCurrent: id === currentId, ...left };
  if (manifest === undefined) return { ...known, ...(fault === undefined ? {} : { fault: fault.message }) };
  const { createdAt, counts } = manifest;
  return { ...known, createdAt, products: counts.products, deals: counts.deals };
}

export function formatSnapshots(snapshots: readonly ListedSnapshot[]): readonly string[] {
  const rows = snapshots.map(
    ({ id, sequence, createdAt, products, deals, isCurrent, isRolledBack: wasLeft, fault }) => [
      id,
      sequence,
      createdAt ?? '',
      products ?? '',
      deals ?? '',
      [...(isCurrent ? ['current'] : []), ...(wasLeft === true ? ['rolled back from'] : []), fault ?? []]
        .flat()
        .join('; '),
    ],
  );
  return formatTable(['snapshot', 'sequence', 'published', 'products', 'deals', ''], rows);
}
