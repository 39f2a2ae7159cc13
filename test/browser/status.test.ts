import { cpSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addKey } from '../../server/keys/key-file.ts';
import type { SnapshotReport } from '../../data/report/report.ts';
import type { StoreStatus } from '../../server/routes/status.ts';
import { writePullState } from '../support/pull-state.ts';
import { requireSuccess, runDeals, withServer, type TestServer } from '../harness.ts';
import { writeSmallSource } from '../unit/cli/small-source.ts';
import { startStatusServer, type StatusServer } from '../unit/server/status/status-server.ts';
import {
  CASES,
  expectAccessible,
  focusedText,
  isBrowserMissing,
  keepScreenshot,
  readClipboard,
  useBrowser,
} from './browser.ts';

/** What a feed may write into a cell, in the hope that a page takes it for more than text. */
const HOSTILE = '<img src=x onerror=alert(1)>';

const at = '/status/';
const SECTIONS = [
  'Sources',
  'Left out, and why',
  'Phones of the feeds without a product',
  'Changed since the snapshot before',
];

describe.skipIf(isBrowserMissing('the status page'))('the status page', () => {
  const server = {} as StatusServer;
  beforeAll(async () => void Object.assign(server, await startStatusServer(addHostileRow)));
  afterAll(() => server.close?.());
  const { visit, journey } = useBrowser(server, async (page) => {
    await page.getByRole('heading', { name: 'Sources' }).waitFor();
    await page.waitForLoadState('networkidle');
  });

  const search = async (page: Page, record: string): Promise<void> => {
    await page.getByRole('searchbox', { name: 'Phone or deal' }).fill(record);
    await page.keyboard.press('Enter');
    await page.locator('#search [role=status]', { hasText: /^(?:Found|The snapshot knows)/ }).waitFor();
  };

  for (const looks of CASES)
    journey(`is sound in ${looks.colourScheme}, also with all open that opens`, { at, ...looks }, async (page) => {
      await expectAccessible(page);
      await search(page, 'kestrel');
      for (const summary of await page.locator('details summary').all()) await summary.click();
      await expectAccessible(page);
    });

  journey('shows what is served, from which sources, what was left out, and what changed', at, async (page) => {
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
    const reached = await focusedText(page);
    expect(reached).toBe(await codes.nth(15).locator('summary').textContent());
    await page.evaluate('scrollTo(0, 0)');
    expect(await page.locator('#snapshots tbody tr').count()).toBe(2);
    expect(await page.locator('#verdict').innerText()).toContain('All is well');
    await keepScreenshot(page, 'status');
  });

  journey('narrows codes to an outcome, has the first records of one, and searches the others', at, async (page) => {
    const { served } = await server.read<StoreStatus>('/status/store.json');
    const quarantined = page.getByRole('button', { name: /^quarantined \(/ });
    await quarantined.click();
    expect(await quarantined.innerText()).toBe(`quarantined (${served?.counts.quarantined.toLocaleString('en-GB')})`);
    expect(await quarantined.getAttribute('aria-pressed')).toBe('true');
    for (const row of await page.locator('#left-out .entry').allInnerTexts()) expect(row).toContain('quarantined');
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
  });

  journey('says what became of a phone or a deal, and keeps the question in the address', at, async (page) => {
    const found = page.locator('.found');
    await search(page, '901');
    expect(await found.innerText()).toContain('unpublished');
    // An item of a JSON export cannot be taken for a line.
    const place = /cms\/\S+\.json \w+ \(item [0-9]+\)/.exec(await found.innerText())?.[0] ?? 'no place';
    await search(page, '111/new');
    await found.getByText('served: with 0 deals').waitFor();
    expect(await found.innerText()).toContain('Kestrel K8 256GB');
    expect(new URL(page.url()).searchParams.get('record')).toBe('111/new');
    await search(page, place);
    await found.getByText('unpublished').first().waitFor();
    await search(page, 'X-negative-money');
    expect(await found.innerText()).toMatch(/feeds\/house\/deals\.csv:\d+/);
    expect(await found.innerText()).toContain('-1.00');
    await page.goBack();
    await found.getByText('unpublished').first().waitFor();
    expect(await page.getByRole('searchbox', { name: 'Phone or deal' }).inputValue()).toBe(place);
    await page.goBack();
    await found.getByText('served: with 0 deals').waitFor();
  });

  const typo = `${at}?record=kestrel-k9-128bg`;
  journey('opens with a question from a link', typo, async (page) => {
    await page.getByText('The snapshot knows nothing').waitFor();
  });

  journey('shows markup of a feed as it is written', at, async (page) => {
    expect(await page.locator('#names').innerText()).toContain(HOSTILE);
    await search(page, HOSTILE);
    expect(await page.locator('.found').innerText()).toContain(HOSTILE);
    const entry = page.locator('#left-out .entry', { hasText: 'unknown-product' }).filter({ hasText: 'house' });
    await entry.locator('summary').click();
    await entry.locator('table', { hasText: HOSTILE }).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
  });

  journey('can be used without a mouse', at, async (page) => {
    await page.keyboard.press('Tab');
    expect(await focusedText(page)).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    const reached = new Set<string>();
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab');
      reached.add(
        String(await page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.textContent.trim()')),
      );
    }
    expect([...reached]).toEqual(
      expect.arrayContaining([
        'Read again',
        'Find out',
        'Table: sources',
        expect.stringMatching(/^everything \(\d+\)$/),
      ]),
    );
  });

  it.each([
    ['no key', () => '', [401], 'An API key, please'],
    ['a wrong key', () => '#key=deals_nobody', [401], 'This key was refused'],
    ['a key without the mark', () => `#key=${server.plainKey}`, [401, 403], 'This key was refused'],
  ])('asks for a key when it has %s, and shows nothing', (_, fragment, statuses, title) => {
    const refusals = statuses.map((status) => `${status} /status/store.json`);
    return visit({ at: at + fragment(), key: '', refusals }, async (page) => {
      const sources = page.getByRole('heading', { name: 'Sources' });
      await page.getByRole('heading', { name: title }).waitFor();
      expect(await sources.count()).toBe(0);
      await expectAccessible(page);
      await page.getByRole('textbox', { name: 'API key' }).fill(server.operatorKey);
      await page.keyboard.press('Enter');
      await sources.waitFor();
      expect(page.url()).not.toContain('key');
      await page.getByRole('button', { name: 'Change key' }).click();
      await page.getByRole('heading', { name: 'An API key, please' }).waitFor();
      expect(await sources.isVisible()).toBe(false);
    });
  });

  const readAgain = (page: Page): Promise<void> => page.getByRole('button', { name: 'Read again' }).click();

  it('says that the current snapshot is not served, once there was time to take it up', async () => {
    const pointer = join(server.store, 'current.json');
    const before = readFileSync(pointer, 'utf8');
    const { snapshot } = JSON.parse(before) as { snapshot: string };
    // A snapshot under the name of another is refused, and the one before stays.
    const damaged = '20261120T0300Z-00000000';
    cpSync(join(server.store, snapshot), join(server.store, damaged), { recursive: true });
    writeFileSync(pointer, JSON.stringify({ snapshot: damaged }));
    await server.refresh();
    const setAge = (time: string): void => utimesSync(pointer, new Date(time), new Date(time));
    setAge('2026-11-20T07:59:30Z');
    await visit(at, async (page) => {
      const verdict = page.locator('#verdict');
      await verdict.getByText('All is well').waitFor();
      setAge('2026-11-20T07:58:30Z');
      await readAgain(page);
      await verdict.getByText('The current snapshot is not served').waitFor();
      const said = await verdict.innerText();
      for (const part of [damaged, snapshot, 'deals verify']) expect(said).toContain(part);
      expect(said).not.toContain('All is well');
      await expectAccessible(page);
    });
    writeFileSync(pointer, before);
    rmSync(join(server.store, damaged), { recursive: true });
    await server.refresh();
  });

  const telephone = { at, width: 360, colourScheme: 'dark' } as const;
  journey('shows what came from an object store, and what to do', telephone, async (page) => {
    const section = page.locator('#pull');
    const show = async (state?: Parameters<typeof writePullState>[1]): Promise<void> => {
      if (state === undefined) rmSync(join(server.store, 'pull.json'));
      else writePullState(server.store, state);
      await server.refresh();
      await readAgain(page);
    };
    const snapshot = '20261120T0230Z-1c77e0d2';
    const sound = { revision: 41, snapshot, lastContactAt: '2026-11-20T07:59:50.000Z' };
    await show(sound);
    await section.getByRole('heading', { name: 'From the remote store' }).waitFor();
    expect(await section.innerText()).toContain(`revision 41, ${snapshot}; last answered`);
    expect(await page.locator('#verdict').innerText()).toContain('All is well');
    await show({ ...sound, lastFailure: { at: sound.lastContactAt, message: 'it is damaged' }, failures: 3 });
    await page.locator('#verdict').getByText('it is damaged').waitFor();
    expect(await section.innerText()).toContain('3 looks failed');
    await expectAccessible(page);
    await show();
    await section.waitFor({ state: 'hidden' });
  });

  it('says that a feed is held where less was left out of it', async () => {
    const file = join(server.store, '../sample/feeds/house/deals.csv');
    const config = join(server.store, '../sample/catalogue.json');
    const [sound, required] = [readFileSync(file), readFileSync(config, 'utf8')];
    writeFileSync(config, required.replaceAll(/"required": ?true/g, '"required": false'));
    writeFileSync(file, 'a page of something else\n');
    expect((await server.build('2026-11-20T06:00:00Z')).exitCode).toBe(4);
    await server.refresh();
    await visit(at, async (page) => {
      await page.locator('#verdict').getByText('house is held').waitFor();
      const link = page.locator('#verdict').getByRole('link', { name: '1 source is held, withdrawn or missing' });
      expect(await link.getAttribute('href')).toBe('#sources');
      const figures = await page.locator('#figures').innerText();
      expect(figures).toMatch(/[0-9,]+ fewer than before; house is held/);
      expect(await page.locator('#left-out').innerText()).toContain('house is held. What was left out');
      await expectAccessible(page);
    });
    writeFileSync(file, sound);
    writeFileSync(config, required);
  });

  // Last: it leaves another report of the last build.
  it('says why a build was refused, and how to accept it', async () => {
    const config = join(server.store, '../sample/catalogue.json');
    writeFileSync(config, readFileSync(config, 'utf8').replace('"GBP"', '"EUR"'));
    expect((await server.build('2026-11-21')).exitCode).toBe(3);
    await visit(at, async (page) => {
      const verdict = page.locator('#verdict');
      await verdict.getByText('The last build was refused').waitFor();
      const command = await verdict.locator('.command').innerText();
      expect(command).toMatch(/^deals build --config \S+ .*--accept /);
      await verdict.getByRole('button', { name: 'Copy' }).click();
      expect(await readClipboard(page)).toBe(command);
      await expectAccessible(page);
      const file = join(server.store, 'last-build.json');
      const { report, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
      expect(report).toBeDefined();
      writeFileSync(file, JSON.stringify({ ...rest, outcome: 'failed', message: 'The disk is full.' }));
      await readAgain(page);
      await verdict.getByText('The disk is full.').waitFor();
    });
  });
});

describe.skipIf(isBrowserMissing('the headline of the status page'))('the headline of the status page', () => {
  const server = {} as TestServer;
  const { journey } = useBrowser(server);
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'deals-headline-'));
    const [config, store] = ['catalogue.json', 'store'].map((name) => join(folder, name)) as [string, string];
    writeSmallSource(folder);
    const settings = JSON.parse(readFileSync(config, 'utf8')) as { readonly feeds: readonly object[] };
    const feeds = [...settings.feeds, { name: 'other', adapter: 'deals', files: ['feeds/other.csv'] }];
    writeFileSync(config, JSON.stringify({ ...settings, feeds }));
    const [header = '', row = ''] = readFileSync(join(folder, 'feeds/house/deals.csv'), 'utf8').split('\n');
    const deal = (key: string, product: string, name = ''): string =>
      `${row.replace('D-0,101', `${key},${product}`)},${name}`;
    const cms = JSON.parse(readFileSync(join(folder, 'cms/site.json'), 'utf8')) as {
      readonly products: readonly object[];
    };
    const build = (now: string, names: readonly string[], house: readonly string[]) => {
      const phone = (name: string, at: number) => ({
        name: `Acme ${name} 128GB`,
        slug: `acme-${name}-128gb`,
        id: `10${at + 2}`,
      });
      const products = [...cms.products, ...names.map((name, at) => ({ ...cms.products[0], ...phone(name, at) }))];
      writeFileSync(join(folder, 'cms/site.json'), JSON.stringify({ ...cms, products }));
      const lines = [`${header},productName`, deal('D-0', '101'), ...house];
      writeFileSync(join(folder, 'feeds/house/deals.csv'), `${lines.join('\n')}\n`);
      return runDeals(['build', '--config', config, '--store', store, '--now', now, '--quiet']);
    };
    const other = join(folder, 'feeds/other.csv');
    writeFileSync(other, `${header},productName\n${deal('O-1', '101')}\n`);
    requireSuccess(await build('2026-11-19', ['two', 'three'], [deal('D-8', '102'), deal('D-9', '103')]));
    rmSync(other);
    const priceless = deal('D-8', '102').replace('20.50', '-1.00');
    await build('2026-11-20', ['two'], [priceless, deal('D-7', '', 'Acme Ultra 128GB')]);
    const keysFile = join(folder, 'keys.json');
    const now = new Date('2026-11-20T08:00:00Z');
    const { keyText: key } = await addKey(keysFile, { name: 'editor', operator: true }, now);
    Object.assign(server, await withServer({ on: { folder, store, keysFile, key }, now: () => now }));
  });
  afterAll(() => server.close?.());

  const telephone = { at, width: 360, colourScheme: 'dark' } as const;
  journey('is amber when there is less than before, with links', telephone, async (page) => {
    const headline = page.locator('#verdict .notice.warning', { hasText: 'Look at what changed' });
    await headline.waitFor();
    expect(await headline.locator('li').allInnerTexts()).toEqual([
      '2 more records were quarantined than before: 1 negative-money of house, 1 unknown-product of house',
      '1 phone had deals before and has none: Acme two 128GB',
      '1 phone is gone: Acme three 128GB',
      '1 source is held, withdrawn or missing: other',
    ]);
    for (const link of await headline.getByRole('link').all()) {
      const section = (await link.getAttribute('href')) ?? '';
      expect([section, await page.locator(section).isVisible()]).toEqual([section, true]);
    }
    expect(await page.locator('#without-deals tbody tr').allInnerTexts()).toEqual([
      expect.stringMatching(/^Acme two 128GB 102\/new\s*new\s[^]*1 negative-money[^]*32 h ago/),
    ]);
    expect(await page.locator('#names tbody').innerText()).toMatch(
      /Acme Ultra 128GB[^]*Acme (?:One|two) 128GB\s+10[12]\/new/,
    );
    await page.getByRole('searchbox', { name: 'Phone or deal' }).fill('acme ultra');
    await page.keyboard.press('Enter');
    await page.locator('.found-record', { hasText: 'Acme Ultra 128GB' }).first().waitFor();
    await expectAccessible(page);
  });
});

/** Before those that the sample leaves out, none of which moves. */
function addHostileRow(rows: string[]): string[] {
  return rows.map((row, i) => (i === 10 ? row.replace(/^([^,]*),[^,]*,[^,]*,[^,]*/, `$1,,${HOSTILE},`) : row));
}
