import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FILTERS } from '../../data/query/filter.ts';
import { RESPONSE_HEADERS } from '../../data/query/header.ts';
import { PROBLEMS } from '../../data/query/problem.ts';
import { isMissing, tool } from '../fault/needs.ts';
import { OPERATIONS, parametersOf } from '../unit/server/openapi/document.ts';
import {
  CASES,
  expectAccessible,
  expectClean,
  findOverflow,
  isBrowserMissing,
  keepScreenshot,
  openBrowser,
  type Visit,
  visit,
  type VisitOptions,
} from './browser.ts';
import { serveSample, type SampleServer } from './sample-server.ts';

const run = promisify(execFile);

/** The states of which the README shows a picture. */
const SCREENSHOTS: Readonly<Record<string, string>> = { 'light 1280': 'docs', 'dark 360': 'docs-narrow' };

describe.skipIf(isBrowserMissing('the reference'))('/docs/', () => {
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

  const open = async (fragment = `#key=${server.key}`, options: VisitOptions = {}): Promise<Visit> => {
    const opened = await visit(browser, `${server.url}/docs/${fragment}`, options);
    await opened.page.locator('#listProducts').waitFor();
    return opened;
  };

  /** The same of a state that looks like no other: axe takes seconds for a page of this length. */
  const expectSound = async (opened: Visit, expected: readonly string[] = []) => {
    await expectAccessible(opened.page);
    await expectClean(opened, expected);
  };

  /** Opens the form of an operation. */
  const openForm = async ({ page }: Visit, operation: string): Promise<Locator> => {
    await page.locator(`#${operation} .try-fold > summary`).click();
    const form = page.locator(`#${operation} .try`);
    await form.waitFor();
    return form;
  };

  const send = async (form: Locator): Promise<string> => {
    await form.getByRole('button', { name: 'Send', exact: true }).click();
    await form.locator('.answer .measures').waitFor();
    return form.locator('.answer').innerText();
  };

  /** Opens everything that is folded within an element, also what is folded in that. */
  const openFolds = async (page: Visit['page'], selector: string): Promise<void> => {
    const closed = `document.querySelectorAll('${selector} details:not([open])')`;
    while ((await page.evaluate<number>(`${closed}.length`)) > 0) {
      await page.evaluate(`${closed}.forEach((fold) => (fold.open = true))`);
      await page.waitForTimeout(50);
    }
  };

  describe('looks sound', () => {
    it.each(CASES)('as it opens, in $colourScheme at $width px', async (options) => {
      const opened = await open(undefined, options);
      expect(await opened.page.locator('.operation').count()).toBe(OPERATIONS.length);
      expect(await findOverflow(opened.page)).toBe(0);
      await expectClean(opened);
    });

    it.each(CASES)('with everything open and an answer, in $colourScheme at $width px', async (options) => {
      const opened = await open(undefined, { ...options, height: options.width > 1_000 ? 1_320 : 860 });
      const { page } = opened;
      const form = await openForm(opened, 'listProducts');
      await form.getByRole('button', { name: /^New phones with their cheapest deal/ }).click();
      expect(await send(form)).toContain('200');
      await page.evaluate(`document.getElementById('listProducts').scrollIntoView()`);
      const name = SCREENSHOTS[`${options.colourScheme} ${options.width}`];
      if (name !== undefined) await keepScreenshot(page, name);
      await openFolds(page, '#listProducts');
      await expectSound(opened);
    });
  });

  describe('has beside it the explanations of errors', () => {
    it.each(CASES)('in $colourScheme at $width px', async (options) => {
      for (const path of ['/problems/', '/problems/unknown-value']) {
        const opened = await visit(browser, server.url + path, options);
        expect(await opened.page.locator('h1').count()).toBe(1);
        await expectSound(opened);
      }
    });

    it('with links that lead from the list to a page and back', async () => {
      const opened = await visit(browser, `${server.url}/problems/`);
      const { page } = opened;
      await page.getByRole('link', { name: 'out-of-range' }).click();
      expect(await page.locator('pre').first().innerText()).toContain('limit=500');
      await page.getByRole('link', { name: 'All errors' }).click();
      expect(await page.locator('dt').count()).toBe(Object.keys(PROBLEMS).length);
      await expectClean(opened);
    });
  });

  describe('tells', () => {
    it('of every operation its path, parameters and statuses', async () => {
      const opened = await open();
      for (const [path, operation] of OPERATIONS) {
        const article = opened.page.locator(`#${operation.operationId}`);
        expect(await article.locator('.path code').textContent()).toBe(path);
        const names = await article.locator('.parameter-line > code').allTextContents();
        expect(names).toEqual(parametersOf(operation).map(({ name }) => name));
        const statuses = await article.locator('.answer-fold > summary > .status').allTextContents();
        expect(statuses).toEqual(Object.keys(operation.responses));
      }
      await expectClean(opened);
    });

    it('of every parameter what it is for, in a line that is seen without opening it', async () => {
      const opened = await open();
      const article = opened.page.locator('#listProducts');
      const lines = await article.locator('.parameter-fold > summary').allInnerTexts();
      for (const { name, effect } of FILTERS) {
        const line = lines.find((text) => text.includes(`filter[${name}]`)) ?? '';
        expect([name, line.replaceAll(/\s+/g, ' ')]).toEqual([name, expect.stringContaining(`Keeps ${effect}`)]);
      }
      expect(lines.filter((text) => text.includes('query, string'))).toEqual([]);
      await expectClean(opened);
    });

    it('of every header and every error code', async () => {
      const opened = await open();
      const text = await opened.page.locator('main').innerText();
      for (const word of [...Object.keys(RESPONSE_HEADERS), ...Object.keys(PROBLEMS)]) expect(text).toContain(word);
      await expectClean(opened);
    });

    it('by links that all lead somewhere', async () => {
      const opened = await open();
      const { page } = opened;
      await openFolds(page, 'main');
      const lost = await page.evaluate<readonly string[]>(
        `[...document.querySelectorAll('a[href^="#"]')].map((link) => link.hash).filter((hash) => document.getElementById(hash.slice(1)) === null)`,
      );
      expect(lost).toEqual([]);
      const targets = await page.evaluate<readonly string[]>(
        `[...new Set([...document.querySelectorAll('main a[href^="/"]')].map((link) => link.pathname))]`,
      );
      expect(targets.length).toBeGreaterThan(20);
      for (const target of targets) expect([target, (await fetch(server.url + target)).status]).toEqual([target, 200]);
      await expectClean(opened);
    });

    it('where a link with a fragment points', async () => {
      const opened = await open('#schema-Problem');
      const top = await opened.page.evaluate<number>(
        `document.getElementById('schema-Problem').getBoundingClientRect().top`,
      );
      expect(top).toBeGreaterThan(-50);
      expect(top).toBeLessThan(800);
      await expectClean(opened);
    });
  });

  describe('tries', () => {
    it('a request that is filled in by hand, and shows status, time, bytes, headers and body', async () => {
      const opened = await open();
      const form = await openForm(opened, 'listProducts');
      await form.getByLabel('limit', { exact: true }).fill('2');
      await form.getByText('Filters').click();
      await form.getByLabel('filter[monthlyCost]').fill('gte{20} lt{30}');
      expect(await form.locator('.target').innerText()).toBe(
        'GET /deals/v1/products/?filter[monthlyCost]=gte{20}&filter[monthlyCost]=lt{30}&limit=2',
      );
      const text = await send(form);
      expect(text).toMatch(/200 answered\s+\d+ ms\s+/);
      for (const part of ['x-total-count: ', 'etag: "', '"products": [']) expect(text).toContain(part);
      await expectClean(opened);
    });

    it('words put together by boxes to tick, by keys alone', async () => {
      const opened = await open();
      const { page } = opened;
      await page.locator('#listGifts .try-fold > summary').focus();
      await page.keyboard.press('Enter');
      const form = page.locator('#listGifts .try');
      await form.getByText('Words of fields').focus();
      await page.keyboard.press('Enter');
      for (const word of ['heading', 'front', 'large', 'png']) {
        await form.getByRole('checkbox', { name: word, exact: true }).focus();
        await page.keyboard.press('Space');
      }
      const input = form.getByLabel('fields', { exact: true });
      expect(await input.inputValue()).toBe('gifts(heading,front,large,png)');
      await form.getByRole('checkbox', { name: 'heading', exact: true }).press('Space');
      expect(await input.inputValue()).toBe('gifts(front,large,png)');
      await input.press('Enter');
      await form.locator('.answer .measures').waitFor();
      expect(await form.locator('.answer').innerText()).toContain('"largeFrontImagePng"');
      await expectClean(opened);
    });

    it('the words of every enumeration by ticking them, also of filters and of sort', async () => {
      const opened = await open();
      const form = await openForm(opened, 'listProducts');
      const tick = (field: string, word: string) =>
        form.getByRole('group', { name: `Words of ${field}` }).getByRole('checkbox', { name: word, exact: true });
      const valueOf = (field: string) => form.getByLabel(field, { exact: true }).inputValue();
      await form.getByText('Filters').click();
      await tick('filter[condition]', 'refurbished').check();
      expect(await valueOf('filter[condition]')).toBe('eq{refurbished}');
      await form.getByLabel('filter[offers]', { exact: true }).fill('ne{gift}');
      expect(await tick('filter[offers]', 'gift').isChecked()).toBe(true);
      await tick('filter[offers]', 'cashback').check();
      expect(await valueOf('filter[offers]')).toBe('ne{gift,cashback}');
      await form.getByText('Words of sort').click();
      await tick('sort', 'products(name-asc)').check();
      await tick('sort', 'deals(total-cost-asc)').check();
      // One key of each.
      await tick('sort', 'products(total-cost-desc)').check();
      expect(await tick('sort', 'products(name-asc)').isChecked()).toBe(false);
      expect(await valueOf('sort')).toBe('deals(total-cost-asc),products(total-cost-desc)');
      await form.getByText('Words of expand').click();
      await tick('expand', 'deals').check();
      expect(await send(form)).toContain('200 answered');
      await tick('sort', 'deals(total-cost-asc)').uncheck();
      await tick('sort', 'products(total-cost-desc)').uncheck();
      expect(await valueOf('sort')).toBe('');
      await expectClean(opened);
    });

    it('a body in colours, and copies all of it', async () => {
      const opened = await open();
      const { page } = opened;
      const form = await openForm(opened, 'listProducts');
      await form.getByLabel('limit', { exact: true }).fill('60');
      await form.getByLabel('expand', { exact: true }).fill('content,cheapestDeal');
      await send(form);
      const body = form.locator('.answer pre').last();
      for (const kind of ['key', 'string', 'number'])
        expect(await body.locator(`.json-${kind}`).count()).toBeGreaterThan(10);
      const colours = await page.evaluate<readonly string[]>(
        `['key', 'string', 'number'].map((kind) => getComputedStyle(document.querySelector('.json-' + kind)).color)`,
      );
      expect(new Set(colours).size).toBe(3);
      // What is shown is cut, what is copied is not.
      expect(await body.innerText()).toMatch(/…$/);
      await form.getByRole('button', { name: 'Copy body' }).click();
      const copied = JSON.parse(await page.evaluate<string>('navigator.clipboard.readText()')) as {
        products: unknown[];
      };
      expect(copied.products.length).toBe(60);
      await expectClean(opened);
    });

    it('pages by the links of the answer, and the same again with its ETag', async () => {
      const opened = await open();
      const form = await openForm(opened, 'listProducts');
      await form.getByLabel('limit', { exact: true }).fill('40');
      await send(form);
      const first = await form.locator('.answer pre').last().innerText();
      await form.getByRole('button', { name: 'next page' }).click();
      await form.getByRole('button', { name: 'prev page' }).waitFor();
      expect(await form.locator('.answer pre').last().innerText()).not.toBe(first);
      expect(await form.getByRole('textbox', { name: 'cursor' }).inputValue()).not.toBe('');
      await form.getByRole('button', { name: 'Ask again with its ETag' }).click();
      await form.getByText('304 not changed').waitFor();
      await expectClean(opened);
    });

    it('every operation, and each of its examples', async () => {
      const opened = await open();
      const statuses: string[] = [];
      for (const [path, { operationId, 'x-examples': examples = [] }] of OPERATIONS) {
        const form = await openForm(opened, operationId);
        statuses.push((await send(form)).slice(0, 3));
        for (const example of await form.locator('.examples button').all()) {
          await example.click();
          statuses.push((await send(form)).slice(0, 3));
        }
        expect([path, await form.locator('.examples button').count()]).toEqual([path, examples.length]);
      }
      expect(statuses.length).toBeGreaterThan(20);
      expect([...new Set(statuses)]).toEqual(['200']);
      await expectClean(opened);
    });
  });

  describe('says what is wrong', () => {
    it('with a misspelled word, and what was probably meant', async () => {
      const opened = await open();
      const form = await openForm(opened, 'listProducts');
      await form.getByLabel('expand', { exact: true }).fill('products(cheapestdeal)');
      const text = await send(form);
      expect(text).toContain('did you mean "cheapestDeal"?');
      await expectSound(opened, ['400 /deals/v1/products/']);
    });

    it('with the key, asks for another, and sends the request again with that', async () => {
      const opened = await open('#key=deals_nobody');
      const form = await openForm(opened, 'listNetworks');
      expect(await send(form)).toContain('The API key is not known');
      await form.getByLabel('API key, kept in this tab alone').fill(server.key);
      await form.getByRole('button', { name: 'Use this key' }).click();
      await form.getByText('"northway"', { exact: true }).last().waitFor();
      await expectSound(opened, ['401 /deals/v1/networks/']);
    });

    it('where the service is gone', async () => {
      const opened = await open();
      const form = await openForm(opened, 'listNetworks');
      await opened.page.route('**/deals/**', (route) => route.abort('connectionrefused'));
      await form.getByRole('button', { name: 'Send', exact: true }).click();
      await form.locator('.notice').waitFor();
      expect(await form.locator('.answer').innerText()).toContain('The server cannot be reached');
      await opened.close();
    });
  });

  describe.skipIf(isMissing('the request as curl', tool('curl')))('the request', () => {
    it('works as curl and as fetch, as it is copied', async () => {
      const opened = await open();
      const { page } = opened;
      const form = await openForm(opened, 'findProduct');
      await form.getByRole('button', { name: /^Its deals with a gift/ }).click();
      await form.getByRole('button', { name: 'Copy curl' }).click();
      const line = await page.evaluate<string>('navigator.clipboard.readText()');
      const { stdout } = await run('/bin/sh', ['-c', `${line} --silent`]);
      expect(Object.keys(JSON.parse(stdout) as object)).toEqual(['products', 'deals']);
      await form.getByRole('button', { name: 'Copy fetch' }).click();
      const code = await page.evaluate<string>('navigator.clipboard.readText()');
      const script = `${code}\nconsole.log(JSON.stringify(answer));`;
      const { stdout: fetched } = await run(process.execPath, ['--input-type=module', '--eval', script]);
      expect(JSON.parse(fetched)).toEqual(JSON.parse(stdout));
      await expectClean(opened);
    });
  });
});
