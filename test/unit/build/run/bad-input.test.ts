import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { verifySnapshot } from '../../../../build/publish/verify.ts';
import { formatNotice } from '../../../../build/report/describe-notice.ts';
import { readTable } from '../../../support/table.ts';
import { createSite } from './write-sources.ts';

/** A faulty record that is added to the sources, and what the report says of it. */
interface FaultyRecord {
  readonly message: string;
  readonly house?: string;
  readonly products?: Record<string, unknown>;
  readonly giftCategories?: Record<string, unknown>;
}

it('faulty records cost no other record, and none disappears', async () => {
  const rows = readTable<FaultyRecord>(import.meta.url, 'fixture/faulty-records.ndjson');
  const site = await createSite(({ config, cms, house }) => {
    config['gates'] = { maxQuarantined: 1, maxDuplicates: 1 };
    for (const row of rows) {
      if (row.house !== undefined) house.push(row.house);
      if (row.products !== undefined) cms.products.push(row.products);
      if (row.giftCategories !== undefined) cms.giftCategories.push(row.giftCategories);
    }
  });
  const { outcome, counts, report, snapshot = '' } = await site.build();
  expect([outcome, counts]).toEqual(['published', { products: 5, deals: 8 }]);
  const said = report.notices.flatMap(({ samples }) => samples).map(formatNotice);
  expect(said.toSorted()).toEqual(rows.map(({ message }) => message).toSorted());
  let leftOut = 0;
  for (const { name, read, kept, duplicate, outOfScope, quarantined } of report.sources) {
    expect([name, kept + duplicate + outOfScope + quarantined]).toEqual([name, read]);
    leftOut += read - kept;
  }
  const lines = readFileSync(join(site.store, snapshot, 'quarantine.ndjson'), 'utf8')
    .trimEnd()
    .split('\n');
  expect(lines).toHaveLength(leftOut);
  expect(verifySnapshot(site.store, snapshot)).toEqual([]);
});

it('a CMS export that cannot be read costs no other export, and refuses the build until it is accepted', async () => {
  const site = await createSite(({ config }) => {
    config.cms = [
      { name: 'site', adapter: 'catalogue', files: ['cms/*.json'] },
      { name: 'blog', adapter: 'catalogue', files: ['blog/*.json'] },
      { name: 'more', adapter: 'catalogue', files: ['feeds/house/*.csv'] },
    ];
  });
  expect(await site.build()).toMatchObject({ outcome: 'refused' });
  const result = await site.build({ accept: ['unread:more'] });
  expect(result).toMatchObject({ outcome: 'published', counts: { products: 3, deals: 8 } });
  expect(result.report.sources.map(({ name, state }) => [name, state])).toEqual([
    ['site', 'fresh'],
    ['blog', 'absent'],
    ['more', 'failed'],
    ['house', 'fresh'],
    ['night', 'fresh'],
  ]);
});
