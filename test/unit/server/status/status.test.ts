import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOTICES } from '../../../../data/report/notice.ts';
import type { Manifest } from '../../../../data/snapshot/format.ts';
import type { Explanation } from '../../../../server/explain/explain.ts';
import type { StoreStatus } from '../../../../server/routes/status.ts';
import { expectProblem } from '../../../contract/expect-problem.ts';
import { runDeals, withServer, withStore } from '../../../harness.ts';
import { writePullState } from '../../../support/pull-state.ts';
import { startStatusServer, type StatusServer } from './status-server.ts';

let server: StatusServer;
beforeAll(async () => {
  server = await startStatusServer();
}, 60_000);
afterAll(() => server.close());

const readStatus = (): Promise<StoreStatus> => server.read<StoreStatus>('/status/store.json');

function readText(...path: readonly string[]): string {
  return readFileSync(join(server.store, ...path), 'utf8');
}

function currentId(): string {
  return (JSON.parse(readText('current.json')) as { snapshot: string }).snapshot;
}

const STORE = '/status/store.json';
const EXPLAIN = '/status/explain.json';
const FILES = ['report.json', 'changes.json', 'last-build.json'];
const PATHS = [STORE, ...FILES.map((file) => `/status/${file}`), `${EXPLAIN}?record=101`];

describe('the data of the status page (D19)', () => {
  it.each(PATHS)('%s is for keys with the operator mark, and read only', async (path) => {
    expectProblem(await server.ask(path, { headers: { 'x-api-key': null } }), 'missing-key');
    expectProblem(await server.ask(path, { headers: { 'x-api-key': server.plainKey } }), 'operator-only');
    const { status, headers } = await server.ask(path);
    expect([status, headers.get('cache-control'), headers.get('etag')]).toEqual([200, 'no-store', null]);
    expect(headers.get('content-type')).toBe('application/json');
  });

  it.each([
    [`${STORE}?bogus=1`, 'unknown-parameter'],
    ['/status/report.json?record=101', 'unknown-parameter'],
    [EXPLAIN, 'malformed-value'],
    [`${EXPLAIN}?record=+`, 'malformed-value'],
    [`${EXPLAIN}?record=${'x'.repeat(201)}`, 'malformed-value'],
    [`${EXPLAIN}?record=1&record=2`, 'repeated-parameter'],
    [`${EXPLAIN}?rekord=1&record=2`, 'unknown-parameter'],
    [`${EXPLAIN}?record=1&target=/deals/v1/gifts/`, 'malformed-value'],
    [`${EXPLAIN}?record=1&target=/deals/v1/products/?limt=1`, 'malformed-value'],
    ['/status/store.json/', 'unknown-path'],
    ['/status/STORE.json', 'unknown-path'],
    ['/status/other.json', 'unknown-path'],
  ] as const)('%s is refused as %s', async (target, code) => {
    expectProblem(await server.ask(target), code);
  });

  it('has the files of the builds as they are, and null where there is none', async () => {
    for (const file of ['report.json', 'changes.json']) {
      expect((await server.ask(`/status/${file}`)).text).toBe(readText(currentId(), file));
    }
    const path = join(server.store, 'last-build.json');
    const text = readFileSync(path, 'utf8');
    expect((await server.ask('/status/last-build.json')).text).toBe(text);
    rmSync(path);
    expect((await server.ask('/status/last-build.json')).text).toBe('null');
    writeFileSync(path, text);
    await server.refresh();
  });
});

