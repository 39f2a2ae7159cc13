import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createCachedAnswer, type HeaderValues } from './http/answer-cache.ts';
import type { Answer } from './http/answer.ts';
import { answerOtherMethod, checkKey, refuseAnywhere, refuseOverLimit, refusePath } from './http/check-request.ts';
import { createCorsHeaders, readOrigin, setCorsHeaders, setShare, variesByOrigin } from './http/cors.ts';
import { EncodingMemory } from './http/encoding-memory.ts';
import { findHotRequest } from './http/hot-path.ts';
import type { Incoming } from './http/incoming.ts';
import { LoadShedder, type Asker } from './http/load-shedder.ts';
import { describeError, type Log } from './http/log.ts';
import { createProblem } from './http/problem.ts';
import { readPlainHeaders, toOriginForm } from './http/raw-request.ts';
import { findRoute, type Route } from './http/route.ts';
import { NO_SNIFF } from './http/security-headers.ts';
import { sendAnswer, sendForKeeping } from './http/send-answer.ts';
import { sendReady } from './http/send-ready.ts';
import { hideKeys } from './key/hide-keys.ts';
import type { KeyRing } from './key/key-ring.ts';
import type { RateLimiter } from './key/rate-limiter.ts';
import type { RequestCounts } from './metrics/request-counts.ts';
import { splitTarget } from './query/split-target.ts';
import { answerQuery } from './respond/answer-query.ts';
import type { ServerSettings } from './settings.ts';
import { createSite } from './site/create-site.ts';
import type { OpenSnapshot } from './snapshot/open-snapshot.ts';
import type { SnapshotHolder } from './snapshot/snapshot-holder.ts';

const INTERFACE_PREFIX = '/deals/';
/** Whoever watches the service is always answered. */
const HEALTH_PREFIX = '/health/';

export interface AppOptions {
  readonly store: string;
  readonly snapshots: SnapshotHolder;
  /** The keys as they are now; asked for every request, so that a change needs no restart. */
  readonly keyRing: () => KeyRing;
  /** How long the key file cannot be read; absent where there is no file. */
  readonly keysUnreadableSeconds?: () => number;
  readonly rateLimiter: RateLimiter;
  /** The folder of the pages: immutable while the server runs. */
  readonly pageFolder: string;
  readonly settings: ServerSettings;
  readonly log: Log;
  /** Gets an entry for every request; absent for no access log. */
  readonly accessLog?: Log;
  /** Counts every request; absent when nobody asks for metrics. */
  readonly counts?: RequestCounts;
  readonly now: () => Date;
}

/**
 * The request listener of the service. A request that was answered before takes the hot path; the interface has routes
 * of its own, compared as sent; polka routes all the rest, each guarded against what polka lets pass (case, double
 * slashes, other methods). Checks come in the order of D3.
 */
