import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { join, relative } from 'node:path';
import polka, { type Middleware } from 'polka';
import sirv from 'sirv';
import { MAX_TARGET_BYTES } from '../data/query/limit.ts';
import type { ProblemCode } from '../data/query/problem.ts';
import { negotiateEncoding } from './http/encoding.ts';
import { describeHealth } from './http/health.ts';
import { describeError, type Log } from './http/log.ts';
import { createProblem, type ProblemFacts } from './http/problem.ts';
import { isProblemCode, writeProblemPage } from './http/problem-page.ts';
import { readOrigin, setCorsHeaders } from './http/cors.ts';
import { countHeader, toOriginForm } from './http/raw-request.ts';
import { findRoute, type Route } from './http/route.ts';
import { sendAnswer, sendForKeeping } from './http/send-answer.ts';
import { sendCached } from './http/send-cached.ts';
import { sendPicture } from './http/send-picture.ts';
import type { KeyRing } from './key/key-ring.ts';
import { splitTarget } from './query/split-target.ts';
import { answerQuery } from './respond/answer-query.ts';
import type { ServerSettings } from './settings.ts';
import type { SnapshotHolder } from './snapshot/snapshot-holder.ts';

const READ_METHODS: readonly (string | undefined)[] = ['GET', 'HEAD'];
const ALLOW = 'GET, HEAD, OPTIONS';

export interface AppOptions {
  readonly store: string;
  readonly snapshots: SnapshotHolder;
  /** The keys as they are now; asked for every request, so that a change needs no restart. */
  readonly keyRing: () => KeyRing;
  /** The folder of the pages: immutable while the server runs. */
  readonly pageFolder: string;
  readonly settings: ServerSettings;
  readonly log: Log;
  readonly now: () => Date;
}

/** What is known of a request before it is routed. */
interface Incoming {
  readonly id: string;
  /** In origin form, exactly as sent. */
  readonly target: string;
  readonly path: string;
  readonly query: string;
  /** The name of the key, once it is known. */
  keyName?: string;
}

/**
 * The request listener of the service: polka routes the areas, each guarded against what polka lets pass (case, double
 * slashes, other methods). Checks come in the order of D3.
 */
