import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findJump, findUndercut } from '../../../../build/gate/price-jumps.ts';
import type { Price } from '../../../../data/report/notice.ts';
import { countNotices, createSite, deal, HEADER, NOW, samplesOf, type Site } from '../run/write-sources.ts';
import { edit, later, NIGHT, servedDeals, statusOf } from './gate-site.ts';

const CONTEXT = { now: NOW, files: 'tonight', maxPriceJump: 2.5 };

const priceOf = (total: number, monthly = total / 24, upfront = 0): Price => ({ total, monthly, upfront });

/** The same price, held out by an earlier build. */
const heldOut = (now: Price, hours: number, files: string) => ({ now, since: later(-hours).toISOString(), files });

describe('a price under its known key', () => {
  const before = priceOf(48_000);

  it.each<[what: string, now: Price, field: string | undefined]>([
    ['2.5 times more', priceOf(120_000), undefined],
    ['more than that', priceOf(120_024), 'monthlyCost'],
    ['2.5 times less', priceOf(19_200), undefined],
    ['less than that', priceOf(19_176), 'monthlyCost'],
    ['the monthly cost alone', priceOf(48_000, 700), 'monthlyCost'],
    ['the total alone', priceOf(130_000, 2_000, 82_000), 'totalCost'],
    ['the upfront cost alone', priceOf(57_900, 2_000, 9_900), undefined],
  ])('jumps or does not: %s', (_, now, field) => {
    expect(findJump(now, before, undefined, CONTEXT)?.details.field).toBe(field);
  });

  const now = priceOf(4_800);
  it.each<[what: string, Parameters<typeof findJump>[2], isTaken: boolean]>([
    ['that was not held out', undefined, false],
    ['after 20 hours, in another file', heldOut(now, 20, 'last night'), true],
    ['after 19 hours', heldOut(now, 19, 'last night'), false],
    ['in the same file', heldOut(now, 100, 'tonight'), false],
    ['that was another', heldOut(priceOf(4_824), 24, 'last night'), false],
    ['held out by a clock that was ahead', heldOut(now, -20_000, 'last night'), true],
  ])('is taken or not: %s', (_, memory, isTaken) => {
    expect(findJump(now, before, memory, CONTEXT)?.isTaken).toBe(isTaken);
  });

  it('keeps the time and the file of its first night', () => {
    const memory = heldOut(now, 10, 'last night');
    expect(findJump(now, undefined, { ...memory, before }, CONTEXT)?.prices).toEqual({ ...memory, before });
  });
});

describe('a new deal', () => {
  it.each<[what: string, deals: number, total: number, isFound: boolean]>([
    ['at 40 % of the cheapest of five', 5, 19_200, false],
    ['below that', 5, 19_199, true],
    ['below that, of four', 4, 1, false],
  ])('is held out or not: %s', (_, deals, total, isFound) => {
    const product = { name: '101/new', deals, totalPence: 48_000 };
    expect(findUndercut(priceOf(total), product, undefined, CONTEXT) !== undefined).toBe(isFound);
  });
});

/** A site too small for the gates of parts. */
function createQuietSite(night: readonly string[]): Promise<Site> {
  return createSite(({ config, night: lines }) => {
    config['gates'] = { minRows: 1_000 };
    lines.splice(1, Infinity, ...night);
  });
}

function write(site: Site, rows: readonly string[]): void {
  writeFileSync(join(site.folder, NIGHT), `${[HEADER, ...rows].join('\n')}\n`);
}

const row = (key: string, price: number | string, product = '102'): string =>
  deal(key, product, 'new', 'night-owl', Number(price).toFixed(2));

type Night = number | 'the same file' | 'feed broken' | 'build refused';

/** What is served of one deal on each night: its monthly cost in pounds, or nothing. */
async function play(nights: readonly Night[]): Promise<readonly (number | undefined)[]> {
  const site = await createQuietSite([row('N-0', 30)]);
  const served: (number | undefined)[] = [];
  for (const [i, night] of nights.entries()) {
    const cms = night === 'build refused' ? edit(site, 'cms/site.json', () => '{') : undefined;
    if (night === 'feed broken') write(site, ['<html></html>']);
    // Every file is another.
    else if (typeof night === 'number') write(site, [row('N-0', 30 + i / 100), row('N-1', night)]);
    const result = await site.build({ now: later(24 * i) });
    if (cms !== undefined) edit(site, 'cms/site.json', () => cms);
    const pence = result.outcome === 'refused' ? undefined : servedDeals(site, result).get('N-1')?.monthlyPence;
    served.push(pence === undefined ? undefined : pence / 100);
  }
  return served;
}

const NONE = undefined;

