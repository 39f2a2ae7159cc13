import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifySnapshot } from '../../../../build/publish/verify.ts';
import type { BuildResult } from '../../../../build/report/build-result.ts';
import { describeBuild } from '../../../../build/report/describe-build.ts';
import { readManifest } from '../../../../data/store/snapshots.ts';
import { NOW, type Site } from '../run/write-sources.ts';
import {
  acceptancesIn,
  createGateSite,
  eachRow,
  edit,
  gatesThat,
  heldParts,
  HOUSE,
  json,
  later,
  lines,
  NIGHT,
  rows,
  servedDeals,
  sourceOf,
  statusOf,
  times,
  twoNights,
} from './gate-site.ts';

type ChangeText = (text: string) => string;

/** Marks the deals that are fresh in these tests: a campaign in a link is no gate's concern. */
const fresh: ChangeText = eachRow((row) => ({ ...row, dealLink: `${row['dealLink']}?utm_source=fresh` }));
const isFresh = ({ link }: { readonly link: string }): boolean => link.endsWith('=fresh');

const dearerBy = (factor: number, part: string): ChangeText =>
  lines(
    (all) =>
    all.map((row) => (row.includes(part) ? row.replace(/,([0-9.]+),(7?),https/, (_, cost: string, gift: string) => `,${times(cost, factor)},${gift},https`) : row)), // prettier-ignore
  );

const withoutBorealis = rows((row) => !row.includes('borealis'));

/** How many deals are served from the file of tonight, and how many from before. */
function countFresh(site: Site, result: BuildResult): { readonly fresh: number; readonly before: number } {
  const deals = [...servedDeals(site, result).values()];
  const fresh = deals.filter(isFresh).length;
  return { fresh, before: deals.length - fresh };
}

function expectAccountsToBalance({ report }: BuildResult): void {
  for (const { name, read, kept, duplicate, outOfScope, quarantined } of report.sources) {
    expect([name, kept + duplicate + outOfScope + quarantined]).toEqual([name, read]);
  }
}

