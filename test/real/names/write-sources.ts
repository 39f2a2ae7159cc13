import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalogue } from './catalogue.ts';
import { NETWORKS, RETAILERS } from './row-groups.ts';
import type { Row } from './rows.ts';

const SHEET = {
  name: 'sheet',
  adapter: 'csv',
  files: ['sheet.csv'],
  columns: {
    dealId: 'Deal', productName: 'Device', condition: 'State', network: 'Operator', contractName: 'Plan', contractMonths: 'Months', dataGb: 'Data',
    upfrontCost: 'Upfront', monthlyCost: 'Monthly', storage: 'Storage', colour: 'Colour', dealLink: 'URL',
  },
  constants: { retailer: 'harbour-mobiles', callMinutes: 'unlimited', textMessages: 'unlimited' },
}; // prettier-ignore

/** Writes the configuration, the CMS export and the feeds of a seed into a folder; returns the configuration's path. */
export function writeSources(folder: string, catalogue: Catalogue, rows: readonly Row[], hasSheet: boolean): string {
  mkdirSync(folder, { recursive: true });
  const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);
  write('site.json', JSON.stringify(describeCms(catalogue), null, 1));
  const config = {
    store: 'store',
    cms: [{ name: 'site', adapter: 'catalogue', files: ['site.json'] }],
    feeds: [
      { name: 'house', adapter: 'deals', files: ['house.csv'] },
      { name: 'awin', adapter: 'awin', files: ['awin.csv'] },
      {
        name: 'shopping',
        adapter: 'google-merchant',
        files: ['shopping.tsv'],
        mapping: { network: 'custom_label_0', contractName: 'custom_label_1', dataGb: 'custom_label_2' },
        constants: { retailer: 'harbour-mobiles', callMinutes: 'unlimited', textMessages: 'unlimited' },
      },
      ...(hasSheet ? [SHEET] : []),
    ],
    images: { render: false },
    money: { maxMonthlyCost: 1000, maxUpfrontCost: 5000 },
    gates: { maxQuarantined: 1 },
  };
  // The price tells rows of one product apart, so that none is a duplicate of another.
  const priced = rows.map((row, at) => ({ row, monthly: (10 + (at % 30_000) / 100).toFixed(2) }));
  const of = (feed: Row['feed']): readonly PricedRow[] => priced.filter(({ row }) => row.feed === feed);
  write('house.csv', table(',', of('house').map(describeHouse)));
  write('awin.csv', table(',', of('awin').map(describeAwin)));
  write('shopping.tsv', table('\t', of('shopping').map(describeShopping)));
  if (hasSheet) write('sheet.csv', table(',', of('sheet').map(describeSheet)));
  write('catalogue.json', JSON.stringify(config, null, 1));
  return join(folder, 'catalogue.json');
}

/** A configuration of the sheet alone; returns its path. */
export function writeSheetConfig(folder: string): string {
  const path = join(folder, 'catalogue.json');
  const cms = [{ name: 'site', adapter: 'catalogue', files: ['site.json'] }];
  writeFileSync(path, JSON.stringify({ store: 'store', cms, feeds: [SHEET] }));
  return path;
}

interface PricedRow {
  readonly row: Row;
  readonly monthly: string;
}

type Cells = Readonly<Record<string, string>>;

