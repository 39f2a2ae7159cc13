import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readConfig, type BuildConfig } from '../../build/config/config.ts';
import { acquireStoreLock } from '../../data/store/lock.ts';
import { readCurrent } from '../../data/store/snapshots.ts';
import { checkBuild, checkKeys, checkSnapshot, checkSources, checkStore } from '../../cli/doctor/data.ts';
import { checkClock, checkDisk, checkMachine, checkNode, checkPort } from '../../cli/doctor/machine.ts';
import { CHECKS, type NamedResult } from '../../cli/doctor.ts';
import type { CheckResult } from '../../cli/doctor/result.ts';
import { addKey } from '../../server/keys/key-file.ts';
import { startServer } from '../../server/start.ts';
import { AS_ORDINARY_USER } from '../ordinary-user.ts';
import { callDeals } from '../unit/cli/call-deals.ts';
import { endOf, requireSuccess, startDeals } from '../unit/cli/run-deals.ts';
import { writeSmallSource } from '../unit/cli/small-source.ts';

const HOUR_MS = 3_600_000;

const NOW = new Date();
const after = (hours: number): Date => new Date(NOW.getTime() + hours * HOUR_MS);

let root = '';
/** A folder of each test, with sources and a store that was built from them. */
let folder = '';
let count = 0;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'deals-doctor-'));
  chmodSync(root, 0o755);
  writeSmallSource(join(root, 'made/site'));
  const args = ['build', '--config', join(root, 'made/site/catalogue.json'), '--store', join(root, 'made/store')];
  requireSuccess(await callDeals(args));
});

beforeEach(() => {
  folder = join(root, String(count++));
  cpSync(join(root, 'made'), folder, { recursive: true, preserveTimestamps: true });
});

afterEach(() => process.chdir(tmpdir()));
afterAll(() => rmSync(root, { recursive: true }));

const store = () => join(folder, 'store');
const inFolder = (path: string) => join(folder, path);
const states = (findings: readonly CheckResult[]) => findings.map(({ state }) => state);

/** Those that are not sound, each as its state, what was found and what to do. */
function describeUnsound(findings: readonly CheckResult[]): readonly string[] {
  return findings
    .filter(({ state }) => state !== 'ok')
    .map(
      ({ state, found, remedy }) =>
        `${state}: ${found.replaceAll(folder, '.')}; ${(remedy ?? '').replaceAll(folder, '.')}`,
    );
}

describe('node', () => {
  it.each([
    ['18.20.4', 'fault', 'expected Node >=20.19, got 18.20.4'],
    ['20.18.3', 'fault', 'expected Node >=20.19, got 20.18.3'],
    ['20.20.2', 'warning', 'Node 20.20.2 gets no security releases since 2026-04-30'],
    ['23.1.0', 'warning', 'Node 23.1.0 is no version with long support'],
    ['22.12.0', 'ok', 'Node 22.12.0'],
    ['24.0.0', 'ok', 'Node 24.0.0'],
    ['26.1.0', 'ok', 'Node 26.1.0'],
  ])('%s', (version, state, found) => {
    expect(checkNode(version, '>=20.19', new Date('2026-11-22T00:00:00Z'))).toMatchObject({ state, found });
  });

  it('20 was sound as long as it was mended', () => {
    expect(checkNode('20.20.2', '>=20.19', new Date('2026-04-30T12:00:00Z')).state).toBe('ok');
  });
});

describe('machine', () => {
  const limits = (count: string) => `Max open files            1024                 ${count}              files     \n`;

  it('is sound with little for those who stall, and descriptors for all connections', () => {
    const findings = checkMachine({ tcpSendBytes: '4096\t16384\t131072\n', limits: limits('1048576') });
    expect(findings).toEqual([{ state: 'ok', found: '1048576 descriptors, 131072 bytes for a reader who stalls' }]);
  });

  it('warns of both, with the line that mends the first', () => {
    const findings = checkMachine({ tcpSendBytes: '4096\t16384\t4194304\n', limits: limits('4096') });
    expect(states(findings)).toEqual(['warning', 'warning']);
    expect(findings[0]?.remedy).toBe('sysctl net.ipv4.tcp_wmem="4096 16384 131072"');
    expect(findings[1]?.found).toContain('may open 4096 files');
  });

  it('is passed over where the system does not say', () => {
    expect(states(checkMachine({ tcpSendBytes: undefined, limits: undefined }))).toEqual(['skipped']);
  });
});

