import { ENDPOINTS, type Endpoint, type EndpointName } from '../../../data/query/endpoint.ts';
import type { CatalogueIndex } from '../../../data/snapshot/catalogue-index.ts';
import { parseQuery, type ParsedQuery } from '../../../server/query/parse-query.ts';
import type { QueryString } from '../../../server/query/query-text.ts';
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

/** What an endpoint reads in a query string. */
export function parseAt(name: EndpointName, query: QueryString, index: CatalogueIndex): ParsedQuery {
  return parseQuery({ endpoint: ENDPOINTS.find((row) => row.name === name) as Endpoint, query }, index);
}
