import type { ListedSnapshot } from '../../data/store/snapshots.ts';
import { formatTable } from '../console/output.ts';

export function formatSnapshots(snapshots: readonly ListedSnapshot[]): readonly string[] {
  const rows = snapshots.map(({ id, sequence, createdAt = '', counts, ...marks }) => {
    const notes = [marks.isCurrent && 'current', marks.isRolledBack && 'rolled back from', marks.fault];
    return [id, sequence, createdAt, counts?.products ?? '', counts?.deals ?? '', notes.filter(Boolean).join('; ')];
  });
  return formatTable(['snapshot', 'sequence', 'published', 'products', 'deals', ''], rows);
}
