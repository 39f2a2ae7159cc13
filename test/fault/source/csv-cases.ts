import { gzipSync } from 'node:zlib';
import { deal, HEADER } from '../../unit/build/run/write-sources.ts';
import { failed, fresh, hostileFeed, type HostileSource } from './hostile-source.ts';
import { gzipOf } from './packed-cases.ts';

const COLUMN_COUNT = HEADER.split(',').length;

const rowOf = (id: string) => deal(id, '101', 'new', 'phone-barn', '31.00');

/** A feed of one deal, with one cell as it should not be. */
const withCell = (before: string, after: string) => `${HEADER}\n${rowOf('C-1').replace(before, () => after)}\n`;
const withMoney = (amount: string) => withCell('31.00', amount);
const withLink = (link: string) => withCell('https://shop.example/C-1', `"${link}"`);
const withPlan = (plan: string) => withCell('Plan 4', plan);

const HEADER_BY_NAME = HEADER.replace('productId', 'productName');
const rowByName = (i: number, name: string) => rowOf(`U-${i}`).replace(',101,', `,${name},`);

function rowsOf(count: number, row: (i: number) => string): string {
  let rows = '';
  for (let i = 0; i < count; i++) rows += `${row(i)}\n`;
  return rows;
}

const UTF_16 = `${HEADER}\n${rowOf('U-1')}\n`;
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

const csv = (content: string | Buffer) => ({ 'feed.csv': content });

const SOUND_FEED_ROWS = 25_000;
/** What the cost of hostile sources is compared with. */
export const SOUND_FEED = hostileFeed(
  `${SOUND_FEED_ROWS} sound deals`,
  () => csv(`${HEADER}\n${rowsOf(SOUND_FEED_ROWS, (i) => rowOf(`S-${i}`))}`),
  fresh(SOUND_FEED_ROWS),
);

