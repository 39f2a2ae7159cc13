import { readField, type FeedFile } from './feed-file.ts';
import type { ServedDeal } from '../../support/served-deals.ts';

/** A deal of the sample's own feed, with the GTIN that its row states. */
interface Deal extends ServedDeal {
  readonly gtin: string;
}

/** The columns of a feed, each by what it says of the deal at a position. */
type Columns = Readonly<Record<string, (deal: Deal, at: number) => string>>;

/** What the export writes for unlimited (data/spec/export.md). */
const UNLIMITED = [999_999_000, 999_999];

const pounds = (pence: number): string => (pence / 100).toFixed(2);
const limit = (amount: number, word = 'unlimited'): string => (UNLIMITED.includes(amount) ? word : String(amount));
const gigabytes = ({ data_megabytes: data }: Deal, unit = ''): string =>
  UNLIMITED.includes(data) ? 'unlimited' : `${data / 1000}${unit}`;
const cashback = ({ cashback_pence: pence }: Deal): string => (pence === null ? '' : pounds(pence));
/** A name with a comma is cut there. */
const plan = ({ contract_name: name }: Deal): string => name.split(', ')[0] ?? '';

const LINES: Columns = {
  dealId: (deal) => deal.deal_key,
  productId: (deal) => deal.product_id,
  productName: (deal, at) => (at % 2 === 0 ? deal.product_name : ''),
  gtin: (deal) => deal.gtin,
  condition: (deal) => deal.condition,
  retailer: (deal) => deal.retailer_slug,
  network: (deal) => deal.network_slug,
  dealType: () => 'contract',
  contractName: (deal) => `${plan(deal)} – été`,
  contractMonths: (deal) => String(deal.contract_months),
  dataGb: (deal) => gigabytes(deal),
  // A third has fewer texts than minutes, so that the two can be told apart.
  callMinutes: (deal, at) => (at % 3 === 0 ? '500' : limit(deal.call_minutes)),
  textMessages: (deal) => limit(deal.text_messages),
  upfrontCost: (deal) => pounds(deal.upfront_pence),
  monthlyCost: (deal) => pounds(deal.monthly_pence),
  totalCost: (deal) => pounds(deal.total_pence),
  cashbackType: (deal, at) => (at % 8 === 0 ? 'Automatic Cashback' : (deal.cashback_type ?? '')),
  cashbackValue: (deal, at) => (at % 8 === 0 ? '30.00' : cashback(deal)),
  gift: (_, at) => (at % 9 === 0 ? 'Stride Band' : ''),
  dealLink: (deal) => deal.link,
  validFrom: (_, at) => (at % 20 === 3 ? '2026-11-01' : at % 20 === 13 ? '2027-03-01' : ''),
  validTo: (_, at) => (at % 10 === 1 ? '2026-11-10' : at % 4 === 0 ? '2027-06-30' : ''),
  inStock: (_, at) => (at % 12 === 5 ? 'no' : 'yes'),
};

const SHEET: Columns = {
  'Deal Ref': (deal) => deal.deal_key,
  Handset: (deal) => deal.product_name,
  Grade: (deal) => (deal.condition === 'new' ? 'Brandnew' : 'Renewed'),
  Shop: (deal) => deal.retailer_slug,
  Operator: (deal) => deal.network_slug,
  'Price Plan': (deal) => `${plan(deal)} £ deal`,
  Term: (deal) => String(deal.contract_months),
  'Total Data': (deal) => gigabytes(deal),
  Mins: (deal) => limit(deal.call_minutes, 'unl'),
  Sms: (deal, at) => (at % 3 === 0 ? '250' : limit(deal.text_messages, 'unl')),
  'Pay-in': (deal) => `£${pounds(deal.upfront_pence)}`,
  Subscription: (deal) => `£${pounds(deal.monthly_pence)}`,
  'Cost of Contract': ({ total_pence: total }) =>
    `£${(total / 100).toLocaleString('en-GB', { minimumFractionDigits: 2 })}`,
  'Cashback How': (deal) => deal.cashback_type ?? '',
  Cashback: cashback,
  'Free Gift': (deal) => deal.gift_name ?? '',
  URL: (deal) => deal.link,
  'Promo End date': (_, at) => (at % 10 === 1 ? '02/11/2026' : at % 3 === 0 ? '05/04/2027' : ''),
  Available: (_, at) => (at % 9 === 5 ? 'Sold out' : 'Yes'),
  Comment: () => '',
};

const SHOP: Columns = {
  id: (deal) => deal.deal_key,
  title: (deal) => deal.product_name,
  description: () => 'A phone with a contract & a SIM',
  link: (deal) => deal.link,
  image_link: () => 'https://media.phonewright.example/phone.png',
  availability: (_, at) => (at % 11 === 4 ? 'out_of_stock' : 'in_stock'),
  price: (deal) => `${pounds(deal.upfront_pence)} GBP`,
  condition: () => 'new',
  brand: (deal) => deal.product_name.split(' ')[0] ?? '',
  google_product_category: () => '267',
  subscription_cost: (deal) => `month:${deal.contract_months}:${pounds(deal.monthly_pence)} GBP`,
  custom_label_0: (deal) => deal.network_slug,
  custom_label_1: plan,
  custom_label_2: (deal) => gigabytes(deal, 'GB'),
  custom_label_3: (deal) => limit(deal.call_minutes),
  custom_label_4: (deal) => limit(deal.text_messages),
};

/**
 * Feeds of other shapes, made of the deals that the sample serves: NDJSON of two retailers, a sheet of two, and a shop's
 * RSS of one. More is filled than in the sample: every total and condition, stock and ends for many.
 */
export function writeMixedFeeds(house: FeedFile, served: readonly ServedDeal[]): FeedFile[] {
  const { table } = house;
  const gtins = new Map(table.rows.map((row) => [idOf(house, row), readField('deals', table, row, 'gtin')[0] ?? '']));
  const deals = served
    // Without the deal by which the sample shows characters that are lost: they are for mutations to lose.
    .filter(({ feed, contract_name: name }) => feed === 'house' && !name.includes('\ufffd'))
    .sort((a, b) => (a.deal_key < b.deal_key ? -1 : 1))
    .map((deal) => ({ ...deal, gtin: gtins.get(deal.deal_key) ?? '' }));
  const of = (...retailers: string[]) =>
    deals.filter((deal, at) => retailers.includes(deal.retailer_slug) && at % 5 < 3);
  const write = (name: FeedFile['shape'], path: string, columns: Columns, own: readonly Deal[]): FeedFile => {
    const rows = own.map((deal, at) => Object.values(columns).map((say) => say(deal, at)));
    return { name, shape: name, path, isPacked: false, table: { header: Object.keys(columns), rows } };
  };
  const newPhones = of('phonewright').filter(({ condition }) => condition === 'new');
  return [
    write('lines', 'feeds/lines.ndjson', LINES, of('handset-harbour', 'dialstone')),
    write('sheet', 'feeds/sheet.csv', SHEET, of('ringfield-mobiles', 'bramble-mobiles')),
    write('shop', 'feeds/shop.xml', SHOP, newPhones),
  ];
}

const idOf = ({ shape, table }: FeedFile, row: readonly string[]): string =>
  readField(shape, table, row, 'dealId')[0] ?? '';