describe('a damaged part of a feed is held, and only it (INPUTS "What fails is held, and nothing else")', () => {
  it.each<[what: string, change: ChangeText, held: readonly string[], fresh: number]>([
    ['nothing', (text) => text, [], 100],
    ['a network that leaves', withoutBorealis, ['borealis held: lost'], 75],
    ['the second half of the file', rows((_, i) => i < 45), ['borealis held: lost', 'phone-barn held: lost'], 45],
    ['a retailer with prices in pence', dearerBy(100, 'phone-barn'), ['phone-barn held: lost quarantined'], 70],
    [
      'a network under the name of another',
      eachRow((row) => (row['network'] === 'borealis' ? { ...row, network: 'aurora' } : row)),
      ['borealis held: changed'],
      75,
    ],
    [
      'everything unlimited',
      eachRow((row) => ({ ...row, dataGb: 'unlimited' })),
      ['all held: changed', 'borealis held: changed', 'phone-barn held: changed'],
      0,
    ],
    [
      'one link for all of a retailer',
      eachRow((row) => (row['retailer'] === 'phone-barn' ? { ...row, dealLink: 'https://shop.example/' } : row)),
      ['phone-barn held: same-for-all'],
      70,
    ],
    [
      'new ids for a retailer',
      eachRow((row) => (row['retailer'] === 'phone-barn' ? { ...row, dealId: `X${row['dealId']}` } : row)),
      ['phone-barn held: renumbered'],
      70,
    ],
    [
      'every row of a retailer twice, under another id',
      lines((all) => [...all, ...all.filter((row) => row.includes('phone-barn')).map((row) => `X${row}`)]),
      ['phone-barn held: duplicates'],
      70,
    ],
    ['a column that is gone', (text) => text.replace(',gift,', ',Gift,'), ['all held: emptied'], 0],
  ])('%s', async (_, change, held, count) => {
    const { site, first, second } = await twoNights((text) => change(fresh(text)));
    expect(second.outcome).toBe('published');
    expect(heldParts(second).toSorted()).toEqual(held);
    expect(statusOf(second)).toBe(held.length > 0 ? 4 : 0);
    expect(countFresh(site, second)).toEqual({ fresh: count, before: 100 - count });
    const [before, now] = [servedDeals(site, first), servedDeals(site, second)];
    const kept = [...now].filter(([, deal]) => !isFresh(deal));
    expect(kept).toEqual(kept.map(([key]) => [key, before.get(key)]));
    expectAccountsToBalance(second);
    expect(verifySnapshot(site.store, second.snapshot ?? '')).toEqual([]);
    // The next build of the same files says the same.
    const third = await site.build({ now: later(25) });
    expect(third.attention).toEqual(second.attention);
    expect(servedDeals(site, third)).toEqual(now);
  });

  it('is marked with its age, its gates and the time at which it ends', async () => {
    const { site, first, second } = await twoNights(withoutBorealis);
    const because = 'lost, network borealis: 25 of 25 deals are gone (100 %, at most 31.6 %)';
    const part = { network: 'borealis', state: 'held', gates: ['lost'], because, deals: 25, freshAt: NOW.toISOString(), snapshot: first.snapshot }; // prettier-ignore
    expect(sourceOf(second)).toMatchObject({ state: 'fresh', read: 100, kept: 100, held: [part] });
    const { gates, sources } = readManifest(site.store, second.snapshot ?? '');
    expect(sources.find(({ name }) => name === 'night')?.held).toEqual([part]);
    expect(gates.find(({ gate }) => gate === 'lost:night')).toMatchObject({ state: 'held', measured: 1 });
    expect(second.attention).toEqual([
      'Held: network borealis of night, lost, 25 of 25 deals are gone (100 %, at most 31.6 %); its 25 deals of 2026-11-20 02:30 are served until 2026-11-22 02:30 at the latest',
    ]);
    expect(describeBuild(second)[0]).toBe(second.attention[0]);
  });

  it('serves a key once that is in a held part and in another', async () => {
    // Borealis under the name of Aurora: its deals have the keys that they had.
    const { site, second } = await twoNights((text) => fresh(text).replaceAll(',borealis,', ',aurora,'));
    const deals = servedDeals(site, second);
    expect(deals.size).toBe(100);
    expect(deals.get('N-50')).toMatchObject({ network: { id: '22' }, link: 'https://shop.example/N-50' });
    expect(deals.get('N-1')).toMatchObject({
      network: { id: '21' },
      link: 'https://shop.example/N-1?utm_source=fresh',
    });
  });

  it('costs no other feed of which it had the deals', async () => {
    const site = await createGateSite();
    await site.build();
    edit(site, NIGHT, () => readFileSync(join(site.folder, HOUSE), 'utf8'));
    const second = await site.build({ now: later(24) });
    expect(sourceOf(second, 'house')).toMatchObject({ kept: 200 });
    expect(heldParts(second, 'house')).toEqual([]);
    expect(heldParts(second).length).toBeGreaterThan(0);
    expect(second.counts.deals).toBe(300);
  });
});

