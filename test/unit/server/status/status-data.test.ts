import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOTICES, type Notice } from '../../../../data/report/notice.ts';
import type { LastBuild, SnapshotReport } from '../../../../data/report/report.ts';
import type { Changes } from '../../../../data/snapshot/changes.ts';
import type { Manifest } from '../../../../data/snapshot/format.ts';
import type { Status } from '../../../../server/status/status.ts';
import { expectProblem } from '../../../contract/expect-problem.ts';
import { revisionOf, writePullState } from '../../../support/pull-state.ts';
import { startStatusServer, type StatusServer } from './status-server.ts';

const DATA = '/status/data.json';

let server: StatusServer;
beforeAll(async () => {
  server = await startStatusServer();
});
afterAll(() => server.close());

const readStatus = (): Promise<Status> => server.read<Status>(DATA);

function readStored(...path: readonly string[]): unknown {
  return JSON.parse(readFileSync(join(server.store, ...path), 'utf8'));
}

function currentId(): string {
  return (readStored('current.json') as { snapshot: string }).snapshot;
}

function readLines(name: string): Notice[] {
  const text = readFileSync(join(server.store, currentId(), name), 'utf8').trimEnd();
  return text.split('\n').map((line) => JSON.parse(line) as Notice);
}

describe('the data of the status page', () => {
  const PATHS = [DATA, '/status/records.json?code=unpublished', '/status/explain.json?record=101'];

  it.each(PATHS)('%s is for keys with the operator mark', async (path) => {
    expectProblem(await server.ask(path, {}, ''), 'missing-key');
    expectProblem(await server.ask(path, {}, 'nobody'), 'invalid-key');
    expectProblem(await server.ask(path, {}, server.plainKey), 'operator-only');
    const { status, headers } = await server.ask(path);
    expect([status, headers.get('cache-control'), headers.get('etag')]).toEqual([200, 'no-store', null]);
    expect(headers.get('content-type')).toBe('application/json');
  });

  it.each(PATHS)('%s is read and nothing else', async (path) => {
    expectProblem(await server.ask(path, { method: 'POST' }), 'method-not-allowed');
    expect((await server.ask(path, { method: 'OPTIONS' }, '')).status).toBe(204);
    const { status, text } = await server.ask(path, { method: 'HEAD' });
    expect([status, text]).toEqual([200, '']);
  });

  it('takes no parameters, and ignores none (D4)', async () => {
    for (const query of ['bogus=1', 'code=unpublished', '=', 'a=1&a=2']) {
      const answer = await server.ask(`${DATA}?${query}`);
      expect(answer.status).toBe(400);
    }
    const refused = await server.ask(`${DATA}?bogus=1`);
    expectProblem(refused, 'unknown-parameter');
    expect(refused.text).toContain('expected no parameters');
  });

  it('is under the limit of the key', async () => {
    const ask = () => server.ask(DATA, {}, server.limitedKey);
    const statuses = [(await ask()).status, (await ask()).status, (await ask()).status];
    expect(statuses).toEqual([200, 200, 200]);
    const refused = await ask();
    expectProblem(refused, 'rate-limited');
    expect(refused.headers.get('ratelimit-policy')).toBe('"default";q=3;w=86400');
  });

  it('is logged with the name of the key', async () => {
    await server.ask(`${DATA}?`);
    const entry = server.log.findLast(({ event, path }) => event === 'request' && path === DATA);
    expect(entry).toMatchObject({ key: 'editor', status: 200 });
  });

  it.each(['/status/data.json/', '/status/DATA.json', '/status/other.json', '/status//data.json'])(
    'is nowhere else: %s',
    async (path) => {
      expectProblem(await server.ask(path), 'unknown-path');
    },
  );
});

