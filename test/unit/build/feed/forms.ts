import { DEALS_COLUMNS } from '../../../../build/feed/fields.ts';
import { csvOf } from './reading.ts';

export type Cells = Readonly<Record<string, string>>;

/** A format of feeds, with a sound row that the cases change. */
export interface FeedForm {
  readonly settings: { readonly adapter: string } & Readonly<Record<string, unknown>>;
  readonly row: Cells;
  readonly idColumn: string;
  /** The columns of a file in their order; a case may add others. */
  readonly columns: readonly string[];
}

/** A row with some cells changed, and the deal or the notice that comes of it; null is no value. */
export interface RowCase {
  readonly what?: string;
  /** Settings of the feed, merged with those of the form; null removes one. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** An object changes values of a cell that holds JSON. */
  readonly change: Readonly<Record<string, string | object>>;
  readonly deal?: object;
  /** Notices about the deal. */
  readonly notices?: readonly object[];
  readonly notice?: object;
}

export function changeRow({ row }: FeedForm, change: RowCase['change'] = {}): Cells {
  const cells = Object.entries(change).map(([name, cell]) => {
    if (typeof cell === 'string') return [name, cell];
    return [name, JSON.stringify({ ...(JSON.parse(row[name] ?? '{}') as object), ...cell })];
  });
  return { ...row, ...(Object.fromEntries(cells) as Cells) };
}

/** A CSV file of rows of a form. */
export function fileOf({ columns }: FeedForm, ...rows: readonly Cells[]): string {
  return csvOf([...new Set([...columns, ...rows.flatMap((cells) => Object.keys(cells))])], ...rows);
}

const DEALS_ROW: Cells = {
  dealId: 'H-1',
  productId: '101',
  retailer: 'house',
  network: 'O2',
  contractName: 'O2 Plan',
  contractMonths: '24',
  dataGb: '50',
  callMinutes: 'unlimited',
  textMessages: '5000',
  upfrontCost: '29.99',
  monthlyCost: '30',
  dealLink: 'https://shop.example/d/1?a=1&b=2',
};

export const DEALS: FeedForm = {
  settings: { adapter: 'deals' },
  row: DEALS_ROW,
  idColumn: 'dealId',
  columns: DEALS_COLUMNS,
};

/** A sheet as people make them by hand. */
const SHEET_ROW: Cells = {
  'Deal ID': 'S-1',
  'OEM and Device': 'Nokia X Pro 128GB',
  'Price Plan': 'Red Value',
  Operator: 'Red',
  'Contract Term': '24 Month(s)',
  'Once-off Pay-in (incl VAT)': '£1,049.00',
  'Total Subscription Incl Vat': '£35',
  'Total Data': '4GB',
  'Total Minutes': '200min',
  Sms: '0sms',
  'Promo Start date': '11/01/2026',
  'Promo End date': '11/30/2026',
  Available: 'Yes',
  URL: 'https://shop.example/s-1',
  Notes: 'not read',
};

export const SHEET: FeedForm = {
  settings: {
    adapter: 'csv',
    columns: {
      dealId: 'Deal ID',
      productName: 'OEM and Device',
      contractName: 'Price Plan',
      network: 'Operator',
      contractMonths: 'Contract Term',
      upfrontCost: { column: 'Once-off Pay-in (incl VAT)', strip: ['£', ','] },
      monthlyCost: { column: 'Total Subscription Incl Vat', strip: ['£', ','] },
      dataGb: { column: 'Total Data', unit: 'GB' },
      callMinutes: { column: 'Total Minutes', strip: ['min'], values: { Unl: 'unlimited', 'n/a': '' } },
      textMessages: { column: 'Sms', strip: ['sms'] },
      validFrom: 'Promo Start date',
      validTo: 'Promo End date',
      inStock: { column: 'Available', values: { 'sold out': 'no' } },
      dealLink: 'URL',
    },
    constants: { retailer: 'red-shop' },
    dates: 'mm/dd/yyyy',
  },
  row: SHEET_ROW,
  idColumn: 'Deal ID',
  columns: Object.keys(SHEET_ROW),
};

