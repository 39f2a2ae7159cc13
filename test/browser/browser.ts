import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findTool, isMissing, tool } from '../fault/needs.ts';

/** Debian's name, and what others call it. */
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome'];

/** Every page is tested at the width of a desk and at that of the narrowest telephone, and in either colour scheme. */
export const CASES = [
  { colourScheme: 'light', width: 1280 },
  { colourScheme: 'dark', width: 360 },
] as const;

/** Where `npm run screenshots` puts them; absent when none are wanted. */
const SCREENSHOT_FOLDER = process.env['SCREENSHOTS'];

/** Where a visit begins, and what is expected of it. */
interface Begin {
  readonly at: string;
  /** That of the site by default; empty for a visit without a key, which begins before the page has arrived. */
  readonly key?: string;
  readonly width?: number;
  readonly height?: number;
  readonly colourScheme?: 'light' | 'dark';
  /** The answers of 400 and above that are expected, as `401 /deals/v1/products/`. */
  readonly refusals?: readonly string[];
  /** Faults that are expected. */
  readonly faults?: RegExp;
}

type Act = (page: Page) => Promise<unknown>;

/** Whether there is no browser; says so once on stderr. */
export function isBrowserMissing(what: string): boolean {
  return isMissing(what, { name: 'chromium', isThere: BROWSERS.some((name) => tool(name).isThere) });
}

/**
 * A browser for the tests of a describe block. A visit is a session of its own: nothing stored, nothing cached. After it
 * the page has not asked another host, logged an error, thrown, or met its policy, and no answer was an error but the
 * expected ones. A `journey` is a test of one visit.
 */
export function useBrowser(site: { readonly url: string; readonly key: string }, arrive: Act = async () => undefined) {
  let browser: Browser;
  beforeAll(async () => {
    const executablePath = BROWSERS.map(findTool).find((path) => path !== undefined) ?? '';
    // The sandbox needs rights that containers do not have; it visits our own pages only.
    const args = ['--no-sandbox', '--force-color-profile=srgb', '--font-render-hinting=none'];
    browser = await chromium.launch({ executablePath, args });
  });
  afterAll(() => browser?.close());
  const visit = async (begin: string | Begin, act: Act): Promise<void> => {
    const {
      at,
      key = site.key,
      width = 1280,
      height = 860,
      ...rest
    } = typeof begin === 'string' ? { at: begin } : begin;
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: rest.colourScheme ?? 'light',
      reducedMotion: 'reduce',
      locale: 'en-GB',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    // Below that of a test, so that what did not come is named.
    page.setDefaultTimeout(20_000);
    const { faults, refusals } = watch(page, site.url);
    if (key !== '') await page.goto(`${site.url}/problems/#key=${key}`);
    await page.goto(site.url + at);
    if (key !== '') await arrive(page);
    await act(page);
    await page.unrouteAll({ behavior: 'wait' });
    expect(faults.filter((fault) => rest.faults?.test(fault) !== true)).toEqual([]);
    expect([...refusals].sort()).toEqual([...(rest.refusals ?? [])].sort());
    await context.close();
  };
  const journey = (name: string, begin: string | Begin, act: Act) => it(name, () => visit(begin, act));
  return { visit, journey };
}

function watch(page: Page, origin: string) {
  const faults: string[] = [];
  const refusals = new Set<string>();
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) faults.push(`asked ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) refusals.add(`${response.status()} ${new URL(response.url()).pathname}`);
  });
  page.on('console', (message) => {
    // The browser logs what `refusals` holds.
    const isRefusal = message.text().startsWith('Failed to load resource: the server responded with');
    if (['error', 'warning'].includes(message.type()) && !isRefusal) faults.push(`logged ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`threw ${error.message}`));
  return { faults, refusals };
}

/** Expects a page that axe finds no fault in (WCAG 2.2 AA, best practices), and that is not wider than the window. */
export async function expectAccessible(page: Page): Promise<void> {
  // By the debugger, which the policy of the page does not stop.
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as axe.AxeResults;
  const said = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary}`),
  );
  expect(said).toEqual([]);
  const [scrollWidth, clientWidth] = await page.evaluate<number[]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  );
  expect(scrollWidth).toBe(clientWidth);
}

/** The text of what has the focus. */
export async function focusedText(page: Page): Promise<string> {
  return (await page.locator(':focus').textContent()) ?? '';
}

/** The attribute of each element. */
export function attributesOf(elements: Locator, name: string): Promise<readonly string[]> {
  return elements.evaluateAll((all, key) => all.map((each) => each.getAttribute(key) ?? ''), name);
}

export const readClipboard = (page: Page): Promise<string> => page.evaluate('navigator.clipboard.readText()');

/** Keeps a picture of what the window shows, when it is wanted (`npm run screenshots`). */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (SCREENSHOT_FOLDER === undefined) return;
  mkdirSync(SCREENSHOT_FOLDER, { recursive: true });
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  writeFileSync(join(SCREENSHOT_FOLDER, `${name}.webp`), await sharp(png).webp({ quality: 82 }).toBuffer());
}
