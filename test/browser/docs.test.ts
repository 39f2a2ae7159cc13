import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Locator } from 'playwright-core';
import { describe, expect } from 'vitest';
import { DOCUMENT, OPERATIONS, parametersOf } from '../unit/server/openapi/document.ts';
import { isBrowserMissing, readClipboard, useBrowser } from './browser.ts';
import { useSample } from './sample-server.ts';

const run = promisify(execFile);

const TELEPHONE = { at: '/docs/', width: 390, height: 844 };
const LIST = '/docs/#listProducts';
const FAULTY = { at: LIST, refusals: ['400 /deals/v1/products/'], faults: /ERR_CONNECTION_REFUSED/ };
const WRONG_KEY = { at: '/docs/#listNetworks', key: 'deals_nobody', refusals: ['401 /deals/v1/networks/'] };

describe.skipIf(isBrowserMissing('the reference'))('/docs/', () => {
  const server = useSample();
  const { journey } = useBrowser(server, (page) => page.locator('#listProducts').waitFor());

  const send = async (form: Locator): Promise<string> => {
    await form.locator('.answer').evaluate((answer) => answer.replaceChildren());
    await form.getByRole('button', { name: 'Send', exact: true }).click();
    await form.locator('.answer .measures').waitFor();
    return form.locator('.answer').innerText();
  };

  journey('begins with a request to send, and is short until something is opened', TELEPHONE, async (page) => {
    expect(await page.locator('details[open]').count()).toBe(0);
    expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThan(6_000);
    const button = page.getByRole('button', { name: 'Send' }).first();
    expect((await button.boundingBox())?.y).toBeLessThan(600);
    expect(await send(page.locator('.try').first())).toContain('"cheapestDeal": {');
  });

  journey('tells of every operation its path, parameters and statuses, and of every header', '/docs/', async (page) => {
    for (const [path, operation] of OPERATIONS) {
      const fold = page.locator(`#${operation.operationId}`);
      expect(await fold.locator('.path').textContent()).toBe(`GET ${path}`);
      const names = await fold.locator('.parameter > summary > code:first-child').allTextContents();
      expect(names).toEqual(parametersOf(operation).map(({ name }) => name));
      expect(await fold.locator('dt.status').allTextContents()).toEqual(Object.keys(operation.responses));
    }
    const headers = await page.locator('#about-headers dt').allTextContents();
    expect(headers).toEqual(Object.keys(DOCUMENT.components.headers));
  });

  journey('opens what a link points to, and none points to nothing', '/docs/#schema-Problem', async (page) => {
    await page.locator('#schema-Problem .properties').waitFor();
    const link = page.locator('#listNetworks a[href="#header-ETag"]').first();
    await page.locator('#listNetworks > summary').click();
    for (let time = 0; time < 2; time++) {
      await link.click();
      await page.locator('#header-ETag').waitFor();
      expect((await page.locator('#header-ETag').boundingBox())?.y).toBeLessThan(860);
      await page.locator('#about-headers > summary').click();
    }
    const lost = await page.evaluate<readonly string[]>(
      `[...document.querySelectorAll('a[href^="#"]')].map((link) => link.hash).filter((hash) => document.getElementById(hash.slice(1)) === null)`,
    );
    expect(lost).toEqual([]);
  });

  journey('sends what is filled in, pages by links, and asks again with the ETag', LIST, async (page) => {
    const form = page.locator('#listProducts .try');
    await form.getByLabel('limit', { exact: true }).fill('40');
    await form.getByText('Filters', { exact: true }).click();
    await form.getByLabel('filter[monthlyCost]').fill('gte{5} lt{90}');
    expect(await form.locator('.request-line').innerText()).toBe(
      'GET /deals/v1/products/?filter[monthlyCost]=gte{5}&filter[monthlyCost]=lt{90}&limit=40',
    );
    const text = await send(form);
    expect(text).toMatch(/200\s+\d+ ms\s+/);
    for (const part of ['x-total-count: ', 'etag: "', '"products": [']) expect(text).toContain(part);
    await form.getByRole('button', { name: 'next page' }).click();
    await form.getByRole('button', { name: 'prev page' }).waitFor();
    expect(await form.getByRole('textbox', { name: 'cursor' }).inputValue()).not.toBe('');
    await form.getByRole('button', { name: 'Ask again with its ETag' }).click();
    await form.locator('.status', { hasText: '304' }).waitFor();
  });

  journey('puts words together by boxes to tick, by keys alone', '/docs/', async (page) => {
    await page.locator('#listProducts > summary').press('Enter');
    const form = page.locator('#listProducts .try');
    const tick = (field: string, word: string): Locator =>
      form.getByRole('group', { name: `Words of ${field}` }).getByRole('checkbox', { name: word, exact: true });
    const valueOf = (field: string): Promise<string> => form.getByLabel(field, { exact: true }).inputValue();
    await form.getByText('Filters', { exact: true }).press('Enter');
    await tick('filter[condition]', 'refurbished').press('Space');
    expect(await valueOf('filter[condition]')).toBe('eq{refurbished}');
    await form.getByLabel('filter[offers]', { exact: true }).fill('ne{gift}');
    expect(await tick('filter[offers]', 'gift').isChecked()).toBe(true);
    await tick('filter[offers]', 'cashback').press('Space');
    expect(await valueOf('filter[offers]')).toBe('ne{gift,cashback}');
    await form.getByText('Words of sort').press('Enter');
    // One key of products and one of deals.
    for (const word of ['products(name-asc)', 'deals(total-cost-asc)', 'products(total-cost-desc)']) {
      await tick('sort', word).press('Space');
    }
    expect(await valueOf('sort')).toBe('deals(total-cost-asc),products(total-cost-desc)');
    await form.getByText('Words of expand').press('Enter');
    for (const word of ['content', 'deals', 'content']) await tick('expand', word).press('Space');
    expect(await valueOf('expand')).toBe('products(deals)');
    await form.getByLabel('expand', { exact: true }).press('Enter');
    await form.locator('.answer .status.good').waitFor();
  });

  journey('answers every example', '/docs/', async (page) => {
    for (const [path, { operationId, 'x-examples': examples = [] }] of OPERATIONS) {
      await page.locator(`#${operationId} > summary`).click();
      const form = page.locator(`#${operationId} .try`);
      const buttons = await form.locator('.examples button').all();
      expect([path, buttons.length]).toEqual([path, examples.length]);
      for (const button of buttons) {
        await button.click();
        expect((await send(form)).slice(0, 3)).toBe('200');
      }
    }
  });

  journey('copies a request as curl and fetch, which work, and a body whole', '/docs/#findProduct', async (page) => {
    const form = page.locator('#findProduct .try');
    await form.getByRole('button', { name: /^Its deals with a gift/ }).click();
    // More than is shown.
    await form.getByLabel('filter[offers]', { exact: true }).fill('');
    await form.getByLabel('limit', { exact: true }).fill('deals(100)');
    await form.getByRole('button', { name: 'Copy curl' }).click();
    const { stdout } = await run('/bin/sh', ['-c', `${await readClipboard(page)} --silent`]);
    expect(Object.keys(JSON.parse(stdout) as object)).toEqual(['products', 'deals']);
    await form.getByRole('button', { name: 'Copy fetch' }).click();
    const script = `${await readClipboard(page)}\nconsole.log(JSON.stringify(answer));`;
    const fetched = await run(process.execPath, ['--input-type=module', '--eval', script]);
    expect(JSON.parse(fetched.stdout)).toEqual(JSON.parse(stdout));
    expect(await send(form)).toContain('…');
    await form.getByRole('button', { name: 'Copy body' }).click();
    expect(JSON.parse(await readClipboard(page))).toEqual(JSON.parse(stdout));
  });

  journey('says what is wrong with a request, and what was probably meant', FAULTY, async (page) => {
    const form = page.locator('#listProducts .try');
    await form.getByLabel('expand', { exact: true }).fill('products(cheapestdeal)');
    expect(await send(form)).toContain('did you mean "cheapestDeal"?');
    await page.route('**/deals/**', (route) => route.abort('connectionrefused'));
    await form.getByRole('button', { name: 'Send', exact: true }).click();
    await form.getByText('The server cannot be reached').waitFor();
  });

  journey('asks for another key when one is refused, and sends the request with that', WRONG_KEY, async (page) => {
    const form = page.locator('#listNetworks .try');
    expect(await send(form)).toContain('This key was refused');
    await form.getByRole('textbox', { name: 'API key' }).fill(server.key);
    await form.getByRole('button', { name: 'Use this key' }).click();
    await form.getByText('"northway"').waitFor();
  });
});
