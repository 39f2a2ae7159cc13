import { respondToQuery, singleSnapshot } from './catalogue.ts';
import { toOriginForm } from './http/request.ts';
import { errorResponse, readBody, type ApiResponse } from './http/response.ts';
import { splitTarget } from './query/query-string.ts';
import { DEFAULT_SETTINGS } from './settings.ts';
import type { LoadedSnapshot } from './snapshot/load-snapshot.ts';

export interface OfflineResponse extends Pick<ApiResponse, 'status' | 'headers'> {
  readonly body: string;
}

/** Answers a request from a snapshot without a server: what a server without settings answers to a valid key, not encoded. */
export function answerOffline(snapshot: LoadedSnapshot, target: string, ifNoneMatch?: string): OfflineResponse {
  const request = { ...splitTarget(toOriginForm(target)), ifNoneMatch };
  const found = respondToQuery(request, singleSnapshot(snapshot), DEFAULT_SETTINGS);
  const { status, headers, body } = 'code' in found ? errorResponse(found, 'offline') : found;
  return { status, headers: { ...headers, 'X-Snapshot': snapshot.manifest.id }, body: readBody({ body }) };
}
