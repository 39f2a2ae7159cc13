import { createQueryProblem } from '../http/problem.ts';
import type { Answer } from '../http/answer.ts';
import type { Encoding } from '../http/encoding.ts';
import { createTag, matchesTag } from '../http/etag.ts';
import { executeProducts } from '../query/execute-products.ts';
import { digest } from '../query/meaning.ts';
import type { ProductsQuery } from '../query/query.ts';
import type { ServerSettings } from '../settings.ts';
import { createPageLinks } from './page-links.ts';
import { understandRequest, type MeantRequest, type Snapshots, type Understood } from './understand-request.ts';
import { writeGiftCategories, writeGifts, writeList } from './write-lists.ts';
import { writeProducts } from './write-products.ts';

/** A request of the interface, after routing and the key. */
export interface InterfaceRequest extends MeantRequest {
  readonly ifNoneMatch?: string | undefined;
  /** What the client takes; default as it is. */
  readonly encoding?: Encoding;
}

/** Answers a request from one snapshot: parameters, record, cursor, then 304 or 200, in that order (D3). */
export function answerQuery(request: InterfaceRequest, snapshots: Snapshots, settings: ServerSettings): Answer {
  const understood = understandRequest(request, snapshots, settings);
  if (understood.kind === 'refused') return understood.answer;
  return answerUnderstood(request, understood, settings);
}

function answerUnderstood(request: InterfaceRequest, understood: Understood, settings: ServerSettings): Answer {
  const { query, meaning, offset, snapshot } = understood;
  const { manifest, index, fragments, pictureBaseUrl } = snapshot;
  const encoding = request.encoding ?? 'identity';
  const content = digest(manifest.contentHash, pictureBaseUrl, meaning, String(offset)).slice(0, 22);
  const tag = createTag(content, encoding);
  const headers = {
    'X-Snapshot': manifest.id,
    ETag: tag,
    'Cache-Control': cacheControl(settings),
    Vary: 'Accept-Encoding',
  };
  if (matchesTag(request.ifNoneMatch, tag)) return { status: 304, headers, body: [] };

  const ok = (totalCount: number, body: Answer['body'], more: Readonly<Record<string, string>> = {}): Answer => ({
    status: 200,
    headers: { 'Content-Type': 'application/json', 'X-Total-Count': String(totalCount), ...headers, ...more },
    body,
    encoding,
  });
  switch (query.kind) {
    case 'products': {
      const selection = executeProducts(query, index, offset);
      if (settings.maxDealsPerAnswer !== undefined) {
        const dealCount = selection.deals?.count() ?? 0;
        if (dealCount > settings.maxDealsPerAnswer) {
          return refuseDeals(dealCount, settings.maxDealsPerAnswer, request.requestId, { 'X-Snapshot': manifest.id });
        }
      }
      const body = writeProducts(selection, query.projection, index, fragments);
      return ok(selection.totalCount, body, linkHeader(request.path, understood, query, selection.totalCount));
    }
    case 'giftCategories':
      return ok(index.giftCategories.length, [writeGiftCategories(query, index)]);
    case 'gifts':
      return ok(index.gifts.length, [writeGifts(query, index)]);
    case 'networks':
    case 'retailers':
    case 'manufacturers':
      return ok(index[query.kind].length, [writeList(query, index)]);
  }
}

function cacheControl(settings: ServerSettings): string {
  const { maxAgeSeconds, staleWhileRevalidateSeconds, staleIfErrorSeconds } = settings;
  // A shared cache does not know that x-api-key authorises (RFC 9111 §3.5), hence private.
  return `private, max-age=${maxAgeSeconds}, stale-while-revalidate=${staleWhileRevalidateSeconds}, stale-if-error=${staleIfErrorSeconds}`;
}

function linkHeader(
  path: string,
  { pairs, cursorAt, offset }: Understood,
  { pageLimit }: ProductsQuery,
  totalCount: number,
): Readonly<Record<string, string>> {
  if (totalCount <= pageLimit && offset === 0) return {};
  return { Link: createPageLinks(path, pairs, cursorAt).header(offset, pageLimit, totalCount) };
}

function refuseDeals(count: number, max: number, requestId: string, headers: Readonly<Record<string, string>>): Answer {
  const expected = `at most ${max} deals in one answer; add limit=deals(n) or ask for fewer products`;
  return createQueryProblem(
    [{ code: 'too-many-deals', parameter: 'expand', expected, value: `${count} deals`, suggestion: 'limit=deals(10)' }],
    requestId,
    headers,
  );
}
