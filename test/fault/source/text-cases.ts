import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { deal, HEADER } from '../../unit/build/run/write-sources.ts';
import { hostileCms, hostileFeed, type Fate, type HostileSource } from './hostile-source.ts';

export const GOOGLE = {
  adapter: 'google-merchant',
  mapping: { network: 'custom_label_0', contractName: 'custom_label_1' },
  constants: { retailer: 'phone-barn', dataGb: 'unlimited', callMinutes: 'unlimited', textMessages: 'unlimited' },
};

const WORDPRESS = { adapter: 'wordpress', mapping: { networks: { type: 'network' } } };

const SETTINGS: Readonly<Record<string, object>> = { google: GOOGLE, wordpress: WORDPRESS };

/** A sound row of a table. */
export const rowOf = (id: string): string => deal(id, '101', 'new', 'phone-barn', '31.00');

/** A sound deal as JSON without its last brace, so that keys can follow. */
export const jsonDeal = (id: string): string =>
  `{"dealId":"${id}","productId":"101","retailer":"phone-barn","network":"aurora","contractName":"Plan J","contractMonths":24,"dataGb":4,"callMinutes":"unlimited","textMessages":500,"upfrontCost":0,"monthlyCost":31,"dealLink":"https://shop.example/${id.length}"`;

/** A sound item of Google without its end, so that elements can follow. */
export const openItem = (id: string): string =>
  `<item><g:id>${id}</g:id><title>Nova One</title><link>https://shop.example/${id}</link><g:price>0.00 GBP</g:price><g:google_product_category>267</g:google_product_category><g:subscription_cost>month:24:31.00 GBP</g:subscription_cost><g:custom_label_0>aurora</g:custom_label_0><g:custom_label_1>Plan</g:custom_label_1>`;

/** A sound post of WordPress without its end. */
const openPost = (id: string): string =>
  `<item><title>Net ${id}</title><wp:post_id>${id}</wp:post_id><wp:post_name>net-${id}</wp:post_name><wp:post_type>network</wp:post_type><wp:status>publish</wp:status>`;

export const XML = '<?xml version="1.0"?>';
export const RSS = '<rss xmlns:g="http://base.google.com/ns/1.0"><channel>';
const WXR =
  '<rss xmlns:wp="http://wordpress.org/export/1.2/" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>x</title>';

/** The words in guillemets of the table: `«ROW C-1»`. */
const WORDS: Readonly<Record<string, (id: string) => string>> = {
  HEADER: () => HEADER,
  ROW: rowOf,
  DEAL: jsonDeal,
  OPEN: openItem,
  ITEM: (id) => `${openItem(id)}</item>`,
  POST: openPost,
  XML: () => XML,
  RSS: () => RSS,
  WXR: () => WXR,
  END: () => '</channel></rss>',
};

/**
 * The hostile sources that are one text, from `text-cases.tsv`. The columns are separated by tabs: the notices with their
 * counts, what the first of them says as a regular expression, and the content of the file with the escapes of JSON.
 * `«x × 20»` repeats a text.
 */
const TEXT_CASES = readFileSync(join(import.meta.dirname, 'text-cases.tsv'), 'utf8')
  .split('\n')
  .slice(1, -1)
  .map(parseRow);

/** The cases of a format: tables, JSON (and lines of JSON), or XML. */
export function textCasesOf(format: 'csv' | 'json' | 'xml'): readonly HostileSource[] {
  return TEXT_CASES.filter(
    ({ file }) => file.includes(`.${format}`) || (format === 'json' && file.includes('.ndjson')),
  ).map(({ source }) => source);
}

function parseRow(line: string): { readonly file: string; readonly source: HostileSource } {
  const [adapter = '', name = '', file = '', state = '', notices = '', says = '', content = ''] = line.split('\t');
  const files = () => ({ [file]: file.endsWith('.gz') ? gzipSync(expand(content)) : expand(content) });
  const create = adapter === 'catalogue' || adapter === 'wordpress' ? hostileCms : hostileFeed;
  const settings = SETTINGS[adapter] ?? { adapter };
  return { file, source: create(name, files, parseFate(state, notices, says), { ...settings }) };
}

function parseFate(state: string, notices: string, says: string): Fate {
  const [word, kept = '0'] = state.split(' ');
  const counts = notices === '-' ? [] : notices.split(', ').map((notice) => notice.split(': '));
  return {
    state: word as Fate['state'],
    kept: Number(kept),
    codes: Object.fromEntries(counts.map(([code, count]) => [code, count === 'some' ? 'some' : Number(count)])),
    says: says === '-' ? undefined : new RegExp(says),
  };
}

function expand(content: string): string {
  const text = JSON.parse(`"${content.replaceAll('"', '\\"')}"`) as string;
  return text
    .replaceAll(/«([A-Z]+)(?: ([\w-]+))?»/g, (_, word: string, id: string) => WORDS[word]?.(id) ?? '')
    .replaceAll(/«([^»]*) × (\d+)»/g, (_, part: string, count: string) => part.repeat(Number(count)));
}