export const CSV_CASES: readonly HostileSource[] = [
  hostileFeed(
    'an empty file',
    csv(''),
    failed('source-malformed', /feed\.csv:1: expected a row that names the columns/),
  ),
  hostileFeed(
    'a file of one byte order mark',
    csv('\ufeff'),
    failed('source-malformed', /feed\.csv:1: expected a row/),
  ),
  hostileFeed('a header and no rows', csv(`${HEADER}\n`), fresh(0)),
  hostileFeed(
    'a page of HTML',
    csv('<!doctype html>\n<title>404</title>\n'),
    failed('source-malformed', /feed\.csv:1: expected a row that names the columns, got an HTML page/),
  ),
  hostileFeed(
    'random bytes',
    csv(Buffer.from(Array.from({ length: 4_096 }, (_, i) => (i * 7_919 + 13) % 251))),
    failed('missing-column', /feed\.csv:\d+: expected the columns/, { 'unknown-column': 'some' }),
  ),
  hostileFeed(
    'a header twice',
    csv(`${HEADER},monthlyCost\n`),
    failed('source-malformed', /feed\.csv:1: expected the column monthlyCost once, got it twice/),
  ),
  hostileFeed(
    '__proto__, constructor and toString as columns',
    csv(`${HEADER},__proto__,constructor,toString,hasOwnProperty\n${rowOf('O-1')},x,x,x,x\n`),
    fresh(1, { 'unknown-column': 4 }, /__proto__/),
  ),
  hostileFeed(
    '__proto__, constructor and toString as ids of deals',
    csv(
      `${HEADER}\n${['__proto__', 'constructor', 'toString'].map((id, i) => rowOf(id).replace('31.00', `3${i}.00`)).join('\n')}\n`,
    ),
    fresh(3),
  ),
  hostileFeed(
    '__proto__ and constructor as product, retailer, network and gift',
    csv(
      [
        HEADER,
        rowOf('X-1').replace(',101,', ',__proto__,'),
        rowOf('X-2').replace('phone-barn', '__proto__'),
        rowOf('X-3').replace('aurora', 'constructor'),
        deal('X-4', '101', 'new', 'phone-barn', '35.00', 'toString'),
        rowOf('X-5').replace(',new,', ',__proto__,'),
        rowOf('X-6').replace('phone-barn', 'constructor'),
      ].join('\n'),
    ),
    fresh(1, { 'unknown-retailer': 2, 'unknown-network': 1, 'malformed-field': 2, 'gift-without-record': 1 }),
  ),
  hostileFeed(
    '100,000 columns',
    () => csv(`${HEADER},${Array.from({ length: 100_000 }, (_, i) => `x${i}`).join(',')}\n`),
    failed('source-malformed', /feed\.csv:1: expected at most \d+ columns, got 100014/),
  ),
  hostileFeed(
    'a row of a million cells',
    () => csv(`${HEADER}\n${'x,'.repeat(450_000)}x\n${rowOf('M-1')}\n`),
    fresh(1, { 'column-count': 1 }, /expected 14 cells, got "450001 cells"/),
  ),
  hostileFeed(
    'a row of 2,000,000 characters',
    () => csv(`${HEADER}\n${'x,'.repeat(1_000_000)}x\n${rowOf('M-1')}\n`),
    fresh(1, { 'column-count': 1 }),
  ),
  hostileFeed(
    'a line of 9 MB',
    () => csv(`${HEADER}\n${'x'.repeat(9_000_000)}\n`),
    failed('source-malformed', /feed\.csv:2: expected a line of at most 8000000 bytes/),
  ),
  hostileFeed(
    'a cell of 1 GB',
    () => ({ 'feed.csv.gz': Buffer.concat([gzipSync(`${HEADER}\n"`), gzipOf('a'.repeat(1 << 24), 64)]) }),
    failed('source-malformed', /feed\.csv\.gz:2: expected a line of at most/),
  ),
  hostileFeed(
    'a cell of 1 GB with line breaks',
    () => ({
      'feed.csv.gz': Buffer.concat([gzipSync(`${HEADER}\n"`), gzipOf(`${'a'.repeat(99)}\n`.repeat(160_000), 64)]),
    }),
    failed('source-malformed', /feed\.csv\.gz:2: expected every quoted cell of the row to end/),
  ),
  hostileFeed(
    'an open quote in a large file',
    () => csv(`${HEADER}\n${rowOf('Q-0').replace('Plan', '"Plan')}\n${`${rowOf('Q-1')}\n`.repeat(100_000)}`),
    failed('source-malformed', /feed\.csv:2: expected every quoted cell of the row to end/),
  ),
  hostileFeed(
    'an open quote in the last row',
    csv(`${HEADER}\n${rowOf('Q-1')}\n"${rowOf('Q-2')}`),
    failed('source-malformed', /feed\.csv:3: expected every quoted cell/),
  ),
  hostileFeed(
    'quotes and nothing else',
    () => csv(`${HEADER}\n${'"'.repeat(900_000)}\n`),
    fresh(0, { 'column-count': 1 }),
  ),
  hostileFeed(
    'a million stray quotes',
    () => csv(`${HEADER}\n${'a"'.repeat(400_000)}\n${rowOf('Q-3')}\n`),
    failed('source-malformed', /feed\.csv:2: expected every quoted cell of the row to end/),
  ),
  hostileFeed(
    'a stray quote in each of 100,000 rows',
    () => csv(`${HEADER}\n${'a"b,c,d,e,f\n'.repeat(100_000)}`),
    failed('source-malformed', /expected deals, got \d+ records that cannot be served/),
  ),
  hostileFeed('commas and nothing else', () => csv(`${HEADER}\n${`${','.repeat(499_999)}\n`.repeat(16)}`), fresh(0)),
  hostileFeed(
    'line breaks and nothing else',
    () => csv('\n'.repeat(8_000_000)),
    failed('source-malformed', /expected /),
  ),
  hostileFeed(
    'millions of rows that are nothing',
    () => ({ 'feed.csv.gz': gzipSync(`${HEADER}\n${'x\n'.repeat(7_900_000)}`) }),
    failed('source-malformed', /expected deals, got \d+ records that cannot be served/),
  ),
  hostileFeed(
    'another unknown phone on each of 25,000 rows',
    () => csv(`${HEADER_BY_NAME}\n${rowsOf(25_000, (i) => rowByName(i, `Zephyr ${i} Ultra 64GB`))}`),
    failed(
      'source-malformed',
      /expected deals, got 2\d+ records that cannot be served .* the last finding was unknown-product/,
    ),
  ),
  hostileFeed(
    'another unknown phone on each of 1,200,000 rows',
    () => ({
      'feed.csv.gz': gzipSync(`${HEADER_BY_NAME}\n${rowsOf(1_200_000, (i) => rowByName(i, `Zephyr ${i} Ultra 64GB`))}`),
    }),
    failed('source-malformed', /expected deals, got 2\d+ records that cannot be served/),
  ),
  hostileFeed(
    'an unknown phone on every other of 120,000 rows',
    () => csv(`${HEADER_BY_NAME}\n${rowsOf(120_000, (i) => rowByName(i, i % 2 ? 'Nova One' : `Zephyr ${i} Ultra`))}`),
    failed('source-malformed', /expected at most 50000 different names and ids of products, got more in 10\d+ records/),
  ),
  hostileFeed(
    'another unknown network on each of 150,000 rows',
    () => csv(`${HEADER}\n${rowsOf(150_000, (i) => rowOf(`N-${i}`).replace('aurora', `network ${i}`))}`),
    failed(
      'source-malformed',
      /expected deals, got \d+ records that cannot be served .* the last finding was unknown-network/,
    ),
  ),
  hostileFeed(
    'another plan on each of 51,000 rows',
    () => csv(`${HEADER}\n${rowsOf(51_000, (i) => rowOf(`P-${i}`).replace('Plan 4', `Plan ${i}`))}`),
    {
      state: 'failed',
      kept: 0,
      codes: { 'not-carried': 1 },
      says: /many-entries, 51000 different plans, at most 50000/,
    },
  ),
  hostileFeed(
    'carriage returns for line ends',
    csv(`${HEADER}\r${rowOf('R-1')}\r`),
    failed('missing-column', /feed\.csv:1/, { 'unknown-column': 'some' }),
  ),
  hostileFeed('a NUL behind every letter of a cell', csv(withPlan('P\0l\0a\0n\0')), fresh(1)),
  hostileFeed(
    'UTF-16 LE',
    csv(Buffer.from(`\ufeff${UTF_16}`, 'utf16le')),
    failed('source-unreadable', /feed\.csv:1: .*got UTF-16; save/),
  ),
  hostileFeed(
    'UTF-16 BE',
    csv(utf16be(`\ufeff${UTF_16}`)),
    failed('source-unreadable', /feed\.csv:1: .*got UTF-16; save/),
  ),
  hostileFeed(
    'UTF-16 LE without a mark',
    csv(Buffer.from(UTF_16, 'utf16le')),
    failed('source-unreadable', /UTF-16 or no text/),
  ),
  hostileFeed('UTF-16 BE without a mark', csv(utf16be(UTF_16)), failed('source-unreadable', /UTF-16 or no text/)),
  hostileFeed(
    'broken UTF-8',
    csv(Buffer.from(`${HEADER}\n${rowOf('B-1').replace('Plan', 'Pl\xc3 \xe2\x82 \xff\xfe\xc0\x80n')}\n`, 'latin1')),
    fresh(1),
  ),
  hostileFeed(
    'lone surrogates as bytes',
    csv(Buffer.from(`${HEADER}\n${rowOf('B-2').replace('Plan', 'Pl\xed\xa0\x80n\xed\xb0\x80')}\n`, 'latin1')),
    fresh(1),
  ),
  hostileFeed(
    'an escape sequence of a terminal in a cell',
    csv(withMoney('\x1b[2J\x9b31m')),
    fresh(0, { 'malformed-field': 1 }),
  ),
  hostileFeed(
    'an escape sequence of a terminal in a column',
    csv(`\x1b]0;x\x07${HEADER}\n`),
    failed('missing-column', /dealId/, { 'unknown-column': 1 }),
  ),
  ...[
    '1e999',
    '-1e999',
    'Infinity',
    'NaN',
    '0x10',
    '1e3',
    '１２',
    '1_000',
    '99999999999999999999',
    '31.999',
    '',
    '--1',
  ].map((amount) =>
    hostileFeed(
      `a monthly cost of ${JSON.stringify(amount)}`,
      csv(withMoney(amount)),
      fresh(0, { [amount === '' ? 'missing-field' : 'malformed-field']: 1 }),
    ),
  ),
  hostileFeed('a monthly cost of -0', csv(withMoney('-0')), fresh(0, { 'zero-monthly-cost': 1 })),
  hostileFeed('a monthly cost of 999999999', csv(withMoney('999999999')), fresh(0, { 'money-above-ceiling': 1 })),
  ...[
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    ' javascript:alert(1)//https://shop.example/',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    '//shop.example/x',
    'https:shop.example',
    'https://',
    'https://shop.example/\r\nSet-Cookie: a=b',
    'https://shop.example/\nX-Evil: 1',
    `https://shop.example/${'a'.repeat(3_000)}`,
  ].map((link) =>
    hostileFeed(
      `the link ${JSON.stringify(link.slice(0, 60))}`,
      csv(withLink(link)),
      fresh(0, { 'malformed-field': 1 }, /dealLink: expected /),
    ),
  ),
  hostileFeed('a formula of a spreadsheet in a cell', csv(withPlan("=cmd|' /C calc'!A0")), fresh(1)),
  hostileFeed('the end of a script in a cell', csv(withPlan('Plan</script><script>alert(1)</script>')), fresh(1)),
  hostileFeed(
    'a script and nothing else in a cell',
    csv(withPlan('</script><script>alert(1)</script>')),
    fresh(0, { 'malformed-field': 1 }),
  ),
  hostileFeed('CR LF in a cell', csv(withPlan('"Plan\r\nX-Evil: 1"')), fresh(1)),
  hostileFeed('an id of 10 MB', () => csv(withCell('C-1', 'x'.repeat(700_000))), fresh(0, { 'malformed-field': 1 })),
  hostileFeed(
    'an id of a product beyond 2^53',
    csv(withCell(',101,', ',9007199254740993,')),
    fresh(0, { 'unknown-product': 1 }),
  ),
  hostileFeed(
    'an id of a product of 40 digits',
    csv(withCell(',101,', `,${'9'.repeat(40)},`)),
    fresh(0, { 'malformed-field': 1 }),
  ),
  hostileFeed('2^53 months', csv(withCell(',24,', ',9007199254740993,')), fresh(0, { 'malformed-field': 1 })),
  hostileFeed('data beyond every number', csv(withCell(',24,4,', ',24,1e308,')), fresh(0, { 'malformed-field': 1 })),
  hostileFeed(
    'a column of Google named like a method',
    {
      'feed.tsv':
        'id\ttitle\tlink\tprice\tconstructor(a:b)\t__proto__(a:b)\n1\tx\thttps://shop.example/\t1.00 GBP\tx\tx\n',
    },
    failed('missing-column', /feed\.tsv:1: expected the columns /),
    {
      adapter: 'google-merchant',
      constants: {
        retailer: 'phone-barn',
        network: 'aurora',
        dataGb: 'unlimited',
        callMinutes: 'unlimited',
        textMessages: 'unlimited',
        contractName: 'x',
      },
    },
  ),
];

if (COLUMN_COUNT !== 14) throw new Error('the messages above count 14 columns');
