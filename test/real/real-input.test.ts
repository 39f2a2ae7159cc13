import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SPEC_KEYS } from '../../data/field/spec.ts';
import type { LastBuild } from '../../data/report/report.ts';
import { readPhoneTable, type TableProduct } from './phone-table.ts';

/** Real files are not part of the project; their folder lies beside the project. */
const REAL_FILES = new URL('../../../shared/data/', import.meta.url).pathname;
const PHONES = join(REAL_FILES, 'specs/gsmarena_2021_asma-alsubaie.csv');
const AWIN_FEED = join(REAL_FILES, 'awin/awin_telcos_o2_real_row_2017.csv');
const ROOT = new URL('../..', import.meta.url).pathname;

const hasRealFiles = existsSync(PHONES) && existsSync(AWIN_FEED);
if (!hasRealFiles) console.log('skipped: the real files are not beside the project (test/real)');

describe.skipIf(!hasRealFiles)('a build of real files', () => {
  let folder: string;
  let products: readonly TableProduct[];
  let lastBuild: LastBuild;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'deals-real-'));
    products = readPhoneTable(PHONES);
    writeSources(folder, products);
    deals('build', '--config', join(folder, 'catalogue.json'), '--quiet');
    lastBuild = JSON.parse(readFileSync(join(folder, 'store/last-build.json'), 'utf8')) as LastBuild;
  }, 300_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('publishes at least 5,000 products and quarantines none of them', () => {
    expect(products.length).toBeGreaterThanOrEqual(5_000);
    expect(lastBuild.outcome).toBe('published');
    const cms = lastBuild.report?.sources.find(({ name }) => name === 'phones');
    expect(cms).toMatchObject({ read: products.length + 2, kept: products.length + 2, quarantined: 0 });
  });

  it('reads the one row of the real feed and keeps it', () => {
    const feed = lastBuild.report?.sources.find(({ name }) => name === 'awin');
    expect(feed).toMatchObject({ read: 1, kept: 1, duplicate: 0, outOfScope: 0, quarantined: 0, state: 'fresh' });
  });

  it('serves the refurbished 32 GB phone with every field of the row', () => {
    const target =
      '/deals/v1/products/?filter[slug]=eq{refurbished-samsung-galaxy-s6-edge-32gb}&expand=products(specs,deals,cheapestDeal)';
    const body = JSON.parse(deals('query', target, '--store', join(folder, 'store'))) as {
      products: { name: string; specs: Record<string, string>; cheapestDeal: object }[];
      deals: object[];
    };
    expect(body.products).toHaveLength(1);
    expect(body.products[0]).toMatchObject({
      name: 'Refurbished Samsung Galaxy S6 edge 32GB',
      cheapestDeal: {
        upfrontProductCost: 129.99,
        monthlyContractPrice: 30,
        totalContractCost: 849.99,
        contractSupplierId: '21',
        retailSupplierId: '3235',
      },
    });
    expect(body.deals).toEqual([
      {
        dealType: 'contract',
        contractName: 'O2 Refresh',
        contractLength: '24',
        friendlyContractLength: '24 months',
        contractSupplierId: '21',
        contractSupplierName: 'O2',
        smallNetworkImage: 'https://logos.example/o2-small.webp',
        mediumNetworkImage: 'https://logos.example/o2-medium.webp',
        largeNetworkImage: 'https://logos.example/o2-large.webp',
        largeRetailerImage: 'https://logos.example/o2-mobiles-large.webp',
        dataAllowance: '3',
        friendlyDataAllowance: '3GB',
        callAllowance: '999999',
        friendlyCallAllowance: 'Unlimited minutes',
        textAllowance: '999999',
        friendlyTextAllowance: 'Unlimited texts',
        dealLink: 'http://www.awin1.com/pclick.php?p=13304516721&a=218297&m=3235',
        condition: 'Refurbished',
        totalDealCost: '849.99',
        supplierId: '3235',
        supplierName: 'O2 Mobiles',
        productUpfrontCost: '129.99',
        supplierContractPrice: '30.00',
        giftImg: '',
        giftName: '',
        productImg:
          'http://media.bigupdata.co.uk/img_product_image_main_large400x400_product_edition0000001253.png?h=400&w=400&auto=enhance&auto=format&bg=FFFFFF&trim=color&trimcolor=FFFFFF&trim=auto&trimtol=2',
        productName: 'Refurbished Samsung Galaxy S6 edge 32GB',
      },
    ]);
  });

  it('fills all attributes of the specifications but those that the table does not have', () => {
    const filled = new Set(products.flatMap(({ specs }) => Object.keys(specs)));
    expect(SPEC_KEYS.filter((key) => !filled.has(key))).toEqual(['handsetStyle', 'sensors']);
  });
});

/** The command, as a person would run it; its standard output. */
function deals(...args: readonly string[]): string {
  return execFileSync(process.execPath, ['--import', 'tsx', join(ROOT, 'cli/main.ts'), ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function writeSources(folder: string, products: readonly TableProduct[]): void {
  mkdirSync(join(folder, 'cms'));
  mkdirSync(join(folder, 'awin'));
  copyFileSync(AWIN_FEED, join(folder, 'awin/datafeed.csv'));
  const logo = (name: string): string => `https://logos.example/${name}.webp`;
  writeJson(join(folder, 'cms/phones.json'), { products });
  writeJson(join(folder, 'cms/suppliers.json'), {
    networks: [
      {
        id: '21',
        name: 'O2',
        slug: 'o2',
        logos: { small: logo('o2-small'), medium: logo('o2-medium'), large: logo('o2-large'), deal: logo('o2-deal') },
      },
    ],
    retailers: [
      {
        id: '3235',
        name: 'O2 Mobiles',
        slug: 'o2-mobiles',
        logos: { large: logo('o2-mobiles-large'), deal: logo('o2-mobiles-deal') },
      },
    ],
  });
  writeJson(join(folder, 'catalogue.json'), {
    store: 'store',
    cms: [{ name: 'phones', adapter: 'catalogue', files: ['cms/*.json'] }],
    feeds: [{ name: 'awin', adapter: 'awin', files: ['awin/*.csv'], required: true }],
    currency: { code: 'GBP', label: '£' },
  });
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, JSON.stringify(value));
}
