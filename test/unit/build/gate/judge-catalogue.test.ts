import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeBuild, describeOutcome } from '../../../../build/report/describe-build.ts';
import type { Site, Sources } from '../run/write-sources.ts';
import { acceptancesIn, CMS, createGateSite, edit, gatesThat, HOUSE, json, later, NIGHT, rows, statusOf, type Change } from './gate-site.ts'; // prettier-ignore

type Lists = Sources['cms'];

const pictureOf = (id: string) => ({ largeFrontImageWebp: `https://cdn.example/${id}.webp` });

/** The two feeds, and a CMS of 40 products with texts and specs, 20 retailers, 20 networks and 20 gifts. */
function createCmsSite(): Promise<Site> {
  return createGateSite(({ cms }) => {
    const fill = (list: Record<string, unknown>[], size: number, first: number, word: string): void => {
      while (list.length < size) {
        const id = first + list.length;
        list.push({ id: String(id), name: `${word} ${id}`, slug: `${word}-${id}` });
      }
    };
    fill(cms.products, 40, 200, 'phone');
    fill(cms.retailers, 20, 300, 'shop');
    fill(cms.networks, 20, 400, 'network');
    fill(cms.gifts, 20, 500, 'gift');
    for (const product of cms.products) {
      Object.assign(product, {
        condition: product['condition'] ?? 'new',
        specs: { os: `Android ${String(product['id'])}` },
        imageUrls: pictureOf(String(product['id'])),
        manufacturer: `maker-${String(product['id'])}`,
      });
      product['content'] = product['pageContent'] = { introduction: `About ${String(product['name'])}` };
    }
  });
}

const cms = (change: (lists: Lists) => void): Change => json(CMS, (lists) => change(lists));
const rename = (records: Record<string, unknown>[]): void => {
  for (const record of records) record['slug'] = `new-${String(record['slug'])}`;
};

describe('a CMS source is refused from so many records on (INPUTS "What fails is held, and nothing else")', () => {
  it.each<[gate: string, what: string, fails: number, change: (count: number) => Change, detail?: RegExp]>([
    // Of 40 and of 20 records, 25 % and 35 % may go by chance.
    ['lost', 'products', 11, (count) => cms(({ products }) => void products.splice(-count)), /^11 of 40 products are gone \(27\.5 %, at most 25 %\)$/], // prettier-ignore
    [
      'lost',
      'retailers',
      8,
      (count) => cms(({ retailers }) => void retailers.splice(-count)),
      /^8 of 20 retailers are gone/,
    ],
    ['emptied', 'texts', 11, (count) => cms(({ products }) => products.slice(0, count).forEach((product) => { delete product['content']; delete product['pageContent']; })), /^11 of 40 products have lost their texts/], // prettier-ignore
    ['emptied', 'a key that no record has', 40, (count) => cms(({ products }) => products.slice(0, count).forEach((product) => delete product['pageContent'])), /^products\.pageContent was filled in 40 of 40 records, now in none$/], // prettier-ignore
    ['renumbered', 'products', 21, (count) => cms(({ products }) => products.slice(3, 3 + count).forEach((product) => void (product['id'] = `9${String(product['id'])}`)))], // prettier-ignore
    ['changed', 'slugs of products', 14, (count) => cms(({ products }) => rename(products.slice(0, count))), /^14 of 40 products have another name or slug/], // prettier-ignore
    [
      'changed',
      'names of other products',
      3,
      (count) =>
        cms(({ products }) => {
          const names = products.map((product) => product['name']);
          products.slice(3, 3 + count).forEach((product, i) => void (product['name'] = names[10 + i]));
        }),
      /^3 of 40 products have the name or slug of another/,
    ],
    ...(['manufacturer', 'content', 'specs'] as const).map(
      (key): [string, string, number, (count: number) => Change, RegExp] => [
        'changed',
        `${key} that another product had`,
        3,
        (count) =>
          cms(({ products }) => {
            const some = products.slice(10, 10 + count);
            const values = some.map((product) => product[key]);
            some.forEach((product, i) => void (product[key] = values[(i + 1) % count]));
          }),
        /^3 of 40 products have the (makers|texts|specs) of another/,
      ],
    ),
    ['quarantined', 'records', 23, (count) => cms((lists) => [...lists.gifts.slice(2), ...lists.products.slice(3)].slice(0, count).forEach((record) => void (record['slug'] = 'Not A Slug')))], // prettier-ignore
  ])('%s: %s, %i', async (gate, _, fails, change, detail = /./) => {
    const site = await createCmsSite();
    await site.build();
    const sound = edit(site, CMS, (text) => text);
    change(fails)(site);
    const { report, outcome } = await site.build({ now: later(24), dryRun: true });
    const result = report.gates.find((each) => each.gate === `${gate}:site` && each.state === 'refused');
    expect(outcome).toBe('refused');
    expect(result?.detail).toMatch(detail);
    edit(site, CMS, () => sound);
    change(fails - 1)(site);
    const within = await site.build({ now: later(24), dryRun: true });
    expect(gatesThat('refused', within)).not.toContain(`${gate}:site`);
  });
});

