import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isMissing, tool } from '../fault/needs.ts';
import { until } from '../harness.ts';
import { endOf } from '../unit/cli/run-deals.ts';
import { DEPLOY_FOLDER } from './deployed.ts';

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

const SCRIPT = join(DEPLOY_FOLDER, 'fetch-sources.sh');
const PATH = process.env['PATH'] ?? '';
const FETCH_ENV: Readonly<Record<string, string>> = {
  DEALS_FETCH_PROTO: '=http,sftp,rclone',
  DEALS_FETCH_WAIT: '0',
  DEALS_FETCH_SECONDS: '5',
};
const HEADER = 'dealId,retailer,monthlyCost';
/** A feed of some size, since what shrinks by half is refused. */
const FEED = `${HEADER}\n${'H-1,phonewright,29.99\n'.repeat(200)}`;
const PACKED = gzipSync(FEED);
const SITE = `{"products":[{"id":"101"}]}\n`;
const PAGE = '<!DOCTYPE html>\n<html><body>dealId: the service is not available</body></html>';
const PASSWORD = 'hunter2-in-an-address';
const LINE = 'feeds/house/deals.csv @/deals.csv expect=dealId';
const TAKEN = { exitCode: 0, stdout: `feeds/house/deals.csv: ${FEED.length} bytes\n`, stderr: '' };

/** The host of the sources, what it was asked, and what it answers to every path. */
const requests: IncomingMessage[] = [];
let handler: Handler;
const host = createServer((req, res) => {
  requests.push(req);
  handler(req, res);
}).listen(0, '127.0.0.1');
await once(host, 'listening');
afterAll(() => {
  host.closeAllConnections();
  host.close();
});
const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
let folder: string;

function answer(next: Handler): void {
  handler = next;
  requests.length = 0;
}

function send(body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Handler {
  return (_, res) => res.writeHead(200, { 'Content-Length': Buffer.byteLength(body), ...headers }).end(body);
}

/** Runs the script over a list of these lines; `@` stands for the address of the host. */
function fetchSources(lines: readonly string[], env = FETCH_ENV) {
  writeSecret('sources.list', lines);
  return fetchAgain(env);
}

const start = (env: object, detached = false) =>
  spawn(SCRIPT, [join(folder, 'sources.list'), pathOf('')], { env: { PATH, ...env }, detached });
const fetchAgain = (env: object = FETCH_ENV) => endOf(start(env));

/** A list or settings, which only the owner may read. */
function writeSecret(name: string, lines: readonly string[]): void {
  writeFileSync(join(folder, name), lines.map((line) => `${line.replaceAll('@', url)}\n`).join(''), { mode: 0o600 });
}

const saying = (said: RegExp) => expect.stringMatching(said) as string;
const pathOf = (name = 'feeds/house/deals.csv'): string => join(folder, 'source', name);

/** Every file below the sources, without what the script remembers. */
function listSources(): readonly string[] {
  const entries = readdirSync(pathOf(''), { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return names.map((name) => relative(pathOf(''), name)).filter((name) => !name.startsWith('.fetch/'));
}

/** What every process of the machine was started with: its words and its environment. */
function listCommandLines(): readonly string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid)
        ? ['cmdline', 'environ'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8'))
        : [];
    } catch {
      return [];
    }
  });
}