describe('the status of the store', () => {
  it('is the snapshot being served with its age, the names of its products, and what codes mean', async () => {
    const manifest = JSON.parse(readText(currentId(), 'manifest.json')) as Manifest;
    const { served, now, staleAfterHours, productNames, codes } = await readStatus();
    expect([now, staleAfterHours]).toEqual(['2026-11-20T08:00:00.000Z', 26]);
    const confirmedAt = '2026-11-20T00:00:00.000Z';
    expect(served).toEqual({ ...manifest, ageSeconds: 8 * 3_600, confirmedAt, stale: false });
    expect(productNames['101/new']).toBe('Kestrel K9 128GB');
    expect(Object.keys(productNames)).toHaveLength(manifest.counts.products);
    expect(codes).toEqual(NOTICES);
  });

  it('has what else the store holds, newest first, and a fault where a manifest is damaged', async () => {
    const { mtime } = statSync(join(server.store, 'current.json'));
    const { snapshots, currentSince } = await readStatus();
    expect(currentSince).toBe(mtime.toISOString());
    expect(snapshots).toMatchObject([
      { id: currentId(), sequence: 2, isCurrent: true },
      { sequence: 1, createdAt: '2026-11-19T00:00:00.000Z', isCurrent: false, isRolledBack: false },
    ]);
    const path = join(server.store, snapshots[1]?.id ?? '', 'manifest.json');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, '{');
    expect((await readStatus()).snapshots[1]).toMatchObject({
      fault: expect.stringContaining('manifest.json') as string,
    });
    writeFileSync(path, text);
  });

  it('has what came from an object store, with what to do, and readiness does not depend on it', async () => {
    const ready = await server.ask('/health/ready');
    expect(await readStatus()).not.toHaveProperty('pull');
    const lastFailure = { at: '2026-11-20T07:59:50.000Z', message: 'connection refused' };
    writePullState(server.store, { revision: 42, lastFailure });
    await server.refresh();
    const { pull } = await readStatus();
    expect(pull).toMatchObject({ revision: 42, lastFailure });
    expect(pull?.warnings).toHaveLength(2);
    writeFileSync(join(server.store, 'pull.json'), '{');
    await server.refresh();
    expect((await readStatus()).pullFault).toContain('deals pull');
    expect((await server.ask('/health/ready')).text).toBe(ready.text);
    rmSync(join(server.store, 'pull.json'));
    await server.refresh();
  });

  it('says nothing of a snapshot that is not there', async () => {
    const on = { ...(await withStore(null)), key: server.operatorKey, keysFile: server.keysFile };
    const empty = await withServer({ on });
    expect(await empty.read(STORE)).toMatchObject({ productNames: {}, snapshots: [] });
    expect((await empty.ask('/status/report.json')).text).toBe('null');
    expectProblem(await empty.ask(`${EXPLAIN}?record=101`), 'no-snapshot');
  });
});

describe('the search of a record', () => {
  it('finds what deals explain finds', async () => {
    for (const { asked } of server.forbidden.slice(0, 5)) {
      const found = await server.read<Explanation>(`${EXPLAIN}?${new URLSearchParams({ record: asked }).toString()}`);
      const { stdout } = await runDeals(['explain', asked, '--store', server.store, '--json']);
      expect(found).toEqual(JSON.parse(stdout));
    }
  });

  it('says which filter of a request leaves it out', async () => {
    const target = '/deals/v1/products/?filter[totalCost]=lte{1}&filter[condition]=eq{new}';
    const query = new URLSearchParams({ record: '101/new', target });
    const { records } = await server.read<Explanation>(`${EXPLAIN}?${query.toString()}`);
    expect(records[0]?.lines.slice(-3)).toEqual([
      `not in the answer to ${target}: left out by filter[totalCost]=lte{1}`,
      '  FAILS filter[totalCost]=lte{1}: 0 deals of it',
      '  holds filter[condition]=eq{new}',
    ]);
  });

  it('takes no harm from a client that goes away, and the next one is answered', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET ${EXPLAIN}?record=kestrel HTTP/1.1\r\nHost: x\r\nx-api-key: ${server.operatorKey}\r\n\r\n`);
    socket.once('connect', () => setImmediate(() => socket.destroy()));
    const before = server.log.length;
    expect((await server.ask(`${EXPLAIN}?record=101`)).status).toBe(200);
    expect(server.log.slice(before).filter(({ event }) => event === 'request-failed')).toEqual([]);
  });
});
