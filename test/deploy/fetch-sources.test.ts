import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isMissing, tool } from '../fault/needs.ts';
import { until } from '../harness.ts';
import { DEPLOY_FOLDER } from './deploy-folder.ts';

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

const SCRIPT = join(DEPLOY_FOLDER, 'fetch-sources.sh');
const HEADER = 'dealId,retailer,monthlyCost';
/** A feed of some size, since what shrinks by half is refused. */
const FEED = `${HEADER}\n${'H-1,phonewright,29.99\n'.repeat(200)}`;
const PAGE = '<!DOCTYPE html>\n<html><body>dealId: the service is not available</body></html>';
const PASSWORD = 'hunter2-in-an-address';

let folder: string;

/** The host that feeds and exports are fetched from, what it was asked, and what it says, regardless of the path. */
const requests: IncomingMessage[] = [];
let handler: Handler;
const host = createServer((req, res) => {
  requests.push(req);
  handler(req, res);
});
const server = {
  url: '',
  requests,
  answer: (next: Handler): void => {
    handler = next;
    requests.length = 0;
  },
};

interface Fetched {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the script over a list of these lines; `@` stands for the address of the server. */
async function fetchSources(lines: readonly string[], options: readonly string[] = []): Promise<Fetched> {
  const list = join(folder, 'sources.list');
  writeFileSync(list, lines.map((line) => `${line.replaceAll('@', server.url)}\n`).join(''), { mode: 0o600 });
  return run([...options, list, join(folder, 'source')]);
}

const FETCH_ENV = { DEALS_FETCH_PROTO: '=http,sftp,rclone', DEALS_FETCH_WAIT: '0', DEALS_FETCH_SECONDS: '5' };

async function run(args: readonly string[], env: Readonly<Record<string, string>> = FETCH_ENV): Promise<Fetched> {
  const child = spawn(SCRIPT, args, { env: { PATH: process.env['PATH'] ?? '', ...env } });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text) => (stdout += String(text)));
  child.stderr.on('data', (text) => (stderr += String(text)));
  await once(child, 'close');
  return { exitCode: child.exitCode, stdout, stderr };
}

function send(body: string | Buffer, headers: Readonly<Record<string, string>> = {}) {
  return (_: IncomingMessage, res: ServerResponse): void => {
    res.writeHead(200, { 'Content-Length': Buffer.byteLength(body), ...headers }).end(body);
  };
}

/** Says that there is more than it sends. */
function sendCut(body: string | Buffer) {
  return (_: IncomingMessage, res: ServerResponse): void => {
    res.writeHead(200, { 'Content-Length': Buffer.byteLength(body) }).write(body.slice(0, body.length / 2), () => {
      res.destroy();
    });
  };
}

function fetched(name = 'feeds/house/deals.csv'): string {
  return readFileSync(join(folder, 'source', name), 'utf8');
}

/** Every file below the sources, without what the script remembers. */
function listSources(): readonly string[] {
  return readdirSync(join(folder, 'source'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, 'source').length + 1))
    .filter((name) => !name.startsWith('.fetch/'))
    .sort();
}

