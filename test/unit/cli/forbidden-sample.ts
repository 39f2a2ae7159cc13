import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import type { NoticeCode } from '../../../data/report/notice.ts';
import { formatCsv, lineOf } from '../../support/csv.ts';

const SAMPLE = join(import.meta.dirname, '../../../data/sample');
const HOUSE = 'feeds/house/deals.csv';
const AWIN = 'feeds/awin/forbidden.csv.gz';
const SHORT = 'feeds/short/deals.csv';
const PHONES = 'cms/phones-wren.json';
const NETWORKS = 'cms/networks.json';

/** A record that a rule keeps from being served: how a person would ask for it, and where it is. */
export interface Forbidden {
  readonly code: NoticeCode;
  readonly asked: string;
  readonly file: string;
  readonly line: number;
}

type Cells = Readonly<Record<string, string>>;

/** The sample in `folder` with a record more for each rule that can leave one out; pictures are not rendered. */
export function writeForbiddenSample(folder: string): readonly Forbidden[] {
  cpSync(SAMPLE, folder, { recursive: true, filter: (path) => !path.includes('/images') });
  configure(folder);
  return [
    ...forbidHouseDeals(folder),
    ...forbidAwinDeals(folder),
    ...forbidShortDeals(folder),
    ...forbidRecords(folder),
  ];
}

function configure(folder: string): void {
  const path = join(folder, 'catalogue.json');
  const config = JSON.parse(readFileSync(path, 'utf8')) as { feeds: object[]; exclude: object[]; images: object };
  config.images = { render: false };
  config.exclude.push({ deal: 'X-excluded', reason: 'test' }, { product: '992', reason: 'test' });
  config.feeds.push({
    name: 'short',
    adapter: 'awin',
    files: ['feeds/short/*.csv'],
    merchants: {
      '80211': {
        searchPrice: 'monthly',
        patterns: {
          product_name: ['{productName} on {network}, {contractName} at £{monthlyCost} for {contractMonths} months'],
        },
        constants: { upfrontCost: '0.00', dataGb: '5', callMinutes: 'unlimited', textMessages: 'unlimited' },
      },
    },
  });
  writeFileSync(path, JSON.stringify(config));
}

/** Each row is a sound one with one thing wrong. */
function forbidHouseDeals(folder: string): Forbidden[] {
  const path = join(folder, HOUSE);
  const text = readFileSync(path, 'utf8').trimEnd();
  const rows = readRows(text);
  const sound: Cells = { ...rows[0], totalCost: '' };
  const twin = rows.slice(1).find((row) => row['retailer'] === sound['retailer']);
  const ambiguous = rows.find(({ productName }) => productName === 'Note 128GB')?.['productName'] ?? '';
  const wrong: readonly (readonly [NoticeCode, Cells])[] = [
    ['missing-field', { contractName: '' }],
    ['malformed-field', { monthlyCost: '£9.00' }],
    ['unknown-product', { productId: '9998' }],
    ['ambiguous-product', { productId: '', productName: ambiguous }],
    ['unknown-network', { network: 'nobody' }],
    ['unknown-retailer', { retailer: 'nobody' }],
    ['unknown-gift', { gift: '999' }],
    ['missing-allowance', { dataGb: '' }],
    ['negative-money', { upfrontCost: '-1.00' }],
    ['zero-monthly-cost', { monthlyCost: '0.00' }],
    ['money-above-ceiling', { monthlyCost: '999.00' }],
    ['out-of-stock', { inStock: 'no' }],
    ['not-valid-today', { validTo: '2020-01-01' }],
    ['excluded', {}],
    ['duplicate-deal', { totalCost: rows[0]?.['totalCost'] ?? '' }],
    ['duplicate-id', { dealId: twin?.['dealId'] ?? '', monthlyCost: '38.00' }],
  ];
  const added = wrong.map(([code, cells]) => ({ ...sound, dealId: `X-${code}`, ...cells }));
  const lines = formatCsv(Object.keys(sound), added).trimEnd().split('\n').slice(1);
  const [soundLine = ''] = formatCsv(Object.keys(sound), [{ ...sound, dealId: 'X-line' }])
    .split('\n')
    .slice(1);
  // No cells, or too many: such rows have no id to ask for.
  lines.push(`${soundLine},`, soundLine.replace('X-line', 'X"line'));
  writeFileSync(path, `${[text, ...lines].join('\n')}\n`);
  const lineAt = (position: number): number => lineOf(rows.length + position);
  return [
    ...wrong.map(([code, cells], position) => ({
      code,
      asked: cells['dealId'] === undefined ? `X-${code}` : `${sound['retailer']}:${cells['dealId']}`,
      file: HOUSE,
      line: lineAt(position),
    })),
    { code: 'column-count', asked: `${HOUSE}:${lineAt(wrong.length)}`, file: HOUSE, line: lineAt(wrong.length) },
    {
      code: 'malformed-record',
      asked: `${HOUSE}:${lineAt(wrong.length + 1)}`,
      file: HOUSE,
      line: lineAt(wrong.length + 1),
    },
  ];
}