function describeCms({ products }: Catalogue): unknown {
  const names = new Map(products.map(({ phone }) => [slugOf(phone.maker), phone.maker]));
  return {
    products: products.map(({ id, condition, name, phone, gtin, edition, version, stated }) => ({
      id,
      condition,
      name,
      slug: `${slugOf(name)}-${id}`,
      model: slugOf(`${phone.maker} ${phone.series} ${phone.words}${phone.is5gForm ? ' 5g' : ''}`),
      manufacturer: slugOf(phone.maker),
      matches: { names: stated === '' ? [] : [stated], gtins: [gtin], feedIds: { awin: [edition, version] } },
    })),
    networks: NETWORKS,
    retailers: RETAILERS,
    manufacturers: [...names].map(([slug, name]) => ({ slug, name })),
  };
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('+', ' plus ')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

function describeHouse({ row, monthly }: PricedRow): Cells {
  return {
    dealId: row.key,
    productId: row.productId,
    productName: row.name,
    gtin: row.gtin,
    condition: row.condition,
    retailer: row.retailer.slug ?? '',
    network: row.network.name,
    dealType: 'contract',
    contractName: 'Everyday',
    contractMonths: '24',
    dataGb: '10',
    callMinutes: 'unlimited',
    textMessages: 'unlimited',
    upfrontCost: '9.99',
    monthlyCost: monthly,
    dealLink: `https://harbour.example/${row.key}`,
  };
}

function describeSheet({ row, monthly }: PricedRow): Cells {
  return {
    Deal: row.key,
    Device: row.name,
    State: row.condition,
    Operator: row.network.name,
    Plan: 'Everyday',
    Months: '24',
    Data: '10GB',
    Upfront: '9.99',
    Monthly: monthly,
    Storage: row.storage,
    Colour: row.colour,
    URL: `https://harbour.example/${row.key}`,
  };
}

function describeShopping({ row, monthly }: PricedRow): Cells {
  return {
    id: row.key,
    title: row.name,
    link: `https://harbour.example/${row.key}`,
    image_link: 'https://harbour.example/phone.jpg',
    availability: 'in_stock',
    price: '9.99 GBP',
    condition: row.condition === '' ? 'new' : row.condition,
    gtin: row.gtin,
    color: row.colour,
    google_product_category: '267',
    subscription_cost: `month:24:${monthly} GBP`,
    custom_label_0: row.network.name,
    custom_label_1: 'Everyday',
    custom_label_2: '10GB',
  };
}

function describeAwin({ row, monthly }: PricedRow): Cells {
  const total = (9.99 + 24 * Number(monthly)).toFixed(2);
  const condition = { '': '', new: 'New', refurbished: 'Refurbished' }[row.condition];
  return {
    aw_deep_link: `https://www.awin1.com/pclick.php?p=${row.key.slice(1)}`,
    product_name: `${row.name} at £9.99 on Everyday (24 Month contract) with Unlimited mins & texts; 10GB of data. £${monthly} a month.`,
    merchant_product_id: row.key,
    merchant_category: 'Mobile Phone - PAYM',
    merchant_name: row.retailer.name,
    merchant_id: row.retailer.id,
    currency: 'GBP',
    data_feed_id: '18701',
    'Telcos:contract_type': 'Phone Contract',
    'Telcos:term': '24',
    'Telcos:initial_cost': '9.99',
    'Telcos:month_cost': monthly,
    'Telcos:inc_minutes': 'Unlimited',
    'Telcos:inc_data': '10000',
    'Telcos:inc_texts': 'Unlimited',
    'Telcos:tariff': 'Everyday',
    'Telcos:storage_size': row.storage,
    'Telcos:network': row.network.name,
    'Telcos:device_product_version_json': json({ product_version_id: row.version, product_version_name: '' }),
    'Telcos:device_product_edition_json': json({ product_edition_id: row.edition, product_edition_name: '' }),
    'Telcos:device_full_name': row.name,
    'Telcos:device_features_json': json({
      colour: row.colour,
      colour_group: '',
      condition,
      condition_friendly: '',
      capacity: row.storage,
    }),
    'Telcos:network_details_json': json({ name: row.network.second ?? row.network.name, company_id: row.network.id }),
    'Telcos:deal_cost_json': json({
      upfront_inc_vat: '9.99',
      monthly_total_inc_vat: monthly,
      monthly_contract_term_months: '24',
      tco_inc_vat: total,
    }),
  };
}

function json(value: Readonly<Record<string, string>>): string {
  return JSON.stringify(value);
}

function table(delimiter: string, records: readonly Cells[]): string {
  const [first] = records;
  if (first === undefined) throw new Error('expected rows for every feed, got a feed without any');
  const columns = Object.keys(first);
  const lines = [columns, ...records.map((record) => columns.map((column) => record[column] ?? ''))];
  return lines.map((cells) => `${cells.map((cell) => quote(cell, delimiter)).join(delimiter)}\n`).join('');
}

function quote(cell: string, delimiter: string): string {
  return cell.includes(delimiter) || /["\n]/.test(cell) || cell !== cell.trim()
    ? `"${cell.replaceAll('"', '""')}"`
    : cell;
}
