import { isRolledBack, type StoredSnapshot } from '../../data/store/snapshots.ts';
import { formatTable } from '../console/output.ts';

export function listStored(
  store: string,
  { id, sequence, manifest, fault }: StoredSnapshot,
  currentId: string | undefined,
) {
  return {
    id,
    sequence,
    isCurrent: id === currentId,
    /** An operator went back from it: only an operator makes it current again. */
    isRolledBack: isRolledBack(store, id) || undefined,
    createdAt: manifest?.createdAt,
    products: manifest?.counts.products,
    deals: manifest?.counts.deals,
    /** Why its manifest cannot be read. */
    fault: fault?.message,
  };
}

export function formatSnapshots(snapshots: readonly ReturnType<typeof listStored>[]): readonly string[] {
  const rows = snapshots.map(({ id, sequence, createdAt = '', products = '', deals = '', ...marks }) => {
    const notes = [marks.isCurrent && 'current', marks.isRolledBack && 'rolled back from', marks.fault];
    return [id, sequence, createdAt, products, deals, notes.filter(Boolean).join('; ')];
  });
  return formatTable(['snapshot', 'sequence', 'published', 'products', 'deals', ''], rows);
}
