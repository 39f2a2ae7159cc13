import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { HEADER } from '../../unit/build/run/write-sources.ts';
import { failed, fresh, hostileCms, hostileFeed, type Fate, type HostileSource } from './hostile-source.ts';
import { gzipOf } from './made-cases.ts';
import { expand, GOOGLE, jsonDeal, openItem, rowOf, RSS, XML } from './texts.ts';

const SETTINGS: Readonly<Record<string, object>> = {
  google: GOOGLE,
  wordpress: { adapter: 'wordpress', mapping: { networks: { type: 'network' } } },
};

/**
 * The hostile sources that are one text, from `text-cases.tsv`. The columns are separated by tabs: whether it is of the
 * first tier and built alone, the notices with their counts, what the first of them says as a regular expression, and the
 * content of the file, which `expand` reads.
 */
const [, ...LINES] = readFileSync(join(import.meta.dirname, 'text-cases.tsv'), 'utf8')
  .trimEnd()
  .split('\n');

function readLine(line: string): HostileSource {
  const [run = '', adapter = '', name = '', file = '', state = '', notices = '', says = '', content = ''] =
    line.split('\t');
  const files = () => ({ [file]: file.endsWith('.gz') ? gzipSync(expand(content)) : expand(content) });
  const create = adapter === 'catalogue' || adapter === 'wordpress' ? hostileCms : hostileFeed;
  return create(name, files, readFate(state, notices, says), {
    settings: SETTINGS[adapter] ?? { adapter },
    isAlone: run.includes('alone'),
    isFirst: run.includes('first'),
  });
}

function readFate(state: string, notices: string, says: string): Fate {
  const [word, kept = '0'] = state.split(' ');
  const counts = notices === '-' ? [] : notices.split(', ').map((notice) => notice.split(': '));
  return {
    state: word as Fate['state'],
    kept: Number(kept),
    codes: Object.fromEntries(counts.map(([code, count]) => [code, count === 'some' ? 'some' : Number(count)])),
    says: says === '-' ? undefined : new RegExp(says),
  };
}

function linesOf(count: number, line: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => `${line(i)}\n`).join('');
}

/** Keys that V8 keeps as numbers, and that fall on one another in a table of 2^17 places. */
const COLLIDING_KEYS = Array.from({ length: 100_000 }, (_, i) => `"${i * 131_072}":0`).join(',');

const LAUGHS = `<!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from({ length: 9 }, (_, i) => `<!ENTITY lol${i + 1} "${`&lol${i === 0 ? '' : i};`.repeat(10)}">`).join('')}]>`;

const LOOPING_CONTENTFUL = {
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
};

/** Hostile tables, JSON and XML. */
export const TEXT_CASES: readonly HostileSource[] = [
  ...LINES.map(readLine),
  hostileFeed(
    '100,000 columns',
    () => ({ 'feed.csv': `${HEADER},${Array.from({ length: 100_000 }, (_, i) => `x${i}`).join(',')}\n` }),
    failed('source-malformed', /feed\.csv:1: expected at most \d+ columns, got 100014/),
  ),
  hostileFeed(
    'another unknown phone on each of 25,000 rows',
    () => {
      const rows = linesOf(25_000, (i) => rowOf(`U-${i}`).replace(',101,', `,Zephyr ${i} Ultra 64GB,`));
      return { 'feed.csv': `${HEADER.replace('productId', 'productName')}\n${rows}` };
    },
    failed(
      'source-malformed',
      /expected deals, got 2\d+ records that cannot be served .* the last finding was unknown-product/,
    ),
    { isAlone: true, isFirst: true },
  ),
  hostileFeed(
    '100,000 keys that collide',
    { 'feed.ndjson': `${jsonDeal('J-1')},${COLLIDING_KEYS}}\n` },
    fresh(0, { 'malformed-record': 1 }, /expected at most \d+ keys, got "100012"/),
  ),
  hostileFeed(
    'another unknown key on each of 20,000 lines',
    () => {
      const line = (i: number) => `${jsonDeal(`J-${i}`)},"x${i}":1}`.replace('"Plan J"', `"Plan ${i}"`);
      return { 'feed.ndjson': linesOf(20_000, line) };
    },
    failed('source-malformed', /feed\.ndjson:\d+: expected at most \d+ keys that are not read/, {
      'unknown-column': 'some',
    }),
    { isAlone: true },
  ),
  hostileCms(
    'a Contentful export whose entries and locales lead to themselves',
    { 'site.json': JSON.stringify(LOOPING_CONTENTFUL) },
    fresh(0, { 'missing-field': 1 }),
    {
      settings: {
        adapter: 'contentful',
        mapping: { networks: { fields: { id: { hashed: 'sys.id' }, slug: 'slug.slug.slug.slug' } } },
      },
    },
  ),
  hostileFeed(
    'a billion laughs',
    {
      'feed.xml': `${XML}${LAUGHS}${RSS}${openItem('G-1')}<g:custom_label_2>&lol9;</g:custom_label_2></item>${openItem('G-2')}</item></channel></rss>`,
    },
    fresh(1, { 'malformed-record': 1 }, /undefined entity/),
    { settings: GOOGLE, isFirst: true },
  ),
  hostileFeed(
    'NULs without end',
    () => ({
      'feed.xml.gz': Buffer.concat([gzipSync(`${XML}${RSS}${' '.repeat(2_000)}`), gzipOf('\0'.repeat(1 << 24), 40)]),
    }),
    failed('source-malformed', /expected texts and tags of at most/),
    { settings: GOOGLE },
  ),
];