describe('what is served', () => {
  it('is the snapshot with its age and counts', async () => {
    const { id, createdAt, counts, sequence, previous } = readStored(currentId(), 'manifest.json') as Manifest;
    const { snapshot, now } = await readStatus();
    expect(now).toBe('2026-11-20T08:00:00.000Z');
    expect(snapshot).toEqual({
      id,
      createdAt,
      counts,
      sequence,
      previous,
      ageSeconds: 8 * 3_600,
      confirmedAt: '2026-11-20T00:00:00.000Z',
      staleAfterHours: 26,
      stale: false,
    });
  });

  it('has its sources, with counts, ages and states', async () => {
    const { sources } = readStored(currentId(), 'manifest.json') as Manifest;
    const status = await readStatus();
    expect(status.sources).toEqual(
      sources.map(({ files, ...source }) => ({
        ...source,
        fileCount: files.length,
        bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      })),
    );
    expect(status.sources.map(({ name }) => name)).toEqual(['site', 'house', 'awin', 'short']);
    for (const { read, kept, duplicate, outOfScope, quarantined } of status.sources) {
      expect(kept + duplicate + outOfScope + quarantined).toBe(read);
    }
    // One feed of the night before is that of this one; the other is not.
    const unchangedSince = (name: string) => status.sources.find((source) => source.name === name)?.unchangedSince;
    expect([unchangedSince('awin'), unchangedSince('house')]).toEqual([
      '2026-11-19T00:00:00.000Z',
      '2026-11-20T00:00:00.000Z',
    ]);
  });

  it('has every code with its true count, the count before, and what to do', async () => {
    const report = readStored(currentId(), 'report.json') as SnapshotReport;
    const { notices, unmatchedNames } = await readStatus();
    expect(notices.map(({ code, source, count, before }) => ({ code, source, count, before }))).toEqual(
      report.notices.map(({ code, source, count, before }) => ({ code, source, count, before })),
    );
    for (const { code, meaning, remedy, samples } of notices) {
      expect({ meaning, remedy }).toMatchObject({ meaning: NOTICES[code].meaning, remedy: NOTICES[code].remedy });
      expect(samples.length).toBeLessThanOrEqual(3);
    }
    expect(unmatchedNames).toMatchObject(report.unmatchedNames);
    const nearest = unmatchedNames.flatMap(({ nearestProducts }) => nearestProducts);
    expect(nearest).toContainEqual({ product: '102/new', name: 'Kestrel K9 256GB' });
    expect(nearest.filter(({ name }) => name === '')).toEqual([]);
  });

  it('has what changed since the snapshot before, with true counts and shorter lists', async () => {
    const changes = readStored(currentId(), 'changes.json') as Changes;
    const status = await readStatus();
    expect(status.changes).toMatchObject({ from: changes.from, before: changes.before, after: changes.after });
    const { count, omitted, items } = status.changes?.dealsGone ?? { count: 0, omitted: 0, items: [] };
    expect(count).toBe(changes.dealsGone.count);
    expect(count).toBeGreaterThan(20);
    expect(items).toEqual(changes.dealsGone.items.slice(0, 20));
    expect(omitted).toBe(count - 20);
  });

  it('stands beside what else the store holds, newest first', async () => {
    const { snapshots } = await readStatus();
    expect(snapshots).toMatchObject([
      { id: currentId(), sequence: 2, isCurrent: true, isServed: true },
      { sequence: 1, createdAt: '2026-11-19T00:00:00.000Z', isCurrent: false, isServed: false },
    ]);
    expect(Object.keys(snapshots[0] ?? {})).toEqual(expect.arrayContaining(['products', 'deals', 'quarantined']));
    const { mtime } = statSync(join(server.store, 'current.json'));
    expect(snapshots.map(({ currentSince }) => currentSince)).toEqual([mtime.toISOString(), undefined]);
  });
});

