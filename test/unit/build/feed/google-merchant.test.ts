import { describe, expect, it } from 'vitest';
import { onlyDeal, onlyNotice, readWith, type FeedReading } from './reading.ts';
import { GOOGLE, type Cells } from './forms.ts';

const { row: ITEM, settings: SETTINGS } = GOOGLE;

const DEAL = {
  key: 'R-1',
  product: { feedIds: [], gtin: '0840244706500', name: 'Nokia X Pro 128GB', colour: 'Sky Blue', condition: 'new' },
  retailer: { key: 'red-shop', names: [], feedIds: [] },
  network: { key: 'Red', names: [], feedIds: [] },
  dealType: 'contract',
  contractName: 'Red Value',
  contractMonths: 24,
  dataMegabytes: 100_000,
  callMinutes: 'unlimited',
  textMessages: 5_000,
  upfrontPence: 4_900,
  monthlyPence: 3_500,
  link: 'https://shop.example/r-1?a=1&b=2',
  productImage: 'https://media.example/1.png',
};

function tableOf(delimiter: string, ...items: readonly Cells[]): string {
  const columns = [...new Set([...Object.keys(ITEM), ...items.flatMap((item) => Object.keys(item))])];
  const quote = (text: string): string => (/["\t\n,;|]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = [columns, ...items.map((item) => columns.map((column) => item[column] ?? ''))];
  return rows.map((cells) => `${cells.map(quote).join(delimiter)}\n`).join('');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function elementOf([name, text]: readonly [string, string]): string {
  if (name === 'subscription_cost') {
    const [period = '', length = '', amount = ''] = text.split(':');
    return `<g:subscription_cost>\n<g:period>${period}</g:period><g:period_length>${length}</g:period_length><g:amount>${amount}</g:amount></g:subscription_cost>`;
  }
  if (name !== 'product_detail') return `<g:${name}>${escapeXml(text)}</g:${name}>`;
  return text
    .split(',')
    .map((detail) => {
      const [section = '', attribute = '', value = ''] = detail.split(':');
      return `<g:product_detail><g:section_name>${section}</g:section_name><g:attribute_name>${attribute}</g:attribute_name><g:attribute_value>${value}</g:attribute_value></g:product_detail>`;
    })
    .join('');
}

function itemOf(item: Cells): string {
  return `<item>${Object.entries(item).map(elementOf).join('\n')}</item>`;
}

function rssOf(...items: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>
<title>Red Shop</title><link>https://shop.example/</link>
${items.join('\n')}
</channel></rss>
`;
}

async function read(content: string | Buffer, settings: object = {}): Promise<FeedReading> {
  return readWith({ ...SETTINGS, ...settings }, content);
}

async function readItem(change: Cells, settings: object = {}): Promise<FeedReading> {
  return read(tableOf('\t', { ...ITEM, ...change }), settings);
}

describe('the google-merchant adapter', () => {
  it.each([
    ['tabs', tableOf('\t', ITEM)],
    ['commas', tableOf(',', ITEM)],
    ['vertical bars, and a byte order mark', `\uFEFF${tableOf('|', ITEM)}`],
    ['RSS', rssOf(itemOf(ITEM))],
    [
      'RSS with text for a subscription',
      rssOf(
        `<item>${itemOf(ITEM)
          .slice(6)
          .replace(
            /<g:subscription_cost>.*?<\/g:subscription_cost>/s,
            '<g:subscription_cost> month:24:35.00 GBP </g:subscription_cost>',
          )}`,
      ),
    ],
    [
      'RSS with CDATA',
      rssOf(itemOf(ITEM).replace('>Nokia X Pro 128GB<', '><![CDATA[Nokia X <Pro> 128GB]]><').replace('<Pro>', 'Pro')),
    ],
    ['RSS with bare ampersands', rssOf(itemOf(ITEM).replaceAll('&amp;', '&'))],
    [
      'Atom',
      `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="x"><title>Shop</title>${itemOf(ITEM).replace('<item>', '<entry><id>https://shop.example/entry/1</id><title>Nokia</title><link href="https://shop.example/atom"/>').replace('</item>', '</entry>')}</feed>`,
    ],
    ['JSON lines', `${JSON.stringify(ITEM)}\n`],
    [
      'JSON lines in groups',
      `${JSON.stringify({
        meta: { advertiser_id: 1001, id: 'not this one' },
        product_basic: { id: ITEM.id, title: ITEM.title, link: ITEM.link, brand: ITEM.brand, gtin: ITEM.gtin },
        product_details: {
          condition: 'new',
          color: ITEM.color,
          google_product_category: 267,
          image_link: ITEM.image_link,
          custom_label_0: 'Red',
          custom_label_1: 'Red Value',
          product_detail: [
            { section_name: 'Plan', attribute_name: 'Data allowance', attribute_value: '100GB' },
            { attribute_name: 'minutes', attribute_value: 'Unlimited' },
            { attribute_name: 'Texts', attribute_value: 5000 },
          ],
        },
        pricing: {
          price: { value: '49.00', currency: 'GBP' },
          availability: 'in stock',
          subscription_cost: { period: 'month', period_length: 24, amount: { value: 35, currency: 'GBP' } },
        },
      })}\n`,
    ],
    [
      'columns of other spellings',
      tableOf('\t', ITEM)
        .replace('image_link', 'Image Link')
        .replace('subscription_cost', 'g:Subscription-Cost(period:period_length:amount)')
        .replace('gtin', 'GTIN'),
    ],
  ])('reads %s', async (_, text) => {
    const fed = await read(text);
    expect(onlyDeal(fed)).toEqual(DEAL);
    expect(fed.account).toEqual({ read: 1, kept: 1, duplicate: 0, outOfScope: 0, quarantined: 0 });
  });

  it.each([
    ['windows-1252', 'latin1'],
    ['UTF-8', 'utf8'],
    ['UTF-16', 'utf16le'],
  ] as const)('reads XML in %s', async (encoding, charset) => {
    const mark = encoding === 'UTF-16' ? '\uFEFF' : '';
    const text = mark + rssOf(itemOf({ ...ITEM, custom_label_1: 'Café £5' })).replace('UTF-8', encoding);
    expect(onlyDeal(await read(Buffer.from(text, charset))).contractName).toBe('Café £5');
  });

  it('reads what the title says', async () => {
    const settings = {
      mapping: {},
      patterns: { title: ['{productName} on {network}, {dataGb} data, {callMinutes+textMessages} calls and texts'] },
      constants: { retailer: 'red-shop', contractName: '{network} {dataGb}' },
    };
    const title = 'Nokia X on Red, 100GB data, unlimited calls and texts';
    expect(onlyDeal(await readItem({ title }, settings))).toMatchObject({
      product: { name: 'Nokia X' },
      network: { key: 'Red' },
      contractName: 'Red 100GB',
      dataMegabytes: 100_000,
      textMessages: 'unlimited',
    });
    expect(onlyNotice(await readItem({ title: 'Nokia X on Red' }, settings))).toMatchObject({
      code: 'unmatched-pattern',
      field: 'title',
      found: 'Nokia X on Red',
    });
  });

  it('contains an item of malformed XML, and expands no entity that a document declares', async () => {
    const bomb = `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY x SYSTEM "file:///etc/hostname">]>`;
    const broken = itemOf(ITEM).replace('Nokia X', '&a;&x;');
    const text = rssOf(itemOf({ ...ITEM, id: 'R-0' }), broken, itemOf({ ...ITEM, id: 'R-2' }));
    const fed = await read(text.replace('<rss', `${bomb}<rss`));
    expect(fed.deals.map(({ key }) => key)).toEqual(['R-0', 'R-2']);
    expect(onlyNotice(fed)).toMatchObject({ code: 'malformed-record', record: 'R-1', expected: 'a well-formed item' });
    expect(onlyNotice(fed).found).toContain('undefined entity');
    expect(fed.account).toMatchObject({ read: 3, kept: 2, quarantined: 1 });
  });

  it('contains a line that is no JSON', async () => {
    const fed = await read(`\n${JSON.stringify(ITEM)}\n{"id":\n`);
    expect(onlyNotice(fed)).toMatchObject({ code: 'malformed-record', line: 3, expected: 'a JSON object' });
    expect(fed.account).toMatchObject({ read: 2, kept: 1, quarantined: 1 });
  });

  it.each([
    ['other XML', '<html><body/></html>', 'source-malformed', 'an RSS or Atom feed, <rss> or <feed>'],
    [
      'a table without a link',
      tableOf('\t', ITEM).replace('\tlink\t', '\turl\t'),
      'missing-column',
      'the columns "link"',
    ],
    [
      'a table without subscriptions',
      tableOf('\t', ITEM).replace('subscription_cost', 'x'),
      'missing-column',
      'the columns "subscription_cost"',
    ],
    [
      'parts in another order',
      tableOf('\t', ITEM).replace('subscription_cost', 'subscription_cost(amount:period:period_length)'),
      'source-malformed',
      'subscription_cost(period:period_length:amount)',
    ],
  ])('fails as a whole for %s', async (_, text, code, found) => {
    expect((await read(text)).fault).toMatchObject({ code, found: expect.stringContaining(found) as string });
  });
});