export function createApp(options: AppOptions): RequestListener {
  const { settings, snapshots, accessLog, counts, rateLimiter } = options;
  const isWatched = accessLog !== undefined || counts !== undefined;
  const { corsOrigins } = settings;
  const encodings = new EncodingMemory();
  const hotPath = { ...options, encodings };
  const bootId = randomBytes(4).toString('hex');
  let requestCount = 0;

  /** Answers 500, without the cause, which goes to the log; an answer under way can only be cut off (D17). */
  const answerFault = (req: IncomingMessage, res: ServerResponse, requestId: string, error: unknown): void => {
    options.log({ event: 'request-failed', requestId, cause: describeError(error) });
    if (res.headersSent) {
      res.destroy();
      return;
    }
    try {
      res.setHeader('X-Request-Id', requestId);
      // Of the body that was not sent.
      res.removeHeader('Content-Encoding');
      const problem = createProblem('internal-error', { detail: 'internal error', requestId });
      sendAnswer(req, res, problem).catch(() => res.destroy());
    } catch {
      // The fault is in what tells of faults: thrown here it would end the process.
      res.destroy();
    }
  };

  const site = createSite({ ...options, answerFault });
  const shedder = settings.shedsLoad ? new LoadShedder(options.log) : undefined;

  /** Tells of a request when it is over; the name of its key may be found out until then. */
  const logWhenClosed = (
    req: IncomingMessage,
    res: ServerResponse,
    request: Pick<Incoming, 'id' | 'path' | 'keyName' | 'label'>,
    startedAt: number,
  ): void => {
    const { socket } = req;
    const bytesBefore = socket.bytesWritten;
    res.once('close', () => {
      accessLog?.({
        event: 'request',
        requestId: request.id,
        method: req.method,
        path: hideKeys(request.path).slice(0, 200),
        route: request.label,
        status: res.statusCode,
        bytes: socket.bytesWritten - bytesBefore,
        key: request.keyName,
        milliseconds: Math.round((performance.now() - startedAt) * 10) / 10,
        finished: res.writableFinished,
      });
    });
  };

  /** Counts a request when it is over; what it was about may be found out until then. */
  const countWhenClosed = (res: ServerResponse, request: Pick<Incoming, 'label'>, startedAt: number): void => {
    res.once('close', () => {
      counts?.count(request.label, res.headersSent ? res.statusCode : undefined, performance.now() - startedAt);
    });
  };

  const answerHot = (req: IncomingMessage, res: ServerResponse, id: string, startedAt: number): boolean => {
    const hot = findHotRequest(req, hotPath);
    if (hot === undefined) return false;
    const share = rateLimiter.take(hot.holder.id);
    // A refusal takes nothing of the share: the long way finds the same, and says it.
    if (share?.isOver === true) return false;
    const path = isWatched ? splitTarget(req.url ?? '/').path : '';
    if (accessLog !== undefined) {
      const label = findRoute(path)?.endpoint ?? 'other';
      logWhenClosed(req, res, { id, path, keyName: hot.holder.name, label }, startedAt);
    }
    const corsHeaders = createCorsHeaders(hot.origin, corsOrigins, share !== undefined);
    sendReady(req, res, hot.answer, { requestId: id, corsHeaders, share });
    if (counts !== undefined) {
      counts.cacheHits++;
      // It has been written whole; to wait for the system to have taken it would cost more than the rest.
      counts.count(findRoute(path)?.endpoint ?? 'other', hot.answer.status, performance.now() - startedAt);
    }
    return true;
  };

  const findAsker = (req: IncomingMessage): Asker => {
    const key = readPlainHeaders(req)?.apiKey;
    return key !== undefined && options.keyRing().check(key, options.now()).kind === 'valid'
      ? 'with-key'
      : 'without-key';
  };

  /** Refuses what would have to be worked at: an answer at hand costs no more than this. */
  const refuseWork = (req: IncomingMessage, res: ServerResponse, id: string, shedding: LoadShedder): void => {
    setCorsHeaders(res, readOrigin(req), corsOrigins);
    shedding.refuse(req, res, id, { [NO_SNIFF.name]: NO_SNIFF.value });
    if (counts === undefined) return;
    counts.shed++;
    counts.count('other', res.statusCode, 0);
  };

  const accept = async (req: IncomingMessage, res: ServerResponse, id: string, startedAt: number): Promise<void> => {
    const target = toOriginForm(req.url ?? '/');
    const request: Incoming = { id, target, ...splitTarget(target), label: 'other' };
    if (accessLog !== undefined) logWhenClosed(req, res, request, startedAt);
    if (counts !== undefined) countWhenClosed(res, request, startedAt);
    res.setHeader('X-Request-Id', id);
    res.setHeader(NO_SNIFF.name, NO_SNIFF.value);
    setCorsHeaders(res, readOrigin(req), corsOrigins);
    const isInterface = request.path.startsWith(INTERFACE_PREFIX);
    // On every answer of the interface, errors included (D18); an answer from another snapshot replaces it.
    const current = snapshots.current?.manifest.id;
    if (isInterface && current !== undefined) res.setHeader('X-Snapshot', current);
    const refusal = refuseAnywhere(req, target, id);
    if (refusal !== undefined) return sendAnswer(req, res, refusal);
    return isInterface ? acceptInterface(req, res, request) : site(req, res, request);
  };

  const acceptInterface = (req: IncomingMessage, res: ServerResponse, request: Incoming): Promise<void> => {
    const route = findRoute(request.path);
    if (route === undefined) return sendAnswer(req, res, refusePath(request.path, request.id));
    request.label = route.endpoint;
    const otherMethod = answerOtherMethod(req, request.id);
    if (otherMethod !== undefined) return sendAnswer(req, res, otherMethod);
    const admission = checkKey(req, options.keyRing(), options.now(), request.id);
    if (admission.kind === 'refused') return sendAnswer(req, res, admission.answer);
    const { holder } = admission;
    request.keyName = holder.name;
    const share = rateLimiter.take(holder.id);
    if (share !== undefined) setShare(res, share);
    if (share?.isOver === true) {
      if (counts !== undefined) counts.rateLimited++;
      return sendAnswer(req, res, refuseOverLimit(share, request.id));
    }
    return answer(req, res, request, route);
  };

  const answer = async (req: IncomingMessage, res: ServerResponse, request: Incoming, route: Route): Promise<void> => {
    const { target, path, query, id: requestId } = request;
    const snapshot = snapshots.current;
    const encoding = encodings.negotiate(req);
    const ifNoneMatch = req.headers['if-none-match'];
    const ready = snapshot?.answers.find(target, encoding, ifNoneMatch);
    if (ready !== undefined) {
      if (counts !== undefined) counts.cacheHits++;
      sendReady(req, res, ready, { requestId });
      return;
    }
    if (counts !== undefined) counts.cacheMisses++;
    const made = answerQuery({ route, path, query, ifNoneMatch, encoding, requestId }, snapshots, settings);
    if (snapshot?.answers.isOn !== true) return sendAnswer(req, res, made);
    const body = await sendForKeeping(req, res, made);
    const tag = findKeptTag(made, body, snapshot);
    if (tag === undefined) return;
    const headers = headersToKeep(made, res.getHeader('Content-Encoding'), corsOrigins);
    snapshot.answers.keep(target, encoding, createCachedAnswer(tag, headers, made.status === 304 ? undefined : body));
  };

  return (req, res) => {
    const startedAt = isWatched ? performance.now() : 0;
    const id = `${bootId}-${(++requestCount).toString(36)}`;
    try {
      if (answerHot(req, res, id, startedAt)) return;
      if (shedder?.isOverloaded(findAsker(req)) === true && !(req.url ?? '').startsWith(HEALTH_PREFIX)) {
        refuseWork(req, res, id, shedder);
        return;
      }
    } catch {
      // The long way meets the same fault, and answers it.
    }
    accept(req, res, id, startedAt).catch((error: unknown) => answerFault(req, res, id, error));
  };
}

/** The tag under which an answer is kept; undefined for one that is not. */
function findKeptTag(made: Answer, body: Buffer | undefined, snapshot: OpenSnapshot | undefined): string | undefined {
  const { ETag: tag, 'X-Snapshot': snapshotId } = made.headers;
  // An answer from the snapshot before the current one is asked for by few and not for long.
  if (snapshot === undefined || snapshotId !== snapshot.manifest.id) return undefined;
  return made.status === 304 || (made.status === 200 && body !== undefined) ? tag : undefined;
}

/** The headers of an answer as they were sent, but for those that depend on who asked. */
function headersToKeep({ headers }: Answer, contentEncoding: unknown, corsOrigins: readonly string[]): HeaderValues {
  const kept: Record<string, string | readonly string[]> = { ...headers };
  if (typeof contentEncoding === 'string') kept['Content-Encoding'] = contentEncoding;
  if (headers['Vary'] !== undefined && variesByOrigin(corsOrigins)) kept['Vary'] = ['Origin', headers['Vary']];
  return kept;
}