describe('sources', () => {
  async function check(change: (config: object) => object = (config) => config): Promise<readonly CheckResult[]> {
    const file = inFolder('site/catalogue.json');
    writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')) as object)));
    const config: BuildConfig = await readConfig(file);
    return (await checkSources(config, NOW)).results;
  }

  it('are sound when their files are there', async () => {
    expect(states(await check())).toEqual(['ok', 'ok']);
  });

  it('warn of a feed without a file, and of a feed that is needed, or the CMS, as a fault', async () => {
    rmSync(inFolder('site/feeds/house/deals.csv'));
    expect(states(await check())).toEqual(['ok', 'warning']);
    const required = { feeds: [{ name: 'house', adapter: 'deals', files: ['feeds/house/*.csv'], required: true }] };
    expect(states(await check((config) => ({ ...config, ...required })))).toEqual(['ok', 'fault']);
    rmSync(inFolder('site/cms/site.json'));
    const findings = await check();
    expect(states(findings)).toEqual(['fault', 'fault']);
    expect(findings[0]?.found).toContain('site: no file matches cms/*.json in ');
  });

  it('warn of a feed that has not changed for days', async () => {
    const time = after(-100);
    utimesSync(inFolder('site/feeds/house/deals.csv'), time, time);
    const findings = await check();
    expect(states(findings)).toEqual(['ok', 'warning']);
    expect(findings[1]?.found).toBe('house: 1 file, the newest 4.2 days old');
  });

  it('call a link that leads elsewhere a fault', async () => {
    writeFileSync(inFolder('elsewhere.csv'), 'x');
    symlinkSync(inFolder('elsewhere.csv'), inFolder('site/feeds/house/link.csv'));
    expect(states(await check())).toEqual(['ok', 'fault']);
  });
});

describe('store', () => {
  it('is sound when it can be read and written', async () => {
    expect(await checkStore(store())).toMatchObject({ state: 'ok' });
  });

  it('that everybody can write to is a fault', async () => {
    chmodSync(store(), 0o777);
    expect(describeUnsound([await checkStore(store())])).toEqual([
      'fault: ./store: everybody on this machine can write to it; chmod o-w ./store',
    ]);
  });
});

describe('snapshot', () => {
  const POINTING = /current\.json: expected .*; deals rollback --to 2[0-9TZ]+-[0-9a-f]{8} --store \.\/store$/;
  const check = (now = NOW) => checkSnapshot(store(), 26, now);
  const id = () => readCurrent(store()) ?? '';

  it('is sound as it was published', async () => {
    expect(await check()).toEqual([{ state: 'ok', found: `${id()}: 1 products, 3 deals; every file has its size` }]);
  });

  it('that no build has confirmed for long is a warning', async () => {
    expect(states(await check(after(25)))).toEqual(['ok']);
    const [, late] = await check(after(30));
    expect(late).toMatchObject({ state: 'warning', found: `${id()}: no build has confirmed it for 30.0 hours` });
  });

  it('that a build has confirmed under a clock that was ahead is a warning which says so', async () => {
    const file = join(store(), 'last-build.json');
    const lastBuild: unknown = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify(Object.assign({}, lastBuild, { confirmedAt: after(60).toISOString() })));
    for (const [hours, ahead] of [
      [1, '2.5 days'],
      [30, '30.0 hours'],
    ] as const) {
      const [, late] = await check(after(hours));
      const found = `${id()}: a build confirmed it ${ahead} from now, so the true time is not known`;
      expect(late).toMatchObject({ state: 'warning', found });
    }
  });

  it.each<[string, () => void, RegExp]>([
    ['that is not there', () => rmSync(store(), { recursive: true }), /nothing is published; run deals build$/],
    ['whose pointer is gone', () => rmSync(join(store(), 'current.json')), POINTING],
    ['whose pointer is damaged', () => writeFileSync(join(store(), 'current.json'), '{'), POINTING],
    ['without its manifest', () => rmSync(join(store(), id(), 'manifest.json')), /deals rollback --to <snapshot>/],
    [
      'with a file cut short',
      () => truncateSync(join(store(), id(), 'deals.ndjson'), 1),
      /deals\.ndjson: expected [0-9]+ bytes, got 1;/,
    ],
    ['without a file', () => rmSync(join(store(), id(), 'report.json')), /report\.json: cannot be read: ENOENT/],
  ])('%s is a fault', async (_, damage, sentence) => {
    damage();
    const findings = await check();
    expect(states(findings)).toEqual(['fault']);
    expect(describeUnsound(findings)[0]).toMatch(sentence);
  });
});

