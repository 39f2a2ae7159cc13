import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  DEALS_IN_SHELL,
  endOf,
  requireSuccess,
  runDeals,
  startDeals,
  untilAddress,
  type DealsRun,
} from '../unit/cli/run-deals.ts';
import { writeSmallSource } from '../unit/cli/small-source.ts';

let cwd = '';
let source = '';
let child: ChildProcessWithoutNullStreams;
let end: Promise<DealsRun>;
let announcement = '';
let stderr = '';

/** The one key, and where the server is. */
const keyText = () => /deals_\w+/.exec(announcement)?.[0] ?? '';
const url = () => /http:\/\/[0-9.]+:[0-9]+/.exec(announcement)?.[0] ?? '';

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'deals-dev-test-'));
  source = join(cwd, 'site');
  mkdirSync(join(cwd, 'tmp'));
  writeSmallSource(source, 8);
  child = startDeals(['dev', '--config', 'site/catalogue.json', '--store', 'store', '--port', '0'], {
    cwd,
    env: { TMPDIR: join(cwd, 'tmp'), DEALS_CORS_ORIGIN: 'https://shop.example' },
  });
  child.stderr.on('data', (text) => (stderr += String(text)));
  end = endOf(child);
  announcement = await Promise.race([untilAddress(child), end.then((run) => Promise.reject(new Error(run.stderr)))]);
});

afterAll(() => {
  child.kill('SIGKILL');
  rmSync(cwd, { recursive: true });
});

async function countDeals(): Promise<number> {
  const response = await fetch(`${url()}/deals/v1/products/?expand=products(deals)`, {
    headers: { 'x-api-key': keyText() },
  });
  const { deals } = (await response.json()) as { readonly deals: readonly unknown[] };
  return deals.length;
}

function untilSaid(text: string): Promise<void> {
  return vi.waitFor(() => expect(stderr).toContain(text), { timeout: 20_000, interval: 50 });
}

function untilDeals(count: number): Promise<void> {
  return vi.waitFor(async () => expect(await countDeals()).toBe(count), { timeout: 20_000, interval: 100 });
}

describe('deals dev', () => {
  it('builds, serves, and says where everything is, with a key', async () => {
    for (const page of ['explore', 'docs', 'status'])
      expect(announcement).toContain(`${url()}/${page}/#key=${keyText()}\n`);
    expect(stderr).toMatch(/^Published \S+: 1 products, 8 deals/m);
    expect(await countDeals()).toBe(8);
    const status = await fetch(`${url()}/status/store.json`, { headers: { 'x-api-key': keyText() } });
    expect(status.status).toBe(200);
    for (const origin of ['http://localhost:5173', 'https://shop.example']) {
      const { headers } = await fetch(`${url()}/health/live`, { headers: { Origin: origin } });
      expect(headers.get('access-control-allow-origin')).toBe(origin);
    }
  });

  it('builds again when a feed changes', async () => {
    writeSmallSource(source, 9);
    await untilDeals(9);
    expect(stderr).toContain('feeds/house/deals.csv: changed\n');
  });

  it('reads a file that is new, and says so', async () => {
    const feed = join(source, 'feeds/house');
    const [header = '', first = ''] = readFileSync(join(feed, 'deals.csv'), 'utf8').split('\n');
    writeFileSync(join(feed, 'more.csv'), `${header}\n${first.replace('D-0', 'M-1').replace('20.50', '9.99')}\n`);
    await untilDeals(10);
    expect(stderr).toContain('feeds/house/more.csv: changed\n');
  });

  it('says why a feed is held or a build refused, and serves what was good', async () => {
    rmSync(join(source, 'feeds/house/more.csv'));
    writeSmallSource(source, 1);
    await untilSaid('Held: lost-deals of house, 9 of 10 (90 %, at most 45 %); its 10 deals of ');
    expect(stderr).toContain('to take house as it is now: deals build --');
    rmSync(join(source, 'cms/site.json'));
    await untilSaid('deals: Refused: required-source of site, the source has no file');
    expect(await countDeals()).toBe(10);
    writeSmallSource(source, 9);
    await untilDeals(9);
  });

  it('says what is wrong with a configuration, serves what was good, and goes on when it is mended', async () => {
    const file = join(source, 'catalogue.json');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('"feeds"', '"feds"'));
    await untilSaid('feds: unknown key; did you mean "feeds"?');
    expect(await countDeals()).toBe(9);
    // The same feed by another glob, which a new file is then found by.
    mkdirSync(join(source, 'feeds/second'));
    writeFileSync(file, text.replace('feeds/house/*.csv', 'feeds/**/*.csv'));
    await vi.waitFor(() => expect(stderr.split('Nothing has changed').length).toBe(2), { timeout: 20_000 });
    const rows = readFileSync(join(source, 'feeds/house/deals.csv'), 'utf8').split('\n').slice(0, 2).join('\n');
    writeFileSync(join(source, 'feeds/second/more.csv'), `${rows.replace('D-0', 'S-1').replace('20.50', '8.99')}\n`);
    await untilDeals(10);
  });

  it('ends with exit code 0 at SIGINT, and leaves no key behind', async () => {
    child.kill('SIGINT');
    expect((await end).exitCode).toBe(0);
    expect(readdirSync(join(cwd, 'tmp')).filter((name) => name.startsWith('deals-dev-'))).toEqual([]);
  });
});

describe('deals dev whose output goes to a file beside the export', () => {
  it('builds again when a source changes, and only then', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'deals-dev-log-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeSmallSource(folder);
    const line = `exec ${DEALS_IN_SHELL} dev --store store --port 0 >cms/dev.log 2>&1`;
    const logged = spawn('/bin/sh', ['-c', line], { cwd: folder, env: { PATH: process.env['PATH'] ?? '' } });
    const read = () => readFileSync(join(folder, 'cms/dev.log'), 'utf8');
    const until = (text: string) => vi.waitFor(() => expect(read()).toContain(text), { timeout: 20_000 });
    await until('waiting for changes');
    // A change that is seen, and what is said of it, would start the next build.
    for (const count of [4, 5, 6]) {
      writeSmallSource(folder, count);
      await until(`1 products, ${count} deals`);
    }
    logged.kill('SIGTERM');
    await endOf(logged);
    expect(read().match(/^building$/gm)?.length).toBe(4);
    expect(read()).not.toContain('dev.log');
  });
});

describe('deals dev without an export of the CMS', () => {
  it('says what is missing and that nothing is served yet, and is no fault of its own', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'deals-dev-new-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    requireSuccess(await runDeals(['init'], { cwd: folder }));
    rmSync(join(folder, 'cms'), { recursive: true });
    const fresh = startDeals(['dev', '--port', '0'], { cwd: folder });
    const ended = endOf(fresh);
    await untilAddress(fresh);
    fresh.kill('SIGTERM');
    const run = await ended;
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain('site (catalogue): no file; expected a file that matches ');
    expect(run.stderr).toContain('\nnothing is served until a build has published something\n');
    expect(run.stderr).not.toMatch(/SnapshotError|^\s+at /m);
  });
});