export const GOOGLE: FeedForm = {
  settings: {
    adapter: 'google-merchant',
    mapping: {
      network: 'custom_label_0',
      contractName: 'custom_label_1',
      dataGb: 'product_detail:Data allowance',
      callMinutes: 'product_detail:Minutes',
      textMessages: 'product_detail:Texts',
    },
    constants: { retailer: 'red-shop' },
    leaveOut: { 'not-a-phone': ['{*} gizmo'] },
  },
  row: {
    id: 'R-1',
    title: 'Nokia X Pro 128GB',
    description: 'A phone with "quotes", and commas.',
    link: 'https://shop.example/r-1?a=1&b=2',
    image_link: 'https://media.example/1.png',
    availability: 'in_stock',
    price: '49.00 GBP',
    subscription_cost: 'month:24:35.00 GBP',
    condition: 'new',
    brand: 'Nokia',
    gtin: '0840244706500',
    color: 'Sky Blue',
    google_product_category: '267',
    custom_label_0: 'Red',
    custom_label_1: 'Red Value',
    product_detail: 'Plan:Data allowance:100GB,Plan:Minutes:Unlimited,Plan:Texts:5000',
  },
  idColumn: 'id',
  columns: [],
};

/** All columns of a download with the telecom data ticked, in its order. */
const TELECOM_COLUMNS = `
  aw_deep_link product_name aw_product_id merchant_product_id merchant_image_url description
  merchant_category search_price merchant_name merchant_id category_name category_id aw_image_url
  currency store_price delivery_cost merchant_deep_link language last_updated display_price
  data_feed_id Telcos:contract_type Telcos:term Telcos:initial_cost Telcos:month_cost Telcos:gift
  Telcos:inc_minutes Telcos:inc_data Telcos:connectivity Telcos:inc_texts Telcos:tariff
  Telcos:storage_size Telcos:special_offer Telcos:network Telcos:operating_system
  Telcos:device_product_json Telcos:device_product_version_json Telcos:device_product_edition_json
  Telcos:device_full_name Telcos:device_description Telcos:device_images_json
  Telcos:device_features_json Telcos:device_specifications_json Telcos:network_details_json
  Telcos:tariff_group_details_json Telcos:tariff_details_json Telcos:tariff_allowances_json
  Telcos:tariff_out_of_plan_charges_json Telcos:deal_tags_json Telcos:deal_type_json
  Telcos:deal_promo_info Telcos:deal_retailer_json Telcos:deal_cost_json Telcos:deal_discounts_json
  Telcos:deal_cashback_json Telcos:deal_legal_info Telcos:subscription_name
  Telcos:subscription_price_effective Telcos:subscription_renewal`
  .trim()
  .split(/\s+/);