describe('a part that is lost', () => {
  it('is held for 48 hours, and then its loss is taken, once and for all', async () => {
    const site = await createGateSite();
    await site.build();
    edit(site, NIGHT, (text) => withoutBorealis(fresh(text)));
    for (const hours of [24, 48]) {
      const held = await site.build({ now: later(hours) });
      expect(heldParts(held)).toEqual(['borealis held: lost']);
      expect(countFresh(site, held)).toEqual({ fresh: 75, before: 25 });
    }
    const taken = await site.build({ now: later(49) });
    expect(taken).toMatchObject({ outcome: 'published', counts: { deals: 275 } });
    expect(gatesThat('taken', taken)).toEqual(['lost:night']);
    expect(taken.attention).toEqual([
      expect.stringMatching(/^Taken: lost of night, network borealis: 25 of 25 deals are gone .*expired$/),
    ]);
    expect(heldParts(taken)).toEqual([]);
    const after = await site.build({ now: later(60) });
    expect(after).toMatchObject({ outcome: 'unchanged', attention: [] });
  });

  it('does not make the whole catalogue fail when it is taken, however large it is', async () => {
    const withoutBarn = rows((row) => !row.includes('phone-barn'));
    const { site } = await twoNights(withoutBarn, ({ house }) => void house.splice(41));
    const taken = await site.build({ now: later(49) });
    expect(gatesThat('refused', taken)).toEqual([]);
    expect(taken).toMatchObject({ outcome: 'published', counts: { deals: 110 } });
  });

  it('is taken alone: a network that the CMS does not know takes nothing else of its retailer with it', async () => {
    const { site, second } = await twoNights((text) => fresh(text).replaceAll(',borealis,', ',boreal,'));
    expect(heldParts(second)).toEqual(['borealis held: lost']);
    for (const hours of [49, 73, 98]) {
      const after = await site.build({ now: later(hours) });
      expect(heldParts(after)).toEqual([]);
      expect(countFresh(site, after)).toEqual({ fresh: 75, before: 0 });
    }
  });

  it('keeps its own age beside a part that is held later and has its retailer', async () => {
    const { site } = await twoNights(withoutBorealis);
    edit(site, NIGHT, (text) => text.replaceAll(/^N-(?=.*,night-owl,)/gm, 'X-'));
    expect(heldParts(await site.build({ now: later(40) }))).toEqual([
      'night-owl held: renumbered',
      'borealis held: lost',
    ]);
    const after = await site.build({ now: later(49) });
    expect(heldParts(after)).toEqual(['night-owl held: renumbered']);
  });

  it('keeps its own age while its feed cannot be read', async () => {
    const { site } = await twoNights((text) => withoutBorealis(fresh(text)));
    edit(site, NIGHT, () => '<html></html>');
    expect(countFresh(site, await site.build({ now: later(48) }))).toEqual({ fresh: 75, before: 25 });
    expect(countFresh(site, await site.build({ now: later(49) }))).toEqual({ fresh: 75, before: 0 });
    expect(countFresh(site, await site.build({ now: later(72) }))).toEqual({ fresh: 75, before: 0 });
    expect(countFresh(site, await site.build({ now: later(73) }))).toEqual({ fresh: 0, before: 0 });
  });
});

describe('a retailer whose last deals are gone', () => {
  it.each([
    [4, []],
    [5, ['Gone: retailer phone-barn had 5 deals and has none; 5 records have the unknown retailer "Phone Barn Ltd"']],
  ])('is said, with the unknown name in its place: %i deals', async (count, said) => {
    const { second } = await twoNights(
      (text) => text.replaceAll(',phone-barn,', ',Phone Barn Ltd,'),
      ({ house, night }) => {
        house.forEach((row, i) => (house[i] = row.replace(',phone-barn,', ',night-owl,')));
        night.length = 71 + count;
      },
    );
    expect(second.attention).toEqual(said);
    expect(statusOf(second)).toBe(said.length === 0 ? 0 : 4);
  });
});

