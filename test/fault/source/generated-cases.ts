import { gzipSync } from 'node:zlib';
import { HEADER } from '../../unit/build/run/write-sources.ts';
import {
  failed,
  fresh,
  hostileCms,
  hostileFeed,
  type Fate,
  type HostileFiles,
  type HostileSource,
} from './hostile-source.ts';
import { gzipOf } from './packed-cases.ts';
import { GOOGLE, jsonDeal, openItem, rowOf, RSS, textCasesOf, XML } from './text-cases.ts';

const rowByName = (i: number, name: string) => rowOf(`U-${i}`).replace(',101,', `,${name},`);
const HEADER_BY_NAME = HEADER.replace('productId', 'productName');

function rowsOf(count: number, row: (i: number) => string): string {
  let rows = '';
  for (let i = 0; i < count; i++) rows += `${row(i)}\n`;
  return rows;
}

const csv = (content: string | Buffer) => ({ 'feed.csv': content });

/** Hostile tables. Those of one text are in `text-cases.tsv`. */
export const CSV_CASES: readonly HostileSource[] = [
  ...textCasesOf('csv'),
  hostileFeed(
    '100,000 columns',
    () => csv(`${HEADER},${Array.from({ length: 100_000 }, (_, i) => `x${i}`).join(',')}\n`),
    failed('source-malformed', /feed\.csv:1: expected at most \d+ columns, got 100014/),
  ),
  hostileFeed(
    'another unknown phone on each of 25,000 rows',
    () => csv(`${HEADER_BY_NAME}\n${rowsOf(25_000, (i) => rowByName(i, `Zephyr ${i} Ultra 64GB`))}`),
    failed(
      'source-malformed',
      /expected deals, got 2\d+ records that cannot be served .* the last finding was unknown-product/,
    ),
  ),
];

/** Keys that V8 keeps as numbers, and that fall on one another in a table of 2^17 places. */
const collidingKeys = (count: number) => Array.from({ length: count }, (_, i) => `"${i * 131_072}":0`).join(',');
const cms = (value: unknown) => ({ 'site.json': typeof value === 'string' ? value : JSON.stringify(value) });
const ndjson = (...lines: readonly string[]) => ({ 'feed.ndjson': `${lines.join('\n')}\n` });

/** Hostile JSON. */
export const JSON_CASES: readonly HostileSource[] = [
  ...textCasesOf('json'),
  hostileFeed(
    '100,000 keys that collide',
    () => ndjson(`${jsonDeal('J-1')},${collidingKeys(100_000)}}`),
    fresh(0, { 'malformed-record': 1 }, /expected at most \d+ keys, got "100012"/),
  ),
  hostileFeed(
    'another unknown key on each of 20,000 lines',
    () =>
      ndjson(
        ...Array.from({ length: 20_000 }, (_, i) =>
          `${jsonDeal(`J-${i}`)},"x${i}":1}`.replace('"Plan J"', `"Plan ${i}"`),
        ),
      ),
    failed('source-malformed', /feed\.ndjson:\d+: expected at most \d+ keys that are not read/, {
      'unknown-column': 'some',
    }),
  ),
  hostileCms(
    'a Contentful export whose entries and locales lead to themselves',
    cms({
      locales: [
        { code: 'en', default: true, fallbackCode: 'de' },
        { code: 'de', fallbackCode: 'en' },
      ],
      entries: [
        {
          sys: { id: '__proto__', publishedVersion: 1, version: 2, contentType: { sys: { id: 'network' } } },
          fields: {
            name: { en: { nodeType: 'document', content: [] } },
            slug: { en: { sys: { type: 'Link', linkType: 'Entry', id: '__proto__' } } },
            constructor: { en: 'x' },
          },
        },
      ],
    }),
    fresh(0, { 'missing-field': 1 }),
    {
      adapter: 'contentful',
      mapping: { networks: { fields: { id: { hashed: 'sys.id' }, slug: 'slug.slug.slug.slug' } } },
    },
  ),
];

const itemOf = (id: string, more = '') => `${openItem(id)}${more}</item>`;
const rss = (items: string, prolog = '') => `${XML}${prolog}${RSS}${items}</channel></rss>`;
const google = (name: string, files: HostileFiles, fate: Fate) => hostileFeed(name, files, fate, GOOGLE);
const xml = (content: string | Buffer) => ({ 'feed.xml': content });

const LAUGHS = `<!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from({ length: 9 }, (_, i) => `<!ENTITY lol${i + 1} "${`&lol${i === 0 ? '' : i};`.repeat(10)}">`).join('')}]>`;
/** Hostile XML. */
export const XML_CASES: readonly HostileSource[] = [
  ...textCasesOf('xml'),
  google(
    'a billion laughs',
    xml(rss(itemOf('G-1', '<g:custom_label_2>&lol9;</g:custom_label_2>') + itemOf('G-2'), LAUGHS)),
    fresh(1, { 'malformed-record': 1 }, /undefined entity/),
  ),
  google(
    'NULs without end',
    () => ({ 'feed.xml.gz': Buffer.concat([gzipSync(rss('').slice(0, -16)), gzipOf('\0'.repeat(1 << 24), 40)]) }),
    failed('source-malformed', /expected texts and tags of at most/),
  ),
];
