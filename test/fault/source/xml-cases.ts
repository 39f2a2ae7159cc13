import { gzipSync } from 'node:zlib';
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

const GOOGLE = {
  adapter: 'google-merchant',
  mapping: { network: 'custom_label_0', contractName: 'custom_label_1' },
  constants: { retailer: 'phone-barn', dataGb: 'unlimited', callMinutes: 'unlimited', textMessages: 'unlimited' },
};

const WORDPRESS = { adapter: 'wordpress', mapping: { networks: { type: 'network' } } };

const item = (id: string, more = '') =>
  `<item><g:id>${id}</g:id><title>Nova One</title><link>https://shop.example/${id}</link><g:price>0.00 GBP</g:price><g:google_product_category>267</g:google_product_category><g:subscription_cost>month:24:31.00 GBP</g:subscription_cost><g:custom_label_0>aurora</g:custom_label_0><g:custom_label_1>Plan</g:custom_label_1>${more}</item>`;

const rss = (items: string, prolog = '') =>
  `<?xml version="1.0"?>${prolog}<rss xmlns:g="http://base.google.com/ns/1.0"><channel>${items}</channel></rss>`;

const post = (id: number, more = '') =>
  `<item><title>Net ${id}</title><wp:post_id>${id}</wp:post_id><wp:post_name>net-${id}</wp:post_name><wp:post_type>network</wp:post_type><wp:status>publish</wp:status>${more}</item>`;

const wxr = (items: string, prolog = '') =>
  `<?xml version="1.0"?>${prolog}<rss xmlns:wp="http://wordpress.org/export/1.2/" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>x</title>${items}</channel></rss>`;

const google = (name: string, files: HostileFiles, fate: Fate) => hostileFeed(name, files, fate, GOOGLE);
const wordpress = (name: string, files: HostileFiles, fate: Fate) => hostileCms(name, files, fate, WORDPRESS);
const xml = (content: string | Buffer) => ({ 'feed.xml': content });

const WXR_START = wxr('').replace('</channel></rss>', '');

const LAUGHS = `<!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from({ length: 9 }, (_, i) => `<!ENTITY lol${i + 1} "${`&lol${i === 0 ? '' : i};`.repeat(10)}">`).join('')}]>`;
const EXTERNAL =
  '<!DOCTYPE x SYSTEM "http://127.0.0.1:9/evil.dtd" [<!ENTITY xxe SYSTEM "file:///etc/passwd"><!ENTITY % pe SYSTEM "http://127.0.0.1:9/x"> %pe;]>';

