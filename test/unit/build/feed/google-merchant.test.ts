import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { onlyDeal, onlyNotice, readWith, type FeedReading } from './reading.ts';
import { GOOGLE } from './forms.ts';

const { settings: SETTINGS } = GOOGLE;

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

const readFixture = (name: string): string => readFileSync(join(import.meta.dirname, 'fixture/google', name), 'utf8');
const TABLE = readFixture('table.tsv');
const RSS = readFixture('rss.xml');
const LINE = readFixture('line.jsonl');
const SUBSCRIPTION = /(<g:subscription_cost>).*?(<\/g:subscription_cost>)/s;

async function read(content: string | Buffer, settings: object = {}): Promise<FeedReading> {
  return readWith({ ...SETTINGS, ...settings }, content);
}

describe('the google-merchant adapter', () => {
  it.each([
    ['tabs', TABLE],
    ['commas', TABLE.replaceAll('\t', ',')],
    ['vertical bars, and a byte order mark', `\uFEFF${TABLE.replaceAll('\t', '|')}`],
    ['RSS', RSS],
    ['RSS with text for a subscription', RSS.replace(SUBSCRIPTION, '$1 month:24:35.00 GBP $2')],
    ['RSS with CDATA', RSS.replace('>Nokia X Pro 128GB<', '><![CDATA[Nokia X Pro 128GB]]><')],
    ['RSS with bare ampersands', RSS.replaceAll('&amp;', '&')],
    ['Atom', readFixture('atom.xml')],
    ['JSON lines', LINE],
    ['JSON lines in groups', readFixture('groups.jsonl')],
    [
      'columns of other spellings',
      TABLE.replace('image_link', 'Image Link')
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
  ] as const)('reads XML in %s', async (encoding, charset) => {
    const text = RSS.replace('Red Value', 'Café £5').replace('UTF-8', encoding);
    expect(onlyDeal(await read(Buffer.from(text, charset))).contractName).toBe('Café £5');
  });

  it('reads what the title says', async () => {
    const settings = {
      mapping: {},
      patterns: { title: ['{productName} on {network}, {dataGb} data, {callMinutes+textMessages} calls and texts'] },
      constants: { retailer: 'red-shop', contractName: '{network} {dataGb}' },
    };
    const title = 'Nokia X on Red, 100GB data, unlimited calls and texts';
    const readTitle = (text: string) => read(TABLE.replace('Nokia X Pro 128GB', text), settings);
    expect(onlyDeal(await readTitle(title))).toMatchObject({
      product: { name: 'Nokia X' },
      network: { key: 'Red' },
      contractName: 'Red 100GB',
      dataMegabytes: 100_000,
      textMessages: 'unlimited',
    });
    expect(onlyNotice(await readTitle('Nokia X on Red'))).toMatchObject({
      code: 'unmatched-pattern',
      field: 'title',
      found: 'Nokia X on Red',
    });
  });

  it('contains an item of malformed XML, and expands no entity that a document declares', async () => {
    const bomb = `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY x SYSTEM "file:///etc/hostname">]>`;
    const [item = ''] = /<item>.*<\/item>/s.exec(RSS) ?? [];
    const [before, broken, after] = [
      item.replace('R-1', 'R-0'),
      item.replace('Nokia X', '&a;&x;'),
      item.replace('R-1', 'R-2'),
    ];
    const text = RSS.replace(item, `${before}\n${broken}\n${after}`);
    const fed = await read(text.replace('<rss', `${bomb}<rss`));
    expect(fed.deals.map(({ key }) => key)).toEqual(['R-0', 'R-2']);
    expect(onlyNotice(fed)).toMatchObject({ code: 'malformed-record', record: 'R-1', expected: 'a well-formed item' });
    expect(onlyNotice(fed).found).toContain('undefined entity');
    expect(fed.account).toMatchObject({ read: 3, kept: 2, quarantined: 1 });
  });

  it('contains a line that is no JSON', async () => {
    const fed = await read(`\n${LINE}{"id":\n`);
    expect(onlyNotice(fed)).toMatchObject({ code: 'malformed-record', line: 3, expected: 'a JSON object' });
    expect(fed.account).toMatchObject({ read: 2, kept: 1, quarantined: 1 });
  });

  it.each([
    ['UTF-16', Buffer.from(`\uFEFF${RSS}`, 'utf16le'), 'source-unreadable', 'got UTF-16'],
    ['other XML', '<html><body/></html>', 'source-malformed', 'an RSS or Atom feed, <rss> or <feed>'],
    ['a table without a link', TABLE.replace('\tlink\t', '\turl\t'), 'missing-column', 'the columns "link"'],
    [
      'a table without subscriptions',
      TABLE.replace('subscription_cost', 'x'),
      'missing-column',
      'the columns "subscription_cost"',
    ],
    [
      'parts in another order',
      TABLE.replace('subscription_cost', 'subscription_cost(amount:period:period_length)'),
      'source-malformed',
      'subscription_cost(period:period_length:amount)',
    ],
  ])('fails as a whole for %s', async (_, text, code, found) => {
    expect((await read(text)).fault).toMatchObject({ code, found: expect.stringContaining(found) as string });
  });
});
