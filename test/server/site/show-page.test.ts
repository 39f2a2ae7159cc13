import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serve, type TestServer } from '../../spec/serve.ts';

const PAGE_FOLDER = join(import.meta.dirname, '../../../server/page');

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

  it('lead nobody to another host', async () => {
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

  it('are asked for anew each time, modules too', async () => {
    for (const path of ['/', '/explore/', '/lib/key.js', '/page.css']) {
      const answer = await fetch(server.url + path);
      expect([path, answer.headers.get('cache-control')]).toEqual([path, 'public,max-age=0,must-revalidate']);
    }
    const module = await fetch(`${server.url}/lib/key.js`);
    expect(module.headers.get('content-type')).toBe('text/javascript');
  });
});