export const XML_CASES: readonly HostileSource[] = [
  google(
    'a billion laughs',
    xml(rss(item('G-1', '<g:custom_label_2>&lol9;</g:custom_label_2>') + item('G-2'), LAUGHS)),
    fresh(1, { 'malformed-record': 1 }, /undefined entity/),
  ),
  google(
    'an external DTD and an external entity',
    xml(rss(item('G-1', '<g:description>&xxe;</g:description>') + item('G-2'), EXTERNAL)),
    fresh(1, { 'malformed-record': 1 }, /undefined entity/),
  ),
  google(
    'entities named like methods',
    xml(rss(item('G-1', '<g:x>&toString;&constructor;&__proto__;</g:x>') + item('G-2'))),
    fresh(1, { 'malformed-record': 1 }),
  ),
  google(
    'a character beyond every character',
    xml(rss(item('G-1', '<g:x>&#x110000;&#99999999999;&#0;</g:x>') + item('G-2'))),
    fresh(1, { 'malformed-record': 1 }),
  ),
  google(
    'a DOCTYPE of 20 MB',
    () => xml(rss(item('G-1'), `<!DOCTYPE x [${'<!ENTITY a "b">'.repeat(1_400_000)}]>`)),
    failed('source-malformed', /feed\.xml:\d+: expected texts and tags of at most/),
  ),
  google(
    'elements a million deep',
    () => xml(rss('<a>'.repeat(1_000_000))),
    failed('source-malformed', /feed\.xml:1: expected elements at most 64 deep/),
  ),
  google(
    'an item of a million elements',
    () => xml(rss(item('G-1', '<a/>'.repeat(1_000_000)))),
    failed('source-malformed', /feed\.xml:1: expected an item of at most/),
  ),
  google(
    'an item of a million attributes',
    () => xml(rss(item('G-1', `<a ${Array.from({ length: 60_000 }, (_, i) => `a${i}="x"`).join(' ')}/>`))),
    fresh(1),
  ),
  google(
    'an attribute of 20 MB',
    () => xml(rss(item('G-1', `<a x="${'x'.repeat(20_000_000)}"/>`))),
    failed('source-malformed', /expected texts and tags of at most/),
  ),
  google(
    'a comment that never ends',
    () => xml(rss(`<!--${'x'.repeat(20_000_000)}`)),
    failed('source-malformed', /expected texts and tags of at most/),
  ),
  google(
    'comments without end',
    () => ({ 'feed.xml.gz': gzipSync(rss('<!---->'.repeat(3_000_000))) }),
    failed('source-malformed', /expected texts and tags of at most/),
  ),
  google(
    'a text of 20 MB',
    () => xml(rss(item('G-1', `<g:description>${'x'.repeat(20_000_000)}</g:description>`))),
    failed('source-malformed', /expected /),
  ),
  google(
    'CDATA of 20 MB in pieces',
    () =>
      xml(
        rss(
          item(
            'G-1',
            `<g:description>${'<![CDATA[xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx]]>'.repeat(400_000)}</g:description>`,
          ),
        ),
      ),
    failed('source-malformed', /expected an item of at most/),
  ),
  google(
    'a name of 20 MB',
    () => xml(rss(`<${'x'.repeat(20_000_000)}>`)),
    failed('source-malformed', /expected texts and tags of at most/),
  ),
  google(
    'NULs without end',
    () => ({ 'feed.xml.gz': Buffer.concat([gzipSync(rss('').slice(0, -16)), gzipOf('\0'.repeat(1 << 24), 40)]) }),
    failed('source-malformed', /expected texts and tags of at most/),
  ),
  google('UTF-16', xml(Buffer.from(`\ufeff${rss(item('G-1'))}`, 'utf16le')), fresh(1)),
  google('UTF-16 BE', xml(Buffer.from(`\ufeff${rss(item('G-1'))}`, 'utf16le').swap16()), fresh(1)),
  google(
    'an unknown encoding',
    xml(rss(item('G-1')).replace('"1.0"?', '"1.0" encoding="utf-7"?')),
    failed('source-unreadable', /feed\.xml:1: expected the encoding UTF-8, UTF-16 or windows-1252, got "utf-7"/),
  ),
  google(
    'elements that cross',
    xml(rss('<a><b></a></b>')),
    failed('source-malformed', /feed\.xml:1: expected well-formed XML/),
  ),
  google(
    'a file that ends in the middle',
    xml(rss(item('G-1')).slice(0, -30)),
    failed('source-malformed', /feed\.xml:1: expected well-formed XML/),
  ),
  google(
    'elements and attributes named like methods',
    xml(
      rss(item('G-1', '<__proto__ constructor="x" __proto__="y">1</__proto__><constructor>2</constructor><toString/>')),
    ),
    fresh(1),
  ),
  google(
    'a script for a link',
    xml(rss(item('G-1').replace('https://shop.example/G-1', 'java&#9;script:alert(1)'))),
    fresh(0, { 'malformed-field': 1 }),
  ),
  google(
    'a title of spaces and digits of 900,000 characters',
    () => xml(rss(item('G-1').replace('Nova One', ' 1'.repeat(450_000)))),
    fresh(0, { 'malformed-field': 'some' }),
  ),
  wordpress(
    'a billion laughs in a site',
    xml(wxr(post(81, '<content:encoded>&lol9;</content:encoded>') + post(82), LAUGHS)),
    fresh(1, { 'malformed-record': 1 }),
  ),
  wordpress(
    'CDATA without end in a site',
    () => ({
      'feed.xml.gz': gzipSync(`${WXR_START}<description>${`<![CDATA[${'x'.repeat(1_000)}]]>`.repeat(15_000)}`),
    }),
    failed('source-malformed', /expected an item or a text of at most/),
  ),
  wordpress(
    'a post of a million terms',
    () => xml(wxr(post(83, '<category domain="a" nicename="b">c</category>'.repeat(500_000)))),
    failed('source-malformed', /feed\.xml:1: expected an item or a text of at most/),
  ),
  wordpress(
    'a post of open tags',
    () => xml(wxr(post(84, `<content:encoded><![CDATA[${"<a '".repeat(200_000)}]]></content:encoded>`))),
    fresh(1),
  ),
  wordpress(
    'a post of quotes that never close',
    () => xml(wxr(post(85, `<content:encoded><![CDATA[${'<a ">\''.repeat(150_000)}]]></content:encoded>`))),
    fresh(1),
  ),
  wordpress(
    'a post of brackets',
    () => xml(wxr(post(86, `<content:encoded><![CDATA[${'[gallery '.repeat(100_000)}]]></content:encoded>`))),
    fresh(1),
  ),
  wordpress(
    'a feed that is no site',
    xml(rss(item('G-1'))),
    failed('source-malformed', /expected an export of WordPress/),
  ),
];
