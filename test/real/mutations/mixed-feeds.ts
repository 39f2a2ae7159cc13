import { readField, type Table } from './feed-file.ts';
import type { ServedDeal } from './snapshot-facts.ts';
import type { FeedFile, World } from './world.ts';

/**
 * Feeds of other shapes, made of the deals that the sample serves: NDJSON of two retailers, a sheet of two, and a shop's
 * RSS of one. More is filled than in the sample: every total and condition, stock and ends for many.
 */
export function writeMixedFeeds(sample: World): FeedFile[] {
  // Without the deal by which the sample shows characters that are lost: they are for mutations to lose.
  const deals = sample.snapshot.deals
    .filter((deal) => deal.source === 'house' && !deal.words.includes('\ufffd'))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const of = (...retailers: string[]) =>
    deals.filter((deal, at) => retailers.includes(deal.facts.retailer) && at % 5 < 3);
  const names = new Map(
    [...sample.snapshot.records].flatMap(([key, text]) =>
      key.startsWith('product ') ? [[key.slice(8), (JSON.parse(text) as { name: string }).name] as const] : [],
    ),
  );
  const nameOf = (deal: ServedDeal) => names.get(deal.facts.product) ?? '';
  const stated = deals.map((deal) => [deal.id, deal] as const);
  const rowOf = houseRows(sample, new Map(stated));
  const feed = (name: string, shape: FeedFile['shape'], path: string, table: Table): FeedFile => ({
    name,
    shape,
    path,
    isPacked: false,
    table,
  });
  return [
    feed('lines', 'lines', 'feeds/lines.ndjson', writeLinesTable(of('handset-harbour', 'dialstone'), nameOf, rowOf)),
    feed('sheet', 'sheet', 'feeds/sheet.csv', writeSheetTable(of('ringfield-mobiles', 'bramble-mobiles'), nameOf)),
    feed(
      'shop',
      'shop',
      'feeds/shop.xml',
      writeShopTable(
        of('phonewright').filter(({ facts }) => facts.product.endsWith('/new')),
        nameOf,
      ),
    ),
  ];
}

/** What the rows of the house feed say that a snapshot does not: how they name their product. */
function houseRows(sample: World, deals: ReadonlyMap<string, ServedDeal>): ReadonlyMap<string, string> {
  const house = sample.feeds.get('house');
  const gtins = new Map<string, string>();
  for (const row of house?.table.rows ?? []) {
    const [id = ''] = readField('deals', house?.table as Table, row, 'dealId');
    const [gtin] = readField('deals', house?.table as Table, row, 'gtin');
    if (gtin !== undefined && gtin !== '' && deals.has(id)) gtins.set(id, gtin);
  }
  return gtins;
}

const pounds = (pence: number): string => (pence / 100).toFixed(2);
const gigabytes = (data: number | 'unlimited'): string => (data === 'unlimited' ? data : String(data / 1000));
const cashbackOf = (deal: ServedDeal): [type: string, value: string] => {
  const at = deal.facts.cashback.lastIndexOf(' ');
  return at < 0 ? ['', ''] : [deal.facts.cashback.slice(0, at), pounds(Number(deal.facts.cashback.slice(at)))];
};

function writeLinesTable(
  deals: readonly ServedDeal[],
  nameOf: (deal: ServedDeal) => string,
  gtinOf: ReadonlyMap<string, string>,
): Table {
  const header =
    'dealId productId productName gtin condition retailer network dealType contractName contractMonths dataGb callMinutes textMessages upfrontCost monthlyCost totalCost cashbackType cashbackValue gift dealLink validFrom validTo inStock';
  return {
    header: header.split(' '),
    rows: deals.map(({ facts, ...deal }, at) => [
      deal.id,
      facts.product.split('/')[0] ?? '',
      at % 2 === 0 ? nameOf({ facts, ...deal }) : '',
      gtinOf.get(deal.id) ?? '',
      facts.product.split('/')[1] ?? '',
      facts.retailer,
      facts.network,
      'contract',
      `${deal.words.split(', ')[1] ?? ''} – été`,
      String(facts.months),
      gigabytes(facts.data),
      // A third has fewer texts than minutes, so that the two can be told apart.
      at % 3 === 0 ? '500' : String(facts.minutes),
      String(facts.texts),
      pounds(facts.upfrontPence),
      pounds(facts.monthlyPence),
      pounds(facts.totalPence),
      ...(at % 8 === 0 ? ['Automatic Cashback', '30.00'] : cashbackOf({ facts, ...deal })),
      at % 9 === 0 ? 'Stride Band' : '',
      deal.link,
      at % 10 === 3 ? (at % 20 === 3 ? '2026-11-01' : '2027-03-01') : '',
      at % 10 === 1 ? '2026-11-10' : at % 4 === 0 ? '2027-06-30' : '',
      at % 12 === 5 ? 'no' : 'yes',
    ]),
  };
}

function writeSheetTable(deals: readonly ServedDeal[], nameOf: (deal: ServedDeal) => string): Table {
  const header =
    'Deal Ref;Handset;Grade;Shop;Operator;Price Plan;Term;Total Data;Mins;Sms;Pay-in;Subscription;Cost of Contract;Cashback How;Cashback;Free Gift;URL;Promo End date;Available;Comment';
  return {
    header: header.split(';'),
    rows: deals.map((deal, at) => [
      deal.id,
      nameOf(deal),
      deal.facts.product.endsWith('/new') ? 'Brandnew' : 'Renewed',
      deal.facts.retailer,
      deal.facts.network,
      `${deal.words.split(', ')[1] ?? ''} £ deal`,
      String(deal.facts.months),
      gigabytes(deal.facts.data),
      deal.facts.minutes === 'unlimited' ? 'unl' : String(deal.facts.minutes),
      at % 3 === 0 ? '250' : deal.facts.texts === 'unlimited' ? 'unl' : String(deal.facts.texts),
      `£${pounds(deal.facts.upfrontPence)}`,
      `£${pounds(deal.facts.monthlyPence)}`,
      `£${Number(pounds(deal.facts.totalPence)).toLocaleString('en-GB', { minimumFractionDigits: 2 })}`,
      ...cashbackOf(deal),
      deal.facts.gift,
      deal.link,
      at % 10 === 1 ? '02/11/2026' : at % 3 === 0 ? '05/04/2027' : '',
      at % 9 === 5 ? 'Sold out' : 'Yes',
      '',
    ]),
  };
}

function writeShopTable(deals: readonly ServedDeal[], nameOf: (deal: ServedDeal) => string): Table {
  const header =
    'id title description link image_link availability price condition brand google_product_category subscription_cost custom_label_0 custom_label_1 custom_label_2 custom_label_3 custom_label_4';
  return {
    header: header.split(' '),
    rows: deals.map((deal, at) => [
      deal.id,
      nameOf(deal),
      'A phone with a contract & a SIM',
      deal.link,
      'https://media.phonewright.example/phone.png',
      at % 11 === 4 ? 'out_of_stock' : 'in_stock',
      `${pounds(deal.facts.upfrontPence)} GBP`,
      'new',
      nameOf(deal).split(' ')[0] ?? '',
      '267',
      `month:${deal.facts.months}:${pounds(deal.facts.monthlyPence)} GBP`,
      deal.facts.network,
      deal.words.split(', ')[1] ?? '',
      deal.facts.data === 'unlimited' ? 'unlimited' : `${gigabytes(deal.facts.data)}GB`,
      String(deal.facts.minutes),
      String(deal.facts.texts),
    ]),
  };
}
