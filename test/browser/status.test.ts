import { cpSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addKey } from '../../server/keys/key-file.ts';
import { startServer } from '../../server/start.ts';
import type { SnapshotReport } from '../../data/report/report.ts';
import type { StoreStatus } from '../../server/routes/status.ts';
import { writePullState } from '../support/pull-state.ts';
import { callDeals } from '../unit/cli/call-deals.ts';
import { requireSuccess } from '../unit/cli/run-deals.ts';
import { writeSmallSource } from '../unit/cli/small-source.ts';
import { startStatusServer, type StatusServer } from '../unit/server/status/status-server.ts';
import {
  CASES,
  expectAccessible,
  findOverflow,
  findViolations,
  isBrowserMissing,
  keepScreenshot,
  openBrowser,
  type Visit,
  visit,
  type VisitOptions,
} from './browser.ts';

/** What a feed may write into a cell, in the hope that a page takes it for more than text. */
const HOSTILE = '<img src=x onerror=alert(1)>';

const SECTIONS = [
  'Sources',
  'Left out, and why',
  'Phones of the feeds without a product',
  'Changed since the snapshot before',
];

describe.skipIf(isBrowserMissing('the status page'))('the status page', () => {
  let server: StatusServer;
  let browser: Browser;
  beforeAll(async () => {
    server = await startStatusServer({ editHouse: addHostileRow });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const open = (options: VisitOptions & { readonly target?: string } = {}): Promise<Visit> =>
    visit(browser, `${server.url}/status/${options.target ?? ''}#key=${server.operatorKey}`, options);

  const search = async (page: Page, record: string): Promise<void> => {
    await page.getByRole('searchbox', { name: 'Phone or deal' }).fill(record);
    await page.keyboard.press('Enter');
    await page.locator('#search [role=status]', { hasText: /^(?:Found|The snapshot knows)/ }).waitFor();
  };

  it.each(CASES)(
    'is sound in $colourScheme at $width px',
    async (options) => {
      const { page, faults, refusals, close } = await open(options);
      await page.getByRole('heading', { name: 'Sources' }).waitFor();
      await expectAccessible(page);
      // With everything open that can be opened.
      await search(page, 'kestrel');
      for (const summary of await page.locator('details summary').all()) await summary.click();
      await expectAccessible(page);
      expect({ faults, refusals }).toEqual({ faults: [], refusals: [] });
      await close();
    },
    120_000,
  );

  it('scrolls a table that is wider than a telephone in its own box, and shows what to do without it', async () => {
    const { page, close } = await open({ width: 390 });
    const frame = page.getByRole('region', { name: 'Table: sources' });
    await frame.waitFor();
    const box = await frame.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 9_999)).toBeLessThanOrEqual(390);
    expect(await frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeGreaterThan(0);
    await frame.focus();
    await page.keyboard.press('End');
    for (let i = 0; i < 30; i++) await page.keyboard.press('ArrowRight');
    await expect.poll(() => frame.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0);
    const remedy = page.locator('#left-out .entry').first().getByText('What to do:');
    expect(await remedy.isVisible()).toBe(true);
    expect(await findOverflow(page)).toBe(0);
    await close();
  });

  it('shows what is served, from which sources, what was left out, and what changed', async () => {
    const { page, close } = await open();
    for (const name of SECTIONS) await page.getByRole('heading', { name }).waitFor();
    const { served } = await server.read<StoreStatus>('/status/store.json');
    const { notices } = await server.read<SnapshotReport>('/status/report.json');
    const figures = await page.locator('#figures').innerText();
    expect(figures).toContain('8 h');
    expect(figures).toContain(served?.counts.deals.toLocaleString('en-GB'));
    const sources = await page.locator('#sources tbody tr').allInnerTexts();
    expect(sources.map((row) => row.split('\n')[0])).toEqual(served?.sources.map(({ name }) => name));
    expect(await page.locator('#sources svg').first().getAttribute('aria-label')).toMatch(/^[0-9,]+ kept/);
    const codes = page.locator('#left-out .entry');
    expect(await codes.count()).toBe(15);
    await page.getByRole('button', { name: `Show ${notices.length - 15} more` }).press('Enter');
    expect(await codes.count()).toBe(notices.length);
    const reached = await page.evaluate('document.activeElement.textContent');
    expect(reached).toBe(await codes.nth(15).locator('summary').textContent());
    await page.evaluate('scrollTo(0, 0)');
    expect(await page.locator('#snapshots tbody tr').count()).toBe(2);
    expect(await page.locator('#verdict').innerText()).toContain('All is well');
    await keepScreenshot(page, 'status');
    await close();
  });

  it('has the first records of a code, and searches the others', async () => {
    const { page, close } = await open();
    await page.getByRole('button', { name: /^duplicate \(/ }).click();
    const entry = page.locator('#left-out .entry', { hasText: 'duplicate-deal' }).first();
    await entry.locator('summary').click();
    const rows = entry.locator('tbody tr');
    expect(await rows.count()).toBe(20);
    expect(await rows.first().innerText()).toContain('deals.csv');
    await entry.getByRole('button', { name: 'Search duplicate-deal' }).click();
    const found = page.locator('.found article', { hasText: 'duplicate: duplicate-deal' });
    await found.first().waitFor();
    expect(await found.count()).toBe(100);
    expect(await page.locator('.found').innerText()).toMatch(/and [0-9,]+ more/);
    await close();
  });

  it('narrows the codes to what became of the records, and counts them as the figures do', async () => {
    const { page, close } = await open();
    const { served } = await server.read<StoreStatus>('/status/store.json');
    const button = page.getByRole('button', { name: /^quarantined \(/ });
    await button.click();
    expect(await button.innerText()).toBe(`quarantined (${served?.counts.quarantined.toLocaleString('en-GB')})`);
    expect(await button.getAttribute('aria-pressed')).toBe('true');
    for (const row of await page.locator('#left-out .entry').allInnerTexts()) expect(row).toContain('quarantined');
    await close();
  });

  it('names an item of a JSON export so that it cannot be taken for a line', async () => {
    const { page, close } = await open();
    await search(page, '901');
    expect(await page.locator('.found').innerText()).toMatch(/cms\/\S+\.json \w+ \(item [0-9]+\)/);
    const place = /cms\/\S+\.json \w+ \(item [0-9]+\)/.exec(await page.locator('.found').innerText())?.[0] ?? '';
    await search(page, place);
    expect(await page.locator('.found').innerText()).toContain('unpublished');
    await close();
  });

  it('says what became of a phone or a deal, and keeps the question in the address', async () => {
    const { page, faults, close } = await open();
    await search(page, '111/new');
    const found = page.locator('.found');
    expect(await found.innerText()).toContain('Kestrel K8 256GB');
    expect(await found.innerText()).toContain('served: with 0 deals');
    expect(new URL(page.url()).searchParams.get('record')).toBe('111/new');
    await search(page, '901');
    expect(await found.innerText()).toContain('unpublished');
    await search(page, 'X-negative-money');
    expect(await found.innerText()).toMatch(/feeds\/house\/deals\.csv:\d+/);
    expect(await found.innerText()).toContain('-1.00');
    await page.goBack();
    await found.getByText('unpublished').first().waitFor();
    expect(await page.getByRole('searchbox', { name: 'Phone or deal' }).inputValue()).toBe('901');
    await page.goBack();
    await found.getByText('served: with 0 deals').waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it('says which filter of a request leaves it out', async () => {
    const { page, close } = await open();
    await page
      .getByRole('searchbox', { name: 'Missing in the answer to' })
      .fill('/deals/v1/products/?filter[totalCost]=lte{1}');
    await search(page, '101/new');
    expect(await page.locator('.found').innerText()).toMatch(
      /not in the answer to [^]*: left out by filter\[totalCost\]=lte\{1\}/,
    );
    expect(new URL(page.url()).searchParams.get('target')).toBe('/deals/v1/products/?filter[totalCost]=lte{1}');
    await close();
  });

  it('opens with a question from a link, and offers what may have been meant', async () => {
    const { page, close } = await open({ target: '?record=kestrel-k9-128bg' });
    await page.getByText('The snapshot knows nothing').waitFor();
    await page.getByRole('button', { name: 'kestrel-k9-128gb' }).click();
    await page.locator('.found').getByText('Kestrel K9 128GB').first().waitFor();
    expect(new URL(page.url()).searchParams.get('record')).toBe('kestrel-k9-128gb');
    await close();
  });

  it('shows markup of a feed as it is written', async () => {
    const { page, faults, close } = await open();
    expect(await page.locator('#names').innerText()).toContain(HOSTILE);
    await search(page, HOSTILE);
    expect(await page.locator('.found').innerText()).toContain(HOSTILE);
    const entry = page.locator('#left-out .entry', { hasText: 'unknown-product' }).filter({ hasText: 'house' });
    await entry.locator('summary').click();
    await entry.locator('table', { hasText: HOSTILE }).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(faults).toEqual([]);
    await close();
  });

  it('can be used without a mouse', async () => {
    const { page, close } = await open();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    const reached = new Set<string>();
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab');
      reached.add(
        String(await page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.textContent.trim()')),
      );
    }
    expect([...reached]).toEqual(
      expect.arrayContaining(['Read again', 'Find out', 'Table: sources', 'everything (51)']),
    );
    await close();
  });

  it.each([
    ['no key', () => '', 'missing-key', 'An API key, please'],
    ['a wrong key', () => '#key=deals_nobody', 'invalid-key', 'This key was refused'],
    ['a key without the mark', () => `#key=${server.plainKey}`, 'operator-only', 'This key was refused'],
  ])('asks for a key when it has %s, and shows nothing', async (_, fragment, code, title) => {
    const { page, refusals, faults, close } = await visit(browser, `${server.url}/status/${fragment()}`);
    await page.getByRole('heading', { name: title }).waitFor();
    expect(refusals).toEqual([`${code === 'operator-only' ? 403 : 401} /status/store.json`]);
    expect(await page.getByRole('heading', { name: 'Sources' }).count()).toBe(0);
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'API key' }).fill(server.operatorKey);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sources' }).waitFor();
    expect(faults).toEqual([]);
    expect(page.url()).not.toContain('key');
    await page.getByRole('button', { name: 'Change key' }).click();
    await page.getByRole('heading', { name: 'An API key, please' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Sources' }).isVisible()).toBe(false);
    await close();
  });

  it('says that the current snapshot is not served, once there was time to take it up', async () => {
    const pointer = join(server.store, 'current.json');
    const before = readFileSync(pointer, 'utf8');
    const { snapshot } = JSON.parse(before) as { snapshot: string };
    // A snapshot under the name of another is refused, and the one before stays.
    const damaged = '20261120T0300Z-00000000';
    cpSync(join(server.store, snapshot), join(server.store, damaged), { recursive: true });
    writeFileSync(pointer, JSON.stringify({ snapshot: damaged }));
    await server.refresh();
    utimesSync(pointer, new Date('2026-11-20T07:59:30Z'), new Date('2026-11-20T07:59:30Z'));
    const { page, close } = await open();
    const verdict = page.locator('#verdict');
    await verdict.getByText('All is well').waitFor();
    utimesSync(pointer, new Date('2026-11-20T07:58:30Z'), new Date('2026-11-20T07:58:30Z'));
    await page.getByRole('button', { name: 'Read again' }).click();
    await verdict.getByText('The current snapshot is not served').waitFor();
    const said = await verdict.innerText();
    expect([said.includes(damaged), said.includes(snapshot), said.includes('deals verify')]).toEqual([
      true,
      true,
      true,
    ]);
    expect(said).not.toContain('All is well');
    expect(await findViolations(page)).toEqual([]);
    writeFileSync(pointer, before);
    rmSync(join(server.store, damaged), { recursive: true });
    await server.refresh();
    await close();
  });

  it.each(CASES)(
    'shows what came from an object store, and what to do, in $colourScheme at $width px',
    async (options) => {
      const snapshot = '20261120T0230Z-1c77e0d2';
      const sound = { revision: 41, snapshot, lastContactAt: '2026-11-20T07:59:50.000Z' };
      writePullState(server.store, sound);
      await server.refresh();
      const { page, faults, close } = await open(options);
      const section = page.locator('#pull');
      await section.getByRole('heading', { name: 'From the remote store' }).waitFor();
      expect(await section.innerText()).toContain(`revision 41, ${snapshot}; last answered`);
      expect(await page.locator('#verdict').innerText()).toContain('All is well');
      const lastFailure = { at: '2026-11-20T07:59:50.000Z', message: 'it is damaged' };
      writePullState(server.store, { ...sound, lastFailure, failures: 3 });
      await server.refresh();
      await page.getByRole('button', { name: 'Read again' }).click();
      await page.locator('#verdict').getByText('it is damaged').waitFor();
      expect(await section.innerText()).toContain('3 looks failed');
      await expectAccessible(page);
      expect(faults).toEqual([]);
      rmSync(join(server.store, 'pull.json'));
      await server.refresh();
      await page.getByRole('button', { name: 'Read again' }).click();
      await section.waitFor({ state: 'hidden' });
      await close();
    },
  );

  it('says that a feed is held where less was left out of it', async () => {
    const file = join(server.store, '../sample/feeds/house/deals.csv');
    const config = join(server.store, '../sample/catalogue.json');
    const [sound, required] = [readFileSync(file), readFileSync(config, 'utf8')];
    writeFileSync(config, required.replaceAll(/"required": ?true/g, '"required": false'));
    writeFileSync(file, 'a page of something else\n');
    expect((await server.build('2026-11-20T06:00:00Z')).exitCode).toBe(4);
    await server.refresh();
    const { page, close } = await open();
    await page.locator('#verdict').getByText('house is held').waitFor();
    const link = page.locator('#verdict').getByRole('link', { name: '1 source is held, withdrawn or missing' });
    expect(await link.getAttribute('href')).toBe('#sources');
    const figures = await page.locator('#figures').innerText();
    expect(figures).toMatch(/[0-9,]+ fewer than before; house is held/);
    expect(await page.locator('#left-out').innerText()).toContain('house is held. What was left out');
    expect(await findViolations(page)).toEqual([]);
    writeFileSync(file, sound);
    writeFileSync(config, required);
    await close();
  });

  // Last: it leaves another report of the last build.
  it('says why a build was refused, and how to accept it', async () => {
    const config = join(server.store, '../sample/catalogue.json');
    writeFileSync(config, readFileSync(config, 'utf8').replace('"GBP"', '"EUR"'));
    expect((await server.build('2026-11-21')).exitCode).toBe(3);
    const { page, close } = await open();
    const verdict = page.locator('#verdict');
    await verdict.getByText('The last build was refused').waitFor();
    const command = await verdict.locator('.command').innerText();
    expect(command).toMatch(/^deals build --config \S+ .*--accept /);
    await verdict.getByRole('button', { name: 'Copy' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(command);
    expect(await findViolations(page)).toEqual([]);
    const file = join(server.store, 'last-build.json');
    const { report, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    expect(report).toBeDefined();
    writeFileSync(file, JSON.stringify({ ...rest, outcome: 'failed', message: 'The disk is full.' }));
    await page.getByRole('button', { name: 'Read again' }).click();
    await verdict.getByText('The disk is full.').waitFor();
    await close();
  });
});

describe.skipIf(isBrowserMissing('the headline of the status page'))('the headline of the status page', () => {
  const root = mkdtempSync(join(tmpdir(), 'deals-headline-'));
  const site = join(root, 'site');
  const store = join(root, 'store');
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(root, { recursive: true });
  });

  const build = (now: string) =>
    callDeals(['build', '--config', join(site, 'catalogue.json'), '--store', store, '--now', now, '--quiet']);

  it.each(CASES)(
    'is amber when there is less than before, with links, in $colourScheme at $width px',
    async (options) => {
      rmSync(store, { recursive: true, force: true });
      writeSmallSource(site);
      const [cms, config, feed] = ['cms/site.json', 'catalogue.json', 'feeds/house/deals.csv'].map((file) =>
        join(site, file),
      ) as [string, string, string];
      const parse = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, object[]>;
      const records = parse(cms);
      const phone = (id: string, name: string): object => ({
        ...records['products']?.[0],
        id,
        name,
        slug: name.toLowerCase().replaceAll(' ', '-'),
      });
      const [two, three] = [phone('102', 'Acme Two 128GB'), phone('103', 'Acme Three 128GB')];
      const writeProducts = (...products: readonly object[]): void =>
        writeFileSync(cms, JSON.stringify({ ...records, products: [...(records['products'] ?? []), ...products] }));
      writeProducts(two, three);
      const others = join(site, 'feeds/other.csv');
      const settings = parse(config);
      const other = { name: 'other', adapter: 'deals', files: ['feeds/other.csv'] };
      writeFileSync(config, JSON.stringify({ ...settings, feeds: [...(settings['feeds'] ?? []), other] }));
      const [header = '', row = ''] = readFileSync(feed, 'utf8').split('\n');
      const asOf = (key: string, product: string): string => row.replace('D-0,101', `${key},${product}`);
      writeFileSync(others, `${[header, asOf('O-1', '101')].join('\n')}\n`);
      const sound = [header, row, asOf('D-8', '102'), asOf('D-9', '103')];
      writeFileSync(feed, `${sound.join('\n')}\n`);
      requireSuccess(await build('2026-11-19'));

      writeProducts(two);
      // The price of the second is none, and the third is gone.
      const faulty = [`${header},productName`, `${row},`, `${asOf('D-8', '102').replace('20.50', '-1.00')},`];
      const unmatched = `${asOf('D-7', '').replace(',24,1,', ',24,1,')},Acme Ultra 128GB`;
      writeFileSync(feed, `${[...faulty, unmatched].join('\n')}\n`);
      rmSync(others);
      await build('2026-11-20');

      const keysFile = join(root, `keys-${options.colourScheme}-${options.width}.json`);
      const now = new Date('2026-11-20T08:00:00Z');
      const { keyText } = await addKey(keysFile, { name: 'editor', operator: true }, now);
      const server = await startServer({ store, keysFile, host: '127.0.0.1', port: 0, log: () => {}, now: () => now });
      const { page, faults, close } = await visit(browser, `${server.url}/status/#key=${keyText}`, options);
      const headline = page.locator('#verdict .notice.warning', { hasText: 'Look at what changed' });
      await headline.waitFor();
      expect(await headline.locator('li').allInnerTexts()).toEqual([
        '2 more records were quarantined than before: 1 negative-money of house, 1 unknown-product of house',
        '1 phone had deals before and has none: Acme Two 128GB',
        '1 phone is gone: Acme Three 128GB',
        '1 source is held, withdrawn or missing: other',
      ]);
      for (const link of await headline.getByRole('link').all()) {
        const section = (await link.getAttribute('href')) ?? '';
        expect([section, await page.locator(section).isVisible()]).toEqual([section, true]);
      }
      const without = await page.locator('#without-deals tbody tr').allInnerTexts();
      expect(without).toEqual([
        expect.stringMatching(/^Acme Two 128GB 102\/new\s*new\s[^]*1 negative-money[^]*32 h ago/),
      ]);
      expect(await page.locator('#names tbody').innerText()).toMatch(
        /Acme Ultra 128GB[^]*Acme (?:One|Two) 128GB\s+10[12]\/new/,
      );
      await page.getByRole('searchbox', { name: 'Phone or deal' }).fill('acme ultra');
      await page.keyboard.press('Enter');
      await page.locator('.found-record', { hasText: 'Acme Ultra 128GB' }).first().waitFor();
      await expectAccessible(page);
      expect(faults).toEqual([]);
      await keepScreenshot(page, `status-headline-${options.colourScheme}-${options.width}`);
      await close();
      await server.close();
    },
  );
});

/** Before those that the sample leaves out, none of which moves. */
function addHostileRow(rows: string[]): string[] {
  return rows.map((row, i) => (i === 10 ? row.replace(/^([^,]*),[^,]*,[^,]*,[^,]*/, `$1,,${HOSTILE},`) : row));
}