describe('a part whose prices moved or whose offers changed', () => {
  const changed = eachRow((row) => (row['network'] === 'borealis' ? { ...row, callMinutes: '60' } : row));

  /** Builds until the deals of Borealis, of NOW, are withdrawn, and some nights more. */
  async function withdraw(site: Site, change: ChangeText): Promise<string> {
    await site.build();
    const sound = edit(site, NIGHT, (text) => change(fresh(text)));
    for (const hours of [24, 48]) {
      const held = await site.build({ now: later(hours) });
      expect(countFresh(site, held)).toEqual({ fresh: 75, before: 25 });
      expect(statusOf(held)).toBe(4);
    }
    for (const hours of [49, 73, 97]) {
      const withdrawn = await site.build({ now: later(hours) });
      expect(withdrawn.outcome).not.toBe('refused');
      expect(countFresh(site, withdrawn)).toEqual({ fresh: 75, before: 0 });
      expect(withdrawn.attention).toEqual([
        expect.stringMatching(
          /^Withdrawn: network borealis of night, .+; its deals of 2026-11-20 02:30 were served until 2026-11-22 02:30$/,
        ),
      ]);
    }
    return sound;
  }

  it.each([
    ['moved', dearerBy(1.2, 'borealis')],
    ['changed', changed],
  ])('is held, then withdrawn, stays so, and comes back by itself when the file is sound: %s', async (_, change) => {
    const site = await createGateSite();
    const sound = await withdraw(site, change);
    edit(site, NIGHT, () => fresh(sound));
    const back = await site.build({ now: later(98) });
    expect(back.attention).toEqual([]);
    expect(countFresh(site, back)).toEqual({ fresh: 100, before: 0 });
  });

  it.each([
    ['moved', dearerBy(1.2, 'borealis')],
    ['changed', changed],
  ])('is served as the file has it when it is accepted: %s', async (gate, change) => {
    const site = await createGateSite();
    await withdraw(site, change);
    const accept = acceptancesIn(await site.build({ now: later(98) }), 'to take night as it is now: ');
    expect(accept).toEqual([`${gate}:night`]);
    const accepted = await site.build({ now: later(98), accept });
    expect(gatesThat('accepted', accepted)).toEqual(accept);
    expect(countFresh(site, accepted)).toEqual({ fresh: 100, before: 0 });
    expect(await site.build({ now: later(99) })).toMatchObject({ outcome: 'unchanged', attention: [] });
  });

  it('is not served under the name of another part, either, when it is withdrawn', async () => {
    // Two networks of a retailer in each other's rows.
    const swap = eachRow((row) =>
      row['retailer'] === 'night-owl' ? { ...row, network: row['network'] === 'aurora' ? 'borealis' : 'aurora' } : row,
    );
    const { site } = await twoNights(swap);
    const withdrawn = await site.build({ now: later(49) });
    const networks = Array.from(servedDeals(site, withdrawn), ([key, { network }]) => `${key} ${network.id}`);
    expect(networks.filter((each) => /^N-(4[5-9]|5\d|6\d) 21$/.test(each))).toEqual([]);
  });
});

describe('records that are not served', () => {
  it('count in the part of the deal that had their key', async () => {
    // No retailer can be read, so the key alone says whose they are.
    const { site, second } = await twoNights((text) => fresh(text).replaceAll(',phone-barn,', ',the barn,'));
    expect(heldParts(second)).toEqual(['phone-barn held: lost quarantined']);
    expect(countFresh(site, second)).toEqual({ fresh: 70, before: 30 });
  });

  it('count once where their price jumped', async () => {
    const jump = lines((all) =>
      all.map((row, i) => (i >= 90 ? row.replace(/,[0-9.]+,(7?),https/, ',290.00,$1,https') : row)),
    );
    const { report } = (await twoNights(jump)).second;
    expect(report.gates.find(({ gate }) => gate === 'quarantined:night')?.detail).toMatch(/10 of (30|70|100) records/);
  });

  it.each<[what: string, file: string, change: Parameters<typeof json>[1]]>([
    ['`exclude`', 'catalogue.json', (config) => Object.assign(config, { exclude: [{ retailer: 'night-owl', reason: 'closed' }] })], // prettier-ignore
    ['a product that the CMS has no longer', 'cms/site.json', ({ products = [] }) => void products.pop()],
    ['a network that the CMS has no longer', 'cms/site.json', ({ networks = [] }) => void networks.pop()],
  ])('are no loss of the feed where they are taken from it by %s', async (_, file, change) => {
    const site = await createGateSite();
    await site.build();
    json(file, change)(site);
    edit(site, NIGHT, fresh);
    const { report, attention, ...second } = await site.build({ now: later(24), accept: ['lost', 'quarantined'] });
    expect(second.outcome).toBe('published');
    expect(report.gates.filter(({ gate }) => gate.endsWith(':night'))).toEqual([]);
    expect(attention.filter((line) => /^(Held|Withdrawn)/.test(line))).toEqual([]);
  });
});