function forbidAwinDeals(folder: string): Forbidden[] {
  const packed = readFileSync(join(folder, 'feeds/awin/datafeed.csv.gz'));
  const [sound = {}] = readRows(gunzipSync(packed).toString('utf8'));
  const wrong: readonly (readonly [NoticeCode, Cells])[] = [
    ['malformed-json', { 'Telcos:deal_cost_json': '{"monthly' }],
    ['wrong-currency', { currency: 'EUR' }],
    ['not-a-phone', { merchant_category: 'Tablet' }],
    ['sim-only', { merchant_category: 'SIM Card - PAYM' }],
    [
      'no-contract',
      { 'Telcos:contract_type': '', 'Telcos:term': '', 'Telcos:month_cost': '', 'Telcos:deal_cost_json': '' },
    ],
  ];
  const rows = wrong.map(([code, cells]) => ({ ...sound, merchant_product_id: `A-${code}`, ...cells }));
  writeFileSync(join(folder, AWIN), gzipSync(formatCsv(Object.keys(sound), rows)));
  return wrong.map(([code], position) => ({ code, asked: `A-${code}`, file: AWIN, line: lineOf(position) }));
}

/** Rows of Awin without telecom columns. */
function forbidShortDeals(folder: string): Forbidden[] {
  const sound = {
    merchant_product_id: '',
    merchant_id: '80211',
    merchant_name: 'Tideline Store',
    product_name: 'Kestrel K9 128GB on Tideline, Shore 5GB at £41.00 for 24 months',
    search_price: '41.00',
    aw_deep_link: 'https://www.awin1.com/pclick.php?p=1',
  };
  const wrong: readonly (readonly [NoticeCode, Cells])[] = [
    ['unknown-merchant', { merchant_id: '99' }],
    ['unmatched-pattern', { product_name: 'Kestrel K9 128GB, a fine phone' }],
    ['contradictory-facts', { search_price: '42.00' }],
  ];
  const rows = wrong.map(([code, cells]) => ({ ...sound, merchant_product_id: `S-${code}`, ...cells }));
  mkdirSync(join(folder, 'feeds/short'));
  writeFileSync(join(folder, SHORT), formatCsv(Object.keys(sound), rows));
  return wrong.map(([code], position) => ({ code, asked: `S-${code}`, file: SHORT, line: lineOf(position) }));
}

function forbidRecords(folder: string): Forbidden[] {
  const phone = (id: string, more: object = {}): object => ({
    id,
    condition: 'new',
    name: `Forbidden Phone ${id}`,
    slug: `forbidden-phone-${id}`,
    ...more,
  });
  const network = (id: string): object => ({ id, name: `Twin ${id}`, slug: 'twin' });
  const products = append(folder, PHONES, 'products', [
    phone('990', { status: 'draft' }),
    phone('991'),
    phone('991', { name: 'Forbidden Twin', slug: 'forbidden-twin' }),
    phone('992'),
    phone('993', { name: '' }),
    phone('994', { name: undefined }),
    'no object',
  ]);
  const networks = append(folder, NETWORKS, 'networks', [network('980'), network('981')]);
  return [
    { code: 'unpublished', asked: '990', file: PHONES, line: products },
    { code: 'unpublished', asked: 'forbidden phone  990', file: PHONES, line: products },
    { code: 'unpublished', asked: 'forbidden-phone-990', file: PHONES, line: products },
    { code: 'duplicate-id', asked: '991/new', file: PHONES, line: products + 1 },
    { code: 'duplicate-id', asked: 'forbidden-twin', file: PHONES, line: products + 2 },
    { code: 'excluded', asked: '992', file: PHONES, line: products + 3 },
    { code: 'malformed-field', asked: '993/new', file: PHONES, line: products + 4 },
    { code: 'missing-field', asked: '994', file: PHONES, line: products + 5 },
    { code: 'malformed-record', asked: `${PHONES}:${products + 6}`, file: PHONES, line: products + 6 },
    { code: 'duplicate-slug', asked: 'twin', file: NETWORKS, line: networks },
    { code: 'duplicate-slug', asked: 'Twin 981', file: NETWORKS, line: networks + 1 },
  ];
}

/** Appends records to a list of an export; the line of the first. */
function append(folder: string, file: string, list: string, records: readonly unknown[]): number {
  const path = join(folder, file);
  const lists = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown[]>;
  const before = lists[list] ?? [];
  writeFileSync(path, JSON.stringify({ ...lists, [list]: [...before, ...records] }));
  return before.length + 1;
}

function readRows(text: string): Record<string, string>[] {
  return parse(text, { columns: true }) as Record<string, string>[];
}