describe('build', () => {
  const check = (now = NOW) => checkBuild(store(), now);

  function writeLast(change: object): void {
    const file = join(store(), 'last-build.json');
    writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), ...change }));
  }

  it('is sound when the last one published', async () => {
    const findings = await check();
    expect(states(findings)).toEqual(['ok']);
    expect(findings[0]?.found).toContain('Published ');
  });

  it.each([
    ['unchanged', 'ok'],
    ['refused', 'warning'],
    ['failed', 'fault'],
  ])('that ended as %s is %s', async (outcome, state) => {
    writeLast({ outcome, message: 'the disk is full' });
    const findings = await check();
    expect(states(findings)).toEqual([state]);
    expect(findings[0]?.found).toContain('the disk is full');
  });

  it('that left no report is a warning', async () => {
    rmSync(join(store(), 'last-build.json'));
    expect(states(await check())).toEqual(['warning']);
  });

  it('that is running is sound, and one that has been for hours a warning', async () => {
    const lock = acquireStoreLock(store());
    onTestFinished(() => lock.release());
    expect(states(await check())).toEqual(['ok', 'ok']);
    const [late] = await check(after(3));
    expect(late).toMatchObject({ state: 'warning', found: `process id ${process.pid} holds the store for 3.0 hours` });
  });

  it('that was killed has left a lock, which is a warning', async () => {
    // The process that runs here has not locked it.
    writeFileSync(join(store(), 'build.lock'), `${process.pid} ${hostname()}\n`);
    utimesSync(join(store(), 'build.lock'), after(1), after(1));
    const findings = await check();
    expect(states(findings)).toEqual(['warning', 'ok']);
    expect(findings[0]?.found).toBe(
      `the build or rollback of ${after(1).toISOString()} was killed; nothing was published since`,
    );
    expect(findings[1]?.found).toMatch(/^the last one that ended, of /);
    utimesSync(join(store(), 'build.lock'), after(-1), after(-1));
    expect((await check())[0]?.found).toContain('what it made current is current');
  });

  it('that held a feed says why, until when its deals are served, and what to do', async () => {
    const args = ['--config', inFolder('site/catalogue.json'), '--store', store()];
    const feed = inFolder('site/feeds/house/deals.csv');
    const sound = readFileSync(feed, 'utf8');
    writeFileSync(feed, 'no such columns\n');
    expect((await callDeals(['build', ...args])).exitCode).toBe(4);
    const given = { config: inFolder('site/catalogue.json'), store: store() };
    const [unread] = await checkBuild(store(), NOW, given);
    const again = `fetch house again, look at it with deals check house --config ${given.config}, and run deals build ${args.join(' ')}`;
    expect(unread).toMatchObject({
      state: 'warning',
      found: expect.stringMatching(/ Held: house .*; its 3 deals of \S+ \S+ are served until \S+ [0-9:]+\.$/),
      remedy: again,
    });
    writeFileSync(feed, sound.replaceAll('northline', 'nowhere').replace('nowhere', 'northline'));
    const settings = JSON.parse(readFileSync(given.config, 'utf8')) as object;
    writeFileSync(given.config, JSON.stringify({ ...settings, gates: { minRows: 1 } }));
    expect((await callDeals(['build', ...args])).exitCode).toBe(4);
    const [gated] = await checkBuild(store(), NOW, given);
    expect(gated?.remedy).toMatch(
      new RegExp(`^${again}; to take house as it is now: deals build ${args.join(' ')}(?: --accept [a-z-]+:house)+$`),
    );
  });

  it('that was refused says the cause, and the command that accepts it where that can be right', async () => {
    writeLast({ outcome: 'refused', message: 'Refused: x', acceptCommand: 'deals build --accept x' });
    expect(await check()).toMatchObject([
      {
        found: expect.stringMatching(/: Refused: x$/),
        remedy: 'mend what it names, and run deals build; to publish all the same: deals build --accept x',
      },
    ]);
    writeLast({ outcome: 'refused', acceptCommand: undefined });
    expect((await check())[0]?.remedy).toBe('mend what it names, and run deals build');
  });

  it('that was rolled back from is a warning: the next one publishes the same', async () => {
    const args = ['--config', inFolder('site/catalogue.json'), '--store', store()];
    writeSmallSource(inFolder('site'), 4);
    requireSuccess(await callDeals(['build', ...args]));
    requireSuccess(await callDeals(['rollback', '--store', store()]));
    expect(await check()).toEqual([
      expect.objectContaining({
        state: 'warning',
        found: expect.stringContaining('It was rolled back from.'),
        remedy: 'mend, exclude or hold back what is wrong: the next build publishes the sources again',
      }),
    ]);
  });

  it('that was killed has left a folder, which is a warning', async () => {
    mkdirSync(join(store(), '.new-0123456789abcdef'));
    expect(describeUnsound(await check())).toEqual([
      'warning: folders left by a build that was killed: 1; nothing; the next build removes them',
    ]);
  });
});

