import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../harness.ts';
import { expectClean, isBrowserMissing, openBrowser, type Visit, visit, type VisitOptions } from './browser.ts';
import { addPriceHistory } from './price-history.ts';
import { serveSample, type SampleServer } from './sample-server.ts';

/** A phone that is sold new and refurbished. */
const PHONE = '/explore/?phone=110&slug=kestrel-k8-128gb';
const COMPARED = '/explore/?picked=kestrel-k8-128gb,aurel-a4-128gb,refurbished-kestrel-k8-128gb&compare=1';

describe.skipIf(isBrowserMissing('the page of the catalogue'))('/explore/', () => {
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

  const open = async (address = '/explore/', options: VisitOptions = {}): Promise<Visit> => {
    const opened = await visit(browser, `${server.url}${address}#key=${server.key}`, {
      waitsForQuiet: false,
      ...options,
    });
    await opened.page.locator('#results h1').waitFor();
    return opened;
  };

  it('asks for a key where there is none, and a wrong one is told from a good one', async () => {
    const opened = await visit(browser, `${server.url}/explore/`);
    const { page } = opened;
    const field = page.getByRole('textbox', { name: 'API key' });
    expect(await page.locator('.key-form input:focus').count()).toBe(1);
    await field.fill('deals_nonsense');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'This key was refused' }).waitFor();
    expect(await page.locator('.request-bar .status').textContent()).toBe('401');
    await page.getByRole('textbox', { name: 'API key' }).fill(` ${server.key} `);
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.locator('.phone-card').first().waitFor();
    expect(await page.locator('#door').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Change key' }).click();
    await page.getByRole('heading', { name: 'An API key, please' }).waitFor();
    const lists = ['networks', 'retailers', 'manufacturers', 'products'];
    await expectClean(
      opened,
      lists.map((name) => `401 /deals/v1/${name}/`),
    );
  });
  describe('the phones', () => {
    it('are filtered by the lists of the interface and by amounts; each step is one back', async () => {
      const opened = await open();
      const { page } = opened;
      await page.getByRole('checkbox', { name: 'Corvane' }).check();
      await waitForRequest(page, 'filter[networks]=eq{corvane}');
      await page.getByRole('checkbox', { name: 'Northway', exact: true }).check();
      await waitForRequest(page, 'filter[networks]=eq{corvane,northway}');
      await page.locator('[name=monthlyTo]').pressSequentially('20', { delay: 20 });
      await waitForRequest(page, 'filter[monthlyCost]=lte{20}');
      await page.getByRole('checkbox', { name: 'Refurbished', exact: true }).check();
      await waitForRequest(page, 'filter[condition]=eq{refurbished}');
      expect(page.url()).toBe(`${server.url}/explore/?networks=corvane,northway&condition=refurbished&monthlyTo=20`);
      const names = await page.locator('.phone-card h2').allTextContents();
      expect(names.length).toBeGreaterThan(0);
      for (const price of await page.locator('.phone-card .price strong').allTextContents()) {
        expect(Number(price.slice(1))).toBeLessThanOrEqual(20);
      }
      for (const plan of await page.locator('.phone-card .plan').allTextContents()) {
        expect(plan).toMatch(/, (?:Corvane|Northway)$/);
      }
      const found = await page.locator('h1').textContent();
      expect(await page.locator('#news').textContent()).toBe(found);

      await page.goBack();
      await waitForRequest(page, 'lte{20}', 'refurbished');
      await page.goBack();
      await waitForRequest(page, 'corvane,northway', 'lte{20}');
      expect(await page.locator('[name=monthlyTo]').inputValue()).toBe('');
      await page.goForward();
      await page.goForward();
      await waitForRequest(page, 'refurbished');
      expect(await page.locator('.phone-card h2').allTextContents()).toEqual(names);

      await page.getByRole('link', { name: 'Remove Network: Corvane' }).click();
      await waitForRequest(page, 'filter[networks]=eq{northway}');
      await page.getByRole('link', { name: 'Clear all' }).click();
      await waitForRequest(page, 'expand=', 'filter');
      expect(page.url()).toBe(`${server.url}/explore/`);
      await expectClean(opened);
    });

    it('come after the filters on a telephone, which fold up', async () => {
      const opened = await open('/explore/', { width: 360, height: 780 });
      const { page } = opened;
      expect(await page.locator('#filters').isVisible()).toBe(false);
      await page.locator('#filter-fold summary').click();
      await page.getByRole('checkbox', { name: 'Corvane' }).check();
      await waitForRequest(page, 'eq{corvane}');
      const found = await page.locator('h1').textContent();
      await page.getByRole('button', { name: `Show ${found}`, exact: true }).click();
      expect(await page.locator('#filters').isVisible()).toBe(false);
      expect(await page.locator('#filter-count').textContent()).toBe('1');
      expect(await focusedText(page)).toBe(await page.locator('h1').textContent());
      await expectClean(opened);
    });

    it('have all filters in a link that is shared', async () => {
      const address =
        '/explore/?retailers=dialstone&manufacturers=aurel&offers=gift&upfrontTo=50&monthlyFrom=10&dataFrom=unlimited&monthsFrom=24&monthsTo=36';
      const opened = await open(address);
      const { page } = opened;
      const shown = 'eq{dialstone} eq{aurel} eq{gift} lte{50} gte{10} gte{unlimited} gte{24} lte{36}';
      for (const part of shown.split(' ')) await waitForRequest(page, part);
      await page.getByRole('checkbox', { name: 'Dialstone' }).waitFor();
      expect(await page.getByRole('checkbox', { name: 'Dialstone' }).isChecked()).toBe(true);
      expect(await page.getByRole('checkbox', { name: 'A gift' }).isChecked()).toBe(true);
      expect(await page.locator('[name=dataFrom]').inputValue()).toBe('unlimited');
      expect(page.url()).toBe(server.url + address);
      await expectClean(opened);
    });

    it('are searched by the words of their names, from every page', async () => {
      const opened = await open(`${PHONE}&networks=northway`);
      const { page } = opened;
      const box = page.getByRole('searchbox', { name: 'Search phones by name' });
      await box.pressSequentially(' k8, {PRO} ', { delay: 10 });
      await waitForRequest(page, 'filter[name]=has{k8 PRO}');
      await page.locator('.phone-card').first().waitFor();
      expect(new Set(await page.locator('.phone-card h2').allTextContents())).toEqual(
        new Set(['128GB', '256GB'].flatMap((size) => [`Kestrel K8 Pro ${size}`, `Refurbished Kestrel K8 Pro ${size}`])),
      );
      expect(await box.inputValue()).toBe(' k8, {PRO} ');
      expect(page.url()).toBe(`${server.url}/explore/?name=k8%20PRO&networks=northway`);
      await page.getByRole('link', { name: 'Remove Name has k8 PRO' }).click();
      await waitForRequest(page, 'expand=', 'filter[name]');
      expect(await box.inputValue()).toBe('');
      await expectClean(opened);
    });

    it('have with each choice how many it leaves, asked once, and not for choices out of sight', async () => {
      const opened = await open('/explore/?networks=northway&monthlyTo=40', { height: 2_000 });
      const { page } = opened;
      const asked: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'HEAD') asked.push(request.url());
      });
      const counts = page.locator('.choices .count');
      // A choice that came later would be counted twice when the filters change meanwhile.
      for (const ofList of ['Tamsin', 'Corvane', 'Dialstone'])
        await page.getByRole('checkbox', { name: ofList, exact: true }).waitFor();
      await until(async () => (await counts.allTextContents()).every((text) => / phones?$/.test(text)));
      const choice = page.getByRole('checkbox', { name: 'Cashback' });
      const count = await choice.locator('..').locator('.count').textContent();
      const before = asked.length;
      expect(before).toBeLessThanOrEqual(await counts.count());
      await choice.check();
      await waitForRequest(page, 'eq{cashback}');
      expect(await page.locator('h1').textContent()).toBe(count);
      await choice.uncheck();
      await waitForRequest(page, 'expand=', 'cashback');
      await until(async () => (await counts.allTextContents()).every((text) => / phones?$/.test(text)));
      expect(new Set(asked).size).toBe(asked.length);
      await page.getByRole('link', { name: 'Tamsin' }).first().click();
      await page.locator('.deals').waitFor();
      expect((await counts.allTextContents()).join('')).toBe('');
      await expectClean(opened);
      const folded = await open('/explore/', { width: 360 });
      folded.page.on('request', (request) => asked.push(request.url()));
      asked.length = 0;
      await folded.page.waitForLoadState('networkidle');
      expect(asked).toEqual([]);
      await expectClean(folded);
    });

    it('are sorted, and grouped by model', async () => {
      const opened = await open();
      const { page } = opened;
      await page.locator('#sort').focus();
      await page.getByLabel('Sort by').selectOption('Name, Z to A');
      await waitForRequest(page, 'sort=products(name-desc)');
      const names = await page.locator('.phone-card h2').allTextContents();
      expect(names).toEqual([...names].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? 1 : -1)));
      expect(await page.locator('#sort:focus').count()).toBe(1);
      await page.getByRole('checkbox', { name: 'One of each model' }).check();
      await waitForRequest(page, 'expand=products(cheapestDeal,grouped)');
      expect(await page.locator('h1').textContent()).toBe('30 phones');
      await expectClean(opened);
    });

    it('are paged by the links of the interface', async () => {
      const opened = await open();
      const { page } = opened;
      const names = page.locator('.phone-card h2');
      const pages = [(await names.allTextContents()).join()];
      for (const link of ['Next', 'Next', 'Previous', 'Last', 'First']) {
        await page.getByRole('link', { name: link, exact: true }).click();
        await until(async () => (await names.allTextContents()).join() !== pages.at(-1));
        pages.push((await names.allTextContents()).join());
      }
      const [first = '', second = '', last = ''] = pages;
      expect(pages).toEqual([first, second, last, second, last, first]);
      expect([first, second, last].join().split(',').length).toBe(70);
      expect(page.url()).toBe(`${server.url}/explore/`);
      await expectClean(opened);
    });

    it('give way to an error as it came, with what to do about it', async () => {
      const opened = await open('/explore/?networks=corvanne,northway&monthlyTo=cheap&monthsTo=24');
      const { page } = opened;
      const notice = page.locator('.notice');
      expect(await notice.getAttribute('role')).toBe('alert');
      expect(await notice.textContent()).toContain('did you mean "corvane"?');
      expect(await notice.textContent()).toContain('filter[monthlyCost]');
      expect(await notice.locator('a[href="/problems/invalid-request"]').count()).toBe(1);
      expect(await page.locator('.request-bar .status').textContent()).toBe('400');
      await page.getByRole('link', { name: 'Use corvane' }).click();
      await waitForRequest(page, 'eq{corvane,northway}');
      await page.getByRole('link', { name: 'Remove Monthly up to cheap' }).click();
      await page.locator('.phone-card').first().waitFor();
      await expectClean(opened, ['400 /deals/v1/products/']);
    });

    it('start again from the first page when a cursor is none', async () => {
      const opened = await open('/explore/?cursor=b084c3eacb194WPZ1UC5h9i608yoctg0&sort=name-asc');
      const { page } = opened;
      await page.getByRole('link', { name: 'Start at the first page' }).click();
      await page.locator('.phone-card').first().waitFor();
      expect(page.url()).toBe(`${server.url}/explore/?sort=name-asc`);
      await expectClean(opened, ['400 /deals/v1/products/']);
    });

    it('stay as they are until the answer is there, and an answer that came too late is not shown', async () => {
      const opened = await open();
      const { page } = opened;
      const gates = new Map<string, () => void>();
      await page.route('**/deals/v1/products/**', async (route) => {
        const url = decodeURIComponent(route.request().url());
        if (route.request().method() === 'GET' && url.includes('eq{corvane}'))
          await new Promise<void>((resolve) => gates.set('corvane', resolve));
        // A request that the page gave up is gone.
        await route.continue().catch(() => undefined);
      });
      const names = await page.locator('.phone-card h2').allTextContents();
      await page.getByRole('checkbox', { name: 'Corvane' }).check();
      await page.locator('#results[aria-busy=true]').waitFor();
      expect(await page.locator('.phone-card h2').allTextContents()).toEqual(names);
      const isGivenUp = page.waitForEvent(
        'requestfailed',
        (request) => request.method() === 'GET' && request.url().includes('eq{corvane}'),
      );
      await page.getByRole('checkbox', { name: 'Emberly' }).check();
      await isGivenUp;
      await page.locator('#results:not([aria-busy])').waitFor();
      gates.get('corvane')?.();
      await waitForRequest(page, 'eq{corvane,emberly}');
      const plans = await page.locator('.phone-card .plan').allTextContents();
      expect(plans.some((plan) => plan.endsWith('Emberly'))).toBe(true);
      await page.unrouteAll({ behavior: 'wait' });
      await expectClean(opened);
    });

    it('say when the server is gone, and come back with it', async () => {
      const opened = await open();
      const { page } = opened;
      await page.route('**/deals/v1/products/**', (route) => route.abort('connectionrefused'));
      await page.getByRole('checkbox', { name: 'Corvane' }).check();
      await page.getByText('The server cannot be reached').waitFor();
      await page.unrouteAll({ behavior: 'wait' });
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.locator('.phone-card').first().waitFor();
      expect(opened.faults.every((fault) => fault.includes('ERR_CONNECTION_REFUSED'))).toBe(true);
      await opened.close();
    });
  });

  describe('one phone', () => {
    it('opens from the list by keyboard alone, and back returns to its card', async () => {
      const opened = await open();
      const { page } = opened;
      await page.keyboard.press('Tab');
      expect(await focusedText(page)).toBe('Skip to the phones');
      await page.keyboard.press('Enter');
      const card = page.locator('.phone-card h2 a').nth(20);
      await card.focus();
      await expect.poll(() => page.evaluate<number>('scrollY')).toBeGreaterThan(0);
      const name = (await card.textContent()) ?? '';
      const scrolled = await page.evaluate<number>('scrollY');
      await page.keyboard.press('Enter');
      await page.locator('.deals').waitFor();
      expect(await page.locator('h1').textContent()).toBe(name);
      expect(await focusedText(page)).toBe(name);
      expect(await page.title()).toBe(`${name} – Mobile deals`);
      await page.goBack();
      await page.locator('.phone-card').first().waitFor();
      expect(await page.evaluate<number>('scrollY')).toBe(scrolled);
      expect(await focusedText(page)).toBe(name);
      await expectClean(opened);
    });

    it('has four pictures that load, its specifications and its deals', async () => {
      const opened = await open(PHONE);
      const { page } = opened;
      const pictures = page.locator('.pictures img');
      expect(await pictures.evaluateAll((images) => images.map((image) => image.getAttribute('alt')))).toEqual(
        ['front', 'back', 'left', 'right'].map((side) => `Kestrel K8 128GB, ${side}`),
      );
      const widths = await page.evaluate(
        'Promise.all([...document.querySelectorAll(".pictures img")].map((image) => image.decode().then(() => image.naturalWidth)))',
      );
      expect(widths).toEqual([200, 200, 200, 200]);
      expect(await page.locator('.specs').textContent()).toContain('1080 x 2340 pixels');
      const count = await page.locator('.deals tbody tr').count();
      expect(await page.locator('.deals caption').textContent()).toBe(`${count} deals`);
      await expectClean(opened);
    });

    it('has its deals in the page, none of them out of sight at any width, and prices below each other', async () => {
      for (const width of [360, 700, 1_000, 1_280]) {
        const opened = await open(PHONE, { width });
        const { page } = opened;
        const rows = page.locator('.deals tbody tr');
        await rows.first().waitFor();
        expect(await page.locator('.deals tbody tr:visible').count()).toBe(20);
        await page.getByRole('button', { name: /^Show all \d+ deals$/ }).press('Enter');
        expect(await page.locator('.deals tbody tr:visible').count()).toBe(await rows.count());
        expect(await page.locator('.deals tr:nth-child(21) a:focus').count()).toBe(1);
        const boxes = await page
          .locator('.deals tbody td:not(:empty)')
          .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().right));
        expect(Math.max(...boxes)).toBeLessThanOrEqual(width);
        for (const column of [1, 2, 3]) {
          const prices = page.locator(`.deals tbody td:nth-of-type(${column})`);
          for (const price of await prices.allTextContents()) expect(price).toMatch(/^£[\d,]+\.\d\d$/);
          const edges = await prices.evaluateAll((cells) =>
            cells.map((cell) => {
              const range = cell.ownerDocument.createRange();
              range.selectNodeContents(cell);
              return Math.round(range.getBoundingClientRect().right);
            }),
          );
          expect(new Set(edges).size).toBe(1);
        }
        await expectClean(opened);
      }
    });

    it('has links to its other versions, and one to its cheapest deal', async () => {
      const opened = await open('/explore/?phone=110&slug=refurbished-kestrel-k8-128gb&networks=quartet');
      const { page } = opened;
      const versions = page.getByRole('navigation', { name: 'Versions' });
      await until(async () => (await versions.getByRole('link').count()) > 2);
      const names = (await versions.getByRole('link').allTextContents()).map((text) =>
        text.replace(/from.*|no deals/, ''),
      );
      expect(names).toEqual(['128GB', '256GB', 'Refurbished 128GB', 'Refurbished 256GB']);
      await versions.getByRole('link', { name: 'Refurbished 256GB' }).click();
      await page.getByRole('heading', { name: 'Refurbished Kestrel K8 256GB', exact: true }).waitFor();
      expect(page.url()).toBe(`${server.url}/explore/?networks=quartet&phone=111&slug=refurbished-kestrel-k8-256gb`);
      const link = page.getByRole('link', { name: /^See deal at / });
      expect(await link.getAttribute('href')).toMatch(/^https:/);
      expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
      await expectClean(opened);
    });

    it('has its deals sorted by the interface, from the head of the table', async () => {
      const opened = await open(PHONE);
      const { page } = opened;
      const monthly = (): Promise<number[]> =>
        page
          .locator('.deals tbody tr td:nth-of-type(1)')
          .evaluateAll((cells) => cells.map((cell) => Number(cell.textContent?.slice(1))));
      await page.getByRole('columnheader', { name: 'Monthly' }).getByRole('link').click();
      await waitForRequest(page, 'sort=deals(contract-price-asc)');
      const up = await monthly();
      expect(up).toEqual([...up].sort((a, b) => a - b));
      expect(await focusedText(page)).toContain('Monthly');
      await page.keyboard.press('Enter');
      await waitForRequest(page, 'sort=deals(contract-price-desc)');
      expect(await page.locator('th[aria-sort=descending]').textContent()).toContain('Monthly');
      const down = await monthly();
      expect(down).toEqual([...down].sort((a, b) => b - a));
      await page.getByLabel('At most').selectOption('25');
      await waitForRequest(page, 'limit=deals(25)');
      expect(await page.locator('.deals caption').textContent()).toBe('the first 25 deals');
      await expectClean(opened);
    });

    it('keeps new and refurbished apart, also under one name', async () => {
      const opened = await open('/explore/?phone=128&slug=halden-note-128gb');
      const { page } = opened;
      const links = (): Promise<string[]> =>
        page
          .locator('.deals .retailer a')
          .evaluateAll((anchors) => anchors.map((anchor) => anchor.getAttribute('href') ?? ''));
      const isNew = await links();
      await page.getByRole('link', { name: /refurbished/ }).click();
      await page.locator('.versions a[aria-current]', { hasText: 'refurbished' }).waitFor();
      const isRefurbished = await links();
      expect(isNew.length).toBeGreaterThan(0);
      expect(isRefurbished.length).toBeGreaterThan(0);
      expect(isNew.filter((link) => isRefurbished.includes(link))).toEqual([]);
      await expectClean(opened);
    });

    it('has its price history as steps and as a table', async () => {
      const opened = await open();
      const { page } = opened;
      await addPriceHistory(page);
      await page.goto(server.url + PHONE);
      const chart = page.getByRole('img', {
        name: /^Total cost of the cheapest deal since 1 Aug 2026\. Lowest £660\.00/,
      });
      await chart.locator('.lowest-mark').waitFor();
      const line = (await chart.locator('.price-line').getAttribute('d')) ?? '';
      expect(line.replaceAll(/[\d. ]+/g, '')).toBe('MHVHMHVH');
      expect(await chart.locator('.gap').count()).toBe(1);
      expect(await page.locator('.history-part .legend').textContent()).toContain('lowest: £660.00 on 20 Aug 2026');
      expect(await page.locator('.history-table tbody tr').allTextContents()).toEqual([
        '27 Nov 2026£1,104.00£45.00£24.0041',
        '9 Sept 2026£696.00£28.00£24.0041',
        '2 Sept 2026–––0',
        '20 Aug 2026lowest£660.00£26.50£24.0041',
        '1 Aug 2026£743.76£29.99£24.0041',
      ]);
      await page.unrouteAll({ behavior: 'wait' });
      await expectClean(opened);
    });

    it('says so when the filters leave no deal, and when it is not there', async () => {
      const opened = await open(`${PHONE}&monthlyTo=1`);
      const { page } = opened;
      expect(await page.locator('.notice').textContent()).toContain('No deal of this phone passes all filters');
      // Its currency is that of the other versions.
      await page.getByText(/^Since 1 Dec 2026: £[\d.]+ in all/).waitFor();
      await page.getByRole('link', { name: 'Clear all filters' }).click();
      await page.locator('.deals').waitFor();
      await expectClean(opened);
      const missing = await open('/explore/?phone=99999');
      expect(await missing.page.locator('.notice').textContent()).toContain('No product has this id');
      await missing.page.getByRole('link', { name: 'All phones' }).click();
      await missing.page.locator('.phone-card').first().waitFor();
      await expectClean(missing, ['404 /deals/v1/products/99999/']);
    });
  });

  describe('the comparison', () => {
    it('is picked in the list by keyboard alone, marks what differs, and keeps what is picked', async () => {
      const opened = await open('/explore/?sort=name-asc');
      const { page } = opened;
      await page.getByRole('link', { name: 'Next' }).click();
      await page.getByRole('checkbox', { name: 'Compare Mirrin Lens 3 128GB' }).focus();
      await page.keyboard.press('Space');
      await page.getByText('Pick one more to compare').waitFor();
      expect(await focusName(page)).toBe('pick-mirrin-lens-3-128gb');
      await page.getByRole('checkbox', { name: 'Compare Kestrel K9 Pro 1TB' }).press('Space');
      await page.getByRole('link', { name: 'Compare 2 phones' }).press('Enter');
      await page.getByRole('heading', { name: 'Compare 2 phones' }).waitFor();
      expect(await focusedText(page)).toBe('Compare 2 phones');
      const row = (name: string): Promise<string[]> =>
        page
          .getByRole('row')
          .filter({ has: page.getByRole('rowheader', { name }) })
          .getByRole('cell')
          .allTextContents();
      expect(await row('4G')).toEqual(['Yes', 'Yes']);
      expect(await page.getByRole('rowheader', { name: '4G', exact: true }).count()).toBe(1);
      expect(await page.getByRole('rowheader', { name: 'Battery (differs)' }).count()).toBe(1);
      expect((await row('In all')).filter((text) => text.endsWith('lowest')).length).toBe(1);
      expect(await page.getByRole('link', { name: /^See deal of / }).count()).toBe(2);
      await page.getByRole('link', { name: '← All phones' }).click();
      expect(await page.getByRole('checkbox', { name: 'Compare Kestrel K9 Pro 1TB' }).isChecked()).toBe(true);
      await page.getByRole('link', { name: 'Do not compare Mirrin Lens 3 128GB' }).press('Enter');
      await page.getByText('Pick one more to compare').waitFor();
      expect(await focusedText(page)).toContain('Kestrel K9 Pro 1TB');
      await expectClean(opened);
    });

    it('takes four phones, and names what it does not show', async () => {
      const four = 'kestrel-k8-128gb,aurel-a4-128gb,wren-go-64gb,halden-note-128gb';
      const opened = await open(`/explore/?picked=${four}`);
      const { page } = opened;
      expect(await page.locator('.pick input:not(:checked):not(:disabled)').count()).toBe(0);
      // Not one of the phones of the first page.
      await page.getByRole('link', { name: 'Do not compare Aurel A4 128GB' }).waitFor();
      await page.goto(`${server.url}/explore/?picked=${four},wren-note-64gb&compare=1`);
      await page.getByText('Not shown: wren-note-64gb').waitFor();
      expect(await page.getByRole('columnheader').count()).toBe(4);
      await page.goto(`${server.url}/explore/?picked=wren-go-64gb,no-such-phone&compare=1`);
      await page.getByText('Not shown: no-such-phone').waitFor();
      await page.getByRole('heading', { name: 'Compare phones', exact: true }).waitFor();
      await page.getByRole('link', { name: 'Remove', exact: true }).click();
      await page.getByText('Not shown').waitFor({ state: 'detached' });
      expect(page.url()).toBe(`${server.url}/explore/?picked=wren-go-64gb&compare=1`);
      await expectClean(opened);
    });
  });

  it('shows its request when that is opened, and until then nothing over the phones', async () => {
    const opened = await open('/explore/?networks=northway', { width: 1_280, height: 800 });
    const { page } = opened;
    const line = page.locator('.request-line');
    expect(await line.isVisible()).toBe(false);
    expect((await page.locator('#dock').boundingBox())?.height).toBeLessThan(8);
    await page.locator('.dock summary').first().press('Enter');
    expect(await line.isVisible()).toBe(true);
    expect(await page.locator('.measures').textContent()).toMatch(/^200\d+ ms[\d.]+ KB sent of [\d.]+ KB$/);
    await page.getByText('Answer', { exact: true }).press('Enter');
    await page.getByText('x-total-count: ').waitFor();
    expect(await page.locator('.answer-text').textContent()).toContain('"cheapestDeal": {');
    await expectClean(opened);
  });

  it('takes pictures of this server from here, and others from where the CMS keeps them', async () => {
    const opened = await open();
    const { page, faults } = opened;
    const elsewhere = 'https://cms.example/phone.svg';
    const missing = 'https://cms.example/missing.svg';
    await page.route('https://cms.example/**', (route) =>
      route.request().url() === elsewhere
        ? route.fulfill({
            contentType: 'image/svg+xml',
            body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="18"/>',
          })
        : route.abort(),
    );
    await page.route('**/deals/v1/products/**', async (route) => {
      if (route.request().method() === 'HEAD') return route.continue();
      const response = await route.fetch();
      const body = (await response.json()) as { products: { images: Record<string, string> }[] };
      for (const [index, { images }] of body.products.entries()) {
        const own = images['largeFrontImageWebp'] ?? '';
        images['largeFrontImageWebp'] = [elsewhere, missing][index] ?? own.replace(server.url, 'https://deals.example');
      }
      await route.fulfill({ response, json: body });
    });
    await page.getByLabel('Sort by').selectOption('Name, A to Z');
    await waitForRequest(page, 'name-asc');
    // Neither what is not there nor what was looked for leaves a hole.
    await page.locator('.phone-card:nth-child(2) .placeholder').waitFor();
    const widths = '[...document.querySelectorAll(".phone-card img")].slice(0, 6).map((image) => image.naturalWidth)';
    await until(async () => (await page.evaluate<number[]>(widths)).every((width) => width > 0));
    expect(await page.evaluate(widths)).toEqual([9, 200, 200, 200, 200, 200]);
    expect(new Set(faults.filter((fault) => fault.startsWith('asked ')))).toEqual(
      new Set([`asked ${elsewhere}`, `asked ${missing}`]),
    );
    await opened.close();
  });

  it('keeps what a feed calls things out of the page, regardless of what it looks like', async () => {
    const opened = await open();
    const { page } = opened;
    const harm = '<img src=x onerror="document.title=1"><b>bold</b>';
    await page.route('**/deals/v1/products/**', async (route) => {
      const response = await route.fetch();
      const keys = /"(name|productName|os|contractName|contractSupplierName|retailSupplierName|purchaseLink)":"[^"]*"/g;
      const body = (await response.text()).replaceAll(
        keys,
        (_, key: string) => `"${key}":${JSON.stringify(key === 'purchaseLink' ? 'javascript:alert(1)' : harm)}`,
      );
      await route.fulfill({ response, body });
    });
    await page.getByRole('checkbox', { name: 'Corvane' }).check();
    await page.getByText(harm).first().waitFor();
    expect(await page.title()).toBe('Phones – Mobile deals');
    for (const address of [PHONE, COMPARED]) {
      await page.goto(server.url + address);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByText(harm).first().waitFor();
      expect(await page.getByRole('link', { name: /^See deal/ }).count()).toBe(0);
      expect(await page.locator('#results b, img[src=x]').count()).toBe(0);
    }
    await page.unrouteAll({ behavior: 'wait' });
    await expectClean(opened);
  });
});

/** Waits until the request that is shown has been answered, holds a text, and does not hold another. */
function waitForRequest(page: Page, text: string, other = '\0'): Promise<void> {
  return until(async () => {
    const [line = '', measures = ''] = await page.locator('.request-line, .measures').allTextContents();
    return measures !== '' && line.includes(text) && !line.includes(other);
  });
}

async function focusName(page: Page): Promise<string> {
  return (await page.locator(':focus').getAttribute('data-focus')) ?? '';
}

async function focusedText(page: Page): Promise<string> {
  return (await page.locator(':focus').textContent()) ?? '';
}