describe('what is served of a price that jumps (INPUTS "What must never go out")', () => {
  it.each<[string, readonly Night[], readonly (number | undefined)[]]>([
    ['is held out, and taken when another file says the same a day later', [20, 2, 2, 2], [20, NONE, 2, 2]],
    ['stays held out while the file is the same', [20, 2, 'the same file', 'the same file'], [20, NONE, NONE, NONE]],
    ['is served when it is back', [20, 2, 20], [20, NONE, 20]],
    ['waits again when it has jumped elsewhere', [20, 2, 1.9, 1.9], [20, NONE, NONE, 1.9]],
    ['stays held out while its feed is held', [20, 2, 'feed broken', 2], [20, NONE, NONE, 2]],
    ['is compared with what was served before its feed broke', [20, 2, 'feed broken', 1.9], [20, NONE, NONE, NONE]],
    ['is remembered beyond a build that is refused', [20, 2, 'build refused', 2], [20, NONE, NONE, 2]],
    ['has no price before the first snapshot', [2], [2]],
  ])('%s', async (_, nights, served) => {
    expect(await play(nights)).toEqual(served);
  });

  it('is on record with both prices, and said when it is held out and when it is taken', async () => {
    const site = await createQuietSite([row('N-1', 20)]);
    await site.build();
    write(site, [row('N-1', 2)]);
    const result = await site.build({ now: later(24) });
    expect(samplesOf(result, 'price-jump')).toEqual([
      {
        code: 'price-jump',
        product: '102/new',
        source: 'night',
        file: NIGHT,
        line: 2,
        record: 'N-1',
        retailer: 'night-owl',
        field: 'monthlyCost',
        found: '0.00 upfront, 2.00 a month, 48.00 in total',
        expected: 'at most 2.5 times more or less than 0.00 upfront, 20.00 a month, 480.00 in total',
        prices: {
          now: { total: 4_800, upfront: 0, monthly: 200 },
          before: { total: 48_000, upfront: 0, monthly: 2_000 },
          since: later(24).toISOString(),
          files: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
        },
      },
    ]);
    expect(result.report.sources.find(({ name }) => name === 'night')).toMatchObject({ read: 1, quarantined: 1 });
    expect(statusOf(result)).toBe(4);
    expect(result.attention.at(-1)).toBe(
      'Held out: 1 deals of night whose price jumped, until another file says it again after 20 hours',
    );
    write(site, [row('N-1', 2), row('N-2', 30)]);
    const taken = await site.build({ now: later(48) });
    expect(taken.attention).toContain('Taken: 1 deals of night whose price had jumped');
    expect(await site.build({ now: later(49) })).toMatchObject({ outcome: 'unchanged', attention: [] });
  });

  it.each([
    [['price-jump:house'], NONE],
    [['price-jump:night'], 200],
    [['price-jump'], 200],
  ])('is taken at once where that is accepted: %j', async (accept, pence) => {
    const site = await createQuietSite([row('N-1', 20)]);
    await site.build();
    write(site, [row('N-1', 2)]);
    const result = await site.build({ accept });
    expect(servedDeals(site, result).get('N-1')?.monthlyPence).toBe(pence);
    expect(countNotices(result)).toEqual(pence === undefined ? { 'night price-jump': 1 } : {});
  });

  it('is known, too, where another deal stood for it', async () => {
    const site = await createQuietSite([row('N-1', 20), row('N-1-blue', 20)]);
    const first = await site.build();
    expect([...servedDeals(site, first).keys()]).toEqual(['N-1']);
    write(site, [row('N-1', 21), row('N-1-blue', 2)]);
    expect([...servedDeals(site, await site.build()).keys()]).toEqual(['N-1']);
  });

  it('is held out with the deal that stands for it', async () => {
    const site = await createQuietSite([row('N-1', 20), row('N-1-blue', 20)]);
    await site.build();
    write(site, [row('N-1', 2), row('N-1-blue', 2)]);
    expect([...servedDeals(site, await site.build({ now: later(24) })).keys()]).toEqual([]);
  });
});

describe('a new deal that undercuts all others of its phone', () => {
  const rivals = Array.from({ length: 5 }, (_, i) => row(`N-${i}`, 20 + i, '101'));
  const keysOf = async (site: Site, hours: number): Promise<readonly string[]> =>
    [...servedDeals(site, await site.build({ now: later(hours) })).keys()]
      .filter((key) => !/^N-[0-4]$/.test(key))
      .sort();

  async function createRivals(others: readonly string[] = []): Promise<Site> {
    const site = await createQuietSite([...rivals, ...others]);
    // The phone has other deals in the other feed, which count as much.
    writeFileSync(join(site.folder, 'feeds/house/deals.csv'), `${HEADER}\n${deal('H-4', '102', 'new', 'phone-barn', '44.99')}\n`); // prettier-ignore
    await site.build();
    return site;
  }

  it('is held out, and so is the second cheapest, until another file says it again', async () => {
    const site = await createRivals();
    const prices = [1, 2, 7.99, 8].map((price, i) => row(`X-${i}`, price, '101'));
    write(site, [...rivals, ...prices]);
    expect(await keysOf(site, 24)).toEqual(['X-3']);
    write(site, [...rivals, ...prices, row('N-9', 40)]);
    expect(await keysOf(site, 48)).toEqual(['N-9', 'X-0', 'X-1', 'X-2', 'X-3']);
  });

  it('is taken with one that is as cheap and is known', async () => {
    const site = await createRivals([row('N-8', 1, '101')]);
    write(site, [...rivals, row('N-8', 1, '101'), row('X-1', 3, '101')]);
    expect(await keysOf(site, 24)).toEqual(['N-8', 'X-1']);
  });

  it('is held out, too, where its key was known under another phone', async () => {
    const site = await createRivals([row('N-9', 7)]);
    write(site, [...rivals, row('N-9', 7, '101')]);
    expect(await keysOf(site, 24)).toEqual([]);
  });
});