describe('disk', () => {
  const facts = { freeBytes: 10e9, freeFiles: 1e6, snapshotBytes: [1e9, 1.2e9] };

  it.each([
    ['with room for all that is kept', { freeBytes: 11e9 }, 'ok'],
    ['with room for the next one alone', { freeBytes: 3e9 }, 'warning'],
    ['without room for the next one', { freeBytes: 1.5e9 }, 'fault'],
    [
      'with all that is kept, and room for the next one',
      { freeBytes: 3e9, snapshotBytes: Array<number>(7).fill(1e9) },
      'ok',
    ],
    ['with room for the published one', { freeBytes: 11e9, missingBytes: 1e9 }, 'ok'],
    ['without room for the published one', { freeBytes: 3e9, missingBytes: 3e9 }, 'fault'],
    ['with few files left', { freeBytes: 11e9, freeFiles: 9_000 }, 'warning'],
    ['that does not count files', { freeBytes: 11e9, freeFiles: undefined }, 'ok'],
    ['of an empty store', { freeBytes: 1e9, snapshotBytes: [] }, 'ok'],
    ['of an empty store, full', { freeBytes: 1e6, snapshotBytes: [] }, 'fault'],
  ])('%s', (_, change, state) => {
    const finding = checkDisk({ ...facts, ...change });
    expect(finding.state).toBe(state);
    expect(finding.found).not.toContain(' 0.0 MB');
  });
});

describe('clock', () => {
  const nowMs = NOW.getTime();

  it.each([
    ['after everything', { snapshotMs: nowMs - 1, sourceMs: nowMs - 1 }, 'ok', 'after everything that was made'],
    ['a little behind', { snapshotMs: nowMs + 60_000 }, 'ok', ''],
    ['behind a snapshot', { snapshotMs: nowMs + 2 * HOUR_MS }, 'fault', 'made 2.0 hours from now'],
    ['behind a source', { sourceMs: nowMs + 2 * HOUR_MS }, 'warning', 'a time 2.0 hours from now'],
    ['behind a remote record', { recordMs: nowMs + 2 * HOUR_MS }, 'warning', 'published 2.0 hours from now'],
    ['behind the last pull', { contactMs: nowMs + 2 * HOUR_MS }, 'warning', 'this clock was set back'],
    ['with nothing to compare', {}, 'ok', ''],
  ])('%s', (_, facts, state, found) => {
    const finding = checkClock({ nowMs, ...facts });
    expect(finding.state).toBe(state);
    expect(finding.found).toContain(found);
  });
});

