import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { attributesOf, CASES, expectAccessible, isBrowserMissing, keepScreenshot, useBrowser } from './browser.ts';
import { addPriceHistory, useSample } from './sample-server.ts';

interface State {
  readonly at: string;
  readonly act?: (page: Page) => Promise<unknown>;
  /** The picture of it, by `npm run screenshots`. */
  readonly picture?: string;
  readonly refusals?: readonly string[];
}

/** Each page in each state that looks like no other. */
const STATES: readonly State[] = [
  { at: '/' },
  { at: '/problems/' },
  { at: '/problems/unknown-value' },
  {
    at: '/docs/',
    picture: 'docs',
    act: async (page) => {
      await page.getByRole('button', { name: 'Send' }).click();
      await page.locator('.answer .status.good').waitFor();
    },
  },
  {
    at: '/docs/#listProducts',
    act: async (page) => {
      for (const fold of ['.filters', '.parameter', '.fields details']) {
        await page.locator(`#listProducts ${fold} > summary`).first().click();
      }
    },
  },
  { at: '/explore/?networks=northway,quartet&monthlyTo=40', picture: 'explore' },
  {
    at: '/explore/?picked=kestrel-k8-128gb',
    act: async (page) => {
      await page.getByText('Request', { exact: true }).click();
      await page.getByText('Answer', { exact: true }).click();
      const filters = page.locator('#filter-fold > summary');
      if (await filters.isVisible()) await filters.click();
    },
  },
  {
    at: '/explore/?phone=110&slug=kestrel-k8-128gb',
    picture: 'explore-phone',
    act: async (page) => {
      await addPriceHistory(page);
      await page.reload();
      await page.locator('.history-part summary').press('Enter');
    },
  },
  { at: '/explore/?picked=kestrel-k8-128gb,aurel-a4-128gb,refurbished-kestrel-k8-128gb&compare=1&networks=quartet' },
  { at: '/explore/?gifts=1' },
  // No phone; a refusal; the form for a key.
  { at: '/explore/?networks=corvane&monthlyTo=1' },
  { at: '/explore/?networks=corvanne', refusals: ['400 /deals/v1/products/'] },
  { at: '/explore/', act: (page) => page.getByRole('button', { name: 'Change key' }).click() },
];

describe.skipIf(isBrowserMissing('the pages'))('the page', () => {
  const server = useSample();
  const { visit, journey } = useBrowser(server, (page) => page.waitForLoadState('networkidle'));

  describe.each(CASES)('is sound in $colourScheme at $width px:', (options) => {
    for (const { act, picture, ...begin } of STATES) {
      journey(begin.at, { ...begin, ...options }, async (page) => {
        await act?.(page);
        if (picture !== undefined) await keepScreenshot(page, options.width === 360 ? `${picture}-narrow` : picture);
        await expectAccessible(page);
      });
    }
  });

  it.each(['/', '/problems/', '/problems/unknown-value', '/docs/', '/explore/', '/explore/?networks=northway'])(
    '%s takes a key from the fragment, which leaves the address, and keeps it for the tab',
    (path) =>
      visit({ at: `${path}#key=${server.key}`, key: '' }, async (page) => {
        expect(page.url()).toBe(server.url + path);
        await page.goto(`${server.url}/explore/`);
        await page.locator('.phone-card').first().waitFor();
        expect(await page.locator('.key-state').textContent()).toContain(`…${server.key.slice(-4)}`);
        expect(await page.content()).not.toContain(server.key);
      }),
  );

  for (const path of ['/', '/problems/', '/problems/out-of-range', '/docs/'])
    journey(`${path} has links that lead somewhere`, path, async (page) => {
      const links = new Set(await attributesOf(page.locator('a[href^="/"]'), 'href'));
      expect([...links]).toEqual(expect.arrayContaining(['/docs/', '/explore/', '/status/']));
      for (const link of links) expect([link, (await fetch(server.url + link)).status]).toEqual([link, 200]);
    });
});
