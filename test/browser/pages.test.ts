import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CASES,
  expectClean,
  findOverflow,
  findViolations,
  isBrowserMissing,
  keepScreenshot,
  openBrowser,
  visit,
} from './browser.ts';
import { addPriceHistory } from './price-history.ts';
import { serveSample, type SampleServer } from './sample-server.ts';

interface State {
  readonly name: string;
  readonly address: string;
  readonly before?: (page: Page) => Promise<void>;
  readonly act?: (page: Page) => Promise<unknown>;
  /** The picture of it, by `npm run screenshots`. */
  readonly picture?: string;
  readonly refusals?: readonly string[];
}

/** Each page in each state that looks like no other. */
const STATES: readonly State[] = [
  { name: 'the first page', address: '/' },
  { name: 'the errors', address: '/problems/' },
  { name: 'an error', address: '/problems/unknown-value' },
  {
    name: 'the reference with its first answer',
    address: '/docs/',
    picture: 'docs',
    act: async (page) => {
      await page.getByRole('button', { name: 'Send' }).click();
      await page.locator('.answer .status.good').waitFor();
    },
  },
  {
    name: 'an operation, and a fold of each kind',
    address: '/docs/#listProducts',
    act: async (page) => {
      for (const fold of ['.filters', '.parameter', '.fields details']) {
        await page.locator(`#listProducts ${fold} > summary`).first().click();
      }
    },
  },
  { name: 'the phones', address: '/explore/?networks=northway,quartet&monthlyTo=40', picture: 'explore' },
  {
    name: 'the filters and the request',
    address: '/explore/?picked=kestrel-k8-128gb',
    act: async (page) => {
      await page.getByText('Request', { exact: true }).click();
      await page.getByText('Answer', { exact: true }).click();
      const filters = page.locator('#filter-fold > summary');
      if (await filters.isVisible()) await filters.click();
    },
  },
  {
    name: 'one phone',
    address: '/explore/?phone=110&slug=kestrel-k8-128gb',
    picture: 'explore-phone',
    before: addPriceHistory,
    act: (page) => page.locator('.history-part summary').press('Enter'),
  },
  {
    name: 'phones side by side',
    address: '/explore/?picked=kestrel-k8-128gb,aurel-a4-128gb,refurbished-kestrel-k8-128gb&compare=1&networks=quartet',
  },
  { name: 'no phone', address: '/explore/?networks=corvane&monthlyTo=1' },
  { name: 'a refusal', address: '/explore/?networks=corvanne', refusals: ['400 /deals/v1/products/'] },
  {
    name: 'the door',
    address: '/explore/',
    act: (page) => page.getByRole('button', { name: 'Change key' }).click(),
  },
];

describe.skipIf(isBrowserMissing('the pages'))('the pages', () => {
  let server: SampleServer;
  let browser: Browser;
  beforeAll(async () => {
    server = await serveSample();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  describe.each(CASES)('are sound in $colourScheme at $width px:', (options) => {
    it.each(STATES)('$name', async ({ address, before, act, picture, refusals }) => {
      const opened = await visit(browser, `${server.url}/docs/#key=${server.key}`, options);
      const { page } = opened;
      await before?.(page);
      await page.goto(server.url + address);
      await page.waitForLoadState('networkidle');
      await act?.(page);
      if (picture !== undefined) await keepScreenshot(page, options.width === 360 ? `${picture}-narrow` : picture);
      expect([await findViolations(page), await findOverflow(page)]).toEqual([[], 0]);
      await page.unrouteAll({ behavior: 'wait' });
      await expectClean(opened, refusals);
    });
  });

  it.each(['/', '/problems/', '/problems/unknown-value', '/docs/', '/explore/', '/explore/?networks=northway'])(
    '%s takes a key from the fragment, which leaves the address, and keeps it for the tab',
    async (path) => {
      const opened = await visit(browser, `${server.url}${path}#key=${server.key}`);
      const { page } = opened;
      expect(page.url()).toBe(server.url + path);
      await page.goto(`${server.url}/explore/`);
      await page.locator('.phone-card').first().waitFor();
      expect(await page.locator('.key-state').textContent()).toContain(`…${server.key.slice(-4)}`);
      expect(await page.content()).not.toContain(server.key);
      await expectClean(opened);
    },
  );

  it.each(['/', '/problems/', '/problems/out-of-range', '/docs/'])('%s has links that lead somewhere', async (path) => {
    const opened = await visit(browser, server.url + path);
    const links = await opened.page
      .locator('a[href^="/"]')
      .evaluateAll((all) => [...new Set(all.map((link) => link.getAttribute('href') ?? ''))]);
    expect(links).toEqual(expect.arrayContaining(['/docs/', '/explore/', '/status/']));
    for (const link of links) expect([link, (await fetch(server.url + link)).status]).toEqual([link, 200]);
    await expectClean(opened);
  });
});