describe('keys', () => {
  const file = () => inFolder('keys.json');
  const add = (entry: Parameters<typeof addKey>[1], now = NOW) => addKey(file(), entry, now);
  const check = async () => describeUnsound(await checkKeys(file(), NOW));

  it('are sound when a client has one, and an operator too', async () => {
    await add({ name: 'website' });
    await add({ name: 'boss', operator: true, until: after(24 * 60) });
    expect(await checkKeys(file(), NOW)).toEqual([
      { state: 'ok', found: `${file()}: 2 keys, and other users cannot read it` },
    ]);
  });

  it('are skipped when no file is named', async () => {
    expect(states(await checkKeys(undefined, NOW))).toEqual(['skipped']);
  });

  it.each<[what: string, make: () => unknown, found: RegExp]>([
    [
      'that are not there are a fault, with the command that makes one',
      () => undefined,
      /^fault: .*deals keys create --keys \.\/keys\.json --name website$/,
    ],
    ['in a damaged file are a fault', () => writeFileSync(file(), '{'), /^fault: .*expected JSON/],
    [
      'that have all expired are a fault',
      () => add({ name: 'old', until: after(-1) }, after(-2)),
      /^fault: .*no key that has not expired/,
    ],
    [
      'without an operator key are a warning',
      () => add({ name: 'website' }),
      /^warning: .*no client sees \/status\/; .*--operator$/,
    ],
  ])('%s', async (_, make, found) => {
    await make();
    expect(await check()).toEqual([expect.stringMatching(found)]);
  });

  it('that end soon are a warning, with the commands that replace them', async () => {
    const { entry } = await add({ name: 'website', operator: true, until: after(24 * 3) });
    expect(await check()).toEqual([
      `warning: the key ${entry.id} of website ends in 3.0 days; deals keys create --keys ./keys.json --name "website", give it out, then revoke ${entry.id}`,
    ]);
  });

  it.each([
    [0o644, ['warning: ./keys.json: everybody on this machine can read who has keys; chmod 600 ./keys.json']],
    [0o646, ['fault: ./keys.json: everybody on this machine can add a key; chmod 600 ./keys.json']],
    [0o640, []],
  ])('in a file of mode %o', async (mode, findings) => {
    await add({ name: 'boss', operator: true });
    chmodSync(file(), mode);
    expect(await check()).toEqual(findings);
  });
});

describe('port', () => {
  async function listenOn(server: Server): Promise<number> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    return (server.address() as AddressInfo).port;
  }

  async function serve(served: string): Promise<number> {
    const keysFile = inFolder('keys.json');
    await addKey(keysFile, { name: 'website' }, NOW);
    const server = await startServer({ store: served, keysFile, host: '127.0.0.1', port: 0 });
    onTestFinished(() => server.close());
    return server.port;
  }

  it('is sound when it is free', async () => {
    const server = createServer();
    const port = await listenOn(server);
    server.close();
    await once(server, 'close');
    expect(await checkPort('127.0.0.1', port)).toEqual({ state: 'ok', found: `127.0.0.1:${port} is free` });
  });

  it('is sound when this program serves on it', async () => {
    const port = await serve(store());
    const found = `127.0.0.1:${port} is served by us, from ${readCurrent(store())}`;
    expect(await checkPort('127.0.0.1', port)).toEqual({ state: 'ok', found });
  });

  it('is a fault when what is served is no snapshot of the store, and sound when it is one', async () => {
    const port = await serve(store());
    expect((await checkPort('127.0.0.1', port, store())).state).toBe('ok');
    expect(await checkPort('127.0.0.1', port, inFolder('other'))).toEqual({
      state: 'fault',
      found: `127.0.0.1:${port} is served by us, from ${readCurrent(store())}, which is not a snapshot of ${inFolder('other')}`,
      remedy: 'name the store of that server with --store, or choose another port with --port',
    });
  });

  it('warns when what is served is not what is current, and says how to learn why', async () => {
    const before = readCurrent(store());
    const port = await serve(store());
    writeSmallSource(inFolder('site'), 4);
    requireSuccess(
      await callDeals(['build', '--config', inFolder('site/catalogue.json'), '--store', inFolder('elsewhere')]),
    );
    const current = readCurrent(inFolder('elsewhere')) ?? '';
    cpSync(join(store(), before ?? ''), join(inFolder('elsewhere'), before ?? ''), { recursive: true });
    expect(await checkPort('127.0.0.1', port, inFolder('elsewhere'))).toMatchObject({
      state: 'warning',
      found: `127.0.0.1:${port} is served by us, from ${before}, and not from the current ${current}`,
      remedy: expect.stringContaining(`deals verify --store ${inFolder('elsewhere')}`),
    });
  });

  const stale = JSON.stringify({ status: 'ready', snapshot: '20260101T0000Z-00000000', stale: true });
  const answerWith = (body: string) => listenOn(createHttpServer((_, response) => response.end(body)));

  it.each([
    ['a fault when this program serves no snapshot', () => serve(inFolder('none')), 'fault', / without a snapshot/],
    ['a warning when the served snapshot is stale', () => answerWith(stale), 'warning', /which is stale/],
    [
      'a fault when another program has it',
      () => answerWith('hello'),
      'fault',
      /; end that program, or choose another with --port$/,
    ],
  ] as const)('is %s', async (_, start, state, text) => {
    const finding = await checkPort('127.0.0.1', await start());
    expect([finding.state, `${finding.found}; ${finding.remedy}`]).toEqual([state, expect.stringMatching(text)]);
  });

  it('is a fault where this machine has no such address', async () => {
    expect(await checkPort('192.0.2.1', 8080)).toMatchObject({
      state: 'fault',
      found: expect.stringContaining('EADDRNOTAVAIL'),
    });
  });
});