export const AWIN: FeedForm = {
  settings: { adapter: 'awin' },
  row: {
    aw_deep_link: 'https://www.awin1.example/pclick.php?p=1&a=2&m=900',
    product_name: 'Nokia X Pro 64GB Blue at £49.00 on Red Value (24 Month contract) with Unlimited mins',
    aw_product_id: '11',
    merchant_product_id: '7001',
    merchant_image_url: 'https://media.example/edition-70.png?h=400&w=400',
    description: 'A phone, with "quotes"\nand two lines.',
    merchant_category: 'Mobile Phone - PAYM',
    search_price: '49.00',
    merchant_name: 'Red Mobiles',
    merchant_id: '900',
    category_name: 'Prepay Mobile Phones',
    category_id: '352',
    currency: 'GBP',
    display_price: 'GBP49.00',
    'Telcos:contract_type': 'Phone Contract',
    'Telcos:term': '24',
    'Telcos:initial_cost': '49.00',
    'Telcos:month_cost': '31',
    'Telcos:inc_minutes': 'UNLIMITED',
    'Telcos:inc_data': '40000',
    'Telcos:inc_texts': '5000',
    'Telcos:tariff': 'Red Value',
    'Telcos:network': 'Red',
    'Telcos:device_product_json':
      '{"product_id":"5","product_name":"X","product_brand":"Nokia","product_type":"Mobile Phone"}',
    'Telcos:device_product_version_json': '{"product_version_id":"60","product_version_name":"X Pro"}',
    'Telcos:device_product_edition_json': '{"product_edition_id":"70","product_edition_name":"64GB Blue"}',
    'Telcos:device_full_name': 'Nokia X Pro (64GB Blue)',
    'Telcos:device_features_json': '{"colour":"Blue","colour_group":"Blue","condition":"New","condition_friendly":""}',
    'Telcos:device_specifications_json': '{"display_size":"5.1\\""}',
    'Telcos:network_details_json': '{"name":"Red UK","company_id":"9"}',
    'Telcos:tariff_details_json': '{"tariff_name":"Red Value 24","tariff_type":"Phone Contract"}',
    'Telcos:tariff_allowances_json':
      '{"mins_details":{"cross_net_anytime":"500"},"texts_details":{"cross_net_anytime":250},"data_details":{"cellular_mb":"3000"}}',
    'Telcos:deal_retailer_json': '{"name":"Red Shop","company_id":"9"}',
    'Telcos:deal_cost_json':
      '{"upfront_inc_vat":"49.00","upfront_exc_vat":"40.83","monthly_total_inc_vat":"31.00","monthly_device_inc_vat":"","monthly_device_term_months":"24","monthly_contract_term_months":"24","tco_inc_vat":"793.00"}',
  },
  idColumn: 'merchant_product_id',
  columns: TELECOM_COLUMNS,
};

/** A merchant that states no minutes and texts, and sells everything for 24 months. */
export const HIGH_STREET = {
  searchPrice: 'upfront',
  patterns: {
    product_name: [
      '{productName} on {network} Contract | £{monthlyCost}pm {dataGb} Data | £{upfrontCost} upfront cost',
    ],
  },
  constants: {
    contractName: '{network} {dataGb}',
    contractMonths: 24,
    callMinutes: 'unlimited',
    textMessages: 'unlimited',
  },
};

/** One that writes the costs into the link. */
export const DIRECT = {
  patterns: {
    product_name: ['{productName}'],
    description: ['{*}{dataGb} of {*} data{*}', '{*}'],
    merchant_deep_link: ['https://direct.example/{*}/{network}-{contractMonths}-month-{monthlyCost}-{upfrontCost}'],
  },
  constants: { contractName: 'Pay monthly' },
  missingAllowance: 'unlimited',
};

/** A download without the telecom columns. */
export const AWIN_MERCHANTS: FeedForm = {
  settings: {
    adapter: 'awin',
    merchants: { '900': HIGH_STREET, '901': DIRECT, '902': { searchPrice: 'handset' } },
  },
  row: {
    aw_deep_link: 'https://www.awin1.example/pclick.php?p=1&a=2&m=900',
    product_name: 'Nokia X Pro 128GB Black on Red Contract | £44pm 100GB Data | £149 upfront cost',
    aw_product_id: '11',
    merchant_product_id: '7001',
    merchant_image_url: 'https://media.example/1.png',
    description: 'A phone.',
    search_price: '149.00',
    merchant_name: 'High Street Phones',
    merchant_id: '900',
    category_name: 'Prepay Mobile Phones',
    category_id: '352',
    currency: 'GBP',
    merchant_deep_link: 'https://shop.example/basket/1',
    display_price: 'GBP149.00',
    data_feed_id: '5',
  },
  idColumn: 'merchant_product_id',
  columns: TELECOM_COLUMNS.filter((column) => !column.startsWith('Telcos:')),
};
