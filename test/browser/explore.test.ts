import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { until } from '../harness.ts';
import { attributesOf, focusedText, isBrowserMissing, useBrowser } from './browser.ts';
import { addPriceHistory, useSample } from './sample-server.ts';

/** A phone that is sold new and refurbished. */
const PHONE = '/explore/?phone=110&slug=kestrel-k8-128gb';
const REFURBISHED = '/explore/?phone=110&slug=refurbished-kestrel-k8-128gb&networks=quartet';
const COMPARED = '/explore/?picked=kestrel-k8-128gb,aurel-a4-128gb,refurbished-kestrel-k8-128gb&compare=1';

describe.skipIf(isBrowserMissing('the page of the catalogue'))('/explore/', () => {
  const server = useSample();
  const { journey } = useBrowser(server, (page) => page.locator('#results h1').waitFor());

  const addressOf = (page: Page): string => page.url().slice(server.url.length);

  const lists = ['networks', 'retailers', 'manufacturers', 'products'];
  const withoutKey = { at: '/explore/', key: '', refusals: lists.map((name) => `401 /deals/v1/${name}/`) };
  journey('asks for a key where there is none, and tells a wrong one from a good one', withoutKey, async (page) => {
    const field = page.getByRole('textbox', { name: 'API key' });
    await field.waitFor();
    expect(await page.locator('.key-form input:focus').count()).toBe(1);
    await field.fill('deals_nonsense');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'This key was refused' }).waitFor();
    expect(await page.locator('.request-bar .status').textContent()).toBe('401');
    await field.fill(` ${server.key} `);
    await page.getByRole('button', { name: 'Use this key' }).click();
    await cards(page).first().waitFor();
    expect(await page.locator('#door').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Change key' }).click();
    await page.getByRole('heading', { name: 'An API key, please' }).waitFor();
  });

  journey('filters phones by lists and by amounts; each step is one back', '/explore/', async (page) => {
    const steps: readonly [name: string, request: string][] = [
      ['Corvane', 'filter[networks]=eq{corvane}'],
      ['Northway', 'filter[networks]=eq{corvane,northway}'],
      ['', 'filter[monthlyCost]=lte{20}'],
      ['Refurbished', 'filter[condition]=eq{refurbished}'],
    ];
    for (const [name, request] of steps) {
      if (name === '') await page.locator('[name=monthlyTo]').pressSequentially('20', { delay: 20 });
      else await box(page, name).check();
      await untilRequest(page, request);
    }
    expect(addressOf(page)).toBe('/explore/?networks=corvane,northway&condition=refurbished&monthlyTo=20');
    const names = await namesOf(page);
    expect(names.length).toBeGreaterThan(0);
    for (const price of await page.locator('.phone-card .price strong').allTextContents()) {
      expect(Number(price.slice(1))).toBeLessThanOrEqual(20);
    }
    for (const plan of await page.locator('.phone-card .plan').allTextContents()) {
      expect(plan).toMatch(/, (?:Corvane|Northway)$/);
    }
    expect(await page.locator('#news').textContent()).toBe(await page.locator('h1').textContent());

    await page.goBack();
    await untilRequest(page, 'lte{20}', 'refurbished');
    await page.goBack();
    await untilRequest(page, 'corvane,northway', 'lte{20}');
    expect(await page.locator('[name=monthlyTo]').inputValue()).toBe('');
    await page.goForward();
    await page.goForward();
    await untilRequest(page, 'refurbished');
    expect(await namesOf(page)).toEqual(names);

    await page.getByRole('link', { name: 'Remove Network: Corvane' }).click();
    await untilRequest(page, 'filter[networks]=eq{northway}');
    await page.getByRole('link', { name: 'Clear all' }).click();
    await untilRequest(page, 'expand=', 'filter');
    expect(addressOf(page)).toBe('/explore/');
  });

  journey('folds the filters up on a telephone', { at: '/explore/', width: 360, height: 780 }, async (page) => {
    expect(await page.locator('#filters').isVisible()).toBe(false);
    await page.locator('#filter-fold summary').click();
    await box(page, 'Corvane').check();
    await untilRequest(page, 'eq{corvane}');
    const found = (await page.locator('h1').textContent()) ?? '';
    await page.getByRole('button', { name: `Show ${found}`, exact: true }).click();
    expect(await page.locator('#filters').isVisible()).toBe(false);
    expect(await page.locator('#filter-count').textContent()).toBe('1');
    expect(await focusedText(page)).toBe(found);
  });

  const SHARED =
    '/explore/?retailers=dialstone&manufacturers=aurel&offers=gift&upfrontTo=50&monthlyFrom=10&dataFrom=unlimited&monthsFrom=24&monthsTo=36';
  journey('has all filters in a link that is shared', SHARED, async (page) => {
    const shown = 'eq{dialstone} eq{aurel} eq{gift} lte{50} gte{10} gte{unlimited} gte{24} lte{36}';
    for (const part of shown.split(' ')) await untilRequest(page, part);
    for (const name of ['Dialstone', 'A gift']) {
      await box(page, name).waitFor();
      expect(await box(page, name).isChecked()).toBe(true);
    }
    expect(await page.locator('[name=dataFrom]').inputValue()).toBe('unlimited');
    expect(addressOf(page)).toBe(SHARED);
  });

  journey('searches phones by words of their names, from any page', `${PHONE}&networks=northway`, async (page) => {
    const search = page.getByRole('searchbox', { name: 'Search phones by name' });
    await search.pressSequentially(' k8, {PRO} ', { delay: 10 });
    await untilRequest(page, 'filter[name]=has{k8 PRO}');
    await cards(page).first().waitFor();
    const pro = ['Kestrel K8 Pro 128GB', 'Kestrel K8 Pro 256GB'];
    expect(new Set(await namesOf(page))).toEqual(new Set([...pro, ...pro.map((name) => `Refurbished ${name}`)]));
    expect(await search.inputValue()).toBe(' k8, {PRO} ');
    expect(addressOf(page)).toBe('/explore/?name=k8%20PRO&networks=northway');
    await page.getByRole('link', { name: 'Remove Name has k8 PRO' }).click();
    await untilRequest(page, 'expand=', 'filter[name]');
    expect(await search.inputValue()).toBe('');
  });

  journey(
    'has with each choice how many phones it leaves',
    '/explore/?networks=northway&monthlyTo=40',
    async (page) => {
      const counts = page.locator('.choices .count');
      for (const ofList of ['Tamsin', 'Corvane', 'Dialstone']) await box(page, ofList).waitFor();
      expect((await counts.allTextContents()).filter((text) => !/^\d+ phones?$/.test(text))).toEqual([]);
      const count = await box(page, 'Cashback').locator('..').locator('.count').textContent();
      await box(page, 'Cashback').check();
      await untilRequest(page, 'eq{cashback}');
      expect(await page.locator('h1').textContent()).toBe(count);
      await cards(page).first().getByRole('link').click();
      await page.locator('.deals').waitFor();
      expect(await counts.count()).toBe(0);
    },
  );

  journey(
    'shows the gifts by category, and the phones that come with one',
    '/explore/?networks=northway',
    async (page) => {
      await page.getByRole('link', { name: 'See all gifts' }).click();
      await page.getByRole('region', { name: 'Audio' }).getByRole('heading', { name: 'Pebble Earbuds' }).waitFor();
      await page.getByRole('link', { name: 'Phones with a gift' }).click();
      await cards(page).first().waitFor();
      expect(addressOf(page)).toBe('/explore/?offers=gift');
    },
  );

  journey('sorts phones, and groups them by model', '/explore/', async (page) => {
    await page.locator('#sort').focus();
    await page.getByLabel('Sort by').selectOption('Name, Z to A');
    await untilRequest(page, 'sort=products(name-desc)');
    const names = await namesOf(page);
    expect(names).toEqual(names.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? 1 : -1)));
    expect(await page.locator('#sort:focus').count()).toBe(1);
    await box(page, 'One of each model').check();
    await untilRequest(page, 'expand=products(cheapestDeal,grouped)');
    expect(await page.locator('h1').textContent()).toBe('30 phones');
  });

  journey('pages phones by the links of the interface', '/explore/', async (page) => {
    const pages = [(await namesOf(page)).join()];
    for (const link of ['Next', 'Next', 'Previous', 'Last', 'First']) {
      await page.getByRole('link', { name: link, exact: true }).click();
      await until(async () => (await namesOf(page)).join() !== pages.at(-1));
      pages.push((await namesOf(page)).join());
    }
    const [first = '', second = '', last = ''] = pages;
    expect(pages).toEqual([first, second, last, second, last, first]);
    expect([first, second, last].join().split(',').length).toBe(70);
    expect(addressOf(page)).toBe('/explore/');
  });

  const faulty = {
    at: '/explore/?networks=corvanne,northway&monthlyTo=cheap&monthsTo=24',
    refusals: ['400 /deals/v1/products/'],
  };
  journey('shows an error as it came, with what to do about it', faulty, async (page) => {
    const notice = page.getByRole('alert');
    expect(await notice.textContent()).toMatch(/did you mean "corvane"\?[^]*filter\[monthlyCost\]/);
    expect(await notice.locator('a[href="/problems/invalid-request"]').count()).toBe(1);
    expect(await page.locator('.request-bar .status').textContent()).toBe('400');
    await page.getByRole('link', { name: 'Use corvane' }).click();
    await untilRequest(page, 'eq{corvane,northway}');
    await page.getByRole('link', { name: 'Remove Monthly up to cheap' }).click();
    await cards(page).first().waitFor();
    await page.goto(`${server.url}/explore/?cursor=b084c3eacb194WPZ1UC5h9i608yoctg0&sort=name-asc`);
    await page.getByRole('link', { name: 'Start at the first page' }).click();
    await cards(page).first().waitFor();
    expect(addressOf(page)).toBe('/explore/?sort=name-asc');
  });

  journey('keeps what is shown until an answer is there, but for a late one', '/explore/', async (page) => {
    let release = (): void => undefined;
    const isHeld = (request: { method(): string; url(): string }) =>
      request.method() === 'GET' && decodeURIComponent(request.url()).includes('eq{corvane}');
    await page.route('**/deals/v1/products/**', async (route) => {
      if (isHeld(route.request())) await new Promise<void>((resolve) => (release = resolve));
      // A request that the page gave up is gone.
      await route.continue().catch(() => undefined);
    });
    const names = await namesOf(page);
    await box(page, 'Corvane').check();
    await page.locator('#results[aria-busy=true]').waitFor();
    expect(await namesOf(page)).toEqual(names);
    const isGivenUp = page.waitForEvent('requestfailed', isHeld);
    await box(page, 'Emberly').check();
    await isGivenUp;
    await page.locator('#results:not([aria-busy])').waitFor();
    release();
    await untilRequest(page, 'eq{corvane,emberly}');
    const plans = await page.locator('.phone-card .plan').allTextContents();
    expect(plans.some((plan) => plan.endsWith('Emberly'))).toBe(true);
  });

  const offline = { at: '/explore/', faults: /ERR_CONNECTION_REFUSED/ };
  journey('says when the server is gone, and comes back with it', offline, async (page) => {
    await page.route('**/deals/v1/products/**', (route) => route.abort('connectionrefused'));
    await box(page, 'Corvane').check();
    await page.getByText('The server cannot be reached').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await cards(page).first().waitFor();
  });

  journey('opens a phone by keyboard alone, and back returns to its card', '/explore/', async (page) => {
    await page.keyboard.press('Tab');
    expect(await focusedText(page)).toBe('Skip to the phones');
    await page.keyboard.press('Enter');
    const card = page.locator('.phone-card h2 a').nth(20);
    await card.focus();
    const scrolled = () => page.evaluate<number>('scrollY');
    await expect.poll(scrolled).toBeGreaterThan(0);
    const [name, before] = [(await card.textContent()) ?? '', await scrolled()];
    await page.keyboard.press('Enter');
    await page.locator('.deals').waitFor();
    expect([await page.locator('h1').textContent(), await focusedText(page)]).toEqual([name, name]);
    expect(await page.title()).toBe(`${name} – Mobile deals`);
    await page.goBack();
    await cards(page).first().waitFor();
    expect([await scrolled(), await focusedText(page)]).toEqual([before, name]);
  });

  journey('has of a phone four pictures that load, its specifications and its deals', PHONE, async (page) => {
    const pictures = page.locator('.pictures img');
    const sides = ['front', 'back', 'left', 'right'];
    expect(await attributesOf(pictures, 'alt')).toEqual(sides.map((side) => `Kestrel K8 128GB, ${side}`));
    const widths =
      'Promise.all([...document.querySelectorAll(".pictures img")].map((image) => image.decode().then(() => image.naturalWidth)))';
    expect(await page.evaluate(widths)).toEqual([200, 200, 200, 200]);
    expect(await page.locator('.specs').textContent()).toContain('1080 x 2340 pixels');
    const count = await page.locator('.deals tbody tr').count();
    expect(await page.locator('.deals caption').textContent()).toBe(`${count} deals`);
    const link = page.getByRole('link', { name: /^See deal at / });
    expect(await link.getAttribute('href')).toMatch(/^https:/);
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
  });

  for (const width of [360, 700, 1_280])
    journey(`has all deals in sight at ${width} px, prices in line`, { at: PHONE, width }, async (page) => {
      const rows = page.locator('.deals tbody tr');
      const visible = page.locator('.deals tbody tr:visible');
      expect(await visible.count()).toBe(20);
      await page.getByRole('button', { name: /^Show all \d+ deals$/ }).press('Enter');
      expect(await visible.count()).toBe(await rows.count());
      expect(await page.locator('.deals tr:nth-child(21) a:focus').count()).toBe(1);
      const rightOf = (cells: Locator): Promise<readonly number[]> =>
        cells.evaluateAll((all) =>
          all.map((cell) => {
            const range = cell.ownerDocument.createRange();
            range.selectNodeContents(cell);
            return Math.round(range.getBoundingClientRect().right);
          }),
        );
      expect(Math.max(...(await rightOf(page.locator('.deals tbody td:not(:empty)'))))).toBeLessThanOrEqual(width);
      for (const column of [1, 2, 3]) {
        const prices = columnOf(page, column);
        for (const price of await prices.allTextContents()) expect(price).toMatch(/^£[\d,]+\.\d\d$/);
        expect(new Set(await rightOf(prices)).size).toBe(1);
      }
    });

  journey('links the versions of a phone, and keeps new and refurbished apart', REFURBISHED, async (page) => {
    const versions = page.getByRole('navigation', { name: 'Versions' }).getByRole('link');
    await until(async () => (await versions.count()) > 2);
    const names = (await versions.allTextContents()).map((text) => text.replace(/from.*|no deals/, ''));
    expect(names).toEqual(['128GB', '256GB', 'Refurbished 128GB', 'Refurbished 256GB']);
    await versions.nth(3).click();
    await page.getByRole('heading', { name: 'Refurbished Kestrel K8 256GB', exact: true }).waitFor();
    expect(addressOf(page)).toBe('/explore/?networks=quartet&phone=111&slug=refurbished-kestrel-k8-256gb');
    await page.goto(`${server.url}/explore/?phone=128&slug=halden-note-128gb`);
    const links = page.locator('.deals .retailer a');
    await links.first().waitFor();
    const isNew = await attributesOf(links, 'href');
    await page.getByRole('link', { name: /refurbished/ }).click();
    await page.locator('.versions a[aria-current]', { hasText: 'refurbished' }).waitFor();
    const isRefurbished = await attributesOf(links, 'href');
    expect(isRefurbished.length).toBeGreaterThan(0);
    expect(isNew.filter((link) => isRefurbished.includes(link))).toEqual([]);
  });

  journey('sorts the deals of a phone by the interface, from the head of the table', PHONE, async (page) => {
    const monthly = async (): Promise<readonly number[]> =>
      (await columnOf(page, 1).allTextContents()).map((text) => Number(text.slice(1)));
    await page.getByRole('columnheader', { name: 'Monthly' }).getByRole('link').click();
    await untilRequest(page, 'sort=deals(contract-price-asc)');
    const up = await monthly();
    expect(up).toEqual(up.toSorted((a, b) => a - b));
    expect(await focusedText(page)).toContain('Monthly');
    await page.keyboard.press('Enter');
    await untilRequest(page, 'sort=deals(contract-price-desc)');
    expect(await page.locator('th[aria-sort=descending]').textContent()).toContain('Monthly');
    expect(await monthly()).toEqual(up.toReversed());
    await page.getByLabel('At most').selectOption('25');
    await untilRequest(page, 'limit=deals(25)');
    expect(await page.locator('.deals caption').textContent()).toBe('the first 25 deals');
  });

  journey('has the price history of a phone as steps and as a table', '/explore/', async (page) => {
    await addPriceHistory(page);
    await page.goto(server.url + PHONE);
    const name = /^Total cost of the cheapest deal since 1 Aug 2026\. Lowest £660\.00/;
    const chart = page.getByRole('img', { name });
    await chart.locator('.lowest-mark').waitFor();
    const line = (await chart.locator('.price-line').getAttribute('d')) ?? '';
    expect(line.replaceAll(/[\d. ]+/g, '')).toBe('MHVHMHVH');
    expect(await chart.locator('.gap').count()).toBe(1);
    expect(await page.locator('.history-part .legend').textContent()).toContain('lowest: £660.00 on 20 Aug 2026');
    expect(await page.locator('.history-part table tbody tr').allTextContents()).toEqual([
      '27 Nov 2026£1,104.00£45.00£24.0041',
      '9 Sept 2026£696.00£28.00£24.0041',
      '2 Sept 2026–––0',
      '20 Aug 2026lowest£660.00£26.50£24.0041',
      '1 Aug 2026£743.76£29.99£24.0041',
    ]);
  });

  const none = { at: `${PHONE}&monthlyTo=1`, refusals: ['404 /deals/v1/products/99999/'] };
  journey('says so when the filters leave no deal of a phone, and when there is no such phone', none, async (page) => {
    const notice = page.locator('.notice');
    expect(await notice.textContent()).toContain('No deal of this phone passes all filters');
    // Its currency is that of the other versions.
    await page.getByText(/^Since 1 Dec 2026: £[\d.]+ in all/).waitFor();
    await page.getByRole('link', { name: 'Clear all filters' }).click();
    await page.locator('.deals').waitFor();
    await page.goto(`${server.url}/explore/?phone=99999`);
    await notice.getByText('No product has this id').waitFor();
    await page.getByRole('link', { name: 'All phones' }).click();
    await cards(page).first().waitFor();
  });

  journey('compares phones picked by keyboard, and marks what differs', '/explore/?sort=name-asc', async (page) => {
    await page.getByRole('link', { name: 'Next' }).click();
    await box(page, 'Compare Mirrin Lens 3 128GB').press('Space');
    await page.getByText('Pick one more to compare').waitFor();
    expect(await page.locator(':focus').getAttribute('data-focus')).toBe('pick-mirrin-lens-3-128gb');
    await box(page, 'Compare Kestrel K9 Pro 1TB').press('Space');
    await page.getByRole('link', { name: 'Compare 2 phones' }).press('Enter');
    await page.getByRole('heading', { name: 'Compare 2 phones' }).waitFor();
    expect(await focusedText(page)).toBe('Compare 2 phones');
    const head = (name: string): Locator => page.getByRole('rowheader', { name, exact: true });
    const row = (name: string): Promise<string[]> =>
      page
        .getByRole('row')
        .filter({ has: head(name) })
        .getByRole('cell')
        .allTextContents();
    expect(await row('4G')).toEqual(['Yes', 'Yes']);
    expect(await head('Battery (differs)').count()).toBe(1);
    expect((await row('In all')).filter((text) => text.endsWith('lowest')).length).toBe(1);
    expect(await page.getByRole('link', { name: /^See deal of / }).count()).toBe(2);
    await page.getByRole('link', { name: '← All phones' }).click();
    expect(await box(page, 'Compare Kestrel K9 Pro 1TB').isChecked()).toBe(true);
    await page.getByRole('link', { name: 'Do not compare Mirrin Lens 3 128GB' }).press('Enter');
    await page.getByText('Pick one more to compare').waitFor();
    expect(await focusedText(page)).toContain('Kestrel K9 Pro 1TB');
  });

  const FOUR = 'kestrel-k8-128gb,aurel-a4-128gb,wren-go-64gb,halden-note-128gb';
  journey('compares four phones, and names what it does not show', `/explore/?picked=${FOUR}`, async (page) => {
    expect(await page.locator('.pick input:not(:checked):not(:disabled)').count()).toBe(0);
    // Not one of the phones of the first page.
    await page.getByRole('link', { name: 'Do not compare Aurel A4 128GB' }).waitFor();
    await page.goto(`${server.url}/explore/?picked=${FOUR},wren-note-64gb&compare=1`);
    await page.getByText('Not shown: wren-note-64gb').waitFor();
    expect(await page.getByRole('columnheader').count()).toBe(4);
    await page.goto(`${server.url}/explore/?picked=wren-go-64gb,no-such-phone&compare=1`);
    await page.getByText('Not shown: no-such-phone').waitFor();
    await page.getByRole('link', { name: 'Remove', exact: true }).click();
    await page.getByText('Not shown').waitFor({ state: 'detached' });
    expect(addressOf(page)).toBe('/explore/?picked=wren-go-64gb&compare=1');
  });

  journey('shows its request, and nothing until it is opened', '/explore/?networks=northway', async (page) => {
    const line = page.locator('.request-line');
    expect(await line.isVisible()).toBe(false);
    expect((await page.locator('#dock').boundingBox())?.height).toBeLessThan(8);
    await page.locator('.dock summary').first().press('Enter');
    expect(await line.isVisible()).toBe(true);
    expect(await page.locator('.measures').textContent()).toMatch(/^200\d+ ms[\d.]+ KB sent of [\d.]+ KB$/);
    await page.getByText('Answer', { exact: true }).press('Enter');
    await page.getByText('x-total-count: ').waitFor();
    expect(await page.locator('.answer-text').textContent()).toContain('"cheapestDeal": {');
  });

  const elsewhere = { at: '/explore/', faults: /^asked https:\/\/cms\.example\/(?:there|missing)\.svg$|ERR_FAILED/ };
  journey('takes pictures of this server from here, and others from the place of the CMS', elsewhere, async (page) => {
    const pictures = ['there', 'missing'].map((name) => `https://cms.example/${name}.svg`);
    const body = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="18"/>';
    await page.route('https://cms.example/there.svg', (route) => route.fulfill({ contentType: 'image/svg+xml', body }));
    await page.route('https://cms.example/missing.svg', (route) => route.abort());
    await page.route('**/deals/v1/products/**', async (route) => {
      if (route.request().method() === 'HEAD') return route.continue();
      const response = await route.fetch();
      const json = (await response.json()) as { products: { images: Record<string, string> }[] };
      for (const [index, { images }] of json.products.entries()) {
        const own = images['largeFrontImageWebp'] ?? '';
        images['largeFrontImageWebp'] = pictures[index] ?? own.replace(server.url, 'https://deals.example');
      }
      await route.fulfill({ response, json });
    });
    await page.getByLabel('Sort by').selectOption('Name, A to Z');
    await untilRequest(page, 'name-asc');
    // Neither what is not there nor what was looked for leaves a hole.
    await page.locator('.phone-card:nth-child(2) .placeholder').waitFor();
    const widths = '[...document.querySelectorAll(".phone-card img")].slice(0, 6).map((image) => image.naturalWidth)';
    await expect.poll(() => page.evaluate(widths)).toEqual([9, 200, 200, 200, 200, 200]);
  });

  journey('keeps what a feed calls things from becoming a part of the page', '/explore/', async (page) => {
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
    await box(page, 'Corvane').check();
    await page.getByText(harm).first().waitFor();
    expect(await page.title()).toBe('Phones – Mobile deals');
    for (const address of [PHONE, COMPARED]) {
      await page.goto(server.url + address);
      await page.getByText(harm).first().waitFor();
      expect(await page.getByRole('link', { name: /^See deal/ }).count()).toBe(0);
      expect(await page.locator('#results b, img[src=x]').count()).toBe(0);
    }
  });
});

const cards = (page: Page): Locator => page.locator('.phone-card');
const namesOf = (page: Page): Promise<readonly string[]> => page.locator('.phone-card h2').allTextContents();
const box = (page: Page, name: string): Locator => page.getByRole('checkbox', { name, exact: true });
/** The cells of a price of the deals, the monthly one first. */
const columnOf = (page: Page, column: number): Locator => page.locator(`.deals tbody td:nth-of-type(${column})`);

/** Waits until the request that is shown has been answered, holds a text, and does not hold another. */
function untilRequest(page: Page, text: string, other = '\0'): Promise<void> {
  return until(async () => {
    const [line = '', measures = ''] = await page.locator('.request-line, .measures').allTextContents();
    return measures !== '' && line.includes(text) && !line.includes(other);
  });
}