it.each<[what: string, change: Change, said: string]>([
  [
    'many products have other specs',
    cms(({ products }) => products.slice(0, 20).forEach((product) => void (product['specs'] = { os: 'Android 15' }))),
    'Products: 20 of 40 products of site have other specs',
  ],
  [
    'two products have swapped their names',
    cms(({ products }) => {
      const [a, b] = products.slice(10);
      if (a && b) [a['name'], b['name']] = [b['name'], a['name']];
    }),
    'Names: 2 products of site have the name or slug that another had',
  ],
  [
    'five phones have the pictures of another',
    cms(({ products }) => products.slice(10, 15).forEach((product, i) => void (product['imageUrls'] = products[20 + i]?.['imageUrls']))), // prettier-ignore
    'Pictures: 5 phones have the pictures of another',
  ],
  [
    'most phones have another picture',
    cms(({ products }) => products.slice(0, 33).forEach((product) => void (product['imageUrls'] = pictureOf('none')))),
    'Pictures: 33 of 40 phones have others',
  ],
])('says that %s, and publishes them', async (_, change, said) => {
  const site = await createCmsSite();
  await site.build();
  change(site);
  const second = await site.build({ now: later(24) });
  expect(second.attention).toEqual([said]);
  expect(statusOf(second)).toBe(4);
});

const requireNight = json('catalogue.json', ({ feeds = [] }) => Object.assign(feeds[1] ?? {}, { required: true }));

describe('a build that is refused', () => {
  it.each<[what: string, change: Change, outcome: RegExp, accept: readonly string[]]>([
    [
      'a required source has no file',
      (site) => {
        requireNight(site);
        rmSync(join(site.folder, NIGHT));
      },
      /^Refused: Missing: night has no file: expected a file that matches feeds\/night\/\*; put the file there, .+\. Nothing was published /, // prettier-ignore
      [],
    ],
    [
      'a required source cannot be read',
      (site) => {
        requireNight(site);
        edit(site, NIGHT, () => '<html></html>');
      },
      /^Refused: Not read: feeds\/night\/deals\.csv/,
      [],
    ],
    ['a CMS source has no file', (site) => rmSync(join(site.folder, CMS)), /^Refused: Missing: site has no file: /, []],
    [
      'no product is left',
      cms(({ products }) => void products.splice(0)),
      /^Refused: lost of site, 40 of 40 products are gone/,
      [],
    ],
    ['another currency', json('catalogue.json', (config) => Object.assign(config, { currency: { code: 'EUR', label: 'E' } })), /^Refused: currency, prices are in EUR, and were in GBP\. /, ['currency']], // prettier-ignore
    ['a feed is taken out of the configuration', json('catalogue.json', ({ feeds = [] }) => void feeds.pop()), /^Refused: lost, 100 of 300 deals of all feeds are gone \(33\.3 %, at most 10 %\)\. /, ['lost']], // prettier-ignore
    ['a third of the CMS is gone', cms(({ products }) => void products.splice(-14)), /^Refused: lost of site, 14 of 40 products are gone/, ['lost:site']], // prettier-ignore
  ])('%s', async (_, change, outcome, accept) => {
    const site = await createCmsSite();
    const first = await site.build();
    change(site);
    const second = await site.build({ now: later(24) });
    expect(statusOf(second)).toBe(3);
    expect(describeOutcome(second)).toMatch(outcome);
    expect(describeBuild(second)[0]).toMatch(outcome);
    expect(second).toMatchObject({ current: first.snapshot });
    expect(acceptancesIn(second, 'to publish all the same: ')).toEqual(accept);
    const third = await site.build({ now: later(24), accept });
    expect(third.outcome).toBe(accept.length > 0 ? 'published' : 'refused');
  });

  it('is refused when no deal is left, as by a clock that is ahead, though the losses of feeds are taken after two days', async () => {
    const site = await createCmsSite();
    const first = await site.build();
    const ended = (text: string): string =>
      text.replaceAll(/$(?<!\n)/gm, ',2026-11-21').replace('2026-11-21', 'validTo');
    for (const feed of [NIGHT, HOUSE]) edit(site, feed, ended);
    const second = await site.build({ now: later(72) });
    expect(statusOf(second)).toBe(3);
    expect(describeOutcome(second)).toMatch(
      /^Refused: lost, 300 of 300 deals of all feeds are gone since 2026-11-\d\d/,
    );
    expect(second).toMatchObject({ current: first.snapshot });
  });

  it('is not refused for a feed that fails though it is required', async () => {
    const site = await createCmsSite();
    await site.build();
    requireNight(site);
    edit(
      site,
      NIGHT,
      rows((_, i) => i < 45),
    );
    expect(statusOf(await site.build({ now: later(24) }))).toBe(4);
  });
});

describe('a snapshot that cannot be compared with', () => {
  it.each(['manifest.json', 'report.json', 'deals.ndjson'])(
    'is refused until that is accepted: damaged %s',
    async (file) => {
      const site = await createGateSite();
      const first = await site.build();
      writeFileSync(join(site.store, first.snapshot ?? '', file), '{}');
      const second = await site.build({ now: later(24) });
      expect(gatesThat('refused', second)).toEqual(['unreadable-snapshot']);
      expect(acceptancesIn(second, 'to publish all the same: ')).toEqual(['unreadable-snapshot']);
      const third = await site.build({ now: later(24), accept: ['unreadable-snapshot'] });
      expect(third).toMatchObject({ outcome: 'published' });
      // Not while a source cannot be read: its deals would be gone.
      edit(site, NIGHT, () => '<html></html>');
      writeFileSync(join(site.store, third.snapshot ?? '', file), '{}');
      expect(acceptancesIn(await site.build({ now: later(25) }), 'to publish all the same: ')).toEqual([]);
    },
  );
});