describe('the records of a code', () => {
  interface Page {
    readonly snapshot: string;
    readonly count: number;
    readonly records: readonly Notice[];
    readonly next?: string;
  }

  async function readPages(target: string): Promise<Page[]> {
    const pages: Page[] = [];
    for (let next: string | undefined = target; next !== undefined;) {
      const page: Page = await server.read<Page>(next);
      pages.push(page);
      next = page.next;
    }
    return pages;
  }

  it('are all there, for every code and source of the report', async () => {
    const { notices } = readStored(currentId(), 'report.json') as SnapshotReport;
    const lines = [...readLines('quarantine.ndjson'), ...readLines('notices.ndjson')];
    expect(notices.length).toBeGreaterThan(25);
    for (const { code, source, count } of notices) {
      const pages = await readPages(`/status/records.json?code=${code}&source=${source}`);
      const records = pages.flatMap((page) => page.records);
      expect(records).toEqual(lines.filter((line) => line.code === code && line.source === source));
      expect([code, source, records.length, pages[0]?.count]).toEqual([code, source, count, count]);
    }
  });

  it('come in pages that have each once, regardless of their size', async () => {
    const lines = readLines('quarantine.ndjson').filter(({ code }) => code === 'duplicate-deal');
    for (const limit of [1, 7, 100, 500]) {
      const pages = await readPages(`/status/records.json?code=duplicate-deal&limit=${limit}`);
      expect(pages.flatMap(({ records }) => records)).toEqual(lines);
      for (const { records, count } of pages) {
        expect(records.length).toBeLessThanOrEqual(limit);
        expect(count).toBe(lines.length);
      }
    }
  });

  it.each([
    ['', 'malformed-value'],
    ['?code=', 'malformed-value'],
    ['?code=unpublishd', 'unknown-value'],
    ['?code=unpublished&code=unpublished', 'repeated-parameter'],
    ['?code=unpublished&page=2', 'unknown-parameter'],
    ['?code=unpublished&limit=0', 'out-of-range'],
    ['?code=unpublished&limit=501', 'out-of-range'],
    ['?code=unpublished&limit=x', 'malformed-value'],
    ['?code=unpublished&cursor=7', 'invalid-cursor'],
    ['?code=unpublished&source=%ff', 'malformed-value'],
    ['?limit=0&page=2', 'invalid-request'],
  ] as const)('are refused with %s: %s', async (query, code) => {
    expectProblem(await server.ask(`/status/records.json${query}`), code);
  });

  it('are not read from the middle of a line, nor behind the end', async () => {
    for (const from of [1, 17, 999_999_999_999]) {
      const target = `/status/records.json?code=unpublished&cursor=${currentId()}.${from}`;
      expectProblem(await server.ask(target), 'invalid-cursor');
    }
  });

  it('of a snapshot that is not held are gone', async () => {
    const target = '/status/records.json?code=unpublished&cursor=20200101T0000Z-00000000.0';
    const gone = await server.ask(target);
    expectProblem(gone, 'snapshot-expired');
    expect(gone.headers.get('link')).toBeNull();
  });
});

describe('a snapshot that is retired while it is served', () => {
  it('is told of as far as it is known, and its records are gone', async () => {
    const fresh = await startStatusServer();
    const { snapshot } = JSON.parse(readFileSync(join(fresh.store, 'current.json'), 'utf8')) as { snapshot: string };
    renameSync(join(fresh.store, snapshot), join(fresh.store, '.old-x'));
    const status = await fresh.read<Status>(DATA);
    expect(status.snapshot?.id).toBe(snapshot);
    expect(status.sources.length).toBe(4);
    expect(status.notices).toEqual([]);
    expect(status.faults.map(({ file }) => file)).toEqual(['report.json', 'changes.json']);
    for (const path of ['/status/records.json?code=unpublished', '/status/explain.json?record=101']) {
      expectProblem(await fresh.ask(path), 'snapshot-expired');
    }
    // It may have been moved for a moment only.
    renameSync(join(fresh.store, '.old-x'), join(fresh.store, snapshot));
    expect((await fresh.read<Status>(DATA)).notices.length).toBeGreaterThan(25);

    const file = join(fresh.store, snapshot, 'notices.ndjson');
    writeFileSync(file, readFileSync(file, 'utf8').slice(1));
    const damaged = await fresh.ask('/status/records.json?code=same-name');
    expectProblem(damaged, 'internal-error');
    expect(fresh.log.findLast(({ event }) => event === 'request-failed')?.['cause']).toContain('notices.ndjson');
    await fresh.close();
  });
});

