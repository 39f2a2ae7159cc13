import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OpenConnections } from '../../../../server/http/connections.ts';
import type { Log, LogEntry } from '../../../../server/log.ts';
import type { RequestContext } from '../../../../server/routes/context.ts';
import { findPage } from '../../../../server/routes/pages.ts';
import { DEFAULT_SETTINGS } from '../../../../server/settings.ts';
import { serve, until, type TestServer } from '../../../contract/serve.ts';

const PAGE_FOLDER = join(import.meta.dirname, '../../../../server/page');

/** The pages with a folder of their own. */
const FOLDERS = readdirSync(PAGE_FOLDER).filter((name) => existsSync(join(PAGE_FOLDER, name, 'index.html')));

describe('the pages', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await serve();
  });
  afterAll(() => server.close());

  it.each(FOLDERS)('/%s/ is there, and /%s leads to it with its query', async (name) => {
    const page = await fetch(`${server.url}/${name}/?networks=o2`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html;charset=utf-8']);
    const moved = await fetch(`${server.url}/${name}?networks=o2,ee&x=%2F`, { redirect: 'manual' });
    expect([moved.status, moved.headers.get('location')]).toEqual([308, `/${name}/?networks=o2,ee&x=%2F`]);
    const bare = await fetch(`${server.url}/${name}`, { redirect: 'manual' });
    expect(bare.headers.get('location')).toBe(`/${name}/`);
    expect((await fetch(`${server.url}/${name}`, { method: 'POST', redirect: 'manual' })).status).toBe(405);
  });

  it.each(['/', '/problems/', '/problems/unknown-path', ...FOLDERS.map((name) => `/${name}/`)])(
    '%s names an icon that is there and may be loaded',
    async (path) => {
      const page = await fetch(server.url + path);
      // A browser asks for /favicon.ico by itself where a page names none, and tells of the 404.
      const [, href = ''] = /<link rel="icon" href="([^"]+)"/.exec(await page.text()) ?? [];
      expect(page.headers.get('content-security-policy')).toMatch(/; img-src 'self'/);
      const icon = await fetch(new URL(href, server.url));
      expect([href, icon.status, icon.headers.get('content-type')]).toEqual(['/icon.svg', 200, 'image/svg+xml']);
      expect(await icon.text()).not.toMatch(/script|href|style/);
    },
  );

  it('have titles of one form: what it is, a dash, whose it is', async () => {
    const paths = ['/problems/', '/problems/unknown-path', ...FOLDERS.map((name) => `/${name}/`)];
    for (const path of paths) {
      const [, title] = /<title>(.*)<\/title>/.exec(await (await fetch(server.url + path)).text()) ?? [];
      expect([path, title]).toEqual([path, expect.stringMatching(/^[A-Za-z-]+ – Mobile deals$/)]);
    }
    expect(await (await fetch(server.url)).text()).toContain('<title>Mobile deals</title>');
  });

  it('lead to no other host', async () => {
    for (const path of ['//explore', '/explore//', '//evil.example/explore', '/%2Fexplore']) {
      const answer = await fetch(server.url + path, { redirect: 'manual' });
      expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 404, null]);
    }
  });

  it.each(['/README.md', '/tsconfig.json', '/screenshot/explore.webp', '/explore/index.html', '/lib', '/lib/'])(
    '%s is none of them',
    async (path) => {
      expect((await fetch(server.url + path)).status).toBe(404);
    },
  );

  it('are asked for again each time, modules too', async () => {
    for (const path of ['/', '/explore/', '/lib/key.js', '/page.css']) {
      const answer = await fetch(server.url + path);
      expect([path, answer.headers.get('cache-control')]).toEqual([path, 'public,max-age=0,must-revalidate']);
    }
    const module = await fetch(`${server.url}/lib/key.js`);
    expect(module.headers.get('content-type')).toBe('text/javascript');
  });
});

describe('a page whose file is not what it was at the start', () => {
  let server: Server;
  const folder = mkdtempSync(join(tmpdir(), 'deals-page-'));
  const file = join(folder, 'index.html');
  const log: LogEntry[] = [];
  beforeAll(async () => {
    writeFileSync(file, 'x'.repeat(100_000));
    const note: Log = (entry) => void log.push(entry);
    const page = await findPage(folder, { log: note })({ id: 'a', path: '/', query: '' } as RequestContext);
    server = createServer();
    new OpenConnections(server, DEFAULT_SETTINGS, note).serve((req, res) => {
      void page?.(req, res, () => undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => server.close());

  const ask = async (): Promise<string> =>
    (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).text();

  it('ends one connection and is logged, whether the file is gone, shorter or longer, and comes back with it', async () => {
    expect((await ask()).length).toBe(100_000);
    for (const spoil of [
      () => rmSync(file),
      () => writeFileSync(file, 'x'.repeat(99_999)),
      () => writeFileSync(file, 'x'.repeat(100_001)),
      () => writeFileSync(file, 'x'),
    ]) {
      log.length = 0;
      spoil();
      await expect(ask()).rejects.toThrow(TypeError);
      expect(log).toMatchObject([{ event: 'page-unreadable', path: '/' }]);
    }
    writeFileSync(file, 'y'.repeat(100_000));
    expect((await ask()).length).toBe(100_000);
  });

  it('is closed when its reader goes away', async () => {
    const descriptors = (): number => readdirSync('/proc/self/fd').length;
    const { port } = server.address() as AddressInfo;
    const before = descriptors();
    for (let i = 0; i < 20; i++) {
      // So many that the system takes no more of them.
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.pause().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(100));
      await new Promise((resolve) => setTimeout(resolve, 20));
      socket.resetAndDestroy();
    }
    await expect(until(async () => descriptors() <= before)).resolves.toBeUndefined();
  });
});