describe.skipIf(isMissing('fetching sources', tool('curl'), tool('flock'), tool('gzip')))('fetch-sources.sh', () => {
  beforeAll(async () => {
    host.listen(0, '127.0.0.1');
    await once(host, 'listening');
    server.url = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    host.closeAllConnections();
    host.close();
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'deals-fetch-'));
    mkdirSync(join(folder, 'source'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const LINE = 'feeds/house/deals.csv @/deals.csv expect=dealId';

  it('fetches a file, makes its folder, and leaves nothing else', async () => {
    server.answer(send(FEED));
    expect(await fetchSources(['# ours', '', LINE])).toEqual({
      exitCode: 0,
      stdout: `feeds/house/deals.csv: ${FEED.length} bytes\n`,
      stderr: '',
    });
    expect(fetched()).toBe(FEED);
    expect(listSources()).toEqual(['feeds/house/deals.csv']);
    expect(statSync(join(folder, 'source/feeds/house/deals.csv')).mode & 0o777).toBe(0o644);
  });

  it('leaves what the server says is unchanged as it is: by its tag', async () => {
    server.answer((req, res) => {
      if (req.headers['if-none-match'] === '"one"') res.writeHead(304).end();
      else send(FEED, { ETag: '"one"' })(req, res);
    });
    await fetchSources([LINE]);
    const before = statSync(join(folder, 'source/feeds/house/deals.csv')).ino;
    expect(await fetchSources([LINE])).toMatchObject({ exitCode: 0, stdout: 'feeds/house/deals.csv: unchanged\n' });
    expect(statSync(join(folder, 'source/feeds/house/deals.csv')).ino).toBe(before);
    expect(fetched()).toBe(FEED);
  });

  it('fetches what was changed or removed, regardless of its tag', async () => {
    server.answer(send(FEED, { ETag: '"one"' }));
    await fetchSources([LINE]);
    writeFileSync(join(folder, 'source/feeds/house/deals.csv'), `${FEED}by hand\n`);
    await fetchSources([LINE]);
    rmSync(join(folder, 'source/feeds/house/deals.csv'));
    await fetchSources([LINE]);
    expect(server.requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined, undefined]);
    expect(fetched()).toBe(FEED);
  });

  const whole = gzipSync(FEED);
  const REFUSED: readonly (readonly [what: string, line: string, answer: ReturnType<typeof send>, said: string])[] = [
    ['a 404', LINE, (_, res) => res.writeHead(404).end(PAGE), 'returned error: 404'],
    ['nothing', LINE, send(''), 'it is empty'],
    ['a connection that is cut', LINE, sendCut(FEED), 'transfer closed'],
    ['a page of HTML with 200', LINE, send(PAGE), 'it is a web page'],
    ['another header', LINE, send(FEED.replace('dealId', 'offer')), 'its first line does not hold dealId'],
    ['less than half of before', LINE, send(`${HEADER}\nH-1,a,1\n`), 'less than 50 percent'],
    [
      'what is larger than allowed, without a length',
      `${LINE} most=1`,
      (_, res) => res.writeHead(200).end(`${HEADER}\n${'x'.repeat(3_000_000)}`),
      'not fetched',
    ],
    ['a redirect elsewhere', LINE, (_, res) => res.writeHead(302, { Location: 'ftp://127.0.0.1/x' }).end(), 'rotocol'],
  ];

  it.each(REFUSED)('does not take %s, and leaves what was there', async (_, line, answer, said) => {
    server.answer(send(FEED));
    await fetchSources([LINE]);
    server.answer(answer);
    const { exitCode, stdout, stderr } = await fetchSources([line]);
    expect(stderr).toMatch(/^feeds\/house\/deals\.csv: not (fetched|taken): [^\n]+; what was there stays\n$/);
    expect(stderr).toContain(said);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(fetched()).toBe(FEED);
    expect(listSources()).toEqual(['feeds/house/deals.csv']);
  });

  it.each([
    ['text under the name of a gzip file', Buffer.from(FEED), 'no gzip file'],
    ['a gzip file that is cut short', whole.subarray(0, whole.length - 10), 'no gzip file'],
  ])('does not take %s', async (_, body, said) => {
    const line = 'feeds/house/deals.csv.gz @/deals.csv.gz expect=dealId';
    server.answer(send(body));
    const { exitCode, stderr } = await fetchSources([line]);
    expect(stderr).toContain(said);
    expect(exitCode).toBe(1);
    expect(listSources()).toEqual([]);
    server.answer(send(whole));
    expect(await fetchSources([line])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readFileSync(join(folder, 'source/feeds/house/deals.csv.gz'))).toEqual(whole);
  });

  it('does not take JSON that ends before its end, where the server said nothing of its length', async () => {
    const line = 'cms/site.json @/site.json expect={';
    server.answer((_, res) => res.end('{"products":[{"id":"101"'));
    expect(await fetchSources([line])).toMatchObject({ exitCode: 1 });
    expect(listSources()).toEqual([]);
    server.answer((_, res) => res.end('\uFEFF{"products":[{"id":"101"}]}\n'));
    expect(await fetchSources([line])).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('tries again after a busy server, and not after what will not change', async () => {
    let asked = 0;
    server.answer((req, res) => (++asked === 2 ? send(FEED)(req, res) : res.writeHead(503).end()));
    expect(await fetchSources([LINE])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(server.requests.length).toBe(2);
    server.answer((_, res) => res.writeHead(403).end());
    expect(await fetchSources([LINE])).toMatchObject({ exitCode: 1 });
    expect(server.requests.length).toBe(1);
  });

  it('speaks https alone unless it is told otherwise', async () => {
    server.answer(send(FEED));
    const list = join(folder, 'sources.list');
    writeFileSync(list, `a.csv ${server.url}/a.csv\n`, { mode: 0o600 });
    expect(await run([list, join(folder, 'source')], {})).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `${list}:1: expected an address that begins with https://, sftp:// or rclone://, got http://; others can be read and changed on the way\n`,
    });
    expect(server.requests).toEqual([]);
  });

  it('shows no password: in no command line, not on its output', async () => {
    const settings = join(folder, 'cms.curl');
    writeFileSync(settings, `header = "Authorization: Bearer ${PASSWORD}"\n`, { mode: 0o600 });
    const commandLines: string[] = [];
    server.answer((_, res) => {
      commandLines.push(...listCommandLines());
      res.writeHead(401).end();
    });
    const line = `a.csv @/${PASSWORD}/a.csv?key=${PASSWORD} curl=cms.curl`;
    const { exitCode, stdout, stderr } = await fetchSources([line]);
    expect(exitCode).toBe(1);
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${PASSWORD}`);
    expect(server.requests[0]?.url).toBe(`/${PASSWORD}/a.csv?key=${PASSWORD}`);
    expect(commandLines.some((text) => text.includes('curl'))).toBe(true);
    expect([...commandLines, stdout, stderr].filter((text) => text.includes(PASSWORD))).toEqual([]);
  });

  it.each([
    ['a path that leaves the folder', '../a.csv @/a.csv', 'path within the folder'],
    ['no address', 'a.csv', 'an address after a.csv'],
    ['a word that is none', 'a.csv @/a.csv expct=dealId', 'got expct'],
    ['a share that is none', 'a.csv @/a.csv least=half', 'least: expected a percentage'],
    ['settings that are not there', 'a.csv @/a.csv curl=none.curl', 'none.curl: expected a file'],
    ['a store without settings', 'a.csv rclone://feeds/a.csv', 'rclone: expected a file with a section [source]'],
    ['a server of SFTP without its fingerprint', 'a.csv sftp://127.0.0.1/a.csv', 'hostpubsha256'],
    ['another protocol', 'a.csv ftp://127.0.0.1/a.csv', 'got ftp://'],
  ])('refuses a list with %s before it fetches anything', async (_, line, said) => {
    server.answer(send(FEED));
    const { exitCode, stderr } = await fetchSources(['good.csv @/good.csv', line]);
    expect(stderr).toMatch(/sources\.list:2: /);
    expect(stderr).toContain(said);
    expect(exitCode).toBe(2);
    expect(server.requests).toEqual([]);
  });

  it('refuses a list, and settings, that others may read', async () => {
    const list = join(folder, 'open.list');
    writeFileSync(list, `a.csv ${server.url}/a.csv\n`);
    chmodSync(list, 0o640);
    expect(await run([list, join(folder, 'source')])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('chmod 600'),
    });
    writeFileSync(join(folder, 'open.curl'), '');
    chmodSync(join(folder, 'open.curl'), 0o604);
    expect(await fetchSources(['a.csv @/a.csv curl=open.curl'])).toMatchObject({ exitCode: 2 });
  });

  /** A file of settings beside the list. */
  const writeSettings = (name: string, lines: readonly string[]): void =>
    writeFileSync(join(folder, name), `${lines.join('\n')}\n`, { mode: 0o600 });

  it('logs in first where a feed lies behind a form, and keeps no cookie', async () => {
    const login = (req: IncomingMessage, res: ServerResponse): void => {
      let form = '';
      req.on('data', (text) => (form += String(text)));
      req.on('end', () => {
        if (form === `user=deals&password=${PASSWORD}`) res.setHeader('Set-Cookie', 'session=5e55; HttpOnly; Path=/');
        res.writeHead(303, { Location: '/account' }).end();
      });
    };
    server.answer((req, res) => {
      if (req.url === '/login' && req.method === 'POST') login(req, res);
      else if (req.headers.cookie === 'session=5e55') send(FEED)(req, res);
      else send(PAGE)(req, res);
    });
    const lines = [`${LINE} login=shop.login`];
    writeSettings('shop.login', [`url = "${server.url}/login"`, `data = "user=deals&password=${PASSWORD}"`]);
    expect(await fetchSources(lines)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(fetched()).toBe(FEED);
    expect(listSources()).toEqual(['feeds/house/deals.csv']);
    writeSettings('shop.login', [`url = "${server.url}/login"`, 'data = "user=deals&password=wrong"']);
    expect(await fetchSources(lines)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('web page') });
    expect(fetched()).toBe(FEED);
  });

  describe.skipIf(isMissing('sources from S3', tool('rclone')))('from S3', () => {
    it('takes an object under the same rule, and shows no key', async () => {
      let object = FEED;
      const commandLines: string[] = [];
      server.answer((req, res) => {
        commandLines.push(...listCommandLines());
        const isSigned = /^AWS4-HMAC-SHA256 Credential=AKTEST\/\d+\/[^/]+\/s3\//.test(req.headers.authorization ?? '');
        if (!isSigned) return void res.writeHead(403).end();
        if (req.url?.split('?')[0] !== '/feeds/deals.csv') return void res.writeHead(404).end();
        const body = req.method === 'HEAD' ? '' : object;
        const time = 'Fri, 20 Nov 2026 02:00:00 GMT';
        res
          .writeHead(200, { ETag: `"${md5(object)}"`, 'Content-Length': object.length, 'Last-Modified': time })
          .end(body);
      });
      const keys = ['access_key_id = AKTEST', `secret_access_key = ${PASSWORD}`];
      const settings = ['[source]', 'type = s3', 'provider = Other', `endpoint = ${server.url}`];
      writeSettings('shop.rclone', [...settings, ...keys]);
      const line = 'feeds/house/deals.csv rclone://feeds/deals.csv expect=dealId rclone=shop.rclone';
      expect(await fetchSources([line])).toEqual({
        exitCode: 0,
        stdout: `feeds/house/deals.csv: ${FEED.length} bytes\n`,
        stderr: '',
      });
      expect(fetched()).toBe(FEED);
      object = `${HEADER}\n`;
      expect(await fetchSources([line])).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('50 percent') });
      expect(commandLines.some((text) => text.startsWith('rclone'))).toBe(true);
      expect(commandLines.filter((text) => text.includes(PASSWORD))).toEqual([]);
    });
  });

  it('leaves the folder to a fetch that is going on', async () => {
    let answer: ServerResponse | undefined;
    server.answer((_, res) => (answer = res));
    const first = fetchSources([LINE]);
    await until(async () => answer !== undefined);
    expect(await fetchSources([LINE])).toMatchObject({ exitCode: 75, stderr: expect.stringContaining('going on') });
    answer?.end(FEED);
    expect(await first).toMatchObject({ exitCode: 0 });
  });

  it('leaves nothing when it is ended in the middle, and the next fetch goes on', async () => {
    server.answer((_, res) => void res.writeHead(200, { 'Content-Length': FEED.length }).write(FEED.slice(0, 500)));
    const list = join(folder, 'sources.list');
    writeFileSync(list, `a.csv ${server.url}/a.csv\n`, { mode: 0o600 });
    const child = spawn(SCRIPT, [list, join(folder, 'source')], {
      env: { PATH: process.env['PATH'] ?? '', DEALS_FETCH_PROTO: '=http' },
      detached: true,
    });
    await until(async () => server.requests.length > 0);
    await sleep(50);
    // All of it, as the system does when the power goes: nothing is tidied up.
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await once(child, 'close');
    // What is left has a name that no glob of a configuration finds.
    expect(listSources().filter((name) => !name.startsWith('.a.csv.new-'))).toEqual([]);
    server.answer(send(FEED));
    expect(await fetchSources(['a.csv @/a.csv'])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(listSources()).toEqual(['a.csv']);
  });

  it('does not unpack a bomb to its end, and goes on with the next source', async () => {
    const bomb = gzipSync(`${HEADER}\n${'H-1,phonewright,29.99\n'.repeat(1_000_000)}`);
    server.answer((req, res) => send(req.url === '/bomb' ? bomb : FEED)(req, res));
    expect(await fetchSources(['feeds/a/feed.csv.gz @/bomb expect=dealId', LINE])).toMatchObject({
      exitCode: 1,
      stdout: `feeds/house/deals.csv: ${FEED.length} bytes\n`,
      stderr: expect.stringMatching(
        /^feeds\/a\/feed\.csv\.gz: not taken: it unpacks to more than 200 times its \d+ bytes; what was there stays\n$/,
      ) as string,
    });
    expect(listSources()).toEqual(['feeds/house/deals.csv']);
  });

  it('gives a source one time for all tries, so that the next one is fetched', async () => {
    server.answer((req, res) => {
      if (req.url !== '/slow') send(FEED)(req, res);
    });
    expect(await fetchSources(['feeds/a/feed.csv @/slow', LINE])).toMatchObject({
      exitCode: 1,
      stdout: `feeds/house/deals.csv: ${FEED.length} bytes\n`,
    });
    expect(server.requests.map(({ url }) => url)).toEqual(['/slow', '/deals.csv']);
  });
});

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

function listCommandLines(): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8'), readFileSync(`/proc/${pid}/environ`, 'latin1')];
      } catch {
        return [];
      }
    });
}
