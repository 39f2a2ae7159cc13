import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';
import sharp from 'sharp';
import { expect } from 'vitest';
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

export interface VisitOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colourScheme?: 'light' | 'dark';
  /** Whether to wait until nothing has been fetched for half a second; a test that waits for what it looks at need not. */
  readonly waitsForQuiet?: boolean;
}

/** A page in a session of its own: nothing stored, nothing cached. */
export interface Visit {
  readonly page: Page;
  /** What no page may do: ask another host, log an error, throw, or meet its policy. */
  readonly faults: readonly string[];
  /** Answers of 400 and above, as `401 /deals/v1/products/`: a test says which it expects. */
  readonly refusals: readonly string[];
  readonly close: () => Promise<void>;
}

/** Whether there is no browser; says so once on stderr. */
export function isBrowserMissing(what: string): boolean {
  return isMissing(what, { name: 'chromium', isThere: BROWSERS.some((name) => tool(name).isThere) });
}

export async function openBrowser(): Promise<Browser> {
  const executablePath = BROWSERS.map(findTool).find((path) => path !== undefined);
  if (executablePath === undefined) throw new Error(`expected one of ${BROWSERS.join(', ')} on the PATH`);
  // The sandbox needs rights that containers do not have; it visits our own pages only.
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--force-color-profile=srgb', '--font-render-hinting=none'],
  });
}

/** Opens an address in a session of its own. */
export async function visit(browser: Browser, url: string, options: VisitOptions = {}): Promise<Visit> {
  const { width = 1280, height = 860, colourScheme = 'light', waitsForQuiet = true } = options;
  const { origin } = new URL(url);
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: colourScheme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  // Below that of a test, so that what did not come is named.
  page.setDefaultTimeout(20_000);
  const faults: string[] = [];
  const refusals: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) faults.push(`asked ${request.url()}`);
  });
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (response.status() >= 400) refusals.push(`${response.status()} ${pathname}`);
  });
  page.on('console', (message) => {
    // The browser logs what `refusals` holds.
    const isRefusal = message.text().startsWith('Failed to load resource: the server responded with');
    if (['error', 'warning'].includes(message.type()) && !isRefusal) faults.push(`logged ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`threw ${error.message}`));
  await page.goto(url);
  if (waitsForQuiet) await page.waitForLoadState('networkidle');
  return { page, faults, refusals, close: () => context.close() };
}

/** Expects that nothing went wrong in a visit, and no response was an error but the expected ones; then closes it. */
export async function expectClean({ faults, refusals, close }: Visit, expected: readonly string[] = []): Promise<void> {
  expect({ faults, refusals: [...new Set(refusals)].sort() }).toEqual({ faults: [], refusals: [...expected].sort() });
  await close();
}

/** Expects a page that axe finds no fault in, and that is not wider than the window. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await findViolations(page)).toEqual([]);
  expect(await findOverflow(page)).toBe(0);
}

/** What axe finds wrong with the page as it is now, a sentence for each element: WCAG 2.2 AA and axe's best practices. */
export async function findViolations(page: Page): Promise<readonly string[]> {
  // By the debugger, which the policy of the page does not stop.
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as axe.AxeResults;
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}

/** How many pixels the page is wider than the window: anything above 0 has to be scrolled sideways. */
export function findOverflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Keeps a picture of what the window shows, when it is wanted (`npm run screenshots`). */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (SCREENSHOT_FOLDER === undefined) return;
  mkdirSync(SCREENSHOT_FOLDER, { recursive: true });
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  writeFileSync(join(SCREENSHOT_FOLDER, `${name}.webp`), await sharp(png).webp({ quality: 82 }).toBuffer());
}
