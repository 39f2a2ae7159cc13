import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { judgeRoom } from '../../../cli/status-findings.ts';
import { requireSuccess, runDeals, withServer } from '../../harness.ts';
import { writePullState } from '../../support/pull-state.ts';
import { writeSmallSource } from './small-source.ts';

const root = mkdtempSync(join(tmpdir(), 'deals-status-'));
afterAll(() => rmSync(root, { recursive: true }));

const HOUR_MS = 3_600_000;
const before = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString();
const ID = '[0-9]{8}T[0-9]{4}Z-[0-9a-f]{8}';

let folder = '';
const inFolder = (path: string): string => join(folder, path);

beforeEach(() => {
  folder = mkdtempSync(join(root, 'site-'));
});

/** The options of a site whose store has one snapshot. */
async function build(...args: readonly string[]): Promise<readonly string[]> {
  writeSmallSource(folder);
  const options = ['--config', inFolder('catalogue.json'), '--store', inFolder('store')];
  requireSuccess(await runDeals(['build', ...options, ...args]));
  return options;
}

const snapshotOf = (store: string): string => readdirSync(store).find((name) => new RegExp(`^${ID}$`).test(name)) ?? '';

async function createKeys(...args: readonly string[]): Promise<string> {
  const file = inFolder('keys.json');
  requireSuccess(await runDeals(['keys', 'create', '--keys', file, '--name', 'website', ...args]));
  return file;
}

describe('deals status', () => {
  it('shows what is current, its age, its sources, the last build and the snapshots, and ends with 0 when there is nothing to do', async () => {
    const options = await build();
    const { exitCode, stdout, stderr } = await runDeals(['status', ...options, '--keys', await createKeys()]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout.trimEnd().split('\n')).toEqual([
      'state       fine',
      expect.stringMatching(`^current     ${ID}, 1 products, 3 deals, made 0 minutes ago, confirmed 0 minutes ago$`),
      'source      site (catalogue): 3 read, 3 kept, 0 duplicate, 0 out of scope, 0 quarantined',
      'source      house (deals): 3 read, 3 kept, 0 duplicate, 0 out of scope, 0 quarantined',
      expect.stringMatching(/^last build {2}[0-9T:.-]+Z: Published /),
      '',
      'snapshot                 sequence  published                 products  deals',
      expect.stringMatching(`^${ID}         1  [0-9T:.-]+Z         1      3  current$`),
      '',
      'next: nothing',
    ]);
  });

  it('lists the snapshots newest first, with the fault of one that cannot be read, and which were rolled back from', async () => {
    const options = await build('--now', before(2));
    writeSmallSource(folder, 4);
    requireSuccess(await runDeals(['build', ...options]));
    requireSuccess(await runDeals(['rollback', ...options]));
    const damaged = '20260101T0000Z-00000000';
    mkdirSync(inFolder(`store/${damaged}`));
    writeFileSync(inFolder(`store/${damaged}/manifest.json`), '{"formatVersion": 99, "sequence": 7}');
    const { snapshots } = JSON.parse((await runDeals(['status', ...options, '--json'])).stdout) as Record<
      string,
      unknown
    >;
    expect(snapshots).toMatchObject([
      {
        id: damaged,
        sequence: 7,
        isCurrent: false,
        fault: expect.stringContaining('expected format version 1, got 99'),
      },
      { sequence: 2, counts: { deals: 4 }, isCurrent: false, isRolledBack: true },
      { sequence: 1, counts: { deals: 3 }, isCurrent: true },
    ]);
    const { stdout } = await runDeals(['status', ...options]);
    expect(stdout).toMatch(/ 4 {2}rolled back from\n.* 3 {2}current\n/);
    expect(stdout).toMatch(/It was rolled back from\.\n {2}what to do: mend, exclude or hold back what is wrong/);
  });

  it('says what the last pull came to, for programs as /status/ has it', async () => {
    const options = await build();
    const at = new Date().toISOString();
    const failure = { at, message: 'HTTP 503' };
    writePullState(inFolder('store'), { lastContactAt: at, lastFailure: failure });
    const { exitCode, stdout } = await runDeals(['status', ...options, '--json']);
    expect(exitCode).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({
      state: 'attention',
      current: { products: 1, deals: 3, stale: false },
      lastBuild: { outcome: 'published' },
      pull: { url: 's3://catalogue/uk', lastFailure: failure },
      attention: [{ state: 'warning', found: `deals pull failed at ${at}: HTTP 503` }],
      next: expect.stringContaining('mend what it names'),
    });
    writePullState(inFolder('store'), { lastContactAt: at });
    const screen = await runDeals(['status', ...options]);
    expect(screen.exitCode).toBe(0);
    expect(screen.stdout).toContain(`pull        no revision yet of s3://catalogue/uk, last contact ${at}\n`);
  });
});