describe('what a user may not do', () => {
  /** What the command finds as a user who is not the one who may do everything. */
  async function examine(...args: readonly string[]): Promise<readonly NamedResult[]> {
    const config = inFolder('site/catalogue.json');
    const child = startDeals(['doctor', '--config', config, '--store', store(), '--port', '0', '--json', ...args], {
      cwd: folder,
      before: AS_ORDINARY_USER,
    });
    return (JSON.parse((await endOf(child)).stdout) as { readonly findings: readonly NamedResult[] }).findings;
  }

  const file = () => join(store(), readCurrent(store()) ?? '', 'deals.ndjson');

  it.each<[what: string, check: string, path: () => string, mode: number, found: readonly Partial<NamedResult>[]]>([
    [
      'read a source',
      'sources',
      () => inFolder('site/feeds/house/deals.csv'),
      0o000,
      [{ state: 'ok' }, { state: 'fault', found: 'house: feeds/house/deals.csv cannot be read (EACCES)' }],
    ],
    ['write to the store', 'store', store, 0o555, [{ state: 'warning' }]],
    ['read the store', 'store', store, 0o000, [{ state: 'fault' }]],
    ['read a file of the snapshot', 'snapshot', file, 0o000, [{ state: 'fault' }]],
    ['read the keys', 'keys', () => inFolder('keys.json'), 0o000, [{ state: 'fault' }]],
  ])('is to %s', async (_, check, path, mode, found) => {
    await addKey(inFolder('keys.json'), { name: 'boss', operator: true }, NOW);
    chmodSync(inFolder('keys.json'), 0o644);
    const forbidden = path();
    chmodSync(forbidden, mode);
    const findings = await examine('--keys', inFolder('keys.json'));
    chmodSync(forbidden, 0o755);
    expect(findings.filter((finding) => finding.check === check)).toMatchObject(found);
  });

  it('is to open a lock file: whether a build holds it, that user cannot tell', async () => {
    writeFileSync(join(store(), 'build.lock'), `${process.pid} ${hostname()}\n`, { mode: 0o000 });
    const findings = (await examine()).filter(({ check }) => check === 'build');
    expect(findings[0]).toEqual({
      check: 'build',
      state: 'ok',
      found: 'build.lock is there for 0 minutes; this user cannot tell whether a build holds it or was killed',
      remedy: 'run deals doctor as the user who builds',
    });
  });
});

