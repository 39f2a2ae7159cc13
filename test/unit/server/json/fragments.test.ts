import { describe, expect, it } from 'vitest';
import { answerOffline } from '../../../../server/offline.ts';
import { FIXTURE } from '../../../contract/fixture-catalogue.ts';
import type { OracleCatalogue } from '../../../oracle/catalogue.ts';
import { openCatalogue } from '../open-catalogue.ts';

const AWKWARD = [
  'Quoted "phone" back\\slash \\" \\u0041',
  '</script><script>alert(1)</script>',
  'line\u2028and\u2029paragraph, tab\tbreak\r\n',
  'null\u0000bell\u0007delete\u007f',
  '📱 e\u0301 \u202eltr',
  'lone \ud83d high',
  'lone \udcf1 low',
  '__proto__',
];

/** Every text that a catalogue can hold is `text`. */
function catalogueOf(text: string): OracleCatalogue {
  const texts = { heading: text, introduction: text };
  const metaData = { title: text, description: text, keywords: text };
  return {
    ...FIXTURE,
    currency: { code: 'GBP', label: text },
    networks: FIXTURE.networks.map((network) => ({ ...network, name: text })),
    retailers: FIXTURE.retailers.map((retailer) => ({ ...retailer, name: text })),
    manufacturers: FIXTURE.manufacturers.map((manufacturer) => ({ ...manufacturer, name: text })),
    gifts: FIXTURE.gifts.map((gift) => ({ ...gift, name: text, content: texts, metaData })),
    giftCategories: FIXTURE.giftCategories.map((category) => ({
      ...category,
      name: text,
      content: texts,
      pageContent: texts,
      metaData,
    })),
    products: FIXTURE.products.map((product) => ({
      ...product,
      name: text,
      content: texts,
      pageContent: texts,
      metaData,
      specs: { os: text, '4g': text },
    })),
    deals: FIXTURE.deals.map((deal) => ({
      ...deal,
      dealType: text,
      contractName: text,
      cashback: { type: text, pence: 1 },
      gift: { text },
      picture: 'https://feed.example/a.jpg',
    })),
  };
}

const ALL = 'expand=content,page-content,meta-data,specs,images,deals,cheapestDeal&limit=100';

it.each(AWKWARD)('the text %j comes out of every place as it went in', async (text) => {
  const snapshot = await openCatalogue(catalogueOf(text));
  const read = (target: string) => {
    const { status, body } = answerOffline(snapshot, target);
    expect(status).toBe(200);
    return JSON.parse(body) as Record<string, Record<string, unknown>[]>;
  };
  const { products = [], deals = [] } = read(`/deals/v1/products/?${ALL}`);
  expect(products).toHaveLength(FIXTURE.products.length);
  for (const product of products) {
    expect(product).toMatchObject({
      name: text,
      content: { heading: text },
      pageContent: { introduction: text },
      metaData: { keywords: text },
      specs: { os: text, '4g': text },
    });
  }
  expect(products[0]?.['cheapestDeal']).toMatchObject({
    currencyLabel: text,
    contractSupplierName: text,
    retailSupplierName: text,
  });
  expect(deals).toHaveLength(FIXTURE.deals.length);
  for (const deal of deals) {
    expect(deal).toMatchObject({
      dealType: text,
      contractName: text,
      contractSupplierName: text,
      supplierName: text,
      productName: text,
      giftName: text,
      cashbackType: text,
    });
  }
  for (const resource of ['networks', 'retailers', 'manufacturers']) {
    expect(read(`/deals/v1/${resource}/`)[resource]?.[0]).toMatchObject({ name: text });
  }
  expect(read('/deals/v1/gifts/?fields=heading')['gifts']?.[0]).toMatchObject({ name: text });
  const categories = read('/deals/v1/gifts/categories/?expand=gifts')['giftCategories'];
  expect(categories?.[0]).toMatchObject({ name: text, gifts: { gifts: [{ name: text }, { name: text }] } });
});

describe('links', () => {
  const marks = ['', '"', '\\', '</script>', '\u2028', '📱', '%22', '£', '\\"£📱"'];
  it.each(marks.map((mark) => `https://shop.example/a${mark}b?id=c${mark}d&from=e${mark}f`))(
    '%j is whole in deals and cheapestDeal',
    async (link) => {
      const deals = FIXTURE.deals.map((deal) => ({ ...deal, link }));
      const snapshot = await openCatalogue({ ...FIXTURE, deals });
      const { body } = answerOffline(snapshot, '/deals/v1/products/?expand=deals,cheapestDeal&filter[id]=eq{101}');
      expect(body).toContain(`"dealLink":${JSON.stringify(link)}`);
      expect(body).toContain(`"purchaseLink":${JSON.stringify(link)}`);
    },
  );
});
