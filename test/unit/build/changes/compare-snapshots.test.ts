import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compareSnapshots, readPublishedChanges } from '../../../../build/changes/compare-snapshots.ts';
import { describeChanges } from '../../../../build/changes/describe-changes.ts';
import { openSnapshotLines } from '../../../../data/store/lines.ts';
import { readManifest } from '../../../../data/store/snapshots.ts';
import { createTemporaryFolder, publishNumber } from '../publish/temporary-store.ts';
import { createSite, deal, HEADER, type Site, type Sources } from '../run/write-sources.ts';

const COLUMNS = `${HEADER},cashbackType,cashbackValue`;
const ofNight = (key: string, product: string, cost: string, gift?: string, cashback = ',') =>
  `${deal(key, product, 'new', 'night-owl', cost, gift)},${cashback}`;
const ofHouse = (key: string, product: string, cost: string, retailer = 'phone-barn') =>
  deal(key, product, 'new', retailer, cost);

function write(site: Site, file: string, rows: readonly string[]): void {
  writeFileSync(join(site.folder, file), `${rows.join('\n')}\n`);
}

it('a build publishes what differs from the current snapshot, of each kind', async () => {
  const site = await createSite(({ config, cms, night }) => {
    config['gates'] = { minRows: 1_000 };
    cms.products.push({ id: '104', condition: 'new', name: 'Nova Same', slug: 'nova-same' });
    night.splice(
      0,
      Infinity,
      COLUMNS,
      ofNight('N-1', '101', '28.50'),
      ofNight('N-3', '102', '43.50', '9'),
      ofNight('N-4', '102', '48.50'),
      ofNight('N-5', '104', '48.50', '9', 'Automatic,5.00'),
      ofNight('N-6', '104', '50.00'),
    );
  });
  const first = await site.build();
  const manifest = readManifest(site.store, first.snapshot ?? '');
  expect(readPublishedChanges(site.store, manifest)).toMatchObject({
    reason: 'nothing was published before',
    before: { products: 0, deals: 0 },
    after: { products: 4, deals: 9 },
    productsNew: { count: 4 },
    dealsNew: { count: 9 },
  });

  const path = join(site.folder, 'cms/site.json');
  const { products, retailers, gifts, ...lists } = JSON.parse(readFileSync(path, 'utf8')) as Sources['cms'];
  const [one, , two, same] = products;
  const three = { id: '103', condition: 'new', name: 'Nova Three', slug: 'nova-three' };
  // Those of before stand at other places of the dictionaries.
  const shop = { id: '30', name: 'Barn One', slug: 'barn-one' };
  const gift = { id: '6', name: 'Case', slug: 'case' };
  const cms = {
    ...lists,
    products: [one, { ...two, name: 'Nova Deux' }, three, same],
    retailers: [shop, ...retailers],
    gifts: [gift, ...gifts],
  };
  writeFileSync(path, JSON.stringify(cms));
  write(site, 'feeds/house/deals.csv', [
    HEADER,
    ofHouse('H-1', '101', '29.99'),
    ofHouse('H-1', '101', '29.00', 'barn-one'),
    ofHouse('H-2', '102', '34.99').replace(',,https', ',7,https'),
    ofHouse('H-5', '103', '40.00'),
  ]);
  write(site, 'feeds/night/deals.csv', [
    COLUMNS,
    ofNight('N-1', '101', '27.50'),
    ofNight('N-3', '102', '43.50', '6'),
    ofNight('N-4', '102', '48.50').replace(',24,', ',36,'),
    ofNight('N-5', '104', '48.50', '9', 'Automatic,5.00'),
    ofNight('N-6', '104', '50.00', '', 'Automatic,1.00'),
    `${ofHouse('H-1', '101', '29.50')},,`,
  ]);
  const second = await site.build({ accept: ['lost'] });
  const published = readManifest(site.store, second.snapshot ?? '');
  const changes = readPublishedChanges(site.store, published);
  expect(changes).toMatchObject({ from: first.snapshot });
  expect(describeChanges('S', { ...changes, from: 'R' }, 9)).toEqual([
    'R -> S',
    'products: 4 -> 4; deals: 9 -> 10',
    'products new: 1',
    '  103/new "Nova Three"',
    'products gone: 1',
    '  101/refurbished "Refurbished Nova One"',
    'products changed: 1',
    '  102/new "Nova Deux": name "Nova Two" -> "Nova Deux"',
    'products with another cheapest deal or price: 4',
    '  101/new "Nova One": night-owl:N-1 (night) 0.00 + 28.50 a month, 684.00 in all -> night-owl:N-1 (night) 0.00 + 27.50 a month, 660.00 in all',
    '  101/refurbished "Refurbished Nova One": phone-barn:H-3 (house) 0.00 + 19.99 a month, 479.76 in all -> none',
    '  102/new "Nova Deux": night-owl:N-3 (night) 0.00 + 43.50 a month, 1044.00 in all -> phone-barn:H-2 (house) 0.00 + 34.99 a month, 839.76 in all',
    '  103/new "Nova Three": none -> phone-barn:H-5 (house) 0.00 + 40.00 a month, 960.00 in all',
    'deals repriced: 2',
    '  night-owl:N-4 (night) of 102/new: 0.00 + 48.50 a month, 1164.00 in all -> 0.00 + 48.50 a month, 1746.00 in all',
    '  night-owl:N-1 (night) of 101/new: 0.00 + 28.50 a month, 684.00 in all -> 0.00 + 27.50 a month, 660.00 in all',
    'deals new: 3',
    '  barn-one:H-1 (house) of 101/new: 0.00 + 29.00 a month, 696.00 in all',
    '  phone-barn:H-1 (night) of 101/new: 0.00 + 29.50 a month, 708.00 in all',
    '  phone-barn:H-5 (house) of 103/new: 0.00 + 40.00 a month, 960.00 in all',
    'deals gone: 2',
    '  phone-barn:H-3 (house) of 101/refurbished: 0.00 + 19.99 a month, 479.76 in all',
    '  phone-barn:H-4 (house) of 102/new: 0.00 + 44.99 a month, 1079.76 in all',
    'deals of another product: 1',
    '  phone-barn:H-2 (house): 101/new at 0.00 + 34.99 a month, 839.76 in all -> 102/new at 0.00 + 34.99 a month, 839.76 in all',
    'deals changed in something else than the price: 3',
    '  night-owl:N-3 (night) of 102/new: gift',
    '  night-owl:N-4 (night) of 102/new: plan',
    '  night-owl:N-6 (night) of 104/new: cashback',
    'products with changed deals: 5',
    '  102/new "Nova Deux": 3 -> 3 deals (1 gone, 1 moved, 1 repriced, 2 changed)',
    '  101/new "Nova One": 3 -> 4 deals (2 new, 1 moved, 1 repriced)',
    '  101/refurbished "Refurbished Nova One": 1 -> 0 deals (1 gone)',
    '  103/new "Nova Three": 0 -> 1 deals (1 new)',
    '  104/new "Nova Same": 2 -> 2 deals (1 changed)',
  ]);
  // The largest come first, in a list that is cut short.
  expect(describeChanges('S', { ...changes, from: 'R' }, 1)).toContain('  and 1 more; --limit 2 shows 2');
  const [before, after] = [manifest, published].map((each) => openSnapshotLines(site.store, each));
  const { dealsRepriced } = compareSnapshots(before, after!, 1);
  expect(dealsRepriced).toMatchObject({ count: 2, omitted: 1, items: [{ deal: { key: 'N-4' } }] });
});

it('a current snapshot that is damaged cannot be compared with, and that is said', () => {
  const store = createTemporaryFolder();
  const { id } = publishNumber(store, 1);
  writeFileSync(join(store, id, 'deals.ndjson'), '');
  const changes = readPublishedChanges(store, readManifest(store, publishNumber(store, 2).id));
  const reason = `the snapshot before, ${id}, cannot be compared with: wrong-hash`;
  expect(changes).toMatchObject({ reason, dealsNew: { count: 3 } });
});
