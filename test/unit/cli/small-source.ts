import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DEAL_COLUMNS = [
  'dealId,productId,retailer,network,contractName,contractMonths,dataGb,callMinutes,textMessages,upfrontCost,monthlyCost,dealLink',
];

/** The sources of a catalogue of one phone with `dealCount` deals, and the configuration that builds it. */
export function writeSmallSource(folder: string, dealCount = 3): void {
  mkdirSync(join(folder, 'cms'), { recursive: true });
  mkdirSync(join(folder, 'feeds/house'), { recursive: true });
  writeJson(join(folder, 'catalogue.json'), {
    store: '../../dist/catalogue',
    cms: [{ name: 'site', adapter: 'catalogue', files: ['cms/*.json'] }],
    feeds: [{ name: 'house', adapter: 'deals', files: ['feeds/house/*.csv'] }],
    images: { render: false },
    gates: { minRows: 5 },
  });
  writeJson(join(folder, 'cms/site.json'), {
    products: [
      {
        id: '101',
        condition: 'new',
        name: 'Acme One 128GB',
        slug: 'acme-one-128gb',
        manufacturer: 'acme',
        content: { heading: 'Acme One', introduction: 'The one.' },
        status: 'published',
      },
    ],
    networks: [{ id: '21', name: 'Northline', slug: 'northline' }],
    retailers: [{ id: '31', name: 'Phone Barn', slug: 'phone-barn' }],
  });
  const deals = Array.from(
    { length: dealCount },
    (_, i) =>
      `D-${i},101,phone-barn,northline,Plan ${i},24,${i + 1},500,unlimited,0.00,${20 + i}.50,https://example.com/deal/${i}`,
  );
  writeFileSync(join(folder, 'feeds/house/deals.csv'), `${[...DEAL_COLUMNS, ...deals].join('\n')}\n`);
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`);
}