describe('a store without a snapshot', () => {
  it('has no data but says so', async () => {
    const empty = await startStatusServer({ hasSnapshot: false });
    expect(await empty.read<Status>(DATA)).toEqual({
      now: '2026-11-20T08:00:00.000Z',
      sources: [],
      gates: [],
      notices: [],
      unmatchedNames: [],
      snapshots: [],
      faults: [],
    });
    for (const path of ['/status/records.json?code=unpublished', '/status/explain.json?record=101']) {
      expectProblem(await empty.ask(path), 'no-snapshot');
    }
    await empty.close();
  });
});

describe('what came from an object store', () => {
  it('is absent where snapshots are built', async () => {
    expect(await readStatus()).not.toHaveProperty('pull');
  });

  it('is told as pull.json has it, and readiness does not depend on it', async () => {
    const ready = await server.ask('/health/ready');
    const lastFailure = { at: '2026-11-20T07:59:50.000Z', step: 'head', message: 'connection refused' } as const;
    writePullState(server.store, { announced: revisionOf({ activateAt: '2026-11-20T07:00:00.000Z' }), lastFailure });
    const { pull, faults } = await readStatus();
    expect(faults).toEqual([]);
    expect(pull).toMatchObject({ announced: { revision: 42 }, overdueSeconds: 3_600, lastFailure: { step: 'head' } });
    expect(pull?.warnings.length).toBe(3);
    expect((await server.ask('/health/ready')).text).toBe(ready.text);
  });

  it('is a fault when pull.json is damaged, and readiness does not depend on that', async () => {
    writeFileSync(join(server.store, 'pull.json'), '{');
    const { pull, faults } = await readStatus();
    expect([pull, faults]).toEqual([undefined, [{ file: 'pull.json', detail: expect.stringContaining('deals pull') }]]);
    expect((await server.ask('/health/ready')).status).toBe(200);
    rmSync(join(server.store, 'pull.json'));
    expect((await readStatus()).faults).toEqual([]);
  });
});

// Last: they leave another report of the last build.
describe('the last build', () => {
  it('that published is told of in a sentence', async () => {
    const { lastBuild } = await readStatus();
    expect(lastBuild).toMatchObject({ outcome: 'published', snapshot: currentId(), current: currentId() });
    expect(lastBuild?.message).toMatch(/^Published /);
    expect(lastBuild).not.toHaveProperty('refused');
  });

  it('that was refused says by which gates, and how to accept it', async () => {
    const before = currentId();
    const config = join(server.store, '../sample/catalogue.json');
    writeFileSync(config, readFileSync(config, 'utf8').replace('"GBP"', '"EUR"'));
    expect((await server.build('2026-11-21')).exitCode).toBe(3);
    const { lastBuild, snapshot } = await readStatus();
    const { report } = readStored('last-build.json') as LastBuild;
    expect([lastBuild?.outcome, lastBuild?.current, snapshot?.id]).toEqual(['refused', before, before]);
    const refusing = (report?.gates ?? []).filter(({ state }) => state === 'refused');
    expect(refusing.length).toBeGreaterThan(0);
    expect(lastBuild?.refused?.gates).toEqual(expect.arrayContaining(refusing));
    const command = lastBuild?.refused?.acceptCommand ?? '';
    expect(command).toMatch(/^deals build --config \/\S+ .*--accept /);
    expect([...command.matchAll(/--accept (\S+)/g)].map(([, gate]) => gate)).toEqual(refusing.map(({ gate }) => gate));
    expect(lastBuild?.refused?.sources.map(({ name }) => name)).toEqual(report?.sources.map(({ name }) => name));
  });

  it('that cannot be read is a fault', async () => {
    writeFileSync(join(server.store, 'last-build.json'), '{');
    expect((await readStatus()).faults).toEqual([
      { file: 'last-build.json', detail: 'Expected JSON, got text that is not.' },
    ]);
    rmSync(join(server.store, 'last-build.json'));
    const { faults, lastBuild } = await readStatus();
    expect([faults, lastBuild]).toEqual([[], undefined]);
  });
});