describe.skipIf(isMissing('fetching sources', tool('curl'), tool('flock'), tool('gzip')))('fetch-sources.sh', () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'deals-fetch-'));
    mkdirSync(pathOf(''));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('fetches a file, makes its folder, and leaves nothing else', async () => {
    answer(send(FEED));
    expect(await fetchSources(['# ours', '', LINE])).toEqual(TAKEN);
    expect(readFileSync(pathOf(), 'utf8')).toBe(FEED);
    expect(listSources()).toEqual(['feeds/house/deals.csv']);
    expect(statSync(pathOf()).mode & 0o777).toBe(0o644);
  });

  it('leaves a file whose tag is unchanged, and fetches one that was changed or removed', async () => {
    answer((req, res) => {
      if (req.headers['if-none-match'] === '"one"') res.writeHead(304).end();
      else send(FEED, { ETag: '"one"' })(req, res);
    });
    expect(await fetchSources([LINE])).toEqual(TAKEN);
    const { ino } = statSync(pathOf());
    expect(await fetchSources([LINE])).toMatchObject({ exitCode: 0, stdout: 'feeds/house/deals.csv: unchanged\n' });
    expect(statSync(pathOf()).ino).toBe(ino);
    writeFileSync(pathOf(), `${FEED}by hand\n`);
    expect(await fetchSources([LINE])).toEqual(TAKEN);
    rmSync(pathOf());
    expect(await fetchSources([LINE])).toEqual(TAKEN);
  });

  const ofHouse = { name: 'feeds/house/deals.csv', sound: FEED as string | Buffer, expected: 'dealId' };
  const ofPacked = { ...ofHouse, name: 'feeds/house/deals.csv.gz', sound: PACKED };
  const ofCms = { name: 'cms/site.json', sound: SITE, expected: '{' };
  it.each<[what: string, file: typeof ofHouse, received: Handler, said: string]>([
    ['a 404', ofHouse, (_, res) => res.writeHead(404).end(PAGE), 'returned error: 404'],
    ['nothing', ofHouse, send(''), 'it is empty'],
    ['a cut connection', ofHouse, send(FEED, { 'Content-Length': '9999' }), 'not fetched'],
    ['a page of HTML with 200', ofHouse, send(PAGE), 'it is a web page'],
    ['another header', ofHouse, send(FEED.replace('dealId', 'offer')), 'its first line does not hold dealId'],
    ['less than half of before', ofHouse, send(`${HEADER}\nH-1,a,1\n`), 'less than 50 percent'],
    ['too much, without a length', ofHouse, (_, res) => res.end(`${HEADER}\n${'x'.repeat(3_000_000)}`), 'not fetched'],
    ['a redirect elsewhere', ofHouse, (_, res) => res.writeHead(302, { Location: 'ftp://a/x' }).end(), 'rotocol'],
    ['text under the name of a gzip file', ofPacked, send(FEED), 'no gzip file'],
    ['a gzip file that is cut short', ofPacked, send(PACKED.subarray(0, -10)), 'no gzip file'],
    ['half of JSON, without a length', ofCms, (_, res) => res.end(SITE.slice(0, 20)), 'does not end like JSON'],
  ])('does not take %s, and leaves what was there', async (_, { name, sound, expected }, received, said) => {
    const line = `${name} @/file expect=${expected} most=1`;
    answer(send(sound));
    expect(await fetchSources([line])).toMatchObject({ exitCode: 0, stderr: '' });
    answer(received);
    const { exitCode, stdout, stderr } = await fetchSources([line]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^\S+: not (?:fetched|taken): [^\n]+; what was there stays\n$/);
    expect(stderr).toContain(said);
    expect(readFileSync(pathOf(name))).toEqual(Buffer.from(sound));
    expect(listSources()).toEqual([name]);
  });

  it('tries again after a busy server, and not after what will not change', async () => {
    answer((req, res) => (requests.length === 2 ? send(FEED)(req, res) : res.writeHead(503).end()));
    expect(await fetchSources([LINE])).toEqual(TAKEN);
    answer((_, res) => res.writeHead(403).end());
    expect(await fetchSources([LINE])).toMatchObject({ exitCode: 1 });
    expect(requests.length).toBe(1);
  });

  it.each([
    ['no TLS', 'a.csv @/a.csv', 'expected an address that begins with https://, sftp:// or rclone://', {}],
    ['another protocol', 'a.csv ftp://127.0.0.1/a.csv', 'got ftp://'],
    ['a path that leaves the folder', '../a.csv @/a.csv', 'path within the folder'],
    ['no address', 'a.csv', 'an address after a.csv'],
    ['a word that is none', 'a.csv @/a.csv expct=dealId', 'got expct'],
    ['a share that is none', 'a.csv @/a.csv least=half', 'least: expected a percentage'],
    ['settings that are not there', 'a.csv @/a.csv curl=none.curl', 'none.curl: expected a file'],
    ['settings that others may read', 'a.csv @/a.csv curl=open.curl', 'open.curl: expected a file that only its owner'],
    ['a store without settings', 'a.csv rclone://feeds/a.csv', 'rclone: expected a file with a section [source]'],
    ['a server of SFTP without its fingerprint', 'a.csv sftp://127.0.0.1/a.csv', 'hostpubsha256'],
  ])('refuses a list with %s before it fetches anything', async (_, line, said, env = FETCH_ENV) => {
    answer(send(FEED));
    writeFileSync(join(folder, 'open.curl'), '', { mode: 0o604 });
    const good = env === FETCH_ENV ? 'good.csv @/good.csv' : '# nothing';
    const { exitCode, stderr } = await fetchSources([good, line], env);
    expect(stderr).toMatch(/sources\.list:2: /);
    expect(stderr).toContain(said);
    expect({ exitCode, asked: requests.length }).toEqual({ exitCode: 2, asked: 0 });
  });

  it('refuses a list that others may read', async () => {
    writeSecret('sources.list', [LINE]);
    chmodSync(join(folder, 'sources.list'), 0o640);
    expect(await fetchAgain()).toMatchObject({ exitCode: 2, stderr: saying(/chmod 600/) });
  });

  it('shows no password: in no command line, not on its output', async () => {
    writeSecret('cms.curl', [`header = "Authorization: Bearer ${PASSWORD}"`]);
    const commandLines: string[] = [];
    answer((_, res) => {
      commandLines.push(...listCommandLines());
      res.writeHead(401).end();
    });
    const line = `a.csv @/${PASSWORD}/a.csv?key=${PASSWORD} curl=cms.curl`;
    const { exitCode, stdout, stderr } = await fetchSources([line]);
    expect(exitCode).toBe(1);
    const [asked] = requests;
    expect(asked?.headers.authorization).toBe(`Bearer ${PASSWORD}`);
    expect(asked?.url).toBe(`/${PASSWORD}/a.csv?key=${PASSWORD}`);
    expect(commandLines.some((text) => text.includes('curl'))).toBe(true);
    expect([...commandLines, stdout, stderr].filter((text) => text.includes(PASSWORD))).toEqual([]);
  });

  it('logs in first where a feed lies behind a form, and keeps no cookie', async () => {
    answer((req, res) => {
      let form = '';
      req.on('data', (text) => (form += String(text)));
      req.on('end', () => {
        if (req.url !== '/login') return send(req.headers.cookie === 'session=5e55' ? FEED : PAGE)(req, res);
        if (form === `password=${PASSWORD}`) res.setHeader('Set-Cookie', 'session=5e55; HttpOnly; Path=/');
        res.writeHead(303, { Location: '/account' }).end();
      });
    });
    writeSecret('shop.login', ['url = "@/login"', `data = "password=${PASSWORD}"`]);
    expect(await fetchSources([`${LINE} login=shop.login`])).toEqual(TAKEN);
    expect(listSources()).toEqual(['feeds/house/deals.csv']);
    writeSecret('shop.login', ['url = "@/login"', 'data = "password=wrong"']);
    expect(await fetchSources([`${LINE} login=shop.login`])).toMatchObject({ exitCode: 1, stderr: saying(/web page/) });
  });

  it.skipIf(isMissing('sources from S3', tool('rclone')))('takes an object of S3, and shows no key', async () => {
    let object = FEED;
    const commandLines: string[] = [];
    answer((req, res) => {
      commandLines.push(...listCommandLines());
      const isSigned = req.headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=AKTEST/');
      if (isSigned !== true || req.url?.split('?')[0] !== '/feeds/deals.csv') return void res.writeHead(403).end();
      const modified = { ETag: '"x-1"', 'Last-Modified': 'Fri, 20 Nov 2026 02:00:00 GMT' };
      res.writeHead(200, { 'Content-Length': object.length, ...modified }).end(req.method === 'HEAD' ? '' : object);
    });
    const keys = ['access_key_id = AKTEST', `secret_access_key = ${PASSWORD}`];
    writeSecret('shop.rclone', ['[source]', 'type = s3', 'provider = Other', 'endpoint = @', ...keys]);
    const line = 'feeds/house/deals.csv rclone://feeds/deals.csv expect=dealId rclone=shop.rclone';
    expect(await fetchSources([line])).toEqual(TAKEN);
    object = `${HEADER}\n`;
    expect(await fetchSources([line])).toMatchObject({ exitCode: 1, stderr: saying(/50 percent/) });
    expect(readFileSync(pathOf(), 'utf8')).toBe(FEED);
    expect(commandLines.some((text) => text.startsWith('rclone'))).toBe(true);
    expect(commandLines.filter((text) => text.includes(PASSWORD))).toEqual([]);
  });

  it('leaves the folder to a fetch that is going on', async () => {
    let waiting: ServerResponse | undefined;
    answer((_, res) => (waiting = res));
    const first = fetchSources([LINE]);
    await until(async () => waiting !== undefined);
    expect(await fetchAgain()).toMatchObject({ exitCode: 75, stderr: saying(/going on/) });
    waiting?.end(FEED);
    expect(await first).toEqual(TAKEN);
  });

  it('leaves nothing that a build would read when it is killed, and the next fetch goes on', async () => {
    answer((_, res) => void res.writeHead(200, { 'Content-Length': FEED.length }).write(FEED.slice(0, 500)));
    writeSecret('sources.list', [LINE]);
    const child = start(FETCH_ENV, true);
    await until(async () => requests.length > 0);
    await sleep(50);
    // All of it, as the system does when the power goes: nothing is tidied up.
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await once(child, 'close');
    // What is left has a name that no glob of a configuration finds.
    expect(listSources().filter((name) => !name.includes('/.deals.csv.new-'))).toEqual([]);
    answer(send(FEED));
    // A process that was killed may hold the lock for a moment.
    await expect.poll(() => fetchSources([LINE]), { timeout: 10_000 }).toEqual(TAKEN);
    expect(listSources()).toEqual(['feeds/house/deals.csv']);
  });

  it.each<[what: string, first: Handler, said: RegExp]>([
    [
      'it is a bomb, which is not unpacked to its end',
      send(gzipSync(`${HEADER}\n${'H-1,phonewright,29.99\n'.repeat(1_000_000)}`)),
      /^feeds\/a\.csv\.gz: not taken: it unpacks to more than 200 times its \d+ bytes; what was there stays\n$/,
    ],
    ['it takes too long, with all tries', () => undefined, /^feeds\/a\.csv\.gz: not fetched: /],
  ])('goes on with the next source when %s', async (_, first, said) => {
    answer((req, res) => (req.url === '/first' ? first : send(FEED))(req, res));
    const { stdout } = TAKEN;
    const fetched = await fetchSources(['feeds/a.csv.gz @/first expect=dealId', LINE]);
    expect(fetched).toMatchObject({ exitCode: 1, stdout, stderr: saying(said) });
    expect(requests.map((request) => request.url)).toEqual(['/first', '/deals.csv']);
    expect(listSources()).toEqual(['feeds/house/deals.csv']);
  });
});