interface Case {
  /** What is done to a site with one snapshot; returns further options. */
  readonly given: () => void | readonly string[] | Promise<void | readonly string[]>;
  readonly builtAt?: string;
  readonly found: RegExp;
  readonly next: RegExp;
}

const FINDINGS: Readonly<Record<string, Case>> = {
  'a configuration with a fault': {
    given: () => writeFileSync(inFolder('catalogue.json'), '{ "feds": [] }'),
    found: /feds: unknown key; did you mean "feeds"\?/,
    next: /^mend it/,
  },
  'a file of the snapshot that was cut short': {
    given: () => truncateSync(inFolder(`store/${snapshotOf(inFolder('store'))}/deals.ndjson`), 1),
    found: /deals\.ndjson: expected [0-9]+ bytes, got 1$/,
    next: /^run deals build, or go back with deals rollback/,
  },
  'a manifest that is gone': {
    given: () => rmSync(inFolder(`store/${snapshotOf(inFolder('store'))}/manifest.json`)),
    found: /no snapshot "/,
    next: /^deals rollback --to/,
  },
  'a current.json that is gone': {
    given: () => rmSync(inFolder('store/current.json')),
    found:
      /current\.json: expected {"snapshot": "<id>"} and its check, got no file; deals rollback --to \S+ --store \S+ writes it$/,
    next: /^deals rollback --to [0-9]{8}T\S+ --store /,
  },
  'a snapshot that no build has confirmed for too long': {
    given: () => undefined,
    builtAt: before(30),
    found: /no build has confirmed it for 30\.0 hours$/,
    next: /^see whether deals build still runs every night/,
  },
  'a snapshot from the future: the clock is wrong': {
    given: () => undefined,
    builtAt: before(-3),
    found: /it was made 3\.0 hours from now, so its age is not known$/,
    next: /^set the clock/,
  },
  'a feed that is held': {
    given: async () => {
      writeFileSync(inFolder('feeds/house/deals.csv'), '<html>Down for maintenance</html>\n');
      await runDeals(['build', '--config', inFolder('catalogue.json'), '--store', inFolder('store')]);
    },
    found: /^the last one that ended, .* Not read: feeds\/house\/deals\.csv:1: .*Held: house; .* are served until /,
    next: /^fetch house again, look at it with deals check house --config \S+, and run deals build /,
  },
  'a build that was refused': {
    given: async () => {
      rmSync(inFolder('cms/site.json'));
      await runDeals(['build', '--config', inFolder('catalogue.json'), '--store', inFolder('store')]);
    },
    found: /^the last one that ended, .*: Refused: Missing: site has no file: /,
    next: /^mend what it names, and run deals build /,
  },
  'a pull.json that cannot be read': {
    given: () => writeFileSync(inFolder('store/pull.json'), '{'),
    found: /pull\.json/,
    next: /^delete it/,
  },
  'a key file that is not there': {
    given: () => ['--keys', inFolder('none.json')],
    found: /none\.json: expected a key file, found none/,
    next: /^deals keys create --keys \S+none\.json --name website$/,
  },
  'a key file that is damaged': {
    given: () => {
      writeFileSync(inFolder('keys.json'), '{');
      return ['--keys', inFolder('keys.json')];
    },
    found: /keys\.json: /,
    next: /^mend the file/,
  },
  'a key file without a key': {
    given: () => {
      writeFileSync(inFolder('keys.json'), '{ "keys": [] }', { mode: 0o600 });
      return ['--keys', inFolder('keys.json')];
    },
    found: /no key that has not expired; deals serve does not start$/,
    next: /^deals keys create /,
  },
  'a key that ends soon': {
    given: async () => ['--keys', await createKeys('--until', before(-49))],
    found: /^the key \S+ of website ends in 2\.0 days$/,
    next: /^deals keys create --keys \S+ --name website, give it out, then revoke /,
  },
  'a port at which nothing answers': {
    given: async () => {
      const server = await withServer();
      await server.close();
      return ['--port', String(server.port)];
    },
    found: /^127\.0\.0\.1:[0-9]+: expected a server of \S+, got no answer \(connect ECONNREFUSED /,
    next: /^deals serve --store \S+ --port [0-9]+ --keys /,
  },
  'a port that another program has': {
    given: async () => ['--port', String(await startOther())],
    found: /got the answer of another program$/,
    next: /^deals serve --store /,
  },
  'a server of another store': {
    given: async () => ['--port', String((await withServer()).port)],
    found: new RegExp(`: expected a server of ${ID}, got ${ID}$`),
    next: /where a server of this store runs there, see what it logs$/,
  },
  'a server without a snapshot': {
    given: async () => ['--port', String((await withServer({ catalogue: null })).port)],
    found: /, got no-snapshot$/,
    next: /^deals serve --store /,
  },
};

/** A server that is none of ours. */
async function startOther(): Promise<number> {
  const other = createServer((_, response) => response.end('{}'));
  await new Promise<void>((resolve) => {
    other.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void other.close());
  return (other.address() as AddressInfo).port;
}

describe('deals status finds, names and ends with 4 for', () => {
  it.each(Object.entries(FINDINGS))('%s', async (_, { given, builtAt = before(0), found, next }) => {
    const options = await build('--now', builtAt);
    const more = (await given()) ?? [];
    const { exitCode, stdout } = await runDeals(['status', ...options, ...more, '--json']);
    const status = JSON.parse(stdout) as { attention: readonly { found: string; remedy: string }[]; next: string };
    expect(exitCode).toBe(4);
    expect(status.attention.map((finding) => finding.found)).toEqual([expect.stringMatching(found)]);
    expect(status.next).toMatch(next);
    expect(status.next).toBe(status.attention[0]?.remedy);
  });

  it('a store in which nothing is published', async () => {
    const { exitCode, stdout } = await runDeals(['status', '--store', folder, '--json']);
    expect(exitCode).toBe(4);
    expect(JSON.parse(stdout)).toEqual({
      state: 'attention',
      sources: [],
      snapshots: [],
      attention: [{ state: 'fault', found: `${folder}: nothing is published`, remedy: 'run deals build' }],
      next: 'run deals build',
    });
  });

  it('nothing about a server of this store', async () => {
    const options = await build();
    const keysFile = await createKeys();
    const { port } = await withServer({ on: { folder, store: inFolder('store'), keysFile, key: '' } });
    const run = await runDeals(['status', ...options, '--keys', keysFile, '--port', String(port)]);
    expect(run.stdout).toMatch(/\nnext: nothing\n$/);
    expect(run.exitCode).toBe(0);
  });
});

describe('room on the disk', () => {
  it.each([
    ['enough for the next snapshot', 400e6, [100e6], []],
    ['too little for the next snapshot', 200e6, [100e6], ['fault']],
    ['too little for the pictures and reports of the first', 50e6, [], ['fault']],
  ])('%s', (_, freeBytes, sizes, states) => {
    expect(judgeRoom(freeBytes, sizes).map(({ state }) => state)).toEqual(states);
  });
});
