import { readCurrent } from '../../../data/store/snapshots.ts';
import { loadSnapshot, type LoadedSnapshot } from '../../../server/snapshot/load-snapshot.ts';
import { withStore } from '../../harness.ts';
import { PUBLIC_URL, type OracleCatalogue } from '../../oracle/catalogue.ts';

/** The catalogue, or the fixture, as a server holds it: through the files and back. */
export async function openCatalogue(catalogue?: OracleCatalogue): Promise<LoadedSnapshot> {
  const { store, remove } = await withStore(catalogue);
  try {
    return await loadSnapshot(store, readCurrent(store) ?? '', { publicUrl: PUBLIC_URL });
  } finally {
    remove();
  }
}
