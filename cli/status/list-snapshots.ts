import { isRolledBack, type StoredSnapshot } from '../../data/store/snapshots.ts';
import { formatTable } from '../console/output.ts';

export interface ListedSnapshot {
  readonly id: string;
  readonly sequence: number;
  readonly isCurrent: boolean;
  /** An operator went back from it: only an operator makes it current again. */
  readonly isRolledBack: true | undefined;
  readonly createdAt: string | undefined;
  readonly products: number | undefined;
  readonly deals: number | undefined;
  /** Why its manifest cannot be read. */
  readonly fault: string | undefined;
}

export function listStored(
  store: string,
  { id, sequence, manifest, fault }: StoredSnapshot,
  currentId: string | undefined,
): ListedSnapshot {
  return {
    id,
    sequence,
    isCurrent: id === currentId,
    isRolledBack: isRolledBack(store, id) || undefined,
    createdAt: manifest?.createdAt,
    products: manifest?.counts.products,
    deals: manifest?.counts.deals,
    fault: fault?.message,
  };
}

export function formatSnapshots(snapshots: readonly ListedSnapshot[]): readonly string[] {
  const rows = snapshots.map(({ id, sequence, createdAt = '', products = '', deals = '', ...marks }) => {
    const notes = [marks.isCurrent && 'current', marks.isRolledBack && 'rolled back from', marks.fault];
    return [id, sequence, createdAt, products, deals, notes.filter(Boolean).join('; ')];
  });
  return formatTable(['snapshot', 'sequence', 'published', 'products', 'deals', ''], rows);
}
