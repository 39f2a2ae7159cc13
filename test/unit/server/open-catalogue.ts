import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSnapshot, type LoadedSnapshot } from '../../../server/snapshot/load-snapshot.ts';
import { FIXTURE } from '../../contract/fixture-catalogue.ts';
import type { OracleCatalogue } from '../../oracle/catalogue.ts';
import { DEFAULT_SETTINGS } from '../../oracle/settings.ts';
import { writeSnapshot } from '../../oracle/write-snapshot.ts';

/** The catalogue as a server holds it: through the files and back. */
export async function openCatalogue(catalogue: OracleCatalogue = FIXTURE): Promise<LoadedSnapshot> {
  const store = mkdtempSync(join(tmpdir(), 'deals-open-'));
  try {
    const id = writeSnapshot(catalogue, store);
    return await loadSnapshot(store, id, { publicUrl: DEFAULT_SETTINGS.publicUrl });
  } finally {
    rmSync(store, { recursive: true });
  }
}
