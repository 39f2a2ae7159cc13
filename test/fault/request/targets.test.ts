import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { createApp } from '../../../server/app.ts';
import type { LogEntry } from '../../../server/log.ts';
import { readBody } from '../../../server/http/response.ts';
import { resolveRequest, singleSnapshot } from '../../../server/routes/resolve-request.ts';
import { toOriginForm } from '../../../server/http/request.ts';
import { splitTarget } from '../../../server/query/query-string.ts';
import { DEFAULT_SETTINGS } from '../../../server/settings.ts';
import type { LoadedSnapshot } from '../../../server/snapshot/load-snapshot.ts';
import type { SnapshotManager } from '../../../server/snapshot/snapshot-manager.ts';
import { schemaFaults } from '../../oracle/check-answer.ts';
import { createRandom } from '../../support/random.ts';
import { openCatalogue } from '../../unit/server/open-catalogue.ts';
import { FIXTURE } from '../../contract/fixture-catalogue.ts';
import { headerOf, type RawResponse, readResponses } from '../../support/raw-socket.ts';
import { byTier, TIER } from '../tier.ts';
import { COSTLY_TARGETS } from './costly-targets.ts';
import { randomTarget } from './random-target.ts';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** A connection without a network: keeps what is written to it, and takes it at once. */
class Connection extends Duplex {
  readonly written: Buffer[] = [];

  constructor() {
    // It is never full: only the server of Node would tell a response that there is room again.
    super({ writableHighWaterMark: Number.MAX_SAFE_INTEGER });
  }

  override _read(): void {
    // Nothing ever arrives.
  }

  override _write(data: Buffer, _: BufferEncoding, done: () => void): void {
    this.written.push(data);
    done();
  }

  /** Of a socket, whose packets there are none of here. */
  setNoDelay(): this {
    return this;
  }
}

/** Has a listener answer a GET as a server would; undefined when it closed the connection instead. */
async function askApp(
  app: RequestListener,
  target: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawResponse | undefined> {
  const connection = new Connection();
  const req = new IncomingMessage(connection as unknown as Socket);
  Object.assign(req, { method: 'GET', url: target, httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 });
  req.rawHeaders.push(...Object.entries({ Host: 'a', ...headers }).flat());
  // Headers are made of the raw ones when they are first asked for, by their number.
  for (const [name, value] of Object.entries({ host: 'a', ...headers })) req.headers[name.toLowerCase()] = value;
  const res = new ServerResponse(req);
  res.assignSocket(connection as unknown as Socket);
  await new Promise<void>((resolve) => {
    res.once('finish', resolve);
    connection.once('close', resolve);
    app(req, res);
  });
  res.emit('close');
  if (connection.destroyed) return undefined;
  return readResponses(Buffer.concat(connection.written), ['GET']).responses[0];
}

const SEED = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);
const COUNT = byTier({ first: 6_000, second: 300_000, long: 20_000_000 });
const TIMEOUT_MS = byTier({ first: 60_000, second: 600_000, long: 24 * 3_600_000 });

const MAX_PARSE_MS = 10;
/** Chance, such as a collection of garbage, does not slow every try. */
const SECOND_LOOKS = 8;

/** What a GET may be answered whose key is good. */
const STATUSES: readonly number[] = [200, 304, 400, 404, 410, 414];

/** A large market: a misspelled retailer is compared with each of them. */
const LARGE_CATALOGUE = {
  ...FIXTURE,
  retailers: [
    ...FIXTURE.retailers,
    ...Array.from({ length: 1_000 }, (_, at) => ({
      id: String(5_000 + at),
      name: `Retailer ${at}`,
      slug: `retailer-of-long-name-${at}-shop`,
      logos: { large: '', deal: '' },
    })),
  ],
};

/** Of the large market, for what reads targets; the app answers from a small one, so that more are tried. */
let largeSnapshot: LoadedSnapshot;
let app: RequestListener;
const log: LogEntry[] = [];
beforeAll(async () => {
  largeSnapshot = await openCatalogue(LARGE_CATALOGUE);
  const snapshot = await openCatalogue();
  app = createApp({
    store: '/nowhere',
    snapshots: { ...singleSnapshot(snapshot), held: [snapshot] } as unknown as SnapshotManager,
    keys: {
      check: () => ({ kind: 'valid', id: 'key', name: 'key' }),
      count: () => undefined,
      unreadableSeconds: () => 0,
    },
    // A loop that asks without a pause looks like too much to do.
    shedder: { isLate: () => false },
    settings: DEFAULT_SETTINGS,
    log: (entry) => log.push(entry),
    now: () => new Date(),
  });
});