describe('deals doctor', () => {
  const args = () => ['--config', inFolder('site/catalogue.json'), '--store', store(), '--port', '0'];

  it('tells a line for each finding, with what to do below, and ends with exit code 0 without a fault', async () => {
    const keysFile = inFolder('keys.json');
    await addKey(keysFile, { name: 'website' }, NOW);
    const { exitCode, stdout, stderr } = await callDeals(['doctor', ...args(), '--keys', keysFile]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    for (const line of lines.slice(0, -3)) {
      expect(line).toMatch(/^(?:(?:ok {5}|warning|skipped) {2}[a-z]+ +\S| {26}what to do: \S)/);
    }
    expect(lines.at(-2)).toMatch(/^0 faults, [0-9]+ warnings?$/);
    const places = `--config ${inFolder('site/catalogue.json')} --store ${store()}`;
    expect(lines.at(-1)).toBe(`next: deals serve ${places} --keys ${keysFile}`);
    const checks = new Set(lines.flatMap((line) => /^\S+ +([a-z]+)/.exec(line)?.[1] ?? []));
    // Those of a remote store are silent without one.
    const remote = ['remote-keys', 'remote', 'remote-write', 'pull'];
    expect(Object.keys(CHECKS).filter((name) => !checks.has(name) && !remote.includes(name))).toEqual([]);
  });

  it('ends with exit code 1 at a fault, and names them all', async () => {
    rmSync(join(store(), 'current.json'));
    const { exitCode, stdout } = await callDeals(['doctor', ...args(), '--keys', inFolder('none.json'), '--json']);
    expect(exitCode).toBe(1);
    const { sound, findings } = JSON.parse(stdout) as {
      readonly sound: boolean;
      readonly findings: readonly NamedResult[];
    };
    expect(sound).toBe(false);
    expect(findings.filter(({ state }) => state === 'fault').map(({ check }) => check)).toEqual(['snapshot', 'keys']);
    expect(findings.filter(({ state, remedy }) => state !== 'ok' && remedy === undefined)).toEqual([]);
  });

  it('says the next step of the way to a server', async () => {
    const next = async (...more: readonly string[]): Promise<string | undefined> =>
      /^next: (.*)$/m.exec((await callDeals(['doctor', ...args(), ...more])).stdout)?.[1];
    const keysFile = inFolder('keys.json');
    expect(await next()).toContain('deals keys create');
    expect(await next('--keys', keysFile)).toBe(`keys: deals keys create --keys ${keysFile} --name website`);
    await addKey(keysFile, { name: 'website' }, NOW);
    const server = await startServer({ store: store(), keysFile, host: '127.0.0.1', port: 0 });
    onTestFinished(() => server.close());
    const served = ['--keys', keysFile, '--port', String(server.port)];
    expect(await next(...served)).toBe('nothing: it is served');
    const feed = inFolder('site/feeds/house/deals.csv');
    const sound = readFileSync(feed);
    rmSync(feed);
    expect(await next(...served)).toMatch(/^sources: put its files there/);
    await callDeals(['build', ...args().slice(0, 4)]);
    for (const more of [[], ['--keys', keysFile], served]) expect(await next(...more)).toMatch(/^build: fetch house /);
    process.chdir(folder);
    const onlyServed = await callDeals(['doctor', '--store', store(), '--keys', keysFile, '--port', '0']);
    expect(onlyServed.stdout).toContain(`\nnext: deals serve --store ${store()} --keys ${keysFile}\n`);
    writeFileSync(feed, sound);
    const cms = readFileSync(inFolder('site/cms/site.json'), 'utf8');
    writeFileSync(inFolder('site/cms/site.json'), cms.replace('"published"', '"draft"'));
    for (const [before, step] of [
      [store(), /^build: mend/],
      [inFolder('first'), /^build: mend what it names, and run /],
    ] as const) {
      const places = ['--config', inFolder('site/catalogue.json'), '--store', before];
      expect((await callDeals(['build', ...places])).exitCode).toBe(3);
      expect(await next('--store', before, '--keys', keysFile)).toMatch(step);
    }
    writeFileSync(inFolder('site/cms/site.json'), cms);
    rmSync(store(), { recursive: true });
    expect(await next('--keys', keysFile)).toMatch(/^store: run deals build --config .* first/);
  });

  it('tells all that is wrong with a configuration, and looks at the rest', async () => {
    writeFileSync(inFolder('site/catalogue.json'), '{"cms": [], "feds": []}');
    const { exitCode, stdout } = await callDeals(['doctor', ...args()]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('did you mean "feeds"?');
    expect(stdout).toMatch(/^ok +snapshot/m);
  });

  it('in an empty folder says where to begin', async () => {
    mkdirSync(inFolder('empty'));
    process.chdir(inFolder('empty'));
    const { exitCode, stdout } = await callDeals(['doctor', '--port', '0']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^skipped +configuration .*\n.*deals init/m);
    expect(stdout).toMatch(/^fault +store +dist\/catalogue: expected a store, found nothing\n.*run deals build first/m);
    expect(stdout).toMatch(/\nnext: deals init, which writes a configuration\n$/);
    expect(existsSync('dist')).toBe(false);
  });
});
