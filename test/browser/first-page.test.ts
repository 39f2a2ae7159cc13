import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serve, type TestServer } from '../contract/serve.ts';
import { CASES, expectAccessible, isBrowserMissing, openBrowser, visit } from './browser.ts';

describe.skipIf(isBrowserMissing('the first page'))('the first page', () => {
  let server: TestServer;
  let browser: Browser;
  beforeAll(async () => {
    server = await serve();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  it.each(CASES)('is sound in $colourScheme at $width px', async (options) => {
    const { page, faults, refusals, close } = await visit(browser, `${server.url}/`, options);
    await expectAccessible(page);
    expect({ faults, refusals }).toEqual({ faults: [], refusals: [] });
    await close();
  });

  it('has links that lead somewhere', async () => {
    const { page, close } = await visit(browser, `${server.url}/`);
    const targets = await page
      .locator('a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    for (const target of ['/docs/', '/explore/', '/status/', '/openapi.json', '/health/ready', '/problems/']) {
      expect(targets).toContain(target);
    }
    for (const target of new Set(targets)) {
      expect([target, (await fetch(server.url + target)).status]).toEqual([target, 200]);
    }
    await close();
  });
});