/** How long it takes to tell what a target asks for, or to write down what is wrong with it. */
function timeParsing(target: string): number {
  const start = performance.now();
  const request = { ...splitTarget(toOriginForm(target)), id: 'a' };
  const understood = resolveRequest(request, singleSnapshot(largeSnapshot));
  if ('status' in understood) readBody(understood);
  return performance.now() - start;
}

/** The time of a target that took too long, at its best of several. */
function timeAgain(target: string): number {
  return Math.min(...Array.from({ length: SECOND_LOOKS }, () => timeParsing(target)));
}

/** What is wrong with the answer to a target, or undefined. */
async function faultOf(target: string, headers: Readonly<Record<string, string>>): Promise<string | undefined> {
  const answer = await askApp(app, target, { 'x-api-key': 'key', ...headers });
  if (answer === undefined) return 'the connection was closed';
  const { status, body } = answer;
  if (!STATUSES.includes(status)) return `status ${status} ${body.toString().slice(0, 300)}`;
  if (status < 400) return undefined;
  if (headerOf(answer, 'content-type') !== 'application/problem+json') return `a ${status} that is no problem`;
  const problem = JSON.parse(body.toString()) as { readonly status: number; readonly instance: string };
  const faults = schemaFaults('problem', problem);
  if (problem.status !== status || problem.instance !== headerOf(answer, 'x-request-id')) faults.push('of another');
  return faults.length === 0 ? undefined : `a ${status} whose problem ${faults.slice(0, 3).join(', ')}`;
}

const HEADERS: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'if-none-match': '*' },
  { 'accept-encoding': 'br' },
  { 'accept-encoding': 'gzip;q=0.5', 'if-none-match': '"x", W/"y"' },
];

describe('no target', () => {
  it(
    `is answered by a fault of the server or takes ${MAX_PARSE_MS} ms to read (${COUNT} targets, FAULT_SEED=${SEED})`,
    async () => {
      let worst = { ms: 0, target: '', at: -1 };
      const statuses = new Map<number | string, number>();
      for (let at = 0; at < COUNT; at++) {
        // Each can be had again without those before it.
        const random = createRandom(SEED + at * 7_919);
        const target = randomTarget(random, FIXTURE);
        const ms = timeParsing(target);
        if (ms > worst.ms) {
          const again = ms < 1 ? ms : timeAgain(target);
          if (again > worst.ms) worst = { ms: again, target, at };
        }
        const fault = await faultOf(target, at % 8 === 0 ? random.pick(HEADERS) : {});
        const failure = log.find(({ event }) => event === 'request-failed');
        if (fault !== undefined || failure !== undefined) {
          throw new Error(
            `FAULT_SEED=${SEED}, target ${at}: ${JSON.stringify(target)}: ${fault} ${JSON.stringify(failure)}`,
          );
        }
        if (at % 10 === 0) {
          const status = (await askApp(app, target, { 'x-api-key': 'key' }))?.status ?? 'closed';
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      }
      const figures = `slowest target of ${COUNT}: ${worst.ms.toFixed(2)} ms (FAULT_SEED=${SEED}, target ${worst.at})`;
      process.stderr.write(`${figures}\n`);
      // Of all kinds, or the targets would not be worth much.
      expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 404]));
      expect(TIER === 'first' ? 0 : worst.ms, worst.target.slice(0, 2_000)).toBeLessThan(MAX_PARSE_MS);
    },
    TIMEOUT_MS,
  );

  describe.skipIf(TIER === 'first')('takes long to read that is made for it', () => {
    const figures: string[] = [];
    afterAll(() => void process.stderr.write(`slowest of those made for it: ${figures.join(', ')}\n`));

    it.each(COSTLY_TARGETS)('%s', async (what, target) => {
      expect(await faultOf(target, {})).toBeUndefined();
      for (let i = 0; i < SECOND_LOOKS; i++) timeParsing(target);
      const ms = timeAgain(target);
      if (ms > 1) figures.push(`${what} ${ms.toFixed(1)} ms`);
      expect(ms).toBeLessThan(MAX_PARSE_MS);
    });
  });
});