export function createApp(options: AppOptions): RequestListener {
  const { settings, snapshots } = options;
  const incoming = new WeakMap<IncomingMessage, Incoming>();
  const bootId = randomBytes(4).toString('hex');
  let requestCount = 0;

  const refuse = (
    req: IncomingMessage,
    res: ServerResponse,
    code: ProblemCode,
    facts: Omit<ProblemFacts, 'requestId'>,
  ) => sendAnswer(req, res, createProblem(code, { ...facts, requestId: requestIdOf(req) }));
  const requestIdOf = (req: IncomingMessage): string => incoming.get(req)?.id ?? bootId;

  const acceptInterface: Middleware = async (req, res) => {
    const request = incoming.get(req) as Incoming;
    const route = findRoute(request.path);
    if (route === undefined) return refuseUnknownPath(req, res);
    if (await refuseMethod(req, res)) return;
    if (await refuseKey(req, res, request)) return;
    return answer(req, res, request, route);
  };

  const refuseUnknownPath = (req: IncomingMessage, res: ServerResponse) =>
    refuse(req, res, 'unknown-path', { detail: 'There is nothing at this path; paths are compared as sent.' });

  /** Answers OPTIONS and refuses everything that is not a read; true when the request is done with (D2). */
  const refuseMethod = async (req: IncomingMessage, res: ServerResponse): Promise<boolean> => {
    if (READ_METHODS.includes(req.method)) return false;
    if (req.method === 'OPTIONS') {
      await sendAnswer(req, res, { status: 204, headers: { Allow: ALLOW }, body: [] });
    } else {
      const detail = `The method ${JSON.stringify(req.method)} is not GET, HEAD or OPTIONS.`;
      await refuse(req, res, 'method-not-allowed', { detail, headers: { Allow: ALLOW } });
    }
    return true;
  };

  const refuseKey = async (req: IncomingMessage, res: ServerResponse, request: Incoming): Promise<boolean> => {
    const headers = { 'WWW-Authenticate': 'ApiKey realm="deals"' };
    if (countHeader(req, 'x-api-key') > 1) {
      await refuse(req, res, 'repeated-header', { detail: 'The header x-api-key was sent more than once.' });
      return true;
    }
    const key = req.headers['x-api-key'];
    if (typeof key !== 'string' || key === '') {
      await refuse(req, res, 'missing-key', { detail: 'The request has no header x-api-key.', headers });
      return true;
    }
    const check = options.keyRing().check(key, options.now());
    switch (check.kind) {
      case 'valid':
        request.keyName = check.name;
        return false;
      case 'expired':
        await refuse(req, res, 'expired-key', { detail: 'The key in x-api-key is no longer valid.', headers });
        return true;
      case 'unknown':
        await refuse(req, res, 'invalid-key', { detail: 'The key in x-api-key is not known here.', headers });
        return true;
    }
  };

  const answer = async (req: IncomingMessage, res: ServerResponse, request: Incoming, route: Route): Promise<void> => {
    const snapshot = snapshots.current;
    const encoding = negotiateEncoding(req);
    const ifNoneMatch = req.headers['if-none-match'];
    const cached = snapshot?.answers.find(request.target, encoding);
    if (cached !== undefined) {
      sendCached(req, res, cached, ifNoneMatch);
      return;
    }
    const { path, query, id: requestId } = request;
    const made = answerQuery({ route, path, query, ifNoneMatch, encoding, requestId }, snapshots, settings);
    const body = await sendForKeeping(req, res, made);
    const { ETag: tag, 'X-Snapshot': snapshotId } = made.headers;
    // An answer from the snapshot before the current one is asked for by few and not for long.
    if (made.status !== 200 || body === undefined || tag === undefined) return;
    if (snapshot === undefined || snapshotId !== snapshot.manifest.id) return;
    const contentEncoding = res.getHeader('Content-Encoding');
    const headers = Object.entries(made.headers);
    if (typeof contentEncoding === 'string') headers.push(['Content-Encoding', contentEncoding]);
    snapshot.answers.keep(request.target, encoding, { tag, headers, body });
  };

  const showHealth: Middleware = async (req, res, next) => {
    const { path } = incoming.get(req) as Incoming;
    const health = describeHealth(path, snapshots.current?.manifest, options.now(), settings.staleAfterHours);
    if (health === undefined) return next();
    if (await refuseMethod(req, res)) return;
    const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...health.headers };
    return sendAnswer(req, res, { status: health.status, headers, body: [JSON.stringify(health.body)] });
  };

  const showPicture: Middleware = async (req, res, next) => {
    const { path } = incoming.get(req) as Incoming;
    const picture = snapshots.held.map(({ index }) => index.pictures.get(path)).find((found) => found !== undefined);
    if (picture === undefined) return next();
    if (await refuseMethod(req, res)) return;
    if (await sendPicture(req, res, options.store, picture)) return;
    options.log({ event: 'picture-missing', path });
    return next();
  };

  const showProblem: Middleware = async (req, res, next) => {
    const { path } = incoming.get(req) as Incoming;
    const code = path.slice('/problems/'.length).replace(/\/$/, '');
    if (!path.startsWith('/problems/') || !isProblemCode(code)) return next();
    if (await refuseMethod(req, res)) return;
    const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'public, max-age=3600' };
    return sendAnswer(req, res, { status: 200, headers, body: [writeProblemPage(code)] });
  };

  const pages = sirv(options.pageFolder, { etag: true });
  const pagePaths = listPagePaths(options.pageFolder);
  const showPage: Middleware = async (req, res, next) => {
    const { path } = incoming.get(req) as Incoming;
    // sirv answers any method, other spellings of a path, and ends the process on some ranges.
    if (!pagePaths.has(path)) return next();
    if (await refuseMethod(req, res)) return;
    delete req.headers.range;
    return pages(req, res, next);
  };

  const app = polka({
    onNoMatch: refuseUnknownPath,
    onError: (error, req, res) => {
      options.log({ event: 'request-failed', requestId: requestIdOf(req), cause: describeError(error) });
      if (res.headersSent) {
        res.destroy();
        return;
      }
      return refuse(req, res, 'internal-error', { detail: 'internal error' });
    },
  })
    .all('/deals/*', acceptInterface)
    .all('/health/*', showHealth)
    .all('/images/*', showPicture)
    .all('/problems/*', showProblem)
    .use(showPage);

  return (req, res) => {
    const startedAt = performance.now();
    const target = toOriginForm(req.url ?? '/');
    const request: Incoming = { id: `${bootId}-${(++requestCount).toString(36)}`, target, ...splitTarget(target) };
    incoming.set(req, request);
    res.setHeader('X-Request-Id', request.id);
    setCorsHeaders(res, readOrigin(req), settings.corsOrigins);
    // On every answer of the interface, errors included (D18); an answer from another snapshot replaces it.
    const current = snapshots.current?.manifest.id;
    if (current !== undefined && request.path.startsWith('/deals/')) res.setHeader('X-Snapshot', current);
    res.once('close', () => {
      options.log({
        event: 'request',
        requestId: request.id,
        method: req.method,
        path: request.path.slice(0, 200),
        status: res.statusCode,
        key: request.keyName,
        milliseconds: Math.round((performance.now() - startedAt) * 10) / 10,
        finished: res.writableFinished,
      });
    });
    const fault = findRequestFault(req, target);
    if (fault !== undefined) {
      refuse(req, res, fault.code, { detail: fault.detail }).catch(() => res.destroy());
      return;
    }
    req.url = target;
    void app.handler(req as Parameters<typeof app.handler>[0], res, undefined as never);
  };
}

/** The paths of the pages in a folder; `index.html` is that of its folder, with the last slash. */
function listPagePaths(folder: string): ReadonlySet<string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Set(
    files.map((file) => `/${relative(folder, join(file.parentPath, file.name))}`.replace(/\/index\.html$/, '/')),
  );
}

/** What is wrong with a request whatever its path: too long, or a header twice (D2, D3). */
function findRequestFault(req: IncomingMessage, target: string): { code: ProblemCode; detail: string } | undefined {
  if (target.length > MAX_TARGET_BYTES) {
    return {
      code: 'target-too-long',
      detail: `The request target has ${target.length} bytes; at most ${MAX_TARGET_BYTES} are read.`,
    };
  }
  if (countHeader(req, 'host') > 1) {
    return { code: 'repeated-header', detail: 'The header Host was sent more than once.' };
  }
  return undefined;
}
